"""Fits to data: three experiments with one encoder, compared with SciPy."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import gradyn
from conftest import thorough

ANGLES = {"small": {"angle": 0.4}, "medium": {"angle": 1.0}, "large": {"angle": 2.0}}
PARAMS = {
    "length": gradyn.Param(1.1, "m", 0.5, 2),
    "damping": gradyn.Param(0.2, "1/s", 0, 1),
    "offset": gradyn.Param(0.05, "rad", -0.2, 0.2),
    "angle": gradyn.Param(0.5, "rad", -3, 3, per_case=True),
}
TIMES = np.linspace(0, 2, 21)
TRUTH = {"length": 0.9, "damping": 0.3, "offset": 0.02}


def encoder(file: Path, likelihood: bool = False) -> gradyn.Problem:
    """A pendulum whose angle is read in several experiments by an encoder with an offset."""

    @gradyn.problem(params=PARAMS, t_end=2, rtol=1e-9)
    def pendulum(m, p):  # type: ignore[no-untyped-def]
        m.state("phi", "rad", p.angle)
        m.state("omega", "rad/s", 0)

        def motion(at):  # type: ignore[no-untyped-def]
            phi, omega = at.y
            pull = at.data.damping * omega + 9.81 / at.data.length * np.sin(phi)
            return [at.yp[0] - omega, at.yp[1] + pull]

        m.equations(residual=motion, data={"length": p.length, "damping": p.damping})
        read = m.measure_custom(
            "read", "rad", formula=lambda at: at.y[0] + at.data.offset, data={"offset": p.offset}
        )
        m.minimise(
            m.fit("encoder", read, file=str(file), column="phi", sigma=0.01, likelihood=likelihood)
        )

    return pendulum.cases(ANGLES)


def write_data(file: Path) -> None:
    """Readings with noise at the true parameters. The first lines are the definition of the true
    problem."""
    file.write_text("t,case,phi\n" + "".join(f"{t},{name},0\n" for name in ANGLES for t in TIMES))
    exact = encoder(file)
    x = np.array([TRUTH[n] if n in TRUTH else ANGLES[n.split("@")[1]]["angle"] for n in exact.parameters])
    psi = dict(zip(exact.functionals, exact.functions(x)))
    draw = np.random.default_rng(5)
    lines = [
        f"{t},{name},{0.01 * (psi[f'encoder[{k}]@{name}'] + draw.standard_normal())}\n"
        for name in ANGLES
        for k, t in enumerate(TIMES)
    ]
    file.write_text("t,case,phi\n" + "".join(lines))


@thorough
def test_three_experiments_give_the_optimum_of_scipy(tmp_path: Path) -> None:
    optimize = pytest.importorskip("scipy.optimize")
    file = tmp_path / "encoder.csv"
    write_data(file)
    experiments = encoder(file)
    own = [f"angle@{name}" for name in ANGLES]
    assert list(experiments.parameters) == ["length", "damping", "offset", *own]
    found = experiments.optimise()
    assert found.success and found.nfev < 30
    rows = [k for k, name in enumerate(experiments.functionals) if "[" in name]
    assert len(rows) == 3 * len(TIMES)
    other = optimize.least_squares(
        lambda x: experiments.functions(x)[rows],
        experiments.x0,
        jac=lambda x: experiments.gradients(x)[1][rows],
        xtol=1e-12,
        ftol=1e-12,
        gtol=1e-12,
    )
    assert found.x == pytest.approx(other.x, rel=1e-5, abs=1e-7)
    scatter = np.sqrt(np.diag(np.linalg.inv(other.jac.T @ other.jac)))[:3]
    assert (np.abs(found.x[:3] - list(TRUTH.values())) < 4 * scatter).all()


def test_likelihoods_add_their_terms(tmp_path: Path) -> None:
    file = tmp_path / "encoder.csv"
    write_data(file)
    plain, full = encoder(file), encoder(file, likelihood=True)
    values = dict(zip(plain.functionals, plain.functions()))
    for name, value in zip(full.functionals, full.functions()):
        if name.startswith("encoder@"):
            constant = len(TIMES) * (np.log(0.01) + np.log(2 * np.pi) / 2)
            assert value == pytest.approx(values[name] + constant, rel=1e-12)


def test_damaged_files_are_named(tmp_path: Path) -> None:
    file = tmp_path / "encoder.csv"
    file.write_text("t,case,phi\n0,small,0.1\n1,small,x\n")
    with pytest.raises(gradyn.GradynError, match="encoder.csv:3: the datum is"):
        encoder(file).functions()


def test_results_name_undetermined_parameters(tmp_path: Path) -> None:
    file = tmp_path / "encoder.csv"
    # experiment "large" has no data
    file.write_text("t,case,phi\n0.5,small,0.1\n1,small,-0.1\n0.7,medium,0.5\n")
    found = encoder(file).optimise()
    warnings = {w.name: w for w in found.warnings}
    assert (warnings["too-few-data"].value, warnings["too-few-data"].limit) == (3, 6)
    assert warnings["parameter-unseen"].subject == "angle@large"
    assert warnings["parameter-unseen"].value == found.parameters["angle@large"]


PINENE = np.array(
    [
        [88.35, 7.3, 2.3, 0.4, 1.75],
        [76.4, 15.6, 4.5, 0.7, 2.8],
        [65.1, 23.1, 5.3, 1.1, 5.8],
        [50.4, 32.9, 6.0, 1.5, 9.3],
        [37.5, 42.7, 6.0, 1.9, 12.0],
        [25.9, 49.1, 5.9, 2.2, 17.0],
        [14.0, 57.4, 5.1, 2.6, 21.0],
        [4.5, 63.1, 3.8, 2.9, 25.7],
    ]
)
PINENE_TIMES = np.array([1230.0, 3060.0, 4920.0, 7800.0, 10680.0, 15030.0, 22620.0, 36420.0])


def pinene(theta: Any) -> Any:
    """Residuals from the matrix exponential of the linear equations."""
    linalg = pytest.importorskip("scipy.linalg")
    a = np.zeros((5, 5), dtype=np.asarray(theta).dtype)
    a[0, 0], a[1, 0], a[2, 0] = -theta[0] - theta[1], theta[0], theta[1]
    a[2, 2], a[2, 4], a[3, 2] = -theta[2] - theta[3], theta[4], theta[2]
    a[4, 2], a[4, 4] = theta[3], -theta[4]
    return np.ravel([linalg.expm(a * t)[:, 0] * 100 - row for t, row in zip(PINENE_TIMES, PINENE)])


def test_covariances_are_those_of_an_independent_program() -> None:
    optimize = pytest.importorskip("scipy.optimize")
    problem = gradyn.load("alpha-pinene")
    found = problem.optimise(optimality=1e-9)
    said = problem.infer(found.x)

    def jacobian(theta: Any) -> Any:
        return np.array([pinene(theta + 1e-30j * e).imag / 1e-30 for e in np.eye(5)]).T

    other = optimize.least_squares(
        pinene, found.x, jac=jacobian, x_scale=found.x, xtol=1e-15, ftol=1e-15, gtol=1e-15
    )
    j = jacobian(other.x)
    scale = np.sqrt(np.diag(j.T @ j))
    inverse = np.linalg.inv(j.T @ j / np.outer(scale, scale)) / np.outer(scale, scale)
    covariance = inverse * 2 * other.cost / 35
    assert 2 * said.objective == pytest.approx(19.8721, abs=1e-4)
    assert (said.data, said.estimated, said.degrees) == (40, 5, 35)
    assert said.covariance == pytest.approx(covariance, rel=1e-6)
    assert list(said.deviation.values()) == pytest.approx(np.sqrt(np.diag(covariance)), rel=1e-6)
    low, high = said.interval["theta[2]"]
    assert (high - low) / said.deviation["theta[2]"] == pytest.approx(2 * 2.0301079282503425, rel=1e-9)
    tests = said.tests["fit_y3"]
    assert tests.data == 8 and list(tests.t) == list(PINENE_TIMES)
    assert tests.u == pytest.approx(pinene(found.x).reshape(8, 5)[:, 2], abs=1e-6)
    assert list(tests.sigma) == [1.0] * 8
    assert tests.model == pytest.approx(tests.measured + tests.u, abs=1e-12)
    assert tests.measured == pytest.approx(PINENE[:, 2])
    assert not said.undetermined and set(said.kind.values()) == {"determined"}


def test_the_pendulum_is_identified_as_by_its_angle() -> None:
    """Compares the fit of pendulum-identification with a fit of the angle's equation by SciPy."""
    optimize = pytest.importorskip("scipy.optimize")
    integrate = pytest.importorskip("scipy.integrate")
    problem = gradyn.load("pendulum-identification")
    found = problem.optimise()
    said = problem.infer(found.x)
    assert found.success and found.nfev < 20 and not said.undetermined
    readings = [test.measured for test in said.tests.values()]

    def residuals(x: Any) -> Any:
        length, drag, offset, *starts = x
        rows = []
        for start, row in zip(starts, readings):
            motion = integrate.solve_ivp(
                lambda t, y: [y[1], -9.81 / length * np.sin(y[0]) - drag * y[1]],
                (0, 2), [start, 0], "DOP853", TIMES, rtol=1e-12, atol=1e-12,
            )
            rows.append((motion.y[0] + offset - row) / 0.01)
        return np.concatenate(rows)

    for test, row in zip(said.tests.values(), residuals(found.x).reshape(3, 21)):
        assert test.u == pytest.approx(row, abs=1e-6)
    other = optimize.least_squares(residuals, found.x, jac="3-point", xtol=1e-13, ftol=1e-13, gtol=1e-11)
    assert other.x == pytest.approx(found.x, abs=1e-6)
    assert said.covariance == pytest.approx(np.linalg.inv(other.jac.T @ other.jac), rel=1e-5)
    truth = np.array([0.9, 0.3, 0.02, 0.4, 1, 2])
    assert (np.abs(found.x - truth) < 4 * np.array(list(said.deviation.values()))).all()


