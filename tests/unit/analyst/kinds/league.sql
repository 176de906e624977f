-- A league of clubs: players are people of another table, words of types and codes are parts of names, dates are years.
CREATE TABLE clubs (club_id INTEGER PRIMARY KEY, name TEXT, region_code TEXT, capacity INTEGER, opening_year INTEGER);
CREATE TABLE people (person_id INTEGER PRIMARY KEY, name TEXT, height REAL, weight REAL);
CREATE TABLE players (player_id INTEGER PRIMARY KEY, person_id INTEGER REFERENCES people (person_id), club_id INTEGER REFERENCES clubs (club_id), best_jump INTEGER, points TEXT, builder TEXT, built INTEGER);
CREATE TABLE contract_types (contract_type_code TEXT PRIMARY KEY, contract_type_name TEXT, contract_type_description TEXT);
CREATE TABLE contracts (contract_id INTEGER PRIMARY KEY, club_id INTEGER REFERENCES clubs (club_id), contract_type_code TEXT REFERENCES contract_types (contract_type_code), contract_name TEXT, contract_description TEXT, price INTEGER, score INTEGER, signed_year INTEGER);
CREATE TABLE staff (staff_id INTEGER PRIMARY KEY, first_name TEXT, last_name TEXT, club_id INTEGER REFERENCES clubs (club_id), Is_full_time TEXT);
CREATE TABLE videos (video_id INTEGER PRIMARY KEY, title TEXT, grade TEXT, year INTEGER);
INSERT INTO clubs VALUES (1, 'Harbour', 'N', 900, 1999), (2, 'Rovers', 'N', 4000, 2012), (3, 'Dales', 'S', 2500, 2016), (4, 'Moor', 'S', 700, 2020), (5, 'Lakes', 'N', 300, 1987);
INSERT INTO people VALUES (1, 'Ida', 172, 60), (2, 'Jon', 205, 99), (3, 'Kim', 201, 88), (4, 'Leo', 188, 71), (5, 'Mia', 179, 64);
INSERT INTO players VALUES (10, 1, 1, 240, '7', 'Ash', 1901), (11, 2, 2, 150, '9', 'Elm', 1901), (12, 3, 3, 190, '3', 'Ash', 1950), (13, 4, 3, 210, '7', 'Oak', 1960), (14, 5, 1, 180, '8', 'Ash', 1970);
INSERT INTO contract_types VALUES ('L', 'Loan', 'for a season'), ('P', 'Permanent', 'until the end'), ('T', 'Trial', 'for a month');
INSERT INTO contracts VALUES (20, 1, 'L', 'Spring', 'short', 10, 4, 2015), (21, 2, 'P', 'Autumn', 'long', 40, 9, 2016), (22, 2, 'L', 'Winter', 'cold', 15, 7, 2021), (23, 3, 'T', 'Summer', 'hot', 5, 2, 2022), (24, 4, 'L', 'Last', 'late', 30, 5, 2024), (25, 5, 'P', 'First', 'early', 25, 6, 1990);
INSERT INTO staff VALUES (30, 'Ann', 'Abel', 1, 'Yes'), (31, 'Ben', 'Bohl', 2, 'No'), (32, 'Cat', 'Cole', 2, 'Yes'), (33, 'Dan', 'Dorn', 3, 'No'), (34, 'Eve', 'East', 4, 'No');
INSERT INTO videos VALUES (40, 'All After Dark', '3', 1980), (41, 'Before the Rain', '5', 1994), (42, 'Three Kings', '3', 1999), (43, 'Lowlands', '8', 2004);
