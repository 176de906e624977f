-- Visits of technicians to turbines, without declared keys; one technician has made none.
CREATE TABLE farms (id INTEGER PRIMARY KEY, name TEXT, country TEXT);
INSERT INTO farms VALUES (1, 'Nordkap', 'Norway'), (2, 'Alta Mesa', 'Spain'), (3, 'Borkum', 'Germany');
CREATE TABLE turbines (id INTEGER PRIMARY KEY, farm_id INTEGER, serial TEXT, maker TEXT);
INSERT INTO turbines VALUES (1, 1, 'SN1', 'Vestas'), (2, 2, 'SN2', 'Enercon'), (3, 3, 'SN3', 'Siemens'), (4, 3, 'SN4', 'Siemens');
CREATE TABLE technicians (id INTEGER PRIMARY KEY, full_name TEXT);
INSERT INTO technicians VALUES (1, 'Ida Lund'), (2, 'Tom Becker'), (3, 'Sam Ode'), (4, 'Liv Aas');
CREATE TABLE visits (id INTEGER PRIMARY KEY, turbine_id INTEGER, technician_id INTEGER, reason TEXT);
INSERT INTO visits VALUES (1, 1, 1, 'repair'), (2, 2, 1, 'inspection'), (3, 2, 2, 'repair'), (4, 3, 2, 'repair'), (5, 1, 4, 'repair');
CREATE TABLE parts (code TEXT PRIMARY KEY, description TEXT);
INSERT INTO parts VALUES ('G', 'Gearbox'), ('B', 'Bolt');
CREATE TABLE visit_parts (visit_id INTEGER, part_code TEXT, quantity INTEGER);
INSERT INTO visit_parts VALUES (1, 'G', 1), (4, 'B', 20), (1, 'B', 4);
