-- Letters between people, and tasks that one made and another does.
CREATE TABLE people (person_id INTEGER PRIMARY KEY, name TEXT NOT NULL, department TEXT NOT NULL);
CREATE TABLE messages (message_id INTEGER PRIMARY KEY, sender_id INTEGER NOT NULL REFERENCES people (person_id), recipient_id INTEGER NOT NULL REFERENCES people (person_id), subject TEXT, sent_on DATE NOT NULL, size INTEGER);
CREATE TABLE tasks (task_id INTEGER PRIMARY KEY, title TEXT NOT NULL, created_by INTEGER NOT NULL REFERENCES people (person_id), assigned_to INTEGER REFERENCES people (person_id), hours REAL, status TEXT NOT NULL);
INSERT INTO people VALUES (1, 'Ines Falk', 'Sales'), (2, 'Otis Grant', 'Legal'), (3, 'Ruth Lowe', 'Sales'), (4, 'Milo Sand', 'Finance');
INSERT INTO messages VALUES (1, 1, 2, 'Offer', '2025-01-03', 12), (2, 1, 3, 'Lunch', '2025-01-04', 3), (3, 2, 1, 'Contract', '2025-01-09', 50), (4, 4, 1, 'Invoice', '2025-02-01', 20), (5, 1, 2, 'Again', '2025-02-03', 5), (6, 3, 2, 'Notes', '2025-03-03', 8);
INSERT INTO tasks VALUES (1, 'Draft the offer', 2, 1, 4, 'open'), (2, 'Check the books', 1, 4, 6, 'done'), (3, 'Order paper', 1, 3, 1, 'done'), (4, 'Call the bank', 3, 4, 2, 'open'), (5, 'Clean up', 1, NULL, 3, 'open');
