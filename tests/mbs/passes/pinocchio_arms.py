#!/usr/bin/env python3
"""Arms and trees in joint coordinates, one that floats among them, against Pinocchio: accelerations, what drives have
to do, and derivatives of accelerations by coordinates, rates and torques; of what floats, those of joints by joints.

Not among the tests, since Pinocchio is no package of Debian: with it (pip install pin) and the package gradyn,
    PYTHONPATH=build/python python3 tests/mbs/passes/pinocchio_arms.py [SEED]
Errors are told over the largest number of each matrix. One above 1e-11 is wrong, or, where that is more, above the
condition of the joints' mass matrix times 1e-15, which an arm of 128 bodies brings to some 1e-9. Of three such arms
accelerations in 50 digits tell whose errors these are: Pinocchio's 2e-14 to 6e-14, gradyn's 9e-13 to 3e-12, which sums
all loads before it solves; of derivatives by coordinates and rates 6e-12 and 7e-12. The start has its digits."""

import sys

import gradyn
import numpy as np
import pinocchio

ALLOWED = 1e-11


def draw(count: int, branches: bool, floats: bool, rng: np.random.Generator):
    """Bodies of any mass on revolute and prismatic joints in any direction, and a state; the first may float."""
    model = pinocchio.Model()
    for i in range(count):
        parent = i  # Pinocchio's derivatives want joints numbered depth first
        for _ in range(int(rng.integers(0, 4)) if branches else 0):
            parent = max(model.parents[parent], min(i, int(floats)))
        place = pinocchio.SE3.Random()
        place.translation = rng.uniform(-0.3, 0.3, 3)
        slides = branches and rng.random() < 0.25
        kind = pinocchio.JointModelPZ() if slides else pinocchio.JointModelRZ()
        if i == 0 and floats:
            kind = pinocchio.JointModelFreeFlyer()
        number = model.addJoint(parent, kind, place, f"j{i}")
        half = rng.uniform(0.5, 1, (3, 3)) @ np.diag(rng.uniform(0.05, 0.1, 3))
        inertia = pinocchio.Inertia(rng.uniform(0.5, 2), rng.uniform(-0.1, 0.1, 3), np.zeros((3, 3)))
        spread = half @ half.T  # second moments, of a body that may be
        inertia.inertia = np.trace(spread) * np.eye(3) - spread
        model.appendBodyToJoint(number, inertia, pinocchio.SE3.Identity())
    model.gravity.linear = np.array([0, 0, -9.81])
    q, v, tau = pinocchio.neutral(model), rng.uniform(-1, 1, model.nv), rng.uniform(-1, 1, model.nv)
    if floats:
        tau[:6] = 0
    return model, pinocchio.integrate(model, q, rng.uniform(-1, 1, model.nv)), v, tau


def is_joint(model, i: int) -> bool:
    return model.joints[i].nv == 1


def declare(m, model, q, v, data):
    """The bodies where they are at q, as they move, and their joints; numbers of the joints' coordinates."""
    bodies, found = [gradyn.GROUND], []
    pinocchio.forwardKinematics(model, data, q, v)
    m.gravity_3d(0, 0, -9.81)
    for i in range(1, model.njoints):
        at, I, R = data.oMi[i], model.inertias[i], data.oMi[i].rotation
        J = R @ I.inertia @ R.T
        omega = R @ data.v[i].angular
        bodies.append(
            m.body_3d(
                f"b{i}",
                centre=list(at.act(I.lever)),
                velocity=list(R @ data.v[i].linear + np.cross(omega, R @ I.lever)),
                omega=list(omega),
                mass=I.mass,
                inertia=[J[0, 0], J[1, 1], J[2, 2], J[0, 1], J[0, 2], J[1, 2]],
            )
        )
        if not is_joint(model, i):
            continue
        before = data.oMi[model.parents[i]] * model.jointPlacements[i]
        slides = model.joints[i].shortname() == "JointModelPZ"
        kind = "prismatic" if slides else "revolute"
        side, base = list(R[:, 0]), before.rotation
        a = m.frame(f"a{i}", bodies[model.parents[i]], origin=list(before.translation), axis=list(base[:, 2]),
                    side=list(base[:, 0]))
        b = m.frame(f"c{i}", bodies[i], origin=list(at.translation), axis=list(base[:, 2]), side=side)
        joint = m.joint(f"j{i}", kind, a, b)
        found.append(m.joint_coordinate(joint, "slide") if slides else m.joint_coordinate(joint, "angle"))
    return found


