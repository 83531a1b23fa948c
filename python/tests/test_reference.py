"""Each entry of the reference is complete, and the command finds the entries that users look for."""

from __future__ import annotations

import collections
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec, module_from_spec, spec_from_file_location
from pathlib import Path

import pytest
from conftest import thorough

from generator.headers import Function, Value, read

ROOT = Path(__file__).resolve().parent.parent.parent
INCLUDE = ROOT / "include" / "gradyn"
HEADERS = read(ROOT / "include")
PUBLIC = [
    HEADERS.functions[name]
    for file in sorted(INCLUDE.glob("*.h"))
    for name in re.findall(r"GRADYN_API[^;]*?(gradyn_\w+)\(", file.read_text())
    if name in HEADERS.functions
]
SHARED = collections.Counter(f.comment for f in PUBLIC)
UNIT = re.compile(
    r"(?<![A-Za-z_])(m|mm|s|kg|N|rad|Pa|J|W|N m|N/m|1/s|m/s|m\^2|degrees?|units?|dimensionless|share|SI)"
    r"(?![A-Za-z_])"
)


def is_array(p: Value) -> bool:
    several = p.type.pointers > 1
    return p.type.length is not None or (several and not p.type.base.startswith("gradyn_"))


def gaps(f: Function) -> Iterator[str]:
    """The parts that are missing in the comment of a function."""
    if not f.comment or SHARED[f.comment] > 1:
        yield "a comment of its own"
    for p in f.parameters:
        if is_array(p) and p.type.base != "char" and not re.search(rf"\b{p.name}s? ?\[", f.comment):
            yield f"the shape of {p.name}"
        physical = p.type.base in ("double", "gradyn_scalar") and not p.type.many
        if physical and not UNIT.search(f.comment):
            yield f"the unit of {p.name}"
    if f.returns.base == "gradyn_status" and not f.returns.pointers and "GRADYN_" not in f.comment:
        yield "errors"
    if f.returns.pointers and not re.search(r"\bliv|until|belong|NULL|ended by|also returned", f.comment):
        yield "how long the result is valid"
    if f.returns.base.endswith("_id") and not re.search(r"error|fail|-1|invalid", f.comment, re.I):
        yield "what is returned on failure"


def test_every_function_has_a_complete_entry() -> None:
    assert len(PUBLIC) > 150
    assert [f"{f.name}: {gap}" for f in PUBLIC for gap in gaps(f)] == []


def test_a_gap_is_found() -> None:
    status = HEADERS.functions["gradyn_evaluator_gradient"]
    bare = Function("f", status.returns, status.parameters, False, "Computes it.")
    assert list(gaps(bare))[-1] == "errors" and len(list(gaps(bare))) > 1


def test_every_member_and_enumerator_has_a_comment() -> None:
    members = [(s.name, m) for s in HEADERS.structs.values() for m in s.members]
    assert len(members) > 500
    assert [f"{s}.{m.name}" for s, m in members if not m.comment] == []
    scalars = [(s, m) for s, m in members if m.type.base == "gradyn_scalar"]
    assert [f"{s}.{m.name}: unit" for s, m in scalars if not UNIT.search(m.comment)] == []
    bare = []
    for file in INCLUDE.glob("*.h"):
        for body in re.findall(r"typedef enum gradyn_\w+ \{\n(.*?)\n\}", file.read_text(), re.S):
            bare += re.findall(r"(?<!\*/\n)^  (GRADYN_[A-Z_]+)(?: = [^,\n]*)?,?$", body, re.M)
    assert bare == []


# --- The command ---------------------------------------------------------------------------------


def helped(*arguments: str) -> list[str]:
    """Names of the entries that `gradyn help` shows."""
    gradyn = Path(os.environ["GRADYN_BUILD"]) / "gradyn"
    out = subprocess.run([gradyn, "help", "--json", *arguments], capture_output=True, check=True).stdout
    return [entry["name"] for entry in json.loads(out)["entries"]]


def tasks() -> list[tuple[str, set[str]]]:
    """Tasks in the words of users, and the entries that must be found."""
    lines = (ROOT / "tests" / "docs" / "tasks.txt").read_text().splitlines()
    parts = [line.split(" | ") for line in lines if not line.startswith("#")]
    return [(words, set(right.split(", "))) for words, right in parts]


