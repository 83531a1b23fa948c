/* The order of equations and states has no effect if combinations of states have no rate: a capacitor
 * between two resistors, and a state that follows one of its voltages, against closed forms. */
#include "tests/runs.h"

#include <complex.h>

enum { FIRST, SECOND, CAPACITY, PARAMETERS };
enum { LEFT, RIGHT, FOLLOWER, STATES };
static const double rho[PARAMETERS] = {1.3, 0.7, 0.4}; /* ohm, ohm, F */
static const double t_end = 0.9, start = 0.2;          /* s, V over the capacitor */

static const int orders[][STATES] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2},
                                     {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};

typedef struct places {
  const int *equation, *state; /* [STATES] where each stands */
} places;

static gradyn_status circuit(const gradyn_at *at, gradyn_scalar F[])
{
  const places *p = at->user;
  const gradyn_scalar *d = at->data;
  const gradyn_scalar left = at->y[p->state[LEFT]], right = at->y[p->state[RIGHT]];
  const gradyn_scalar current = d[CAPACITY] * (at->yp[p->state[LEFT]] - at->yp[p->state[RIGHT]]);
  F[p->equation[0]] = (left - 1) / d[FIRST] + right / d[SECOND];
  F[p->equation[1]] = 3 * (right / d[SECOND] - current);
  F[p->equation[2]] = at->yp[p->state[FOLLOWER]] + at->y[p->state[FOLLOWER]] - left;
  return GRADYN_OK;
}

FORMULA(value, at->y[*(const int *)at->user])

static places of[GRADYN_COUNT(orders)][GRADYN_COUNT(orders)];

static gradyn_status build(gradyn_model *m, const gradyn_scalar r[])
{
  static const char *const name[STATES] = {"left", "right", "follower"};
  static const double initial[STATES] = {0.6, 0.4,
                                         0}; /* only the difference of the first two matters */
  places *p = &of[gradyn_setting_value(m, "equations")][gradyn_setting_value(m, "states")];
  const gradyn_datum data[] = {{"R1", "", r[FIRST]}, {"R2", "", r[SECOND]}, {"C", "", r[CAPACITY]}};
  for (int i = 0; i < STATES; i++)
    for (int k = 0; k < STATES; k++)
      if (p->state[k] == i)
        gradyn_state(m, name[k], "", initial[k]);
  gradyn_equations(
      m, &(gradyn_equations_spec){.residual = circuit, .data = data, .data_count = 3, .user = p});
  for (int k = 0; k < STATES; k++)
    gradyn_custom_functional(m, &(gradyn_custom_functional_spec){.name = name[k],
                                                                 .terminal = value,
                                                                 .user = (void *)&p->state[k]});
  return gradyn_build_status(m);
}

/* With T = (R1 + R2) C, the current is (1 - start)/(R1 + R2) exp(-t/T). */
static void closed_form(const double complex p[], double complex result[])
{
  const double complex all = p[FIRST] + p[SECOND], T = all * p[CAPACITY];
  const double complex fades = (1 - start) / all * cexp(-t_end / T);
  result[LEFT] = 1 - p[FIRST] * fades;
  result[RIGHT] = p[SECOND] * fades;
  /* z' = -z + 1 - c exp(-t/T) */
  const double complex c = p[FIRST] * (1 - start) / all, k = c / (1 - 1 / T);
  result[FOLLOWER] = 1 - k * cexp(-t_end / T) + (k - 1) * exp(-t_end);
}

TEST(the_order_does_not_matter)
{
  static const gradyn_param params[] = {
      {.name = "R1", .init = 1.3}, {.name = "R2", .init = 0.7}, {.name = "C", .init = 0.4}};
  static const gradyn_setting settings[] = {{"equations", "in which order", 0, 0, 5},
                                            {"states", "in which order", 0, 0, 5}};
  const gradyn_problem problem = PROBLEM("circuit", build, params, .settings = settings,
                                         .setting_count = 2, .t_end = t_end, .method = "idas",
                                         .rtol = 1e-9);
  double expected[STATES], slope[STATES * PARAMETERS];
  support_complex_step(closed_form, rho, PARAMETERS, STATES, expected, slope);
  for (int k = 0; k < 72; k++) {
    const gradyn_setting_choice choice[] = {{"equations", k / 2 / 6}, {"states", k / 2 % 6}};
    double psi[STATES], gradient[STATES * PARAMETERS];
    of[k / 2 / 6][k / 2 % 6] = (places){orders[k / 2 / 6], orders[k / 2 % 6]};
    run_local *ev = run_with(&problem, .sensitivity = k % 2 ? "adjoint" : "direct",
                             .settings = choice, .setting_count = 2);
    assert_run(gradyn_evaluator_gradient(ev, rho, psi, gradient), ev);
    assert_close_array(psi, expected, STATES, 1e-6, 0);
    assert_close_array(gradient, slope, STATES * PARAMETERS, 1e-6, 1e-7);
  }
}
