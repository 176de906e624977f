-- Orders that are late or not, animals of species and breeds, couriers with two names, totals in a column.
CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT, city TEXT);
CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customers (id), ordered_on TEXT, due_on TEXT, delivered_on TEXT, total REAL);
CREATE TABLE animals (id INTEGER PRIMARY KEY, name TEXT, species TEXT, breed TEXT, weight REAL);
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n WHERE i<12) INSERT INTO customers SELECT i, 'Cust '||i, substr('RomeBonnOslo',1+i%3*4,4) FROM n;
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n WHERE i<120) INSERT INTO orders SELECT i, 1+i*i%12, date('2025-01-01','+'||i||' days'), date('2025-01-08','+'||i||' days'), date('2025-01-04','+'||(i+i*7%9)||' days'), i*3.5 FROM n;
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n WHERE i<60) INSERT INTO animals SELECT i, 'Pet '||i, substr('DogCatCow',1+i%3*3,3), substr('PoodleLabradBoxer ',1+i*i%3*6,6), 3+i%17 FROM n;
CREATE TABLE couriers (id INTEGER PRIMARY KEY, first_name TEXT, last_name TEXT, city TEXT);
INSERT INTO couriers VALUES (1, 'Ann', 'Lee', 'Rome'), (2, 'Ben', 'Fox', 'Rome'), (3, 'Cleo', 'Orr', 'Bonn');
