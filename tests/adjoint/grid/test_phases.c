/* Phases whose durations are parameters: a cart is pushed, swings on a spring after a map, and slides
 * against drag. Against a closed form, direct against adjoint for all data, and differences. Durations are
 * no multiples of the step, since derivatives of fixed steps jump where an event passes the end of a step. */
#include "tests/adjoint/grid/hybrid_checks.h"
#include "tests/runs.h"
#include "tests/declare.h"

#include <complex.h>

enum { PUSH, SWING, SLIDE, FORCE, STIFFNESS, DRAG, SHARE, P };
enum { X_END, V_END, SWITCH, TIME, F };
static const double mass = 1.7, x_start = 0.2, v_start = -0.3;
static const double rho[P] = {0.613, 0.452, 0.709, 3, 12, 0.8, 0.85};

/* Error of values and gradients of a scheme. */
static double exactness(const hybrid_scheme *scheme)
{
  if (strcmp(scheme->method, "explicit") == 0)
    return 1e-9;
  return strcmp(scheme->method, "idas") == 0 ? 1e-8 : 2e-3;
}

FORMULAS(resist, -at->data[0] * at->vel[0], 0)

static gradyn_status build(gradyn_model *mbs, const gradyn_scalar r[])
{
  int push = gradyn_mode(mbs, "push"), swing = gradyn_mode(mbs, "swing");
  int slide = gradyn_mode(mbs, "slide");
  int wall = gradyn_ground_point(mbs, "wall", -1, 0), cart = gradyn_point(mbs, "cart", x_start, 0);
  gradyn_initial_velocity(mbs, cart, v_start, 0);
  gradyn_point_mass(mbs, "mass", cart, mass);
  gradyn_coordinate(mbs, "rail", cart, GRADYN_Y, &(gradyn_time_function){.value = 0});
  gradyn_force_set_modes(
      mbs, gradyn_force(mbs, &(gradyn_force_spec){.name = "push", .point = cart, .fx = r[FORCE]}),
      gradyn_modes_of(push));
  gradyn_force_set_modes(mbs,
                         gradyn_spring(mbs, &(gradyn_spring_spec){.name = "spring",
                                                                  .from = wall,
                                                                  .to = cart,
                                                                  .k = r[STIFFNESS],
                                                                  .free_length = 1}),
                         gradyn_modes_of(swing));
  const gradyn_datum drag = {"drag", "N s/m", r[DRAG]};
  gradyn_force_set_modes(mbs, declare_force(mbs, "air", cart, resist, &drag, 1),
                         gradyn_modes_of(slide));
  const gradyn_map_term less = {{cart, GRADYN_X}, {cart, GRADYN_X}, r[SHARE], false};
  gradyn_scalar t = gradyn_phase(mbs, &(gradyn_phase_spec){.name = "pushed",
                                                           .mode = push,
                                                           .duration = r[PUSH],
                                                           .next = swing,
                                                           .map = &less,
                                                           .map_count = 1});
  t = gradyn_phase(
      mbs, &(gradyn_phase_spec){
               .name = "swung", .mode = swing, .start = t, .duration = r[SWING], .next = slide});
  gradyn_phase(
      mbs,
      &(gradyn_phase_spec){
          .name = "slid", .mode = slide, .start = t, .duration = r[SLIDE], .next = GRADYN_END});
  gradyn_functional(mbs, &(gradyn_functional_spec){"x_end",
                                                   gradyn_measure_point(mbs, "", cart, 0, GRADYN_X),
                                                   .reduction = GRADYN_AT_END});
  gradyn_functional(mbs, &(gradyn_functional_spec){"v_end",
                                                   gradyn_measure_point(mbs, "", cart, 1, GRADYN_X),
                                                   .reduction = GRADYN_AT_END});
  gradyn_event_time(mbs, "switch", 2, 1);
  gradyn_end_time_functional(mbs, "time");
  return gradyn_build_status(mbs);
}

static const gradyn_param params[] = {{.name = "rho", .count = P, .init = 1}};
static const gradyn_problem problem = PROBLEM("phases", build, params, .rtol = 1e-11);

static void closed_form(const double complex *r, double complex *psi)
{
  double complex t = r[PUSH], a = r[FORCE] / mass, w = csqrt(r[STIFFNESS] / mass);
  double complex x = r[SHARE] * (x_start + v_start * t + a * t * t / 2);
  double complex v = r[SHARE] * (v_start + a * t), c = ccos(w * r[SWING]), s = csin(w * r[SWING]);
  double complex z = x * c + v * s / w, u = v * c - x * w * s;
  double complex e = cexp(-r[DRAG] / mass * r[SLIDE]);
  psi[X_END] = z + u * mass / r[DRAG] * (1 - e);
  psi[V_END] = u * e;
  psi[SWITCH] = r[PUSH] + r[SWING];
  psi[TIME] = psi[SWITCH] + r[SLIDE];
}

TEST(phases_have_the_closed_form)
{
  for (size_t k = 0; k < HYBRID_SCHEMES; k++) {
    run_local *ev = hybrid_open(&problem, &hybrid_schemes[k], "adjoint", 0);
    double psi[F], gradient[F * P], expected[F], slope[F * P];
    const double exact = exactness(&hybrid_schemes[k]);
    assert_run(gradyn_evaluator_gradient(ev, rho, psi, gradient), ev);
    support_complex_step(closed_form, rho, P, F, expected, slope);
    assert_close_array(psi, expected, F, exact, exact);
    assert_close_array(gradient, slope, F * P, exact, exact);
  }
}

TEST(direct_and_adjoint_agree)
{
  hybrid_agree(&problem, rho, 2, 0); /* the third phase ends with the run */
}

TEST(gradients_are_those_of_differences)
{
  hybrid_differ(&problem, rho, 0);
}

TEST(a_phase_of_no_length_is_refused)
{
  run_local *ev = hybrid_open(&problem, &hybrid_schemes[0], "adjoint", 0);
  double psi[F], moved[P];
  memcpy(moved, rho, sizeof moved);
  moved[SWING] = 0;
  assert_true(gradyn_evaluator_simulate(ev, moved, psi, NULL) != GRADYN_OK);
  if (!strstr(gradyn_evaluator_message(ev), "phase swung lasts 0 s"))
    fail_msg("'%s'", gradyn_evaluator_message(ev));
  gradyn_status status = gradyn_evaluator_simulate(ev, rho, psi, NULL); /* nothing is left of it */
  assert_run(status, ev);
}

/* build() determines the end time, so that it is known without a run. A failed build leaves it unchanged. */
TEST(the_end_is_known_without_a_run)
{
  run_local *ev = hybrid_open(&problem, &hybrid_schemes[0], "adjoint", 0);
  double moved[P], t_end = 0;
  memcpy(moved, rho, sizeof moved);
  moved[SLIDE] *= 2;
  assert_run(gradyn_evaluator_preview(ev, moved, &t_end, NULL, NULL), ev);
  assert_close(t_end, moved[PUSH] + moved[SWING] + moved[SLIDE], 1e-15, 0);
  moved[SLIDE] = (double)NAN;
  t_end = -1;
  assert_int_equal(gradyn_evaluator_preview(ev, moved, &t_end, NULL, NULL), GRADYN_INVALID);
  assert_true(t_end == -1);
  assert_int_equal(gradyn_evaluator_preview(NULL, rho, &t_end, NULL, NULL), GRADYN_INVALID);
}
