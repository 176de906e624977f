-- A farm shop: bills are void or not, some were never paid, and some have notes.
CREATE TABLE villages (
  village_id INTEGER PRIMARY KEY,
  village_name TEXT NOT NULL
);
CREATE TABLE bills (
  bill_id INTEGER PRIMARY KEY,
  village_id INTEGER NOT NULL REFERENCES villages (village_id),
  state TEXT NOT NULL,
  is_gift INTEGER NOT NULL,
  sum_total REAL NOT NULL,
  written DATE NOT NULL,
  payment_date DATE
);
CREATE TABLE reminders (
  reminder_id INTEGER PRIMARY KEY,
  bill_id INTEGER NOT NULL REFERENCES bills (bill_id),
  sent DATE NOT NULL
);

INSERT INTO villages VALUES (1, 'Alm'), (2, 'Bach'), (3, 'Dorf');
INSERT INTO bills VALUES
  (1, 1, 'open', 0, 12.0, '2023-01-04', NULL),
  (2, 2, 'settled', 1, 40.5, '2023-01-10', '2023-01-20'),
  (3, 3, 'void', 0, 8.0, '2023-02-11', NULL),
  (4, 1, 'settled', 0, 22.0, '2023-02-19', '2023-03-01'),
  (5, 2, 'settled', 0, 31.0, '2023-03-05', '2023-03-06'),
  (6, 3, 'disputed', 0, 17.0, '2023-03-30', NULL),
  (7, 1, 'settled', 1, 9.5, '2023-04-02', '2023-04-09'),
  (8, 2, 'void', 1, 14.0, '2023-04-11', '2023-04-12'),
  (9, 3, 'settled', 0, 27.0, '2023-05-08', '2023-05-11'),
  (10, 1, 'open', 0, 19.0, '2023-05-21', NULL),
  (11, 2, 'disputed', 0, 36.0, '2023-06-02', '2023-06-30'),
  (12, 3, 'settled', 0, 11.0, '2023-06-14', '2023-06-15'),
  (13, 1, 'void', 0, 23.0, '2023-07-01', NULL);
INSERT INTO reminders VALUES (1, 1, '2023-02-01'), (2, 1, '2023-03-01'), (3, 6, '2023-05-01'), (4, 11, '2023-06-20'), (5, 10, '2023-07-01');
