#!/usr/bin/env python3
"""Rewrites C and Python sources from the names of gradyn 0.2 to those of 1.0, by the table names.tsv.

    migrate.py [--dry-run] [--comments] FILE...

Identifiers of C change where they are tokens of the source, not in strings and comments. A member changes
after `.` or `->` and in a designated initialiser, where the type of the struct follows from a declaration
of the file or from the headers. Methods and keyword arguments change in Python files, notebooks included.
Options of the command change in shell scripts. Members of JSON files that Python reads are listed.
The exit status is 0 if no work is left, 1 if the output lists places to change by hand, and 2 on errors."""

from __future__ import annotations

import argparse
import difflib
import io
import json
import re
import sys
import tokenize
from pathlib import Path
from typing import Callable, Iterable, Optional

HERE = Path(__file__).resolve().parent
C_FILES = {".c", ".h", ".cc", ".cpp", ".cxx", ".hpp"}
PYTHON_FILES = {".py", ".pyi"}
SHELL_FILES = {".sh", ".bash"}
Edit = tuple[int, int, str]  # from, to, new text
Left = tuple[int, str]  # position, later line of the rewritten file, and reason


class Table:
    """The rows of names.tsv."""

    def __init__(self, path: Path) -> None:
        self.rows = [
            (line.rstrip("\n").split("\t") + ["", "", ""])[:4]
            for line in path.read_text().splitlines()
            if line.strip() and not line.startswith("#")
        ]
        self.types = self.of("type")
        self.names = {**self.of("function"), **self.types, **self.of("enumerator"), **self.of("macro")}
        self.headers = self.of("header")
        self.members: dict[tuple[str, str], str] = {}
        for old, new in self.of("member").items():
            struct, member = old.split(".")
            self.members[self.types.get(struct, struct), member] = new
        self.methods = self.of("method")
        self.attributes = self.of("attribute")
        self.hints = {row[1]: row[3].removeprefix("with ") for row in self.rows if row[0] == "attribute"}
        self.distinct = {row[1] for row in self.rows if row[3] == "any receiver"}
        self.python = self.of("python")
        self.arguments = {tuple(old.split(".")): new for old, new in self.of("argument").items()}
        self.json = {old: new for old, new in self.of("json").items() if "." not in old}
        self.options = self.of("option")
        self.option = re.compile(r"(?<![\w-])--(" + "|".join(self.options) + r")(?![\w-])")
        self.calls, self.python_calls = self.arity("call"), self.arity("pycall")
        self.by_hand = {row[1]: row[3] for row in self.rows if row[0] == "hand"}
        self.python_by_hand = {row[1]: row[3] for row in self.rows if row[0] == "pyhand"}
        words = sorted([*self.names, *{name for name, _ in self.calls}], key=len, reverse=True)
        self.words = re.compile(r"\b(" + "|".join(words) + r")\b")

    def of(self, kind: str) -> dict[str, str]:
        return {row[1]: row[2] for row in self.rows if row[0] == kind}

    def arity(self, kind: str) -> dict[tuple[str, int], str]:
        """New calls by the old name and the number of arguments."""
        found = {}
        for old, new in self.of(kind).items():
            name, given = re.fullmatch(r"(\w+)\((.*)\)", old).groups()
            found[name, len(given.split(","))] = new
        return found

    def named(self, name: str) -> str:
        """The new name of a function, for texts: of calls with other arguments, too."""
        if name in self.names:
            return self.names[name]
        return next(new for (old, _), new in self.calls.items() if old == name).split("(")[0]

    def text(self, text: str) -> str:
        return self.shell(self.words.sub(lambda m: self.named(m[0]), text))

    def shell(self, text: str) -> str:
        """A text whose command lines have the present options."""
        return self.option.sub(lambda m: "--" + self.options[m[1]], text) if "gradyn" in text else text


def by_lines(text: str, left: Iterable[Left]) -> list[Left]:
    """Places with lines instead of positions. Edits after this keep the number of lines."""
    return [(text.count("\n", 0, max(position, 0)) + 1, reason) for position, reason in left]


def applied(text: str, edits: Iterable[Edit]) -> str:
    for start, end, new in sorted(set(edits), reverse=True):
        text = text[:start] + new + text[end:]
    return text


# --- C -------------------------------------------------------------------------------------------------

