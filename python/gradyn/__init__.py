"""gradyn: gradient-based optimal design and control of constrained dynamic systems.

    problem = gradyn.load("five-bar")
    motion = problem.simulate(Ls1=2.0)
    problem.gradient()["psi1", "Ls1"]
"""

from ._c import lib as _lib
from .errors import EvaluationError, FatalError, GradynError, GradynWarning, PointRejected, UsageError
from .errors import text as _text
from .gradient import Gradient
from .evaluate import Functional, Parameter, Problem
from .jitting import jit
from .model import (
    ALL_NODES,
    ANY_EVENT,
    BEAM_END,
    END,
    EVERY_MODE,
    GROUND,
    Model,
    Param,
    PythonProblem,
    Setting,
    problem,
)
from .numbers import abs, maximum, minimum, norm, where
from .petab import Petab
from .registry import algorithms, load, methods, problems
from .search import Iteration, Result
from .study import Page, Study, open_ as open
from .sections import section_rectangle, section_tube
from .trajectory import Event, Trajectory

__version__ = _text(_lib.gradyn_version())

__all__ = [
    "ALL_NODES",
    "ANY_EVENT",
    "BEAM_END",
    "END",
    "EVERY_MODE",
    "Event",
    "EvaluationError",
    "FatalError",
    "Functional",
    "GROUND",
    "Gradient",
    "GradynError",
    "GradynWarning",
    "Iteration",
    "UsageError",
    "Model",
    "Page",
    "Param",
    "Parameter",
    "Petab",
    "Problem",
    "PythonProblem",
    "PointRejected",
    "Result",
    "Setting",
    "Study",
    "Trajectory",
    "abs",
    "algorithms",
    "jit",
    "load",
    "maximum",
    "methods",
    "minimum",
    "norm",
    "open",
    "problem",
    "problems",
    "section_rectangle",
    "section_tube",
    "where",
]
