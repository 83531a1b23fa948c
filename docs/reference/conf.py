"""Settings of Sphinx for the site, see site.py. Everything works from a folder without a server or a network."""

import html
import re

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
# Words of LaTeX that docutils does not know, in words that it knows.
PLAIN = [
    (r"\\tag\{(.*?)\}", r"\\qquad\\text{(\1)}"),
    (r"\\(mathrel|[bB]igg?[lr]?)(?![A-Za-z])", ""),
    (r"\\dots(?![A-Za-z])", r"\\ldots "),
    (r"\\[dt]frac", r"\\frac"),
    (r"^\^", "{}^"),
]


def mathml(latex: str, block: bool) -> str:
    """A formula that browsers show without a script. A word of LaTeX that docutils does not know is a warning."""
    for word, plain in PLAIN:
        latex = re.sub(word, plain, latex)
    try:
        return latex2mathml.tex2mathml(latex.translate(unichar2tex.uni2tex_table), inline=not block)
    except (SyntaxError, AttributeError, IndexError) as error:
        logging.getLogger(__name__).warning("formula: %s: %s", error, latex)
        return f"<code>{html.escape(latex)}</code>"


def visit(self, node) -> None:
    self.body.append(mathml(node.astext(), isinstance(node, docutils.nodes.math_block)))
    raise docutils.nodes.SkipNode


def setup(app) -> None:
    app.add_html_math_renderer("mathml", (visit, None), (visit, None))
