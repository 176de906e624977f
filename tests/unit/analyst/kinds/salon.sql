-- A salon for dogs in plain English, without keys: who did what is told by `done_by`, yes and no are words.
CREATE TABLE staff (staff_no INTEGER, name TEXT, job TEXT, hired_on DATE, left_on DATE);
CREATE TABLE owners (owner_no INTEGER, name TEXT, town TEXT, registered_on DATE, reminders TEXT);
CREATE TABLE treatments (code TEXT, treatment TEXT, price REAL);
CREATE TABLE orders (order_no INTEGER, owner INTEGER, treatment TEXT, done_by INTEGER, ordered_on DATE, ready_on DATE, collected_on DATE, price REAL);
CREATE TABLE payments (order_no INTEGER, amount REAL, method TEXT);
INSERT INTO staff VALUES (1, 'Ada Finch', 'groomer', '2015-02-01', NULL), (2, 'Bo Grant', 'groomer', '2012-06-01', '2024-12-31'), (3, 'Cy Hart', 'assistant', '2021-09-01', NULL), (4, 'Dee Ives', 'groomer', '2023-01-01', NULL);
INSERT INTO owners VALUES (11, 'Eli Kane', 'Hull', '2023-03-01', 'yes'), (12, 'Fay Lord', 'York', '2024-06-01', 'no'), (13, 'Gil Moss', 'Hull', '2025-02-01', 'yes'), (14, 'Hal Nunn', 'Leeds', '2025-04-01', 'no'), (15, 'Ivo Orr', 'York', '2022-01-01', 'yes');
INSERT INTO treatments VALUES ('T1', 'bath', 30), ('T2', 'clip', 55), ('T3', 'trim', 20), ('T4', 'dye', 80);
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 40)
INSERT INTO orders SELECT 500 + i, 11 + i * i % 4, 'T' || (1 + i * i % 3), CASE i % 7 WHEN 0 THEN 3 WHEN 1 THEN 1 WHEN 2 THEN 1 ELSE 4 END, date('2024-10-01', (i * 6) || ' days'), CASE WHEN i < 39 THEN date('2024-10-01', (i * 6 + i % 20) || ' days') END, CASE WHEN i < 37 THEN date('2024-10-01', (i * 6 + 1 + i % 20) || ' days') END, 20 + i * 7 % 45 FROM n;
INSERT INTO payments SELECT order_no, price, CASE order_no % 3 WHEN 0 THEN 'cash' ELSE 'card' END FROM orders WHERE order_no % 5 AND collected_on IS NOT NULL;
CREATE TABLE shampoos (article TEXT, scent TEXT, in_stock INTEGER, price REAL);
INSERT INTO shampoos VALUES ('S1', 'lime', 4, 9), ('S2', 'rose', 0, 12), ('S3', 'oats', 7, 15);
CREATE TABLE loans (loan_no INTEGER, tool TEXT, lent_on DATE, returned_on DATE);
INSERT INTO loans VALUES (1, 'comb', '2025-01-05', '2025-02-01'), (2, 'brush', '2025-03-05', '2026-02-01'), (3, 'blade', '2025-05-05', NULL), (4, 'lamp', '2025-05-20', NULL);