TOKEN = re.compile(
    r"""(?P<comment>/\*.*?\*/|//[^\n]*)|(?P<include>\#[ \t]*include[^\n]*)|(?P<string>"(?:\\.|[^"\\\n])*")
    |(?P<char>'(?:\\.|[^'\\\n])*')|(?P<name>[A-Za-z_]\w*)|(?P<number>\.?\d(?:[eEpP][+-]|[\w.])*)
    |(?P<punct>->|\.\.\.|\#\#|[^\s\w\\])""",
    re.S | re.X,
)
NOT_TYPES = set("return sizeof else goto case typedef struct enum union const static extern do".split())
BUILTIN = set("void char int long short unsigned signed float double bool _Bool size_t FILE".split())
PROBLEMS = {"GRADYN_PROBLEM", "GRADYN_PROBLEM_WITHOUT_PARAMS", "GRADYN_PROBLEM_OF"}
SIZED = {
    "gradyn_problem": "Begin it with GRADYN_PROBLEM_SIZES, .ids_from_0 = true",
    "gradyn_options": "Fill it by gradyn_options_default(), then set members",
    "gradyn_search": "Fill it by gradyn_search_default(), then set members",
}
FLAGS = {"has_signal", "measures_other"}  # members that have gone: 0 stands for none
BY_NUMBERS = {"pos", "vel", "acc", "lam", "u"}  # arrays of callbacks that numbers of objects index
COUNTED = "numbers of objects count from 1, and entry 0 is NAN; in lists, and from at->y, indices count from 0"
QUALIFIERS = {"const", "struct", "static", "volatile", "restrict", "*", "extern", "_Atomic"}


class Token:
    __slots__ = ("kind", "text", "at")

    def __init__(self, kind: str, text: str, at: int) -> None:
        self.kind, self.text, self.at = kind, text, at

    def edit(self, new: str) -> Edit:
        return self.at, self.at + len(self.text), new


def tokens_of(text: str) -> list[Token]:
    return [Token(str(m.lastgroup), m[0], m.start()) for m in TOKEN.finditer(text)]


class Structs:
    """Members of structs with their types, all by their new names."""

    def __init__(self, table: Table) -> None:
        self.table, self.members, self.returns = table, {}, {}
        self.keeps: set[str] = set()  # names of members that do not change in some struct

    def type(self, name: str) -> str:
        return self.table.types.get(name, name)

    def member(self, struct: str, name: str) -> str:
        return self.table.members.get((struct, name), name)

    def read(self, tokens: list[Token]) -> list[Edit]:
        """Takes the definitions of structs in a file; returns the changes of their members."""
        edits: list[Edit] = []
        code = [t for t in tokens if t.kind not in ("comment", "include")]
        for i, token in enumerate(code):
            if token.text == "struct" and i + 2 < len(code):
                named = code[i + 1].kind == "name"
                opening = i + 2 if named else i + 1
                if code[opening].text == "{":
                    edits += self._struct(code, code[i + 1].text if named else "", opening)
            elif token.text == "(" and i > 1 and code[i - 1].kind == "name":
                before = code[i - 2].text if code[i - 2].text != "*" else code[i - 3].text
                if re.fullmatch(r"[A-Za-z_]\w*", before) and before not in NOT_TYPES:
                    self.returns.setdefault(code[i - 1].text, self.type(before))
        return edits

    def _struct(self, code: list[Token], name: str, opening: int) -> list[Edit]:
        closing = matching(code, opening)
        typedef = code[opening - 2 if code[opening - 1].text == "struct" else opening - 3].text == "typedef"
        if not name:
            name = code[closing + 1].text if typedef and closing + 1 < len(code) else unnamed(code, opening, closing)
        struct, edits = self.type(name), []
        known = self.members.setdefault(struct, {})
        start = opening + 1
        while start < closing:
            end = start
            while end < closing and code[end].text != ";":
                end = matching(code, end) if code[end].text in "([{" else end
                end += 1
            kind, names = declared(code[start:end])
            for token in names:
                new = self.member(struct, token.text)
                known[new] = self.type(kind)
                if new != token.text:
                    edits.append(token.edit(new))
                elif (struct, token.text) not in self.table.members:
                    self.keeps.add(token.text)
            start = end + 1
        return edits


def matching(code: list[Token], opening: int) -> int:
    """Index of the bracket that closes the one at `opening`."""
    depth = 0
    for i in range(opening, len(code)):
        if code[i].text in ("(", "[", "{"):
            depth += 1
        elif code[i].text in (")", "]", "}"):
            depth -= 1
            if not depth:
                return i
    return len(code) - 1


def opened(code: list[Token], closing: int) -> int:
    """Index of the bracket that `closing` closes."""
    depth = 0
    for i in range(closing, -1, -1):
        if code[i].text in (")", "]", "}"):
            depth += 1
        elif code[i].text in ("(", "[", "{"):
            depth -= 1
            if not depth:
                return i
    return 0


