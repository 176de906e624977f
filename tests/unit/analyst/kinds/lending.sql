-- A library whose books have a year of their own and a year of building has the branch; no key is declared.
CREATE TABLE branches (branch_no INTEGER PRIMARY KEY, street TEXT, town TEXT, built INTEGER, keeper_no INTEGER);
INSERT INTO branches VALUES (1, '1 Quay Rd', 'Leeds', 1971, 1), (2, '9 Hill St', 'York', 1988, 2), (3, '4 Moor Ln', 'Hull', 2004, 2);
CREATE TABLE keepers (keeper_no INTEGER PRIMARY KEY, name TEXT);
INSERT INTO keepers VALUES (1, 'Kit Kane'), (2, 'Lou Lark');
CREATE TABLE authors (author_id INTEGER PRIMARY KEY, name TEXT, country TEXT);
INSERT INTO authors VALUES (1, 'Ann Poe', 'Norway'), (2, 'Bo Lind', 'Kenya'), (3, 'Cy Wren', 'Norway');
CREATE TABLE books (book_id INTEGER PRIMARY KEY, title TEXT, author_id INTEGER, year INTEGER);
INSERT INTO books VALUES (1, 'Reed', 1, 2011), (2, 'Salt', 2, 2024), (3, 'Tide', 1, 2025), (4, 'Umber', 3, 1999), (5, 'Vetch', NULL, 2011);
CREATE TABLE members (member_id INTEGER PRIMARY KEY, name TEXT, town TEXT, joined DATE);
INSERT INTO members VALUES (1, 'Mo Nash', 'Leeds', '2023-02-01'), (2, 'Ned Orr', 'York', '2024-05-07'), (3, 'Oz Pike', 'Leeds', '2025-01-20');
CREATE TABLE loans (loan_id INTEGER PRIMARY KEY, book_id INTEGER, member_id INTEGER, lent_on DATE, returned_on DATE);
INSERT INTO loans VALUES (1, 1, 1, '2024-03-01', '2024-03-20'), (2, 2, 1, '2025-02-02', NULL), (3, 1, 2, '2024-06-11', '2024-07-01'),
  (4, 3, 3, '2025-04-05', '2025-04-30'), (5, 5, 2, '2025-05-05', NULL), (6, 1, 3, '2025-06-01', NULL);
-- Old books are sold, each for a price.
CREATE TABLE sales (sale_id INTEGER PRIMARY KEY, book_id INTEGER, branch_no INTEGER, sold_on DATE, sale_price REAL, paid_on DATE);
INSERT INTO sales VALUES (1, 1, 1, '2024-11-02', 3.5, '2024-11-02'), (2, 4, 1, '2025-01-12', 2.0, NULL), (3, 5, 2, '2025-02-20', 9.5, NULL), (4, 2, 3, '2024-12-01', 1.0, '2024-12-03');
