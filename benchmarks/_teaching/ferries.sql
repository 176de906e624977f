CREATE TABLE ports (id INTEGER PRIMARY KEY, name TEXT NOT NULL, country TEXT NOT NULL);
CREATE TABLE passengers (id INTEGER PRIMARY KEY, name TEXT NOT NULL, town TEXT NOT NULL, tariff TEXT NOT NULL);
CREATE TABLE sailings (
    id INTEGER PRIMARY KEY, from_port_id INTEGER NOT NULL REFERENCES ports (id), to_port_id INTEGER NOT NULL REFERENCES ports (id),
    sailed_on DATE NOT NULL, hours REAL NOT NULL);
CREATE TABLE bookings (
    id INTEGER PRIMARY KEY, passenger_id INTEGER NOT NULL REFERENCES passengers (id), sailing_id INTEGER NOT NULL REFERENCES sailings (id),
    booked_on DATE NOT NULL, fare REAL NOT NULL, state TEXT NOT NULL);
