"""Which public functions the package has, and which it does without and why."""

from __future__ import annotations

import re
from pathlib import Path

from .headers import Headers

LATER = "not in Python yet"
LIFETIME = "freed with the process"
SAME = "another function tells the same"
EXCUSED: dict[str, str] = {
    "gradyn_registry_create_vetted": "what is loaded is the user's own",
    "gradyn_registry_free": LIFETIME,
    "gradyn_evaluator_problem": SAME,
    "gradyn_check": SAME,
    "gradyn_trajectory_step": "all rows are lent at once",
    "gradyn_trajectory_request": "gradyn_trajectory_evaluate() is more exact",
    "gradyn_trajectory_sample": "gradyn_trajectory_evaluate() is more exact",
    "gradyn_report_print": SAME,
    "gradyn_name": "Python makes texts itself",
    "gradyn_covariance_entry": "a product of the factors, which Python has",
}
EXCUSED.update(
    dict.fromkeys(
        [
            f"gradyn_{name}"
            for name in """
event_count event_at signal_sample
end_time_at evaluator_alike evaluator_sensitivity search_gradient
hessian_product singular_data influence simulate_data extremes signal_ranges shape_name
drawn_point_count draw examine algorithm_lacks saltation_matrices saltations_clear count_freedom
constraint_name coordinate_internal
journal_best journal_busy costates_find costates_clear costates_write search_costates
search_closing closing_clear
""".split()
        ],
        LATER,
    )
)


def missing(headers: Headers, package: Path) -> list[str]:
    """Complaints about functions that are neither called nor excused, and about excuses nobody needs."""
    text = "\n".join(path.read_text() for path in sorted(package.glob("*.py")))
    helpers = "\n".join(path.read_text() for path in package.glob("*.c"))
    called = set(re.findall(r"(?:\b|_)lib\.(gradyn_\w+)", text) + re.findall(r"\b(gradyn_\w+)\(", helpers))
    absent = [name for name in headers.functions if name not in called and name not in EXCUSED]
    idle = [name for name in EXCUSED if name in called or name not in headers.functions]
    return [f"{name}() is neither wrapped nor excused" for name in absent] + [
        f"{name}() needs no excuse" for name in idle
    ]
