-- A festival without declared keys: bands have a year of their own, what they do has a day, and vendors sell.
CREATE TABLE Stage (StageID INTEGER PRIMARY KEY, StageName TEXT, Capacity INTEGER);
INSERT INTO Stage VALUES (1, 'River Stage', 900), (2, 'Barn', 200), (3, 'Cave', 150);
CREATE TABLE Band (BandID INTEGER PRIMARY KEY, BandName TEXT, HomeCountry TEXT, FormedYear INTEGER, FeePerShow REAL);
INSERT INTO Band VALUES (1, 'Red Foxes', 'Norway', 2019, 500), (2, 'Iron Owls', 'France', 2025, 700), (3, 'Glass Kites', 'Norway', 2024, 300), (4, 'Wild Drums', 'Ghana', 2001, 900), (5, 'Blue Waves', 'Japan', 2025, 650);
CREATE TABLE Performance (PerformanceID INTEGER PRIMARY KEY, BandID INTEGER, StageID INTEGER, PlayedOn DATE, Audience INTEGER, Cancelled INTEGER);
INSERT INTO Performance VALUES (1, 1, 1, '2024-07-01', 700, 0), (2, 1, 2, '2025-07-01', 190, 0), (3, 2, 1, '2025-07-02', 800, 0), (4, 3, 3, '2024-07-02', 90, 1), (5, 4, 1, '2025-07-03', 850, 0), (6, 4, 2, '2025-07-04', 150, 1), (7, 1, 3, '2025-07-05', 140, 0);
CREATE TABLE Vendor (VendorID INTEGER PRIMARY KEY, VendorName TEXT, Cuisine TEXT);
INSERT INTO Vendor VALUES (1, 'Noodle Bar', 'thai'), (2, 'Green Leaf', 'vegan'), (3, 'Smoke Shack', 'bbq');
CREATE TABLE Sale (SaleID INTEGER PRIMARY KEY, VendorID INTEGER, SoldOn DATE, Dish TEXT, Quantity INTEGER, UnitPrice REAL);
INSERT INTO Sale VALUES (1, 1, '2025-07-01', 'curry', 3, 9), (2, 1, '2025-07-02', 'wrap', 2, 7), (3, 2, '2025-07-01', 'curry', 4, 8), (4, 3, '2025-06-30', 'burger', 5, 10), (5, 2, '2025-06-30', 'wrap', 1, 7), (6, 3, '2025-06-29', 'curry', 2, 9);
