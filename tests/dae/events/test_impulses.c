/* Impulses of events without a wall, in every scheme: a rope that becomes taut, a foot that is pinned, a
 * velocity that is set. */
#include "tests/declare.h"
#include "tests/runs.h"

#include <complex.h>

enum { SPEED, LENGTH, MASS, P, TAUT = 0, PINNED, KICK, F };

static gradyn_status slack(const gradyn_at *at, gradyn_scalar *value)
{
  const gradyn_scalar *r = at->pos + 4; /* behind the pivot */
  *value = at->data[0] * at->data[0] - r[0] * r[0] - r[1] * r[1];
  return GRADYN_OK;
}

FORMULA(time_left, at->data[0] - at->t)
FORMULA(half_speed, at->vel[8] / 2)

/* A ball on a rope flies horizontally at a height of 0.3 m. A second one is pinned at 0.3 s, and a third
 * one slowed down at 0.4 s. */
static gradyn_status build(gradyn_model *m, const gradyn_scalar r[])
{
  const int free = gradyn_mode(m, "free"), taut = gradyn_mode(m, "taut"),
            pinned = gradyn_mode(m, "pinned");
  const int pivot = gradyn_ground_point(m, "pivot", 0, 0);
  int ball[3];
  for (int k = 0; k < 3; k++) {
    ball[k] = gradyn_point(m, gradyn_format_name(m, "ball%d", k), 0, 0.3);
    gradyn_initial_velocity(m, ball[k], r[SPEED], k == 1 ? 1 : 0);
    gradyn_point_mass(m, gradyn_format_name(m, "mass%d", k), ball[k], r[MASS]);
  }
  gradyn_constraint_set_modes(
      m, gradyn_distance(m, "rope", pivot, ball[0], &(gradyn_time_function){.value = r[LENGTH]}),
      gradyn_modes_of(taut) | gradyn_modes_of(pinned));
  for (int axis = 0; axis < 2; axis++) {
    gradyn_constraint_id latched = gradyn_coordinate(m, axis ? "pin.y" : "pin.x", ball[1],
                                                     axis ? GRADYN_Y : GRADYN_X,
                                                     &(gradyn_time_function){.value = 0});
    gradyn_constraint_set_modes(m, latched, gradyn_modes_of(pinned));
    gradyn_latch_constraint(m, latched);
  }
  const int snap = gradyn_event(
      m, &(gradyn_event_spec){.name = "snap",
                              .guard = {.terminal = slack,
                                        .data = &(gradyn_datum){"length", "m", r[LENGTH]},
                                        .data_count = 1},
                              .mode = taut});
  gradyn_event_set_modes(m, snap, gradyn_modes_of(free));
  const int pin = gradyn_event(
      m, &(gradyn_event_spec){.name = "pin",
                              .guard = {.terminal = time_left,
                                        .data = &(gradyn_datum){"at", "s", 0.3},
                                        .data_count = 1},
                              .mode = pinned});
  gradyn_event_set_modes(m, pin, gradyn_modes_of(taut));
  const gradyn_component x = {ball[2], GRADYN_X};
  const int kick = gradyn_event(
      m, &(gradyn_event_spec){.name = "kick",
                              .guard = {.terminal = time_left,
                                        .data = &(gradyn_datum){"at", "s", 0.4},
                                        .data_count = 1},
                              .set = &x,
                              .set_count = 1,
                              .reset = {.terminal = half_speed}});
  gradyn_event_impulse(m, "taut", snap, 1);
  gradyn_event_impulse(m, "pinned", pin, 1);
  gradyn_event_impulse(m, "kick", kick, 1);
  return gradyn_build_status(m);
}

/* The rope removes the velocity along itself, v x/L with x^2 + 0.3^2 = L^2; the pin removes all of it. */
static void closed_form(const double complex p[], double complex psi[])
{
  const double complex x = csqrt(p[LENGTH] * p[LENGTH] - 0.09);
  psi[TAUT] = p[MASS] * p[SPEED] * x / p[LENGTH];
  psi[PINNED] = p[MASS] * csqrt(p[SPEED] * p[SPEED] + 1);
  psi[KICK] = -p[MASS] * p[SPEED] / 2;
}

TEST(what_is_new_behind_an_event_has_an_impulse)
{
  static const char *const sensitivity[] = {"direct", "adjoint"};
  static const gradyn_param params[] = {{.name = "rho", .count = P, .init = 1}};
  static const gradyn_problem problem = PROBLEM("taut", build, params, .t_end = 0.5, .rtol = 1e-11);
  const double rho[P] = {2, 0.5, 1.5};
  double expected[F], slope[F * P];
  support_complex_step(closed_form, rho, P, F, expected, slope);
  for (int c = 0; c < 2 * RUN_METHODS; c++) {
    double psi[F], gradient[F * P];
    run_local *ev = run_with(&problem, .method = run_methods[c / 2],
                             .step = c / 2 < RUN_ADAPTIVE ? 0 : 0.01,
                             .sensitivity = sensitivity[c % 2]);
    assert_run(gradyn_evaluator_gradient(ev, rho, psi, gradient), ev);
    assert_close_array(psi, expected, F, 1e-8, 1e-8);
    assert_close_array(gradient, slope, F * P, 1e-7, 1e-7);
    for (int k = 0; k < F; k++)
      assert_close(gradyn_event_log_at(ev, (size_t)k).impulse, psi[k], 1e-14, 0);
  }
}
