-- A founder of bells: days that were agreed and promised, a state that is no county, and weights that might be years. No keys are declared.
CREATE TABLE parishes (parish_id INTEGER, name TEXT, county TEXT);
INSERT INTO parishes VALUES (1, 'St Anne Corfe', 'Kent'), (2, 'St John Olney', 'Devon'), (3, 'St Mary Frome', 'Kent');
CREATE TABLE commissions (commission_id INTEGER, parish_id INTEGER, agreed_on DATE, promised_on DATE, hung_on DATE, state TEXT, fee REAL);
INSERT INTO commissions VALUES (1, 1, '2024-02-01', '2024-06-01', '2024-05-20', 'hung', 4000), (2, 1, '2024-09-12', '2025-01-10', '2025-02-03', 'hung', 9500), (3, 2, '2025-01-20', '2025-05-01', '2025-04-22', 'hung', 7000), (4, 3, '2025-03-05', '2025-08-01', NULL, 'casting', 2600);
CREATE TABLE bells (bell_id INTEGER, commission_id INTEGER, note TEXT, weight_kg REAL);
INSERT INTO bells VALUES (1, 1, 'C', 2150.5), (2, 2, 'D', 1999), (3, 2, 'E', 2001), (4, 3, 'F', 640.2), (5, 4, 'G', 310);