def unnamed(code: list[Token], opening: int, closing: int) -> str:
    """A name for a struct without one."""
    return "struct " + " ".join(t.text for t in code[opening : closing + 1])


def declared(code: list[Token]) -> tuple[str, list[Token]]:
    """The type and the names of a declaration of members."""
    names, depth, pointer = [], 0, False
    kind = ""
    for i, token in enumerate(code):
        following = code[i + 1].text if i + 1 < len(code) else ";"
        if token.kind == "name" and not depth and not kind and token.text not in QUALIFIERS:
            kind = token.text
        elif token.text == "(" and following == "*" and not pointer and not depth:
            pointer = True
            names += [t for t in code[i + 1 :][:3] if t.kind == "name"][:1]  # (*name)(...), (*name)[n]
        if token.text in ("(", "[", "{"):
            depth += 1
        elif token.text in (")", "]", "}"):
            depth -= 1
        elif token.kind == "name" and not depth and following in (",", ";", "[") and not pointer:
            names.append(token)
    return kind, names


class CFile:
    """One source of C: follows the types of variables, and changes members by them."""

    def __init__(self, tokens: list[Token], structs: Structs) -> None:
        self.code = [t for t in tokens if t.kind not in ("comment", "include")]
        self.structs, self.table = structs, structs.table
        self.scopes: list[dict[str, str]] = [{}]
        self.pending: dict[str, str] = {}  # parameters of a function before its body
        self.braces: list[Optional[str]] = []  # types of initialisers; None: no initialiser
        self.offsets: dict[str, str] = {}  # macros for offsetof(): their structs
        self.edits: list[Edit] = []
        self.left: list[Left] = []

    def known(self, name: str) -> bool:
        new = self.structs.type(name)
        return new in self.structs.members or bool(re.fullmatch(r"gradyn_\w+|\w+_t", name)) or name in BUILTIN

    def run(self) -> None:
        for i, token in enumerate(self.code):
            if token.text == "{":
                self.open(i)
            elif token.text == "}":
                self.close()
            elif token.text == ";" and len(self.scopes) == 1:
                self.pending = {}
            elif token.kind == "name":
                self.declaration(i)
                self.after_struct(i)
                self.offset(i)
                if i and self.code[i - 1].text in (".", "->"):
                    self.change(i)

    def open(self, i: int) -> None:
        kind = self.initialised(i)
        self.braces.append(kind)
        if kind is None:
            self.scopes.append(self.pending)
            self.pending = {}

    def close(self) -> None:
        if self.braces and self.braces.pop() is None and len(self.scopes) > 1:
            self.scopes.pop()

    def initialised(self, i: int) -> Optional[str]:
        """The type that the brace at i initialises; "" if unknown; None if it is no initialiser."""
        code, before = self.code, self.code[i - 1].text if i else ""
        if before == ")":
            inside = code[opened(code, i - 1) + 1 : i - 1]
            names = [t.text for t in inside if t.kind == "name" and t.text not in QUALIFIERS]
            plain = all(t.kind in ("name", "number") or t.text in "*[]" for t in inside)
            if len(names) >= 1 and plain and (self.known(names[0]) or names[0].startswith("struct")):
                called = opened(code, i - 1) - 1
                if called < 0 or code[called].kind != "name" or code[called].text in ("return", "sizeof"):
                    return self.structs.type(names[0]) + "[]" * any(t.text == "[" for t in inside)
            return None
        if before == "=":
            j = i - 2
            while code[j].text == "]":
                j = opened(code, j) - 1
            if code[j].kind != "name":
                return (self.braces[-1] or "").removesuffix("[]") if self.braces else ""  # [k] = {
            if code[j - 1].text == ".":
                return self.member_type(self.base(j - 1), code[j].text) or ""
            return self.variable(code[j].text) or ""
        if before in ("{", ",") and self.braces and self.braces[-1] is not None:
            return self.nth(i)
        return None

    def variable(self, name: str) -> Optional[str]:
        """The type of a variable, with [] if it is an array."""
        for scope in [self.pending, *reversed(self.scopes)]:
            if name in scope:
                return scope[name]
        return None

    def nth(self, i: int) -> str:
        """The type that the brace at i fills by its position in the braces around it."""
        around = self.braces[-1] or ""
        if around.endswith("[]") or around not in self.structs.members:
            return around.removesuffix("[]")
        depth, place, j = 0, 0, i - 1
        while depth >= 0:
            depth += (self.code[j].text in (")", "]", "}")) - (self.code[j].text in ("(", "[", "{"))
            place += self.code[j].text == "," and not depth
            j -= 1
        kinds = list(self.structs.members[around].values())
        return kinds[place] if place < len(kinds) else ""

    def declaration(self, i: int) -> None:
        """Notes the variables that a type at i declares."""
        code = self.code
        name = code[i].text
        if name in NOT_TYPES or (i and code[i - 1].text in (".", "->")):
            return
        j, stars = i + 1, False
        if i > 1 and code[i - 1].text == "(" and code[j].text == ")" and code[i - 2].text.isupper():
            j += 1  # MACRO(type) name
        while j < len(code) and code[j].text in QUALIFIERS:
            stars = stars or code[j].text == "*"
            j += 1
        if j >= len(code) or code[j].kind != "name" or (stars and not self.known(name)):
            return
        while j + 1 < len(code) and code[j].kind == "name" and code[j + 1].text in (",", ";", "=", ")", "[", "{"):
            self.declare(code[j].text, name + "[]" * (code[j + 1].text == "["), i)
            k = j + 1
            while code[k].text == "[":
                k = matching(code, k) + 1
            while code[k].text not in (",", ";", ")", "}") and k + 1 < len(code):  # the initial value
                k = (matching(code, k) if code[k].text in ("(", "[", "{") else k) + 1
            if code[k].text != "," or k + 1 >= len(code):
                return
            j = k + 1
            while j < len(code) and code[j].text == "*":
                j += 1
            if j + 1 < len(code) and (code[j + 1].kind == "name" or code[j + 1].text == "*"):
                return  # the next parameter

    def after_struct(self, i: int) -> None:
        """Notes the variables that a definition of a struct declares: struct { ... } name;"""
        code, j = self.code, i - 1
        while j >= 0 and code[j].text in QUALIFIERS:
            j -= 1
        if j < 0 or code[j].text != "}" or i + 1 >= len(code) or code[i + 1].text not in (",", ";", "=", "["):
            return
        start = opened(code, j) - 1
        if code[start].kind == "name" and code[start].text not in ("struct", "union", "enum"):
            start -= 1
        if code[start].text in ("struct", "union"):
            named = code[start + 1].kind == "name"
            kind = code[start + 1].text if named else unnamed(code, start + 1, j)
            self.declare(code[i].text, kind + "[]" * (code[i + 1].text == "["), i)

    def declare(self, name: str, kind: str, i: int) -> None:
        kind = self.structs.type(kind.removesuffix("[]")) + ("[]" if kind.endswith("[]") else "")
        if len(self.scopes) == 1 and not self.braces:
            self.pending[name] = kind
            self.scopes[0][name] = kind
        elif self.nested(i):
            self.pending[name] = kind
        else:
            self.scopes[-1][name] = kind

    def nested(self, i: int) -> bool:
        return self.code[i - 1].text == "(" and i > 1 and self.code[i - 2].text == "for"

    def member_type(self, struct: Optional[str], member: str) -> Optional[str]:
        if not struct:
            return None
        return self.structs.members.get(struct, {}).get(self.structs.member(struct, member))

    def base(self, k: int) -> Optional[str]:
        """The struct of the expression before the `.` or `->` at k; None if it is not known."""
        code, j = self.code, k - 1
        if code[k].text == "." and (j < 0 or code[j].text in ("{", ",", "(")):
            return self.designated(j)
        while j >= 0 and code[j].text == "]":
            j = opened(code, j) - 1
        if code[k].text == "." and code[j].text in ("{", ","):
            return self.designated(j)  # [k].member =
        if j >= 0 and code[j].text == ")":
            start = opened(code, j)
            if start and code[start - 1].kind == "name" and code[start - 1].text not in ("return", "sizeof"):
                return self.structs.returns.get(code[start - 1].text)
            inside = code[start + 1 : j]
            if inside and inside[0].text == "(":  # ((type *)x)->member
                names = [t.text for t in inside[1:] if t.kind == "name" and t.text not in QUALIFIERS]
                return self.structs.type(names[0]) if names and self.known(names[0]) else None
            if inside and inside[0].text in "*&" and inside[-1].kind == "name":
                return self.primary(j - 1)
            return None
        return self.primary(j)

    def designated(self, j: int) -> Optional[str]:
        """The struct that an initialiser before j fills; MACRO(type, .member = ...) fills one, too."""
        depth = 0
        while j >= 0 and depth >= 0:
            depth += (self.code[j].text in (")", "]", "}")) - (self.code[j].text in ("(", "[", "{"))
            j -= 1
        if j >= 0 and self.code[j + 1].text == "(" and self.code[j].text.isupper():
            first = self.structs.type(self.code[j + 2].text)
            return "gradyn_problem" if self.code[j].text in PROBLEMS else first if self.known(first) else None
        return (self.braces[-1] or "").removesuffix("[]") or None if self.braces else None

    def offset(self, i: int) -> None:
        """Changes the member in offsetof(struct, member), and in MACRO(member) that stands for it."""
        code = self.code
        if code[i].text == "offsetof" and i + 4 < len(code):
            struct, member = self.structs.type(code[i + 2].text), code[i + 4]
            self.edits.append(member.edit(self.structs.member(struct, member.text)))
            for k in range(max(i - 40, 0), i - 3):
                if code[k].text == "define" and code[k + 3].text == member.text:
                    self.offsets[code[k + 1].text] = struct
        elif code[i].text in self.offsets and i + 2 < len(code):
            self.edits.append(code[i + 2].edit(self.structs.member(self.offsets[code[i].text], code[i + 2].text)))

    def primary(self, j: int) -> Optional[str]:
        code = self.code
        if j < 0 or code[j].kind != "name":
            return None
        if j and code[j - 1].text in (".", "->"):
            return self.member_type(self.base(j - 1), code[j].text)
        kind = self.variable(code[j].text)
        return kind.removesuffix("[]") if kind is not None else None

    def change(self, i: int) -> None:
        """Changes the member at i, or notes that somebody has to."""
        name = self.code[i].text
        news = {new for (_, old), new in self.table.members.items() if old == name}
        if not news:
            return
        struct = self.base(i - 1)
        if struct is not None:
            new = self.structs.member(struct, name)
            if new != name:
                self.edits.append(self.code[i].edit(new))
            return
        if len(news) == 1 and name not in self.structs.keeps:
            self.edits.append(self.code[i].edit(news.pop()))
        else:
            owners = sorted({struct for struct, old in self.table.members if old == name})
            self.left.append((self.code[i].at, f"member {name}: {' or '.join(sorted(news))} if of {', '.join(owners)}"))


