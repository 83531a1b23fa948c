/* Tests of variational gradients against complex step through an independent program of the same discrete
 * scheme for the five-bar linkage. */
#include <math.h>
#include <string.h>

#include "problems/builtin.h"
#include "tests/reference/variational_five_bar.h"
#include "tests/support.h"
#include <gradyn/gradyn.h>

enum { STEPS = 400, DATA = 80 };

static const double t_end = 2.0;

typedef struct result {
  double psi[3], gradient[3 * DATA];
  size_t count;
  double alpha;
  char name[DATA][32];
} result;

static void evaluate(const char *sensitivity, double alpha, result *r)
{
  const gradyn_problem *problem = &gradyn_problem_five_bar;
  gradyn_options options;
  gradyn_evaluator *ev;
  double rho[5];
  r->alpha = alpha;
  gradyn_options_default(problem, &options);
  options.method = "variational";
  options.quadrature = alpha;
  options.sensitivity = sensitivity;
  options.step = t_end / STEPS;
  options.t_end = t_end;
  gradyn_status status = gradyn_evaluator_create(problem, &options, NULL, 0, &ev);
  assert_ok(status, gradyn_evaluator_message(ev));
  for (size_t j = 0; j < 5; j++)
    rho[j] = gradyn_parameter_at(ev, j).init;
  r->count = gradyn_data_count(ev);
  assert_in_range(r->count, 40, DATA);
  assert_ok(gradyn_data_gradient(ev, rho, r->psi, r->gradient), gradyn_evaluator_message(ev));
  for (size_t k = 0; k < r->count; k++)
    strncpy(r->name[k], gradyn_datum_at(ev, k).name, sizeof r->name[k] - 1);
  gradyn_evaluator_free(ev);
}

static size_t datum(const result *r, const char *owner, const char *name)
{
  char full[64];
  snprintf(full, sizeof full, "%s%s", owner, name);
  for (size_t k = 0; k < r->count; k++)
    if (strcmp(r->name[k], full) == 0)
      return k;
  fail_msg("there is no datum %s", full);
  return 0;
}

/* One datum against complex step: to 1e-10 relative, or 1e-12 of the row's largest entry. */
static void compare(const result *r, five_bar_data *d, const char *owner, const char *name,
                    double complex *member)
{
  double expected[3];
  size_t k = datum(r, owner, name);
  variational_five_bar_derivative(d, r->alpha, member, t_end, STEPS, expected);
  for (size_t f = 0; f < 3; f++) {
    double most = 0;
    for (size_t j = 0; j < r->count; j++)
      most = fmax(most, fabs(r->gradient[f * r->count + j]));
    if (support_error(r->gradient[f * r->count + k], expected[f], 1e-10, 1e-12 * most) > 1)
      print_error("psi%zu by %s%s:\n", f + 1, owner, name);
    assert_close(r->gradient[f * r->count + k], expected[f], 1e-10, 1e-12 * most);
  }
}

static void compare_all(const result *r)
{
  static const char *const bars[] = {"A1", "12", "23", "3B"}, *const springs[] = {"S1", "S2"};
  static const char *const axes[] = {".x", ".y"}, *const angles[] = {"alpha1", "alpha2"};
  five_bar_data d;
  five_bar_default(&d);
  compare(r, &d, "", "t_end", NULL);
  for (int i = 0; i < FIVE_BAR_BARS; i++) {
    compare(r, &d, bars[i], ".length", &d.length[i]);
    compare(r, &d, bars[i], ".mass", &d.mass[i]);
    compare(r, &d, bars[i], ".com", &d.com[i]);
    compare(r, &d, bars[i], ".inertia", &d.inertia[i]);
  }
  for (int i = 0; i < FIVE_BAR_SPRINGS; i++) {
    compare(r, &d, springs[i], ".stiffness", &d.k[i]);
    compare(r, &d, springs[i], ".damping", &d.c[i]);
    compare(r, &d, springs[i], ".free_length", &d.free_length[i]);
    compare(r, &d, springs[i], ".force", &d.tension[i]);
  }
  for (int i = 0; i < 2; i++) {
    compare(r, &d, "gravity", axes[i], &d.gravity[i]);
    compare(r, &d, "A", axes[i], &d.A[i]);
    compare(r, &d, "B", axes[i], &d.B[i]);
    compare(r, &d, "psi1", axes[i], &d.position[i]);
    compare(r, &d, "psi2", axes[i], &d.velocity[i]);
    compare(r, &d, "psi3", axes[i], &d.acceleration[i]);
    compare(r, &d, angles[i], ".value", &d.angle[i]);
    compare(r, &d, angles[i], ".rate", &d.rate[i]);
  }
}

static void values_agree(void **state)
{
  (void)state;
  result r;
  five_bar_data d;
  double complex psi[3];
  evaluate("adjoint", 0.5, &r);
  five_bar_default(&d);
  variational_five_bar(&d, 0.5, t_end, STEPS, psi);
  for (int f = 0; f < 3; f++)
    assert_close(r.psi[f], creal(psi[f]), 1e-11, 0);
}

static void adjoint_agrees(void **state)
{
  (void)state;
  result r;
  evaluate("adjoint", 0.5, &r);
  compare_all(&r);
}

static void direct_agrees(void **state)
{
  (void)state;
  result r;
  evaluate("direct", 0.3, &r);
  compare_all(&r);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(values_agree),
                                     cmocka_unit_test(adjoint_agrees),
                                     cmocka_unit_test(direct_agrees)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
