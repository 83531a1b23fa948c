/* gradyn_evaluator_check() finds a factor 1 + 1e-6 in the gradient of every kind of functional with respect
 * to states and data, and names the functional. */
#include <complex.h>

#include "tests/adjoint/checked.h"
#include "tests/adjoint/check/planted.h"
#include "tests/support.h"
#include "tests/declare.h"
#include <gradyn/gradyn.h>

FORMULA(work, at->data[0] * at->pos[4] * at->vel[5] + at->acc[4] * at->lam[1])

/* One functional of every kind. */
static void add_functionals(gradyn_model *model, int P, int Q, int beam, int u)
{
  declare_functional(model, "end", gradyn_measure_point(model, "", Q, 0, GRADYN_X), GRADYN_AT_END);
  declare_functional(model, "speed", gradyn_measure_point(model, "", Q, 1, GRADYN_Y),
                     GRADYN_AT_END);
  declare_functional(model, "rotation", gradyn_measure_line_angle(model, "", P, Q, 1),
                     GRADYN_INTEGRAL);
  declare_functional(model, "turning", gradyn_measure_line_angle(model, "", P, Q, 1),
                     GRADYN_AT_END);
  declare_functional(model, "reaction", gradyn_measure_multiplier(model, "", 1),
                     GRADYN_SQUARE_INTEGRAL);
  declare_functional(model, "deflection", gradyn_measure_deflection(model, "", beam),
                     GRADYN_AT_END);
  declare_functional(model, "stress", gradyn_measure_stress(model, "", beam, 1, GRADYN_STRETCHED),
                     GRADYN_AT_END);
  gradyn_functional(
      model,
      &(gradyn_functional_spec){
          "largest", gradyn_measure_stress(model, "", beam, GRADYN_ALL_NODES, GRADYN_EITHER_FIBRE),
          .reduction = GRADYN_SMOOTH_MAXIMUM, .scale = 5, .sharpness = 3});
  declare_functional(model, "length", gradyn_measure_beam_length(model, "", beam), GRADYN_AT_END);
  declare_functional(model, "mass", gradyn_measure_mass(model, ""), GRADYN_AT_END);
  declare_functional(model, "energy", gradyn_measure_energy(model, ""), GRADYN_AT_END);
  declare_functional(model, "effort", gradyn_measure_signal(model, "", u), GRADYN_SQUARE_INTEGRAL);
}

static gradyn_status build(gradyn_model *model, const gradyn_scalar rho[])
{
  (void)rho;
  const gradyn_scalar knots[] = {1.2, -0.7, 0.9, 1.6};
  int A = gradyn_ground_point(model, "A", 0, 0), P = gradyn_point(model, "P", 1.5, 0.2);
  int Q = gradyn_point(model, "Q", 2.1, -1.1);
  int u = declare_signal(model, "u", "N", GRADYN_CUBIC_SPLINE, 4, knots);
  int beam = gradyn_beam(model, &(gradyn_beam_spec){.name = "a",
                                                    .from = A,
                                                    .to = P,
                                                    .elements = 2,
                                                    .section = {0.3, 0.02, 0.1},
                                                    .young = 3,
                                                    .density = 2,
                                                    .damping = 0.2});
  gradyn_rod(model, &(gradyn_rod_spec){"PQ", P, Q, .mass = 0.4});
  gradyn_spring(model, &(gradyn_spring_spec){"AQ", A, Q, 4, 0.5, 0.9, 0.3, 0});
  gradyn_force(model, &(gradyn_force_spec){"push", Q, 1, 0.4, u, 0});
  gradyn_gravity(model, 0.4, -1.9);
  declare_tracking(model, "position", gradyn_measure_point(model, "", Q, 0, GRADYN_ALL_AXES), 1,
                   0.3, 0);
  declare_tracking(model, "velocity", gradyn_measure_point(model, "", Q, 1, GRADYN_ALL_AXES), 0.2,
                   0.1, 0);
  declare_tracking(model, "acceleration", gradyn_measure_point(model, "", Q, 2, GRADYN_ALL_AXES),
                   0.2, 0.1, 0);
  add_functionals(model, P, Q, beam, u);
  gradyn_custom_functional(
      model, &(gradyn_custom_functional_spec){.name = "work",
                                              .integrand = work,
                                              .terminal = work,
                                              .data = (gradyn_datum[]){{"k", "", 0.7}},
                                              .data_count = 1});
  return gradyn_build_status(model);
}

static struct {
  const gradyn_functional_ops *right;
  bool by_data;
  bool present; /* the block has been evaluated and is not zero */
} planted;

