"""What the operators filed: the TOML loader, the licensed catalogue, the licence of each line and the exact house edge."""
