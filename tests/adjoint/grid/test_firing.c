/* A neuron that integrates, leaks and fires, in closed form. tau v' = I - v up to the threshold 1, where v
 * becomes -c w. The fatigue w changes at events only, to (w + 1)/(1 + w/2). The event changes its own
 * guard: a method that ignores this would fire once only. */
#include "tests/runs.h"
#include "tests/adjoint/grid/hybrid_checks.h"
#include "tests/declare.h"

#include <complex.h>

enum { TAU, INPUT, WEAKER, P, SPIKES = 4, RESULTS = SPIKES + 1 };
static const double rho[P] = {0.3, 1.4, 0.25}, t_end = 2;

FORMULAS(leak, at->data[0] * at->yp[0] - at->data[1] + at->y[0], at->yp[1])

FORMULA(threshold, 1 - at->y[0])

static gradyn_status fire(const gradyn_at *at, gradyn_scalar value[])
{
  const gradyn_scalar w = at->y[1];
  value[0] = -at->data[0] * w;
  value[1] = (w + 1) / (1 + w / 2);
  return GRADYN_OK;
}

FORMULA(potential, at->y[0])

static gradyn_status build(gradyn_model *m, const gradyn_scalar r[])
{
  const int v = gradyn_state(m, "v", "", 0), w = gradyn_state(m, "w", "", 0.5);
  const gradyn_datum data[] = {{"tau", "s", r[TAU]}, {"input", "", r[INPUT]}},
                     weaker = {"weaker", "", r[WEAKER]};
  const gradyn_component set[] = {{v, GRADYN_X}, {w, GRADYN_X}};
  declare_equations(m, leak, data, 2);
  const int spike = gradyn_event(
      m, &(gradyn_event_spec){.name = "spike",
                              .guard = {.terminal = threshold, .reads = &v, .read_count = 1},
                              .set = set,
                              .set_count = 2,
                              .reset = {.terminal = fire, .data = &weaker, .data_count = 1}});
  for (int k = 0; k < SPIKES; k++)
    gradyn_event_time(m, gradyn_format_name(m, "spike%d", k), spike, 1 + k);
  declare_end(m, "end", "", potential);
  return gradyn_build_status(m);
}

static void closed_form(const double complex p[], double complex psi[])
{
  double complex t = 0, v = 0, w = 0.5;
  for (int k = 0; k < SPIKES; k++) {
    psi[k] = t += p[TAU] * clog((p[INPUT] - v) / (p[INPUT] - 1));
    v = -p[WEAKER] * w;
    w = (w + 1) / (1 + w / 2);
  }
  psi[SPIKES] = p[INPUT] + (v - p[INPUT]) * cexp((t - t_end) / p[TAU]);
  assert_true(creal(psi[SPIKES]) < 1); /* no more of them */
}

TEST(a_neuron_fires_again_and_again)
{
  static const char *const sensitivity[] = {"direct", "adjoint"};
  static const gradyn_param params[] = {{.name = "rho", .count = P, .init = 1}};
  static const gradyn_problem neuron = PROBLEM("neuron", build, params, .t_end = 2, .rtol = 1e-12);
  double expected[RESULTS], slope[RESULTS * P];
  support_complex_step(closed_form, rho, P, RESULTS, expected, slope);
  for (int way = 0; way < 2; way++) {
    run_local *ev = hybrid_open(&neuron, &hybrid_schemes[0], sensitivity[way], 0);
    double psi[RESULTS], gradient[RESULTS * P];
    assert_ok(gradyn_evaluator_gradient(ev, rho, psi, gradient), gradyn_evaluator_message(ev));
    assert_close_array(psi, expected, RESULTS, 1e-9, 0);
    assert_close_array(gradient, slope, RESULTS * P, 1e-8, 1e-9);
  }
}
