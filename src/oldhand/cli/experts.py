"""`oldhand experts`: people who are asked."""

from oldhand.cli import experts_serve, options

EXAMPLES = experts_serve.EXAMPLES

app = options.group("Ask people where neither databases nor documents hold an answer.", EXAMPLES)
app.command(epilog=experts_serve.EXAMPLES)(experts_serve.serve)
