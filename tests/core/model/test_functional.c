/* Functionals: values and gradients of custom ones, smooth maximum, effort, and their uses. */
#include "tests/declare.h"
#include "tests/support.h"

#include <complex.h>
#include <tgmath.h>

#include "core/model/model.h"
#include <gradyn/functionals.h>
#include <gradyn/mechanism.h>

enum { A = 1, P };

/* Depends on all arguments that a functional can have. */
FORMULA(everything, at->data[0] * at->pos[2 * P] * at->vel[2 * P + 1] + sin(at->acc[2 * P]) +
                        at->lam[1] * at->lam[1] * at->data[1] + at->u[1] * at->u[2] * at->t +
                        exp(at->pos[2 * A + 1] * at->pos[2 * P + 1]))

static const gradyn_datum own[] = {{"gain", "1/m^2", 0.7}, {"price", "", 0.01}};

static gradyn_status build(gradyn_model *model, const gradyn_scalar rho[])
{
  (void)rho;
  const gradyn_scalar knots[] = {1, 3, -2, 4};
  gradyn_ground_point(model, "A", 0.2, -0.4);
  gradyn_point(model, "P", 1, 0);
  gradyn_rod(model, &(gradyn_rod_spec){"rod", A, P, .length = 1, .mass = 1});
  gradyn_signal(model,
                &(gradyn_signal_spec){"F", "N", GRADYN_CUBIC_SPLINE, 4, knots, .times = NULL});
  gradyn_signal(model, &(gradyn_signal_spec){"R", "", GRADYN_PIECEWISE_LINEAR, 4, knots, 0.1, 1.9,
                                             .times = NULL});
  gradyn_custom_functional_spec g = {.name = "g", .unit = "J", .integrand = everything};
  g.data = own;
  g.data_count = 2;
  gradyn_custom_functional(model, &g);
  g.name = "peak";
  declare_smooth_maximum(model, &g, 0.3);
  g.name = "w";
  g.integrand = NULL;
  g.terminal = everything;
  gradyn_custom_functional(model, &g);
  gradyn_functional(model, &(gradyn_functional_spec){"effort", gradyn_measure_signal(model, "", 1),
                                                     .reduction = GRADYN_SQUARE_INTEGRAL});
  gradyn_end_time_functional(model, "time");
  gradyn_minimise(model, 1, 2.5);
  gradyn_constrain(model, 2, -INFINITY, 7, 0.1);
  gradyn_constrain(model, 4, 8, 8, 0.2);
  gradyn_constrain(model, 5, 9, INFINITY, 0.3);
  return gradyn_build_status(model);
}

static const gradyn_problem problem = {GRADYN_PROBLEM_SIZES, .name = "probe", .build = build,
                                       .t_end = 2};

/* q, v, a of P, and the multiplier of the rod. */
static const double point[] = {0.9, 0.3, -1.1, 0.8, 2.2, -1.7, 5.5};

typedef struct discrete {
  gradyn_model *model;
  double *x, y[7], t;
} discrete;

static discrete set_up(void)
{
  discrete s = {.t = 0.83};
  assert_int_equal(gradyn_model_create(&problem, NULL, 0, 0, NULL, &s.model), GRADYN_OK);
  s.x = malloc((size_t)s.model->nx * sizeof *s.x);
  assert_non_null(s.x);
  memcpy(s.x, s.model->x, (size_t)s.model->nx * sizeof *s.x);
  memcpy(s.y, point, sizeof point);
  return s;
}

static void tear_down(discrete *s)
{
  gradyn_model_free(s->model);
  free(s->x);
}

static const gradyn_functional_ops *ops_of(const gradyn_functional_entry *f)
{
  return f->integrand ? f->integrand : f->terminal;
}

static double value(discrete *s, int k)
{
  const gradyn_functional_entry *f = &s->model->functional[k];
  const gradyn_sample at = {s->t, s->y};
  double result;
  assert_ok(gradyn_model_load(s->model, s->x), s->model->message.text);
  assert_ok(ops_of(f)->value(s->model, f, &at, &result), s->model->message.text);
  return result;
}

