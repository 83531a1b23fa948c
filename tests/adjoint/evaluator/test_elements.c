/* Tests of the list of a model's elements, and of rows of trajectories that are valid during a call. */
#include "tests/runs.h"
#include "tests/declare.h"

/* The expected list, with the names of points and data. */
typedef struct listing {
  const gradyn_evaluator *ev;
  char text[4096];
} listing;

static void write(const gradyn_element_info *e, void *user)
{
  listing *l = user;
  size_t used = strlen(l->text);
  used += (size_t)snprintf(l->text + used, sizeof l->text - used, "%s %s:", e->kind, e->name);
  for (int i = 0; i < e->points; i++)
    used += (size_t)snprintf(l->text + used, sizeof l->text - used, " %s",
                             gradyn_drawn_point_at(l->ev, (size_t)e->point[i]).name);
  for (size_t k = 0; k < e->data_count; k++)
    used += (size_t)snprintf(l->text + used, sizeof l->text - used, "%s %s", k == 0 ? ";" : "",
                             gradyn_datum_at(l->ev, e->datum + k).name);
  if (e->constraint > 0)
    used += (size_t)snprintf(l->text + used, sizeof l->text - used, "; constraint %s",
                             gradyn_constraint_name(l->ev, e->constraint - 1));
  snprintf(l->text + used, sizeof l->text - used, "%s\n", e->modes == 2 ? "; second mode" : "");
}

FORMULA(still, -at->data[0] * at->vel[0])

static const gradyn_param params[] = {{"length", "m", .init = 0.7, GRADYN_UNBOUNDED}};

/* A model with an entry for each kind of list. Splines also have curvatures as data, which must not be
 * listed. */
static gradyn_status build(gradyn_model *m, const gradyn_scalar rho[])
{
  const gradyn_scalar knots[] = {1, 2, 1};
  const gradyn_datum gain = {"gain", "N s/m", 0.1};
  const int u = declare_signal(m, "u", "", GRADYN_CUBIC_SPLINE, 3, knots);
  const int A = gradyn_ground_point(m, "A", 0, 0), P = gradyn_point(m, "P", rho[0], 0);
  gradyn_rod(m, &(gradyn_rod_spec){.name = "arm", .from = A, .to = P, .mass = 1});
  gradyn_point_mass(m, "load", P, 2);
  gradyn_gravity(m, 0, -9.81);
  declare_push(m, "push", P, 1, 0, u);
  (void)gradyn_mode(m, "free");
  const int braked = gradyn_mode(m, "braked");
  gradyn_force_set_modes(m, declare_force(m, "brake", P, still, &gain, 1), gradyn_modes_of(braked));
  const int body = declare_body(m, "disc", 1, 0.1, 2, 0);
  declare_joint(m, "axle", GRADYN_REVOLUTE, GRADYN_GROUND, body, VECTOR(2, 0), NULL);
  gradyn_fix_initial_angle(m, "start", A, P, 0, 0);
  gradyn_functional(m, &(gradyn_functional_spec){"end", gradyn_measure_point(m, "", P, 0, GRADYN_X),
                                                 .reduction = GRADYN_AT_END});
  return gradyn_build_status(m);
}

static const gradyn_problem problem = PROBLEM("mixed", build, params, .t_end = 0.2);

TEST(elements_of_a_mechanism)
{
  run_local *ev = run_with(&problem, .method = "explicit");
  listing l = {.ev = ev};
  gradyn_elements_visit(ev, write, &l);
  assert_string_equal(l.text,
                      "gravity gravity:; gravity.x gravity.y\n"
                      "point mass load: P; load.mass\n"
                      "body disc: disc disc.e1 disc.e2; disc.mass disc.inertia\n"
                      "revolute joint axle: axle.a axle.b; constraint axle.x\n"
                      "rod arm: A P; arm.length arm.mass arm.com arm.inertia; constraint arm\n"
                      "length disc.e1.e1: disc.e1; constraint disc.e1.e1\n"
                      "scalar product disc.e1.e2: disc.e1 disc.e2; constraint disc.e1.e2\n"
                      "length disc.e2.e2: disc.e2; constraint disc.e2.e2\n"
                      "pin axle.x: axle.a axle.b; constraint axle.x\n"
                      "pin axle.y: axle.a axle.b; constraint axle.y\n"
                      "angle start: A P; start.value start.rate\n"
                      "force push: P; push.fx push.fy\n"
                      "force brake: P; brake.gain; second mode\n");
}

FORMULA(decay, at->yp[0] + at->data[0] * at->y[0])

static gradyn_status build_decay(gradyn_model *m, const gradyn_scalar rho[])
{
  const gradyn_datum rate = {"rate", "1/s", rho[0]};
  gradyn_state(m, "y", "", 1);
  declare_equations(m, decay, &rate, 1);
  return gradyn_build_status(m);
}

static const gradyn_problem equations = PROBLEM("decay", build_decay, params, .t_end = 0.2);

TEST(elements_of_equations)
{
  run_local *ev = run_with(&equations, .method = "explicit");
  listing l = {.ev = ev};
  gradyn_elements_visit(ev, write, &l);
  assert_string_equal(l.text, "equations decay:; rate\n");
  gradyn_elements_visit(ev, NULL, NULL);
  gradyn_elements_visit(NULL, write, &l);
}

TEST(rows_are_borrowed)
{
  static const gradyn_problem *const problems[] = {&problem, &equations};
  gradyn_trajectory *trajectory = gradyn_trajectory_create();
  assert_null(gradyn_trajectory_read(trajectory).rows);
  assert_null(gradyn_trajectory_read(trajectory).times);
  for (int k = 0; k < 2; k++) {
    run_local *ev = run_with(problems[k], .method = "explicit");
    double state[100];
    assert_run(gradyn_evaluator_simulate(ev, (const double[]){0.7}, NULL, trajectory), ev);
    const size_t steps = gradyn_trajectory_read(trajectory).steps,
                 columns = gradyn_trajectory_read(trajectory).columns;
    const double *rows = gradyn_trajectory_read(trajectory).rows;
    assert_true(steps > 3 && columns <= GRADYN_COUNT(state));
    for (size_t i = 0; i < steps; i++) {
      const double t = gradyn_trajectory_step(trajectory, i, state);
      assert_memory_equal(&t, &gradyn_trajectory_read(trajectory).times[i], sizeof t);
      assert_memory_equal(state, rows + i * columns, columns * sizeof *state);
    }
  }
  gradyn_trajectory_free(trajectory);
  assert_null(gradyn_trajectory_read(NULL).rows);
  assert_null(gradyn_trajectory_read(NULL).times);
}
