"""numpy, if it is installed: arrays are its own then. Nothing needs it.

SPDX-License-Identifier: MIT
"""
from __future__ import annotations

import importlib
from typing import Any


def _find() -> Any:
    try:
        return importlib.import_module("numpy")
    except ImportError:
        return None


numpy: Any = _find()