def arguments_of(code: list[Token], opening: int) -> list[tuple[int, int]]:
    """Indices of the first and after the last token of each argument."""
    closing, given, start, depth = matching(code, opening), [], opening + 1, 0
    for i in range(opening + 1, closing + 1):
        if code[i].text in ("(", "[", "{"):
            depth += 1
        elif code[i].text in (")", "]", "}") and i < closing:
            depth -= 1
        if (code[i].text == "," and not depth) or i == closing:
            given.append((start, i))
            start = i + 1
    return given if closing > opening + 1 else []


def filled(new: str, parts: list[str]) -> str:
    """A new call, with the arguments of the old one for their numbers. 1.0 is the number 1, 2.0 the number 2."""
    name, rest = new.split("(", 1)

    def part(m: re.Match[str]) -> str:
        return parts[int(m[2]) - 1] if m[2] else m[1]

    return name + decided(re.sub(r"(?<![\w.])(?:([12])\.0|([1-9]\d*)(?=[,)}]))", part, "(" + rest))


SPEC = re.compile(r"&\s*\((?:const\s+)?gradyn_custom_functional_spec\)\s*\{(.*)\}", re.S)


def measured(new: str, parts: list[str]) -> Optional[str]:
    """A call with the names and measures of specs; None if a spec is not written in place."""
    for m in set(re.findall(r"MEASURE(\d)", new)):
        spec = SPEC.fullmatch(parts[int(m) - 1])
        if not spec:
            return None
        named = re.search(r"\.name\s*=\s*", spec[1])
        start = spec[1][named.end() :] if named else spec[1]
        code = tokens_of("(" + start + ")")
        name = start[: code[arguments_of(code, 0)[0][1]].at - 1].strip()
        members = re.sub(r"\.(integrand|terminal)\b", ".formula", spec[1]).strip().rstrip(",")
        measure = f"&(gradyn_custom_measure_spec){{{members}, .hidden = true}}"
        new = new.replace(f"NAME{m}", name).replace(f"MEASURE{m}", measure)
    return new


