"""A kind of item that the house does not know: a package like any stranger's, outside of it."""
