"""Load cases: one design, with one run for each case."""

import pickle

import gradyn
import numpy as np
import pytest


PARAMS = {"k": gradyn.Param(40, "N/m", 5, 200), "c": gradyn.Param(2, "N s/m", 0.1, 20)}


@gradyn.problem(params=PARAMS, t_end=1)
def swing(m, p):
    """An oscillator that carries a payload, whose mass depends on the case."""
    mass = 1 + m.case_value("payload", 0)
    m.state("z", "m", 0.1)
    m.state("v", "m/s", 0)

    def motion(at):
        z, v = at.y
        return [at.yp[0] - v, at.yp[1] - (1 - at.data.c * v - at.data.k * z) / mass]

    m.equations(residual=motion, data={"k": p.k, "c": p.c})
    m.minimise(m.custom_functional("sway", "m^2 s", integrand=lambda at: at.y[0] ** 2))


LOADS = {"empty": {"payload": 0, "weight": 3}, "full": {"payload": 4}}


def test_cases_are_runs_of_their_own():
    both = swing.with_options(rtol=1e-10).cases(LOADS)
    assert list(both.functionals) == ["sway@empty", "sway@full"]
    assert both.case_weights == {"empty": 3, "full": 1}
    x = np.array([30.0, 1.0])
    psi, gradient = both.gradients(x)
    for i, name in enumerate(LOADS):
        one = both.case(name)
        assert list(one.functionals) == ["sway"] and one.case_weights == {}
        assert np.array_equal(both.case_point(name, x), x)
        found = one.gradients(x)
        assert np.allclose(found[0], psi[i], rtol=1e-13)
        assert np.allclose(found[1], gradient[i], rtol=1e-9)
    assert psi[0] != psi[1]  # a function holds the payload of its case


def test_objectives_over_cases():
    both = swing.with_options(rtol=1e-6).cases(LOADS)
    found = {over: both.with_options(over_cases=over).optimise() for over in ("mean", "largest", "cvar:0.5")}
    assert all(result.success for result in found.values())
    psi = {over: both.functions(result.x) for over, result in found.items()}
    assert max(psi["largest"]) <= max(psi["mean"]) * (1 + 1e-6)


def test_tables_from_files(tmp_path):
    table = tmp_path / "loads.csv"
    table.write_text("case,payload,weight\nempty,0,3\nfull,4,\n")
    assert np.array_equal(swing.cases(table).functions(), swing.cases(LOADS).functions())
    table.write_text("case,payload\nempty,x\n")
    with pytest.raises(gradyn.GradynError, match=r"loads.csv:2: payload is"):
        swing.cases(table)
    with pytest.raises(gradyn.GradynError, match="column paylod is no parameter"):
        swing.cases({"a": {"paylod": 1}}).functions()
    with pytest.raises(gradyn.UsageError, match="has no case 'half'"):
        swing.cases(LOADS).case_point("half")


def test_parameters_of_one_case():
    own = {"empty": {"payload": 0, "k": 20}, "full": {"payload": 4}}
    both = swing.cases(own)
    assert list(both.parameters) == ["c", "k", "k@empty"]
    assert list(both.case_point("empty")) == [20, 2]


def test_cases_are_copied():
    both = swing.cases(LOADS)
    again = pickle.loads(pickle.dumps(gradyn.load("five-bar")))
    assert again.case_weights == {}
    assert both.with_options(rtol=1e-9).case_weights == both.case_weights
