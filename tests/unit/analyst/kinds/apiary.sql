-- Names of words without their vowels, written as one, and no declared keys; in bee yards, days of hives and harvests.
CREATE TABLE kprmst(kprid INTEGER, kprnm TEXT, twncd TEXT);
INSERT INTO kprmst VALUES (1, 'Ines Abel', 'Ulm'), (2, 'Otto Brand', 'Lindau'), (3, 'Ria Falk', 'Ulm');
CREATE TABLE hvmst(hvid INTEGER, kprid INTEGER, hvnm TEXT, frmcnt INTEGER, instdt TEXT);
INSERT INTO hvmst VALUES (1, 1, 'Alpha', 10, '2022-04-01'), (2, 1, 'Beta', 8, '2023-05-11'), (3, 2, 'Gamma', 12, '2023-05-20'), (4, 2, 'Delta', 6, '2024-06-01'), (5, 2, 'Omega', 9, '2024-06-02');
CREATE TABLE hvstlog(hvstid INTEGER, hvid INTEGER, hvstdt TEXT, wgtkg REAL, jrcnt INTEGER, untprc REAL);
INSERT INTO hvstlog VALUES (1, 1, '2024-07-02', 14.5, 29, 6.5), (2, 1, '2025-06-01', 11.0, 22, 7.0), (3, 2, '2024-07-03', 9.5, 19, 6.5), (4, 3, '2024-08-01', 20.0, 40, 6.0), (5, 3, '2025-05-30', 7.5, 15, 7.5);
CREATE TABLE insplog(inspid INTEGER, hvid INTEGER, inspdt TEXT, mitecnt INTEGER, rsltcd TEXT);
INSERT INTO insplog VALUES (1, 1, '2025-03-01', 3, 'fine'), (2, 2, '2025-03-01', 11, 'treat'), (3, 3, '2025-03-02', 2, 'fine'), (4, 3, '2025-05-02', 7, 'watch'), (5, 4, '2025-05-03', 14, 'treat');
CREATE TABLE eqpstk(eqpid INTEGER, eqpnm TEXT, qtyoh INTEGER, rordlvl INTEGER, shlfcd TEXT);
INSERT INTO eqpstk VALUES (1, 'Smoker', 4, 2, 'A-12-B'), (2, 'Veil', 1, 3, 'A-12-B'), (3, 'Frame', 0, 40, 'C-3-A'), (4, 'Jar', 220, 200, 'B-7-C');
