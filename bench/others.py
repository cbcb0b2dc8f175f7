"""What pandas and datacompy make of two Parquet files, ``due`` and ``paid``; run by ``against.py`` in an environment that has them."""

import json
import sys
import time
from pathlib import Path

import datacompy
import pandas as pd
import polars as pl

KEY = ["studio_id", "round_id", "wager_id"]
folder = Path(sys.argv[1])

begun = time.process_time()
both = pd.read_parquet(folder / "due.parquet").merge(pd.read_parquet(folder / "paid.parquet"), on=KEY, how="outer", suffixes=("", "_paid"))
differing = int((both["amount"] != both["amount_paid"]).sum())
pandas = time.process_time() - begun

due, paid = pl.read_parquet(folder / "due.parquet"), pl.read_parquet(folder / "paid.parquet")
begun = time.process_time()
matches = datacompy.PolarsCompare(due, paid, join_columns=KEY, df1_name="due", df2_name="paid").matches()
compare = time.process_time() - begun

if (differing == 0) != matches:
    sys.exit(f"pandas finds {differing} that differ, datacompy {'none' if matches else 'some'}")
print(json.dumps({f"pandas {pd.__version__}, merge and compare": pandas, f"datacompy {datacompy.__version__}, compare": compare}))
