/* Phases whose durations are parameters: a cart is pushed, swings on a spring, with a map in between, and
 * slides on against drag; closed form, direct against adjoint by all data, differences. Durations are no
 * multiples of the step: where an event passes the end of a step, derivatives of fixed steps jump. */
#include "tests/support.h"

#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <gradyn/gradyn.h>

enum { PUSH, SWING, SLIDE, FORCE, STIFFNESS, DRAG, SHARE, P };
enum { X_END, V_END, SWITCH, TIME, F };
static const double mass = 1.7, x_start = 0.2, v_start = -0.3;
static const double rho[P] = {0.613, 0.452, 0.709, 3, 12, 0.8, 0.85};

static const struct scheme {
  const char *method;
  double step, agree, differ, exact; /* direct and adjoint; gradient and differences, closed form */
} schemes[] = {{"idas", 0, 1e-8, 1e-6, 1e-8},
               {"explicit", 0, 1e-11, 1e-7, 1e-9},
               {"ali3p", 0.02, 1e-10, 1e-7, 2e-3},
               {"variational", 0.02, 1e-10, 1e-7, 2e-3}};

static gradyn_status resist(const gradyn_at *at, gradyn_scalar force[])
{
  force[0] = -at->data[0] * at->vel[0];
  force[1] = 0;
  return GRADYN_OK;
}

static gradyn_status build(gradyn_model *mbs, const gradyn_scalar r[])
{
  int push = gradyn_mode(mbs, "push"), swing = gradyn_mode(mbs, "swing");
  int slide = gradyn_mode(mbs, "slide");
  int wall = gradyn_ground_point(mbs, "wall", -1, 0), cart = gradyn_point(mbs, "cart", x_start, 0);
  gradyn_initial_velocity(mbs, cart, v_start, 0);
  gradyn_point_mass(mbs, "mass", cart, mass);
  gradyn_coordinate(mbs, "rail", cart, GRADYN_Y, &(gradyn_law){.value = 0});
  gradyn_in_mode(mbs, push);
  gradyn_force(mbs, &(gradyn_force_spec){.name = "push", .point = cart, .fx = r[FORCE]});
  gradyn_in_mode(mbs, swing);
  gradyn_spring(
      mbs, &(gradyn_spring_spec){
               .name = "spring", .from = wall, .to = cart, .k = r[STIFFNESS], .free_length = 1});
  gradyn_in_mode(mbs, slide);
  const gradyn_datum drag = {"drag", "N s/m", r[DRAG]};
  gradyn_custom_force(mbs, &(gradyn_custom_force_spec){.name = "air",
                                                       .points = &cart,
                                                       .point_count = 1,
                                                       .fn = resist,
                                                       .data = &drag,
                                                       .data_count = 1});
  gradyn_in_mode(mbs, GRADYN_EVERY_MODE);
  const gradyn_transfer less = {{cart, GRADYN_X}, {cart, GRADYN_X}, r[SHARE], false};
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
  gradyn_end_position(mbs, "x_end", cart, GRADYN_X);
  gradyn_end_velocity(mbs, "v_end", cart, GRADYN_X);
  gradyn_event_time(mbs, "switch", 1, 1);
  gradyn_final_time(mbs, "time");
  return gradyn_built(mbs);
}

static const gradyn_param params[] = {{.name = "rho", .count = P, .init = 1}};
static const gradyn_problem problem = {
    .name = "phases", .params = params, .param_count = 1, .build = build, .rtol = 1e-11};

static gradyn_evaluator *open_with(const struct scheme *scheme, const char *sensitivity)
{
  gradyn_options options;
  gradyn_evaluator *ev;
  gradyn_options_default(&problem, &options);
  options.method = scheme->method;
  options.sensitivity = sensitivity;
  options.step = scheme->step;
  gradyn_status status = gradyn_evaluator_create(&problem, &options, NULL, 0, &ev);
  assert_ok(status, gradyn_evaluator_message(ev));
  return ev;
}

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

