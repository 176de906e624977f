"""Follow-up questions over Spider's databases, with what each of them means."""
