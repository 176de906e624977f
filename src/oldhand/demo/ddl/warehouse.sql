-- What is sold, who makes it, and where it lies on the map.
CREATE TABLE suppliers (
  supplier_id INTEGER PRIMARY KEY,
  name VARCHAR NOT NULL,
  country VARCHAR NOT NULL,
  lead_time_days INTEGER NOT NULL,
  email VARCHAR
);
CREATE TABLE products (
  product_id INTEGER PRIMARY KEY,
  name VARCHAR NOT NULL,
  category VARCHAR NOT NULL,
  supplier_id INTEGER NOT NULL REFERENCES suppliers (supplier_id),
  price DECIMAL(10, 2) NOT NULL,
  weight_kg DOUBLE,
  discontinued BOOLEAN NOT NULL,
  introduced_on DATE NOT NULL
);
CREATE TABLE stores (
  store_id INTEGER PRIMARY KEY,
  name VARCHAR NOT NULL,
  city VARCHAR NOT NULL,
  latitude DOUBLE NOT NULL,
  longitude DOUBLE NOT NULL,
  floor_area INTEGER NOT NULL,
  opened_on DATE NOT NULL
);
CREATE TABLE stock_levels (
  store_id INTEGER NOT NULL REFERENCES stores (store_id),
  product_id INTEGER NOT NULL REFERENCES products (product_id),
  quantity INTEGER NOT NULL,
  counted_on DATE NOT NULL,
  PRIMARY KEY (store_id, product_id)
);
