-- A wholesaler: what is ordered is a column too, an order has three dates, and its lines have none.
CREATE TABLE sellers (seller_id INTEGER PRIMARY KEY, full_name TEXT NOT NULL, hire_date DATE NOT NULL);
CREATE TABLE articles (
  article_id INTEGER PRIMARY KEY, article_name TEXT NOT NULL, product_group TEXT NOT NULL,
  units_in_stock INTEGER NOT NULL, units_on_order INTEGER NOT NULL
);
CREATE TABLE orders (
  order_id INTEGER PRIMARY KEY, seller_id INTEGER NOT NULL REFERENCES sellers (seller_id),
  required_date DATE NOT NULL, order_date DATE NOT NULL, shipped_date DATE, freight REAL NOT NULL
);
CREATE TABLE order_details (
  order_id INTEGER NOT NULL REFERENCES orders (order_id), article_id INTEGER NOT NULL REFERENCES articles (article_id),
  unit_price REAL NOT NULL, quantity INTEGER NOT NULL, rebate REAL NOT NULL, PRIMARY KEY (order_id, article_id)
);
INSERT INTO sellers VALUES (1, 'Ines Moro', '2021-02-01'), (2, 'Tom Ferrer', '2022-07-15'), (3, 'Una Kade', '2023-01-09');
INSERT INTO articles VALUES (1, 'Rope', 'Deck', 40, 0), (2, 'Cleat', 'Deck', 12, 30), (3, 'Lamp', 'Light', 7, 25), (4, 'Buoy', 'Safety', 22, 10);
INSERT INTO orders VALUES
  (101, 1, '2023-12-20', '2023-11-28', '2023-12-02', 18.5), (102, 2, '2024-01-15', '2023-12-19', '2024-01-08', 22.0),
  (103, 1, '2024-02-10', '2024-01-12', '2024-01-30', 9.75), (104, 3, '2024-02-20', '2024-01-25', '2024-02-12', 31.0),
  (105, 2, '2024-04-01', '2024-03-04', '2024-03-09', 14.25), (106, 1, '2025-01-20', '2024-12-22', '2025-01-03', 40.0),
  (107, 3, '2025-02-28', '2025-02-01', NULL, 12.5);
INSERT INTO order_details VALUES
  (101, 1, 3.5, 4, 0.0), (101, 3, 19.0, 1, 0.1), (102, 2, 6.25, 6, 0.05), (103, 4, 48.0, 2, 0.0), (104, 3, 19.0, 3, 0.2), (104, 1, 3.5, 10, 0.1), (105, 2, 6.25, 1, 0.0),
  (106, 4, 48.0, 5, 0.15), (106, 2, 6.25, 2, 0.0), (107, 1, 3.5, 8, 0.1);
CREATE TABLE harbours (harbour_id INTEGER PRIMARY KEY, harbour_name TEXT NOT NULL);
CREATE TABLE seller_harbours (
  seller_id INTEGER NOT NULL REFERENCES sellers (seller_id), harbour_id INTEGER NOT NULL REFERENCES harbours (harbour_id),
  PRIMARY KEY (seller_id, harbour_id)
);
INSERT INTO harbours VALUES (1, 'Brest'), (2, 'Gijon'), (3, 'Cork'), (4, 'Porto');
INSERT INTO seller_harbours VALUES (1, 1), (1, 2), (1, 4), (2, 2), (3, 2), (3, 3);
