-- People who work on projects: several entries of time tie the same two.
CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT, city TEXT, country TEXT);
INSERT INTO customers VALUES (1, 'Alfa GmbH', 'Berlin', 'Germany'), (2, 'Beta SA', 'Paris', 'France'), (3, 'Gamma Oy', 'Helsinki', 'Finland');
CREATE TABLE projects (project_id INTEGER PRIMARY KEY, title TEXT, customer_id INTEGER, budget_eur REAL, is_billable INTEGER);
INSERT INTO projects VALUES (1, 'Website', 1, 12000, 1), (2, 'Intranet', 1, 30000, 1), (3, 'Audit', 2, 8000, 0), (4, 'Shop', 3, 45000, 1);
CREATE TABLE people (person_id INTEGER PRIMARY KEY, first_name TEXT, last_name TEXT, role TEXT, hourly_rate REAL, manager_id INTEGER);
INSERT INTO people VALUES (1, 'Eva', 'Stein', 'developer', 90, 3), (2, 'Tom', 'Roth', 'designer', 80, 3), (3, 'Ida', 'Holm', 'manager', 120, NULL);
CREATE TABLE time_entries (entry_id INTEGER PRIMARY KEY, person_id INTEGER, project_id INTEGER, work_date DATE, hours REAL, note TEXT);
INSERT INTO time_entries VALUES (1, 1, 1, '2023-01-11', 7.5, 'setup'), (2, 1, 1, '2023-01-12', 8, 'pages'), (3, 2, 1, '2023-01-12', 4, 'logo'),
  (4, 1, 2, '2023-06-02', 6, 'login'), (5, 3, 3, '2024-02-02', 3, 'kick-off'), (6, 2, 4, '2024-03-20', 8, 'mockups'), (7, 1, 4, '2024-03-21', 8, 'cart');
