-- A seed nursery whose tables and columns are written as one word each, in lower case, and declare no keys between them.
CREATE TABLE seedlots (lotno INTEGER PRIMARY KEY, seedname TEXT, croptype TEXT, unitprice REAL, stocklevel INTEGER, harvestdate DATE, supplierid INTEGER);
CREATE TABLE suppliers (supplierid INTEGER PRIMARY KEY, companyname TEXT, hometown TEXT, creditlimit INTEGER);
CREATE TABLE fieldplots (plotid INTEGER PRIMARY KEY, plotname TEXT, soiltype TEXT, areaha REAL);
CREATE TABLE plantings (plantingid INTEGER PRIMARY KEY, lotno INTEGER, plotid INTEGER, plantdate DATE, seedweightkg REAL, crewsize INTEGER);
INSERT INTO suppliers VALUES (1, 'Alba Seeds', 'Lund', 4000), (2, 'Boreal Seeds', 'Graz', 9000), (3, 'Cedar Seeds', 'Turin', 2500), (4, 'Delta Seeds', 'Graz', 7000), (5, 'Elm Seeds', 'Lund', 1000);
INSERT INTO fieldplots VALUES (1, 'Hill', 'clay', 2.5), (2, 'Brook', 'loam', 4.0), (3, 'Mill', 'clay', 1.5), (4, 'Barn', 'sand', 6.0), (5, 'Pond', 'loam', 3.5), (6, 'Quarry', 'sand', 0.5);
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 30)
INSERT INTO seedlots SELECT i, rtrim(substr('EmmerSpeltOats Rye  Flax ', 1 + i % 5 * 5, 5)) || ' ' || i, rtrim(substr('cereal oilseedlegume ', 1 + i * i % 7 % 3 * 7, 7)), 2 + i * 37 % 29, i * 53 % 400, date('2024-01-05', (i * 11) || ' days'), 1 + i % 4 FROM n;
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 120)
INSERT INTO plantings SELECT i, 1 + i * 7 % 28, 1 + min(i % 7, 4), date('2025-03-01', (i * 29 % 90) || ' days'), 5 + i * 31 % 67, 1 + i % 6 FROM n;
