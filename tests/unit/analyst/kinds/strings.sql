-- A pool of instruments with short names: descriptions beside codes, keys after what people are, two ends of a deal, several dates, and none of it declared.
CREATE TABLE orch (orch_id INTEGER, nm TEXT, town TEXT, subsd INTEGER);
CREATE TABLE stf (stf_id INTEGER, fname TEXT, lname TEXT, job TEXT, term_dt TEXT);
CREATE TABLE fam (fam_cd TEXT, fam_desc TEXT);
CREATE TABLE instr (instr_cd TEXT, instr_desc TEXT, fam_cd TEXT, insured_val REAL, acq_dt TEXT);
CREATE TABLE deal (deal_no TEXT, instr_cd TEXT, seller_id INTEGER, buyer_id INTEGER, porter_id INTEGER, requested_dt TEXT, start_dt TEXT, return_dt TEXT, fee REAL);
CREATE TABLE svc (svc_id INTEGER, instr_cd TEXT, luth_id INTEGER, svc_dt TEXT, mins INTEGER, split_found INTEGER);
CREATE TABLE concert (concert_id INTEGER, title TEXT, conductor_id INTEGER, played_dt TEXT, audience INTEGER);
INSERT INTO orch VALUES (11, 'Vale Sinfonia', 'Ripon', 1), (12, 'Moor Strings', 'Otley', 0), (13, 'Quay Players', 'Hull', 0), (14, 'Fell Camerata', 'Ripon', 1);
INSERT INTO stf VALUES (1, 'Ada', 'Finch', 'luthier', NULL), (2, 'Ben', 'Gorse', 'porter', '2023-05-01'), (3, 'Cora', 'Heath', 'porter', NULL), (4, 'Dirk', 'Ivers', 'luthier', NULL), (5, 'Ella', 'Jay', 'conductor', NULL), (6, 'Finn', 'Kite', 'conductor', '2024-02-01');
INSERT INTO fam VALUES ('BW', 'Bowed'), ('PL', 'Plucked'), ('KB', 'Keyboard');
INSERT INTO instr VALUES ('BW-1', 'Old Cello', 'BW', 52000, '2001-03-01'), ('BW-2', 'Red Viola', 'BW', 9000, '2004-08-11'), ('PL-1', 'Pedal Harp', 'PL', 21000, '1999-01-20'), ('PL-2', 'Bass Lute', 'PL', 4000, '2012-12-02'), ('KB-1', 'Chamber Organ', 'KB', 33000, '2015-06-30'), ('BW-3', 'Dark Violin', 'BW', 17000, '2018-10-05');
INSERT INTO deal VALUES
  ('D1', 'BW-1', 11, 12, 2, '2022-01-02', '2022-03-01', '2022-03-20', 300), ('D2', 'BW-2', 12, 13, 3, '2022-05-01', '2022-05-02', '2022-07-01', 120),
  ('D3', 'PL-1', 11, 13, 3, '2021-11-01', '2022-11-20', '2022-12-24', 250), ('D4', 'PL-2', 14, 11, 3, '2023-02-01', '2023-02-03', '2023-02-10', 80),
  ('D5', 'KB-1', 11, 14, 2, '2023-03-01', '2023-03-09', NULL, 410), ('D6', 'BW-1', 12, 11, 3, '2023-12-20', '2024-01-08', '2024-01-30', 260);
INSERT INTO svc VALUES (101, 'BW-1', 1, '2022-02-01', 40, 1), (102, 'BW-1', 4, '2023-06-01', 60, 0), (103, 'PL-1', 1, '2022-10-01', 30, 0), (104, 'PL-1', 1, '2023-10-01', 90, 1), (105, 'KB-1', 4, '2024-01-15', 20, 0), (106, 'BW-3', 4, '2021-04-04', 50, 1);
INSERT INTO concert VALUES (1, 'Winter Light', 5, '2023-12-12', 410), (2, 'Harvest Suite', 6, '2023-09-22', 260), (3, 'River Songs', 5, '2024-04-02', 330);
