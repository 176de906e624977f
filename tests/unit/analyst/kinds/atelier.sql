-- People of a studio enter hours on projects for clients; 0 and 1 say what is billable, a missing day what is unpaid.
CREATE TABLE clients (id INTEGER PRIMARY KEY, name TEXT, city TEXT);
INSERT INTO clients VALUES (1, 'Alder', 'Ghent'), (2, 'Birch', 'Lyon'), (3, 'Cedar', 'Ghent');
CREATE TABLE people (id INTEGER PRIMARY KEY, full_name TEXT, office TEXT, manager_id INTEGER REFERENCES people (id));
INSERT INTO people VALUES (1, 'Ada Berg', 'Lyon', NULL), (2, 'Bo Kern', 'Lyon', 1), (3, 'Cleo Rossi', 'Ghent', 1), (4, 'Dan Silva', 'Ghent', 3);
CREATE TABLE projects (id INTEGER PRIMARY KEY, name TEXT, client_id INTEGER REFERENCES clients (id), budget REAL, started_on DATE, ended_on DATE, billable INTEGER, wiki TEXT);
INSERT INTO projects VALUES (1, 'Website', 1, 12000, '2023-01-10', '2023-03-01', 1, 'Atlas'), (2, 'Intranet', 1, 30000, '2023-02-01', '2023-09-15', 1, 'No'),
  (3, 'Audit', 2, 8000, '2023-04-01', '2023-04-20', 0, 'Atlas'), (4, 'Shop', 2, 45000, '2023-05-05', '2024-01-31', 1, 'No'), (5, 'Film', 1, 5000, '2023-06-01', '2023-06-30', 1, 'Pages');
CREATE TABLE time_entries (id INTEGER PRIMARY KEY, person_id INTEGER REFERENCES people (id), project_id INTEGER REFERENCES projects (id), worked_on DATE, hours REAL, note TEXT);
INSERT INTO time_entries VALUES (1, 1, 1, '2023-01-11', 7.5, 'setup'), (2, 2, 1, '2023-01-12', 8, 'pages'), (3, 2, 2, '2023-03-12', 4, 'setup'), (4, 3, 4, '2023-06-02', 6, NULL), (5, 4, 5, '2023-06-04', 3, 'cut');
CREATE TABLE invoices (id INTEGER PRIMARY KEY, project_id INTEGER REFERENCES projects (id), amount REAL, issued_on DATE, paid_on DATE);
INSERT INTO invoices VALUES (1, 1, 6000, '2023-02-01', '2023-02-20'), (2, 1, 6000, '2023-03-05', NULL), (3, 2, 9000, '2023-06-01', '2023-07-02'), (4, 4, 20000, '2023-12-01', '2023-12-24'), (5, 5, 5000, '2023-07-01', NULL);
