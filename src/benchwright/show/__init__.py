"""What people see: tables, the live display, errors, and one JSON document where that is asked for."""
