"""gradyn: gradient-based optimal design and control of constrained dynamic systems.

    problem = gradyn.load("five-bar")
    motion = problem.simulate(Ls1=2.0)
    problem.gradient()["psi1", "Ls1"]
"""

from ._c import lib as _lib
from .errors import Failed, Fatal, GradynError, GradynWarning, Misuse, Rejected, text as _text
from .gradient import Gradient
from .problem import Functional, Parameter, Problem
from .registry import load, problems
from .search import Iteration, Result
from .trajectory import Event, Trajectory

__version__ = _text(_lib.gradyn_version())

__all__ = [
    "Event",
    "Failed",
    "Fatal",
    "Functional",
    "Gradient",
    "GradynError",
    "GradynWarning",
    "Iteration",
    "Misuse",
    "Parameter",
    "Problem",
    "Rejected",
    "Result",
    "Trajectory",
    "load",
    "problems",
]
