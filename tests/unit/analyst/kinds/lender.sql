-- A library over short names, whose books have a year.
CREATE TABLE bk (bk_id INTEGER PRIMARY KEY, ttl TEXT, gnr TEXT, pub_yr INTEGER);
INSERT INTO bk VALUES (1, 'Low Tide', 'crime', 2020), (2, 'The Quiet Road', 'poetry', 2025), (3, 'Salt', 'crime', 2020), (4, 'Iron Year', 'history', 1999);
CREATE TABLE ln (ln_id INTEGER PRIMARY KEY, bk_id INTEGER REFERENCES bk (bk_id), out_dt DATE, ret_dt DATE);
INSERT INTO ln VALUES (1, 1, '2024-05-01', '2024-05-20'), (2, 1, '2025-01-04', '2025-01-20'), (3, 2, '2024-12-30', '2025-01-02'), (4, 3, '2025-03-01', NULL), (5, 4, '2025-06-09', '2025-06-20');
