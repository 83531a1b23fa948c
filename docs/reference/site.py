#!/usr/bin/env python3
"""Makes the site: the reference of C, commands and Python, and the pages of docs/, as HTML without a server.

Usage: site.py GRADYN OUT [--no-html]. GRADYN is the command, whose `help --json` has the entries. Needs Sphinx, furo
and myst_parser (scripts/packages.sh docs). A warning of Sphinx or a dead link fails."""

import ast
import html.parser
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import textwrap
from pathlib import Path
from urllib.parse import unquote, urldefrag

sys.dont_write_bytecode = True
HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path[:0] = [str(HERE), str(ROOT / "python")]

from generator.headers import read
from generator.words import python_name, short_name
import pictures
from subjects import SUBJECTS, page_of

HEADERS = read(ROOT / "include")
DECLARATIONS = {m[1]: re.sub(r"\s+", " ", d).removeprefix("extern ").rstrip(";")
                for d in HEADERS.declarations if (m := re.search(r"\b(gradyn_\w+)\(", d)) and m[1] in HEADERS.functions}
TITLE = "=-^"


def heading(text: str, level: int = 0) -> list[str]:
    return [text, TITLE[level] * len(text), ""]


def escape(text: str) -> str:
    return re.sub(r"([*`|_\\<>])", r"\\\1", text)