def forced(model, q, v, tau):
    """The motion under torques, each a signal."""

    @gradyn.problem(params={"unused": gradyn.Param(0)}, t_end=1e-3, coordinates="joint", method="explicit")
    def problem(m, p):
        """Under torques"""
        data = model.createData()
        found = declare(m, model, q, v, data)
        for i, coordinate in enumerate(found):
            k = i - len(found)
            m.fix_initial_joint(f"start{i}", coordinate, q[k], v[k])
            effort = m.signal(f"tau{i}", "N m", "piecewise-constant", knots=[tau[k]])
            m.joint_spring(f"motor{i}", coordinate, signal=effort)

    return problem


def driven(model, q, v, a):
    """The motion with accelerations given, and what its drives do; what floats moves as it must."""
    method = "kinematic" if is_joint(model, 1) else "explicit"

    @gradyn.problem(params={"unused": gradyn.Param(0)}, t_end=1e-3, coordinates="joint", method=method)
    def problem(m, p):
        """Driven"""
        data = model.createData()
        found = declare(m, model, q, v, data)
        for i, coordinate in enumerate(found):
            k = i - len(found)
            law = {"value": q[k], "rate": v[k], "acceleration": a[k]}
            drive = m.drive_joint(f"drive{i}", coordinate, law)
            m.measure_multiplier(f"effort{i}", drive)

    return problem


def error(found, true) -> float:
    return float(np.abs(found - true).max() / np.abs(true).max())


def of_root(model, data, q, v, a):
    """How the centre of the first body is accelerated."""
    pinocchio.forwardKinematics(model, data, q, v, a)
    R, w, lever = data.oMi[1].rotation, data.v[1].angular, model.inertias[1].lever
    origin = data.a[1].linear + np.cross(w, data.v[1].linear)
    return R @ (origin + np.cross(data.a[1].angular, lever) + np.cross(w, np.cross(w, lever)))


def compare(name: str, count: int, rng: np.random.Generator) -> bool:
    model, q, v, tau = draw(count, name != "arm", name == "floating tree", rng)
    data = model.createData()
    acceleration = pinocchio.aba(model, data, q, v, tau).copy()
    pinocchio.computeABADerivatives(model, data, q, v, tau)
    problem = forced(model, q, v, tau)
    linear = problem.linearise()
    motion = problem.simulate()
    numbers = {int(c.split(".")[0][1:]): i for i, c in enumerate(linear.coordinates) if c.startswith("j")}
    place, n = [numbers[i] for i in sorted(numbers)], len(linear.coordinates)
    joints = slice(model.nv - len(place), model.nv)  # behind those of what floats
    rates = linear.A[n:][place]
    names = [linear.coordinates[i] for i in place]
    digits = np.linalg.cond(pinocchio.crba(model, data, q)) * 1e-15
    needed = pinocchio.rnea(model, data, q, v, acceleration).copy()
    drives = driven(model, q, v, acceleration).simulate()
    errors = {
        "a": error(np.array([motion[f"{c}.acceleration"][0] for c in names]), acceleration[joints]),
        "tau": error(np.array([-drives[f"effort{i}"][0] for i in range(len(place))]), needed[joints]),
        "a_q": error(rates[:, :n][:, place], data.ddq_dq[joints, joints]),
        "a_v": error(rates[:, n:][:, place], data.ddq_dv[joints, joints]),
        "a_tau": error(linear.B[n:][place], data.Minv[joints, joints]),
    }
    if not is_joint(model, 1):
        centre = np.array([motion[f"b1.a{axis}"][0] for axis in "xyz"])
        errors["root"] = error(centre, of_root(model, data, q, v, acceleration))
    ok = max(errors.values()) <= max(ALLOWED, digits)
    told = ", ".join(f"{k} {e:.1e}" for k, e in errors.items())
    print(f"{name} {count}: {told}; condition x 1e-15: {digits:.1e}{'' if ok else ' WRONG'}")
    return ok


def main() -> int:
    seed = int(sys.argv[1]) if len(sys.argv) > 1 else 1
    rng = np.random.default_rng(seed)
    pinocchio.seed(seed)
    print("seed", seed)
    cases = [(name, count) for name in ("arm", "tree", "floating tree") for count in (7, 32, 128)]
    return 0 if all([compare(*case, rng) for case in cases]) else 1


if __name__ == "__main__":
    sys.exit(main())
