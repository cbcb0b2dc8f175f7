"""The TOML file that holds a feed's profile, a wallet's, or both."""

from __future__ import annotations

import tomllib
from typing import TYPE_CHECKING, Any

from pipeline.core.errors import InputError

if TYPE_CHECKING:
    from pathlib import Path


def read_profile_file(path: Path) -> dict[str, Any]:
    """What the file says.

    Raises:
        InputError: it cannot be opened, or is no TOML.
    """
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(f"the profile cannot be opened: {error.strerror}", str(path), "give the path of a TOML file") from None
    except RecursionError:
        said = "it is nested too deep"
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        said = str(error)
    except ValueError:
        said = "it holds a number or date that cannot be read"
    raise InputError(f"the profile is no TOML: {said}", path.name, "correct it there")
