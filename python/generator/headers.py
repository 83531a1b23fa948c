"""The public headers as data: functions, structs, enumerations, constants, and the comments on them."""

from __future__ import annotations

import re
import shlex
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

from pycparser import c_ast, c_generator, c_parser

# Declarations that the headers use from system headers.
SYSTEM_TYPES = """
typedef int FILE;
typedef unsigned long size_t;
typedef unsigned long uint64_t;
"""


@dataclass(frozen=True)
class Type:
    """A C type, as far as the package distinguishes them."""

    base: str  # "gradyn_scalar", "int", "char", ...
    pointers: int = 0
    length: str | None = None  # of an array member, "3"; "" for x[]

    @property
    def many(self) -> bool:
        return self.pointers > 0 or self.length is not None


@dataclass(frozen=True)
class Value:
    """A parameter of a function, or a member of a struct."""

    name: str
    type: Type
    comment: str = ""


@dataclass
class Function:
    name: str
    returns: Type
    parameters: list[Value]
    variadic: bool
    comment: str = ""


@dataclass
class Struct:
    name: str
    members: list[Value]
    comment: str = ""


@dataclass
class Headers:
    functions: dict[str, Function] = field(default_factory=dict)
    structs: dict[str, Struct] = field(default_factory=dict)
    enums: dict[str, list[str]] = field(default_factory=dict)
    numbers: dict[str, str] = field(default_factory=dict)  # types of numbers of points and so on: their bases
    constants: list[str] = field(default_factory=list)  # integers, macros and enumerators without a type
    macros: list[str] = field(default_factory=list)  # of them, those that are macros
    declarations: list[str] = field(default_factory=list)  # in C, one each


def preprocessed(include: Path, compiler: str = "cc") -> str:
    """The text that the compiler sees of the gradyn headers alone."""
    header = str(include / "gradyn" / "gradyn.h")
    command = [*shlex.split(compiler), "-E", "-D__attribute__(x)=", f"-I{include}", header]
    out = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    own, lines = False, []
    for line in out.splitlines():
        marker = re.match(r'# \d+ "([^"]*)"', line)
        if marker:
            own = "/gradyn/" in marker[1] and not marker[1].endswith("tgmath.h")
        elif own and line.strip():
            lines.append(line.strip())
    return "\n".join(lines)


def _sentence(comment: str) -> str:
    """The text of a comment on one line."""
    text = re.sub(r"\n\s*\*?\s*", " ", comment)
    return re.sub(r"\s+", " ", text).strip(" -")


COMMENT = r"/\*((?:[^*]|\*(?!/))*)\*/"


def _function_comments(text: str) -> dict[str, str]:
    """Declarations without a blank line between them share the comment of their block."""
    found: dict[str, str] = {}
    for block in re.split(r"\n\s*\n", text):
        comment = ""
        for piece in re.finditer(rf"{COMMENT}|GRADYN_API[^;]*?(gradyn_\w+)\(", block):
            if piece[2]:
                found[piece[2]] = comment
            elif block[: piece.start()].endswith("\n") or piece.start() == 0:
                comment = _sentence(piece[1])
    return found


def _struct_comments(text: str) -> dict[tuple[str, str], str]:
    """Comments above structs, under (struct, ""), and of their members, under (struct, member)."""
    found: dict[tuple[str, str], str] = {}
    for struct in re.finditer(rf"(?:{COMMENT}\s*)?typedef struct (gradyn_\w+) \{{(.*?)\n\}} \2;", text, re.S):
        if struct[1]:
            found[struct[2], ""] = _sentence(struct[1])
        above = ""
        for item in re.finditer(rf"^\s*{COMMENT}\s*$|([^;/]+);(?:[ ]*{COMMENT})?", struct[3], re.S | re.M):
            if item[1] is not None:
                above = _sentence(item[1])
                continue
            comment = _sentence(item[3]) if item[3] else above
            above = ""
            # (*name)[64], and functions: (*name)(double t)
            names = re.findall(r"\(\*(\w+)\)", item[2]) or re.findall(
                r"(\w+)(?:\[\w+\])?\s*(?=,|$)", item[2].strip()
            )
            for name in names:
                found[struct[2], name] = comment
    return found


def _type(node: c_ast.Node) -> Type:
    pointers, length = 0, None
    while not isinstance(node, (c_ast.TypeDecl, c_ast.FuncDecl)):
        if isinstance(node, c_ast.PtrDecl):
            pointers += 1
        elif isinstance(node, c_ast.ArrayDecl):
            length = node.dim.value if isinstance(node.dim, c_ast.Constant) else ""
        node = node.type
    if isinstance(node, c_ast.FuncDecl):
        return Type("function", pointers)
    base = " ".join(node.type.names) if isinstance(node.type, c_ast.IdentifierType) else str(node.type.name)
    return Type("bool" if base == "_Bool" else base, pointers, length)


def _macros(include: Path) -> list[str]:
    found = []
    for file in sorted((include / "gradyn").glob("*.h")):
        found += re.findall(r"^#define (GRADYN_[A-Z_]+) \(?-?\d+\)?(?= |$)", file.read_text(), re.M)
    return found


def _declared(headers: Headers, node: c_ast.Node) -> None:
    """Takes one declaration of the headers."""
    if isinstance(node, c_ast.Decl) and isinstance(node.type, c_ast.FuncDecl):
        listed = node.type.args.params if node.type.args else []
        plain = [p for p in listed if not isinstance(p, c_ast.EllipsisParam)]
        parameters = [Value(p.name, _type(p.type)) for p in plain if p.name]
        function = Function(node.name, _type(node.type.type), parameters, len(plain) < len(listed))
        headers.functions[node.name] = function
    elif isinstance(node, c_ast.Decl) and isinstance(node.type, c_ast.Enum):
        headers.constants += [e.name for e in node.type.values.enumerators]
    elif isinstance(node, c_ast.Typedef) and isinstance(node.type, c_ast.TypeDecl):
        kind = node.type.type
        if isinstance(kind, c_ast.Struct) and kind.decls:
            headers.structs[node.name] = Struct(node.name, [Value(m.name, _type(m.type)) for m in kind.decls])
        elif isinstance(kind, c_ast.Enum) and kind.values:
            headers.enums[node.name] = [e.name for e in kind.values.enumerators]
        elif isinstance(kind, c_ast.IdentifierType) and node.name.endswith("_id"):
            headers.numbers[node.name] = kind.names[0]


def read(include: Path, compiler: str = "cc") -> Headers:
    """Everything that the headers in include/gradyn declare."""
    macros = _macros(include)
    headers = Headers(constants=list(macros), macros=macros)
    write = c_generator.CGenerator()
    system = len(SYSTEM_TYPES.split(";")) - 1
    for node in c_parser.CParser().parse(SYSTEM_TYPES + preprocessed(include, compiler)).ext[system:]:
        if isinstance(node, c_ast.FuncDef):  # inline: Python has a word of its own for it
            continue
        _declared(headers, node)
        headers.declarations.append(write.visit(node).replace("_Bool", "bool") + ";")
    for file in sorted((include / "gradyn").glob("*.h")):
        text = file.read_text()
        for name, comment in _function_comments(text).items():
            if name in headers.functions:
                headers.functions[name].comment = comment
        comments = _struct_comments(text)
        for struct in headers.structs.values():
            struct.comment = comments.get((struct.name, ""), struct.comment)
            struct.members = [
                Value(m.name, m.type, comments.get((struct.name, m.name), m.comment)) for m in struct.members
            ]
    return headers
