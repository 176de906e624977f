"""The verbalizer: says in the field's words what a query reads, what its rows are headed, and what they answer."""