static void phases_have_the_closed_form(void **unused)
{
  (void)unused;
  for (size_t k = 0; k < GRADYN_COUNT(schemes); k++) {
    gradyn_evaluator *ev = open_with(&schemes[k], "adjoint");
    double psi[F], gradient[F * P];
    gradyn_status status = gradyn_gradient(ev, rho, psi, gradient);
    assert_ok(status, gradyn_evaluator_message(ev));
    for (int j = 0; j < P; j++) {
      double complex r[P], expected[F];
      for (int i = 0; i < P; i++)
        r[i] = rho[i] + (i == j ? 1e-40 * I : 0);
      closed_form(r, expected);
      for (int f = 0; f < F; f++) {
        assert_close(psi[f], creal(expected[f]), schemes[k].exact, schemes[k].exact);
        assert_close(gradient[f * P + j], cimag(expected[f]) * 1e40, schemes[k].exact,
                     schemes[k].exact);
      }
    }
    gradyn_evaluator_free(ev);
  }
}

static void direct_and_adjoint_agree(void **unused)
{
  (void)unused;
  for (size_t k = 0; k < GRADYN_COUNT(schemes); k++) {
    gradyn_evaluator *ev[2] = {open_with(&schemes[k], "direct"), open_with(&schemes[k], "adjoint")};
    size_t data = gradyn_data_count(ev[0]);
    double *gradient[2];
    for (int way = 0; way < 2; way++) {
      gradient[way] = calloc(F * data, sizeof(double));
      assert_non_null(gradient[way]);
      gradyn_status status = gradyn_data_gradient(ev[way], rho, NULL, gradient[way]);
      assert_ok(status, gradyn_evaluator_message(ev[way]));
    }
    assert_close_array(gradient[1], gradient[0], F * data, schemes[k].agree, schemes[k].agree);
    for (int way = 0; way < 2; way++) {
      free(gradient[way]);
      gradyn_evaluator_free(ev[way]);
    }
  }
}

/* Central differences of order 8 by all durations. */
static void durations_have_the_derivatives_of_differences(void **unused)
{
  (void)unused;
  static const double weight[] = {4.0 / 5, -1.0 / 5, 4.0 / 105, -1.0 / 280};
  for (size_t k = 0; k < GRADYN_COUNT(schemes); k++) {
    const double h = schemes[k].step > 0 ? 3e-6 : 1e-3;
    gradyn_evaluator *ev = open_with(&schemes[k], "adjoint");
    double gradient[F * P], psi[2][F];
    gradyn_status status = gradyn_gradient(ev, rho, NULL, gradient);
    assert_ok(status, gradyn_evaluator_message(ev));
    for (int j = PUSH; j <= SLIDE; j++) {
      double slope[F] = {0}, moved[P];
      memcpy(moved, rho, sizeof moved);
      for (int i = 1; i <= 4; i++) {
        for (int side = 0; side < 2; side++) {
          moved[j] = rho[j] + (side ? -i : i) * h;
          status = gradyn_simulate(ev, moved, psi[side], NULL);
          assert_ok(status, gradyn_evaluator_message(ev));
        }
        for (int f = 0; f < F; f++)
          slope[f] += weight[i - 1] * (psi[0][f] - psi[1][f]) / h;
      }
      for (int f = 0; f < F; f++)
        assert_close(gradient[f * P + j], slope[f], schemes[k].differ, schemes[k].differ);
    }
    gradyn_evaluator_free(ev);
  }
}

static void a_phase_of_no_length_is_refused(void **unused)
{
  (void)unused;
  gradyn_evaluator *ev = open_with(&schemes[1], "adjoint");
  double psi[F], moved[P];
  memcpy(moved, rho, sizeof moved);
  moved[SWING] = 0;
  assert_true(gradyn_simulate(ev, moved, psi, NULL) != GRADYN_OK);
  if (!strstr(gradyn_evaluator_message(ev), "phase swung lasts 0 s"))
    fail_msg("'%s'", gradyn_evaluator_message(ev));
  gradyn_status status = gradyn_simulate(ev, rho, psi, NULL); /* nothing is left of it */
  assert_ok(status, gradyn_evaluator_message(ev));
  gradyn_evaluator_free(ev);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(phases_have_the_closed_form),
      cmocka_unit_test(direct_and_adjoint_agree),
      cmocka_unit_test(durations_have_the_derivatives_of_differences),
      cmocka_unit_test(a_phase_of_no_length_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
