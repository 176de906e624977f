-- What customers do. Dates are ISO text, money is in euros, yes/no is 1/0: SQLite has no types for them.
CREATE TABLE customers (
  customer_id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  email TEXT,
  city TEXT NOT NULL,
  segment TEXT NOT NULL,
  loyalty_points INTEGER,
  newsletter BOOLEAN NOT NULL,
  signed_up_on DATE NOT NULL
);
CREATE TABLE orders (
  order_id INTEGER PRIMARY KEY,
  customer_id INTEGER NOT NULL REFERENCES customers (customer_id),
  store_id INTEGER,
  ordered_on DATE NOT NULL,
  status TEXT NOT NULL,
  payment_method TEXT NOT NULL,
  shipping_cost REAL NOT NULL
);
CREATE TABLE order_items (
  order_item_id INTEGER PRIMARY KEY,
  order_id INTEGER NOT NULL REFERENCES orders (order_id),
  product_id INTEGER NOT NULL,
  quantity INTEGER NOT NULL,
  unit_price REAL NOT NULL
);
CREATE TABLE returns (
  return_id INTEGER PRIMARY KEY,
  order_item_id INTEGER NOT NULL REFERENCES order_items (order_item_id),
  returned_on DATE NOT NULL,
  reason TEXT,
  refund REAL NOT NULL
);
CREATE INDEX orders_by_customer ON orders (customer_id);
CREATE INDEX order_items_by_order ON order_items (order_id);
CREATE INDEX order_items_by_product ON order_items (product_id);
