-- A bookshop in which things bear each other's names: a book is called like an author, a chapter like a book.
CREATE TABLE authors (author_id INTEGER PRIMARY KEY, name TEXT, country TEXT, phone TEXT, email TEXT);
CREATE TABLE genres (genre_id INTEGER PRIMARY KEY, name TEXT);
CREATE TABLE books (book_id INTEGER PRIMARY KEY, title TEXT, author_id INTEGER REFERENCES authors (author_id), genre_id INTEGER REFERENCES genres (genre_id), pages INTEGER, price REAL);
CREATE TABLE chapters (chapter_id INTEGER PRIMARY KEY, name TEXT, book_id INTEGER REFERENCES books (book_id), pages INTEGER);
CREATE TABLE sales (sale_id INTEGER PRIMARY KEY, book_id INTEGER REFERENCES books (book_id), country TEXT, sold_on DATE, copies INTEGER);
INSERT INTO authors VALUES (1, 'Marlow Finch', 'Norway', '555-0101', 'marlow@shelf.example'), (2, 'Iris Vale', 'Chile', '555-0102', 'iris@shelf.example'), (3, 'Ode Brandt', 'Norway', NULL, 'ode@shelf.example');
INSERT INTO genres VALUES (1, 'Crime'), (2, 'Travel'), (3, 'Poetry');
INSERT INTO books VALUES (1, 'Iris Vale', 1, 1, 300, 12), (2, 'The Long Fjord', 1, 2, 420, 20), (3, 'Salt', 2, 2, 180, 15), (4, 'Tin Roof', 2, 1, 250, 10), (5, 'Marlow Finch', 3, 3, 90, 8);
INSERT INTO chapters VALUES (1, 'Iris Vale', 2, 20), (2, 'Salt', 2, 30), (3, 'Dawn', 3, 12), (4, 'Rain', 4, 18), (5, 'Iris Vale', 5, 9);
INSERT INTO sales VALUES (1, 1, 'Norway', '2024-02-03', 3), (2, 2, 'Chile', '2024-03-09', 1), (3, 3, 'Chile', '2024-05-21', 4), (4, 4, 'Peru', '2024-08-30', 2), (5, 2, 'Norway', '2025-01-11', 5);
-- Several rows for each person: and asks for those who have a row of both.
CREATE TABLE enrolments (enrolment_id INTEGER PRIMARY KEY, student_name TEXT, course TEXT);
INSERT INTO enrolments VALUES (1, 'Ann', 'Math'), (2, 'Ann', 'Physics'), (3, 'Bo', 'Math'), (4, 'Cy', 'Physics'), (5, 'Cy', 'Art'), (6, 'Bo', 'Art');
