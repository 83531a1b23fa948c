"""Tables for notebooks."""

from __future__ import annotations

from html import escape
from typing import Sequence


def table(head: Sequence[str], rows: Sequence[Sequence[str]], title: str = "") -> str:
    """An HTML table of texts."""
    top = "".join(f"<th>{escape(cell)}</th>" for cell in head)
    body = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows)
    caption = f"<caption>{escape(title)}</caption>" if title else ""
    return f"<table>{caption}<thead><tr>{top}</tr></thead><tbody>{body}</tbody></table>"
