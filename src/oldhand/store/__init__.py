"""What is kept: tables and queries, migrations, and the readable journal."""