static gradyn_status value(gradyn_model *model, const gradyn_functional_entry *f,
                           const gradyn_sample *at, double *result)
{
  return planted.right->value(model, f, at, result);
}

static gradyn_status gradient(gradyn_model *model, const gradyn_functional_entry *f,
                              const gradyn_sample *at, double weight,
                              const gradyn_gradient_out *out)
{
  gradyn_gradient_out wrong = *out;
  if (planted.by_data)
    wrong.y_bar = NULL;
  else
    wrong.x_bar = wrong.t_bar = NULL;
  gradyn_status status = planted.right->gradient(model, f, at, PLANTED * weight, &wrong);
  return status == GRADYN_OK ? planted.right->gradient(model, f, at, weight, out) : status;
}

/* Returns whether a gradient contains this block. */
static bool is_there(terms_scene *s, const gradyn_functional_entry *f,
                     const gradyn_functional_ops *ops)
{
  double *y_bar = terms_zeros(3 * s->n + s->m), *x_bar = terms_zeros(s->nx), t_bar = 0;
  const gradyn_sample at = {s->node.t, s->state};
  const gradyn_gradient_out out = {y_bar, 1, x_bar, &t_bar};
  assert_ok(ops->gradient(s->model, f, &at, 1, &out), s->model->message.text);
  bool found = planted.by_data && t_bar != 0;
  for (int i = 0; i < (planted.by_data ? s->nx : 3 * s->n + s->m); i++)
    found = found || (planted.by_data ? x_bar : y_bar)[i] != 0;
  free(y_bar);
  free(x_bar);
  return found;
}

static int plant(terms_scene *s, gradyn_functional_entry *f, const gradyn_functional_ops **ops)
{
  const gradyn_functional_ops wrong = {value, gradient};
  bool named;
  if (!*ops || !is_there(s, f, *ops))
    return 0;
  planted.right = *ops;
  *ops = &wrong;
  planted_check(s, true, f->name, planted.by_data ? "/d" : "/dy", &named);
  *ops = planted.right;
  if (!named)
    fail_msg("%s: a wrong gradient by %s is not named", f->name,
             planted.by_data ? "data" : "states");
  return 1;
}

THOROUGH_TEST(wrong_functionals_are_named)
{
  terms_local s;
  bool named;
  int blocks = 0;
  terms_open(&s, build);
  s.node.t = 0.7;
  assert_int_equal(planted_check(&s, true, NULL, NULL, &named), 0);
  for (int i = 0; i < s.model->functional_count; i++)
    for (int by_data = 0; by_data < 2; by_data++) {
      planted.by_data = by_data == 1;
      blocks += plant(&s, &s.model->functional[i], &s.model->functional[i].integrand);
      blocks += plant(&s, &s.model->functional[i], &s.model->functional[i].terminal);
    }
  assert_true(blocks >= 20);
}

/* Defined only on the motion of a pendulum of length 1: it fails at all other points. */
static gradyn_status on_the_circle(const gradyn_at *at, gradyn_scalar *value)
{
  const double x = creal(at->pos[4]), y = creal(at->pos[5]);
  *value = at->pos[4] * at->pos[5];
  return fabs(x * x + y * y - 1) < 1e-11 ? GRADYN_OK : GRADYN_NON_FINITE;
}

static gradyn_status build_pendulum(gradyn_model *model, const gradyn_scalar rho[])
{
  int A = gradyn_ground_point(model, "A", 0, 0), B = gradyn_point(model, "B", 1, 0);
  gradyn_rod(model, &(gradyn_rod_spec){"AB", A, B, .length = 1, .mass = rho[0]});
  gradyn_point_mass(model, "bob", B, 1);
  gradyn_gravity(model, 0, -9.81);
  declare_integral(model, "narrow", "", on_the_circle);
  return gradyn_build_status(model);
}

/* Derivatives that cannot be compared are listed as such, and all others are compared. */
TEST(a_functional_may_exist_on_the_motion_alone)
{
  static const gradyn_param mass[] = {{"mass", "kg", .init = 2, GRADYN_UNBOUNDED}};
  const gradyn_problem pendulum = PROBLEM("pendulum", build_pendulum, mass, .t_end = 0.5,
                                          .step = 1e-2, .method = "ali3p");
  checked out;
  int whole = 0;
  checked_problem(&pendulum, NULL, false, &out);
  for (size_t i = 0; i < out.count; i++) {
    if (out.item[i].skipped > 0)
      assert_string_equal(out.item[i].reason, "not defined nearby");
    whole += strncmp(out.item[i].name, "dpsi/drho of narrow", 19) == 0;
  }
  assert_true(out.left >= 1 && whole == 3);
}
