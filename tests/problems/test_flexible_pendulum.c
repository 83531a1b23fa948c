/* The flexible pendulum, Ebrahimi et al. (2018), section 6.1: deflection of the tip at 1, 2, 3 and 4 s and
 * its derivatives with respect to width, density and stiffness, for both elastic forces. */
#include "core/linear/differences.h"
#include "problems/builtin.h"
#include "tests/reference/schemes/variational_pendulum.h"
#include "tests/runs.h"

/* Functionals: mass, bending, then the deflections. */
enum { WIDTH, DENSITY, YOUNG, PARAMETERS, FIRST = 2, LOOKS = 4, FUNCTIONALS = FIRST + LOOKS };

typedef struct result {
  double value[FUNCTIONALS];
  double gradient[FUNCTIONALS][PARAMETERS]; /* with respect to the logarithms of the parameters */
} result;

static gradyn_evaluator *open(int full, int elements, const char *sensitivity, double step)
{
  const gradyn_setting_choice settings[] = {{"full", full}, {"elements", elements}};
  gradyn_evaluator *ev = run_with(&gradyn_problem_flexible_pendulum, .sensitivity = sensitivity,
                                  .method = "variational", .step = step, .settings = settings,
                                  .setting_count = 2);
  assert_int_equal(gradyn_parameter_count(ev), PARAMETERS);
  assert_int_equal(gradyn_functional_count(ev), FUNCTIONALS);
  return ev;
}

static void initial(const gradyn_evaluator *ev, double rho[PARAMETERS])
{
  run_initial(ev, rho);
}

static void evaluate(int full, int elements, const char *sensitivity, double step, result *r)
{
  double rho[PARAMETERS];
  run_local *ev = open(full, elements, sensitivity, step);
  initial(ev, rho);
  assert_run(gradyn_evaluator_gradient(ev, rho, r->value, r->gradient[0]), ev);
  for (size_t f = 0; f < FUNCTIONALS; f++)
    for (size_t j = 0; j < PARAMETERS; j++)
      r->gradient[f][j] *= rho[j];
}

/* The result with five elements, the adjoint method and steps of 1 ms, computed once for each elastic
 * force. */
static const result *usual(int full)
{
  static result kept[2];
  static bool there[2];
  if (!there[full])
    evaluate(full, 5, "adjoint", 1e-3, &kept[full]);
  there[full] = true;
  return &kept[full];
}

/* Largest derivative of the deflections. */
static double steepest(const result *r)
{
  double most = 0;
  for (size_t f = FIRST; f < FUNCTIONALS; f++)
    for (size_t j = 0; j < PARAMETERS; j++)
      most = fmax(most, fabs(r->gradient[f][j]));
  return most;
}

/* --- two routes ------------------------------------------------------------------------------------ */

TEST(direct_equals_adjoint)
{
  for (int full = 0; full < (support_thorough() ? 2 : 1); full++) {
    result direct;
    const result *adjoint = usual(full);
    evaluate(full, 5, "direct", 1e-3, &direct);
    for (size_t f = 0; f < FUNCTIONALS; f++)
      for (size_t j = 0; j < PARAMETERS; j++)
        assert_close(adjoint->gradient[f][j], direct.gradient[f][j], 1e-10,
                     1e-12 * steepest(&direct));
    assert_memory_not_equal(&direct, adjoint, sizeof direct);
  }
}

/* Values, and derivatives by complex step through the whole integration, of an independent program. */
TEST(equals_a_separate_program)
{
  const double tiny = 1e-40;
  for (int full = support_thorough() ? 0 : 1; full < 2; full++) {
    const result *r = usual(full);
    for (int j = 0; j < PARAMETERS; j++) {
      pendulum_data d = pendulum_default();
      d.full = full;
      double complex *datum[] = {&d.width, &d.density, &d.young}, deflection[LOOKS];
      double size = creal(*datum[j]);
      *datum[j] += tiny * size * I;
      variational_pendulum(&d, 1e-3, 4000, 1000, deflection);
      for (int k = 0; k < LOOKS; k++) {
        assert_close(r->value[FIRST + k], creal(deflection[k]), 1e-11, 0);
        assert_close(r->gradient[FIRST + k][j], cimag(deflection[k]) / tiny, 1e-10,
                     1e-12 * steepest(r));
      }
    }
  }
}

/* --- differences ------------------------------------------------------------------------------------ */

