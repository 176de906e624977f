CREATE TABLE companies (id INTEGER PRIMARY KEY, name TEXT, profit_in_million REAL, employees INTEGER);
INSERT INTO companies VALUES (1, 'Arbor', 12.5, 400), (2, 'Birch', 2500, 60000), (3, 'Cedar', 900, 12000), (4, 'Daisy', 0.4, 25);
