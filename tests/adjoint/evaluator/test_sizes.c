/* Typical sizes of states, data and units against values computed by hand from their definitions. Sizes
 * determine steps of checks and thresholds of warnings; a wrong one would change few results visibly. */
#include "adjoint/evaluator/sizes.h"
#include "tests/declare.h"
#include "tests/runs.h"

enum { MOST = 100 };

static const gradyn_param params[] = {{"k", "N/m", .init = 30, GRADYN_UNBOUNDED}};

/* A datum or a state with its typical size; for a state also the largest value that it has reached. */
typedef struct entry {
  const char *name;
  double reached, size;
} entry;

static int find_state(const gradyn_model *model, const char *name)
{
  char found[100];
  for (int i = 0; i < model->ops->state_count(model); i++) {
    model->ops->state_name(model, i, found, sizeof found);
    if (strcmp(found, name) == 0)
      return i;
  }
  return -1;
}

static double size_of(const gradyn_sizes *s, const char *name)
{
  const int state = find_state(s->model, name);
  for (int k = 0; k < s->model->nx && state < 0; k++)
    if (strcmp(s->model->entry[k].name, name) == 0)
      return s->x_size[k];
  return state < 0 ? NAN : s->size[state];
}

/* Units, and the typical size of a quantity with this unit; 0: unknown. */
typedef struct natural {
  const char *unit;
  double size;
} natural;

static void compare(gradyn_status (*build)(gradyn_model *m, const gradyn_scalar rho[]),
                    const entry *entries, size_t count, const natural *units, size_t unit_count)
{
  const gradyn_problem problem = {GRADYN_PROBLEM_SIZES, .name = "sizes", .params = params,
                                  .param_count = 1,     .build = build,  .t_end = 4};
  double rho[1], x[MOST], largest[MOST] = {0}, size[MOST] = {0}, x_size[MOST] = {0};
  run_local *ev = run_with(&problem, .method = "explicit");
  gradyn_model *model = ev->model;
  assert_true(model->nx < MOST && model->ops->state_count(model) < MOST);
  run_initial(ev, rho);
  assert_run(gradyn_evaluator_simulate(ev, rho, NULL, NULL), ev);
  memcpy(x, model->x, (size_t)model->nx * sizeof *x);
  gradyn_sizes s = {.model = model, .x = x, .largest = largest, .size = size, .x_size = x_size};
  for (size_t k = 0; k < count; k++)
    if (entries[k].reached > 0)
      largest[find_state(model, entries[k].name)] = entries[k].reached;
  gradyn_sizes_fill(&s);
  for (size_t k = 0; k < count; k++)
    if (!(fabs(size_of(&s, entries[k].name) - entries[k].size) < 1e-12))
      fail_msg("%s: %.17g, expected %.17g", entries[k].name, size_of(&s, entries[k].name),
               entries[k].size);
  for (size_t k = 0; k < unit_count; k++)
    if (!(fabs(gradyn_sizes_natural(&s, units[k].unit) - units[k].size) < 1e-12))
      fail_msg("1 %s: %.17g, expected %.17g", units[k].unit,
               gradyn_sizes_natural(&s, units[k].unit), units[k].size);
}

/* Points at least 2 m apart, masses up to 7 kg, a run of 4 s. */
static gradyn_status build_points(gradyn_model *m, const gradyn_scalar rho[])
{
  const int A = gradyn_ground_point(m, "A", 0, 0), B = gradyn_ground_point(m, "B", 9, 0),
            P = gradyn_point(m, "P", 3, 4), Q = gradyn_point(m, "Q", 3, 6);
  gradyn_rod(m, &(gradyn_rod_spec){"rod", A, P, .length = 5, .mass = 2});
  gradyn_point_mass(m, "ball", Q, 7);
  gradyn_spring(m, &(gradyn_spring_spec){"spring", P, Q, .k = rho[0], .free_length = 2});
  gradyn_spring(m, &(gradyn_spring_spec){"hook", B, Q, .k = rho[0], .free_length = 1});
  gradyn_torque(m, &(gradyn_torque_spec){"torque", A, P, .torque = 0});
  (void)declare_signal(m, "u", "N", GRADYN_PIECEWISE_LINEAR, 2, (gradyn_scalar[]){0, 0});
  (void)declare_signal(m, "w", "bar", GRADYN_PIECEWISE_LINEAR, 2, (gradyn_scalar[]){0, -3});
  (void)declare_signal(m, "z", "flux", GRADYN_PIECEWISE_LINEAR, 2, (gradyn_scalar[]){0, 0});
  gradyn_functional(m, &(gradyn_functional_spec){"x", gradyn_measure_point(m, "", Q, 0, GRADYN_X),
                                                 .reduction = GRADYN_AT_END});
  return gradyn_build_status(m);
}

