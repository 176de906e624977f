-- types: postgres
SELECT name FROM customers WHERE status = "active"
SELECT name FROM clients WHERE status = "active"
SELECT name FROM clients WHERE city IN ("Berlin", "New York")
SELECT name FROM clients WHERE city LIKE "Ber%"
SELECT name FROM customers WHERE active = 1
SELECT name FROM customers WHERE active = 'active'
SELECT name FROM customers WHERE substr(phone, 1, 2) = 49
SELECT 'Dr. ' + name FROM customers
SELECT CAST('abc' AS INTEGER) FROM customers
SELECT name FROM customers WHERE credit > 'high'
-- types: sqlite
SELECT count(*) FROM orders WHERE strftime('%Y', ordered_at) = 2024
SELECT count(*) FROM orders WHERE strftime('%m', ordered_at) = '3'
SELECT count(*) FROM orders WHERE substr(ordered_at, 1, 4) > 2020
SELECT first_name + ' ' + last_name FROM people
SELECT name FROM customers WHERE upper(city) = 5
SELECT name FROM customers WHERE phone = 0176123
SELECT name FROM customers WHERE credit = 'high'
-- types: mysql
SELECT name FROM customers WHERE credit = 'high'
SELECT first_name + ' ' + last_name FROM people
SELECT name FROM customers ORDER BY "name"
SELECT name FROM customers WHERE "city" = 'Berlin'
-- types: duckdb
SELECT name FROM clients WHERE status = "active"
SELECT name FROM customers WHERE ordered_on = 'soon'
SELECT 'Dr. ' + name FROM customers
-- nulls: sqlite postgres mysql duckdb
SELECT name FROM customers WHERE phone = NULL
SELECT name FROM customers WHERE phone BETWEEN NULL AND '5'
SELECT name FROM customers WHERE NOT phone = NULL
SELECT count(NULL) FROM customers
SELECT credit + NULL FROM customers
SELECT name FROM employees WHERE id NOT IN (SELECT manager_id FROM employees)
SELECT name FROM products WHERE id NOT IN (1, 2, NULL)
SELECT name FROM customers WHERE NULLIF(phone, NULL) IS NULL
-- joins: sqlite postgres mysql duckdb
SELECT c.name, o.amount FROM customers c LEFT JOIN orders o ON o.customer_id = c.id WHERE o.status = 'paid'
SELECT c.name, o.amount FROM customers c LEFT JOIN orders o ON o.customer_id = c.id WHERE o.amount > 100 AND c.city = 'Berlin'
SELECT c.name FROM orders o RIGHT JOIN customers c ON o.customer_id = c.id WHERE o.status <> 'paid'
SELECT c.name, o.amount FROM customers c LEFT JOIN orders o ON o.customer_id = c.id WHERE o.ordered_at BETWEEN '2024-01-01' AND '2024-03-31'
SELECT c.name, o.id FROM customers c LEFT JOIN orders o ON o.customer_id = c.id WHERE o.status IN ('paid', 'sent')
SELECT c.name, p.name FROM customers c LEFT JOIN orders o ON o.customer_id = c.id JOIN products p ON p.id = o.product_id
SELECT a.x, b.y FROM a LEFT JOIN b ON b.a_id = a.id WHERE b.y LIKE 'q%'
SELECT c.name, o.amount FROM customers c JOIN orders o ON c.id = o.id
SELECT c.name, o.amount FROM customers c JOIN orders o ON o.customer_id = o.customer_id
SELECT c.name, COUNT(*) FROM customers c LEFT JOIN orders o ON o.customer_id = c.id GROUP BY c.id, c.name
SELECT c.name FROM customers c LEFT JOIN orders o ON o.customer_id = c.id GROUP BY c.id, c.name HAVING COUNT(*) = 0
SELECT SUM(c.credit) FROM customers c JOIN orders o ON o.customer_id = c.id
SELECT c.country, AVG(c.credit) FROM customers c JOIN orders o ON o.customer_id = c.id GROUP BY c.country
-- cartesian products: sqlite postgres mysql duckdb
SELECT c.name, o.amount FROM customers c, orders o
SELECT c.name, o.amount FROM customers c, orders o WHERE c.city = 'Berlin'
SELECT c.name, p.name FROM customers c, orders o, products p WHERE o.customer_id = c.id
SELECT c.name, o.amount FROM customers c JOIN orders o ON c.id = c.id
SELECT c.name, o.amount FROM customers c JOIN orders o ON 1 = 1
-- grouping: postgres mysql duckdb sqlite
SELECT city, COUNT(*) FROM customers GROUP BY city HAVING credit > 100
SELECT city, COUNT(*) FROM clients GROUP BY city HAVING age > 30
SELECT status, SUM(amount) FROM orders GROUP BY status HAVING ordered_at > '2024-01-01'
SELECT name, COUNT(*) FROM customers
SELECT city, COUNT(*) FROM customers GROUP BY 'city'
SELECT city FROM customers GROUP BY city HAVING COUNT(*) < 0
SELECT city, COUNT(*) FROM customers WHERE COUNT(*) > 5 GROUP BY city
SELECT AVG(COUNT(*)) FROM orders GROUP BY customer_id
SELECT DISTINCT COUNT(city) FROM customers
SELECT city FROM customers HAVING credit > 100
-- grouping: postgres duckdb
SELECT city, name, COUNT(*) FROM clients GROUP BY city
SELECT city, credit FROM customers GROUP BY city
-- windows: sqlite postgres mysql duckdb
SELECT name, ROW_NUMBER() OVER () AS place FROM products
SELECT name, RANK() OVER (PARTITION BY category) AS place FROM products
SELECT name, LAG(price) OVER (PARTITION BY category) FROM products
SELECT name, LAST_VALUE(price) OVER (PARTITION BY category ORDER BY price) FROM products
SELECT name FROM products WHERE ROW_NUMBER() OVER (ORDER BY price) <= 3
SELECT name FROM (SELECT name, ROW_NUMBER() OVER (ORDER BY price) AS rn FROM products) t WHERE rn = 0
SELECT category, SUM(price) OVER (ORDER BY price ROWS BETWEEN CURRENT ROW AND UNBOUNDED PRECEDING) FROM products
-- windows: sqlite postgres mysql
SELECT category, COUNT(DISTINCT name) OVER (PARTITION BY category) FROM products
-- sets: sqlite postgres mysql duckdb
SELECT id, name FROM customers UNION SELECT id FROM products
SELECT id, name FROM customers UNION SELECT name, id FROM products
SELECT name FROM customers EXCEPT SELECT name FROM customers
SELECT name FROM customers ORDER BY name UNION SELECT name FROM products
SELECT name, credit FROM customers UNION ALL SELECT price, name FROM products
SELECT name FROM customers UNION SELECT name FROM products ORDER BY price
-- dates: sqlite postgres mysql duckdb
SELECT count(*) FROM orders WHERE ordered_at > 2024-01-01
SELECT count(*) FROM orders WHERE shipped_on = '2024-02-30'
SELECT count(*) FROM orders WHERE shipped_on BETWEEN '2024-12-31' AND '2024-01-01'
SELECT count(*) FROM orders WHERE shipped_on >= '2024-06-01' AND shipped_on < '2024-05-01'
SELECT count(*) FROM orders WHERE shipped_on = '31/12/2024'
SELECT count(*) FROM orders WHERE shipped_on > '2024-13-01'
SELECT count(*) FROM orders WHERE DATE(ordered_at) = '2024-01-01 10:00:00'
-- dates: postgres duckdb
SELECT count(*) FROM orders WHERE EXTRACT(MONTH FROM ordered_at) = 13
SELECT count(*) FROM orders WHERE EXTRACT(MONTH FROM ordered_at) = 0
SELECT count(*) FROM orders WHERE date_trunc('month', ordered_at) = '2024-01-15'
SELECT count(*) FROM orders WHERE date_part('hour', ordered_at) > 24
-- dates: mysql
SELECT count(*) FROM orders WHERE MONTH(ordered_at) = 13
SELECT count(*) FROM orders WHERE HOUR(ordered_at) >= 24
-- timezone: postgres
SELECT ordered_at AT TIME ZONE 'Europe/Berln' FROM orders
SELECT count(*) FROM orders WHERE ordered_at AT TIME ZONE 'Amerika/New_York' > '2024-01-01'
-- timezone: mysql
SELECT CONVERT_TZ(ordered_at, 'UTC', 'Europe/Hamburg') FROM orders
-- contradictory conditions: sqlite postgres mysql duckdb
SELECT name FROM products WHERE price BETWEEN 10 AND 1
SELECT name FROM things WHERE price BETWEEN 10 AND 1
SELECT name FROM products WHERE price > 100 AND price < 50
SELECT name FROM products WHERE category = 'a' AND category = 'b'
SELECT name FROM customers WHERE phone IS NULL AND phone = '1'
SELECT name FROM products WHERE stock = 5 AND stock <> 5
SELECT name FROM products WHERE category IN ('a', 'b') AND category = 'c'
SELECT name FROM customers WHERE phone IS NULL AND phone IS NOT NULL
SELECT name FROM products WHERE stock >= 10 AND category = 'a' AND stock <= 9
SELECT name FROM products WHERE stock > 5 AND (category = 'a' AND stock < 5)
SELECT c.name FROM customers c JOIN orders o ON o.customer_id = c.id AND o.status = 'paid' WHERE o.status = 'open'
SELECT CASE WHEN price > 10 THEN 'mid' WHEN price > 100 THEN 'high' ELSE 'low' END FROM products
SELECT category, COUNT(*) FROM products GROUP BY category HAVING COUNT(*) > 10 AND COUNT(*) < 5
-- always true: sqlite postgres mysql duckdb
SELECT name FROM products WHERE category <> 'a' OR category <> 'b'
SELECT name FROM products WHERE price > 10 OR price <= 20
SELECT name FROM products WHERE price = price
SELECT name FROM customers WHERE phone IS NULL OR phone IS NOT NULL
SELECT name FROM products WHERE NOT (category = 'a' AND category = 'b')
SELECT category FROM products GROUP BY category HAVING COUNT(*) >= 0
SELECT name FROM customers WHERE EXISTS (SELECT COUNT(*) FROM orders WHERE orders.customer_id = customers.id)
SELECT name FROM customers WHERE city = 'Berlin' OR 'Hamburg'
SELECT name FROM customers WHERE name LIKE '%a%' OR '%b%'
SELECT name FROM products WHERE stock = 1 OR 2
SELECT name FROM products WHERE 1 < stock < 10
-- order and limit: sqlite postgres mysql duckdb
SELECT name FROM products ORDER BY 'price' LIMIT 5
SELECT name FROM products ORDER BY 3
SELECT DISTINCT name FROM products ORDER BY price
SELECT name FROM products LIMIT 0
SELECT name FROM products ORDER BY MAX(price) LIMIT 1
-- order and limit: postgres mysql
SELECT name FROM products ORDER BY price LIMIT -5
-- order and limit: mysql
SELECT name FROM products WHERE id IN (SELECT product_id FROM orders ORDER BY amount DESC LIMIT 5)
-- aliases: postgres mysql
SELECT price * 2 AS double_price FROM products WHERE double_price > 10
SELECT cost * 2 AS double_cost FROM things WHERE double_cost > 10
-- aliases: sqlite postgres mysql duckdb
SELECT name category FROM products
SELECT customers.name FROM customers c
SELECT c.name FROM customers c JOIN orders c ON c.id = c.customer_id
SELECT COUNT(*) AS n FROM orders WHERE n > 5 GROUP BY customer_id
-- subqueries: sqlite postgres mysql duckdb
SELECT name FROM products WHERE id = (SELECT product_id FROM orders)
SELECT name FROM things WHERE id = (SELECT thing_id FROM uses)
SELECT name, (SELECT amount FROM orders o WHERE o.customer_id = c.id) FROM customers c
SELECT name FROM customers WHERE credit > (SELECT credit FROM customers WHERE credit > 10)
SELECT name FROM products WHERE stock IN (SELECT stock FROM customers)
SELECT name FROM customers WHERE id IN (SELECT id, customer_id FROM orders)
SELECT name FROM customers WHERE EXISTS (SELECT 1 FROM orders WHERE status = 'paid')
SELECT name FROM customers c WHERE NOT EXISTS (SELECT COUNT(*) FROM orders o WHERE o.customer_id = c.id)
-- integer division: sqlite postgres
SELECT COUNT(shipped_on) / COUNT(*) FROM orders
SELECT SUM(CASE WHEN status = 'paid' THEN 1 ELSE 0 END) / COUNT(*) FROM orders
SELECT amount * (1 / 3) FROM orders
SELECT quantity / 2 FROM orders
SELECT (SELECT COUNT(*) FROM orders WHERE status = 'paid') / (SELECT COUNT(*) FROM orders)
-- counting: sqlite postgres mysql duckdb
SELECT COUNT(phone) FROM customers
SELECT COUNT(status = 'paid') FROM orders
SELECT COUNT(CASE WHEN status = 'paid' THEN 1 ELSE 0 END) FROM orders
SELECT SUM(id) FROM orders
-- text patterns: sqlite postgres mysql duckdb
SELECT name FROM customers WHERE name LIKE 'Ana'
SELECT name FROM customers WHERE name = '%Ana%'
SELECT name FROM customers WHERE name LIKE '*Ana*'
SELECT name FROM customers WHERE name IN ('Ana%', 'Bo%')
SELECT name FROM customers WHERE name <> 'Ana%'
-- text patterns: sqlite postgres duckdb
SELECT name FROM customers WHERE LOWER(city) = 'Berlin'
SELECT name FROM customers WHERE UPPER(city) = 'Berlin'
-- text patterns: postgres duckdb
SELECT name FROM customers WHERE LOWER(city) LIKE '%Berlin%'
-- spatial: postgres
SELECT * FROM sites WHERE ST_DWithin(geom, ST_SetSRID(ST_MakePoint(500000, 5900000), 4326), 0.1)
SELECT ST_SetSRID(ST_MakePoint(13.405, 52.52), 25832) FROM sites
SELECT ST_Distance(geog, ST_SetSRID(ST_MakePoint(13.405, 152.52), 4326)::geography) FROM sites
SELECT name FROM sites WHERE ST_DistanceSphere(utm, ST_Transform(geom, 25832)) < 1000
SELECT ST_DistanceSphere(ST_Transform(geom, 3857), ST_SetSRID(ST_MakePoint(1490000, 6890000), 3857)) FROM sites
SELECT ST_DistanceSpheroid(utm, utm) FROM sites
SELECT ST_GeomFromText('POINT(500000 5900000)', 4326)
SELECT ST_GeomFromText('POINT(52.52 200.5)', 4326)
SELECT 'SRID=4326;POINT(144.38 -138.08)'::geometry
SELECT * FROM sites WHERE geom && ST_MakeEnvelope(400000, 5700000, 410000, 5800000, 4326)
SELECT ST_Transform(ST_MakePoint(13.405, 52.52), 25832)
SELECT ST_SetSRID(geom, 25832) FROM sites
SELECT * FROM sites WHERE ST_DWithin(geog, ST_SetSRID(ST_MakePoint(13.405, 52.52), 4326)::geography, 0.01)
SELECT * FROM sites WHERE ST_Contains(geog, ST_SetSRID(ST_MakePoint(13.405, 52.52), 4326)::geography)
SELECT ST_SetSRID(ST_MakePoint(52.52, 113.405), 4326)
SELECT ST_GeogFromText('POINT(200 95)')
SELECT ST_Area(geom) FROM sites
SELECT ST_Buffer(geom, 500) FROM sites
SELECT * FROM sites WHERE ST_DWithin(geom, utm, 500)
SELECT ST_X(geog) FROM sites
-- spatial: mysql
SELECT ST_GeomFromText('POINT(500000 5900000)', 4326)
SELECT ST_Distance_Sphere(ST_GeomFromText('POINT(500000 5900000)', 25832), ST_GeomFromText('POINT(500100 5900000)', 25832))
