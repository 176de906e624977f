-- A garage in master files, with names that are cut off or hold consonants alone, and no keys between them.
CREATE TABLE veh_mst (veh_id INTEGER PRIMARY KEY, reg_no TEXT, mk TEXT, mdl TEXT, yr INTEGER, ownr_id INTEGER);
CREATE TABLE ownr_mst (ownr_id INTEGER PRIMARY KEY, ownr_nm TEXT, cty TEXT, tel TEXT, mbr_since DATE);
CREATE TABLE mech (mech_id INTEGER PRIMARY KEY, nm TEXT, lvl TEXT, hr_rt REAL);
CREATE TABLE job_crd (job_id INTEGER PRIMARY KEY, veh_id INTEGER, mech_id INTEGER, opn_dt DATE, cls_dt DATE, due_dt DATE, lab_hrs REAL, stat TEXT);
CREATE TABLE prt_mst (prt_cd TEXT PRIMARY KEY, prt_desc TEXT, on_hnd INTEGER, reord_lvl INTEGER);
INSERT INTO ownr_mst VALUES (1, 'Ana Ash', 'York', '0113 5501', '2019-03-01'), (2, 'Ben Cole', 'Leeds', '0113 5502', '2022-05-01'), (3, 'Cleo Dunn', 'York', '0113 5503', '2024-01-01'), (4, 'Dan East', 'Hull', '0113 5504', '2023-07-01');
INSERT INTO veh_mst VALUES (1, 'YK11 AXZ', 'Ford', 'A', 2011, 1), (2, 'YK14 BXZ', 'Fiat', 'B', 2014, 2), (3, 'YK19 CXZ', 'Ford', 'C', 2019, 1), (4, 'YK08 DXZ', 'Volvo', 'A', 2008, 3), (5, 'YK20 EXZ', 'Fiat', 'B', 2020, 1);
INSERT INTO prt_mst VALUES ('P1', 'brake pad', 24, 11), ('P2', 'oil filter', 3, 9), ('P3', 'wiper', 2, 5);
INSERT INTO mech VALUES (1, 'Eva Frost', 'senior', 40), (2, 'Finn Gray', 'junior', 25), (3, 'Gus Hill', 'senior', 50);
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 40)
INSERT INTO job_crd SELECT i, 1 + i * i % 5, 1 + i % 3, date('2024-11-01', (i * 9) || ' days'), CASE WHEN i % 4 THEN date('2024-11-01', (i * 9 + i % 6) || ' days') END, date('2024-11-01', (i * 9 + 3) || ' days'), 0.5 * (i % 7), rtrim(substr('open   done   waiting', 1 + i * i % 7 % 3 * 7, 7)) FROM n;
