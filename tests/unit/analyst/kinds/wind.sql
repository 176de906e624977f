-- Visits of technicians to turbines, without declared keys; one technician has made none.
CREATE TABLE farms (id INTEGER PRIMARY KEY, name TEXT, country TEXT, opened DATE);
INSERT INTO farms VALUES (1, 'Nordkap', 'Norway', '2010-01-05'), (2, 'Alta Mesa', 'Spain', '2012-06-01'), (3, 'Borkum', 'Germany', '2025-03-01');
CREATE TABLE turbines (id INTEGER PRIMARY KEY, farm_id INTEGER, serial TEXT, maker TEXT, installed DATE, retired DATE);
INSERT INTO turbines VALUES (1, 1, 'SN1', 'Vestas', '2011-02-01', '2025-01-01'), (2, 2, 'SN2', 'Enercon', '2012-07-01', NULL),
  (3, 3, 'SN3', 'Siemens', '2025-04-01', NULL), (4, 3, 'SN4', 'Siemens', '2025-04-02', NULL);
CREATE TABLE technicians (id INTEGER PRIMARY KEY, full_name TEXT, certified_until DATE);
INSERT INTO technicians VALUES (1, 'Ida Lund', '2026-01-01'), (2, 'Tom Becker', '2025-08-01'), (3, 'Sam Ode', '2027-01-01'), (4, 'Liv Aas', '2026-05-01');
CREATE TABLE visits (id INTEGER PRIMARY KEY, turbine_id INTEGER, technician_id INTEGER, reason TEXT, started DATE);
INSERT INTO visits VALUES (1, 1, 1, 'repair', '2024-05-01'), (2, 2, 1, 'inspection', '2024-09-02'), (3, 2, 2, 'repair', '2025-02-01'),
  (4, 3, 2, 'repair', '2025-02-03'), (5, 1, 4, 'repair', '2025-04-07');
CREATE TABLE parts (code TEXT PRIMARY KEY, description TEXT);
INSERT INTO parts VALUES ('G', 'Gearbox'), ('B', 'Bolt');
CREATE TABLE visit_parts (visit_id INTEGER, part_code TEXT, quantity INTEGER);
INSERT INTO visit_parts VALUES (1, 'G', 1), (4, 'B', 20), (1, 'B', 4);
CREATE TABLE output (turbine_id INTEGER, day DATE, mwh REAL);
INSERT INTO output VALUES (1, '2024-05-01', 40), (1, '2025-05-01', 41), (2, '2025-05-01', 12.5), (3, '2025-05-01', 30), (3, '2024-05-01', 11);
