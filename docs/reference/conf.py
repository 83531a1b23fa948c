"""Settings of Sphinx for the site, see site.py. Everything works from a folder without a server or a network."""

import html
import re
from xml.etree import ElementTree

import docutils.nodes
from docutils.utils.math import latex2mathml, unichar2tex
from sphinx.util import logging

project = "gradyn"
extensions = ["myst_parser"]
myst_enable_extensions = ["dollarmath"]
myst_heading_anchors = 4
html_theme = "furo"
html_title = "gradyn"
smartquotes = False
html_show_copyright = False
html_show_sphinx = False
html_copy_source = False
html_show_sourcelink = False
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_js_files = ["entries.js", "search.js"]
exclude_patterns = ["html", "doctrees"]
highlight_language = "text"
suppress_warnings = ["myst.header"]
math_renderer = html_math_renderer = "mathml"

latex2mathml.matrices["aligned"] = ("", "")  # brackets
SPACE = "{http://www.w3.org/1998/Math/MathML}"
ACCENTS, BRACKETS = set("".join(map("".join, latex2mathml.accents.values()))), set("([{|")
# Words of LaTeX that docutils does not know, in words that it knows.
PLAIN = [
    (r"\\tag\{(.*?)\}", r"\\qquad\\text{(\1)}"),
    (r"\\(mathrel|[bB]igg?[lr]?)(?![A-Za-z])", ""),
    (r"\\dots(?![A-Za-z])", r"\\ldots "),
    (r"\\[dt]frac", r"\\frac"),
    (r"\\\\\[[\d.]+\w+\]", r"\\\\"),  # extra space between rows
    (r"^\^", "{}^"),
]


def argument(latex: str, start: int) -> tuple[str, int]:
    """The argument of a word of LaTeX that begins there, and its end: a group, a word or one character."""
    start += len(latex[start:]) - len(latex[start:].lstrip())
    end = start + (re.match(r"\\[A-Za-z]+|.?", latex[start:], re.S).end())
    while latex[start:end].count("{") > latex[start:end].count("}") and end < len(latex):
        end += 1
    return latex[start:end].removeprefix("{").removesuffix("}") if latex[start:end].startswith("{") else latex[start:end], end


def fractions(latex: str) -> str:
    """Adds the braces of \\frac12, which docutils reads as 12 over what follows."""
    at = latex.find("\\frac")
    if at < 0:
        return latex
    above, end = argument(latex, at + len("\\frac"))
    below, end = argument(latex, end)
    return rf"{latex[:at]}\frac{{{fractions(above)}}}{{{fractions(below)}}}{fractions(latex[end:])}"


def tidy(formula: str) -> str:
    """Puts an accent over its letter alone, not over the letter with its subscript. Marks tables without brackets:
    lines of equations."""
    ElementTree.register_namespace("", SPACE[1:-1])
    # XML has no names for other characters than these
    root = ElementTree.fromstring(re.sub(r"&(?!(?:lt|gt|amp);)\w+;", lambda m: html.unescape(m[0]), formula))
    for node in list(root.iter()):
        if node.tag == f"{SPACE}munderover" and node[2].text in ACCENTS:
            letter, below, accent = node
            over = ElementTree.Element(f"{SPACE}mover")
            over.extend([letter, accent])
            node.tag, node[:] = f"{SPACE}msub", [over, below]
    for node in root.iter(f"{SPACE}msup"):
        if node[0].tag == f"{SPACE}msub":
            node.tag, node[:] = f"{SPACE}msubsup", [*node[0], node[1]]
    for node in root.iter():
        if node.tag == f"{SPACE}mo" and node.text in ("|", "‖"):  # no spaces, as between parentheses
            node.attrib.update(lspace="0", rspace="0")
        for at, table in enumerate(node):
            if table.tag == f"{SPACE}mtable" and not (at > 0 and node[at - 1].tag == f"{SPACE}mo" and node[at - 1].text in BRACKETS):
                table.set("class", "lines")
    return ElementTree.tostring(root, encoding="unicode")


def mathml(latex: str, block: bool) -> str:
    """A formula that browsers show without a script. A word of LaTeX that docutils does not know is a warning."""
    for word, plain in PLAIN:
        latex = re.sub(word, plain, latex)
    try:
        return tidy(latex2mathml.tex2mathml(fractions(latex.translate(unichar2tex.uni2tex_table)), inline=not block))
    except (SyntaxError, AttributeError, IndexError) as error:
        logging.getLogger(__name__).warning("formula: %s: %s", error, latex)
        return f"<code>{html.escape(latex)}</code>"


def visit(self, node) -> None:
    self.body.append(mathml(node.astext(), isinstance(node, docutils.nodes.math_block)))
    raise docutils.nodes.SkipNode


def setup(app) -> None:
    app.add_html_math_renderer("mathml", (visit, None), (visit, None))
