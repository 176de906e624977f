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

_ASKED: tuple[tuple[str, str, tuple[tuple[str, str], ...]], ...] = (
    ("SELECT count(*) FROM books", "easy", (
        ("How many books are there?", "How many volumes are there?"),
        ("Count the books.", "Count the volumes."),
    )),
    ("SELECT name FROM authors WHERE country = 'Peru'", "easy", (
        ("What are the names of authors from Peru?", "What are the names of writers from Peru?"),
        ("List the names of all Peruvian authors.", "List the names of all Peruvian writers."),
    )),
    ("SELECT name FROM authors WHERE country = 'Japan'", "easy", (
        ("What are the names of authors from Japan?", "What are the names of writers from Japan?"),
        ("Name the Japanese authors.", "Name the Japanese writers."),
    )),
    ("SELECT genre, avg(pages) FROM books GROUP BY genre", "medium", (
        ("What is the average number of pages for each genre?", "What is the mean number of pages for each kind?"),
        ("For every genre, show how long its books are on average.", "For every kind, show how long its volumes are on average."),
    )),
    ("SELECT a.name FROM authors a JOIN books b ON b.author_id = a.author_id GROUP BY a.author_id ORDER BY count(*) DESC LIMIT 1", "hard", (
        ("Which author has the most books?", "Which writer has the most publications?"),
        ("Who wrote the largest number of books?", "Who wrote the largest number of publications?"),
    )),
    ("SELECT title FROM books WHERE book_id NOT IN (SELECT book_id FROM loans)", "hard", (
        ("What are the titles of books without any loans?", "What are the titles of volumes without any loans?"),
        ("Which titles has nobody ever borrowed?", "Which headings has nobody ever borrowed?"),
    )),
    ("SELECT title FROM books ORDER BY pages DESC LIMIT 3", "medium", (
        ("Show the titles of the 3 longest books.", "Show the titles of the 3 longest volumes."),
        ("What are the three thickest books called?", "What are the three thickest volumes called?"),
    )),
    ("SELECT count(*) FROM books WHERE genre = 'Crime'", "easy", (
        ("How many crime novels do we hold?", "How many whodunits do we hold?"),
        ("Count our crime novels.", "Count our whodunits."),
    )),
    ("SELECT count(*) FROM books WHERE genre = 'Poetry'", "easy", (
        ("How many books of poetry do we hold?", "How many verse collections do we hold?"),
        ("Count our volumes of poems.", "Count our verse collections."),
    )),
    ("SELECT count(*) FROM loans", "easy", (
        ("What is the loan total?", "What is the number of lendings?"),
        ("How often were books lent?", "How often were volumes lent?"),
    )),
    ("SELECT max(days) FROM loans", "easy", (
        ("What is the longest loan in days?", "What is the longest lending in days?"),
        ("For how many days was a book kept at most?", "For how many days was a volume kept at most?"),
    )),
    ("SELECT DISTINCT b.title FROM books b JOIN loans l ON l.book_id = b.book_id WHERE l.days > 21", "hard", (
        ("List the titles of overdue books.", "List the titles of late volumes."),
        ("Which titles are overdue?", "Which headings are late?"),
    )),
    ("SELECT count(*) FROM loans WHERE days > 21", "medium", (
        ("How many loans are overdue?", "How many lendings are late?"),
        ("Count the overdue loans.", "Count the late lendings."),
    )),
    ("SELECT a.country, count(*) FROM authors a JOIN books b ON b.author_id = a.author_id GROUP BY a.country", "hard", (
        ("How many books did each country produce?", "How many volumes did each nation produce?"),
        ("Show each country with its number of books.", "Show each nation with its number of volumes."),
    )),
    ("SELECT name FROM authors ORDER BY birth_year LIMIT 1", "medium", (
        ("Who is the oldest author?", "Who is the oldest writer?"),
        ("Which author was born first?", "Which writer was born first?"),
    )),
    ("SELECT name FROM authors WHERE birth_year > 1950", "easy", (
        ("Which authors were born after 1950?", "Which writers were born after 1950?"),
        ("Name the authors born later than 1950.", "Name the writers born later than 1950."),
    )),
    ("SELECT b.title FROM books b JOIN loans l ON l.book_id = b.book_id GROUP BY b.book_id HAVING count(*) >= 4", "extra", (
        ("List the bestsellers.", "List the hits."),
        ("Which books are bestsellers?", "Which volumes are hits?"),
    )),
    ("SELECT genre FROM books GROUP BY genre HAVING count(*) > 13", "hard", (
        ("What are the genres with more than 13 books?", "What are the kinds with more than 13 volumes?"),
        ("Which genres have over 13 books?", "Which kinds have over 13 volumes?"),
    )),
    ("SELECT title FROM books WHERE pages < 150", "medium", (
        ("Show the titles of the slim books.", "Show the titles of the thin volumes."),
        ("Which books are slim?", "Which volumes are thin?"),
    )),
    ("SELECT sum(pages) FROM books", "easy", (
        ("How many pages has the whole library?", "How many sheets has the whole library?"),
        ("What is the total of all pages?", "What is the total of all sheets?"),
    )),
)  # fmt: skip
"""A query, its hardness, and two ways to ask for it: in the words of the schema as far as people use them, and in others."""


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
    questions = [
        Question("library", own, other, gold, hardness)
        for gold, hardness, wordings in _ASKED
        for own, other in wordings
    ]
    return questions, {"library": SpiderDatabase("library", file, None)}
