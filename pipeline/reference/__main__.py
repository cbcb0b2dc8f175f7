"""``python -m pipeline.reference FOLDER``: write the pages into a folder."""

from __future__ import annotations

import sys
from pathlib import Path

from pipeline.reference.pages import write_pages

write_pages(Path(sys.argv[1]))
