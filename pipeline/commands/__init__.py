"""What a user types: each command of ``resettle`` in a module of its own, with nothing in it but options and words."""
