-- A cider press: no declared keys; days are called after what was done on them; bottles and weights are numbers of each row.
CREATE TABLE growers (grower_no INTEGER PRIMARY KEY, grower TEXT, village TEXT);
CREATE TABLE deliveries (id INTEGER PRIMARY KEY, grower_no INTEGER, variety TEXT, class TEXT, weight_kg REAL, delivered DATE);
CREATE TABLE shops (shop_no INTEGER PRIMARY KEY, shop TEXT, town TEXT);
CREATE TABLE sales (sale_no INTEGER PRIMARY KEY, shop_no INTEGER, sold_on DATE, bottles INTEGER, amount REAL, status TEXT);
INSERT INTO growers VALUES (1, 'Hilltop Orchard', 'Alden'), (2, 'Petersen', 'Brook'), (3, 'Green Acre', 'Alden');
INSERT INTO deliveries VALUES
  (1, 1, 'Dabinett', 'BS', 310, '2024-09-02'), (2, 1, 'Foxwhelp', 'SH', 120, '2024-09-02'), (3, 2, 'Dabinett', 'BS', 500, '2024-10-07'),
  (4, 3, 'Kingston', 'SH', 240, '2024-10-07'), (5, 2, 'Yarlington', 'BS', 90, '2024-11-11'), (6, 1, 'Dabinett', 'BS', 205, '2024-11-12');
INSERT INTO shops VALUES (1, 'Cellar Door', 'Alden'), (2, 'Market Hall', 'Weston');
INSERT INTO sales VALUES
  (1, 1, '2025-01-10', 60, 200.5, 'done'), (2, 1, '2025-01-10', 12, 48, 'open'), (3, 2, '2025-02-01', 40, 150, 'done'),
  (4, 2, '2025-02-03', 40, 160, 'done'), (5, 2, '2025-03-01', 24, 90, 'done');
