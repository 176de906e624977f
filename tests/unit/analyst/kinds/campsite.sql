-- A camp site: stays from an arrival to a departure, booked before; pitches that only a code tells apart; payments of bookings.
CREATE TABLE guests (id INTEGER PRIMARY KEY, first_name TEXT, last_name TEXT, country TEXT, birth_date DATE);
CREATE TABLE pitches (id INTEGER PRIMARY KEY, code TEXT, kind TEXT, has_power INTEGER, price_per_night REAL);
CREATE TABLE bookings (id INTEGER PRIMARY KEY, guest_id INTEGER REFERENCES guests (id), pitch_id INTEGER REFERENCES pitches (id), arrival DATE, departure DATE, channel TEXT, booked_at TIMESTAMP);
CREATE TABLE payments (id INTEGER PRIMARY KEY, booking_id INTEGER REFERENCES bookings (id), amount REAL, method TEXT, paid_at TIMESTAMP);
CREATE TABLE activities (id INTEGER PRIMARY KEY, title TEXT, fee REAL);
CREATE TABLE reviews (id INTEGER PRIMARY KEY, booking_id INTEGER REFERENCES bookings (id), stars INTEGER, fee_rate REAL);
INSERT INTO guests VALUES (1, 'Ana', 'Ash', 'France', '1958-04-02'), (2, 'Ben', 'Cole', 'Germany', '1990-06-15'), (3, 'Cleo', 'Dunn', 'France', '2001-12-09');
INSERT INTO activities VALUES (1, 'Canoe tour', 25), (2, 'Yoga', 0), (3, 'Night walk', 5), (4, 'Story time', 0);
INSERT INTO pitches VALUES (1, 'A01', 'tent', 1, 12), (2, 'A02', 'cabin', 1, 80), (3, 'B01', 'tent', 0, 15), (4, 'B02', 'cabin', 0, 60);
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 40)
INSERT INTO bookings SELECT i, 1 + i % 3, 1 + i * i % 7 % 4, date('2024-05-01', (i * 13) || ' days'), date('2024-05-01', (i * 13 + 1 + i % 11) || ' days'), CASE i % 3 WHEN 0 THEN 'web' ELSE 'phone' END, date('2024-02-01', (i * 13) || ' days') || ' 09:30:00' FROM n;
INSERT INTO payments SELECT id, id, 50 + id * 37 % 400, CASE id % 4 WHEN 0 THEN 'cash' ELSE 'card' END, arrival || ' 12:00:00' FROM bookings WHERE id % 6;
INSERT INTO reviews SELECT id, id, 1 + id * 3 % 5, 0.1 * (id % 4) FROM bookings WHERE id % 2;
