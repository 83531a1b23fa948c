#!/usr/bin/env python3
"""Shipped problems of optimal control by direct collocation with CasADi and Ipopt: the same motions, controls and
guesses. Each interval of the controls has ELEMENTS polynomials of degree four, with Legendre points, so that what is
left of their error shows where ELEMENTS is doubled. Limits along the way are held at those points; where a polynomial
exceeds one in between it is held there, too, in rounds. The first of them is what is counted and timed, and what it has
found is told where there are others.

Usage: control.py [ELEMENTS [PROBLEM...]], with CasADi among Python's modules."""
import sys
import time

import casadi
import numpy

DEGREE = 4
DATA = {}


def problem(**about):
    """The rates below belong to the problem with this name; the numbers describe it."""

    def keep(rates):
        DATA[rates.__name__.replace("_", "-")] = (rates, about)
        return rates

    return keep


@problem(first=[1.5], last=[1], time=50, count=50, linear=True, bounds=[(-10, 10)],
         cost=lambda x, u: (x[0]**2 + u[0]**2) / 2)
def hypersensitive(x, u):
    return [-x[0]**3 + u[0]]


@problem(first=[1, 0], last=[None, None], time=1, count=50, bounds=[(0, 1)],
         end=lambda x, t: x[0] + x[1] - 1)
def catalyst_mixing(x, u):
    return [u[0] * (10 * x[1] - x[0]), u[0] * (x[0] - 10 * x[1]) - (1 - u[0]) * x[1]]


@problem(first=[1, 1], last=[0, 0], time=(0.1, 3, 50), count=20, bounds=[(-1, 1)], end=lambda x, t: t)
def van_der_pol_time(x, u):
    return [x[1], (1 - x[0]**2) * x[1] - x[0] + u[0]]


@problem(first=[0, 0, 0.5, 0], last=[0, 0, 0.5, 0.522], time=(0.1, 3, 50), count=20,
         bounds=[(-1, 1), (-1, 1)], end=lambda x, t: t)
def arm_time_optimal(x, u):
    s, c = casadi.sin(x[2]), casadi.cos(x[2])
    mass = 31 / 36 + 9 / 4 * s * s
    one = s * (9 / 4 * c * x[0]**2 + 2 * x[1]**2) + 4 / 3 * (u[0] - u[1]) - 3 / 2 * c * u[1]
    two = s * (7 / 2 * x[0]**2 + 9 / 4 * c * x[1]**2) - 7 / 3 * u[1] + 3 / 2 * c * (u[0] - u[1])
    return [one / mass, -two / mass, x[1] - x[0], x[0]]


@problem(first=[0, 22, 0, 0, -1, 0], last=[10, 14, 0, 2.5, 0, 0], time=9, count=20, linear=True,
         bounds=[(-2.83374, 2.83374), (-0.80865, 0.71265)], cost=lambda x, u: 500 * (x[2]**2 + x[5]**2),
         limits=[(lambda x: x[3], -2.5, 2.5), (lambda x: x[4], -1, 1)])
def container_crane(x, u):
    swing = -(u[0] + 27.0756 * x[2] + 2 * x[4] * x[5]) / x[1]
    return [x[3], x[4], x[5], u[0] + 17.2656 * x[2], u[1], swing]


@problem(first=[0, 1000, 13.23, -1.288], last=[None, 900, 13.23, -1.288], goal={0: 1250},
         time=(10, 100, 200), count=20, linear=True, bounds=[(0, 1.4)], begin=[1], end=lambda x, t: -x[0])
def hang_glider(x, u):
    r = (x[0] / 100 - 2.5)**2
    w = x[3] - 2.5 * (1 - r) * casadi.exp(-r)
    force = 1.13 * 14 * casadi.sqrt(x[2]**2 + w**2) / 2
    lift, drag = u[0] * force, (0.034 + 0.069662 * u[0]**2) * force
    return [x[2], x[3], (-lift * w - drag * x[2]) / 100, (lift * x[2] - drag * w) / 100 - 9.80665]


