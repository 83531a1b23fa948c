"""Public functions that the package calls, and those that it omits, each with a reason."""

from __future__ import annotations

import re
from pathlib import Path

from .headers import Headers

LATER = "not in Python yet"
LIFETIME = "freed with the process"
EXCUSED: dict[str, str] = {
    "gradyn_registry_free": LIFETIME,
    "gradyn_format_name": "Python makes texts itself",
    "gradyn_covariance_entry": "a product of the factors, which Python has",
}
EXCUSED.update(
    dict.fromkeys(
        """
gradyn_event_at gradyn_signal_sample gradyn_evaluator_preview
gradyn_evaluator_clone gradyn_evaluator_sensitivity gradyn_evaluator_gradient_selected
gradyn_evaluator_hessian_product gradyn_evaluator_singular_data
gradyn_evaluator_extremes
gradyn_drawables_visit
gradyn_invariants_compute gradyn_algorithm_unavailable_reason gradyn_saltations_compute
gradyn_saltations_clear gradyn_dof_compute gradyn_constraint_name
gradyn_journal_best gradyn_costates_compute gradyn_costates_clear
gradyn_search_costates gradyn_search_defect_history
gradyn_defect_history_clear
""".split(),
        LATER,
    )
)


def missing(headers: Headers, package: Path) -> list[str]:
    """Reports functions that are neither called nor listed with a reason, and reasons that no
    function needs."""
    text = "\n".join(path.read_text() for path in sorted(package.glob("*.py")))
    helpers = "\n".join(path.read_text() for path in package.glob("*.c"))
    called = set(re.findall(r"(?:\b|_)lib\.(gradyn_\w+)", text) + re.findall(r"\b(gradyn_\w+)\(", helpers))
    absent = [name for name in headers.functions if name not in called and name not in EXCUSED]
    idle = [name for name in EXCUSED if name in called or name not in headers.functions]
    return [f"{name}() is neither wrapped nor excused" for name in absent] + [
        f"{name}() needs no excuse" for name in idle
    ]
