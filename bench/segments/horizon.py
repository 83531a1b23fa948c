#!/usr/bin/env python3
"""Receding-horizon control of a cart with a pole by gradyn and by CasADi with Ipopt: processor time of a step. Both
plan 20 intervals from each of 15 states. CasADi has classical Runge-Kutta steps of 0.025 s, exact Hessians, and begins
with the moved plan and multipliers and a barrier parameter of 1e-5, or 1e-6 for one iteration. ROUNDS runs of both
alternate; the medians of their medians are printed.

Usage: horizon.py PROGRAM [ROUNDS], with PROGRAM bench_segments_horizon of a Release build, and CasADi among Python's
modules."""
import os
import subprocess
import sys
import time

import casadi as ca
import numpy as np

N, STEPS = 20, 15
# The default order, and the largest power of ten with a smaller error than the Runge-Kutta steps.
# The cost of the first plan is 14.333694; it is 1.5e-4 higher with this power, and 4.8e-4 higher
# with these steps.
TOLERANCES = ((), ("1e-5",))


def rk4():
    """The state after an interval, with the cost of the interval."""
    x, u, y = ca.MX.sym("x", 4), ca.MX.sym("u"), ca.MX.sym("y", 5)
    cart, pole, l, g = 1.0, 0.1, 0.8, 9.81
    s, c, w = ca.sin(x[2]), ca.cos(x[2]), x[3]
    d = cart + pole - pole * c * c
    rate = ca.Function("rate", [x, u], [ca.vertcat(
        x[1], (-pole * l * s * w * w + pole * g * c * s + u) / d,
        w, (-pole * l * c * s * w * w + u * c + (cart + pole) * g * s) / (l * d),
        10 * x[0]**2 + 0.1 * x[1]**2 + 100 * x[2]**2 + 0.1 * x[3]**2 + 0.01 * u**2)])
    h, end = 0.025, y
    for _ in range(4):
        k1 = rate(end[:4], u)
        k2 = rate(end[:4] + h / 2 * k1[:4], u)
        k3 = rate(end[:4] + h / 2 * k2[:4], u)
        k4 = rate(end[:4] + h * k3[:4], u)
        end = end + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
    return ca.Function("step", [y, u], [end]).expand()


def program(step):
    us, xs, first = ca.MX.sym("us", N), ca.MX.sym("xs", 4, N + 1), ca.MX.sym("first", 4)
    gaps, cost = [xs[:, 0] - first], 0
    for i in range(N):
        end = step(ca.vertcat(xs[:, i], 0), us[i])
        gaps.append(end[:4] - xs[:, i + 1])
        cost += end[4]
    e = xs[:, N]
    cost += 10 * e[0]**2 + e[1]**2 + 100 * e[2]**2 + e[3]**2
    return {"x": ca.vertcat(us, ca.vec(xs)), "f": cost, "g": ca.vertcat(*gaps), "p": first}


def of_casadi(once):
    """Median of later steps in ms, mean iterations, cost of the last plan."""
    step = rk4()
    nlp, plain = program(step), {"ipopt.print_level": 0, "print_time": 0, "ipopt.sb": "yes", "ipopt.tol": 1e-6,
                                 "expand": True}
    warm = {**plain, "ipopt.warm_start_init_point": "yes", "ipopt.warm_start_bound_push": 1e-8,
            "ipopt.warm_start_mult_bound_push": 1e-8, "ipopt.warm_start_bound_frac": 1e-8,
            "ipopt.mu_init": 1e-6 if once else 1e-5}
    if once:
        warm["ipopt.max_iter"] = 1
    solver, later = ca.nlpsol("cold", "ipopt", nlp, plain), ca.nlpsol("warm", "ipopt", nlp, warm)
    bounds = {"lbx": [-40] * N + [-ca.inf] * 4 * (N + 1), "ubx": [40] * N + [ca.inf] * 4 * (N + 1), "lbg": 0, "ubg": 0}
    state, given, taken, iterations = np.array([0.5, 0, 0.6, 0]), {"x0": np.zeros(N + 4 * (N + 1))}, [], []
    for _ in range(STEPS):
        begun = time.process_time()
        r = solver(p=state, **given, **bounds)
        taken.append(time.process_time() - begun)
        iterations.append(solver.stats()["iter_count"])
        v, lx, lg = (np.array(r[k]).ravel() for k in ("x", "lam_x", "lam_g"))
        state = np.array(step(ca.vertcat(state, 0), v[0])).ravel()[:4]
        moved = [np.r_[a[1:N], a[N - 1], a[N + 4:], a[-4:]] for a in (v, lx)]
        given = {"x0": moved[0], "lam_x0": moved[1], "lam_g0": np.r_[lg[4:], lg[-4:]]}
        solver = later
    return 1e3 * np.median(taken[1:]), np.mean(iterations[1:]), float(r["f"])


def of_gradyn(path, once, rtol):
    """Median of later steps in ms, mean Hessians, cost of the last plan."""
    command = [path, str(int(once)), *rtol]
    numbers = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
    return float(numbers[2]), float(numbers[4]), float(numbers[6])


def main():
    path, rounds = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 5
    for once in (False, True):
        ours, theirs = {rtol: [] for rtol in TOLERANCES}, []
        for _ in range(rounds):
            for rtol, results in ours.items():
                results.append(of_gradyn(path, once, rtol))
            theirs.append(of_casadi(once))
        b = np.median(theirs, axis=0)
        form = "one iteration" if once else "converged"
        for rtol, results in ours.items():
            a = np.median(results, axis=0)
            print(f"{form}: gradyn, {' '.join(rtol) or 'default'} tolerance, {a[0]:.2f} ms, {a[1]:.2f} Hessians, "
                  f"cost {a[2]:.6f}; CasADi {b[0]:.2f} ms, {b[1]:.2f} iterations, cost {b[2]:.6f}; "
                  f"ratio {a[0] / b[0]:.2f}; load {os.getloadavg()[0]:.1f}", flush=True)


main()
