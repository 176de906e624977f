-- A translation agency: from one language into another, by one and checked by another; a translator is no translation.
CREATE TABLE languages (language_id INTEGER PRIMARY KEY, name TEXT NOT NULL);
CREATE TABLE staff (staff_id INTEGER PRIMARY KEY, name TEXT NOT NULL, city TEXT NOT NULL);
CREATE TABLE translations (translation_id INTEGER PRIMARY KEY, title TEXT NOT NULL, source_language_id INTEGER NOT NULL REFERENCES languages (language_id), target_language_id INTEGER NOT NULL REFERENCES languages (language_id), translator_id INTEGER NOT NULL REFERENCES staff (staff_id), reviewer_id INTEGER REFERENCES staff (staff_id), words INTEGER NOT NULL, ordered_on DATE NOT NULL);
CREATE TABLE departments (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
CREATE TABLE employees (id INTEGER PRIMARY KEY, name TEXT NOT NULL, department_id INTEGER REFERENCES departments (id), previous_department_id INTEGER REFERENCES departments (id), hired_on DATE);
CREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
CREATE TABLE documents (id INTEGER PRIMARY KEY, title TEXT NOT NULL, author_id INTEGER REFERENCES users (id), approver_id INTEGER REFERENCES users (id), status TEXT NOT NULL, approved_on DATE);
INSERT INTO languages VALUES (1, 'Czech'), (2, 'Welsh'), (3, 'Basque'), (4, 'Maltese');
INSERT INTO staff VALUES (1, 'Ida Rook', 'Ghent'), (2, 'Uwe Salt', 'Turin'), (3, 'Pia Lund', 'Ghent');
INSERT INTO translations VALUES (1, 'Deed', 1, 2, 1, 2, 500, '2024-02-01'), (2, 'Menu', 1, 3, 1, 3, 90, '2024-08-01'), (3, 'Guide', 2, 1, 2, 1, 3000, '2025-01-10'), (4, 'Label', 2, 3, 1, 2, 40, '2025-03-01');
INSERT INTO departments VALUES (1, 'Tailoring'), (2, 'Washing'), (3, 'Dyeing');
INSERT INTO employees VALUES (1, 'Ana Quill', 1, 2, '2020-01-01'), (2, 'Ben Oak', 1, NULL, '2021-01-01'), (3, 'Cleo Fern', 2, 1, '2020-05-01');
INSERT INTO users VALUES (1, 'Ravi Stone'), (2, 'Lena Moss');
INSERT INTO documents VALUES (1, 'Plan', 1, 2, 'approved', '2025-01-01'), (2, 'Memo', 2, NULL, 'draft', NULL), (3, 'Note', 1, 2, 'approved', '2025-02-02'), (4, 'Bill', 2, 1, 'rejected', '2024-03-03');
