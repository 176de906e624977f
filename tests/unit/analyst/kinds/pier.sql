-- A line of boats: who came in which year, who complained, and what is on the shelf.
CREATE TABLE ports (port_id INTEGER PRIMARY KEY, name TEXT, town TEXT, country TEXT);
INSERT INTO ports VALUES (1, 'North Quay', 'Norvik', 'Norway'), (2, 'Old Pier', 'Skarholm', 'Norway'), (3, 'Ostmole', 'Ostby', 'Denmark');
CREATE TABLE vessels (vessel_id INTEGER PRIMARY KEY, vessel_name TEXT, capacity INTEGER);
INSERT INTO vessels VALUES (1, 'Aurora', 420), (2, 'Borealis', 650), (3, 'Cirrus', 180);
CREATE TABLE sailings (sailing_id INTEGER PRIMARY KEY, vessel_id INTEGER REFERENCES vessels (vessel_id), from_port INTEGER REFERENCES ports (port_id), departure TEXT, status TEXT);
INSERT INTO sailings VALUES (1, 1, 1, '2024-03-01 08:00:00', 'on time'), (2, 1, 1, '2025-03-02 08:00:00', 'delayed'), (3, 2, 2, '2025-06-05 09:30:00', 'on time'),
  (4, 2, 3, '2024-06-05 09:30:00', 'cancelled'), (5, 1, 2, '2025-07-07 11:00:00', 'delayed'), (6, 2, 1, '2025-08-01 10:00:00', 'on time');
CREATE TABLE customers (customer_id INTEGER PRIMARY KEY, full_name TEXT, town TEXT, customer_type TEXT);
INSERT INTO customers VALUES (1, 'Ada Abel', 'Norvik', 'business'), (2, 'Ben Brandt', 'Norvik', 'private'), (3, 'Cleo Cole', 'Skarholm', 'private'),
  (4, 'Dina Duarte', 'Ostby', 'club'), (5, 'Emil Ekman', 'Ostby', 'business'), (6, 'Finn Falk', 'Tangen', 'private');
CREATE TABLE bookings (booking_id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customers (customer_id), sailing_id INTEGER REFERENCES sailings (sailing_id), booked_on DATE, passengers INTEGER, fare REAL, status TEXT);
INSERT INTO bookings VALUES (1, 1, 1, '2024-02-11', 2, 40.5, 'confirmed'), (2, 1, 2, '2025-02-20', 3, 61.0, 'no-show'), (3, 2, 1, '2024-02-12', 1, 20.0, 'confirmed'),
  (4, 3, 3, '2025-05-30', 4, 90.25, 'cancelled'), (5, 3, 2, '2025-02-21', 2, 44.0, 'confirmed'), (6, 4, 4, '2024-05-28', 5, 120.0, 'no-show'),
  (7, 4, 5, '2025-07-01', 2, 58.0, 'confirmed'), (8, 5, 1, '2024-02-14', 1, 21.0, 'confirmed'), (9, 5, 3, '2024-06-01', 2, 47.5, 'confirmed'), (10, 2, 6, '2024-02-28', 2, 39.0, 'confirmed');
CREATE TABLE complaints (complaint_id INTEGER PRIMARY KEY, booking_id INTEGER REFERENCES bookings (booking_id), topic TEXT);
INSERT INTO complaints VALUES (1, 2, 'delay'), (2, 4, 'noise'), (3, 2, 'food');
CREATE TABLE provisions (provision_id INTEGER PRIMARY KEY, provision_name TEXT, quantity_per_unit TEXT, units_in_stock INTEGER);
INSERT INTO provisions VALUES (1, 'Coffee', '10 bags', 39), (2, 'Tea', '24 boxes', 0), (3, 'Rusk', '6 packs', 12);
CREATE TABLE invoices (invoice_id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customers (customer_id), issued_on DATE, amount REAL, paid_on DATE);
INSERT INTO invoices VALUES (1, 1, '2024-03-01', 100, '2024-03-20'), (2, 1, '2025-03-01', 80, NULL), (3, 2, '2024-04-01', 60, '2024-04-30'), (4, 3, '2025-06-01', 75, NULL);
