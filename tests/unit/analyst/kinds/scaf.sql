-- A hirer of scaffolds, whose names are of three letters as in an old business system. One of them, `off`, is a word by itself; `sit` and `st` may both be a site.
CREATE TABLE kun (kun_nr INTEGER, nam TEXT, twn TEXT, cr_lim REAL);
INSERT INTO kun VALUES (101, 'Calder Homes', 'Otley', 5000), (102, 'Foss Painting', 'Derby', NULL), (103, 'Rydal Stone', 'Otley', 9000);
CREATE TABLE emp (emp_nr INTEGER, nam TEXT, fnc TEXT, off TEXT, sal REAL, dt_ent DATE);
INSERT INTO emp VALUES (1, 'Gus Osman', 'FRM', 'LDS', 41000, '2019-02-01'), (2, 'Ivo Abbot', 'SCF', 'LDS', 30000, '2021-07-01'), (3, 'Kira Lund', 'FRM', 'YRK', 43000, '2024-03-01');
CREATE TABLE sit (sit_nr INTEGER, kun_nr INTEGER, adr TEXT, twn TEXT, hgt REAL);
INSERT INTO sit VALUES (1, 101, '4 Mill Road', 'Otley', 12.5), (2, 101, '9 Abbey Road', 'Selby', 31), (3, 103, '7 Canal Road', 'Otley', 8);
CREATE TABLE ord (ord_nr INTEGER, sit_nr INTEGER, st TEXT, dt_ord DATE, amt REAL, off TEXT, lead_emp INTEGER, chk_emp INTEGER, urg INTEGER);
INSERT INTO ord VALUES (5001, 1, 'D', '2024-05-02', 800, 'LDS', 1, 3, 0), (5002, 2, 'D', '2025-01-12', 4100, 'LDS', 1, 3, 1), (5003, 2, 'X', '2025-02-01', 950, 'YRK', 3, 1, 0), (5004, 2, 'O', '2025-03-20', 2300, 'YRK', 3, NULL, 0), (5005, 3, 'D', '2025-04-02', 610, 'LDS', 1, 2, 1);
CREATE TABLE inc (inc_nr INTEGER, ord_nr INTEGER, emp_nr INTEGER, dt_inc DATE, typ TEXT, cst REAL);
INSERT INTO inc VALUES (1, 5001, 2, '2024-06-01', 'FALL', 576.13), (2, 5002, 3, '2025-02-09', 'DROP', NULL);
CREATE TABLE ord_pos (ord_nr INTEGER, pos INTEGER, dsc TEXT, qty INTEGER, prc REAL);
INSERT INTO ord_pos VALUES (5001, 1, 'Ledger 2m', 10, 4), (5002, 1, 'Ledger 2m', 2, 4), (5003, 1, 'Oak board', 900, 9.5), (5004, 1, 'Oak board', 20, 9.5), (5005, 1, 'Stair unit', 1, 30);