static double difference(discrete *s, int k, double *number)
{
  double keep = *number, h = 1e-5, side[4];
  for (int i = 0; i < 4; i++) {
    *number = keep + (i - 1.5) * 2 * h;
    side[i] = value(s, k);
  }
  *number = keep;
  return (27 * (side[2] - side[1]) - (side[3] - side[0])) / (48 * h);
}

static double signal_at(const discrete *s, int k, double t)
{
  return gradyn_signal_value(&s->model->signal[k], s->model->x, t, 0);
}

TEST(values_are_those_of_the_formula)
{
  discrete open = set_up(), *s = &open;
  double u = signal_at(s, 0, s->t), r = signal_at(s, 1, s->t);
  double expected = 0.7 * 0.9 * 0.8 + sin(2.2) + 5.5 * 5.5 * 0.01 + u * r * s->t + exp(-0.4 * 0.3);
  assert_close(value(s, 0), expected, 1e-14, 0);
  assert_close(value(s, 1), exp(0.3 * expected), 1e-13, 0);
  assert_close(value(s, 2), expected, 1e-14, 0);
  assert_close(value(s, 3), u * u, 1e-14, 0);
  assert_close(value(s, 4), s->t, 0, 0);
  tear_down(s);
}

TEST(gradients_agree_with_differences)
{
  discrete open = set_up(), *s = &open;
  int nx = s->model->nx;
  for (int k = 0; k < 5; k++) {
    const gradyn_functional_entry *f = &s->model->functional[k];
    const gradyn_sample at = {s->t, s->y};
    double y_bar[7] = {0}, t_bar = 0, *x_bar = calloc((size_t)nx, sizeof *x_bar);
    const gradyn_gradient_out out = {y_bar, 1, x_bar, &t_bar}, none = {NULL, 1, NULL, NULL};
    assert_ok(gradyn_model_load(s->model, s->x), NULL);
    assert_ok(ops_of(f)->gradient(s->model, f, &at, 1.5, &none), NULL);
    assert_ok(ops_of(f)->gradient(s->model, f, &at, 1.5, &out), s->model->message.text);
    for (int i = 0; i < 7; i++)
      assert_close(y_bar[i], 1.5 * difference(s, k, &s->y[i]), 1e-9, 1e-9);
    for (int i = 0; i < nx; i++)
      assert_close(x_bar[i], 1.5 * difference(s, k, &s->x[i]), 1e-9, 1e-9);
    assert_close(t_bar, 1.5 * difference(s, k, &s->t), 1e-9, 1e-9);
    /* the function adds to the arrays, and does not overwrite them */
    double keep = y_bar[0];
    assert_ok(ops_of(f)->gradient(s->model, f, &at, 1.5, &out), NULL);
    assert_close(y_bar[0], 2 * keep, 1e-15, 0);
    free(x_bar);
  }
  tear_down(s);
}

TEST(smooth_maximum_is_a_scaled_logarithm)
{
  discrete open = set_up(), *s = &open;
  const gradyn_functional_entry *f = &s->model->functional[1];
  double slope, t_bar, unused, h = 1e-6;
  double psi = gradyn_functional_outer(f, 5, 2, &slope, &t_bar);
  assert_close(psi, log(5.0 / 2) / 0.3, 1e-15, 0);
  double up = gradyn_functional_outer(f, 5 + h, 2, &unused, &unused);
  double down = gradyn_functional_outer(f, 5 - h, 2, &unused, &unused);
  assert_close(slope, (up - down) / (2 * h), 1e-8, 0);
  up = gradyn_functional_outer(f, 5, 2 + h, &unused, &unused);
  down = gradyn_functional_outer(f, 5, 2 - h, &unused, &unused);
  assert_close(t_bar, (up - down) / (2 * h), 1e-8, 0);
  /* the maximum of a constant g is g, for any end time */
  assert_close(gradyn_functional_outer(f, 2 * exp(0.3 * 4.2), 2, &slope, &t_bar), 4.2, 1e-14, 0);

  psi = gradyn_functional_outer(&s->model->functional[0], 5, 2, &slope, &t_bar);
  assert_close(psi, 5, 0, 0);
  assert_close(slope, 1, 0, 0);
  assert_close(t_bar, 0, 0, 0);
  tear_down(s);
}

