CREATE TABLE patients (id INTEGER PRIMARY KEY, name TEXT, blood_type TEXT, city TEXT);
CREATE TABLE findings (
  id INTEGER PRIMARY KEY, patient_id INTEGER REFERENCES patients (id), test TEXT, reading TEXT, grade TEXT, status TEXT
);
CREATE TABLE tools (id INTEGER PRIMARY KEY, name TEXT, language TEXT, size TEXT, maker TEXT, price REAL, celsius REAL);
CREATE TABLE invoices (id INTEGER PRIMARY KEY, patient_id INTEGER REFERENCES patients (id), total REAL, is_paid INTEGER);
INSERT INTO patients VALUES
  (1, 'Ada Lee', 'A+', 'Rome'), (2, 'Bo Fox', 'A-', 'Oslo'), (3, 'Cy Ray', 'A+', 'Bonn'), (4, 'Di Orr', '0+', 'Rome'),
  (5, 'Ed Gil', '0-', 'Oslo'), (6, 'Flo May', '0+', 'Bonn'), (7, 'Gus Poe', 'AB-', 'Rome'), (8, 'Hal Dow', '0+', 'Oslo');
INSERT INTO findings VALUES
  (1, 1, 'CRP', '<5', 'a', 'P'), (2, 1, 'CRP', '5', 'b', 'F'), (3, 2, 'CRP', '-5', 'b', 'P'), (4, 3, 'Hb', '12', 'c', 'N'),
  (5, 4, 'Hb', '<5', 'a', 'P'), (6, 5, 'Hb', '5', 'b', 'P'), (7, 6, 'CRP', '5', 'c', 'F'), (8, 7, 'CRP', '-5', 'a', 'N');
INSERT INTO tools VALUES
  (1, 'Vial press', 'C', '3.5"', 'AT&T', 12.5, -20), (2, 'Shaker', 'C#', '5"', 'Bell', 20, -5), (3, 'Reader', 'C++', '3.5"', 'AT&T', 35, 4),
  (4, 'Mixer', 'C++', '12"', 'O''Neil', 8, 21), (5, 'Washer', 'R', '5"', 'Bell', 125, 37), (6, 'Dryer', 'C', '12"', 'Bell', 20, -5);
INSERT INTO invoices VALUES (1, 1, 100, 1), (2, 1, 50, 0), (3, 2, 75.5, 1), (4, 3, 20, 1), (5, 4, 310, 0), (6, 7, 44.5, 1);
