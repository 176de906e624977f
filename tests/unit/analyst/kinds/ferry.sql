-- A ferry line whose names are short. A trip has a captain and an engineer; who made a check refers to crew by no declared key.
CREATE TABLE vsl (vsl_id INTEGER PRIMARY KEY, nm TEXT, st TEXT, tns INTEGER, chr INTEGER);
CREATE TABLE crw (crw_id INTEGER PRIMARY KEY, nm TEXT, rnk TEXT, prt TEXT);
CREATE TABLE trp (
  trp_id INTEGER PRIMARY KEY, vsl_id INTEGER REFERENCES vsl(vsl_id), ld_crw_id INTEGER REFERENCES crw(crw_id),
  hlp_crw_id INTEGER REFERENCES crw(crw_id), st TEXT, dt_bk DATE, dt_dp DATE, dt_pd DATE, psg INTEGER
);
CREATE TABLE chk (chk_id INTEGER PRIMARY KEY, plc TEXT, chkr_id INTEGER, dt_dn DATE, rst TEXT);
INSERT INTO vsl VALUES (1, 'Gannet', 'A', 900, 0), (2, 'Skua', 'A', 1200, 1), (3, 'Tern', 'X', 700, 0), (4, 'Petrel', 'L', 300, 0);
INSERT INTO crw VALUES (1, 'Oda Berg', 'C', 'Mossel'), (2, 'Per Lind', 'C', 'Hauge'), (3, 'Ann Vik', 'E', 'Hauge'), (4, 'Tor Dahl', 'E', 'Mossel');
INSERT INTO trp VALUES
  (1, 1, 1, 3, 'D', '2023-12-20', '2024-01-05', '2024-02-01', 40), (2, 1, 1, 4, 'D', '2023-12-28', '2024-01-09', '2023-12-30', 55),
  (3, 2, 2, 3, 'C', '2024-02-01', '2024-03-01', NULL, 10), (4, 2, 1, 3, 'D', '2024-05-02', '2024-06-01', '2024-05-20', 80),
  (5, 3, 2, 4, 'P', '2024-12-30', '2025-01-10', '2025-01-02', 25), (6, 4, 2, 4, 'D', '2024-11-03', '2024-11-20', '2025-01-05', 12);
INSERT INTO chk VALUES (1, 'bow', 3, '2024-01-02', 'ok'), (2, 'hull', 3, '2024-02-02', 'ok'), (3, 'bow', 4, '2024-03-02', 'bad'), (4, 'deck', 1, '2024-04-02', 'ok');
