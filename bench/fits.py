#!/usr/bin/env python3
"""Ten fits to data: evaluations and processor time with the Gauss-Newton matrix (the default), with limited
memory, and by SciPy's trust region for bounded least squares with the same residuals and Jacobians.

    PYTHONPATH=build/python python3 bench/fits.py [--starts N] [NAME...]

--starts N: also the number of N random starts within the bounds that end at the best known sum of squares.
SciPy is left out where standard deviations are estimated. Evaluations are counted at different parameters, without
the verification at the end; processor time includes it. SciPy requests residuals and Jacobians one by one."""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
import time
import warnings
from pathlib import Path
from typing import Any, Callable

import numpy as np
from scipy import integrate, optimize

import gradyn

ROOT = Path(__file__).resolve().parent.parent
PUBLISHED = ROOT / "tests" / "problems" / "identification"
BUILT: dict[str, Callable[[], gradyn.Problem]] = {}


def shipped(name: str) -> None:
    BUILT[name] = lambda: gradyn.load(name)


def published(name: str) -> None:
    BUILT[name] = lambda: gradyn.load(compiled(PUBLISHED / f"{name}.c"))


def compiled(file: Path) -> str:
    """The shared object of a test problem."""
    folder = Path(tempfile.mkdtemp(prefix="gradyn-fits-"))
    source, made = folder / file.name, folder / f"{file.stem}.so"
    source.write_text(file.read_text().replace("#define GRADYN_BUILTIN", ""))
    subprocess.run(["cc", "-std=c11", "-O2", "-shared", "-fPIC", f"-I{ROOT / 'include'}", source, "-o", made],
                   check=True)
    return str(made)


def drawn(name: str, states: dict[str, Any], params: dict[str, tuple[float, float, float, float]],
          rates: Callable[[Any, Any], list[Any]], observed: list[str], t: np.ndarray, sigma: float) -> None:
    """A fit to data drawn at the truth. params: truth, guess and bounds; a state that begins at a parameter has
    its name."""

    def build() -> gradyn.Problem:
        class Row(dict[str, Any]):
            __getattr__ = dict.__getitem__

        truth = Row({key: row[0] for key, row in params.items()})
        begin = [truth[v] if isinstance(v, str) else v for v in states.values()]
        exact = integrate.solve_ivp(lambda _, y: rates(y, truth), (0, t[-1]), begin, "LSODA", t, rtol=1e-10,
                                    atol=1e-12)
        noise = np.random.default_rng(sum(map(ord, name)))
        data = {s: exact.y[list(states).index(s)] + sigma * noise.standard_normal(len(t)) for s in observed}
        own = {key: gradyn.Param(*row[1:2], "", *row[2:]) for key, row in params.items()}

        @gradyn.problem(name=name, params=own, t_end=float(t[-1]), rtol=1e-9)
        def model(m, p):  # type: ignore[no-untyped-def]
            number = {
                state: m.state(state, "", getattr(p, value) if isinstance(value, str) else value)
                for state, value in states.items()
            }
            m.equations(
                residual=lambda at: [dy - f for dy, f in zip(at.yp, rates(at.y, at.data))],
                data={key: getattr(p, key) for key in params},
            )
            for state in observed:
                measure = m.measure_state(state, number[state], 0)
                fit = m.fit(f"fit_{state}", measure, times=t, values=data[state], sigma=sigma)
                m.minimise(fit)

        return model.compile()

    BUILT[name] = build


shipped("alpha-pinene")
published("gas_oil")
published("methanol")
shipped("boehm-stat5")
shipped("pendulum-identification")
drawn("lotka-volterra", {"prey": "prey0", "predator": "predator0"},
      {"birth": (1.1, 0.6, 0, 5), "hunt": (0.4, 0.8, 0, 5), "growth": (0.1, 0.3, 0, 5), "death": (0.4, 0.8, 0, 5),
       "prey0": (10, 8, 1, 20), "predator0": (5, 8, 1, 20)},
      lambda y, p: [y[0] * (p.birth - p.hunt * y[1]), y[1] * (p.growth * y[0] - p.death)],
      ["prey", "predator"], np.linspace(0.5, 10, 20), 0.5)
drawn("fitzhugh-nagumo", {"V": -1.0, "R": 1.0},
      {"a": (0.2, 0.5, 0, 1), "b": (0.2, 0.5, 0, 1), "c": (3, 2, 1, 5)},
      lambda y, p: [p.c * (y[0] - y[0] * y[0] * y[0] / 3 + y[1]), -(y[0] - p.a + p.b * y[1]) / p.c],
      ["V", "R"], np.linspace(0.5, 20, 40), 0.1)