def swing(x, u):
    s, c = casadi.sin(x[1]), casadi.cos(x[1])
    heavy = 1 + 0.3 * s * s
    return [x[2], x[3], (0.15 * s * x[3]**2 + u[0] + 2.943 * c * s) / heavy,
            -(0.15 * c * s * x[3]**2 + u[0] * c + 12.753 * s) / (0.5 * heavy)]


POLE = dict(first=[0, 0, 0, 0], last=[1, numpy.pi, 0, 0], time=2, linear=True, bounds=[(-20, 20)],
            cost=lambda x, u: u[0]**2, still=True)


@problem(count=20, **POLE)
def pole(x, u):
    return swing(x, u)


@problem(count=200, **POLE)
def pole_fine(x, u):
    return swing(x, u)


@problem(first=[1, 0, 1], last=[None, None, 0.6], time=(0.05, 0.2, 1), count=100, bounds=[(0, 3.5)],
         begin=[1.75], end=lambda x, t: -x[0])
def goddard(x, u):
    drag = 310 * x[1]**2 * casadi.exp(-500 * (x[0] - 1))
    return [x[1], (u[0] - drag) / x[2] - 1 / x[0]**2, -2 * u[0]]


@problem(first=[0] * 4, last=[1, numpy.pi, 0, 0], time=2, count=20, linear=True, bounds=[(-10, 10)],
         cost=lambda x, u: u[0]**2, still=True, limits=[(lambda x: x[0], -0.05, 1.05)])
def cart_pole_limited(x, u):
    return swing(x, u)


@problem(first=[0] * 6, last=[4, 0, 0, 0, 0, 0], time=5, count=20, linear=True, bounds=[(-20, 20)], still=True,
         cost=lambda x, u: u[0]**2, limits=[(lambda x: 3 * casadi.sin(x[1]) + casadi.sin(x[2]), -0.5, 0.5)])
def crane(x, u):
    """A trolley of 2 kg, 0.3 kg on a rope of 3 m and 1 kg on one of 1 m below: x = (place, angles, rates)."""
    s, t, d = casadi.sin(x[1]), casadi.sin(x[2]), x[1] - x[2]
    hook, load = 3.9 * casadi.cos(x[1]), casadi.cos(x[2])
    mass = casadi.vertcat(casadi.horzcat(3.3, hook, load), casadi.horzcat(hook, 11.7, 3 * casadi.cos(d)),
                          casadi.horzcat(load, 3 * casadi.cos(d), 1))
    force = casadi.vertcat(u[0] + 3.9 * s * x[4]**2 + t * x[5]**2, -3.9 * 9.81 * s - 3 * casadi.sin(d) * x[5]**2,
                           -9.81 * t + 3 * casadi.sin(d) * x[4]**2)
    rates = casadi.inv(mass) @ force
    return [x[3], x[4], x[5], rates[0], rates[1], rates[2]]


@problem(first=[0, 1], last=[None, None], time=10, count=20, bounds=[(-1, 1)],
         cost=lambda x, u: x[0]**2 + x[1]**2 + u[0]**2, limits=[(lambda x: x[0], -0.25, numpy.inf)])
def van_der_pol(x, u):
    return [(1 - x[1]**2) * x[0] - x[1] + u[0], x[0]]


@problem(first=[0, 1], last=[0, -1], time=1, count=10, linear=True, bounds=[(-numpy.inf, numpy.inf)], begin=[-2],
         cost=lambda x, u: u[0]**2 / 2, limits=[(lambda x: x[0], -numpy.inf, 1 / 9)])
def bryson_denham(x, u):
    return [x[1], u[0]]


