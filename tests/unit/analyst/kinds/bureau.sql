-- An office of interpreters: names of a few letters, dates whose order only the days tell, amounts of two sorts, yes and no.
CREATE TABLE stf (id INTEGER PRIMARY KEY, nm TEXT NOT NULL, dept TEXT NOT NULL);
INSERT INTO stf VALUES (1, 'Ola Berg', 'PM'), (2, 'Pia Dahl', 'PM'), (3, 'Rui Faro', 'FIN');
CREATE TABLE cust (id INTEGER PRIMARY KEY, nm TEXT NOT NULL, ctry TEXT NOT NULL, actv TEXT NOT NULL, nws INTEGER NOT NULL, newsletter INTEGER NOT NULL);
INSERT INTO cust VALUES (1, 'Argo', 'Spain', 'Y', 0, 1), (2, 'Boreal', 'Italy', 'N', 1, 0), (3, 'Cumulus', 'Spain', 'N', 0, 0), (4, 'Delta', 'Italy', 'Y', 1, 1);
CREATE TABLE prj (id INTEGER PRIMARY KEY, cust_id INTEGER NOT NULL REFERENCES cust (id), rcv_dt DATE NOT NULL, dlv_dt DATE, due_dt DATE NOT NULL);
INSERT INTO prj VALUES (1, 1, '2024-01-02', '2024-02-11', '2024-02-10'), (2, 2, '2024-03-01', '2024-05-20', '2024-05-01'), (3, 3, '2024-12-04', '2025-03-01', '2025-02-01'), (4, 1, '2025-02-03', NULL, '2025-04-01'), (5, 4, '2025-01-07', '2025-01-27', '2025-02-02');
CREATE TABLE inv (id INTEGER PRIMARY KEY, prj_id INTEGER NOT NULL REFERENCES prj (id), amt_net REAL NOT NULL, amt_vat REAL NOT NULL);
INSERT INTO inv VALUES (1, 1, 100, 20), (2, 2, 250, 50), (3, 3, 80, 16), (4, 5, 40, 8);
