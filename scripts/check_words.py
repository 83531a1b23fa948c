#!/usr/bin/env python3
"""Counts words and sentences that gradyn's texts avoid; a count may only fall.

Usage: check_words.py [--write | --list PATTERN | --counts]

The rules are those of scripts/words.txt, and the limits of LONGEST on the words of a sentence. Counts per area,
folder and rule are compared with scripts/words-baseline.tsv. A count that rises is printed with its places, and the
exit status is 1. --write stores the counts that have fallen; it refuses if one has risen. --list prints every finding
whose rule matches PATTERN ("." for all), --counts the sums per area and page. docs/style.md describes the rules.
"""

from __future__ import annotations

import re
import sys
from collections import Counter, defaultdict
from pathlib import Path
from typing import Iterator, NamedTuple

ROOT = Path(__file__).resolve().parent.parent
RULES = ROOT / "scripts/words.txt"
BASELINE = ROOT / "scripts/words-baseline.tsv"
LONGEST = {"docs": 40, "messages": 25, "headers": 25}
PROSE = ("docs", "messages", "headers", "python")
SOURCES = ("core", "mbs", "dae", "adjoint", "optim", "report", "cli", "problems")
# whose private names change soon as a whole
RENAMED_SOON = {f"dae/{room}" for room in ("fixed", "onestep", "idas")} | {
    f"adjoint/{room}" for room in ("fixed", "onestep", "idas", "explicit", "radau")
}

TOKEN = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.S)
WORD = re.compile(r"[A-Za-z]+")
NAME = re.compile(r"[A-Za-z_]\w*")
# a name with a colon, as of a parameter ("rho [parameters]: "), begins a sentence, too
PARAMETER = r"[a-z]\w*(?:, \w+)*(?: \[[^]]*\])*: "
SENTENCE_END = re.compile(rf"(?<=[.!?])[\"')*]*\s+(?=[A-Z\"'(*]|gradyn |{PARAMETER})|\n\n")


class Text(NamedTuple):
    """A paragraph, a message, or a name; of a name, only the first use in a folder."""

    area: str
    path: str
    line: int
    text: str


class Rule(NamedTuple):
    name: str
    phrases: list[tuple[re.Pattern[str], re.Pattern[str]]]  # the first word, the whole
    instead: str
    areas: set[str]
    allowed: re.Pattern[str] | None


class Finding(NamedTuple):
    area: str
    path: str
    line: int
    rule: str
    instead: str

    def key(self) -> tuple[str, str, str]:
        return self.area, folder(self.path), self.rule


def folder(path: str) -> str:
    return "/".join(path.split("/")[:-1][:2]) or "."


# --- Texts of the tree ---------------------------------------------------------------------------


def split_source(source: str) -> tuple[list[tuple[int, str]], list[tuple[int, str]], str]:
    """Comments and strings, each with its line, and the code without them. Adjacent strings are one."""
    comments: list[tuple[int, str]] = []
    strings: list[tuple[int, str]] = []
    code: list[str] = []
    last, line = 0, 1
    for token in TOKEN.finditer(source):
        between = source[last : token.start()]
        line += between.count("\n")
        text = token.group()
        if text[0] == '"':
            if strings and code and code[-1] == '""' and not between.strip():
                strings[-1] = (strings[-1][0], strings[-1][1] + text[1:-1])
            else:
                strings.append((line, text[1:-1]))
        elif text[0] == "/":
            comments.append((line, text))
        code += [between] if between.strip() else []
        code.append('""' if text[0] == '"' else "\n" * text.count("\n"))
        line += text.count("\n")
        last = token.end()
    return comments, strings, "".join(code) + source[last:]


def names(area: str, path: str, code: str, seen: set[str]) -> Iterator[Text]:
    for name in sorted(set(NAME.findall(code)) - seen):
        seen.add(name)
        yield Text(area, path, 0, name)


def plain_comment(text: str) -> str:
    return re.sub(r"\n *\*", "\n", text.strip("/*"))


def header_texts() -> Iterator[Text]:
    seen: set[str] = set()
    for file in sorted(ROOT.glob("include/gradyn/*.h")):
        path = str(file.relative_to(ROOT))
        comments, _, code = split_source(file.read_text())
        for line, text in comments:
            yield Text("headers", path, line, re.sub(r"\n *\n", "\n\n", plain_comment(text)))
        yield from names("api", path, code, seen)