class Entries:
    """The entries of the command, and what refers to them."""

    def __init__(self, gradyn: str) -> None:
        out = subprocess.run([gradyn, "help", "--json"], check=True, capture_output=True, text=True).stdout
        self.shown: set[str] = set()  # structs of arguments
        self.all = {e["name"]: e for e in json.loads(out)["entries"]}
        self.own = {n: e for n, e in self.all.items() if e["header"] and self.kind(n)}
        self.enumerators = {c[0]: c[1] for n in self.own if self.kind(n) == "enum" for c in self.choices(n)}

    def kind(self, name: str) -> str:
        code = self.all[name]["declaration"]
        for start, kind in (("GRADYN_API", "function"), ("static inline", "function"), ("typedef struct", "struct"), ("typedef enum", "enum"),
                            ("typedef", "type"), ("#define", "macro")):
            if code.startswith(start):
                opaque = kind == "struct" and "{" not in code
                return "type" if opaque else kind
        return ""

    def choices(self, name: str) -> list[tuple[str, str]]:
        """Enumerators with their comments, above or beside them."""
        if name == "gradyn_status":
            text = self.all["GRADYN_STATUS_LIST"]["declaration"] if "GRADYN_STATUS_LIST" in self.all else ""
            text = text if "X(OK" in text else (ROOT / "include/gradyn" / self.all[name]["header"]).read_text()
            found = re.findall(r'X\((\w+), "([\w-]+)", GRADYN_CLASS_(\w+),[\s\\]*"(.*?)"\)', text)
            return [(f"GRADYN_{n}", f'"{short}", {kind.lower()}: {said}') for n, short, kind, said in found]
        body = self.all[name]["declaration"].partition("{")[2].rpartition("}")[0]
        parts = re.findall(r"/\*(.*?)\*/|(GRADYN_[A-Z0-9_]+)[^,/\n]*,?(?:[ ]*/\*(.*?)\*/)?", body, re.S)
        found, above = [], ""
        for over, word, beside in parts:
            if word:
                found.append((word, re.sub(r"\s+", " ", beside or above).strip()))
            above = over if not word else ""
        return found

    def rst(self, text: str) -> str:
        """Text of a comment: names become links, all else is escaped."""
        def piece(word: str) -> str:
            if re.fullmatch("`[^`]+`", word):
                return rf"\ `{word}`\ "
            bare = word.removesuffix("()")
            if bare in self.own:
                kind = self.kind(bare)
                return rf"\ :c:{'func' if kind == 'function' else kind}:`{bare}`\ "
            if bare in self.enumerators:
                return rf"\ :c:enumerator:`{bare}`\ "
            return escape(word)
        return "".join(piece(w) for w in re.split(r"(gradyn_\w+(?:\(\))?|GRADYN_\w+|`[^`]+`)", text))

    def paragraphs(self, text: str, indent: str) -> list[str]:
        """A comment: lines that begin with "name:" or "name, name:" become items."""
        lines = []
        for paragraph in re.split(r"\n\s*\n", text):
            for line in re.split(r"\n(?=[a-z_]\w*(?:, \w+)*(?: \[[^]]*\])?: )", paragraph):
                item = re.match(r"([a-z_]\w*(?:, \w+)*)(?: (\[[^]]*\]))?: (.*)", line, re.S)
                said = self.rst(re.sub(r"\s+", " ", item[3] if item else line))
                shape = f" {self.rst(item[2])}" if item and item[2] else ""
                lines += [f"{indent}* **{self.rst(item[1])}**{shape}: {said}" if item else f"{indent}{said}"]
                lines += [""]
        return lines

    def members(self, name: str, indent: str) -> list[str]:
        code = next(d for d in HEADERS.declarations if d.startswith(f"typedef struct {name}\n") or
                    re.match(rf"typedef struct\s+{name}\s*{{", d))
        declared = {m[1]: m[0].strip() for d in re.findall(r"^  (\S.*);$", code, re.M)
                    if (m := re.search(r".*?\(?\*?\b(\w+)\)?(?:\(.*\)|\[.*\])?$", d))}
        lines = []
        for m in HEADERS.structs[name].members:
            text = next((d for d in re.findall(r"^  (\S.*);$", code, re.M)
                         if re.search(rf"\b{m.name}\b(\)\(|\[|$)", d)), declared.get(m.name, m.name))
            lines += [f"{indent}.. c:member:: {text}", "", f"{indent}   {self.rst(m.comment)}", ""]
        return lines

    def python(self, name: str) -> list[str]:
        """How a declaring function is called in Python."""
        f = HEADERS.functions.get(name)
        if not f or not f.parameters or f.parameters[0].type.base != "gradyn_model":
            return []
        words = []
        for p in f.parameters[1:]:
            spec = HEADERS.structs.get(p.type.base)
            words += [f"{python_name(m.name)}=" for m in spec.members] if spec and p.type.base.endswith("_spec") else [python_name(p.name)]
        return [f"   Python: ``m.{python_name(short_name(name))}({', '.join(words)})``", ""]

    def entry(self, name: str, example: dict[str, list[str]]) -> list[str]:
        e, kind = self.all[name], self.kind(name)
        first = DECLARATIONS.get(name) or re.sub(r"\s+", " ", e["declaration"].partition("\n{")[0]) if kind == "function" else name
        lines = [f".. c:{kind}:: {first}", "", *self.paragraphs(e["about"], "   ")]
        if kind == "struct" and name in HEADERS.structs:
            lines += self.members(name, "   ")
        if kind == "enum":
            for word, said in self.choices(name):
                lines += [f"   .. c:enumerator:: {word}", "", f"      {self.rst(said)}", ""]
                lines += [f"   {line}" if line else "" for line in example.get(word, [])]
        if kind == "function":
            lines += self.python(name)
        lines += [f"   Declared in ``<gradyn/{e['header']}>``.", "", *example.get(name, [])]
        if kind == "function" and e["arguments"] and e["arguments"] not in self.shown:
            self.shown.add(e["arguments"])
            lines += self.entry(e["arguments"], {})
        return lines


def write(folder: Path, name: str, lines: list[str]) -> None:
    (folder / name).parent.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text("\n".join(lines) + "\n")


def run_examples(gradyn: str, out: Path) -> None:
    """Compiles and runs the examples, and draws them."""
    build = Path(gradyn).resolve().parent
    with tempfile.TemporaryDirectory() as folder:
        program = f"{folder}/examples"
        subprocess.run([*os.environ.get("CC", "cc").split(), "-std=c11", "-O1", f"-I{ROOT / 'include'}", str(HERE / "examples.c"), "-o", program,
                        f"-L{build}", "-lgradyn", "-lm", f"-Wl,-rpath,{build}"], check=True)
        printed = subprocess.run([program], check=True, capture_output=True, text=True).stdout
    write(out, "examples.json", [printed])
    pictures.draw(printed, out / "pictures")


