-- A film studio: two keys lead to the same people, and flags begin with what marks them.
CREATE TABLE ppl (ppl_id INTEGER PRIMARY KEY, ppl_nm TEXT, twn TEXT);
INSERT INTO ppl VALUES (1, 'Ada Ash', 'York'), (2, 'Ben Bay', 'Hull'), (3, 'Cy Cole', 'York'), (4, 'Di Dunn', 'Leeds');
CREATE TABLE flm (flm_id INTEGER PRIMARY KEY, ttl TEXT, drctr_ppl_id INTEGER REFERENCES ppl (ppl_id), edtr_ppl_id INTEGER REFERENCES ppl (ppl_id), dt_prm DATE, bdg_amt REAL, fl_ins INTEGER, fl_subs INTEGER);
INSERT INTO flm VALUES (1, 'Ash and Oak', 1, 2, '2023-02-01', 100, 1, 0), (2, 'Blue', 1, 3, '2024-03-01', 250, 0, 1), (3, 'Cold', 2, 3, '2024-05-01', 300, 1, 1), (4, 'Dawn', 1, 3, '2025-01-10', 90, 1, 0), (5, 'Echo', 3, 4, '2025-03-02', 410, 0, 0), (6, 'Fern', 4, 2, '2025-05-05', 120, 1, 1);
