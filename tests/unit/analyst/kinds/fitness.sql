-- A gym: members and what they pay, contracts that end, halls with registers of classes, and states that are each other's opposites.
CREATE TABLE members (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  town TEXT NOT NULL,
  state TEXT NOT NULL
);
CREATE TABLE memberships (
  id INTEGER PRIMARY KEY,
  member_id INTEGER NOT NULL REFERENCES members (id),
  tier TEXT NOT NULL,
  expiry_date DATE
);
CREATE TABLE halls (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL
);
CREATE TABLE class_registers (
  id INTEGER PRIMARY KEY,
  hall_id INTEGER NOT NULL REFERENCES halls (id),
  held_on DATE NOT NULL
);
CREATE TABLE purchases (
  number INTEGER PRIMARY KEY,
  member_id INTEGER NOT NULL REFERENCES members (id),
  bought_on DATE NOT NULL,
  paid_by TEXT NOT NULL
);
CREATE TABLE purchase_lines (
  id INTEGER PRIMARY KEY,
  purchase_number INTEGER NOT NULL REFERENCES purchases (number),
  quantity INTEGER NOT NULL,
  unit_price REAL NOT NULL
);
CREATE TABLE refunds (
  number INTEGER PRIMARY KEY,
  member_id INTEGER NOT NULL REFERENCES members (id),
  amount REAL NOT NULL
);

INSERT INTO members VALUES (1, 'Abel', 'Ghent', 'active'), (2, 'Bosch', 'Ghent', 'inactive'), (3, 'Claes', 'Bruges', 'active'), (4, 'Daan', 'Bruges', 'NOSHOW');
INSERT INTO memberships VALUES (1, 1, 'gold', '2023-05-01'), (2, 2, 'basic', NULL), (3, 3, 'gold', '2030-01-01'), (4, 4, 'basic', '2024-05-01');
INSERT INTO halls VALUES (1, 'North'), (2, 'South'), (3, 'Attic');
INSERT INTO class_registers VALUES (1, 1, '2025-01-02'), (2, 1, '2025-01-03'), (3, 2, '2025-01-03'), (4, 1, '2025-02-03');
INSERT INTO purchases VALUES (901, 1, '2025-01-02', 'card'), (902, 1, '2025-01-05', 'cash'), (903, 2, '2025-02-02', 'card'), (904, 3, '2025-02-07', 'card');
INSERT INTO purchase_lines VALUES (1, 901, 2, 3.0), (2, 901, 1, 4.0), (3, 902, 2, 5.0), (4, 903, 1, 6.0), (5, 904, 3, 3.5);
INSERT INTO refunds VALUES (1001, 1, 30.0), (1002, 1, 20.0), (1003, 2, 40.0);
