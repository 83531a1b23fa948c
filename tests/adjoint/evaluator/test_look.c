/* Inspection of a model after an evaluation: points, drawables, signals, energy and drift. */
#include "tests/runs.h"
#include "tests/declare.h"

#include "problems/builtin.h"

static gradyn_evaluator *open_problem(const gradyn_problem *problem, double t_end)
{
  gradyn_evaluator *ev = NULL;
  ev = run_with(problem, .t_end = t_end);
  return ev;
}

static double *initial(const gradyn_evaluator *ev)
{
  size_t count = gradyn_parameter_count(ev);
  double *rho = calloc(count + 1, sizeof *rho);
  run_initial(ev, rho);
  return rho;
}

/* --- a model with one of everything ------------------------------------------------------------ */

static const gradyn_param params[] = {
    {"share", "", .init = 0.25, GRADYN_UNBOUNDED},
    {"side", "m", .init = 0.5, GRADYN_UNBOUNDED},
    {"u", "N", .init = 1, GRADYN_UNBOUNDED, .count = 3, .init_end = 3, .ramp = true}};

static gradyn_status build(gradyn_model *m, const gradyn_scalar rho[])
{
  int A = gradyn_ground_point(m, "A", 1, 2), p = gradyn_point(m, "p", 3, 2);
  int on = gradyn_point_between(m, "on", A, p, rho[0]);
  int u = declare_signal(m, "u", "N", GRADYN_PIECEWISE_LINEAR, 3, rho + 2);
  int body = declare_body(m, "plate", 1, 1, 5, 5);
  int corner = gradyn_body_point(m, body, "corner", 6, 5.5);
  int end = gradyn_point(m, "end", 8, 2);
  gradyn_rod(m, &(gradyn_rod_spec){"bar", A, p, .mass = 1});
  gradyn_distance(m, "push", p, corner, &(gradyn_time_function){.value = sqrt(21.25), .rate = 0.1});
  gradyn_coordinate(m, "rail", end, GRADYN_Y, &(gradyn_time_function){.value = 2});
  gradyn_spring(m, &(gradyn_spring_spec){"S", on, corner, .k = 10});
  gradyn_spring(m, &(gradyn_spring_spec){"C", on, corner, .c = 10});
  gradyn_spring(m, &(gradyn_spring_spec){"F", on, corner, .force = 1});
  gradyn_dashpot(m, "D", p, end, 1);
  declare_push(m, "drive", end, 2, 0, u);
  gradyn_beam(m, &(gradyn_beam_spec){"leaf", p, end, .elements = 2, .young = 1e5, .density = 1000,
                                     .section = {.area = 1e-2, .second_moment = 1e-4}});
  gradyn_draw_box(m, body, creal(rho[1]), 1, 0);
  gradyn_draw_colour(m, "S", 0x123456);
  gradyn_draw_trace(m, corner);
  gradyn_minimise(
      m,
      gradyn_functional(m, &(gradyn_functional_spec){"effort", gradyn_measure_signal(m, "", u),
                                                     .reduction = GRADYN_SQUARE_INTEGRAL}),
      1);
  return gradyn_build_status(m);
}

static const gradyn_problem discrete = PROBLEM("scene", build, params, .t_end = 0.02,
                                               .method = "ali3p", .step = 1e-3);

typedef struct seen {
  gradyn_drawable item[32];
  int first[32]; /* the first point of each */
  size_t count;
} seen;

static void collect(const gradyn_drawable *d, void *user)
{
  seen *s = user;
  assert_true(s->count < 32);
  s->first[s->count] = d->point[0];
  s->item[s->count++] = *d;
}

