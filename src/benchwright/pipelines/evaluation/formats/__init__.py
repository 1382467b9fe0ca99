"""Forms of export."""
