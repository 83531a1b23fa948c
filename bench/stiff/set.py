#!/usr/bin/env python3
"""Stiff problems by scipy's Radau: steps and calls of the right-hand side, but for derivatives, at the errors
of bench_stiff_set. Absolute tolerances are those parts of the relative one, times the published end values,
with which it does best.

Usage: set.py MODULE, the library bench_stiff_rates of the build."""
import ctypes
import sys

import numpy
from scipy.integrate import Radau

ODES, GOALS, SHARES = 6, (1e-5, 1e-7), (1, 1e-2, 1e-4)
TOLERANCES = [10 ** (-3 - 0.5 * i) for i in range(15)]
NUMBERS = ctypes.POINTER(ctypes.c_double)


def load(path):
    rates = ctypes.CDLL(path)
    rates.stiff_rates_name.restype = ctypes.c_char_p
    rates.stiff_rates_end_time.restype = ctypes.c_double
    rates.stiff_rates_start.restype = rates.stiff_rates_end.restype = NUMBERS
    rates.stiff_rates.argtypes = [ctypes.c_int, ctypes.c_double, NUMBERS, NUMBERS]
    return rates


def run(rates, problem, rtol, share):
    """The largest error of the end values, the number of tried steps, and the number of calls."""
    count = rates.stiff_rates_count(problem)
    start = numpy.array(rates.stiff_rates_start(problem)[:count])
    end = numpy.array(rates.stiff_rates_end(problem)[:count])

    def f(t, y):
        y, out = numpy.ascontiguousarray(y, float), numpy.empty(count)
        rates.stiff_rates(problem, t, y.ctypes.data_as(NUMBERS), out.ctypes.data_as(NUMBERS))
        return out

    solver = Radau(f, 0, start, rates.stiff_rates_end_time(problem), rtol=rtol,
                   atol=share * rtol * abs(end))
    steps = 0
    while solver.status == 'running' and steps < 50000:
        solver.step()
        steps += 1
    failed = solver.status != 'finished'
    return numpy.inf if failed else max(abs(solver.y / end - 1)), steps, solver.nfev


def cost_at(goal, errors, costs):
    """As bench/curve.h has it."""
    below = [i for i, e in enumerate(errors) if e <= goal]
    if not below:
        return numpy.nan
    k = below[-1]
    while k > 0 and errors[k - 1] <= goal:
        k -= 1
    if k == 0 or not numpy.isfinite(errors[k - 1]):
        return costs[k]
    way = numpy.log(goal / errors[k]) / numpy.log(errors[k - 1] / errors[k])
    return costs[k] * (costs[k - 1] / costs[k]) ** way


def main():
    rates = load(sys.argv[1])
    print('| problem     | steps at 1e-05 | calls | at 1e-07 | calls |')
    for problem in range(ODES):
        best = [(numpy.inf, numpy.nan)] * len(GOALS)
        for share in SHARES:
            errors, steps, calls = zip(*(run(rates, problem, r, share) for r in TOLERANCES))
            for g, goal in enumerate(GOALS):
                cost = cost_at(goal, errors, calls), cost_at(goal, errors, steps)
                best[g] = cost if cost[0] < best[g][0] else best[g]
        cells = ' | '.join(f'{s:6.0f} | {c:7.0f}' for c, s in best)
        print(f'| {rates.stiff_rates_name(problem).decode():11} | {cells} |', flush=True)


if __name__ == '__main__':
    main()