TEST(test_drawables)
{
  static const struct {
    gradyn_shape shape;
    const char *name;
    int points;
  } expected[] = {{GRADYN_SHAPE_BOX, "plate", 3},     {GRADYN_SHAPE_ROD, "bar", 2},
                  {GRADYN_SHAPE_DISTANCE, "push", 2}, {GRADYN_SHAPE_GUIDE, "rail", 1},
                  {GRADYN_SHAPE_BEAM, "leaf", 6},     {GRADYN_SHAPE_SPRING, "S", 2},
                  {GRADYN_SHAPE_DAMPER, "C", 2},      {GRADYN_SHAPE_ACTUATOR, "F", 2},
                  {GRADYN_SHAPE_DAMPER, "D", 2},      {GRADYN_SHAPE_FORCE, "drive", 1},
                  {GRADYN_SHAPE_TRACE, "corner", 1}};
  static const char *const kinds[] = {"box",    "rod",      "distance", "guide", "beam", "spring",
                                      "damper", "actuator", "damper",   "force", "trace"};
  run_local *ev = open_problem(&discrete, 0);
  FREED double *rho = initial(ev);
  rho[1] = 0.75; /* hints follow the parameters */
  assert_int_equal(gradyn_evaluator_simulate(ev, rho, NULL, NULL), GRADYN_OK);
  seen s = {.count = 0};
  gradyn_drawables_visit(ev, collect, &s);
  assert_int_equal(s.count, sizeof expected / sizeof expected[0]);
  for (size_t i = 0; i < s.count; i++) {
    assert_string_equal(s.item[i].name, expected[i].name);
    assert_int_equal(s.item[i].shape, expected[i].shape);
    assert_string_equal(s.item[i].kind, kinds[i]);
    assert_int_equal(s.item[i].points, expected[i].points);
    assert_int_equal(s.item[i].colour, i == 5 ? 0x123456 : -1);
    assert_true(s.item[i].signal == (i == 9 ? 1 : 0) && s.item[i].modes == 0);
  }
  assert_true(s.item[0].size[0] == 0.75);
  assert_true(s.item[9].size[0] == 2);
  assert_close(s.item[4].size[0], 2.5, 0, 1e-12); /* 5 m in two elements */
}

/* Component k of a drawn point in a state. */
static double place(const gradyn_drawn_point *p, const double *state, int k)
{
  double sum = p->fixed[k];
  for (int i = 0; i < p->carriers; i++)
    sum += p->weight[i] * state[p->column[i] + k];
  return sum;
}

TEST(test_points)
{
  static const struct {
    const char *name;
    double x, y; /* at the start, by hand */
    int carriers;
  } expected[] = {
      {"A", 1, 2, 0}, {"p", 3, 2, 1}, {"on", 1.5, 2, 1}, {"plate", 5, 5, 1}, {"corner", 6, 5.5, 3}};
  run_local *ev = open_problem(&discrete, 0);
  FREED double *rho = initial(ev);
  OWNED(gradyn_trajectory) *trajectory = gradyn_trajectory_create();
  assert_int_equal(gradyn_evaluator_simulate(ev, rho, NULL, trajectory), GRADYN_OK);
  FREED double *y = calloc(gradyn_trajectory_read(trajectory).columns, sizeof *y);
  gradyn_trajectory_step(trajectory, 0, y);
  size_t found = 0;
  for (size_t i = 0; i < gradyn_evaluator_model_info(ev).drawn_points; i++) {
    const gradyn_drawn_point p = gradyn_drawn_point_at(ev, i);
    for (size_t k = 0; k < sizeof expected / sizeof expected[0]; k++)
      if (strcmp(p.name, expected[k].name) == 0) {
        assert_int_equal(p.carriers, expected[k].carriers);
        assert_false(p.direction);
        assert_close(place(&p, y, 0), expected[k].x, 0, 1e-6);
        assert_close(place(&p, y, 1), expected[k].y, 0, 1e-6);
        found++;
      }
  }
  assert_int_equal(found, sizeof expected / sizeof expected[0]);
}

TEST(test_signals)
{
  run_local *ev = open_problem(&discrete, 0);
  assert_int_equal(gradyn_evaluator_model_info(ev).signals, 1);
  const gradyn_signal_info u = gradyn_signal_at(ev, 0);
  assert_string_equal(u.name, "u");
  assert_string_equal(u.unit, "N");
  assert_int_equal(u.count, 3);
  assert_true(u.knots[0] == 1 && u.t_start == 0 && u.t_end == 0.02);
  assert_close(gradyn_signal_sample(ev, 0, 0.005), 1.5, 0, 1e-12);
  assert_close(gradyn_signal_sample(ev, 0, 0.02), 3, 0, 1e-12);
}

TEST(test_condition)
{
  run_local *ev = open_problem(&gradyn_problem_chain, 0.2);
  double *rho = initial(ev), psi[8];
  OWNED(gradyn_trajectory) *trajectory = gradyn_trajectory_create();
  assert_int_equal(gradyn_evaluator_simulate(ev, rho, psi, trajectory), GRADYN_OK);
  size_t steps = gradyn_trajectory_read(trajectory).steps, energy = 0;
  FREED gradyn_invariants *condition = calloc(steps, sizeof *condition);
  assert_int_equal(gradyn_invariants_compute(ev, trajectory, condition), GRADYN_OK);
  while (strcmp(gradyn_functional_at(ev, energy).name, "end_energy") != 0)
    energy++;
  const gradyn_invariants *last = &condition[steps - 1];
  assert_true(fabs(last->kinetic + last->potential - psi[energy]) < 1e-12 * fabs(psi[energy]));
  assert_true(condition[0].kinetic == 0 && last->kinetic > 0.1);
  assert_true(fabs(condition[0].potential) < 1e-12); /* level with its support */
  assert_true(fabs(last->kinetic + last->potential) < 0.02 * last->kinetic);
  for (size_t i = 0; i < steps; i++)
    assert_true(condition[i].drift_position < 1e-9 && condition[i].drift_velocity < 1e-9);
  free(rho);
}