def decided(call: str) -> str:
    """A call without conditions on numbers, and without times and targets that are 0."""
    call = re.sub(r"\(([\d.]+)\) != 0 \? (\w+) : (\w+)", lambda m: m[2] if float(m[1]) else m[3], call)
    call = re.sub(r'("[\w-]+") if \(([\d.]+)\) else ("[\w-]+")', lambda m: m[1] if float(m[2]) else m[3], call)
    call = re.sub(r"\(([\w.]+(?:\[\w+\])?)\)(?= != 0 \?)", r"\1", call)
    call = re.sub(r"-\(([\w.]+)\)", r"-\1", call)
    return re.sub(r",\s+\.?(?:time ?= ?[0.]+|target = \{[0., ]+\}|target=\([0., ]+\))(?=[,})])", "", call)


def rewritten_calls(text: str, table: Table) -> str:
    """Calls whose arguments change, one after the other."""
    done = False
    while not done:
        done = True
        code = [t for t in tokens_of(text) if t.kind not in ("comment", "include")]
        for i, token in enumerate(code[:-1]):
            if not any(name == token.text for name, _ in table.calls) or code[i + 1].text != "(":
                continue
            given = arguments_of(code, i + 1)
            new = table.calls.get((token.text, len(given)))
            if new is None:
                continue
            parts = [text[code[a].at : code[b].at].strip() for a, b in given]
            call = measured(filled(new, parts), parts)
            if call is None:
                continue
            end = code[matching(code, i + 1)].at + 1
            text, done = text[: token.at] + call + text[end:], False
            break
    return text


