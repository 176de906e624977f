-- Numbers in units that their columns' names tell, and one that tells none: the length of films.
CREATE TABLE films (film_id INTEGER PRIMARY KEY, title TEXT, length INTEGER, size_mb REAL, price_cents INTEGER);
CREATE TABLE songs (song_id INTEGER PRIMARY KEY, name TEXT, Milliseconds INTEGER, Bytes INTEGER);
CREATE TABLE parcels (parcel_id INTEGER PRIMARY KEY, recipient TEXT, weight_g INTEGER, distance_km REAL);
CREATE TABLE calls (call_id INTEGER PRIMARY KEY, caller TEXT, duration_s INTEGER, wait_minutes INTEGER);
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 60)
INSERT INTO films SELECT i, 'Film ' || i, 45 + i * 37 % 141, 300 + i * 149 % 8700, 99 + i * 71 % 2900 FROM n;
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 60)
INSERT INTO songs SELECT i, 'Song ' || i, 20000 + i * 97001 % 2900000, 900000 + i * 1700003 % 40000000 FROM n;
INSERT INTO songs VALUES (61, 'Three Minutes', 312000, 5000000), (62, '2 Minutes To Midnight', 361000, 5800000);
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 60)
INSERT INTO parcels SELECT i, substr('AdaBo Cy ', 1 + i % 3 * 3, 3), 100 + i * 733 % 19900, i * 61 % 900 FROM n;
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 60)
INSERT INTO calls SELECT i, substr('AdaBo ', 1 + i % 2 * 3, 3), 5 + i * 311 % 5000, i * 7 % 41 FROM n;
