"""What people see and decide."""