def source_texts() -> Iterator[Text]:
    seen: dict[str, set[str]] = defaultdict(set)
    for part in SOURCES:
        for file in sorted((ROOT / part).rglob("*.[ch]")):
            path = str(file.relative_to(ROOT))
            _, strings, code = split_source(re.sub(r"(?m)^#include.*", "", file.read_text()))
            for line, text in strings:
                if " " in text.strip():
                    yield Text("messages", path, line, text.replace("\\n", "\n\n"))
            if folder(path) not in RENAMED_SOON:
                yield from names("code", path, code, seen[folder(path)])


def paragraphs(area: str, path: str, lines: list[str]) -> Iterator[Text]:
    """Paragraphs, items of lists and cells of tables without displayed code and formulas; inline ones are one word each."""
    start, block, inside = 0, [], False
    for number, line in enumerate([*lines, ""], 1):
        fence = line.lstrip().startswith("```") or line.count("$$") % 2 == 1
        inside ^= fence
        if inside or fence or not line.strip() or re.match(r" *([*+-]|\d+\.|#+|\||>) *", line):
            if block:
                yield Text(area, path, start, "\n".join(block))
            block = []
            if inside or fence:
                continue
        line = re.sub(r"``[^`]+``|`[^`]*`|\$\$[^$]+\$\$|\$[^$]+\$", "Code", line)
        line = re.sub(r"\]\([^)]*\)", "]", line)
        if line.lstrip().startswith("|"):
            yield from (Text(area, path, number, cell) for cell in re.split(r"\||; ", line) if cell.strip())
        elif line.strip():
            start = start if block else number
            block.append(line)


def manual(path: str) -> list[str]:
    """The lines of a manual page; a request ends a paragraph."""
    lines: list[str] = []
    for line in (ROOT / path).read_text().split("\n"):
        text = re.sub(r"\\f.|\\&", "", re.sub(r"^\.[A-Za-z]+ ?", "", line)).replace("\\-", "-")
        lines.append("" if re.match(r"\.(Sh|Ss|Pp|It|Bl|El|\\\")", line) else text)
    return lines


def page_texts() -> Iterator[Text]:
    pages = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").rglob("*.md"))]
    for page in pages:
        path = str(page.relative_to(ROOT))
        text = page.read_text()
        if page.name == "CHANGELOG.md":  # what has been released is history
            text = "\n## ".join(text.split("\n## ")[:2])
        yield from paragraphs("docs", path, text.split("\n"))
    yield from paragraphs("docs", "docs/man/gradyn.1", manual("docs/man/gradyn.1"))


def python_texts() -> Iterator[Text]:
    for file in sorted((ROOT / "python/gradyn").glob("*.py")):
        if file.name == "_declarations.py":
            continue
        source = file.read_text()
        for match in re.finditer(r'""".*?"""|(?m:(?<!.)[^\n"]*?(#[^\n]*))', source, re.S):
            line = source.count("\n", 0, match.start()) + 1
            yield Text("python", str(file.relative_to(ROOT)), line, match.group(1) or match.group())


# --- Rules ---------------------------------------------------------------------------------------


def read_rules() -> list[Rule]:
    rules = []
    for number, line in enumerate(RULES.read_text().splitlines(), 1):
        if line.startswith("#") or not line:
            continue
        columns = [*line.split("\t"), ""]
        if len(columns) < 4:
            sys.exit(f"{RULES}:{number}: phrases, instead and areas are needed, with tabs between them")
        areas = {a for area in columns[2].split(",") for a in (PROSE if area == "prose" else (area,))}
        phrases = [
            (
                re.compile(phrase.split(" ")[0].split("(?!")[0], re.I),
                re.compile(f"(?:{phrase.replace(' ', chr(92) + 's+')})(?![A-Za-z]|-[A-Za-z])", re.I),
            )
            for phrase in re.split(r", (?![^(]*\))", columns[0])
        ]
        rules.append(Rule(columns[0], phrases, columns[1], areas, re.compile(columns[3], re.I) if columns[3] else None))
    return rules


