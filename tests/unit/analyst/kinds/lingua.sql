-- A bureau that has texts translated: amounts and dates in the rows below the people, and deeds that are called like these people. No keys are declared.
CREATE TABLE languages (language_code TEXT, name TEXT, script TEXT);
INSERT INTO languages VALUES ('de', 'German', 'Latin'), ('fr', 'French', 'Latin'), ('pl', 'Polish', 'Latin'), ('el', 'Greek', 'Greek');
CREATE TABLE clients (client_id INTEGER, name TEXT, city TEXT, sector TEXT, since DATE);
INSERT INTO clients VALUES (1, 'Belvor', 'Ghent', 'legal', '2021-04-01'), (2, 'Fenwick Law', 'Lille', 'legal', '2025-02-01'), (3, 'Opaline', 'Ghent', 'medical', '2023-06-10'), (4, 'Umbra Games', 'Lyon', 'technical', '2022-01-20');
CREATE TABLE translators (translator_id INTEGER, name TEXT, city TEXT, rate_per_word REAL, hired_on DATE, left_on DATE);
INSERT INTO translators VALUES (1, 'Ada Moreau', 'Ghent', 0.12, '2025-01-10', NULL), (2, 'Ben Holt', 'Lille', 0.15, '2022-03-01', NULL), (3, 'Cleo Kovac', 'Ghent', 0.09, '2023-09-15', '2025-05-31');
CREATE TABLE texts (text_id INTEGER, client_id INTEGER, title TEXT, source_language TEXT, target_language TEXT, word_count INTEGER, received_on DATE, delivered_on DATE, kind TEXT, price REAL);
INSERT INTO texts VALUES (1, 1, 'Lease 1', 'de', 'pl', 9000, '2024-02-01', '2024-03-01', 'contract', 900), (2, 1, 'Guide 2', 'fr', 'pl', 4000, '2024-11-05', '2025-01-07', 'manual', 420), (3, 2, 'Filing 3', 'pl', 'de', 8500, '2025-02-11', '2025-03-01', 'patent', 1300), (4, 3, 'Report 4', 'el', 'fr', 1200, '2025-03-03', '2025-03-20', 'manual', 150), (5, 3, 'Leaflet 5', 'fr', 'pl', 300, '2025-05-14', NULL, 'contract', 60);
CREATE TABLE assignments (assignment_id INTEGER, text_id INTEGER, translator_id INTEGER, words INTEGER, hours REAL, assigned_on DATE);
INSERT INTO assignments VALUES (1, 1, 1, 5000, 12, '2025-02-02'), (2, 1, 2, 4000, 10, '2024-02-03'), (3, 2, 2, 4000, 9.5, '2025-01-02'), (4, 3, 2, 8500, 20, '2025-02-12'), (5, 4, 3, 1200, 3, '2024-03-04');
CREATE TABLE invoices (invoice_id INTEGER, client_id INTEGER, text_id INTEGER, issued_on DATE, paid_on DATE, amount REAL, status TEXT);
INSERT INTO invoices VALUES (1, 1, 1, '2024-03-05', '2025-01-10', 900, 'paid'), (2, 1, 2, '2025-01-10', NULL, 420, 'open'), (3, 2, 3, '2025-03-04', '2025-04-01', 1300, 'paid'), (4, 3, 4, '2025-03-22', NULL, 150, 'written off');
CREATE TABLE complaints (complaint_id INTEGER, text_id INTEGER, raised_on DATE, reason TEXT);
INSERT INTO complaints VALUES (1, 1, '2024-03-10', 'late'), (2, 2, '2025-01-20', 'typos'), (3, 2, '2025-01-25', 'layout'), (4, 3, '2025-03-09', 'typos');