TEST(of_points_and_units)
{
  static const double M = 7, L = 2, T = 4;
  const double B_to_P = hypot(6, 4);
  const entry entries[] = {
      {"t_end", 0, T},
      {"A.x", 0, 5},
      {"B.y", 0, B_to_P},
      {"P.x", 0, L},
      {"Q.y", 0, L},
      {"P.vx", 2, 2}, /* the largest of all */
      {"Q.vy", 0.1, 2},
      /* larger than the value reached: the acceleration that gives the typical speed in time T */
      {"Q.ax", 0.3, 2 / T},
      {"rod.lambda", 1e-12, M * L / T / T}, /* round-off */
      {"rod.length", 0, 5},
      {"rod.mass", 0, 2},
      {"spring.stiffness", 0, 30},
      {"spring.damping", 0, M / T},
      {"spring.force", 0, M * L / T / T},
      {"torque.torque", 0, M * L * L / T / T},
      {"torque.damping", 0, M * L * L / T},
      {"u.knot[0]", 0, M * L / T / T},
      {"w.knot[0]", 0, 3}, /* an unknown unit: the largest value with this unit */
      {"z.knot[0]", 0, 1},
  };
  const natural units[] = {{"", 1},
                           {"1", 1},
                           {"m", L},
                           {"m^2", L * L},
                           {"m^3/s", L * L * L / T},
                           {"kg m^2", M * L * L},
                           {"kg/m^3", M / L / L / L},
                           {"1/s^2", 1 / T / T},
                           {"s^2", T * T},
                           {"kg^2", M * M},
                           {"J", M * L * L / T / T},
                           {"W/kg", L * L / T / T / T},
                           {"Pa m", M / T / T},
                           {"Hz", 1 / T},
                           {"N*s", M * L / T},
                           {"rad/s", 1 / T},
                           {"m bar", 0},
                           {"kgm", 0}};
  compare(build_points, entries, GRADYN_COUNT(entries), units, GRADYN_COUNT(units));
}

/* Directions have the size 1, or the largest value reached. A single body has no neighbour that would
 * define a length. */
static gradyn_status build_body(gradyn_model *m, const gradyn_scalar rho[])
{
  (void)gradyn_body_3d(
      m, &(gradyn_body_spec){
             .name = "b", .centre = {0.5, -3, 0}, .mass = rho[0], .inertia = {1, 2, 2.5}});
  gradyn_functional(m, &(gradyn_functional_spec){"energy", gradyn_measure_energy(m, ""),
                                                 .reduction = GRADYN_AT_END});
  return gradyn_build_status(m);
}

TEST(of_a_single_body)
{
  static const double M = 30, L = 3, T = 4; /* the only length there is */
  const entry entries[] = {
      {"b.x", 0, L},           {"b.e1.x", 1.5, 1.5},           {"b.e3.z", 0.5, 1.5},
      {"b.e2.vy", 0, 1.5 / T}, {"b.e1.ay", 0, 1.5 / T / T},    {"b.e1.e1.lambda", 2, 2},
      {"b.inertia_xx", 0, 1},  {"b.inertia_xy", 0, M * L * L}, {"b.e1.y", 0, 1.5}};
  const natural units[] = {{"N", M * L / T / T}};
  compare(build_body, entries, GRADYN_COUNT(entries), units, GRADYN_COUNT(units));
}

/* General equations: sizes of states are the values that they reach. Sizes of data are their own values, or
 * those of other data with the same unit. */
static gradyn_status decay(const gradyn_at *at, gradyn_scalar F[])
{
  for (int i = 0; i < 3; i++)
    F[i] = at->yp[i] + at->data[i] * at->y[i];
  return GRADYN_OK;
}

FORMULA(last, at->y[0])

static gradyn_status build_equations(gradyn_model *m, const gradyn_scalar rho[])
{
  const gradyn_datum data[] = {{"k", "1/s", rho[0]}, {"none", "1/s", 0}, {"gain", "V", 0}};
  gradyn_state(m, "x", "m", 3);
  gradyn_state(m, "y", "m", 0);
  gradyn_state(m, "z", "A", 0);
  declare_equations(m, decay, data, 3);
  declare_end(m, "last", "m", last);
  return gradyn_build_status(m);
}

TEST(of_equations)
{
  const entry entries[] = {{"x", 5, 5},  {"y", 0, 5},     {"z", 0, 1},
                           {"k", 0, 30}, {"none", 0, 30}, {"gain", 0, 1}};
  const natural units[] = {{"m", 5}, {"A", 0}, {"kg", 0}, {"", 0}};
  compare(build_equations, entries, GRADYN_COUNT(entries), units, GRADYN_COUNT(units));
}
