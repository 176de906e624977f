"""What words say of rows beside what a query does: which words it answers to, and what of it nobody asked for."""
