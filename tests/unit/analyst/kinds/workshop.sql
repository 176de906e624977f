-- A chain of bicycle workshops. Yes/no is 'Y'/'N' in one table and 1/0 in another, as it happens to be in grown databases.
CREATE TABLE branches (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  town TEXT NOT NULL,
  country TEXT NOT NULL,
  opened DATE NOT NULL
);
CREATE TABLE mechanics (
  id INTEGER PRIMARY KEY,
  first_name TEXT NOT NULL,
  last_name TEXT NOT NULL,
  home_town TEXT NOT NULL,
  branch_id INTEGER REFERENCES branches (id),
  supervisor_id INTEGER REFERENCES mechanics (id),
  wage REAL NOT NULL,
  certified TEXT NOT NULL,
  joined_on DATE NOT NULL,
  left_on DATE
);
CREATE TABLE clients (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  town TEXT NOT NULL,
  newsletter BOOLEAN NOT NULL,
  registered_on DATE NOT NULL
);
CREATE TABLE repairs (
  id INTEGER PRIMARY KEY,
  client_id INTEGER NOT NULL REFERENCES clients (id),
  mechanic_id INTEGER REFERENCES mechanics (id),
  branch_id INTEGER NOT NULL REFERENCES branches (id),
  status TEXT NOT NULL,
  started_on DATE NOT NULL,
  finished_on DATE
);
CREATE TABLE parts (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  brand TEXT NOT NULL,
  in_production BOOLEAN NOT NULL,
  list_price REAL NOT NULL
);
CREATE TABLE repair_parts (
  repair_id INTEGER NOT NULL REFERENCES repairs (id),
  part_id INTEGER NOT NULL REFERENCES parts (id),
  pieces INTEGER NOT NULL,
  price_each REAL NOT NULL,
  discount REAL NOT NULL,
  PRIMARY KEY (repair_id, part_id)
);

INSERT INTO branches VALUES
  (1, 'Chain and Sprocket', 'Ghent', 'Belgium', '2019-03-01'),
  (2, 'Wheel House', 'Utrecht', 'Netherlands', '2020-05-15'),
  (3, 'Spoke Corner', 'Ghent', 'Belgium', '2021-09-01'),
  (4, 'Saddle Yard', 'Bruges', 'Belgium', '2023-02-20'),
  (5, 'Brake Point', 'Delft', 'Netherlands', '2024-11-04');

INSERT INTO mechanics VALUES
  (1, 'Noor', 'Peeters', 'Ghent', 1, NULL, 24.5, 'Y', '2019-03-01', NULL),
  (2, 'Bram', 'Claes', 'Bruges', 1, 1, 19.0, 'Y', '2019-06-12', NULL),
  (3, 'Lotte', 'Maes', 'Ghent', 1, 1, 17.5, 'N', '2021-01-11', '2024-08-31'),
  (4, 'Sven', 'Bakker', 'Utrecht', 2, NULL, 23.0, 'Y', '2020-05-15', NULL),
  (5, 'Femke', 'Smit', 'Delft', 2, 4, 18.0, 'N', '2022-04-04', NULL),
  (6, 'Pieter', 'Jacobs', 'Ghent', 3, 1, 21.0, 'Y', '2021-09-01', NULL),
  (7, 'Hanne', 'Mertens', 'Ghent', 3, 6, 16.5, 'N', '2023-10-16', NULL),
  (8, 'Joost', 'Visser', 'Utrecht', 2, 4, 17.0, 'N', '2023-03-20', '2025-01-31'),
  (9, 'Elke', 'Goossens', 'Bruges', 4, 1, 20.5, 'Y', '2023-02-20', NULL),
  (10, 'Tijs', 'Mulder', 'Delft', 5, 4, 20.0, 'Y', '2024-11-04', NULL),
  (11, 'Ruben', 'Aerts', 'Bruges', NULL, 1, 26.0, 'Y', '2024-01-08', NULL);

INSERT INTO parts VALUES
  (1, 'Brake pads', 'Velora', 1, 12.5), (2, 'Chain', 'Velora', 1, 24.0),
  (3, 'Inner tube', 'Rubberto', 1, 6.5), (4, 'Tyre', 'Rubberto', 1, 32.0),
  (5, 'Saddle', 'Comfy', 1, 45.0), (6, 'Dynamo', 'Comfy', 0, 28.0),
  (7, 'Bell', 'Velora', 0, 8.0), (8, 'Pedals', 'Velora', 1, 27.5);

INSERT INTO clients
WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 60)
SELECT i, 'Client ' || char(65 + (i - 1) / 10) || ((i - 1) % 10),
  CASE i * 7 % 10 WHEN 0 THEN 'Bruges' WHEN 1 THEN 'Delft' WHEN 2 THEN 'Utrecht' WHEN 3 THEN 'Utrecht' WHEN 4 THEN 'Antwerp' ELSE 'Ghent' END,
  i % 4 = 0, date('2021-01-05', '+' || (i * 26) || ' days') FROM n;

INSERT INTO repairs
WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 240)
SELECT i, 1 + i * i * 3 % 53, CASE WHEN i % 16 = 0 THEN NULL ELSE 1 + i * 5 % 9 END, 1 + i * 11 % 17 % 4,
  CASE WHEN i % 13 = 0 THEN 'cancelled' WHEN i > 215 THEN 'waiting' WHEN i % 7 = 3 THEN 'invoiced' ELSE 'done' END,
  date('2022-02-01', '+' || (i * 5) || ' days'),
  CASE WHEN i > 215 OR i % 13 = 0 THEN NULL ELSE date('2022-02-01', '+' || (i * 5 + i % 6) || ' days') END FROM n;

INSERT INTO repair_parts
WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 420)
SELECT 1 + i * 3 % 229, 1 + i * 5 % 7, 1 + i % 3, 5.5 + i * 5 % 7 * 4, CASE WHEN i % 5 = 0 THEN 0.1 ELSE 0 END FROM n;
