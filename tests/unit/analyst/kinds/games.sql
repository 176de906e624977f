-- Games between nations: a bare year, numbers of things that no column is called, a key of two columns.
CREATE TABLE venues (venue_id INTEGER PRIMARY KEY, name TEXT, year INTEGER, way_there TEXT, memory_mb INTEGER);
INSERT INTO venues VALUES (1, 'North Hall', 1958, 'bus', 256), (2, 'Lake Park', 1936, 'boat', 512), (3, 'Old Court', 1790, 'bus', 128), (4, 'The Dome', 2004, 'tram', 512);
CREATE TABLE nations (nation_id INTEGER PRIMARY KEY, name TEXT, ferry_link TEXT, delegate TEXT, region TEXT);
INSERT INTO nations VALUES (1, 'Arden', 'yes', 'Uma Vale', 'north'), (2, 'Borland', 'no', 'Piet Roos', 'south'), (3, 'Cays', 'yes', 'Lia Sand', 'south'), (4, 'Dunmark', 'no', 'Ove Holt', 'south');
CREATE TABLE tallies (nation_id INTEGER REFERENCES nations (nation_id), year INTEGER, gold REAL, silver REAL, spent_eur REAL, PRIMARY KEY (nation_id, year));
INSERT INTO tallies VALUES (1, 2001, 4, 2, 1200.5), (1, 2002, 6, 1, 900), (2, 2001, 0, 3, 700), (2, 2003, 9, 5, 650.25), (3, 2002, 2, 2, 100), (4, 2003, 1, 0, 40);
CREATE TABLE heats (heat_id INTEGER PRIMARY KEY, venue_id INTEGER REFERENCES venues (venue_id), lane INTEGER, date_of_start DATE, winner TEXT, district INTEGER);
INSERT INTO heats VALUES (1, 1, 4, '2001-05-06', 'Ann Rhys', 1), (2, 1, 2, '2001-05-07', 'Bo Lund', 2), (3, 2, 7, '2002-06-01', 'Ann Rhys', 2), (4, 4, 3, '2003-04-09', 'Cy Ott', 3), (5, 2, 5, '2003-04-08', 'Dee Marsh', 4);
