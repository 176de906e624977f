-- Roofs with panels, without declared keys; people who put them up are called by a noun of the verb that dates them.
CREATE TABLE installer (inst_id INTEGER PRIMARY KEY, full_name TEXT, region TEXT, certified INTEGER);
INSERT INTO installer VALUES (1, 'Ada Brandt', 'North', 1), (2, 'Ben Okoro', 'South', 0), (3, 'Cleo Marsh', 'North', 0), (4, 'Dev Patel', 'Coast', 1);
CREATE TABLE site (site_no INTEGER PRIMARY KEY, street TEXT, town TEXT, roof_kind TEXT, inst INTEGER, installed_on DATE, peak_kw REAL);
INSERT INTO site VALUES (1, 'Mill Lane 3', 'Ashford', 'flat', 1, '2024-02-01', 8.5), (2, 'Mill Lane 9', 'Corby', 'flat', 2, '2024-05-11', 12.0),
  (3, 'High Street 1', 'Corby', 'pitched', 2, '2024-07-01', 6.5), (4, 'Dock Road 7', 'Corby', 'carport', 3, '2025-01-15', 19.0),
  (5, 'Dock Road 9', 'Brill', 'pitched', 1, '2025-03-02', 5.0);
CREATE TABLE service_visit (visit_id INTEGER PRIMARY KEY, site_no INTEGER, technician TEXT, visit_date DATE, cost REAL, outcome TEXT);
INSERT INTO service_visit VALUES (1, 1, 'Finn', '2025-01-04', 120, 'solved'), (2, 1, 'Gus', '2025-02-04', 80, 'open'), (3, 2, 'Finn', '2025-02-09', 200, 'solved'),
  (4, 3, 'Hana', '2025-03-01', 60, 'cancelled'), (5, 4, 'Hana', '2025-04-01', 90, 'solved'), (6, 4, 'Finn', '2025-05-01', 150, 'solved');
