CREATE TABLE staff (
  staff_id INTEGER PRIMARY KEY, first_name TEXT, staff_gender TEXT, marital_status TEXT, age INTEGER, salary TEXT, country TEXT,
  height REAL, department TEXT
);
CREATE TABLE courses (id INTEGER PRIMARY KEY, staff_id INTEGER REFERENCES staff (staff_id), rhythm TEXT, amount REAL, started TEXT);
CREATE TABLE samples (id INTEGER PRIMARY KEY, staff_id INTEGER REFERENCES staff (staff_id), value TEXT, amount REAL, taken_on DATE);
CREATE TABLE plasters (id INTEGER PRIMARY KEY, name TEXT, colour TEXT, tag TEXT, price REAL);
INSERT INTO staff VALUES
  (1, 'Ada', '0', '1', 31, '41000', 'Italy', 170.5, 'HR'), (2, 'Bo', '1', '2', 44, '9500', 'Peru', 181, 'IT'),
  (3, 'Cleo', '0', '0', 52, '102000', 'Italy', 166, 'IT'), (4, 'Dan', '1', '1', 29, '38000', 'Chad', 190, 'HR'),
  (5, 'Eve', '0', '2', 61, '77000', 'Peru', 159, 'IT');
INSERT INTO courses VALUES (1, 1, '0', 20, '2023-01-05'), (2, 2, '1', 35.5, '2023-03-11'), (3, 3, '1', 12, '2023-05-30');
INSERT INTO samples VALUES
  (1, 1, '<5', 3.5, '2023-02-01'), (2, 2, '12', 8, '2023-04-12'), (3, 3, '7.5', 2, '2023-05-20'), (4, 5, '5', 11, '2023-06-11');
INSERT INTO plasters VALUES
  (1, 'Wide', 'red', 'new', 2.5), (2, 'Long', 'blue', 'red', 3), (3, 'Small', 'red', 'red', 1.5), (4, 'Round', 'white', 'sale', 4);
