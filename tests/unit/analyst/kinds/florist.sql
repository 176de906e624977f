-- A florist: orders of stems, by customers of towns; nothing says who is a good customer or how large an order is.
CREATE TABLE customers (
  customer_id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  town TEXT NOT NULL
);
CREATE TABLE flowers (
  flower_id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  stem_price REAL NOT NULL,
  stem_cost REAL NOT NULL
);
CREATE TABLE orders (
  order_id INTEGER PRIMARY KEY,
  customer_id INTEGER NOT NULL REFERENCES customers (customer_id),
  ordered_on DATE NOT NULL,
  delivery_fee REAL NOT NULL
);
CREATE TABLE order_lines (
  line_id INTEGER PRIMARY KEY,
  order_id INTEGER NOT NULL REFERENCES orders (order_id),
  flower_id INTEGER NOT NULL REFERENCES flowers (flower_id),
  stems INTEGER NOT NULL
);

INSERT INTO customers VALUES
  (1, 'Dorn', 'Whitby'),
  (2, 'Ebert', 'Ripon'),
  (3, 'Graf', 'Whitby'),
  (4, 'Hahn', 'Tenby'),
  (5, 'Conrad', 'Whitby');
INSERT INTO flowers VALUES
  (1, 'white lily', 3.5, 1.6),
  (2, 'red rose', 2.8, 1.1),
  (3, 'blue iris', 1.9, 0.7),
  (4, 'pink peony', 4.2, 2.2),
  (5, 'tiger lily', 3.1, 1.4);
INSERT INTO orders VALUES
  (1, 1, '2025-01-10', 4.5),
  (2, 1, '2025-01-28', 0),
  (3, 2, '2025-02-02', 6),
  (4, 3, '2025-02-14', 4.5),
  (5, 1, '2025-03-03', 9),
  (6, 3, '2025-03-20', 6),
  (7, 4, '2025-04-01', 4.5);
INSERT INTO order_lines VALUES
  (1, 1, 1, 20),
  (2, 1, 2, 15),
  (3, 2, 3, 40),
  (4, 3, 2, 12),
  (5, 3, 4, 8),
  (6, 3, 1, 5),
  (7, 4, 2, 50),
  (8, 5, 1, 10),
  (9, 6, 3, 30),
  (10, 6, 2, 25),
  (11, 7, 4, 18),
  (12, 7, 1, 6);
