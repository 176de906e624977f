-- Who works here, and what customers ask for. `tickets.cost` was taken over from an older system as text.
CREATE TABLE employees (
  employee_id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  job_title TEXT NOT NULL,
  department TEXT NOT NULL,
  salary INTEGER NOT NULL,
  store_id INTEGER,
  manager_id INTEGER REFERENCES employees (employee_id),
  hired_on DATE NOT NULL
);
CREATE TABLE tickets (
  ticket_id INTEGER PRIMARY KEY,
  customer_id INTEGER NOT NULL,
  employee_id INTEGER NOT NULL REFERENCES employees (employee_id),
  topic TEXT NOT NULL,
  priority TEXT NOT NULL,
  opened_at TIMESTAMP NOT NULL,
  closed_at TIMESTAMP,
  satisfaction INTEGER,
  cost TEXT
);
CREATE INDEX tickets_by_customer ON tickets (customer_id);
