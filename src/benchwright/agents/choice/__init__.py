"""The roles that make and judge questions with options."""
