CREATE TABLE swimmers (id INTEGER PRIMARY KEY, full_name TEXT NOT NULL, born_on DATE, town TEXT);
CREATE TABLE courses (id INTEGER PRIMARY KEY, title TEXT NOT NULL, level TEXT, fee REAL);
CREATE TABLE places (id INTEGER PRIMARY KEY, swimmer_id INTEGER REFERENCES swimmers (id), course_id INTEGER REFERENCES courses (id), status TEXT);
CREATE TABLE coaches (id INTEGER PRIMARY KEY, coach_name TEXT NOT NULL, dob DATE, joined_on DATE);
WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 60)
INSERT INTO swimmers SELECT i, 'Swimmer ' || char(65 + i % 26) || char(97 + i % 7), date((2024 - (i * 7) % 74) || '-01-01', '+' || ((i * 37) % 360) || ' days'), CASE i % 3 WHEN 0 THEN 'Reading' WHEN 1 THEN 'Oxford' ELSE 'Slough' END FROM n;
INSERT INTO swimmers VALUES (61, 'Nobody Knows', NULL, 'Oxford');
INSERT INTO courses VALUES (1, 'Tadpoles', 'beginner', 60), (2, 'Frogs', 'beginner', 75), (3, 'Dolphins', 'advanced', 90), (4, 'Masters', 'advanced', 110);
WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 90)
INSERT INTO places SELECT i, 1 + (i * 11) % 60, 1 + i % 4, CASE i % 5 WHEN 0 THEN 'waiting' ELSE 'confirmed' END FROM n;
INSERT INTO coaches VALUES (1, 'Ida Marsh', '1971-03-02', '2001-05-01'), (2, 'Joe Reed', '1984-11-20', '2012-09-01'), (3, 'Kit Vale', '1999-07-07', '2022-01-15');
