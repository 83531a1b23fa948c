"""The library as cffi hands it over; compiled by build_extension.py."""

from typing import Any

ffi: Any
lib: Any