typedef struct line {
  gradyn_evaluator *ev;
  double rho[PARAMETERS];
  int j;
} line;

static gradyn_status along(void *user, double s, double *value)
{
  line *l = user;
  double rho[PARAMETERS];
  memcpy(rho, l->rho, sizeof rho);
  rho[l->j] *= 1 + s;
  return gradyn_evaluator_simulate(l->ev, rho, value, NULL);
}

/* Extrapolated differences of the run. The most sensitive deflection, at 3 s, changes by its own size for a
 * 2 % change of the width, so distances are small. */
THOROUGH_TEST(agrees_with_differences)
{
  for (int full = 0; full < 2; full++) {
    gradyn_differences d;
    const result *r = usual(full);
    line l = {.ev = open(full, 5, "adjoint", 1e-3)};
    initial(l.ev, l.rho);
    assert_ok(gradyn_differences_create(FUNCTIONALS, &d), NULL);
    for (l.j = 0; l.j < PARAMETERS; l.j += YOUNG - WIDTH) { /* density: see below */
      assert_ok(gradyn_differentiate(&d, FUNCTIONALS, along, &l, 1e-3, 6, NULL), NULL);
      for (size_t f = 0; f < FUNCTIONALS; f++)
        assert_close(r->gradient[f][l.j], d.slope[f], 1e-7, 1e-9 * steepest(r));
    }
    gradyn_differences_clear(&d);
    gradyn_evaluator_free(l.ev);
  }
}

/* --- what must hold for any such beam ------------------------------------------------------------- */

/* Inertia and gravity are in proportion to the density, elastic forces to the stiffness: the motion depends
 * on their ratio only. */
TEST(only_the_quotient_of_stiffness_and_density_matters)
{
  for (int full = 0; full < 2; full++) {
    const result *r = usual(full);
    assert_close(r->value[0], 12, 1e-14, 0);
    for (size_t f = FIRST; f < FUNCTIONALS; f++)
      assert_close(r->gradient[f][DENSITY], -r->gradient[f][YOUNG], 1e-10, 1e-12 * steepest(r));
  }
}

/* log2 of the ratio of differences between steps h, h/2 and h/4: the largest one of the four deflections. */
static double order(const result r[3], int parameter)
{
  double coarse = 0, fine = 0;
  for (size_t f = FIRST; f < FUNCTIONALS; f++) {
    double x[3];
    for (int k = 0; k < 3; k++)
      x[k] = parameter < 0 ? r[k].value[f] : r[k].gradient[f][parameter];
    coarse = fmax(coarse, fabs(x[0] - x[1]));
    fine = fmax(fine, fabs(x[1] - x[2]));
  }
  return log2(coarse / fine);
}

/* With two elements and steps of at most 1/4 ms, the longitudinal vibrations are resolved. */
THOROUGH_TEST(values_and_gradients_are_of_second_order)
{
  for (int full = support_thorough() ? 0 : 1; full < 2; full++) {
    result r[3];
    for (int k = 0; k < 3; k++)
      evaluate(full, 2, "adjoint", 2.5e-4 / (1 << k), &r[k]);
    for (int parameter = -1; parameter < PARAMETERS; parameter++)
      assert_close(order(r, parameter), 2, 0, 0.05);
  }
}

/* --- the optimum ------------------------------------------------------------------------------------ */

/* Both elastic forces give nearly the same lightest beam, whose deflection is the permitted one. */
THOROUGH_TEST(lightest_beam_has_the_largest_permitted_deflection)
{
  double width[2];
  for (int full = 0; full < 2; full++) {
    LOCAL(gradyn_search_result) found;
    double rho[PARAMETERS], psi[FUNCTIONALS];
    run_local *ev = open(full, 5, "adjoint", 1e-3);
    initial(ev, rho);
    gradyn_search search = run_search(ev);
    assert_ok(gradyn_optimise(ev, &search, rho, &found), found.reason);
    width[full] = rho[WIDTH] = found.rho[WIDTH];
    assert_close(found.psi[1], 0.4, 0, 1e-6);
    assert_close(found.objective, 4800 * width[full] * width[full], 1e-12, 0);
    rho[WIDTH] -= 1e-5;
    assert_run(gradyn_evaluator_simulate(ev, rho, psi, NULL), ev);
    assert_true(psi[1] > 0.4);
  }
  assert_close(width[0], width[1], 0.01, 0);
}