def unsized(tokens: list[Token]) -> list[Left]:
    """Initialisers of structs that record their size, without that size."""
    code, left = [t for t in tokens if t.kind != "comment"], []
    for i, token in enumerate(code[:-4]):
        texts = [t.text for t in code[i + 1 : i + 5]]
        started = texts[1:3] == ["=", "{"] or texts[:2] == [")", "{"]
        if token.text in SIZED and started and "GRADYN_PROBLEM_SIZES" not in texts:
            left.append((token.at, f"{token.text}: it records its size. {SIZED[token.text]}"))
    return left


def without_flags(code: list[Token]) -> tuple[list[Edit], list[Left]]:
    """Deletes members that state whether others are used. Numbers then count from 1: lists what they index."""
    edits: list[Edit] = []
    left: list[Left] = []
    for i, token in enumerate(code):
        if token.text in FLAGS and code[i - 1].text == "." and [t.text for t in code[i + 1 : i + 3]] == ["=", "true"]:
            after = code[i + 3]
            end = code[i + 4].at if after.text == "," else after.at
            edits.append((code[i - 1].at, end, ""))
        elif token.text in FLAGS and code[i - 1].text in (".", "->"):
            left.append((token.at, f"member {token.text}: it has gone; 0 in the next member stands for none"))
        elif token.text in BY_NUMBERS and code[i - 1].text == "->":
            left.append((token.at, f"{token.text}: {COUNTED}"))
    return edits, left


def numbered(tokens: list[Token], old: bool) -> tuple[list[Edit], list[Left]]:
    """Numbers of objects count from 0 in problems of 0.2, and go on to do so by a member of the problem."""
    code = [t for t in tokens if t.kind != "comment"]
    if any(t.text in FLAGS for t in code):
        return without_flags(code)
    if not old or any(t.text == "ids_from_0" for t in code):
        return [], []
    edits = []
    for i, token in enumerate(code):
        if token.text in PROBLEMS and code[i + 1].text == "(" and i + 3 < len(code) and code[i + 3].text == ",":
            comma = code[i + 3].at
            edits.append((comma, comma + 1, ", .ids_from_0 = true,"))
    return edits, []


def c_migrated(text: str, table: Table, structs: Structs, comments: bool) -> tuple[str, list[Left]]:
    text = rewritten_calls(text, table)
    tokens = tokens_of(text)
    file = CFile(tokens, structs)
    file.run()
    edits = file.edits + Structs.read(structs, tokens)
    left = [*file.left, *unsized(tokens)]
    called = {name for name, _ in table.calls if table.named(name) != name}
    for token in tokens:
        if token.kind == "name" and token.text in table.names:
            edits.append(token.edit(table.names[token.text]))
        elif token.kind == "name" and token.text in called:
            left.append((token.at, f"{token.text}: its arguments change, see {table.named(token.text)}()"))
        elif token.kind == "name" and token.text in table.by_hand:
            left.append((token.at, f"{token.text}: {table.by_hand[token.text]}"))
        elif token.kind == "include":
            edits.append(token.edit(included(token.text, table)))
        elif token.kind in ("comment", "string") and comments:
            edits.append(token.edit(table.text(token.text)))
    edits = [e for e in edits if text[e[0] : e[1]] != e[2]]
    more, listed = numbered(tokens, bool(edits))
    return applied(text, edits + more), by_lines(text, left + listed)


def included(line: str, table: Table) -> str:
    found = re.search(r"gradyn/(\w+\.h)", line)
    return line.replace(found[0], f"gradyn/{table.headers[found[1]]}") if found and found[1] in table.headers else line


# --- Python --------------------------------------------------------------------------------------------


def python_tokens(text: str) -> tuple[list[tokenize.TokenInfo], Callable[[tuple[int, int]], int]]:
    """The tokens of a source, and a function that returns the index of a position in the text."""
    starts = [0]
    for line in text.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    layout = (tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT)
    tokens = [t for t in tokenize.generate_tokens(io.StringIO(text).readline) if t.type not in layout]
    return tokens, lambda place: starts[place[0] - 1] + place[1]


