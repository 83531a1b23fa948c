/* Arguments of users' functions: the number of entries of each array, in every call of every kind of
 * function, and the pointers of the problem and of the function. */
#include "tests/runs.h"
#include "tests/declare.h"

/* Sizes seen by a function: points, axes, constraints, states, signals, data, measures. */
enum { SIZES = 7 };

typedef struct seen {
  int size[SIZES];
  long calls,
      wrong; /* number of calls with other sizes, or with arrays that do not have these sizes */
} seen;

/* The user pointer of the problem, which all its functions get. */
typedef struct notes {
  seen force, constraint, integrand, terminal, guard, condition, reset, measure, residual;
  double strength;
} notes;

/* Returns whether the array is NULL exactly if it has no entries, and whether all entries can be read.
 * first: index of the first entry. */
static bool fits(const gradyn_scalar *array, int count, int axes, int first)
{
  gradyn_scalar sum = 0;
  for (int i = first * axes; i < (first + count) * axes && array; i++)
    sum += array[i];
  return (count > 0) == (array != NULL) && (sum == sum || isnan(creal(sum)));
}

static notes *look(const gradyn_at *at, size_t which)
{
  notes *all = gradyn_user(at->model);
  seen *s = (seen *)((char *)all + which);
  const int size[SIZES] = {at->points,  at->axes,       at->constraints, at->states,
                           at->signals, at->data_count, at->measures};
  if (s->calls++ == 0)
    memcpy(s->size, size, sizeof size);
  const bool right = at->user == all && fits(at->pos, at->points, at->axes, at->first_point) &&
                     fits(at->vel, at->points, at->axes, at->first_point) &&
                     fits(at->lam, at->constraints, 1, at->first_constraint) &&
                     fits(at->y, at->states, 1, 0) && fits(at->u, at->signals, 1, 1) &&
                     fits(at->data, at->data_count, 1, 0) && fits(at->of, at->measures, 1, 0);
  if (!right || memcmp(s->size, size, sizeof size) != 0)
    s->wrong++;
  return all;
}

#define LOOK(member) look(at, offsetof(notes, member))

static gradyn_status force(const gradyn_at *at, gradyn_scalar f[])
{
  f[1] = LOOK(force)->strength * at->data[0] * at->u[1] - at->vel[1];
  return GRADYN_OK;
}

static gradyn_status constraint(const gradyn_at *at, int order, gradyn_scalar *value)
{
  LOOK(constraint);
  *value = order == 0 ? at->pos[0] : order == 1 ? at->vel[0] : at->acc[0];
  return GRADYN_OK;
}

static gradyn_status integrand(const gradyn_at *at, gradyn_scalar *value)
{
  LOOK(integrand);
  *value = at->vel[5] * at->vel[5];
  return GRADYN_OK;
}

static gradyn_status terminal(const gradyn_at *at, gradyn_scalar *value)
{
  LOOK(terminal);
  *value = at->data[1] * at->pos[5];
  return GRADYN_OK;
}

static gradyn_status guard(const gradyn_at *at, gradyn_scalar *value)
{
  LOOK(guard);
  *value = at->pos[5] - 0.5;
  return GRADYN_OK;
}

static gradyn_status condition(const gradyn_at *at, gradyn_scalar *value)
{
  (void)at;
  LOOK(condition);
  *value = 1;
  return GRADYN_OK;
}

static gradyn_status reset(const gradyn_at *at, gradyn_scalar value[])
{
  LOOK(reset);
  value[0] = -at->vel[5];
  return GRADYN_OK;
}

static gradyn_status formula(const gradyn_at *at, gradyn_scalar *value)
{
  LOOK(measure);
  *value = at->of[0] * at->of[1];
  return isnan(creal(at->t)) ? GRADYN_OK : GRADYN_INTERNAL;
}

