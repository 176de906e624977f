-- Rows belong to people by keys that are called after what these are to them; other tables are numbered from 1 as well.
CREATE TABLE clients (client_no INTEGER PRIMARY KEY, name TEXT, city TEXT);
INSERT INTO clients VALUES (1, 'Ava Birch', 'Leeds'), (2, 'Ben Cole', 'York'), (3, 'Cat Dunn', 'Leeds'), (4, 'Dan Eyre', 'Hull');
CREATE TABLE buildings (building_no INTEGER PRIMARY KEY, street TEXT, city TEXT, built INTEGER, owner_no INTEGER);
INSERT INTO buildings VALUES (1, '1 Ash Rd', 'Leeds', 1960, 1), (2, '2 Elm Rd', 'York', 1972, 1), (3, '3 Oak Rd', 'York', 1985, 2), (4, '4 Fir Rd', 'Hull', 1991, 3), (5, '5 Yew Rd', 'Hull', 2003, 1);
CREATE TABLE jobs (job_no INTEGER PRIMARY KEY, building_no INTEGER, kind TEXT, done_on DATE, price REAL);
INSERT INTO jobs VALUES (1, 1, 'roof', '2024-02-03', 90), (2, 2, 'drain', '2024-07-01', 40), (3, 3, 'roof', '2025-01-09', 75), (4, 1, 'drain', '2025-02-10', 55), (5, 5, 'roof', '2025-03-11', 120);