def python_calls(text: str, table: Table) -> str:
    """Calls of methods and functions of the package whose arguments change, one after the other."""
    done = not any(name in text for name, _ in table.python_calls)
    while not done:
        done = True
        tokens, at = python_tokens(text)
        code = [Token("", token.string, at(token.start)) for token in tokens if token.type != tokenize.COMMENT]
        for i, token in enumerate(code[:-1]):
            if not any(name == token.text for name, _ in table.python_calls) or code[i + 1].text != "(":
                continue
            given = arguments_of(code, i + 1)
            new = table.python_calls.get((token.text, len(given)))
            before = code[i - 1].text if i else ""
            if new is None or before == "def" or not ("_" in token.text or before == "."):
                continue
            owner = code[i - 2].text if i > 1 else ""
            if "self." in new and (not owner.isidentifier() or code[i - 3].text == "."):
                continue
            parts = [text[code[a].at : code[b].at].strip() for a, b in given]
            end = code[matching(code, i + 1)].at + 1
            text, done = text[: token.at] + filled(new.replace("self.", owner + "."), parts) + text[end:], False
            break
    return text


def python_migrated(text: str, table: Table, comments: bool) -> tuple[str, list[Left]]:
    text = python_calls(text, table)
    tokens, at = python_tokens(text)
    imported = imports(tokens)
    uses = any(token.string == "gradyn" for token in tokens)
    models = first_parameters(tokens) | {"m", "mbs", "model", "mechanism"}
    edits: list[Edit] = []
    left: list[Left] = []
    for i, token in enumerate(tokens):
        here, before = at(token.start), tokens[i - 1].string if i else ""
        if token.type in (tokenize.STRING, tokenize.COMMENT) and comments:
            edits.append((here, at(token.end), table.text(token.string)))
        if token.type == tokenize.STRING and before == "[" and uses and token.string[1:-1] in table.json:
            left.append((here, f"key {token.string}: {table.json[token.string[1:-1]]} if of a file of gradyn"))
        if token.type != tokenize.NAME:
            continue
        name, following = token.string, tokens[i + 1].string if i + 1 < len(tokens) else ""
        if name in table.names:
            edits.append((here, at(token.end), table.names[name]))
        elif name in table.python and (name in imported or (before == "." and tokens[i - 2].string == "gradyn")):
            edits.append((here, at(token.end), table.python[name]))
        elif before == "." and following == "(":
            edits += keywords(tokens, i, table, at)
            if name in table.methods and ("_" in name or name in table.distinct or tokens[i - 2].string in models):
                edits.append((here, at(token.end), table.methods[name]))
            elif name in table.methods:
                left.append((here, f"method {name}: {table.methods[name]} if of a model or a problem"))
            elif name in table.python_by_hand and uses:
                left.append((here, f"method {name}: {table.python_by_hand[name]}"))
        elif before == "." and name in table.methods and name in table.distinct and uses:
            edits.append((here, at(token.end), table.methods[name]))
        elif before == "." and name in table.attributes and uses:
            if name in table.distinct:
                edits.append((here, at(token.end), table.attributes[name]))
            elif any(token.string == table.hints[name] for token in tokens):
                left.append((here, f"attribute {name}: {table.attributes[name]} if of a result of gradyn"))
    return applied(text, [e for e in edits if text[e[0] : e[1]] != e[2]]), by_lines(text, left)


def imports(tokens: list[tokenize.TokenInfo]) -> set[str]:
    """Names that the file takes from gradyn or defines as classes of the package."""
    found, i = set(), 0
    while i < len(tokens):
        if tokens[i].string == "from" and i + 1 < len(tokens):
            own = tokens[i + 1].string in ("gradyn", ".", "..")
            line = tokens[i].line
            i += 1
            while i < len(tokens) and tokens[i].string != "import" and tokens[i].line == line:
                i += 1
            depth = 0
            i += 1
            while i < len(tokens) and (depth or tokens[i].line == line):
                depth += (tokens[i].string == "(") - (tokens[i].string == ")")
                if own and tokens[i].type == tokenize.NAME:
                    found.add(tokens[i].string)
                i += 1
        else:
            i += 1
    return found


def first_parameters(tokens: list[tokenize.TokenInfo]) -> set[str]:
    return {
        tokens[i + 3].string
        for i in range(len(tokens) - 3)
        if tokens[i].string == "def" and tokens[i + 2].string == "(" and tokens[i + 3].string != "self"
    }


