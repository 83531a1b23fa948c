/* Resets of states at given times, by data: doses of a drug, whose sizes and times are parameters, and
 * pulses on an oscillator. Values and gradients in closed form, in every scheme with events, direct and
 * adjoint. */
#include "tests/declare.h"
#include "tests/runs.h"

#include <complex.h>
#include <string.h>

FORMULA(clock_of, at->t - at->data[0])

static const char *const routes[] = {"direct", "adjoint"};

/* --- a drug: gut' = -ka gut, blood' = ka gut / volume - ke blood ---------------------------------- */

enum { KA, KE, VOLUME, FIRST, DOSES = 2, DRUG_P = FIRST + 2 * DOSES };
enum { END, EXPOSURE, DRUG_F };
static const double drug_end = 6;
static const double drug_rho[DRUG_P] = {1.3, 0.4, 2.5, 3, 0.71, 2, 3.37};
/* one of two doses at the same time, another time for the first */
static const double equal_rho[DRUG_P] = {1.3, 0.4, 2.5, 3, 3.37, 2, 3.37};

static gradyn_status drug_residual(const gradyn_at *at, gradyn_scalar F[])
{
  const gradyn_scalar *d = at->data;
  F[0] = at->yp[0] + d[0] * at->y[0];
  F[1] = at->yp[1] - d[0] * at->y[0] / d[2] + d[1] * at->y[1];
  return GRADYN_OK;
}

FORMULA(added, at->y[0] + at->data[0])
FORMULA(blood, at->y[1])

static gradyn_status build_drug(gradyn_model *m, const gradyn_scalar r[])
{
  const gradyn_datum data[] = {
      {"ka", "1/s", r[KA]}, {"ke", "1/s", r[KE]}, {"volume", "m^3", r[VOLUME]}};
  const gradyn_component gut = {gradyn_state(m, "gut", "kg", 0), GRADYN_X};
  gradyn_state(m, "blood", "kg/m^3", 0);
  declare_equations(m, drug_residual, data, 3);
  for (int k = 0; k < DOSES; k++) {
    const gradyn_datum size = {"size", "kg", r[FIRST + 2 * k]},
                       at = {"at", "s", r[FIRST + 2 * k + 1]};
    gradyn_event(
        m, &(gradyn_event_spec){.name = gradyn_format_name(m, "dose%d", k + 1),
                                .guard = {.terminal = clock_of, .data = &at, .data_count = 1},
                                .direction = GRADYN_RISING,
                                .set = &gut,
                                .set_count = 1,
                                .reset = {.terminal = added, .data = &size, .data_count = 1}});
  }
  declare_end(m, "end", "kg/m^3", blood);
  declare_integral(m, "exposure", "kg s/m^3", blood);
  return gradyn_build_status(m);
}

/* Bateman's function of each dose. */
static void drug_closed_form(const double complex p[], double complex psi[])
{
  psi[END] = psi[EXPOSURE] = 0;
  for (int k = 0; k < DOSES; k++) {
    const double complex size = p[FIRST + 2 * k], s = drug_end - p[FIRST + 2 * k + 1];
    const double complex factor = size * p[KA] / (p[VOLUME] * (p[KA] - p[KE]));
    psi[END] += factor * (cexp(-p[KE] * s) - cexp(-p[KA] * s));
    psi[EXPOSURE] += factor * ((1 - cexp(-p[KE] * s)) / p[KE] - (1 - cexp(-p[KA] * s)) / p[KA]);
  }
}

static const gradyn_param drug_params[] = {{.name = "drug", .count = DRUG_P, .init = 1}};
static const gradyn_problem drug = PROBLEM("drug", build_drug, drug_params, .t_end = 6,
                                           .rtol = 1e-11);

static const char *const methods[] = {"explicit", "radau", "idas"};

static void compare_drug(const double rho[])
{
  double expected[DRUG_F], slope[DRUG_F * DRUG_P];
  support_complex_step(drug_closed_form, rho, DRUG_P, DRUG_F, expected, slope);
  for (int run = 0; run < 6; run++) {
    run_local *ev = run_with(&drug, .method = methods[run / 2], .sensitivity = routes[run % 2]);
    double psi[DRUG_F], gradient[DRUG_F * DRUG_P];
    print_message("%s %s\n", methods[run / 2], routes[run % 2]);
    assert_run(gradyn_evaluator_gradient(ev, rho, psi, gradient), ev);
    assert_close_array(psi, expected, DRUG_F, 1e-8, 0);
    assert_close_array(gradient, slope, DRUG_F * DRUG_P, 1e-7, 1e-8);
    assert_int_equal(run_warning(ev, GRADYN_WARNING_EVENT_AT_START).count, 0);
  }
}

TEST(doses_have_the_closed_form)
{
  compare_drug(drug_rho);
}

