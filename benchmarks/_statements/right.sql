-- types: postgres
SELECT name FROM clients WHERE "firstName" = "lastName"
SELECT o.id FROM o WHERE o.owner = "ownerId"
SELECT "Order Date" FROM sales WHERE "Order Date" > '2024-01-01'
SELECT name FROM customers WHERE active
SELECT name FROM customers WHERE active = 't'
SELECT ordered_at + '1 day' FROM orders
SELECT name FROM customers WHERE substr(phone, 1, 2) = '49'
SELECT a.id FROM a WHERE a.kind = "user"
-- types: sqlite
SELECT count(*) FROM orders WHERE strftime('%Y', ordered_at) = '2024'
SELECT count(*) FROM orders WHERE CAST(strftime('%Y', ordered_at) AS INTEGER) = 2024
SELECT count(*) FROM orders WHERE strftime('%m', ordered_at) = '03'
SELECT name FROM customers WHERE city = "Berlin"
SELECT name FROM customers WHERE name || ' ' || city = 'Ana Berlin'
SELECT count(*) FROM orders WHERE julianday(shipped_on) - julianday(ordered_at) > 3
SELECT count(*) FROM orders WHERE length(status) > 3
SELECT name, MAX(price) FROM products
-- types: mysql
SELECT name FROM customers WHERE city = "Berlin"
SELECT name FROM customers WHERE active = TRUE
-- unknown dialect: any
SELECT name, MAX(price) FROM products
SELECT name, price FROM products WHERE price = (SELECT MAX(price) FROM products)
SELECT name FROM users WHERE status = "active"
SELECT MIN(price), name FROM products
-- nulls: sqlite postgres mysql duckdb
SELECT name FROM employees WHERE id NOT IN (SELECT manager_id FROM employees WHERE manager_id IS NOT NULL)
SELECT name FROM customers WHERE phone IS NULL
SELECT COALESCE(phone, 'none') FROM customers
SELECT CASE WHEN credit > 1 THEN credit ELSE NULL END FROM customers
SELECT NULLIF(credit, 0) FROM customers
SELECT name, NULL AS note FROM customers
SELECT name FROM products WHERE id NOT IN (1, 2)
-- joins: sqlite postgres mysql duckdb
SELECT c.name FROM customers c LEFT JOIN orders o ON o.customer_id = c.id WHERE o.id IS NULL
SELECT c.name, o.amount FROM customers c LEFT JOIN orders o ON o.customer_id = c.id AND o.status = 'paid'
SELECT c.name, o.amount FROM customers c LEFT JOIN orders o ON o.customer_id = c.id WHERE o.status = 'paid' OR o.id IS NULL
SELECT c.name, o.amount FROM customers c LEFT JOIN orders o ON o.customer_id = c.id WHERE c.city = 'Berlin'
SELECT c.name, o.amount FROM customers c LEFT JOIN orders o ON o.customer_id = c.id WHERE COALESCE(o.amount, 0) < 10
SELECT c.name, COUNT(o.id) FROM customers c LEFT JOIN orders o ON o.customer_id = c.id GROUP BY c.id, c.name
SELECT c.name, SUM(o.amount) FROM customers c JOIN orders o ON o.customer_id = c.id GROUP BY c.id, c.name
SELECT c.name, p.name FROM customers c LEFT JOIN orders o ON o.customer_id = c.id LEFT JOIN products p ON p.id = o.product_id
SELECT c.name, o.amount FROM customers c JOIN orders o ON o.customer_id = c.id WHERE o.status = 'paid'
SELECT e.name, m.name FROM employees e LEFT JOIN employees m ON e.manager_id = m.id
SELECT e.name, m.name FROM employees e JOIN employees m ON e.manager_id = m.id WHERE e.salary > m.salary
SELECT COUNT(DISTINCT c.id), MAX(c.credit) FROM customers c JOIN orders o ON o.customer_id = c.id
SELECT a.x, b.y FROM a LEFT JOIN b ON b.a_id = a.id WHERE a.y LIKE 'q%'
SELECT a.x, b.y FROM a LEFT JOIN b ON b.a_id = a.id WHERE b.y IS NOT NULL
SELECT p.name, SUM(o.quantity) FROM products p JOIN orders o ON o.product_id = p.id JOIN customers c ON c.id = o.customer_id WHERE c.city = 'Berlin' GROUP BY p.id, p.name
SELECT SUM(p.price * o.quantity) FROM orders o JOIN products p ON p.id = o.product_id
SELECT c.name, t.total FROM customers c LEFT JOIN (SELECT customer_id, SUM(amount) AS total FROM orders GROUP BY customer_id) t ON t.customer_id = c.id
-- cartesian products: sqlite postgres mysql duckdb
SELECT c.name, p.name FROM customers c CROSS JOIN products p
SELECT c.name, o.amount FROM customers c, orders o WHERE o.customer_id = c.id
-- grouping: sqlite postgres mysql duckdb
SELECT city, COUNT(*) FROM customers GROUP BY city HAVING COUNT(*) > 5
SELECT city, COUNT(*) AS n FROM clients GROUP BY city HAVING city <> 'Berlin'
SELECT id, name, COUNT(*) FROM clients GROUP BY id, name HAVING MAX(age) > 3
SELECT COUNT(DISTINCT city) FROM customers
SELECT city, MAX(credit) FROM customers GROUP BY city ORDER BY MAX(credit) DESC
SELECT DISTINCT city FROM customers GROUP BY city
SELECT c.city, COUNT(*) FROM customers c GROUP BY city HAVING COUNT(*) > 1
SELECT COUNT(*) FROM customers HAVING COUNT(*) > 3
SELECT SUBSTR(city, 1, 1) AS letter, COUNT(*) FROM customers GROUP BY SUBSTR(city, 1, 1) HAVING SUBSTR(city, 1, 1) > 'C'
-- grouping: sqlite mysql duckdb
SELECT city, COUNT(*) AS n FROM customers GROUP BY city HAVING n > 5
-- grouping: postgres mysql
SELECT id, name, COUNT(*) FROM customers GROUP BY id HAVING name <> 'x'
SELECT c.id, c.name, COUNT(*) FROM clients c GROUP BY c.id HAVING c.name <> 'x'
-- windows: sqlite postgres mysql duckdb
SELECT name, ROW_NUMBER() OVER (ORDER BY price) AS place FROM products
SELECT name, SUM(price) OVER (PARTITION BY category) FROM products
SELECT name, COUNT(*) OVER () FROM products
SELECT name FROM (SELECT name, ROW_NUMBER() OVER (ORDER BY price) AS rn FROM products) t WHERE rn = 1
SELECT name, FIRST_VALUE(price) OVER (PARTITION BY category ORDER BY price) FROM products
SELECT name, LAST_VALUE(price) OVER (PARTITION BY category ORDER BY price ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) FROM products
SELECT name, RANK() OVER w FROM products WINDOW w AS (ORDER BY price)
SELECT name, AVG(price) OVER (ORDER BY id ROWS BETWEEN 2 PRECEDING AND CURRENT ROW) FROM products
-- sets: sqlite postgres mysql duckdb
SELECT id, name FROM customers UNION SELECT id, name FROM products
SELECT name FROM customers EXCEPT SELECT name FROM products
SELECT city FROM customers WHERE credit > 5 INTERSECT SELECT city FROM customers WHERE credit < 3
SELECT name FROM customers UNION ALL SELECT name FROM products ORDER BY name
SELECT 'customer' AS kind, COUNT(*) FROM customers UNION ALL SELECT 'product', COUNT(*) FROM products
-- dates: sqlite postgres mysql duckdb
SELECT count(*) FROM orders WHERE shipped_on >= '2024-01-01' AND shipped_on < '2024-02-01'
SELECT count(*) FROM orders WHERE shipped_on BETWEEN '2024-01-01' AND '2024-12-31'
SELECT count(*) FROM orders WHERE DATE(ordered_at) = '2024-01-01'
SELECT count(*) FROM orders WHERE shipped_on = '2024-02-29'
SELECT count(*) FROM orders WHERE ordered_at > '2024-01-01 10:00:00'
SELECT 2024 - 10 - 1 AS n FROM orders
-- dates: postgres duckdb
SELECT count(*) FROM orders WHERE EXTRACT(MONTH FROM ordered_at) IN (1, 12)
SELECT count(*) FROM orders WHERE date_trunc('month', ordered_at) = '2024-01-01'
SELECT count(*) FROM orders WHERE EXTRACT(HOUR FROM ordered_at) BETWEEN 0 AND 23
-- timezone: postgres
SELECT ordered_at AT TIME ZONE 'Europe/Berlin' FROM orders
SELECT ordered_at AT TIME ZONE 'UTC' AT TIME ZONE 'America/New_York' FROM orders
SELECT ordered_at AT TIME ZONE 'CEST' FROM orders
-- contradictory conditions: sqlite postgres mysql duckdb
SELECT name FROM products WHERE price BETWEEN 1 AND 10
SELECT name FROM products WHERE price > 10 AND price <= 50
SELECT name FROM products WHERE category = 'a' OR category = 'b'
SELECT name FROM products WHERE price >= 5 AND price <= 5
SELECT name FROM products WHERE stock < 5 OR stock > 10
SELECT a.name FROM products a JOIN products b ON a.category = b.category WHERE a.name = 'x' AND b.name = 'y'
SELECT name FROM products WHERE (price > 100 AND category = 'a') OR (price < 50 AND category = 'b')
SELECT name FROM products WHERE category <> 'a' AND category <> 'b'
SELECT CASE WHEN price > 100 THEN 'high' WHEN price > 10 THEN 'mid' ELSE 'low' END FROM products
SELECT category, COUNT(*) FROM products GROUP BY category HAVING COUNT(*) > 5 AND COUNT(*) < 10
SELECT name FROM products WHERE stock = 5 AND category = '5'
SELECT name FROM products WHERE category IN ('a', 'b') AND category <> 'b'
SELECT name FROM customers WHERE phone IS NOT NULL AND phone <> ''
SELECT name FROM customers WHERE phone IS NULL OR phone = ''
SELECT name FROM products WHERE name > 'a' AND name < 'B'
SELECT name FROM products WHERE price BETWEEN -5 AND 5
-- always true: sqlite postgres mysql duckdb
SELECT name FROM products WHERE 1 = 1 AND price > 5
SELECT name FROM customers c WHERE EXISTS (SELECT 1 FROM orders o WHERE o.customer_id = c.id)
SELECT name FROM customers c WHERE NOT EXISTS (SELECT * FROM orders o WHERE o.customer_id = c.id)
SELECT category FROM products GROUP BY category HAVING COUNT(*) >= 2
SELECT name FROM products WHERE category = 'a' OR name = 'b'
SELECT CASE status WHEN 'paid' THEN 1 ELSE 0 END FROM orders
SELECT name FROM products WHERE (stock > 1) = (price > 10)
-- order and limit: sqlite postgres mysql duckdb
SELECT name FROM products ORDER BY price DESC LIMIT 5
SELECT DISTINCT name, price FROM products ORDER BY price
SELECT name FROM products ORDER BY 1
SELECT DISTINCT category FROM products ORDER BY category
SELECT name FROM products LIMIT 5 OFFSET 10
-- aliases: sqlite postgres mysql duckdb
SELECT name AS category FROM products
SELECT name title FROM products
SELECT price * 2 AS p FROM products ORDER BY p
SELECT LOWER(name) AS name FROM products WHERE name = 'x'
SELECT p.name, c.name AS customer FROM products p JOIN orders o ON o.product_id = p.id JOIN customers c ON c.id = o.customer_id
-- subqueries: sqlite postgres mysql duckdb
SELECT name FROM products WHERE price = (SELECT MAX(price) FROM products)
SELECT name FROM products WHERE id = (SELECT product_id FROM orders ORDER BY amount DESC LIMIT 1)
SELECT name FROM products WHERE id IN (SELECT product_id FROM orders)
SELECT name, (SELECT SUM(amount) FROM orders o WHERE o.customer_id = c.id) FROM customers c
SELECT name, (SELECT c.name FROM customers c WHERE c.id = o.customer_id) FROM employees, orders o WHERE employees.id = o.id
SELECT name FROM customers WHERE city = (SELECT city FROM customers WHERE id = 5)
SELECT name FROM customers WHERE city = (SELECT city FROM customers WHERE name = 'Ana')
SELECT name FROM things WHERE id IN (SELECT thing_id FROM uses)
SELECT name FROM customers WHERE id IN (SELECT customer_id FROM orders WHERE amount > 5)
-- subqueries: sqlite postgres duckdb
SELECT name FROM products WHERE id IN (SELECT product_id FROM orders ORDER BY amount DESC LIMIT 5)
-- integer division: sqlite postgres
SELECT COUNT(shipped_on) * 1.0 / COUNT(*) FROM orders
SELECT CAST(COUNT(shipped_on) AS REAL) / COUNT(*) FROM orders
SELECT 100.0 * SUM(CASE WHEN status = 'paid' THEN 1 ELSE 0 END) / COUNT(*) FROM orders
SELECT amount / 3 FROM orders
SELECT SUM(amount) / COUNT(*) FROM orders
SELECT COUNT(*) / COUNT(DISTINCT customer_id) FROM orders
-- counting: sqlite postgres mysql duckdb
SELECT COUNT(*) FROM customers
SELECT COUNT(id) FROM customers
SELECT COUNT(CASE WHEN status = 'paid' THEN 1 END) FROM orders
SELECT SUM(CASE WHEN status = 'paid' THEN 1 ELSE 0 END) FROM orders
SELECT SUM(quantity) FROM orders
-- text patterns: sqlite postgres mysql duckdb
SELECT name FROM customers WHERE name LIKE '%Ana%'
SELECT name FROM customers WHERE name LIKE 'A_a'
SELECT name FROM products WHERE sku = '50%'
SELECT name FROM customers WHERE LOWER(city) = 'berlin'
SELECT name FROM customers WHERE UPPER(city) LIKE '%BERLIN%'
SELECT name FROM customers WHERE LOWER(city) = LOWER('Berlin')
SELECT name FROM products WHERE name LIKE '%*%'
-- spatial: postgres
SELECT * FROM sites WHERE ST_DWithin(utm, ST_SetSRID(ST_MakePoint(500000, 5900000), 25832), 100)
SELECT ST_SetSRID(ST_MakePoint(13.405, 52.52), 4326)
SELECT ST_DistanceSphere(geom, ST_SetSRID(ST_MakePoint(13.405, 52.52), 4326)) FROM sites
SELECT ST_Distance(geog, ST_SetSRID(ST_MakePoint(-73.98, 40.75), 4326)::geography) FROM sites
SELECT ST_Transform(ST_SetSRID(ST_MakePoint(13.405, 52.52), 4326), 25832)
SELECT * FROM sites WHERE geom && ST_MakeEnvelope(13.1, 52.3, 13.7, 52.7, 4326)
SELECT ST_GeomFromText('LINESTRING(13.4 52.5, 13.5 52.6)', 4326)
SELECT ST_GeomFromText('POINT(500000 5900000)', 25832)
SELECT ST_X(geom), ST_Y(geom) FROM sites
SELECT ST_X(geog::geometry) FROM sites
SELECT * FROM sites WHERE ST_Covers(geog, ST_SetSRID(ST_MakePoint(13.405, 52.52), 4326)::geography)
SELECT * FROM sites WHERE ST_DWithin(geog, ST_SetSRID(ST_MakePoint(13.405, 52.52), 4326)::geography, 500)
SELECT ST_Area(geog) FROM sites
SELECT ST_SetSRID(ST_MakePoint(0, 0), 3857)
SELECT ST_SetSRID(ST_GeomFromText('POINT(1 2)'), 4326)
-- spatial: mysql
SELECT ST_Distance_Sphere(POINT(13.405, 52.52), POINT(13.5, 52.6))
SELECT ST_GeomFromText('POINT(52.52 113.405)', 4326)
