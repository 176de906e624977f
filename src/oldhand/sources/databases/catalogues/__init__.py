"""What the catalogue of each kind of database says about its tables."""
