"""Reading documents: questions that passages answer, alone or together with databases."""