TEST(uses_are_recorded)
{
  discrete open = set_up(), *s = &open;
  const gradyn_functional_entry *f = s->model->functional;
  const gradyn_functional_use use[] = {GRADYN_OBJECTIVE, GRADYN_AT_MOST, GRADYN_MONITORED,
                                       GRADYN_EQUAL, GRADYN_AT_LEAST};
  for (int k = 0; k < 5; k++)
    assert_int_equal(f[k].use, use[k]);
  assert_close(f[0].weight, 2.5, 0, 0);
  assert_close(f[1].bound, 7, 0, 0);
  assert_close(f[1].tolerance, 0.1, 0, 0);
  assert_close(f[3].bound, 8, 0, 0);
  assert_close(f[4].bound, 9, 0, 0);
  assert_string_equal(f[0].unit, "J");
  assert_string_equal(f[4].unit, "s");
  tear_down(s);
}

static void add_sum(gradyn_model *model, int first, int second)
{
  gradyn_functional_sum(model,
                        &(gradyn_functional_sum_spec){"total", NULL, (const int[]){first, second},
                                                      (const gradyn_scalar[]){1, 2}, 2});
}

static gradyn_status misuse(gradyn_model *model, const gradyn_scalar rho[])
{
  gradyn_point_mass(model, "m", gradyn_point(model, "P", 0, 0), 1);
  gradyn_custom_functional_spec g = {
      .name = "g", .unit = "", .integrand = everything, .data = own, .data_count = 2};
  const int x = gradyn_measure_point(model, "", 1, 0, GRADYN_X);
  const int f = declare_functional(model, "end", x, GRADYN_AT_END);
  switch ((int)creal(rho[0])) {
  case 0:
    gradyn_minimise(model, f, 1);
    gradyn_constrain(model, f, 0, 0, 1);
    break;
  case 1:
    gradyn_minimise(model, 10, 1);
    break;
  case 2:
    gradyn_constrain(model, f, -INFINITY, 1, 0);
    break;
  case 3:
    gradyn_constrain(model, f, NAN, INFINITY, 1);
    break;
  case 4:
    gradyn_minimise(model, f, NAN);
    break;
  case 5:
    declare_smooth_maximum(model, &g, -1);
    break;
  case 6:
    gradyn_constrain(model, f, 2, 1, 1);
    break;
  case 7:
    gradyn_constrain(model, f, -INFINITY, INFINITY, 1);
    break;
  case 8:
    gradyn_constrain(model, f, 0, 1, 1);
    break;
  case 10:
    add_sum(model, f, declare_smooth_maximum(model, &g, 1));
    break;
  case 11:
    add_sum(model, f, 9);
    break;
  case 9:
    gradyn_measure_point(model, "", 7, 0, GRADYN_X);
    break;
  default:
    g.integrand = NULL;
    gradyn_custom_functional(model, &g);
  }
  return gradyn_build_status(model);
}

TEST(misuse_is_refused)
{
  const char *says[] = {"end has two uses",
                        "functional 10",
                        "end: tolerance 0; it must be positive",
                        "end: lower bound nan, upper bound inf",
                        "weight of functional end",
                        "g: the sharpness is -1",
                        "end: lower bound 2, upper bound 1",
                        "end: lower bound -inf, upper bound inf",
                        "end: bounds 0 and 1 differ",
                        "a measure without a name: point 7",
                        "functional total: its term g is a maximum",
                        "total: functional 9 has not been declared",
                        "g has neither"};
  const gradyn_problem wrong = {GRADYN_PROBLEM_SIZES, .name = "probe", .build = misuse, .t_end = 2};
  for (int i = 0; i < (int)GRADYN_COUNT(says); i++) {
    const gradyn_scalar rho = i;
    gradyn_model *model;
    assert_status(gradyn_model_create(&wrong, NULL, 0, 0, &rho, &model), GRADYN_INVALID, NULL);
    assert_says(model->message.text, says[i]);
    gradyn_model_free(model);
  }
}