def examples(out: Path) -> dict[str, list[str]]:
    """Pictures and a few lines of C and Python, by the function that they show."""
    found: dict[str, list[str]] = {}
    for file, language in ((HERE / "examples.c", "c"), (HERE / "examples.py", "python")):
        if not file.exists():
            continue
        text = file.read_text()
        callbacks = {m[1]: m[0] for m in re.finditer(r"^static gradyn_status (\w+)\(const gradyn_at.*?^\}\n", text, re.S | re.M)}
        for name, body in re.findall(r"^(?:static void|def) (\w+)\(.*?\)(?: -> None)?:?\n(?:\{\n)?(.*?)(?=^\}|\n\n\n|\Z)", text, re.S | re.M):
            shows = re.match(r'\s*(?:/\*|""")\s*(.*?)\s*(?:\*/|""")\n', body, re.S)
            if not shows:
                continue
            used = [f"{callbacks[word]}\n" for word in re.findall(r"\w+", body) if word in callbacks]
            code = ("".join(used) + textwrap.dedent(body[shows.end():].rstrip())).splitlines()
            for shown in re.findall(r"\w+", shows[1]):
                block = found.setdefault(shown, [])
                if language == "c" and (out / f"pictures/{name}.svg").exists():
                    block += [f"   .. image:: /pictures/{name}.svg", "      :width: 320", f"      :alt: {name}", ""]
                block += [f"   .. code-block:: {language}", "", *("      " + line for line in code), ""]
    return found


def reference(entries: Entries, out: Path) -> list[str]:
    """Pages of the C reference, one for each subject."""
    shown, specs = examples(out), {e["arguments"] for e in entries.own.values()}
    contents: list[str] = []
    for part, page, title, _ in SUBJECTS:
        names = [n for n in entries.own if page_of(n) == page and n not in specs]
        if not names:
            continue
        order = {"function": 0, "struct": 1, "enum": 2, "type": 3, "macro": 4}
        names.sort(key=lambda n: order[entries.kind(n)])
        lines = [*heading(title), "The :doc:`conventions </conventions>` hold for all entries.", ""]
        for name in names:
            lines += entries.entry(name, shown)
        write(out, f"c/{page}.rst", lines)
        contents.append(f"   c/{page}")
    return contents


def commands(gradyn: str, entries: Entries, out: Path) -> None:
    """The help of each command, from the tables of commands and options."""
    lines = [*heading("Commands"), "``gradyn help NAME`` and ``gradyn COMMAND --help`` print these texts.", ""]
    for name in (n for n in entries.all if n.startswith("gradyn ")):
        text = subprocess.run([gradyn, name.split()[1], "--help"], check=True, capture_output=True, text=True).stdout
        lines += [*heading(name, 1), ".. code-block:: text", "", *("   " + t for t in text.splitlines()), ""]
    write(out, "commands.rst", lines)


def python(out: Path) -> None:
    """Public classes and functions of the package, from their source, which is not imported."""
    lines = [*heading("Python reference"), "The [guide](python.md) shows their use. ``m.`` in ``build(m, p)`` has every declaration of the C reference, as "
             "``m.spring(...)`` for gradyn\\_spring().".replace("[guide](python.md)", ":doc:`guide </python>`"), ""]
    package = ROOT / "python" / "gradyn"
    public = set(re.findall(r'^    "(\w+)",$', (package / "__init__.py").read_text(), re.M))

    def item(node: ast.AST, indent: str, kind: str) -> None:
        doc = ast.get_docstring(node)
        signature = f"({ast.unparse(node.args)})" if isinstance(node, ast.FunctionDef) else ""
        lines.extend([f"{indent}.. py:{kind}:: {node.name}{signature}", ""])
        for line in (doc or "").splitlines():
            lines.append(f"{indent}   | {escape(line)}".rstrip())
        lines.append("")

    for file in sorted(package.glob("[a-z]*.py")):
        for node in ast.parse(file.read_text()).body:
            if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and node.name.rstrip("_") in public:
                item(node, "", "class" if isinstance(node, ast.ClassDef) else "function")
                for inner in node.body if isinstance(node, ast.ClassDef) else []:
                    if isinstance(inner, ast.FunctionDef) and not inner.name.startswith("_") and ast.get_docstring(inner):
                        item(inner, "   ", "method")
    write(out, "python-reference.rst", lines)


