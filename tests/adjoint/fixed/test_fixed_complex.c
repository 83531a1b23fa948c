/* Fixed-step gradients of the five-bar linkage against complex step through independent implementations of
 * the same discrete schemes. */
#include "problems/builtin.h"
#include "tests/reference/schemes/ali3p_five_bar.h"
#include "tests/reference/schemes/explicit_five_bar.h"
#include "tests/reference/schemes/variational_five_bar.h"
#include "tests/runs.h"

enum { DATA = 80 };

/* A scheme and its run. alpha: quadrature of `variational`; order: of `explicit`. */
typedef struct scheme {
  const char *method;
  double alpha, t_end;
  int steps, order;
} scheme;

enum { ALI3P, MIDDLE, EIGHT, EARLY, FIVE, SCHEMES, VALUES = EARLY };
static const scheme schemes[SCHEMES] = {[ALI3P] = {"ali3p", 0, 1.0, 200, 0},
                                        [MIDDLE] = {"variational", 0.5, 0.8, 160, 0},
                                        [EIGHT] = {"explicit", 0, 2.0, 20, 8},
                                        [EARLY] = {"variational", 0.3, 0.8, 160, 0},
                                        [FIVE] = {"explicit", 0, 1.0, 20, 5}};
static const char *const ways[] = {"adjoint", "direct"};

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
  run_local *ev = run_with(problem, .method = of->method, .quadrature = of->alpha,
                           .order = of->order, .sensitivity = sensitivity,
                           .step = of->t_end / of->steps, .t_end = of->t_end);
  run_initial(ev, rho);
  r->count = gradyn_evaluator_model_info(ev).data;
  assert_in_range(r->count, 40, DATA);
  assert_run(gradyn_evaluator_data_gradient(ev, rho, r->psi, r->gradient), ev);
  for (size_t k = 0; k < r->count; k++)
    strncpy(r->name[k], gradyn_datum_at(ev, k).name, sizeof r->name[k] - 1);
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

/* Compares the derivative with respect to one datum with complex step, by adjoint and direct: to 1e-10
 * relative, or 1e-12 of the row's largest entry. */
static void compare(const result r[2], five_bar_data *d, const char *owner, const char *name,
                    double complex *member)
{
  static int turn;
  if (!support_takes(turn++, 3))
    return;
  double expected[3];
  const scheme *of = r->of;
  if (of->order > 0)
    explicit_five_bar_derivative(d, of->order, member, of->t_end, of->steps, expected);
  else if (of->alpha > 0)
    variational_five_bar_derivative(d, of->alpha, member, of->t_end, of->steps, expected);
  else
    ali3p_five_bar_derivative(d, member, of->t_end, of->steps, expected);
  for (size_t i = 0; i < 6; i++) {
    const size_t way = i / 3, f = i % 3, count = r[way].count;
    const double *row = r[way].gradient + f * count, at = row[datum(&r[way], owner, name)];
    const double most = largest_of(row, count);
    if (support_error(at, expected[f], 1e-10, 1e-12 * most) > 1)
      print_error("psi%zu by %s%s, %s %s:\n", f + 1, owner, name, of->method, ways[way]);
    assert_close(at, expected[f], 1e-10, 1e-12 * most);
  }
}

static void compare_all(const result r[2])
{
  static const char *const adjoints[] = {"A1", "12", "23", "3B"}, *const springs[] = {"S1", "S2"};
  static const char *const axes[] = {".x", ".y"}, *const angles[] = {"alpha1", "alpha2"};
  five_bar_data d;
  five_bar_default(&d);
  compare(r, &d, "", "t_end", NULL);
  for (int i = 0; i < FIVE_BAR_BARS; i++) {
    compare(r, &d, adjoints[i], ".length", &d.length[i]);
    compare(r, &d, adjoints[i], ".mass", &d.mass[i]);
    compare(r, &d, adjoints[i], ".com", &d.com[i]);
    compare(r, &d, adjoints[i], ".inertia", &d.inertia[i]);
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
    compare(r, &d, "psi1.target", axes[i], &d.position[i]);
    compare(r, &d, "psi2.target", axes[i], &d.velocity[i]);
    compare(r, &d, "psi3.target", axes[i], &d.acceleration[i]);
    compare(r, &d, angles[i], ".value", &d.angle[i]);
    compare(r, &d, angles[i], ".rate", &d.rate[i]);
  }
}

TEST(values_agree)
{
  result r;
  five_bar_data d;
  double complex psi[VALUES][3];
  five_bar_default(&d);
  ali3p_five_bar(&d, schemes[ALI3P].t_end, schemes[ALI3P].steps, psi[ALI3P]);
  variational_five_bar(&d, schemes[MIDDLE].alpha, schemes[MIDDLE].t_end, schemes[MIDDLE].steps,
                       psi[MIDDLE]);
  explicit_five_bar(&d, schemes[EIGHT].order, schemes[EIGHT].t_end, schemes[EIGHT].steps,
                    psi[EIGHT]);
  for (int k = 0; k < VALUES; k++) {
    evaluate(&schemes[k], "adjoint", &r);
    for (int f = 0; f < 3; f++)
      assert_close(r.psi[f], creal(psi[k][f]), 1e-11, 0);
  }
}

THOROUGH_TEST(gradients_agree)
{
  static result r[2];
  for (int k = 0; k < SCHEMES; k++) {
    for (int way = 0; way < 2; way++)
      evaluate(&schemes[k], ways[way], &r[way]);
    compare_all(r);
  }
}
