"""Reads files of version 0.2 with the names of this version. Files of format 1 have no member "format"."""

from typing import Any

# --- Written by scripts/compat.py from scripts/names.tsv ---
MEMBERS = {
    ("", "ending"): "termination",
    ("", "recheck"): "discretisation",
    ("recheck", "moved"): "change",
    ("recheck", "moved_most"): "changed_most",
    ("", "limits"): "path_constraints",
    ("limits", "sides"): "bounds",
    ("limits", "rows"): "points",
    ("", "cuts"): "segment_times",
    ("events", "time"): "t",
    ("events", "which"): "occurrence",
    ("events", "behind"): "after",
    ("", "gaps"): "defects",
    ("", "march"): "options",
    ("links", "left"): "reason",
    ("", "verdict"): "stability",
}
TEXTS = {
    ("use", "limit"): "path-constraint",
    ("state", "at work"): "running",
    ("motion", "resting"): "equilibrium",
    ("motion", "passing"): "transient",
}
COLUMNS = {
    ("events", "which"): "occurrence",
    ("starts", "ending"): "termination",
    ("pareto", "ending"): "termination",
}
# --- End of the written part ---
FORMAT = 2


def members(value: Any, within: str = "") -> Any:
    """Converts a value of format 1 to the names of format 2. The keys of objects that have names of a problem
    as keys are not changed."""
    if isinstance(value, list):
        return [members(item, within) for item in value]
    if not isinstance(value, dict):
        return value
    out = {}
    for key, member in value.items():
        new = MEMBERS.get((within, key), MEMBERS.get(("", key), key))
        out[new] = member if key == "settings" else members(member, key)
        if isinstance(member, str):
            out[new] = TEXTS.get((key, member), member)
    return out


def column(file: str, name: str) -> str:
    """The present name of a column in a file such as "events_final.csv"."""
    kind = file.split(".")[0].split("_")[0]
    return COLUMNS.get((kind, name), name)
