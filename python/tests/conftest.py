"""What tests share."""

from __future__ import annotations

import sys
from pathlib import Path

# the checkout's generator, beside the built package
sys.path.append(str(Path(__file__).resolve().parent.parent))
