"""The nouns of Benchwright: values and rules, on the standard library alone."""
