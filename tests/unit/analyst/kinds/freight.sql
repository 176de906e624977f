-- Purchase orders under their initials, with codes, amounts and measures in short names.
CREATE TABLE sup (sup_no INTEGER PRIMARY KEY, sup_nm TEXT, ctry TEXT);
INSERT INTO sup VALUES (1, 'Alder Mills', 'Finland'), (2, 'Brook Yarn', 'Ireland'), (3, 'Crest Looms', 'Finland');
CREATE TABLE po (po_no INTEGER PRIMARY KEY, sup_no INTEGER REFERENCES sup (sup_no), cls_cd TEXT, qty INTEGER, frt_amt REAL, tax_amt REAL, vol_m3 REAL, due_dt DATE);
INSERT INTO po VALUES (71, 1, 'R', 40, 120, 12, 31.5, '2024-02-01'), (72, 1, 'S', 10, 40, 4, 3, '2024-03-01'), (73, 2, 'S', 25, 55, 5.5, 30, '2024-03-09'), (74, 3, 'R', 5, 90, 9, 44, '2025-01-05'), (75, 3, 'S', 8, 15, 1.5, 1.2, '2025-02-02'), (76, 2, 'A', 90, 300, 30, 75, '2025-02-07');