drawn("epidemic", {"S": 990.0, "I": "I0"},
      {"beta": (0.5, 0.8, 0.05, 2), "gamma": (0.1, 0.3, 0.01, 1), "I0": (10, 20, 1, 100)},
      lambda y, p: [-p.beta * y[0] * y[1] / 1000, p.beta * y[0] * y[1] / 1000 - p.gamma * y[1]],
      ["I"], np.linspace(2, 60, 30), 10)
drawn("fermentation", {"X": 0.2, "S": 10.0},
      {"rate": (0.5, 0.3, 0.05, 2), "half": (1.5, 4, 0.1, 10), "yield_": (0.45, 0.7, 0.1, 1)},
      lambda y, p: [p.rate * y[1] / (p.half + y[1]) * y[0], -p.rate * y[1] / (p.half + y[1]) * y[0] / p.yield_],
      ["X", "S"], np.linspace(0.5, 12, 24), 0.1)
drawn("two-masses", {"x": 1.0, "y": 0.0, "u": 0.0, "v": 0.0},
      {"k1": (4, 7, 0.1, 20), "k2": (2, 4, 0.1, 20), "d1": (0.2, 0.5, 0, 2), "d2": (0.1, 0.5, 0, 2)},
      lambda y, p: [y[2], y[3], -p.k1 * y[0] + p.k2 * (y[1] - y[0]) - p.d1 * y[2],
                    p.k2 * (y[0] - y[1]) - p.d2 * y[3]],
      ["x"], np.linspace(0.2, 10, 50), 0.02)


def bounds_of(problem: gradyn.Problem) -> tuple[np.ndarray, np.ndarray]:
    rows = problem.parameters.values()
    return np.array([row.lower for row in rows]), np.array([row.upper for row in rows])


def residual_rows(problem: gradyn.Problem) -> list[int]:
    return [k for k, name in enumerate(problem.functionals) if name.endswith("]") or "]@" in name]


def by_scipy(problem: gradyn.Problem, x0: np.ndarray) -> tuple[int, float, float]:
    """Evaluations, processor time and half the sum of squares."""
    rows = residual_rows(problem)
    before = time.process_time()
    try:
        found = optimize.least_squares(
            lambda x: problem.functions(x)[rows], x0, jac=lambda x: problem.gradients(x)[1][rows],
            bounds=bounds_of(problem), x_scale="jac", ftol=1e-9, xtol=1e-9, gtol=1e-9)
    except (gradyn.GradynError, ValueError):
        return 0, time.process_time() - before, np.inf
    return found.nfev, time.process_time() - before, found.cost


def by_gradyn(problem: gradyn.Problem, x0: np.ndarray, **options: Any) -> tuple[int, float, float]:
    before = time.process_time()
    try:
        found = problem.optimise(x0, **options)
    except gradyn.GradynError:
        return 0, time.process_time() - before, np.inf
    count = re.search(r"after (\d+) evaluations", found.message)
    return int(count[1]) if count else found.nfev, time.process_time() - before, found.fun


def arrivals(problem: gradyn.Problem, best: float, starts: int) -> tuple[int, int]:
    """How many of the random starts lead gradyn and SciPy to the best sum of squares."""
    draw, bounds, arrived = np.random.default_rng(1), bounds_of(problem), [0, 0]
    for _ in range(starts):
        x0 = draw.uniform(*bounds)
        for k, search in enumerate((by_gradyn, by_scipy)):
            arrived[k] += bool(search(problem, x0)[2] <= best + 1e-6 * abs(best))
    return arrived[0], arrived[1]


def main() -> None:
    warnings.simplefilter("ignore", gradyn.GradynWarning)
    starts, names = 0, sys.argv[1:]
    if names[:1] == ["--starts"]:
        starts, names = int(names[1]), names[2:]
    print(f"{'fit':26}{'Gauss-Newton':>18}{'limited memory':>18}{'SciPy':>18}")
    shares, ratios = [], []
    for name in names or BUILT:
        problem = BUILT[name]()
        estimated = name == "boehm-stat5"
        ways = [by_gradyn(problem, problem.x0), by_gradyn(problem, problem.x0, algorithm="lbfgs")]
        ways += [] if estimated else [by_scipy(problem, problem.x0)]
        line = "".join(f"{n:8d} {seconds:8.3f}s" for n, seconds, _ in ways)
        best = min(value for _, _, value in ways)
        worse = [f"{value - best:.1e}" for _, _, value in ways]
        print(f"{name:26}{line}   {best:.9g} + {', '.join(worse)}", end="")
        shares.append(ways[0][0] / max(ways[1][0], 1))
        ratios.append(ways[0][1] / ways[1][1])
        if starts and not estimated:
            print("   arrive: %d, SciPy %d of %d" % (*arrivals(problem, best, starts), starts), end="")
        print()
    print(f"evaluations over limited memory: median {np.median(shares):.2f}; time: at most {max(ratios):.2f}")


if __name__ == "__main__":
    main()
