"""Questions to a lake, ready ones or in SQL, and their answers as files for other tools."""
