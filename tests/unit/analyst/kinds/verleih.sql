-- A hire of tools in German short names, without keys, with days in three spellings and money in cents.
CREATE TABLE tbl_kd (kd_nr INTEGER, kd_nm TEXT, kd_ort TEXT, anl_dat TEXT);
CREATE TABLE tbl_mit (mit_nr INTEGER, mit_nm TEXT, eint_dat TEXT);
CREATE TABLE tbl_ger (ger_nr TEXT, gattg TEXT, bj INTEGER, gew_kg REAL);
CREATE TABLE tbl_auf (auf_nr INTEGER, kd_nr INTEGER, ger_nr TEXT, erf_von INTEGER, aus_am TEXT, zur_am TEXT);
CREATE TABLE tbl_rg (rg_nr TEXT, auf_nr INTEGER, rg_dat TEXT, betr_ct INTEGER, bz_dat TEXT, mahn INTEGER);
INSERT INTO tbl_kd VALUES (101, 'Adler Bau', 'Ulm', '03.01.2023'), (102, 'Beate Cron', 'Ulm', '17.05.2023'), (103, 'Dach Eder', 'Aalen', '22.08.2024'), (104, 'Fritz Gabel', 'Aalen', '30.11.2024'), (105, 'Hof Irsee', 'Biberach', '14.02.2025');
INSERT INTO tbl_mit VALUES (1, 'Jana Kolb', '20150301'), (2, 'Lars Moll', '20190815'), (3, 'Nina Ott', '20230101');
INSERT INTO tbl_ger VALUES ('G1', 'Bagger', 2012, 1800), ('G2', 'Bohrer', 2019, 12), ('G3', 'Bagger', 2020, 2400), ('G4', 'Leiter', 2021, 18);
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 30)
INSERT INTO tbl_auf SELECT 700 + i, 101 + i * i % 4, 'G' || (1 + i % 3), 1 + i * i % 3, date('2024-12-01', (i * 6) || ' days'), CASE WHEN i < 28 THEN date('2024-12-01', (i * 6 + 1 + i % 5) || ' days') END FROM n;
INSERT INTO tbl_rg SELECT 'R' || auf_nr, auf_nr, strftime('%d.%m.%Y', zur_am), 1000 + auf_nr * 37 % 800 * 10, CASE WHEN auf_nr % 4 THEN strftime('%d.%m.%Y', zur_am, '9 days') END, auf_nr % 3 FROM tbl_auf WHERE zur_am IS NOT NULL;
