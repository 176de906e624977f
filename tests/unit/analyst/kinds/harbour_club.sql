-- A club that knows since when somebody is a member.
CREATE TABLE members (member_id INTEGER PRIMARY KEY, name TEXT, town TEXT, member_since DATE);
INSERT INTO members VALUES (1, 'Ada', 'Norvik', '2019-02-01'), (2, 'Ben', 'Ostby', '2023-05-01'), (3, 'Cleo', 'Norvik', '2025-01-07'), (4, 'Dina', 'Tangen', '2021-08-01');
CREATE TABLE fees (fee_id INTEGER PRIMARY KEY, member_id INTEGER REFERENCES members (member_id), charged_on DATE, amount REAL);
INSERT INTO fees VALUES (1, 1, '2024-01-01', 50), (2, 1, '2025-01-01', 55), (3, 2, '2025-02-01', 55), (4, 3, '2025-01-08', 20), (5, 4, '2023-01-01', 45);
