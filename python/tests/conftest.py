"""Fixtures shared by the tests."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

import pytest

# Whether tests process all rows of their tables, as with scripts/test.sh --all.
THOROUGH = "GRADYN_TEST_ALL" in os.environ
thorough = pytest.mark.skipif(not THOROUGH, reason="scripts/test.sh --all runs it")

# the checkout's generator, beside the built package
sys.path.append(str(Path(__file__).resolve().parent.parent))


@pytest.fixture
def compiler() -> str:
    """The C compiler for models. Tests that need it are skipped if there is none."""
    found = shutil.which(os.environ.get("CC", "cc"))
    return found or pytest.skip("no compiler")
