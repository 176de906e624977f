CREATE TABLE ships (imo INTEGER PRIMARY KEY, name TEXT, flag TEXT, tonnage INTEGER, worth INTEGER);
CREATE TABLE berths (id INTEGER PRIMARY KEY, berth TEXT, depth_m REAL, harbourmaster INTEGER REFERENCES pilots (pilot_number));
CREATE TABLE pilots (pilot_number INTEGER PRIMARY KEY, first_name TEXT, middle_name TEXT, last_name TEXT, date_joined DATE, bonus INTEGER, fee INTEGER);
CREATE TABLE visits (
  visit_number INTEGER PRIMARY KEY, ship INTEGER REFERENCES ships (imo), berth INTEGER REFERENCES berths (id),
  pilot INTEGER REFERENCES pilots (pilot_number), visit_date DATE, planned_on DATE, left_on DATE, passengers INTEGER
);
INSERT INTO ships VALUES (9101, 'Alma', 'Malta', 41000, 30), (9102, 'Brage', 'Norway', 12000, 12), (9103, 'Cirrus', 'Malta', 87000, 55), (9104, 'Dunja', 'Panama', 23000, 9);
INSERT INTO pilots VALUES
  (1, 'Ada', 'Rae', 'Lund', '2012-04-01', 0, 90), (2, 'Bo', 'Finn', 'Krag', '2019-08-15', 500, 120),
  (3, 'Cleo', 'May', 'Sand', '2021-02-01', 0, 70), (4, 'Dan', 'Ole', 'Moe', '2016-06-01', 250, 150);
INSERT INTO berths VALUES (11, 'North Quay', 9.5, 2), (12, 'South Quay', 14, 1), (13, 'Oil Pier', 17.5, 4);
INSERT INTO visits VALUES
  (501, 9101, 11, 1, '2023-05-02', '2023-05-01', '2023-05-04', 120), (502, 9102, 11, 2, '2023-07-11', '2023-07-11', '2023-07-12', 0),
  (503, 9103, 12, 2, '2023-09-20', '2023-09-21', '2023-09-25', 0), (504, 9101, 12, 3, '2024-01-15', '2024-01-14', '2024-01-16', 80),
  (505, 9103, 12, 3, '2024-02-03', '2024-02-03', '2024-02-08', 0), (506, 9101, 11, 1, '2024-03-09', '2024-03-10', '2024-03-11', 200),
  (507, 9102, 11, 3, '2024-04-21', '2024-04-20', '2024-04-22', 35);