PICTURE = re.compile(r'<picture>\n<source [^>]*>\n<img src="(?P<image>[^"]*)" alt="(?P<alt>[^"]*)">\n</picture>|!\[(?P<name>[^]]*)\]\((?P<file>[^)]*)\.png\)')


def in_both_schemes(m: re.Match[str]) -> str:
    """Two images, of which site.css shows the one of the reader's scheme. GitHub knows <picture> instead."""
    file, alt = (m["file"] or m["image"].removesuffix(".png")), m["name"] or m["alt"]
    return f"![{alt}]({file}.png)![{alt}]({file}-dark.png)"


def pages(out: Path) -> None:
    """The pages of docs/: links to files of the checkout that are no pages become text; a dead link fails."""
    dead: list[str] = []
    files = [*(ROOT / "docs").glob("*.md"), *(ROOT / "docs/problems").glob("*.md"), *(ROOT / "docs/theory").glob("*.md")]
    places = {f: f.relative_to(ROOT / "docs") for f in files if f.name != "README.md"}
    places |= {f: Path(f.name) for f in (HERE / "pages").glob("*.md")}
    places |= {ROOT / "CHANGELOG.md": Path("changes.md"), ROOT / "CONTRIBUTING.md": Path("contributing.md")}
    for file, place in places.items():
        def link(m: re.Match[str]) -> str:
            target, _, anchor = m[3].partition("#")
            if ":" in target or (m[1] and target.endswith(".svg")) or not target:
                return m[0]
            path = (file.parent / target).resolve()
            if file.parent == HERE / "pages" and not path.exists():
                path = ROOT / "docs" / target
            if path in places:
                there = os.path.relpath(out / places[path], (out / place).parent)
                return f"{m[1]}[{m[2]}]({there}{'#' + anchor if anchor else ''})"
            if not path.exists():
                dead.append(f"{file}: {target}")
            name = os.path.relpath(path, ROOT)
            return m[0] if m[1] else f"`{name}`" if m[2].startswith("`") and name.endswith(m[2].strip("`")) else f"{m[2]} (`{name}`)"
        text = re.sub(r"(!?)\[((?:[^][]|\[[^]]*\])*)\]\(([^)\s]+)\)", link, file.read_text())
        write(out, str(place), [PICTURE.sub(in_both_schemes, text)])
    for image in [*(ROOT / "docs/images").iterdir(), *(ROOT / "docs/problems").glob("*.svg")]:
        folder = out / image.parent.relative_to(ROOT / "docs")
        folder.mkdir(parents=True, exist_ok=True)
        shutil.copy(image, folder)
    if dead:
        sys.exit("dead links:\n" + "\n".join(dead))


def statuses(entries: Entries, out: Path) -> None:
    """The table of statuses, from the header."""
    file = out / "statuses.md"
    rows = [f"| `{word}` | {said} |" for word, said in entries.choices("gradyn_status")]
    table = "\n".join(["| status | name, class, meaning |", "| --- | --- |", *rows])
    file.write_text(file.read_text().replace("@STATUSES@", table))


def conventions(out: Path) -> None:
    """The list of conventions, from the first comment of <gradyn/gradyn.h>."""
    file, head = out / "conventions.md", (ROOT / "include/gradyn/gradyn.h").read_text().partition("*/")[0]
    rules = re.findall(r"\n \* ([A-Z]\w+): (.*?)(?=\n \* [A-Z]\w+: | $)", head.partition("exception:\n")[2], re.S)
    lines = [f"* **{name}**: " + re.sub(r"[ *]*\n[ *]*", " ", said) for name, said in rules]
    file.write_text(file.read_text().replace("@CONVENTIONS@", "\n".join(lines)))


