"""Problems optimised by Ipopt, JAX and PyTorch, if these are installed."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import gradyn


@pytest.fixture(name="five_bar", scope="module")
def made() -> gradyn.Problem:
    """With steps of constant length, so that differences are smooth."""
    return gradyn.load("five-bar", method="ali3p", step=5e-3, t_end=1.0)


def differences(problem: gradyn.Problem) -> Any:
    """dpsi/drho by extrapolated central differences."""
    rows = []
    for i in range(len(problem.x0)):
        estimates = []
        for h in (2e-4, 1e-4):
            step = np.zeros(len(problem.x0))
            step[i] = h
            up, down = problem.functions(problem.x0 + step), problem.functions(problem.x0 - step)
            estimates.append((up - down) / (2 * h))
        rows.append((4 * estimates[1] - estimates[0]) / 3)
    return np.array(rows).T


@pytest.mark.parametrize("name", ["five-bar", "cart-pole"])
def test_ipopt_reaches_the_optimum(name: str) -> None:
    pytest.importorskip("cyipopt")
    problem = gradyn.load(name)
    x, info = problem.ipopt(print_level=0, sb="yes").solve(problem.nlp().x0)
    own = problem.optimise()
    assert info["status"] in (0, 1) and own.success
    assert info["obj_val"] == pytest.approx(own.fun, rel=1e-6, abs=1e-6)
    lower, upper = problem.nlp().lower, problem.nlp().upper
    held = problem.nlp().constraints(x)
    assert (held > lower - 1e-6).all() and (held < upper + 1e-6).all()


def test_jax_differentiates_forward_and_back(five_bar: gradyn.Problem) -> None:
    jax = pytest.importorskip("jax")
    jax.config.update("jax_enable_x64", True)
    psi, x = five_bar.jax(), jax.numpy.array(five_bar.x0)
    expected = differences(five_bar)
    size = np.abs(expected).max(axis=1, keepdims=True)
    for routed in (jax.jacrev, jax.jacfwd, lambda f: jax.jit(jax.jacrev(f))):
        assert (np.abs(np.asarray(routed(psi)(x)) - expected) < 1e-6 * size).all()
    logarithm = jax.grad(lambda z: jax.numpy.log(psi(z)[0]))
    for routed in (logarithm, jax.jit(logarithm)):
        assert np.asarray(routed(x)) == pytest.approx(expected[0] / five_bar.functions()[0], rel=1e-6)
    several = jax.numpy.stack([x, 1.01 * x])
    assert (np.asarray(jax.vmap(psi)(several))[1] == five_bar.functions(np.asarray(1.01 * x))).all()
    slopes = np.asarray(jax.vmap(jax.jacrev(psi))(several))
    assert slopes[1] == pytest.approx(five_bar.gradients(np.asarray(1.01 * x))[1], rel=1e-12)


def test_jax_takes_one_gradient_a_point(five_bar: gradyn.Problem, monkeypatch: pytest.MonkeyPatch) -> None:
    jax = pytest.importorskip("jax")
    jax.config.update("jax_enable_x64", True)
    calls: list[str] = []
    for name in ("functions", "gradients"):
        called = getattr(five_bar, name)
        monkeypatch.setattr(
            five_bar, name, lambda *a, name=name, called=called: calls.append(name) or called(*a)
        )
    psi = five_bar.jax()
    jax.value_and_grad(lambda z: (psi(z) ** 2).sum())(jax.numpy.array(five_bar.x0))
    assert calls == ["gradients"]


def test_jax_second_derivatives_are_refused_in_words(five_bar: gradyn.Problem) -> None:
    jax = pytest.importorskip("jax")
    jax.config.update("jax_enable_x64", True)
    psi, x = five_bar.jax(), jax.numpy.array(five_bar.x0)
    for twice in (jax.hessian, lambda f: jax.jacrev(jax.jacrev(f)), lambda f: jax.jacfwd(jax.jacfwd(f))):
        with pytest.raises(gradyn.UsageError, match="first derivatives only"):
            twice(lambda z: psi(z)[0])(x)


def test_jax_reports_why_a_point_fails(five_bar: gradyn.Problem) -> None:
    jax = pytest.importorskip("jax")
    jax.config.update("jax_enable_x64", True)
    with pytest.raises(Exception, match="assembled"):
        np.asarray(five_bar.jax()(jax.numpy.array(five_bar.point(LA1=30.0))))


def test_jax_needs_64_bits(five_bar: gradyn.Problem) -> None:
    jax = pytest.importorskip("jax")
    jax.config.update("jax_enable_x64", False)
    try:
        with pytest.raises(gradyn.UsageError, match="32-bit numbers would spoil the results"):
            five_bar.jax()
    finally:
        jax.config.update("jax_enable_x64", True)


def test_torch_differentiates(five_bar: gradyn.Problem) -> None:
    torch = pytest.importorskip("torch")
    psi, x = five_bar.torch(), torch.tensor(five_bar.x0, requires_grad=True)
    size = torch.tensor(np.abs(five_bar.gradients()[1]).max(axis=1))
    assert torch.autograd.gradcheck(lambda z: psi(z) / size, (x,), eps=1e-4, atol=1e-6, rtol=1e-6)
    (psi(x) ** 2).sum().backward()
    value, gradient = five_bar.gradients()
    assert x.grad.numpy() == pytest.approx(2 * value @ gradient, rel=1e-12)
    assert psi(torch.tensor(five_bar.x0, dtype=torch.float32)).dtype == torch.float32


def test_torch_second_derivatives_are_refused_in_words(five_bar: gradyn.Problem) -> None:
    torch = pytest.importorskip("torch")
    psi, x = five_bar.torch(), torch.tensor(five_bar.x0, requires_grad=True)
    (slope,) = torch.autograd.grad(psi(x)[0], x, create_graph=True)
    with pytest.raises(gradyn.UsageError, match="first derivatives only"):
        (slope.sum() + (x * x).sum()).backward()  # in a sum with others it would not be missed
    with pytest.raises(gradyn.UsageError, match="first derivatives only"):
        torch.autograd.functional.hessian(lambda z: psi(z)[0], x)


def test_torch_reports_why_a_point_fails(five_bar: gradyn.Problem) -> None:
    torch = pytest.importorskip("torch")
    with pytest.raises(gradyn.EvaluationError, match="assembled"):
        five_bar.torch()(torch.tensor(five_bar.point(LA1=30.0)))
