"""python3 -m pip install --no-build-isolation . (see docs/python.md)."""

import sys
from pathlib import Path

from setuptools import setup

sys.path.insert(0, str(Path(__file__).resolve().parent))
import build_extension  # noqa: E402

setup(version=build_extension.version(), cffi_modules=["build_extension.py:ffi"])