class Links(html.parser.HTMLParser):
    """Targets and names of a page."""

    def __init__(self, file: Path) -> None:
        super().__init__()
        self.links: list[str] = []
        self.ids: set[str] = set()
        self.feed(file.read_text())

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        found = dict(attributes)
        self.ids |= {v for k, v in found.items() if k in ("id", "name") and v}
        self.links += [v for k, v in found.items() if k in ("href", "src") and v]


def dead_links(folder: Path) -> list[str]:
    parsed = {f.resolve(): Links(f) for f in folder.rglob("*.html")}
    dead = []
    for file, page in parsed.items():
        for link in page.links:
            target, anchor = urldefrag(unquote(link))
            path = (file.parent / target.partition("?")[0]).resolve() if target else file
            if ":" in target or target.startswith("//") or link == "#":
                if re.match(r"https?:", target) and f'src="{link}"' in file.read_text():
                    dead.append(f"{file}: {link} needs a network")
                continue
            if not path.exists() or (anchor and path in parsed and anchor not in parsed[path].ids):
                dead.append(f"{file.relative_to(folder.resolve())}: {link}")
    return dead


def search_rules() -> dict[str, object]:
    """The words and weights of the search, from the command's source."""
    code = (ROOT / "cli" / "text" / "find.c").read_text()
    lists = {name: re.search(rf"\*const {name}\[\] = {{(.*?)}}", code, re.S)[1] for name in ("common", "endings")}
    weights = {name: float(value) for name, value in re.findall(r"(\w+)_weight = ([\d.]+)", code)}
    return {"WEIGHTS": weights, **{name.upper(): re.findall(r'"(\w+)"', text) for name, text in lists.items()}}


def make(gradyn: str, out: Path) -> None:
    source, entries = out / "source", Entries(gradyn)
    shutil.rmtree(out, ignore_errors=True)
    run_examples(gradyn, source)
    contents = reference(entries, source)
    commands(gradyn, entries, source)
    python(source)
    pages(source)
    statuses(entries, source)
    conventions(source)
    index = (HERE / "index.rst").read_text()
    others = [f"   {p.stem}" for p in sorted(source.glob("*.md")) if f"   {p.stem}\n" not in index]
    listing = [f"   {p.relative_to(source).with_suffix('')}" for p in sorted(source.glob("problems/*.md"))]
    theory = [f"   {p.relative_to(source).with_suffix('')}" for p in sorted(source.glob("theory/*.md"))]
    for mark, lines in (("@C@", contents), ("@PROBLEMS@", listing), ("@THEORY@", theory), ("@OTHERS@", others)):
        index = index.replace(mark, "\n".join(lines))
    write(source, "index.rst", [index])
    shutil.copy(HERE / "conf.py", source)
    static = source / "_static"
    static.mkdir(exist_ok=True)
    for name in ("site.css", "search.js"):
        shutil.copy(HERE / name, static)
    listed = [[n, e["about"], e["declaration"], e["arguments"] or "", f"c/{page_of(n)}.html#c.{n}" if n in entries.own
              else "commands.html"] for n, e in entries.all.items() if n in entries.own or not e["header"]]
    constants = {"ENTRIES": listed, "SYNONYMS": (HERE / "synonyms.txt").read_text(), **search_rules()}
    (static / "entries.js").write_text("".join(f"const {n} = {json.dumps(v)};\n" for n, v in constants.items()))


if __name__ == "__main__":
    folder = Path(sys.argv[2]).resolve()
    make(sys.argv[1], folder)
    if "--no-html" not in sys.argv:
        subprocess.run([sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", "-b", "html", "-d", str(folder / "doctrees"),
                        str(folder / "source"), str(folder / "html")], check=True)
        found = dead_links(folder / "html")
        if found:
            sys.exit("dead links:\n" + "\n".join(found))
        print(f"{len(list((folder / 'html').rglob('*.html')))} pages in {folder / 'html'}/index.html")
