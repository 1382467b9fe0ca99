"""What is sent and what comes back: prompts as turns, replies read, corrected, and counted out."""
