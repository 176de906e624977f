-- A place for boats: names of two words, what is measured in metres of all sorts, what was given back, and what was charged.
CREATE TABLE berths (berth_id INTEGER PRIMARY KEY, berth_code TEXT NOT NULL, pier TEXT NOT NULL, sz_m2 INTEGER NOT NULL, tank_m3 REAL NOT NULL, has_oak_ramp INTEGER NOT NULL);
INSERT INTO berths VALUES (1, 'A1', 'North', 40, 1.5, 1), (2, 'A2', 'North', 65, 2.5, 0), (3, 'B1', 'South', 90, 4.0, 1), (4, 'B2', 'South', 55, 2.0, 0);
CREATE TABLE boat_owners (owner_id INTEGER PRIMARY KEY, full_name TEXT NOT NULL, hometown TEXT NOT NULL);
INSERT INTO boat_owners VALUES (1, 'Iris Holt', 'Selby'), (2, 'Jonas Reed', 'Whitby'), (3, 'Karla Voss', 'Selby');
CREATE TABLE trailer_rentals (rental_id INTEGER PRIMARY KEY, owner_id INTEGER NOT NULL REFERENCES boat_owners (owner_id), pickup_berth_id INTEGER NOT NULL REFERENCES berths (berth_id),
  return_berth_id INTEGER NOT NULL REFERENCES berths (berth_id), wood TEXT NOT NULL, rented_on DATE NOT NULL, returned_on DATE, late_fee REAL NOT NULL);
INSERT INTO trailer_rentals VALUES (11, 1, 1, 2, 'OAK', '2024-03-01', '2024-03-04', 0), (12, 2, 2, 2, 'ASH', '2024-04-11', NULL, 0), (13, 3, 3, 1, 'OAK', '2024-06-02', '2025-01-09', 25),
  (14, 1, 4, 3, 'ASH', '2025-02-02', NULL, 10), (15, 2, 1, 4, 'OAK', '2025-03-05', '2025-03-06', 0);
CREATE TABLE skippers (skipper_id INTEGER PRIMARY KEY, full_name TEXT NOT NULL, hourly_wage REAL NOT NULL);
INSERT INTO skippers VALUES (1, 'Lena Moor', 21.5), (2, 'Mats Nye', 24.0);
CREATE TABLE crane_lifts (lift_id INTEGER PRIMARY KEY, owner_id INTEGER NOT NULL REFERENCES boat_owners (owner_id), skipper_id INTEGER NOT NULL REFERENCES skippers (skipper_id), boat TEXT NOT NULL, weight_kg INTEGER NOT NULL, duration_min INTEGER NOT NULL);
INSERT INTO crane_lifts VALUES (3001, 1, 1, 'sloop', 900, 30), (3002, 2, 1, 'ketch', 1500, 55), (3003, 3, 2, 'sloop', 1100, 40), (3004, 1, 2, 'dinghy', 150, 15);
CREATE TABLE lift_bills (bill_id INTEGER PRIMARY KEY, lift_id INTEGER NOT NULL REFERENCES crane_lifts (lift_id), sent_on DATE NOT NULL, paid_on DATE);
INSERT INTO lift_bills VALUES (1, 3001, '2024-05-01', '2024-05-20'), (2, 3002, '2024-05-03', '2024-06-30'), (3, 3003, '2024-05-09', NULL);
CREATE TABLE reviews (review_id INTEGER PRIMARY KEY, lift_id INTEGER NOT NULL REFERENCES crane_lifts (lift_id), stars INTEGER NOT NULL, remark TEXT);
INSERT INTO reviews VALUES (1, 3001, 5, 'smooth'), (2, 3002, 4, NULL), (3, 3003, 5, NULL), (4, 3004, 2, 'late'), (5, 3001, 4, 'fine');
CREATE TABLE gift_cards (card_id INTEGER PRIMARY KEY, owner_id INTEGER NOT NULL REFERENCES boat_owners (owner_id), face_value REAL NOT NULL, redeemed_on DATE);
INSERT INTO gift_cards VALUES (1, 1, 50, '2024-08-01'), (2, 2, 80, NULL), (3, 2, 20, '2025-01-03');