class Matcher:
    """Finds phrases of rules; which rules begin with a word is looked up once per word."""

    def __init__(self, rules: list[Rule]) -> None:
        self.phrases = [(rule, first, whole) for rule in rules for first, whole in rule.phrases]
        self.any_first = re.compile("|".join(f"(?:{first.pattern})" for _, first, _ in self.phrases), re.I)
        self.known: dict[str, list[tuple[Rule, re.Pattern[str]]]] = {}

    def begun_by(self, word: str) -> list[tuple[Rule, re.Pattern[str]]]:
        if word not in self.known:
            listed = self.any_first.fullmatch(word) is not None
            self.known[word] = [(r, whole) for r, first, whole in self.phrases if listed and first.fullmatch(word)]
        return self.known[word]

    def find(self, text: Text) -> Iterator[Finding]:
        words = text.text.replace("_", " ") if text.area in ("api", "code") else text.text
        ends: dict[str, int] = {}  # of a rule, phrases that overlap are one finding
        for match in WORD.finditer(words):
            at = match.start()
            for rule, whole in self.begun_by(match.group().lower()):
                if text.area not in rule.areas or re.search(r"[A-Za-z]-$", words[max(0, at - 2) : at]):
                    continue
                hit = whole.match(words, at)
                if not hit or at < ends.get(rule.name, 0):
                    continue
                ends[rule.name] = hit.end()
                if not (rule.allowed and rule.allowed.search(words[max(0, at - 25) : hit.end() + 25])):
                    line = text.line + text.text.count("\n", 0, at)
                    yield Finding(text.area, text.path, line, rule.name, named(text) + "instead: " + rule.instead)


def named(text: Text) -> str:
    return f"in {text.text}; " if text.area in ("api", "code") else ""


def long_sentences(text: Text) -> Iterator[Finding]:
    longest = LONGEST.get(text.area)
    if not longest or len(text.text) < 2 * longest:
        return
    at = 0
    for end in [*(match.start() for match in SENTENCE_END.finditer(text.text)), len(text.text)]:
        count = sum(1 for word in text.text[at:end].split() if re.search(r"\w", word))
        if count > longest:
            begin = at + len(text.text[at:end]) - len(text.text[at:end].lstrip())
            line = text.line + text.text.count("\n", 0, begin)
            yield Finding(text.area, text.path, line, f"more than {longest} words", f"{count} words; split the sentence")
        at = end


def find_all() -> list[Finding]:
    matcher = Matcher(read_rules())
    found: list[Finding] = []
    for texts in (page_texts, header_texts, source_texts, python_texts):
        for text in texts():
            found += matcher.find(text)
            found += long_sentences(text)
    return found


# --- Counts --------------------------------------------------------------------------------------


def read_baseline() -> dict[tuple[str, str, str], int]:
    if not BASELINE.exists():
        return {}
    rows = [line.split("\t") for line in BASELINE.read_text().splitlines()]
    if any(len(row) != 4 or not row[3].isdigit() for row in rows):
        sys.exit(f"{BASELINE}: a line has not four columns. After a conflict, take one side and run --write.")
    return {(area, where, rule): int(count) for area, where, rule, count in rows}


def write_baseline(counts: Counter[tuple[str, str, str]]) -> None:
    BASELINE.write_text("".join(f"{area}\t{where}\t{rule}\t{counts[area, where, rule]}\n" for area, where, rule in sorted(counts)))


def print_counts(found: list[Finding]) -> None:
    kinds = ((f.area, f.rule if f.rule.startswith("more than ") else "listed words") for f in found)
    for (area, kind), count in sorted(Counter(kinds).items()):
        print(f"{count:6}  {area}: {kind}")
    for path, count in Counter(f.path for f in found if f.area == "docs").most_common():
        print(f"{count:6}  {path}")


def risen(found: list[Finding], baseline: dict[tuple[str, str, str], int]) -> int:
    """Prints the findings of each count that is above its baseline; returns how many counts are."""
    groups: dict[tuple[str, str, str], list[Finding]] = defaultdict(list)
    for finding in found:
        groups[finding.key()].append(finding)
    above = {key: group for key, group in groups.items() if len(group) > baseline.get(key, 0)}
    for key, group in sorted(above.items()):
        print(f"{key[1]}: {len(group)} times \"{key[2]}\" in {key[0]}, at most {baseline.get(key, 0)}:")
        for finding in group:
            print(f"  {finding.path}{f':{finding.line}' if finding.line else ''}: {finding.instead}")
    return len(above)


def main(arguments: list[str]) -> int:
    found = find_all()
    if arguments[:1] == ["--list"] and len(arguments) == 2:
        for finding in found:
            if re.search(arguments[1], finding.rule) or re.search(arguments[1], finding.path):
                print(f"{finding.path}:{finding.line}: {finding.area}: \"{finding.rule}\": {finding.instead}")
        return 0
    if arguments == ["--counts"]:
        print_counts(found)
        return 0
    if arguments not in ([], ["--write"]):
        print(__doc__)
        return 2
    if BASELINE.exists() and risen(found, read_baseline()):
        return 1
    if arguments:
        write_baseline(Counter(finding.key() for finding in found))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
