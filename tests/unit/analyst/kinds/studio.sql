-- Studios that are no table but a column, colours with a description of their own, numbers that a column holds, and days of two deeds.
CREATE TABLE colours (colour_code TEXT PRIMARY KEY, colour_description TEXT);
CREATE TABLE props (prop_id INTEGER PRIMARY KEY, prop_name TEXT, prop_description TEXT, colour_code TEXT REFERENCES colours (colour_code));
CREATE TABLE films (film_id INTEGER PRIMARY KEY, title TEXT, studio TEXT, date_of_shooting DATE, date_of_release DATE);
CREATE TABLE film_props (film_prop_id INTEGER PRIMARY KEY, film_id INTEGER REFERENCES films (film_id), prop_id INTEGER REFERENCES props (prop_id));
CREATE TABLE users (user_id INTEGER PRIMARY KEY, name TEXT, followers INTEGER, joined_on DATE);
CREATE TABLE follows (follow_id INTEGER PRIMARY KEY, user_id INTEGER REFERENCES users (user_id));
CREATE TABLE device (device_id INTEGER PRIMARY KEY, device TEXT, carrier TEXT);
INSERT INTO colours VALUES ('R', 'deep red'), ('B', 'sky blue');
INSERT INTO props VALUES (1, 'Lamp', 'stands', 'R'), (2, 'Sofa', 'seats two', 'B'), (3, 'Vase', 'breaks', 'R');
INSERT INTO films VALUES (10, 'Tide', 'Orion', '2019-02-01', '2020-03-01'), (11, 'Moss', 'Orion', '2020-05-01', '2021-06-01'), (12, 'Kite', 'Vega', '2018-01-01', '2019-09-01');
INSERT INTO film_props VALUES (20, 10, 1), (21, 10, 2), (22, 11, 1), (23, 12, 3), (24, 11, 2), (25, 11, 3);
INSERT INTO users VALUES (30, 'Ada', 12, '2023-05-01'), (31, 'Bo', 90, '2021-01-01'), (32, 'Cy', 40, '2022-02-02');
INSERT INTO follows VALUES (40, 30), (41, 30), (42, 31);
INSERT INTO device VALUES (50, 'Nokta', 'Teal'), (51, 'Fruit', 'Blue');
