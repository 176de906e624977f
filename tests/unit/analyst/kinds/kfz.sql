-- A garage that writes German: mechanics come and go, their hours stand elsewhere than what an hour costs, invoices are also cancelled.
CREATE TABLE kunden (kunden_nr INTEGER PRIMARY KEY, vorname TEXT, nachname TEXT, geburtsdatum DATE, ort TEXT);
CREATE TABLE mechaniker (mechaniker_id INTEGER PRIMARY KEY, vorname TEXT, nachname TEXT, geburtsdatum DATE, eintritt DATE, austritt DATE, stundenlohn REAL);
CREATE TABLE arbeitszeiten (id INTEGER PRIMARY KEY, mechaniker_id INTEGER REFERENCES mechaniker (mechaniker_id), datum DATE, stunden REAL);
CREATE TABLE rechnungen (rechnung_nr INTEGER PRIMARY KEY, kunden_nr INTEGER REFERENCES kunden (kunden_nr), betrag REAL, rechnungsdatum DATE, faellig_am DATE, bezahlt_am DATE, status TEXT);
CREATE TABLE teile (teil_nr INTEGER PRIMARY KEY, bezeichnung TEXT, lagerbestand INTEGER, mindestbestand INTEGER, preis REAL);
INSERT INTO kunden VALUES (1, 'Anna', 'Vogt', '1961-05-02', 'Bonn'), (2, 'Emil', 'Kern', '1983-10-21', 'Aachen'), (3, 'Ruth', 'Lang', '1990-01-11', 'Bonn');
INSERT INTO mechaniker VALUES (1, 'Jan', 'Roth', '1975-03-01', '2006-01-01', NULL, 34), (2, 'Mia', 'Horn', '1990-12-24', '2014-05-01', '2024-12-31', 22), (3, 'Paul', 'Beck', '2001-07-07', '2023-10-01', NULL, 19);
INSERT INTO arbeitszeiten VALUES (1, 1, '2025-05-01', 8), (2, 3, '2025-05-01', 5), (3, 3, '2025-05-02', 5), (4, 3, '2025-05-05', 4), (5, 2, '2024-11-05', 6);
INSERT INTO rechnungen VALUES (1, 1, 120, '2025-04-01', '2025-04-15', '2025-04-11', 'bezahlt'), (2, 2, 80, '2025-04-02', '2025-04-16', NULL, 'offen'), (3, 3, 300, '2025-04-03', '2025-04-17', NULL, 'storniert'), (4, 1, 90, '2025-06-10', '2025-06-24', NULL, 'offen');
INSERT INTO teile VALUES (1, 'Batterie', 3, 5, 89), (2, 'Keilriemen', 20, 10, 12), (3, 'Reifen', 8, 16, 70);
