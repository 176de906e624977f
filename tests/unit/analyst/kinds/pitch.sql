-- A football league: who plays at home, who is the guest, and who won.
CREATE TABLE teams (id INTEGER PRIMARY KEY, name TEXT NOT NULL, town TEXT NOT NULL);
CREATE TABLE matches (id INTEGER PRIMARY KEY, home_team_id INTEGER NOT NULL REFERENCES teams (id), away_team_id INTEGER NOT NULL REFERENCES teams (id), winner_id INTEGER REFERENCES teams (id), played_on DATE NOT NULL, spectators INTEGER);
INSERT INTO teams VALUES (1, 'Harriers', 'Dunmore'), (2, 'Rovers', 'Kell'), (3, 'Wasps', 'Arden'), (4, 'Miners', 'Kell');
INSERT INTO matches VALUES (1, 1, 2, 1, '2025-01-10', 900), (2, 2, 1, NULL, '2025-01-17', 400), (3, 3, 1, 1, '2025-01-24', 700), (4, 1, 4, 4, '2025-02-01', 1200), (5, 4, 2, 4, '2025-02-08', 300), (6, 2, 3, 2, '2025-02-15', 500), (7, 1, 3, 1, '2025-02-22', 800);
