-- A railway: each train refers to two stations.
CREATE TABLE stations (station_id INTEGER PRIMARY KEY, name TEXT NOT NULL, country TEXT NOT NULL, platforms INTEGER);
CREATE TABLE trains (train_id INTEGER PRIMARY KEY, train_no TEXT NOT NULL, origin_station_id INTEGER NOT NULL REFERENCES stations (station_id), destination_station_id INTEGER NOT NULL REFERENCES stations (station_id), departs_on DATE NOT NULL, minutes INTEGER, price REAL);
CREATE TABLE tickets (ticket_id INTEGER PRIMARY KEY, train_id INTEGER NOT NULL REFERENCES trains (train_id), passenger TEXT NOT NULL, class TEXT NOT NULL, paid REAL);
INSERT INTO stations VALUES (1, 'Lund', 'Sweden', 6), (2, 'Oslo', 'Norway', 19), (3, 'Aarhus', 'Denmark', 8), (4, 'Bergen', 'Norway', 4), (5, 'Vejle', 'Denmark', 3);
INSERT INTO trains VALUES (1, 'R10', 1, 2, '2025-01-05', 300, 60), (2, 'R11', 2, 1, '2025-01-06', 310, 65), (3, 'R12', 2, 4, '2025-02-10', 400, 50), (4, 'R13', 2, 4, '2025-03-11', 390, 45), (5, 'R14', 3, 1, '2025-03-12', 200, 40), (6, 'R15', 4, 2, '2025-04-20', 395, 48), (7, 'R16', 3, 2, '2025-05-01', 420, 80), (8, 'R17', 1, 3, '2025-05-09', 205, 42);
INSERT INTO tickets VALUES (1, 1, 'Ivo Marsh', 'first', 60), (2, 1, 'Nele Roth', 'second', 40), (3, 3, 'Ivo Marsh', 'second', 35), (4, 4, 'Tara Quist', 'first', 45), (5, 6, 'Tara Quist', 'second', 30), (6, 7, 'Nele Roth', 'first', 80), (7, 8, 'Ivo Marsh', 'second', 25);
