"""A wager's or a round's story: settled again from the lake, told in plain words, with the raw line that it was read from."""
