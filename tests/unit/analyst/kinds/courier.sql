-- A courier: parcels have a state, a yes or no, a date that may be missing, and complaints about them.
CREATE TABLE customers (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  town TEXT NOT NULL
);
CREATE TABLE parcels (
  id INTEGER PRIMARY KEY,
  customer_id INTEGER NOT NULL REFERENCES customers (id),
  status TEXT NOT NULL,
  express BOOLEAN NOT NULL,
  fee REAL NOT NULL,
  weight INTEGER NOT NULL,
  sent_on DATE NOT NULL,
  delivery_date DATE
);
CREATE TABLE complaints (
  id INTEGER PRIMARY KEY,
  parcel_id INTEGER NOT NULL REFERENCES parcels (id),
  written_on DATE NOT NULL
);

INSERT INTO customers VALUES (1, 'Aalto', 'Oslo'), (2, 'Berg', 'Bergen'), (3, 'Carlsen', 'Oslo'), (4, 'Dahl', 'Tromso'), (5, 'Eide', 'Bergen');
INSERT INTO parcels VALUES
  (1, 1, 'delivered', 0, 10.5, 3, '2024-01-03', '2024-01-05'),
  (2, 2, 'delivered', 1, 21.0, 1, '2024-01-09', '2024-01-10'),
  (3, 3, 'returned', 0, 9.0, 2, '2024-02-01', '2024-02-04'),
  (4, 4, 'lost', 0, 12.0, 5, '2024-02-11', NULL),
  (5, 5, 'pending', 1, 30.0, 4, '2024-02-20', NULL),
  (6, 1, 'delivered', 0, 8.0, 2, '2024-03-02', '2024-03-06'),
  (7, 2, 'returned', 1, 25.0, 6, '2024-03-08', '2024-03-09'),
  (8, 3, 'pending', 0, 11.0, 3, '2024-03-15', NULL),
  (9, 4, 'delivered', 0, 14.0, 8, '2024-04-01', '2024-04-03'),
  (10, 5, 'delivered', 1, 19.0, 1, '2024-04-07', '2024-04-08'),
  (11, 1, 'pending', 0, 7.5, 2, '2024-04-19', NULL),
  (12, 2, 'delivered', 0, 13.0, 7, '2024-05-02', '2024-05-06'),
  (13, 3, 'returned', 0, 16.0, 9, '2024-05-12', '2024-05-15'),
  (14, 4, 'pending', 0, 6.0, 1, '2024-05-20', NULL),
  (15, 5, 'delivered', 0, 18.5, 4, '2024-06-01', '2024-06-02'),
  (16, 1, 'lost', 1, 27.0, 2, '2024-06-03', NULL),
  (17, 2, 'delivered', 0, 15.0, 5, '2024-06-05', '2024-06-08');
INSERT INTO complaints VALUES (1, 3, '2024-02-05'), (2, 3, '2024-02-07'), (3, 4, '2024-02-20'), (4, 9, '2024-04-04'), (5, 12, '2024-05-07'), (6, 16, '2024-06-10');