TEST(doses_at_one_time_add_up)
{
  compare_drug(equal_rho);
}

TEST(a_dose_at_the_start_is_reported_as_lost)
{
  for (int run = 0; run < 3; run++) {
    double rho[DRUG_P], psi[DRUG_F], gradient[DRUG_F * DRUG_P];
    memcpy(rho, drug_rho, sizeof rho);
    rho[FIRST + 1] = 0; /* the time of the first dose */
    run_local *ev = run_with(&drug, .method = methods[run]);
    assert_run(gradyn_evaluator_gradient(ev, rho, psi, gradient), ev);
    const gradyn_warning w = run_warning(ev, GRADYN_WARNING_EVENT_AT_START);
    assert_int_equal(w.count, 1);
    assert_string_equal(w.subject, "dose1");
    assert_run(gradyn_evaluator_gradient(ev, drug_rho, psi, gradient), ev);
    assert_int_equal(run_warning(ev, GRADYN_WARNING_EVENT_AT_START).count, 0);
  }
}

/* --- pulses on an oscillator, x'' = -w^2 x --------------------------------------------------------- */

enum { STIFFNESS, MASS, PULSE, PULSE_AT, PUSH_P };
enum { PLACE, SPEED, PUSH_F };
static const double push_rho[PUSH_P] = {7, 1.2, 0.8, 0.603}, push_end = 1.404, push_start = 0.3;

FORMULA(pushed, at->vel[4] + at->data[0])

static gradyn_status build_push(gradyn_model *m, const gradyn_scalar r[])
{
  const int A = gradyn_ground_point(m, "A", 0, 0), p = gradyn_point(m, "p", push_start, 0);
  const gradyn_datum size = {"size", "m/s", r[PULSE] / r[MASS]}, at = {"at", "s", r[PULSE_AT]};
  const gradyn_component vx = {p, GRADYN_X};
  gradyn_point_mass(m, "mass", p, r[MASS]);
  gradyn_spring(m, &(gradyn_spring_spec){"spring", A, p, .k = r[STIFFNESS]});
  gradyn_fix_initial_coordinate(m, p, GRADYN_X);
  gradyn_event(m,
               &(gradyn_event_spec){.name = "pulse",
                                    .guard = {.terminal = clock_of, .data = &at, .data_count = 1},
                                    .direction = GRADYN_RISING,
                                    .set = &vx,
                                    .set_count = 1,
                                    .reset = {.terminal = pushed, .data = &size, .data_count = 1}});
  for (int order = 0; order < 2; order++)
    gradyn_functional(m, &(gradyn_functional_spec){order ? "speed" : "place",
                                                   gradyn_measure_point(m, "", p, order, GRADYN_X),
                                                   .reduction = GRADYN_AT_END});
  return gradyn_build_status(m);
}

static void push_closed_form(const double complex p[], double complex psi[])
{
  const double complex w = csqrt(p[STIFFNESS] / p[MASS]), s = push_end - p[PULSE_AT];
  psi[PLACE] = push_start * ccos(w * push_end) + p[PULSE] / p[MASS] / w * csin(w * s);
  psi[SPEED] = -push_start * w * csin(w * push_end) + p[PULSE] / p[MASS] * ccos(w * s);
}

static const gradyn_param push_params[] = {{.name = "push", .count = PUSH_P, .init = 1}};
static const gradyn_problem push = PROBLEM("push", build_push, push_params, .t_end = 1.404,
                                           .rtol = 1e-11);

enum { NUMBERS = PUSH_F * (1 + PUSH_P) };

/* Values, then gradients. */
static void evaluate(const char *method, const char *route, double step, double out[NUMBERS])
{
  run_local *ev = run_with(&push, .method = method, .sensitivity = route, .step = step);
  assert_run(gradyn_evaluator_gradient(ev, push_rho, out, out + PUSH_F), ev);
}

TEST(pulses_have_the_closed_form_with_all_methods)
{
  double expected[NUMBERS];
  support_complex_step(push_closed_form, push_rho, PUSH_P, PUSH_F, expected, expected + PUSH_F);
  for (int run = 0; run < 2 * RUN_METHODS; run++) {
    const char *method = run_methods[run / 2], *route = routes[run % 2];
    const bool fixed = run / 2 >= RUN_ADAPTIVE;
    double at[NUMBERS], third[NUMBERS];
    print_message("%s %s\n", method, route);
    evaluate(method, route, fixed ? 0.006 : -1, at);
    /* errors of order h^2 vanish: the pulse and the end are in the middle of a step of both lengths */
    if (fixed) {
      evaluate(method, route, 0.002, third);
      for (int i = 0; i < NUMBERS; i++)
        at[i] = (9 * third[i] - at[i]) / 8;
    }
    assert_close_array(at, expected, NUMBERS, 1e-7, 1e-7);
  }
}