def keywords(tokens: list[tokenize.TokenInfo], i: int, table: Table, at: Callable[..., int]) -> list[Edit]:
    """Keyword arguments of the method at i that have other names."""
    edits, depth = [], 0
    for k in range(i + 1, len(tokens) - 1):
        text = tokens[k].string
        depth += (text in "([{") - (text in ")]}") if len(text) == 1 else 0
        if not depth:
            break
        new = table.arguments.get((tokens[i].string, text))
        if new and depth == 1 and tokens[k + 1].string == "=" and tokens[k - 1].string in ("(", ","):
            edits.append((at(tokens[k].start), at(tokens[k].end), new))
    return edits


# --- Files ---------------------------------------------------------------------------------------------


def notebook_migrated(text: str, table: Table, comments: bool) -> tuple[str, list[Left]]:
    book, left = json.loads(text), []
    for cell in book.get("cells", []):
        source = "".join(cell["source"])
        if cell["cell_type"] == "code":
            new, of_cell = python_migrated(source, table, comments)
            left += by_lines(text, [(text.find(r.split(":")[0].split()[-1]), r) for _, r in of_cell])
        else:
            new = table.text(source) if comments else source
        if new != source:
            for old_line, new_line in zip(source.splitlines(), new.splitlines()):
                if old_line != new_line:  # the rest of the file keeps its bytes
                    old = json.dumps(old_line, ensure_ascii=False)[1:-1]
                    text = text.replace(old, json.dumps(new_line, ensure_ascii=False)[1:-1])
    return text, left


def text_migrated(text: str, table: Table, structs: Structs, suffix: str) -> tuple[str, list[Left]]:
    """Pages and other texts: the sources that they show, and names in sentences."""
    if suffix == ".md":

        def shown(block: re.Match[str]) -> str:
            try:
                if block[1] == "python":
                    return f"```{block[1]}\n{python_migrated(block[2], table, True)[0]}```"
                return f"```{block[1]}\n{c_migrated(block[2], table, structs, True)[0]}```"
            except (tokenize.TokenError, IndentationError, SyntaxError):
                return block[0]

        text = re.sub(r"```(c|python)\n(.*?)```", shown, text, flags=re.S)
    return table.text(text), []


def migrated(path: Path, text: str, table: Table, structs: Structs, comments: bool) -> tuple[str, list[Left]]:
    if path.suffix in C_FILES:
        return c_migrated(text, table, structs, comments)
    if path.suffix in PYTHON_FILES:
        return python_migrated(text, table, comments)
    if path.suffix in SHELL_FILES:
        return table.shell(text), []
    if path.suffix == ".ipynb":
        return notebook_migrated(text, table, comments)
    return text_migrated(text, table, structs, path.suffix) if comments else (text, [])


def found(*candidates: Path) -> Path:
    return next((path for path in candidates if path.exists()), candidates[0])


def headers_of() -> list[Path]:
    folder = found(HERE.parent / "include" / "gradyn", HERE.parents[1] / "include" / "gradyn")
    return sorted(folder.glob("*.h"))


def main() -> int:
    options = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    options.add_argument("--dry-run", action="store_true", help="print the changes as a unified diff and write no file")
    options.add_argument("--comments", action="store_true", help="change comments, strings and texts, too")
    options.add_argument("--table", type=Path, default=HERE / "names.tsv", help=argparse.SUPPRESS)
    options.add_argument("files", nargs="+", type=Path, metavar="FILE")
    chosen = options.parse_args()
    table = Table(chosen.table)
    structs, texts, errors, remaining = Structs(table), {}, 0, 0
    for path in chosen.files:
        try:
            texts[path] = path.read_bytes().decode("utf-8")
        except (OSError, UnicodeDecodeError) as error:
            print(f"{path}: {error}", file=sys.stderr)
            errors += 1
    for path in [*headers_of(), *(p for p in texts if p.suffix in C_FILES)]:
        structs.read(tokens_of(texts[path] if path in texts else path.read_text()))
    for path, text in texts.items():
        try:
            new, left = migrated(path, text, table, structs, chosen.comments)
        except (tokenize.TokenError, SyntaxError, ValueError) as error:
            print(f"{path}: not changed: {error}", file=sys.stderr)
            errors += 1
            continue
        if new != text and chosen.dry_run:
            lines = (text.splitlines(keepends=True), new.splitlines(keepends=True))
            sys.stdout.writelines(difflib.unified_diff(*lines, str(path), str(path)))
        elif new != text:
            path.write_bytes(new.encode("utf-8"))
        for line, reason in sorted(left):
            print(f"{path}:{line}: by hand: {reason}", file=sys.stderr)
        remaining += len(left)
    return 2 if errors else 1 if remaining else 0


if __name__ == "__main__":
    sys.exit(main())
