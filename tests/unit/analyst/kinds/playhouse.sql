-- A playhouse: who composed and translated each play, what was shown in which hall, how many entries were sold at which price, and where its people lodged.
CREATE TABLE artists (artist_id INTEGER PRIMARY KEY, full_name TEXT NOT NULL, country TEXT NOT NULL, born_on DATE);
INSERT INTO artists VALUES (1, 'Ilse Brandt', 'Austria', '1951-04-02'), (2, 'Jon Dahl', 'Norway', '1960-08-19'), (3, 'Mira Costa', 'Portugal', '1978-01-30'), (4, 'Pavel Novak', 'Austria', '1949-11-11');
CREATE TABLE halls (hall_id INTEGER PRIMARY KEY, name TEXT NOT NULL, town TEXT NOT NULL, seats INTEGER NOT NULL, has_lift INTEGER NOT NULL, built_year INTEGER);
INSERT INTO halls VALUES (1, 'Old Granary', 'Lund', 120, 1, 1924), (2, 'Glass Barn', 'Lund', 80, 0, 2024), (3, 'Harbour Stage', 'Malmo', 200, 1, 1986);
CREATE TABLE plays (play_id INTEGER PRIMARY KEY, title TEXT NOT NULL, composer_id INTEGER NOT NULL REFERENCES artists (artist_id), translator_id INTEGER REFERENCES artists (artist_id), kind TEXT NOT NULL, length_minutes INTEGER NOT NULL, written_year INTEGER, is_debut INTEGER NOT NULL);
INSERT INTO plays VALUES (1, 'Nightfall', 1, 2, 'opera', 150, 2024, 1), (2, 'The Ferry', 2, 3, 'comedy', 95, 2019, 0), (3, 'Red Clay', 1, 4, 'opera', 170, 2021, 0), (4, 'Small Hours', 3, 2, 'comedy', 80, 2024, 1);
CREATE TABLE shows (show_id INTEGER PRIMARY KEY, play_id INTEGER NOT NULL REFERENCES plays (play_id), hall_id INTEGER NOT NULL REFERENCES halls (hall_id), starts_at TEXT NOT NULL, entry_price REAL NOT NULL, entries_sold INTEGER NOT NULL, status TEXT NOT NULL, has_qa INTEGER NOT NULL);
INSERT INTO shows VALUES (1, 1, 1, '2024-03-01 19:30:00', 20, 100, 'held', 1), (2, 1, 3, '2024-05-02 19:30:00', 25, 150, 'held', 0), (3, 2, 2, '2023-06-03 20:00:00', 12, 60, 'held', 0),
  (4, 2, 1, '2024-06-04 20:00:00', 12, 0, 'cancelled', 0), (5, 3, 3, '2023-07-05 18:00:00', 30, 90, 'held', 1), (6, 4, 3, '2024-08-06 19:30:00', 15, 40, 'held', 1), (7, 3, 1, '2023-09-07 18:00:00', 30, 70, 'held', 0);
CREATE TABLE lodgings (lodging_id INTEGER PRIMARY KEY, artist_id INTEGER NOT NULL REFERENCES artists (artist_id), inn TEXT NOT NULL, arrives_on DATE NOT NULL, leaves_on DATE NOT NULL, room_fee REAL NOT NULL);
INSERT INTO lodgings VALUES (1, 1, 'Blue Anchor', '2024-02-27', '2024-03-03', 400), (2, 2, 'Blue Anchor', '2024-05-01', '2024-05-03', 160), (3, 3, 'Mill House', '2024-08-01', '2024-08-08', 700);
