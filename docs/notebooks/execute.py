"""Executes the notebooks of docs/notebooks in place, so that their outputs are those of this package:

    PYTHONPATH=build/python python3 docs/notebooks/execute.py [NAME...]

It needs nbclient, ipykernel, matplotlib and SciPy (scripts/packages.sh)."""

from __future__ import annotations

import html
import os
import re
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).resolve().parent
NAMES = ("linkage", "codesign", "identification", "horizon")


def read(name: str) -> Any:
    """A notebook as it is stored."""
    import nbformat

    return nbformat.read(FOLDER / f"{name}.ipynb", 4)


def executed(name: str) -> Any:
    """Executes the same notebook again in a temporary folder. A cell that raises an exception
    ends it."""
    import gradyn
    from nbclient import NotebookClient

    notebook = read(name)
    package = str(Path(gradyn.__file__).resolve().parent.parent)  # this one, wherever the notebook runs
    environment = {**os.environ, "PYTHONPATH": package, "PYDEVD_DISABLE_FILE_VALIDATION": "1"}
    for cell in notebook.cells:
        cell.metadata.clear()
    with tempfile.TemporaryDirectory(prefix="gradyn-") as folder:
        shutil.copy(FOLDER / "both.mplstyle", folder)
        resources = {"metadata": {"path": folder}}
        client = NotebookClient(notebook, timeout=600, record_timing=False, resources=resources)
        client.execute(env=environment)
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            output.get("metadata", {}).clear()  # figures need no background of their own
    return notebook


def code(notebook: Any) -> str:
    """The code of a notebook as one file."""
    return "\n\n".join(cell.source.removesuffix(";") for cell in notebook.cells if cell.cell_type == "code")


def printed(notebook: Any) -> list[str]:
    """What each cell prints."""
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    return ["".join(o.text for o in cell.outputs if o.output_type == "stream") for cell in cells]


def pages(notebook: Any) -> list[str]:
    """The pages that the frames show."""
    outputs = [o for cell in notebook.cells if cell.cell_type == "code" for o in cell.outputs]
    shown = [o["data"].get("text/html", "") for o in outputs if "data" in o]
    return [html.unescape(s) for text in shown for s in re.findall(r'<iframe [^>]*srcdoc="([^"]*)"', text)]


if __name__ == "__main__":
    import nbformat

    for chosen in sys.argv[1:] or NAMES:
        nbformat.write(executed(chosen), FOLDER / f"{chosen}.ipynb")
        print(FOLDER / f"{chosen}.ipynb")
