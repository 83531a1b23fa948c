"""The notebooks run, print their stored output, and pass the type checker. Their reports move."""

from __future__ import annotations

import html
import re
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.append(str(ROOT / "docs" / "notebooks"))

pytest.importorskip("nbclient", reason="python3-nbclient, python3-ipykernel")
pytest.importorskip("ipykernel", reason="python3-ipykernel")
pytest.importorskip("matplotlib", reason="python3-matplotlib")
pytest.importorskip("scipy", reason="python3-scipy")

import execute  # noqa: E402


@pytest.mark.parametrize("name", execute.NAMES)
def test_it_prints_what_is_stored(name: str) -> None:
    stored, now = execute.read(name), execute.executed(name)
    assert execute.printed(now) == execute.printed(stored) and any(execute.printed(stored))
    kinds = [
        [sorted(o.get("data", {})) for cell in notebook.cells for o in cell.get("outputs", [])]
        for notebook in (now, stored)
    ]
    assert kinds[0] == kinds[1] and ["image/png", "text/plain"] in kinds[0]
    assert (execute.FOLDER / f"{name}.ipynb").stat().st_size < 3_000_000


def test_types_are_strict(tmp_path: Path) -> None:
    pytest.importorskip("mypy")
    if int(np.__version__.split(".")[0]) > 1:
        pytest.skip("NumPy's types, and what mypy makes of them, are those of version 1 here")
    untyped = re.compile(r"^((?:import matplotlib|from scipy).*)$", re.M)
    for name in execute.NAMES:
        code = untyped.sub(r"\1  # type: ignore[import]", execute.code(execute.read(name)))
        (tmp_path / f"{name}.py").write_text(code)
    command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir=/dev/null", "gradyn", str(tmp_path)]
    done = subprocess.run(command, cwd=ROOT / "python", capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


# The browser loads the page, and writes its content after all frames have sent a message.
HOST = """<!DOCTYPE html><meta charset="utf-8"><pre id="found"></pre><iframe id="wait"></iframe>
<script>
const wait = document.getElementById("wait").contentDocument;
wait.open();
let missing = %d;
addEventListener("message", (event) => {
  document.getElementById("found").append(event.data);
  missing--;
  if (missing === 0) wait.close();
});
</script>
"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_reports_move_in_their_sandbox(tmp_path: Path, scheme: str) -> None:
    """The report as in a notebook: in frames that the page cannot reach, and that send what they
    find by messages."""
    browser = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if browser is None:
        pytest.skip("chromium")
    tools = ROOT / "tests" / "report"
    early, probe = (f"<script>{(tools / name).read_text()}</script>" for name in ("early.js", "probe.js"))
    frames = ""
    shown = {name: page for name in execute.NAMES for page in execute.pages(execute.read(name))}
    assert set(shown) == {"linkage", "codesign", "identification"}  # the others have no mechanism
    for name, page in shown.items():
        page = page.replace("<head>", f"<head>{early}", 1).replace("</body>", f"{probe}</body>", 1)
        frames += f'<iframe name="{name}" sandbox="allow-scripts" width="900" height="700" '
        frames += f'srcdoc="{html.escape(page)}"></iframe>\n'
    (tmp_path / "host.html").write_text(HOST % len(shown) + frames)
    options = ["--headless=new", "--no-sandbox", "--disable-extensions", "--disable-accelerated-2d-canvas"]
    options += [f"--user-data-dir={tmp_path / 'profile'}", "--window-size=1000,2200"]
    options += [f"--blink-settings=preferredColorScheme={0 if scheme == 'dark' else 1}"]
    command = [browser, *options, "--dump-dom", (tmp_path / "host.html").as_uri()]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    found = html.unescape(re.findall(r'<pre id="found">(.*?)</pre>', done.stdout, re.S)[0])
    assert "FAULT" not in found, found
    for name in shown:
        readable = f"readable in a {scheme} scheme"
        shown = ("the motion begins by itself", "mechanism drawn", "slider moves it", "time shown", readable)
        for what in shown:
            assert f"{name} ok {what}" in found, found + done.stderr[-500:]
