"""Problems in the form that other packages need: SciPy, cyipopt, JAX, PyTorch. These packages are
optional."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable, Optional

import numpy as np

from .errors import UsageError

if TYPE_CHECKING:
    from .evaluate import Problem

Array = np.ndarray[Any, np.dtype[np.float64]]
INFINITE = 1e20  # number that Ipopt reads as no bound


def varied(problem: Problem) -> tuple[list[str], list[int], Array, list[tuple[float, float]]]:
    """Names, indices, initial values and bounds of the parameters that are not fixed."""
    parameters = list(problem.parameters.values())
    places = [i for i, p in enumerate(parameters) if not p.fixed]
    if not places:
        raise UsageError(f"{problem.name} has no parameter that may vary")
    bounds = [(parameters[i].lower, parameters[i].upper) for i in places]
    return [parameters[i].name for i in places], places, problem.x0[places], bounds


class NLP:
    """The nonlinear program over the parameters that are not fixed: objective, constraints and their
    derivatives. All requests at a point share one gradient evaluation."""

    def __init__(self, problem: Problem) -> None:
        functionals = list(problem.functionals.values())
        self.problem = problem
        self.names, self.varied, self.x0, self.bounds = varied(problem)
        self.start = problem.x0
        self.evaluations = 0
        self._weights = problem.weights()
        constraints = ("equal", "at-most", "at-least", "path-constraint")
        self._rows = [i for i, f in enumerate(functionals) if f.use in constraints]
        bounded = [functionals[i] for i in self._rows]
        self.lower = np.array([f.bound if f.use in ("equal", "at-least") else -np.inf for f in bounded])
        self.upper = np.array([np.inf if f.use == "at-least" else f.bound for f in bounded])
        self._known: Optional[tuple[bytes, Array, Array]] = None

    def full(self, z: Any) -> Array:
        """All parameters. z: values of the parameters that are not fixed."""
        x = self.start.copy()
        x[self.varied] = z
        return x

    def _at(self, z: Any) -> tuple[Array, Array]:
        """Functionals and their gradients with respect to z; the last point is stored."""
        key = np.asarray(z, dtype=np.float64).tobytes()
        if self._known is None or self._known[0] != key:
            psi, gradient = self.problem.gradients(self.full(z))
            self.evaluations += 1
            self._known = key, psi, gradient[:, self.varied]
        return self._known[1], self._known[2]

    def fun(self, z: Any) -> float:
        """The objective."""
        return float(self._weights @ self._at(z)[0])

    def jac(self, z: Any) -> Array:
        """The gradient of the objective."""
        return self._weights @ self._at(z)[1]

    def constraints(self, z: Any) -> Array:
        """Functionals that must lie between `lower` and `upper`."""
        return self._at(z)[0][self._rows]

    def jacobian(self, z: Any) -> Array:
        """The gradients of the constraints."""
        return self._at(z)[1][self._rows]


def scipy(problem: Problem) -> dict[str, Any]:
    """Keywords of scipy.optimize.minimize: minimize(**problem.scipy(), method="SLSQP")."""
    from scipy.optimize import NonlinearConstraint  # type: ignore[import]

    nlp = NLP(problem)
    keywords: dict[str, Any] = {
        "fun": nlp.fun,
        "x0": nlp.x0,
        "jac": nlp.jac,
        "bounds": nlp.bounds,
    }
    equal = nlp.lower == nlp.upper
    # SLSQP needs equalities separately
    keywords["constraints"] = [
        NonlinearConstraint(
            lambda z, rows=rows: nlp.constraints(z)[rows],
            nlp.lower[rows],
            nlp.upper[rows],
            jac=lambda z, rows=rows: nlp.jacobian(z)[rows],
        )
        for rows in (np.flatnonzero(equal), np.flatnonzero(~equal))
        if len(rows)
    ]
    return keywords


class IpoptCallbacks:
    """The callbacks of a cyipopt.Problem."""

    def __init__(self, nlp: NLP) -> None:
        self.nlp = nlp
        self.objective: Callable[[Any], float] = nlp.fun
        self.gradient: Callable[[Any], Array] = nlp.jac
        self.constraints: Callable[[Any], Array] = nlp.constraints

    def jacobian(self, z: Any) -> Array:
        """All entries of the Jacobian, row by row."""
        return self.nlp.jacobian(z).ravel()


def ipopt(problem: Problem, **options: Any) -> Any:
    """A cyipopt.Problem with a limited-memory Hessian. Call x, info = problem.ipopt().solve(x0), with x0 =
    problem.nlp().x0 for the initial values."""
    import cyipopt  # type: ignore[import]

    nlp = NLP(problem)
    lower, upper = zip(*nlp.bounds)
    made = cyipopt.Problem(
        n=len(nlp.x0),
        m=len(nlp.lower),
        problem_obj=IpoptCallbacks(nlp),
        lb=np.maximum(lower, -INFINITE),
        ub=np.minimum(upper, INFINITE),
        cl=np.maximum(nlp.lower, -INFINITE),
        cu=np.minimum(nlp.upper, INFINITE),
    )
    for name, value in {"hessian_approximation": "limited-memory", **options}.items():
        made.add_option(name, value)
    return made


SECOND = "gradyn has first derivatives only: these are second ones"


def jax(problem: Problem) -> Callable[[Any], Any]:
    """psi(x) as a function of JAX, of all parameters, with forward and reverse derivatives. JAX must use
    64-bit numbers. Second derivatives are refused."""
    import jax as package  # type: ignore[import]
    import jax.numpy as jnp  # type: ignore[import]

    if not package.config.jax_enable_x64:
        raise UsageError('32-bit numbers would spoil the results: jax.config.update("jax_enable_x64", True)')
    count, size = len(problem.functionals), len(problem.parameters)
    value_shape = package.ShapeDtypeStruct((count,), jnp.float64)
    gradient_shape = package.ShapeDtypeStruct((count, size), jnp.float64)

    def call(function: Any, shape: Any, x: Any) -> Any:
        return package.pure_callback(function, shape, x, vmap_method="sequential")

    def values(x: Any) -> Any:
        return call(lambda z: problem.functions(np.asarray(z)), value_shape, x)

    def both(x: Any) -> Any:
        return call(lambda z: problem.gradients(np.asarray(z)), (value_shape, gradient_shape), x)

    def refused(primals: Any, tangents: Any) -> Any:
        raise UsageError(SECOND)

    def along(primals: Any, tangents: Any) -> Any:
        # linear in the tangent, so that JAX can also derive the reverse derivative
        value, gradient = known(*primals)
        return value, gradient @ tangents[0]

    known, psi = package.custom_jvp(both), package.custom_jvp(values)
    known.defjvp(refused)
    psi.defjvp(along)
    made: Callable[[Any], Any] = psi
    return made


def torch(problem: Problem) -> Callable[[Any], Any]:
    """psi(x) as a function of PyTorch, of all parameters, float64. Second derivatives are refused."""
    import torch as package  # type: ignore[import]

    class Slope(package.autograd.Function):  # type: ignore[misc]
        """The derivative as a function of x. Without this class, a second derivative would be zero without an
        error."""

        @staticmethod
        def forward(ctx: Any, x: Any, bar: Any, gradient: Any) -> Any:
            return bar @ gradient

        @staticmethod
        def backward(ctx: Any, bar: Any) -> Any:
            raise UsageError(SECOND)

    class Psi(package.autograd.Function):  # type: ignore[misc]
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            psi, gradient = problem.gradients(x.detach().double().cpu().numpy())
            ctx.save_for_backward(x, package.from_numpy(gradient).to(x.device, x.dtype))
            return package.from_numpy(psi).to(x.device, x.dtype)

        @staticmethod
        def backward(ctx: Any, bar: Any) -> Any:
            x, gradient = ctx.saved_tensors
            return Slope.apply(x, bar, gradient)

    made: Callable[[Any], Any] = Psi.apply
    return made
