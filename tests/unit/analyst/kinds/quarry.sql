-- A quarry with short names and no keys: blocks are checked again and again, jobs take hours and days.
CREATE TABLE stone (st_cd TEXT, st_nm TEXT, hard_flg TEXT);
INSERT INTO stone VALUES ('GR', 'granite', 'Y'), ('SL', 'slate', 'N'), ('MB', 'marble', 'Y');
CREATE TABLE block (blk_no INTEGER, st_cd TEXT, ht_cm INTEGER, polish_flg TEXT, sold_dt TEXT);
INSERT INTO block VALUES (501, 'GR', 210, 'Y', NULL), (502, 'GR', 190, 'N', '2024-02-02'), (503, 'SL', 90, 'N', NULL), (504, 'MB', 140, 'Y', '2024-05-05'), (505, 'SL', 260, 'N', '2023-07-01'), (506, 'MB', 150, 'Y', NULL);
CREATE TABLE checks (chk_no INTEGER, blk_no INTEGER, chk_dt TEXT, grade INTEGER);
INSERT INTO checks VALUES (1, 501, '2023-01-10', 4), (2, 501, '2024-01-12', 2), (3, 502, '2023-02-01', 1), (4, 502, '2024-03-03', 5), (5, 503, '2024-04-04', 4), (6, 504, '2023-05-05', 3), (7, 504, '2024-06-06', 3);
CREATE TABLE gang (gang_id INTEGER, gang_nm TEXT, hourly_rate REAL);
INSERT INTO gang VALUES (1, 'North Face', 42), (2, 'South Face', 38), (3, 'Saw Shed', 45);
CREATE TABLE job (job_no TEXT, gang_id INTEGER, start_dt TEXT, end_dt TEXT, hrs REAL, cost_eur REAL);
INSERT INTO job VALUES ('J-1', 1, '2024-01-01', '2024-01-05', 16, 700), ('J-2', 1, '2024-02-01', '2024-02-03', 8, 350), ('J-3', 2, '2024-02-10', '2024-02-24', 30, 1200), ('J-4', 3, '2024-03-01', '2024-03-02', 6, 260), ('J-5', 3, '2024-04-01', '2024-04-11', 12, 500), ('J-6', 2, '2024-05-01', '2024-05-02', 5, 190);