# For each joint of the arm: axis, initial angle, torque of its motor, friction, holding torque;
# length and mass of the part that it carries. The last part carries a load.
ARM = [(2, 0.4, 80, 5, 0, 0.15, 4), (1, 0.5, 80, 5, 54.31914536, 0.25, 4), (2, -0.3, 40, 3, 2.962701449, 0.2, 3),
       (1, 0.8, 40, 3, 28.33433716, 0.2, 3), (2, 0.2, 10, 1, -0.1511378231, 0.2, 2),
       (1, 0.6, 10, 1, 5.127262252, 0.1, 1.5), (2, 0.1, 1, 0.2, 0, 0.1, 0.5)]
LOAD, RADIUS, BALL = 2, 0.06, 0.1


def inertia(length, mass, load):
    """Returns (m, m c, J) of a cylinder along -z with a ball at its end, about its upper end, as
    a 6 x 6 matrix."""
    centre, ball = (mass * length / 2 + load * length) / (mass + load), load * BALL**2 * 2 / 5
    across = mass * (3 * RADIUS**2 + 4 * length**2) / 12 + ball + load * length**2
    c = casadi.skew(casadi.DM([0, 0, -centre]))
    turning = casadi.diag(casadi.DM([across, across, mass * RADIUS**2 / 2 + ball]))
    return casadi.blockcat([[turning, (mass + load) * c], [-(mass + load) * c, (mass + load) * casadi.DM.eye(3)]])


def crossed(v):
    """The product of a motion vector with others."""
    turn, move = casadi.skew(v[:3]), casadi.skew(v[3:])
    return casadi.blockcat([[turn, casadi.SX(3, 3)], [move, turn]])


def arm_rates():
    """Featherstone's articulated-body algorithm in the axes of each body; also returns the
    position of the hand."""
    q, w, torque = (casadi.SX.sym(name, 7) for name in ("q", "w", "torque"))
    v, a, links = casadi.SX(6, 1), casadi.SX([0, 0, 0, 0, 0, 9.81]), []
    place, axes, above = casadi.SX(3, 1), casadi.SX.eye(3), 0
    for i, (axis, _, _, friction, _, length, mass) in enumerate(ARM):
        turn = casadi.SX.eye(3)
        x, y = (axis + 1) % 3, (axis + 2) % 3
        turn[x, x] = turn[y, y] = casadi.cos(q[i])
        turn[y, x], turn[x, y] = casadi.sin(q[i]), -casadi.sin(q[i])
        lever = casadi.skew(casadi.DM([0, 0, -above]))
        to = casadi.blockcat([[turn.T, casadi.SX(3, 3)], [-turn.T @ lever, turn.T]])
        along = casadi.SX(6, 1)
        along[axis] = 1
        v = to @ v + along * w[i]
        own = inertia(length, mass, LOAD if i == 6 else 0)
        links.append([to, along, crossed(v) @ along * w[i], own, -crossed(v).T @ own @ v, torque[i] - friction * w[i]])
        place, axes, above = place + axes @ casadi.DM([0, 0, -above]), axes @ turn, length
    for i in reversed(range(7)):
        to, along, bias, whole, force, drive = links[i]
        carried = whole @ along
        pivot, left = along.T @ carried, drive - along.T @ force
        links[i] += [carried, pivot, left]
        if i > 0:
            rest = whole - carried @ carried.T / pivot
            links[i - 1][3] += to.T @ rest @ to
            links[i - 1][4] += to.T @ (force + rest @ bias + carried * left / pivot)
    rates = []
    for to, along, bias, _, _, _, carried, pivot, left in links:
        a = to @ a + bias
        rates.append((left - carried.T @ a) / pivot)
        a = a + along * rates[-1]
    hand = place + axes @ casadi.DM([0, 0, -above])
    return (casadi.Function("rates", [casadi.vertcat(q, w), torque], [casadi.vertcat(w, *rates)]),
            casadi.Function("hand", [casadi.vertcat(q, w)], [hand]))


