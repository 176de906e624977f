-- A record company whose names leave out vowels or ends, and that declares no keys.
CREATE TABLE mscns (mscn_id INTEGER, l_name TEXT, fname TEXT, age INTEGER, instr TEXT);
CREATE TABLE cmpny (cmpny_id INTEGER, name TEXT, cntry TEXT);
CREATE TABLE albm (albm_id INTEGER, title TEXT, cmpny_id INTEGER, albm_price_usd REAL, rls_year INTEGER);
CREATE TABLE prfrm (albm_id INTEGER, mscn_id INTEGER, hrs_wrkd REAL);
CREATE TABLE regi (regi_id INTEGER, name TEXT, popu INTEGER);
CREATE TABLE sales_by_regi (regi_id INTEGER, albm_id INTEGER, nmbr_of_pcs INTEGER);
CREATE TABLE people (people_id INTEGER, name TEXT);
CREATE TABLE editor (editor_id INTEGER, people_id INTEGER, score REAL);
INSERT INTO mscns VALUES (1, 'Berg', 'Ada', 31, 'piano'), (2, 'Costa', 'Bo', 58, 'violin'), (3, 'Dorn', 'Cleo', 45, 'piano'), (4, 'Evans', 'Dai', 27, 'drums');
INSERT INTO cmpny VALUES (10, 'Northern Sound', 'Norway'), (11, 'Blue Door', 'Wales'), (12, 'Old Mill', 'Norway');
INSERT INTO albm VALUES (100, 'First Light', 10, 12.5, 2019), (101, 'Low Tide', 10, 18.0, 2021), (102, 'Harvest', 11, 9.0, 2021), (103, 'Stone', 10, 22.0, 2022);
INSERT INTO prfrm VALUES (100, 1, 30), (101, 1, 22), (101, 2, 40), (102, 3, 12.5), (103, 1, 8);
INSERT INTO regi VALUES (1000, 'Coast', 80000), (1001, 'Valley', 42000), (1002, 'Hills', 9000);
INSERT INTO sales_by_regi VALUES (1000, 100, 40), (1000, 101, 70), (1001, 102, 25), (1001, 100, 5);
INSERT INTO people VALUES (7, 'Ines Holt'), (8, 'Jon Kemp'), (9, 'Kaya Lund');
INSERT INTO editor VALUES (70, 7, 3.5), (71, 8, 4.5);
