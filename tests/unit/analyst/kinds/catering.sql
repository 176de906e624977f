-- A kitchen that serves dishes at banquets: what is on the list is one thing, and what was served another.
CREATE TABLE clients (client_id INTEGER PRIMARY KEY, company TEXT NOT NULL, town TEXT NOT NULL, since DATE NOT NULL);
CREATE TABLE cooks (cook_id INTEGER PRIMARY KEY, name TEXT NOT NULL, branch TEXT NOT NULL, hired_on DATE NOT NULL);
CREATE TABLE dishes (dish_id INTEGER PRIMARY KEY, dish_name TEXT NOT NULL, course TEXT NOT NULL, price REAL NOT NULL, recipe TEXT NOT NULL);
CREATE TABLE tools (tool_id INTEGER PRIMARY KEY, tool_name TEXT NOT NULL, kind TEXT NOT NULL);
CREATE TABLE banquets (
  banquet_id INTEGER PRIMARY KEY, client_id INTEGER NOT NULL REFERENCES clients (client_id),
  cook_id INTEGER NOT NULL REFERENCES cooks (cook_id), requested_on DATE NOT NULL, held_on DATE NOT NULL, guests INTEGER NOT NULL
);
CREATE TABLE banquet_dishes (
  banquet_id INTEGER NOT NULL REFERENCES banquets (banquet_id), dish_id INTEGER NOT NULL REFERENCES dishes (dish_id),
  portions INTEGER NOT NULL, PRIMARY KEY (banquet_id, dish_id)
);
CREATE TABLE banquet_tools (
  banquet_id INTEGER NOT NULL REFERENCES banquets (banquet_id), tool_id INTEGER NOT NULL REFERENCES tools (tool_id),
  PRIMARY KEY (banquet_id, tool_id)
);
CREATE TABLE payments (
  payment_id INTEGER PRIMARY KEY, banquet_id INTEGER NOT NULL REFERENCES banquets (banquet_id), paid_on DATE NOT NULL, amount REAL NOT NULL
);
INSERT INTO clients VALUES (1, 'Aster Ltd', 'Dover', '2021-03-01'), (2, 'Clover Ltd', 'Dover', '2022-05-09'), (3, 'Elder Ltd', 'Ripon', '2023-01-20'), (4, 'Gorse Ltd', 'Ely', '2024-02-02');
INSERT INTO cooks VALUES (1, 'Ada Moss', 'North', '2019-04-01'), (2, 'Ben Reed', 'South', '2021-08-15'), (3, 'Cleo Hart', 'South', '2024-01-10');
INSERT INTO dishes VALUES
  (1, 'Leek soup', 'starter', 4, 'Stir and simmer'), (2, 'Beet salad', 'starter', 5, 'Slice the beets, add oil and salt'), (3, 'Roast lamb', 'main', 15, 'Roast'),
  (4, 'Nut loaf', 'main', 11, 'Mix and bake'), (5, 'Lemon tart', 'dessert', 6, 'Bake blind, then fill'), (6, 'Plum crumble', 'dessert', 5, 'Bake'), (7, 'Pea mousse', 'starter', 7, 'Whip the cream');
INSERT INTO tools VALUES (1, 'Oven', 'heat'), (2, 'Grill', 'heat'), (3, 'Fridge', 'cold'), (4, 'Tent', 'shelter');
INSERT INTO banquets VALUES
  (1, 1, 1, '2022-12-10', '2023-01-14', 40), (2, 2, 2, '2023-03-01', '2023-04-22', 25), (3, 3, 1, '2023-05-05', '2023-06-17', 60), (4, 1, 2, '2023-11-02', '2024-01-06', 30),
  (5, 3, 2, '2023-12-12', '2024-02-03', 55), (6, 3, 1, '2024-03-03', '2024-04-13', 20), (7, 2, 3, '2024-11-20', '2025-01-18', 45);
INSERT INTO banquet_dishes VALUES
  (1, 1, 40), (1, 3, 40), (1, 5, 20), (2, 2, 25), (2, 4, 25), (3, 1, 60), (3, 3, 30), (3, 5, 60), (4, 4, 30), (4, 6, 30),
  (5, 5, 55), (5, 3, 55), (6, 5, 20), (6, 2, 20), (7, 6, 45), (7, 3, 45);
INSERT INTO banquet_tools VALUES (1, 1), (1, 3), (2, 1), (3, 1), (3, 2), (4, 3), (5, 1), (5, 3), (6, 2), (7, 1);
INSERT INTO payments VALUES (1, 1, '2023-02-01', 900), (2, 2, '2023-05-02', 450), (3, 3, '2023-07-30', 1300), (4, 4, '2024-01-31', 620), (5, 5, '2025-01-04', 1150);