ARM_RATES, ARM_HAND = arm_rates()


@problem(first=[joint[1] for joint in ARM] + [0] * 7, last=[None] * 7 + [0] * 7, time=1.5, count=20, linear=True,
         bounds=[(-b, b) for b in (80, 80, 40, 40, 10, 10, 1)], begin=[joint[4] for joint in ARM], still=True,
         cost=lambda x, u: sum((u[i] / joint[2])**2 for i, joint in enumerate(ARM)),
         reach=lambda x: ARM_HAND(x) - casadi.DM([-0.3, -0.6, -0.5]))
def arm_7(x, u):
    return [ARM_RATES(x, u)]


@problem(first=[1.5], last=[1], time=1000, count=500, linear=True, bounds=[(-10, 10)],
         cost=lambda x, u: (x[0]**2 + u[0]**2) / 2)
def hypersensitive_1000(x, u):
    return hypersensitive(x, u)


def tableau():
    """For the polynomials: values at the end, weights of integrals, derivatives at the points."""
    tau = numpy.append(0, casadi.collocation_points(DEGREE, "legendre"))
    end, weight, slope = (numpy.zeros(DEGREE + 1) for _ in range(3))
    slope = numpy.zeros((DEGREE + 1, DEGREE + 1))
    for j in range(DEGREE + 1):
        p = numpy.poly1d([1.0])
        for r in range(DEGREE + 1):
            if r != j:
                p *= numpy.poly1d([1, -tau[r]]) / (tau[j] - tau[r])
        end[j], weight[j] = p(1.0), numpy.polyint(p)(1.0)
        slope[j] = [numpy.polyder(p)(t) for t in tau]
    return tau, end, weight, slope


class Programme:
    """The unknowns with bounds and guesses, the constraints with their bounds, and the objective.
    """

    def __init__(self):
        self.unknown, self.guess, self.lower, self.upper, self.objective = [], [], [], [], 0
        self.rows, self.least, self.most = [], [], []

    def add(self, guess, lower, upper):
        self.unknown.append(casadi.MX.sym(f"w{len(self.unknown)}", len(guess)))
        self.guess += list(guess)
        self.lower += list(lower)
        self.upper += list(upper)
        return self.unknown[-1]

    def hold(self, row, least=0, most=0):
        self.rows.append(row)
        self.least += [least] * row.numel()
        self.most += [most] * row.numel()

    def solve(self):
        options = {"ipopt.tol": 1e-10, "ipopt.bound_relax_factor": 0, "ipopt.print_level": 0,
                   "ipopt.sb": "yes", "ipopt.mu_strategy": "adaptive", "print_time": 0}
        solver = casadi.nlpsol("solver", "ipopt", {"x": casadi.vertcat(*self.unknown), "f": self.objective,
                                                   "g": casadi.vertcat(*self.rows)}, options)
        found = solver(x0=self.guess, lbx=self.lower, ubx=self.upper, lbg=self.least, ubg=self.most)
        self.guess = numpy.array(found["x"]).ravel().tolist()
        return float(found["f"]), solver.stats()