def good(found: list[str], right: set[str]) -> bool:
    """Returns whether one of the first three entries is the right one."""
    return any(name in right for name in found[:3])


@pytest.fixture(scope="module")
def entries() -> list[str]:
    return helped()


def test_every_public_name_has_an_entry(entries: list[str]) -> None:
    names = {f.name for f in PUBLIC} | HEADERS.structs.keys() | HEADERS.enums.keys()
    excused = {"gradyn_plugin_problem", "gradyn_plugin_abi"}  # defined by a macro in problems, not declared
    assert names - excused - set(entries) - {"gradyn_status"} == set()
    assert [name for name in entries if not re.match("gradyn[_ ]|GRADYN_|--", name)] == []


def test_the_search_answers_27_of_30_tasks(entries: list[str]) -> None:
    assert len(tasks()) == 30
    assert set().union(*(right for _, right in tasks())) - set(entries) == set()
    lost = [words for words, right in tasks() if not good(helped("--search", words), right)]
    assert len(lost) <= 3, lost


# --- The site ------------------------------------------------------------------------------------


def site(folder: Path, *arguments: str) -> None:
    script = ROOT / "docs" / "reference" / "site.py"
    gradyn = Path(os.environ["GRADYN_BUILD"]) / "gradyn"
    command = [sys.executable, script, gradyn, folder, *arguments]
    made = subprocess.run(command, capture_output=True, text=True)
    assert made.returncode == 0, made.stdout + made.stderr


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What Sphinx reads."""
    folder = tmp_path_factory.mktemp("site")
    site(folder, "--no-html")
    return folder / "source"


def test_the_site_finds_what_the_command_finds(tmp_path: Path, source: Path) -> None:
    browser = shutil.which("chromium") or pytest.skip("no browser: the search of the site is not tested")
    queries = [words for words, _ in tasks()]
    page = source / "_static" / "queries.html"
    page.write_text(
        '<script src="entries.js"></script><script src="search.js"></script><script>document.write("<pre>" + '
        f"JSON.stringify({json.dumps(queries)}.map(q => findEntries(q, 10).map(e => e[0]))) + "
        "'</pre>')</script>"
    )
    shown = subprocess.run(
        [
            *(browser, "--headless", "--no-sandbox", "--disable-gpu", "--dump-dom"),
            *(f"--user-data-dir={tmp_path}", page.as_uri()),
        ],
        capture_output=True,
        text=True,
    ).stdout
    match = re.search(r"<pre>(\[\[.*?\]\])</pre>", shown)
    assert match, shown
    found = json.loads(match[1])
    lost = [words for (words, right), names in zip(tasks(), found) if not good(names, right)]
    assert len(found) == 30 and len(lost) <= 3, lost
    assert [names[:3] for names in found] == [helped("--search", words)[:3] for words in queries]


def test_a_dead_link_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", list(sys.path))  # site.py adds folders
    (tmp_path / "a.html").write_text(
        '<p id="here"><a href="#here"></a><a href="b.html#there"></a><a href="c.html"></a>'
    )
    (tmp_path / "b.html").write_text('<p id="here"><img src="https://example.org/x.png">')
    spec = spec_from_file_location("made_site", ROOT / "docs" / "reference" / "site.py")
    assert spec and spec.loader
    made = module_from_spec(spec)
    spec.loader.exec_module(made)
    found = "\n".join(made.dead_links(tmp_path))
    assert "b.html#there" in found and "c.html" in found and "needs a network" in found
    assert "#here" not in found


def test_examples_in_c_and_python_agree(source: Path) -> None:
    sys.path.insert(0, str(ROOT / "docs" / "reference"))
    import examples

    found = json.loads((source / "examples.json").read_text())
    assert len(found) >= 43
    pages = "".join(page.read_text() for page in (source / "c").glob("*.rst"))
    custom = ("custom_force", "custom_constraint", "custom_functional")
    for name in ("tyre", "feedback", "phase", "mode", *custom):
        shown = re.search(rf"gradyn_{name}\(gradyn_model.*?(?=\.\. c:function|\Z)", pages, re.S)
        assert shown and "code-block:: c" in shown[0] and "code-block:: python" in shown[0], name
    for example in found:
        assert examples.run(example["name"]) == pytest.approx(example["energy"], rel=1e-12, abs=1e-12)
        assert (source / "pictures" / f"{example['name']}.svg").exists()
        assert len({json.dumps(frame) for frame in example["frames"]}) > 1 or example["name"] == "fixed"


def test_figures_have_light_and_dark_schemes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "scripts"))
    import schemes

    drawings = [*(ROOT / "docs").rglob("*.svg")]
    assert len(drawings) >= 8
    for drawing in drawings:
        assert schemes.follow(drawing.read_text()) == drawing.read_text(), drawing
        assert "prefers-color-scheme: dark" in drawing.read_text(), drawing
    files = [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]
    pages = "".join(page.read_text() for page in files if page.parent.name != "pages")  # those of the site
    photos = [*(ROOT / "docs" / "images").glob("*.png")]
    assert len(photos) >= 10 and not re.search(r"!\[[^]]*\]\([^)]*\.png\)", pages)
    for photo in photos:
        light = photo.with_name(photo.name.replace("-dark", ""))
        dark = light.with_name(f"{light.stem}-dark.png")
        assert light.exists() and dark.exists() and light.read_bytes() != dark.read_bytes(), photo
        assert re.search(rf'srcset="[^"]*{dark.name}">\n<img src="[^"]*{light.name}" alt=', pages), photo


def test_the_model_beside_those_of_other_tools_compiles(tmp_path: Path, compiler: str) -> None:
    page = (ROOT / "docs" / "reference" / "pages" / "coming-from.md").read_text()
    blocks = re.findall(r"```c\n(.*?)```", page, re.S)
    (tmp_path / "model.c").write_text("#include <gradyn/gradyn.h>\n" + "\n".join(blocks))
    command = [compiler, "-std=c11", "-fsyntax-only", "-Wall", "-Werror", "-Wno-unused-function"]
    command.append(f"-I{ROOT / 'include'}")
    assert len(blocks) == 1
    subprocess.run([*command, str(tmp_path / "model.c")], check=True)


@pytest.mark.skipif(find_spec("sphinx") is None, reason="no Sphinx: the site is not made")
def test_formulas_of_the_site_have_the_structure_of_latex(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "docs" / "reference"))
    import conf

    def made(latex: str) -> str:
        words = re.sub(r"<m[ion]\b[^>]*>([^<]*)</m[ion]>", r"\1 ", conf.mathml(latex, False))
        words = re.sub(r"\s+", " ", re.sub(r"</?math[^>]*>", "", words))
        return re.sub(r" ?(<[^>]*>) ?", r"\1", words).strip()

    half = "<mfrac>1 2</mfrac>"
    assert made(r"\tfrac12 x") == f"{half}x" and made(r"\frac{\tfrac12}3") == f"<mfrac>{half}3</mfrac>"
    assert made(r"\frac h{2b}") == "<mfrac>h<mrow>2 b</mrow></mfrac>"
    assert made(r"\dot\Phi_q") == "<msub><mover>Φ ˙</mover>q</msub>"
    assert made(r"\dot\Phi_q^T") == "<msubsup><mover>Φ ˙</mover>q T</msubsup>"
    assert made(r"\sin x") == "sin \u2061 x"
    assert conf.mathml("|v|", False).count('lspace="0" rspace="0"') == 2
    assert made(r"\sum_i^n") == "<munderover>∑ i n</munderover>"
    rows = "<mtr><mtd>a</mtd></mtr><mtr><mtd>b</mtd></mtr></mtable>"
    assert made(r"\begin{bmatrix} a \\[2pt] b \end{bmatrix}") == f"<mrow>[<mtable>{rows}]</mrow>"
    assert made(r"\begin{aligned} a \\ b \end{aligned}") == f'<mtable class="lines">{rows}'


@thorough
@pytest.mark.skipif(find_spec("sphinx") is None, reason="no Sphinx: the site is not made")
def test_the_site_has_no_warning_and_no_dead_link(tmp_path: Path) -> None:
    site(tmp_path)
    assert (tmp_path / "html" / "search.html").exists()
    text = (tmp_path / "html" / "c" / "forces.html").read_text()
    assert 'id="c.gradyn_spring"' in text and "N/m" in text