def test_profiles_end_where_scipy_finds_their_ends() -> None:
    optimize = pytest.importorskip("scipy.optimize")
    found = gradyn.load("alpha-pinene").profile(["theta[4]"], jobs=2)
    own = found["theta[4]"]
    assert own.ends == ("closed", "closed") and not found.message
    variance, z = 2 * found.objective / 35, 2.0301079282503425
    for limit in own.interval:

        def rest(theta: Any, limit: float = limit) -> Any:
            return pinene(np.append(theta, limit))

        other = optimize.least_squares(
            rest, found.x[:4], x_scale=found.x[:4], xtol=1e-13, ftol=1e-13, gtol=1e-13
        )
        assert np.sqrt(2 * (other.cost - found.objective) / variance) == pytest.approx(z, rel=1e-4)
    assert (np.diff(own.value) > 0).all() and (np.diff(own.z) > 0).all()
    assert own.x[:, 4] == pytest.approx(own.value, rel=1e-12)


def test_priors_and_logarithms_are_those_of_the_normal_equations() -> None:
    """Fits y = a t with a logarithmic a and priors of both parameters. The reference finds ln(a)
    by Newton's method."""
    t, data = np.array([0.25, 0.5, 0.75, 1.0]), np.array([0.8, 1.4, 2.4, 2.9])

    @gradyn.problem(
        params={
            "a": gradyn.Param(1.0, "m/s", 0.01, 100, prior=0.7, prior_deviation=0.1, logarithmic=True),
            "b": gradyn.Param(0.0, "m", -1, 1, prior=0.1, prior_deviation=0.2),
        },
        t_end=1.0, method="explicit", rtol=1e-11, atol=1e-12,
    )
    def line(m, p):  # type: ignore[no-untyped-def]
        m.state("y", "m", p.b)
        m.equations(residual=lambda at: [at.yp[0] - at.data.a], data={"a": p.a})
        read = m.measure_custom("read", "m", formula=lambda at: at.y[0])
        m.minimise(m.fit("fit", read, times=t, values=data, sigma=0.1))

    theta, b = 0.0, 0.0
    for _ in range(50):  # Gauss-Newton steps; the residuals of a small problem contract
        a = np.exp(theta)
        rows = np.vstack([np.column_stack([a * t, np.ones(4)]) / 0.1, [[10, 0]], [[0, 5]]])
        u = np.concatenate([(a * t + b - data) / 0.1, [(theta - 0.7) / 0.1], [(b - 0.1) / 0.2]])
        step = np.linalg.lstsq(rows, -u, rcond=None)[0]
        theta, b = theta + step[0], b + step[1]
    covariance = np.linalg.inv(rows.T @ rows)
    assert line.parameters["a"].logarithmic and line.parameters["a"].prior_deviation == 0.1
    found = line.optimise()
    said = line.infer(found.x)
    assert found.x == pytest.approx([np.exp(theta), b], rel=1e-5)
    assert found.fun == pytest.approx(u @ u / 2, rel=1e-8)
    scale = np.diag([found.x[0], 1])
    assert said.covariance == pytest.approx(scale @ covariance @ scale, rel=1e-4)
    half = 1.959963984540054 * np.sqrt(covariance[0, 0])
    assert said.interval["a"] == pytest.approx((np.exp(theta - half), np.exp(theta + half)), rel=1e-4)
    assert said.tests["prior.a"].data == 1 and said.tests["prior.a"].u[0] == pytest.approx(u[4], abs=1e-4)