TEST(test_equations_have_nothing_to_draw)
{
  run_local *ev = open_problem(&gradyn_problem_double_integrator, 0);
  OWNED(gradyn_trajectory) *trajectory = gradyn_trajectory_create();
  gradyn_invariants condition;
  seen s = {.count = 0};
  gradyn_drawables_visit(ev, collect, &s);
  assert_int_equal(s.count, 0);
  assert_int_equal(gradyn_evaluator_model_info(ev).drawn_points, 0);
  assert_true(!gradyn_evaluator_model_info(ev).mechanical &&
              gradyn_evaluator_model_info(ev).axes == 0);
  assert_string_equal(gradyn_evaluator_model_info(ev).chosen, "natural");
  assert_int_equal(gradyn_invariants_compute(ev, trajectory, &condition), GRADYN_UNSUPPORTED);
}

TEST(test_nothing_to_look_at)
{
  assert_int_equal(gradyn_evaluator_model_info(NULL).signals, 0);
  assert_string_equal(gradyn_signal_at(NULL, 0).name, "");
  assert_true(gradyn_signal_sample(NULL, 0, 1) == 0);
  assert_int_equal(gradyn_evaluator_model_info(NULL).drawn_points, 0);
  assert_string_equal(gradyn_drawn_point_at(NULL, 0).name, "");
  gradyn_drawables_visit(NULL, NULL, NULL);
  assert_int_equal(gradyn_invariants_compute(NULL, NULL, NULL), GRADYN_INVALID);
  assert_int_equal(gradyn_evaluator_statistics(NULL).events, 0);
  assert_string_equal(gradyn_event_log_at(NULL, 0).name, "");
  const gradyn_problem nameless = {GRADYN_PROBLEM_SIZES, .t_end = 1};
  run_local *failed = NULL, *ev = open_problem(&discrete, 0);
  assert_int_equal(gradyn_evaluator_create(&nameless, NULL, NULL, 0, &failed), GRADYN_INVALID);
  assert_int_equal(gradyn_evaluator_model_info(failed).signals, 0);
  assert_int_equal(gradyn_evaluator_model_info(failed).drawn_points, 0);
  assert_string_equal(gradyn_drawn_point_at(ev, 999).name, "");
  assert_string_equal(gradyn_signal_at(ev, 1).name, "");
  gradyn_drawables_visit(ev, NULL, NULL);
  assert_refused(gradyn_invariants_compute(ev, NULL, NULL), ev, GRADYN_INVALID,
                 "trajectory is NULL");
}

/* --- hints that make no sense are build errors -------------------------------------------------- */

static int wrong; /* which of them */

static gradyn_status build_wrong(gradyn_model *m, const gradyn_scalar rho[])
{
  (void)rho;
  int p = gradyn_point(m, "p", 1, 0);
  int body = declare_body(m, "b", 1, 1, 0, 0);
  gradyn_point_mass(m, "mass", p, 1);
  if (wrong == 0)
    gradyn_draw_box(m, body, -1, 1, 0);
  else if (wrong == 1)
    gradyn_draw_cylinder(m, body, GRADYN_X, 1, 1);
  else if (wrong == 2)
    gradyn_draw_colour(m, "b", 0x1000000);
  else if (wrong == 3)
    gradyn_draw_trace(m, 99);
  else
    gradyn_draw_box(m, 7, 1, 1, 1);
  return gradyn_build_status(m);
}

static const gradyn_problem wrong_hints = PROBLEM("wrong", build_wrong, params, .t_end = 1);

TEST(test_refused_hints)
{
  static const char *const says[] = {"the size -1 m", "GRADYN_Z", "0x1000000", "point 99",
                                     "body 7"};
  for (wrong = 0; wrong < 5; wrong++) {
    assert_no_run(GRADYN_INVALID, says[wrong], .problem = &wrong_hints);
  }
}
