"""One process with other packages that contain solvers: each package gives the same numbers as in
a process without the others."""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

PROBLEM = Path(__file__).resolve().parent.parent.parent / "problems" / "bouncing_ball.c"
PACKAGES = [name for name in ("casadi", "scipy", "jax", "torch") if importlib.util.find_spec(name)]

USE = """
import importlib, json, sys

def gradyn(module):
    # a file that is loaded sees the library, and so may packages that are loaded later
    if sys.argv[2]:
        module.load(sys.argv[2]).functions()
    problem = module.load("five-bar")
    methods = ("ali3p", "idas", "radau")
    numbers = [problem.with_options(method=m).gradients()[1].ravel().tolist() for m in methods]
    ipopt = [problem.optimise(algorithm="ipopt").fun] if sys.argv[3] else []
    return numbers, ipopt, problem.optimise(algorithm="slsqp").fun

def casadi(ca):
    x, z = ca.SX.sym("x", 2), ca.SX.sym("z")
    dae = {"x": x, "z": z, "ode": ca.vertcat(x[1], -x[0] + 0.1 * z), "alg": z - x[0] * x[1]}
    run = ca.integrator("run", "idas", dae, 0, 2.0, {"abstol": 1e-10, "reltol": 1e-10})
    y = ca.MX.sym("y", 2)
    nlp = {"x": y, "f": (1 - y[0]) ** 2 + 100 * (y[1] - y[0] ** 2) ** 2, "g": y[0] + y[1]}
    quiet = {"ipopt.print_level": 0, "ipopt.sb": "yes", "print_time": 0}
    search = ca.nlpsol("search", "ipopt", nlp, quiet)
    return run(x0=[1, 0], z0=0)["xf"].full().tolist(), float(search(x0=[0, 0], lbg=0.5, ubg=1.5)["f"])

def scipy(module):
    import numpy, scipy.linalg, scipy.optimize
    matrix = numpy.sin(numpy.arange(400.0).reshape(20, 20) ** 2)
    found = scipy.optimize.minimize(scipy.optimize.rosen, [0, 0, 0], method="SLSQP")
    return float(abs(scipy.linalg.eigvals(matrix)).sum()), found.x.tolist()

def jax(module):
    import jax.numpy as jnp
    module.config.update("jax_enable_x64", True)
    return float(jnp.linalg.norm(jnp.linalg.inv(jnp.sin(jnp.arange(400.0).reshape(20, 20) ** 2))))

def torch(module):
    matrix = module.sin(module.arange(400.0, dtype=module.float64).reshape(20, 20) ** 2)
    return float(module.linalg.norm(module.linalg.inv(matrix)))

def run(name, first):
    module = importlib.import_module(name)
    if name == "gradyn" and first and sys.argv[2]:
        module.load(sys.argv[2])
    return module

names = sys.argv[1].split(",")
modules = {name: run(name, name == names[0]) for name in names}
print(json.dumps({name: globals()[name](module) for name, module in modules.items()}))
"""


def numbers(order: list[str], folder: Path) -> dict[str, object]:
    """The results of the packages in one process that imports and uses them in this order."""
    import gradyn

    plugin = str(PROBLEM) if shutil.which("cc") else ""
    ipopt = "yes" if "ipopt" in gradyn.algorithms() else ""
    environment = {**os.environ, "XDG_CACHE_HOME": str(folder), "PYTHONWARNINGS": "ignore"}
    command = [sys.executable, "-c", USE, ",".join(order), plugin, ipopt]
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    found: dict[str, object] = json.loads(done.stdout.splitlines()[-1])
    return found


def test_numbers_are_those_of_each_alone_in_either_order(tmp_path: Path) -> None:
    if not PACKAGES:
        pytest.skip("no CasADi, SciPy, JAX or PyTorch")
    alone = {name: numbers([name], tmp_path)[name] for name in ["gradyn", *PACKAGES]}
    orders = [["gradyn", *PACKAGES], [*PACKAGES, "gradyn"]]
    if len(PACKAGES) > 1:
        orders.append(["gradyn", *reversed(PACKAGES)])
    for order in orders:
        assert numbers(order, tmp_path) == alone
