"""A small library with questions about it, for when there is no public data."""

import sqlite3
from contextlib import closing
from pathlib import Path

from benchmarks._spider_data import Question, SpiderDatabase

_DDL = """
CREATE TABLE authors (author_id INTEGER PRIMARY KEY, name TEXT, country TEXT, birth_year INTEGER);
CREATE TABLE books (book_id INTEGER PRIMARY KEY, title TEXT, genre TEXT, pages INTEGER,
                    author_id INTEGER REFERENCES authors (author_id));
CREATE TABLE loans (loan_id INTEGER PRIMARY KEY, book_id INTEGER REFERENCES books (book_id), days INTEGER);
"""
_COUNTRIES = ("France", "Japan", "Peru")
_GENRES = ("Crime", "Poetry", "Travel")

_ASKED = (
    ("How many books are there?", "How many volumes are there?", "SELECT count(*) FROM books", "easy"),
    ("What are the names of authors from Peru?", "What are the names of writers from Peru?", "SELECT name FROM authors WHERE country = 'Peru'", "easy"),
    ("What is the average number of pages for each genre?", "What is the mean number of pages for each kind?", "SELECT genre, avg(pages) FROM books GROUP BY genre", "medium"),
    ("Which author has the most books?", "Which writer has the most publications?", "SELECT a.name FROM authors a JOIN books b ON b.author_id = a.author_id GROUP BY a.author_id ORDER BY count(*) DESC LIMIT 1", "hard"),
    ("What are the titles of books without any loans?", "What are the titles of volumes without any loans?", "SELECT title FROM books WHERE book_id NOT IN (SELECT book_id FROM loans)", "hard"),
    ("Show the titles of the 3 longest books.", "Show the titles of the 3 longest volumes.", "SELECT title FROM books ORDER BY pages DESC LIMIT 3", "medium"),
)  # fmt: skip


def generated(folder: Path) -> tuple[list[Question], dict[str, SpiderDatabase]]:
    """Write the library into `folder` and return the questions about it."""
    file = folder / "library.sqlite"
    authors = [(i, f"Author {chr(65 + i)}", _COUNTRIES[i % 3], 1920 + 7 * i) for i in range(9)]
    books = [(i, f"Title {i}", _GENRES[i % 3], 90 + 13 * i, i * i % 9) for i in range(40)]
    loans = [(i, i * 3 % 31, 1 + i % 28) for i in range(100)]
    with closing(sqlite3.connect(file)) as connection:
        connection.executescript(_DDL)
        connection.executemany("INSERT INTO authors VALUES (?, ?, ?, ?)", authors)
        connection.executemany("INSERT INTO books VALUES (?, ?, ?, ?, ?)", books)
        connection.executemany("INSERT INTO loans VALUES (?, ?, ?)", loans)
        connection.commit()
    questions = [Question("library", *asked) for asked in _ASKED]
    return questions, {"library": SpiderDatabase("library", file, None)}
