-- A driving school: who teaches and who has left, lessons that were held or not, invoices that are open, paid or cancelled.
CREATE TABLE instructors (id INTEGER PRIMARY KEY, name TEXT, born_on DATE, joined_on DATE, left_on DATE, hourly_wage REAL);
CREATE TABLE learners (id INTEGER PRIMARY KEY, full_name TEXT, birth_date DATE, city TEXT, signed_up_on DATE);
CREATE TABLE lessons (id INTEGER PRIMARY KEY, learner_id INTEGER REFERENCES learners (id), instructor_id INTEGER REFERENCES instructors (id), starts_at TIMESTAMP, ends_at TIMESTAMP, status TEXT, price REAL);
CREATE TABLE invoices (id INTEGER PRIMARY KEY, learner_id INTEGER REFERENCES learners (id), issued_on DATE, due_on DATE, total REAL, state TEXT, paid_on DATE);
CREATE TABLE exams (id INTEGER PRIMARY KEY, learner_id INTEGER REFERENCES learners (id), kind TEXT, taken_on DATE, points INTEGER);
CREATE TABLE permits (id INTEGER PRIMARY KEY, name TEXT, stock INTEGER, minimum_stock INTEGER, expires_on DATE);
INSERT INTO instructors VALUES (1, 'Ada Berg', '1970-02-03', '2009-04-01', NULL, 31), (2, 'Ole Dahl', '1988-09-12', '2015-01-15', '2024-11-30', 27), (3, 'Ida Foss', '1992-06-30', '2019-08-01', NULL, 29);
WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 48)
INSERT INTO learners SELECT i, 'Learner ' || char(65 + i % 26) || char(97 + i % 9), date('now', '-' || (16 * 365 + 150 + i * 83) || ' days'), CASE i % 3 WHEN 0 THEN 'Moss' WHEN 1 THEN 'Oslo' ELSE 'Skien' END, date('2024-06-01', (i * 7) || ' days') FROM n;
INSERT INTO learners VALUES (49, 'Nils Aas', '1990-02-01', 'Oslo', '2025-03-05'), (50, 'Tuva Lie', '1991-05-04', 'Moss', '2025-03-06');
WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 90)
INSERT INTO lessons SELECT i, 1 + i * 11 % 45, 1 + i * i % 7 % 3, datetime('2025-01-02 09:00', (i * 2) || ' days'), datetime('2025-01-02 09:00', (i * 2) || ' days', (CASE i WHEN 20 THEN 135 ELSE 45 + i % 3 * 15 END) || ' minutes'), CASE WHEN i > 82 THEN 'planned' WHEN i % 7 = 0 THEN 'no_show' WHEN i % 11 = 0 THEN 'cancelled' ELSE 'held' END, 40 + i % 5 * 5 FROM n;
INSERT INTO lessons VALUES (91, 5, 1, '2025-02-03 10:00:00', '2025-02-03 11:00:00', 'held', 50), (92, 5, 1, '2025-02-04 10:00:00', '2025-02-04 11:00:00', 'held', 50);
WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 60)
INSERT INTO invoices SELECT i, 1 + i * 13 % 46, date('2025-01-01', (i * 3) || ' days'), date('2025-01-15', (i * 3) || ' days'), 60 + i * 17 % 300, CASE i % 5 WHEN 0 THEN 'cancelled' WHEN 1 THEN 'open' ELSE 'paid' END, CASE WHEN i % 5 > 1 THEN date('2025-01-10', (i * 3) || ' days') END FROM n;
WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 40)
INSERT INTO exams SELECT i, 1 + i * 7 % 44, CASE i % 2 WHEN 0 THEN 'theory' ELSE 'practice' END, date('2025-02-01', (i * 2) || ' days'), 20 + i * 7 % 31 FROM n;
INSERT INTO permits VALUES (1, 'Handbook', 4, 10, '2025-03-01'), (2, 'Car sign', 30, 10, '2026-03-01'), (3, 'First aid kit', 2, 5, '2025-07-01');
