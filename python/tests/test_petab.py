"""Tables of PEtab: a manually written problem with a steady state before the run, and damaged
tables."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import gradyn
from conftest import thorough

FOLDER = Path(__file__).parent / "petab"
TABLES = ("measurements", "conditions", "parameters", "observables")


def read(folder: Path = FOLDER) -> gradyn.Petab:
    return gradyn.Petab(*(folder / f"{name}.tsv" for name in TABLES))


def conversion(data: gradyn.Petab) -> gradyn.Problem:
    """Species A and B with A' = -k1 dose A + k2 B and A + B = total. Before the run, the dose is
    another one."""

    @gradyn.problem(params=data.params, t_end=data.t_end, rtol=1e-10)
    def model(m: Any, p: Any) -> None:
        m.state("A", "", p.total)
        m.state("B", "", 0)

        def motion(at: Any) -> list[Any]:
            flow = at.data.k1 * at.data.dose * at.y[0] - at.data.k2 * at.y[1]
            return [at.yp[0] + flow, at.yp[1] - flow]

        m.equations(
            residual=motion,
            data={"k1": p.k1, "k2": p.k2, "dose": m.case_value("dose")},
            before={"dose": m.case_value("before.dose")},
        )
        m.start_in_equilibrium()
        a = m.measure_custom("a", "", formula=lambda at: at.y[0])
        data.fit(m, p, {"obs_a": a, "obs_b": m.measure_custom("b", "", formula=lambda at: at.y[1])})

    return model.cases(data.cases)


def log_likelihood(k1: Any, k2: Any, sd_b: Any) -> Any:
    """-ln L and the prior in closed form; separate code reads the tables."""
    doses = {"rest": 0.2, "dose_1": 1.0, "dose_2": 3.0}
    total, value = 1.5, 0.0
    for line in (FOLDER / "measurements.tsv").read_text().splitlines()[1:]:
        name, before, during, datum, time, noise = line.split("\t")
        rate = k1 * doses[during] + k2
        first = total * k1 * doses[before] / (k1 * doses[before] + k2)
        last = total * k1 * doses[during] / rate
        b = last + (first - last) * np.exp(-rate * float(time))
        sigma = sd_b if noise == "sd_b" else float(noise)
        r = ((b if name == "obs_b" else total - b) - float(datum)) / sigma
        value = value + r * r / 2 + np.log(sigma) + math.log(2 * math.pi) / 2
    prior = (np.log10(k2) + 0.4) / 0.5
    return value + prior * prior / 2


def test_tables_become_parameters_and_cases() -> None:
    data = read()
    assert data.observables == ["obs_b", "obs_a"] and data.t_end == 4
    assert {name: case["t_end"] for name, case in data.cases.items()} == {"rest.dose_1": 4, "rest.dose_2": 4}
    assert data.cases["rest.dose_2"]["dose"] == 3 and data.cases["rest.dose_2"]["before.dose"] == 0.2
    assert data.cases["rest.dose_1"]["preequilibrated"] == 1
    k2, total = data.params["k2"], data.params["total"]
    assert (k2.lower, k2.upper, k2.init, k2.logarithmic, k2.fixed) == (0.01, 10, 1, True, False)
    assert k2.prior == pytest.approx(-0.4 * math.log(10))
    assert k2.prior_deviation == pytest.approx(0.5 * math.log(10))
    assert total.fixed and not total.logarithmic


def test_the_objective_is_that_of_the_closed_form() -> None:
    problem = conversion(read())
    names = list(problem.parameters)
    x = problem.x0
    for k1, k2, sd_b in ((1, 1, 0.1), (0.5, 0.8, 0.03)):
        x[[names.index(name) for name in ("k1", "k2", "sd_b")]] = k1, k2, sd_b
        nlp = problem.nlp()
        z = x[nlp.varied]
        assert nlp.fun(z) == pytest.approx(log_likelihood(k1, k2, sd_b), rel=1e-8)
        slopes = dict(zip((names[k] for k in nlp.varied), nlp.jac(z)))
        for k, name in enumerate(("k1", "k2", "sd_b")):
            at = [complex(k1), complex(k2), complex(sd_b)]
            at[k] += 1e-30j
            assert slopes[name] == pytest.approx(log_likelihood(*at).imag / 1e-30, rel=1e-7)


@thorough
def test_a_search_finds_the_likeliest_parameters() -> None:
    problem = conversion(read())
    found = problem.optimise()
    assert found.success
    best = [found.parameters[name] for name in ("k1", "k2", "sd_b")]
    assert best[:2] == pytest.approx([0.7, 0.4], rel=0.3) and best[2] < 0.05  # of the truth
    for k in range(3):
        at = [complex(v) for v in best]
        at[k] += 1e-30j
        assert abs(log_likelihood(*at).imag / 1e-30 * best[k]) < 1e-3


DAMAGES = [
    (
        "measurements", "obs_b\trest\tdose_1\t", "obs_b\trest\tdose_9\t",
        r"measurements.tsv:2: the condition 'dose_9'",
    ),
    ("measurements", "measurement\t", "value\t", "measurements.tsv:1: there is no column measurement"),
    ("measurements", "\tsd_b\n", "\t\tx\n", "measurements.tsv:2: the line has 7 cells"),
    ("measurements", "\t0.5\tsd_b", "\tinf\tsd_b", r"measurements.tsv:3: time is 'inf'"),
    ("measurements", "\t0.5\tsd_b", "\t-1\tsd_b", r"measurements.tsv:3: time is -1; it must not be negative"),
    ("measurements", "\t0.5\tsd_b", "\t0.5\tsd_c", r"measurements.tsv:3: the noise 'sd_c' is no parameter"),
    ("measurements", "\t0.5\tsd_b", "\t0.5\t2*x", r"measurements.tsv:3: noiseParameters are '2\*x'"),
    ("measurements", "\t0.02\n", "\t-0.02\n", r"measurements.tsv:7: noiseParameters are -0.02; they must be"),
    ("measurements", "\t0.02\n", "\t\n", r"measurements.tsv:7: there is no noise of obs_a"),
    ("measurements", "noiseParameters", "observableParameters", "observableParameters are part of a formula"),
    ("conditions", "dose_2", "dose_1", r"conditions.tsv:4: conditionId 'dose_1' occurs twice"),
    ("conditions", "3.0", "k1", r"conditions.tsv:4: dose is 'k1'; it must be a finite number"),
    ("parameters", "k1\tlog10\t0.01", "k1\tlog10\t0", r"parameters.tsv:2: lowerBound of k1 must be positive"),
    ("parameters", "k1\tlog10", "k1\tlog2", r"parameters.tsv:2: parameterScale is 'log2'"),
    ("parameters", "10\t1\t1\t\t", "10\t11\t1\t\t", r"parameters.tsv:2: nominalValue 11 of k1 is outside"),
    ("parameters", "-0.4;0.5", "-0.4", r"parameters.tsv:3: objectivePriorParameters are '-0.4'"),
    ("parameters", "parameterScaleNormal", "laplace", r"parameters.tsv:3: objectivePriorType is 'laplace'"),
    ("parameters", "parameterScaleNormal", "normal", r"parameters.tsv:3: the prior normal needs"),
    (
        "observables", "A\tnoiseParameter1_obs_a\tlin", "A\tsd_b\tlog",
        r"observables.tsv:2: observableTransformation",
    ),
    (
        "observables", "noiseParameter1_obs_a", "0.1 + sd_b",
        r"observables.tsv:2: noiseFormula is '0.1 \+ sd_b'",
    ),
]


@pytest.mark.parametrize("table, old, new, said", DAMAGES)
def test_damaged_tables_are_named(tmp_path: Path, table: str, old: str, new: str, said: str) -> None:
    for name in TABLES:
        text = (FOLDER / f"{name}.tsv").read_text()
        assert name != table or old in text
        (tmp_path / f"{name}.tsv").write_text(text.replace(old, new, 1) if name == table else text)
    with pytest.raises(gradyn.UsageError, match=said):
        read(tmp_path)


def test_missing_files_and_measures_are_named(tmp_path: Path) -> None:
    with pytest.raises(gradyn.UsageError, match="none.tsv: the table cannot be read"):
        gradyn.Petab(tmp_path / "none.tsv", FOLDER / "conditions.tsv")
    data = read()

    @gradyn.problem(params=data.params, t_end=4)
    def model(m: Any, p: Any) -> None:
        m.state("A", "", p.total)
        m.equations(residual=lambda at: [at.yp[0] + at.y[0]])
        data.fit(m, p, {"obs_a": m.measure_custom("a", "", formula=lambda at: at.y[0])})

    with pytest.raises(gradyn.GradynError, match="no measure of the observable obs_b"):
        model.functions()


def test_numbers_as_noise_need_no_likelihood(tmp_path: Path) -> None:
    text = (FOLDER / "measurements.tsv").read_text().replace("sd_b", "0.03")
    (tmp_path / "measurements.tsv").write_text(text)
    data = gradyn.Petab(tmp_path / "measurements.tsv", FOLDER / "conditions.tsv", FOLDER / "parameters.tsv")
    problem = conversion(data)
    constant = sum(math.log(0.03 if k < 10 else 0.02) + math.log(2 * math.pi) / 2 for k in range(16))
    nlp = problem.nlp()
    assert nlp.fun(problem.x0[nlp.varied]) == pytest.approx(log_likelihood(1, 1, 0.03) - constant, rel=1e-8)