def test_a_sensor_has_its_parameters_by_name() -> None:
    """Fits y = exp(-k t), read with a scale, an offset and a delay, and compares with the closed
    form."""
    t, data = np.array([0.3, 0.6, 0.9]), np.array([1.6, 1.2, 0.9])

    @gradyn.problem(
        params={
            "k": gradyn.Param(0.8, "1/s", 0.1, 5),
            "gain": gradyn.Param(1.7, "", 0.1, 5),
            "zero": gradyn.Param(0.1, "m", -1, 1, count=2),
            "lag": gradyn.Param(0.05, "s", -0.1, 0.2),
        },
        t_end=1.0, method="explicit", rtol=1e-11, atol=1e-12,
    )
    def decay(m, p):  # type: ignore[no-untyped-def]
        m.state("y", "m", 1.0)
        m.equations(residual=lambda at: [at.yp[0] + at.data.k * at.y[0]], data={"k": p.k})
        read = m.measure_custom("read", "m", formula=lambda at: at.y[0])
        m.minimise(
            m.fit("fit", read, times=t, values=data, sigma=0.1, scale="gain", offset="zero[1]", delay="lag")
        )

    psi, slopes = decay.gradients()
    m, rows = np.exp(-0.8 * (t - 0.05)), [list(decay.functionals).index(f"fit[{k}]") for k in range(3)]
    assert psi[rows] == pytest.approx((1.7 * m + 0.1 - data) / 0.1, rel=1e-8)
    by = np.column_stack([-1.7 * (t - 0.05) * m, m, np.zeros(3), np.ones(3), 1.7 * 0.8 * m]) / 0.1
    assert slopes[rows] == pytest.approx(by, rel=1e-7, abs=1e-9)
    with pytest.raises(gradyn.GradynError, match="there is no parameter late for its delay"):

        @gradyn.problem(params={"k": gradyn.Param(0.8, "1/s", 0.1, 5)}, t_end=1.0)
        def wrong(m, p):  # type: ignore[no-untyped-def]
            m.state("y", "m", 1.0)
            m.equations(residual=lambda at: [at.yp[0] + at.data.k * at.y[0]], data={"k": p.k})
            read = m.measure_custom("read", "m", formula=lambda at: at.y[0])
            m.minimise(m.fit("fit", read, times=t, values=data, delay="late"))

        wrong.functions()