class Limits:
    """A path constraint along polynomials through the states: enforced at the points and wherever
    it was exceeded."""

    def __init__(self, nlp, limits, tau):
        self.nlp, self.limits, self.tau, self.cells = nlp, limits, tau, []
        self.fine = numpy.linspace(0, 1, 101)

    def at(self, points, t):
        weight = [numpy.prod([(t - s) / (r - s) for s in self.tau if s != r]) for r in self.tau]
        return sum(w * p for w, p in zip(weight, points))

    def hold(self, points):
        if self.limits:
            self.cells.append(points)
        for limit, least, most in self.limits:
            for x in points[1:]:
                self.nlp.hold(casadi.MX(limit(x)), least, most)

    def exceeded(self):
        """Enforces the exceeded constraints; returns whether there are any."""
        values = casadi.Function("points", [casadi.vertcat(*self.nlp.unknown)],
                                 [casadi.horzcat(*[p for points in self.cells for p in points])])
        states, found, per = numpy.array(values(self.nlp.guess)), False, len(self.tau)
        for k, points in enumerate(self.cells):
            own = [states[:, k * per + j] for j in range(per)]
            line = [self.at(own, t) for t in self.fine]
            for limit, least, most in self.limits:
                over = [max(limit(x) - most, least - limit(x)) for x in line]
                worst = int(numpy.argmax(over))
                if over[worst] > 1e-8:
                    self.nlp.hold(casadi.MX(limit(self.at(points, self.top(over, worst)))), least, most)
                    found = True
        return found

    def top(self, over, worst):
        """The vertex of the parabola through a value and its two neighbours."""
        if worst in (0, len(over) - 1):
            return self.fine[worst]
        a, b, c = over[worst - 1:worst + 2]
        return self.fine[worst] + (self.fine[1] * 0.5 * (a - c) / (a - 2 * b + c) if a + c < 2 * b else 0)


def collocate(rates, elements, first, last, time, count, bounds, linear=False, cost=None, end=None, begin=None,
              goal=None, limits=(), still=False, reach=None):
    nlp, nx, nu = Programme(), len(first), len(bounds)
    tau, at_end, weight, slope = tableau()
    low, high = zip(*bounds)
    free = isinstance(time, tuple)
    duration = nlp.add([time[1]], [time[0]], [time[2]]) if free else time
    controls = [nlp.add(begin or [0] * nu, low, high) for _ in range(count + linear)]
    target = first if still else [(goal or {}).get(i, first[i] if b is None else b) for i, b in enumerate(last)]
    cells, none = count * elements, [numpy.inf] * nx

    def line(share):
        return [a + (b - a) * share for a, b in zip(first, target)]

    x, h, held = nlp.add(first, first, first), duration / cells, Limits(nlp, limits, tau)
    for k in range(cells):
        points = [x] + [nlp.add(line((k + t) / cells), [-v for v in none], none) for t in tau[1:]]
        for j in range(1, DEGREE + 1):
            i, share = k // elements, (k % elements + tau[j]) / elements
            u = controls[i] * (1 - share) + controls[i + 1] * share if linear else controls[i]
            moved = sum(slope[r][j] * points[r] for r in range(DEGREE + 1))
            nlp.hold(h * casadi.vertcat(*rates(points[j], u)) - moved)
            nlp.objective += weight[j] * h * cost(points[j], u) if cost else 0
        behind = last if k + 1 == cells else [None] * nx
        x = nlp.add(line((k + 1) / cells), [-numpy.inf if b is None else b for b in behind],
                    [numpy.inf if b is None else b for b in behind])
        nlp.hold(sum(at_end[j] * points[j] for j in range(DEGREE + 1)) - x)
        held.hold(points)
    nlp.objective += end(x, duration) if end else 0
    if reach:
        nlp.hold(reach(x))
    return nlp, held


def main():
    elements = int(sys.argv[1]) if len(sys.argv) > 1 else 2
    for name in sys.argv[2:] or DATA:
        rates, about = DATA[name]
        begun = time.process_time()
        nlp, held = collocate(rates, elements, **about)
        set_up = time.process_time()
        objective, stats = nlp.solve()
        ended = time.process_time()
        print(f"{name:24s} {objective:.12g} {stats['iter_count']:4d} iterations {ended - begun:.2f} s, "
              f"{ended - set_up:.2f} s of them in the solver: {stats['return_status']}", flush=True)
        for _ in range(20):
            if not held.cells or not held.exceeded():
                break
            objective, stats = nlp.solve()
            print(f"{'':24s} {objective:.12g} with {len(nlp.rows)} rows: {stats['return_status']}", flush=True)


if __name__ == "__main__":
    main()
