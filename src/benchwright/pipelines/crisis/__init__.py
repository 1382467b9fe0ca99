"""Questions about incidents: what to do right away, after a week and after a month, and how good answers are."""