/* A mass that falls along a wall, is thrown up by a reset, and falls again. */
static gradyn_status build(gradyn_model *m, const gradyn_scalar rho[])
{
  notes *all = gradyn_user(m);
  gradyn_ground_point(m, "ground", 0, 0);
  const int bob = gradyn_point(m, "bob", 0, 1);
  const gradyn_datum data[] = {{"gain", "N", rho[0]}, {"weight", "", 2}};
  declare_signal(m, "u", "", GRADYN_PIECEWISE_LINEAR, 2, (const gradyn_scalar[]){rho[0], 1});
  gradyn_point_mass(m, "bob", bob, 1);
  gradyn_gravity(m, 0, -9.81);
  gradyn_custom_constraint(
      m, &(gradyn_custom_constraint_spec){
             .name = "wall", .points = &bob, .point_count = 1, .fn = constraint, .user = all});
  gradyn_custom_force(m, &(gradyn_custom_force_spec){.name = "lift",
                                                     .points = (const int[]){bob},
                                                     .point_count = 1,
                                                     .fn = force,
                                                     .data = data,
                                                     .data_count = 1,
                                                     .user = all,
                                                     .reads = (const char *const[]){"wall"},
                                                     .read_count = 1});
  gradyn_custom_functional(m, &(gradyn_custom_functional_spec){.name = "sum",
                                                               .integrand = integrand,
                                                               .terminal = terminal,
                                                               .data = data,
                                                               .data_count = 2,
                                                               .user = all});
  const int of[] = {gradyn_measure_point(m, "y", bob, 0, GRADYN_Y),
                    gradyn_measure_point(m, "vy", bob, 1, GRADYN_Y)};
  const int product = gradyn_measure_formula(m, &(gradyn_measure_formula_spec){.name = "product",
                                                                               .unit = "m^2/s",
                                                                               .formula = formula,
                                                                               .of = of,
                                                                               .count = 2,
                                                                               .user = all});
  gradyn_functional(m,
                    &(gradyn_functional_spec){"integral", product, .reduction = GRADYN_INTEGRAL});
  gradyn_event(m, &(gradyn_event_spec){.name = "throw",
                                       .guard = {.terminal = guard, .user = all},
                                       .condition = {.terminal = condition, .user = all},
                                       .set = &(gradyn_component){bob, GRADYN_Y},
                                       .set_count = 1,
                                       .reset = {.terminal = reset, .user = all}});
  return gradyn_build_status(m);
}

static const gradyn_param params[] = {{"gain", "N", .init = 0.7, GRADYN_UNBOUNDED}};

static void assert_seen(const seen *s, const int size[SIZES])
{
  assert_true(s->calls > 0);
  assert_int_equal(s->wrong, 0);
  assert_memory_equal(s->size, size, sizeof s->size);
}

TEST(sizes_of_mechanisms)
{
  static const char *const methods[] = {"explicit", "radau", "idas", "ali3p"};
  for (size_t k = 0; k < GRADYN_COUNT(methods); k++) {
    notes all = {.strength = 0.3};
    const gradyn_problem problem = PROBLEM("fall", build, params, .t_end = 0.5, .user = &all);
    run_local *ev = run_with(&problem, .method = methods[k], .step = 0.01);
    double psi[2], gradient[2];
    assert_run(gradyn_evaluator_gradient(ev, (const double[]){0.7}, psi, gradient), ev);
    assert_int_equal(gradyn_evaluator_statistics(ev).events, 1);
    /* two points, one constraint, one signal; a force has its own signal */
    assert_seen(&all.force, (const int[]){1, 2, 1, 0, 1, 1, 0});
    assert_seen(&all.constraint, (const int[]){1, 2, 0, 0, 0, 0, 0});
    assert_seen(&all.integrand, (const int[]){2, 2, 1, 0, 1, 2, 0});
    assert_seen(&all.terminal, (const int[]){2, 2, 1, 0, 1, 2, 0});
    assert_seen(&all.guard, (const int[]){2, 2, 1, 0, 1, 0, 0});
    assert_seen(&all.condition, (const int[]){2, 2, 1, 0, 1, 0, 0});
    assert_seen(&all.reset, (const int[]){2, 2, 1, 0, 1, 0, 0});
    assert_seen(&all.measure, (const int[]){0, 0, 0, 0, 0, 0, 2});
  }
}

static gradyn_status flow(const gradyn_at *at, gradyn_scalar F[])
{
  LOOK(residual);
  F[0] = at->yp[0] + at->data[0] * at->y[0] - at->y[1];
  F[1] = at->y[1] - sin(at->t);
  return GRADYN_OK;
}

static gradyn_status state(const gradyn_at *at, gradyn_scalar *value)
{
  LOOK(terminal);
  *value = at->y[0];
  return GRADYN_OK;
}

static gradyn_status build_flow(gradyn_model *m, const gradyn_scalar rho[])
{
  void *all = gradyn_user(m);
  const gradyn_datum gain = {"k", "1/s", rho[0]};
  gradyn_state(m, "y", "", 1);
  gradyn_algebraic_state(m, "z", "", 0);
  gradyn_equations(
      m, &(gradyn_equations_spec){.residual = flow, .data = &gain, .data_count = 1, .user = all});
  gradyn_custom_functional(
      m, &(gradyn_custom_functional_spec){.name = "end", .terminal = state, .user = all});
  return gradyn_build_status(m);
}

TEST(sizes_of_equations)
{
  static const char *const methods[] = {"explicit", "radau", "idas"};
  for (size_t k = 0; k < GRADYN_COUNT(methods); k++) {
    notes all = {.strength = 0};
    const gradyn_problem problem = PROBLEM("flow", build_flow, params, .t_end = 0.5, .user = &all);
    run_local *ev = run_with(&problem, .method = methods[k]);
    double psi, gradient;
    assert_run(gradyn_evaluator_gradient(ev, (const double[]){0.7}, &psi, &gradient), ev);
    assert_seen(&all.residual, (const int[]){0, 0, 0, 2, 0, 1, 0});
    assert_seen(&all.terminal, (const int[]){0, 0, 0, 2, 0, 0, 0});
  }
}
