/* Tests of fixed-step gradients against complex step through independent programs of the same discrete
 * schemes for the five-bar linkage. */
#include "problems/builtin.h"
#include "tests/reference/ali3p_five_bar.h"
#include "tests/reference/explicit_five_bar.h"
#include "tests/reference/variational_five_bar.h"
#include "tests/runs.h"

enum { DATA = 80 };

/* A scheme and a run of it; alpha: the quadrature of the variational one; order: of the explicit one. */
typedef struct scheme {
  const char *method;
  double alpha, t_end;
  int steps, order;
} scheme;

static const scheme ali3p = {"ali3p", 0, 5.0, 1000, 0}, middle = {"variational", 0.5, 2.0, 400, 0},
                    early = {"variational", 0.3, 2.0, 400, 0}, eight = {"explicit", 0, 5.0, 50, 8},
                    five = {"explicit", 0, 2.0, 40, 5};

typedef struct result {
  const scheme *of;
  double psi[3], gradient[3 * DATA];
  size_t count;
  char name[DATA][32];
} result;

static void evaluate(const scheme *of, const char *sensitivity, result *r)
{
  const gradyn_problem *problem = &gradyn_problem_five_bar;
  double rho[5];
  r->of = of;
  gradyn_evaluator *ev = run_with(problem, .method = of->method, .quadrature = of->alpha,
                                  .order = of->order, .sensitivity = sensitivity,
                                  .step = of->t_end / of->steps, .t_end = of->t_end);
  run_initial(ev, rho);
  r->count = gradyn_data_count(ev);
  assert_in_range(r->count, 40, DATA);
  assert_run(gradyn_data_gradient(ev, rho, r->psi, r->gradient), ev);
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
  const scheme *of = r->of;
  if (of->order > 0)
    explicit_five_bar_derivative(d, of->order, member, of->t_end, of->steps, expected);
  else if (of->alpha > 0)
    variational_five_bar_derivative(d, of->alpha, member, of->t_end, of->steps, expected);
  else
    ali3p_five_bar_derivative(d, member, of->t_end, of->steps, expected);
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

TEST(values_agree)
{
  result r;
  five_bar_data d;
  double complex psi[3][3];
  static const scheme *const schemes[] = {&ali3p, &middle, &eight};
  five_bar_default(&d);
  ali3p_five_bar(&d, ali3p.t_end, ali3p.steps, psi[0]);
  variational_five_bar(&d, middle.alpha, middle.t_end, middle.steps, psi[1]);
  explicit_five_bar(&d, eight.order, eight.t_end, eight.steps, psi[2]);
  for (int k = 0; k < 3; k++) {
    evaluate(schemes[k], "adjoint", &r);
    for (int f = 0; f < 3; f++)
      assert_close(r.psi[f], creal(psi[k][f]), 1e-11, 0);
  }
}

TEST(ali3p_adjoint_agrees)
{
  result r;
  evaluate(&ali3p, "adjoint", &r);
  compare_all(&r);
}

TEST(ali3p_direct_agrees)
{
  result r;
  evaluate(&ali3p, "direct", &r);
  compare_all(&r);
}

TEST(variational_adjoint_agrees)
{
  result r;
  evaluate(&middle, "adjoint", &r);
  compare_all(&r);
}

TEST(variational_direct_agrees)
{
  result r;
  evaluate(&early, "direct", &r);
  compare_all(&r);
}

TEST(explicit_adjoint_agrees)
{
  result r;
  evaluate(&eight, "adjoint", &r);
  compare_all(&r);
}

TEST(explicit_direct_agrees)
{
  result r;
  evaluate(&five, "direct", &r);
  compare_all(&r);
}
