"""The roles that make, answer and judge questions about incidents."""
