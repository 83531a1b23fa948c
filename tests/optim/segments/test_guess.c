/* Initial states of a search in segments: from a table, from declared guesses, or from a simulation. */
#include "tests/optim/journals.h"
#include "tests/optim/segments/blow.h"
#include "tests/runs.h"

#include <unistd.h>

#include "dae/start/initial.h"
#include "optim/segments/natural.h"
#include "optim/segments/segments.h"

enum { MOST = 64 };

static const double zeros[BLOW_KNOTS];
static const bool all_used[MOST] = {true, true, true, true, true, true, true, true};

/* Four segments of half a second. The guess is 1 at the start, 2 in the middle and 1 at the end; the
 * simulation reaches e^6. */
TEST(a_declared_guess_replaces_the_simulation)
{
  LOCAL(gradyn_segments) s;
  run_local *ev = run_with(.problem = &growth_problem, .method = "explicit");
  assert_ok(gradyn_segments_create(ev, &(gradyn_search){.segments = 4}, all_used, zeros, &s),
            s.message.text);
  const double *at = s.start + BLOW_KNOTS, y[3] = {1.5, 2, 1.5};
  for (size_t k = 0; k < 3; k++) {
    assert_close(at[2 * k], y[k], 1e-14, 0);
    /* a state without a guess is that of the simulation */
    assert_close(at[2 * k + 1], exp(0.5 * (double)(k + 1)), 1e-5, 0);
  }
}

/* The simulation y = 1 / (1 - t) ends before 1 s. */
TEST(a_declared_guess_replaces_a_simulation_that_fails)
{
  LOCAL(gradyn_segments) s;
  run_local *ev = run_with(.problem = &blow_problem, .method = "explicit");
  assert_ok(gradyn_segments_create(ev, &(gradyn_search){.segments = 10}, all_used, zeros, &s),
            s.message.text);
  for (int k = 0; k < 9; k++)
    assert_close(s.start[BLOW_KNOTS + k], 1 - 0.05 * (k + 1), 1e-14, 0);
}

/* Writes the table to a file and creates four segments from it. */
static gradyn_status create_near(gradyn_evaluator *ev, const char *table, const double rho0[],
                                 gradyn_segments *s)
{
  FREED char *file = journal_name();
  journal_write(file, table, strlen(table));
  const gradyn_status status = gradyn_segments_create(
      ev, &(gradyn_search){.segments = 4, .guess = file}, all_used, rho0, s);
  assert_int_equal(unlink(file), 0);
  return status;
}

/* Times of the table are scaled, columns are found by name, and other columns are ignored. Two rows with
 * the same time may differ in the last digit of the time. */
TEST(a_table_gives_the_states_at_segment_boundaries)
{
  LOCAL(gradyn_segments) s;
  run_local *ev = run_with(.problem = &growth_problem, .method = "explicit");
  assert_ok(create_near(ev,
                        "z,t [s],other,y [m]\n1,10,nan,5\n3,11,7,6\n"
                        "3,10.999999999999998,7,6\n4,14,7,0\n",
                        zeros, &s),
            s.message.text);
  /* expected states at 11, 12 and 13 s */
  const double expected[6] = {6, 3, 4, 3 + 1 / 3., 2, 3 + 2 / 3.};
  assert_close_array(s.start + BLOW_KNOTS, expected, 6, 1e-14, 0);
}

static const struct {
  const char *table, *says;
} wrong[] = {{"t [s],y [m]\n0,1\n1,1\n", "has no column for z: it needs t and all states"},
             {"y [m],z\n0,1\n1,1\n", "has no column t, the time"},
             {"t [s],y [mm],z\n0,1,1\n1,1,1\n", "has the column 'y [mm]': y is in m"},
             {"t [s],y [m],z [m]\n0,1,1\n1,1,1\n", "has the column 'z [m]': z is in no unit"},
             {"t [s],y [m],z,z\n0,1,1,1\n1,1,1,1\n", "has two columns of z"},
             {"t [s],y [m],z\n0,1,1\n1,nan,1\n", "for y in line 3, which is not a finite number"},
             {"t [s],y [m],z\n0,1,1\n1,1e999,1\n", "for y in line 3"},
             {"t [s],y [m],z\n0,1,1\n1,,1\n", "for y in line 3"},
             {"t [s],y [m],z\n0,1,one\n1,1,1\n", "has \"one\" for z in line 2"},
             {"t [s],y [m],z\n0,1,1\n2,1,1\n1,1,1\n",
              "', line 4: time 1 s after 2 s; times must not decrease"},
             {"t [s],y [m],z\n1,1,1\n1,1,1\n",
              "': all times are 1 s; at least two different times are needed"},
             {"t [s],y [m],z\n0,1,1\n", "': 1 times; at least 2 are needed"},
             {"t [s],y [m],z\n0,1,1\n1,1\n1,1,1\n", "': 1 lines do not have all of its 3 columns"},
             {"", "it is empty"}};

TEST(tables_that_do_not_fit_are_refused)
{
  run_local *ev = run_with(.problem = &growth_problem, .method = "explicit");
  for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
    LOCAL(gradyn_segments) s;
    assert_status(create_near(ev, wrong[i].table, zeros, &s), GRADYN_INVALID, s.message.text);
    if (strstr(s.message.text, wrong[i].says) == NULL)
      fail_msg("\"%s\" is not in \"%s\"", wrong[i].says, s.message.text);
  }
}

extern const gradyn_problem gradyn_problem_cart_pole;

/* A table with neither all joint coordinates nor all natural ones is refused. */
TEST(joint_coordinates_are_named_where_a_table_lacks_them)
{
  gradyn_problem problem = gradyn_problem_cart_pole;
  problem.coordinates = "joint";
  run_local *ev = run_with(.problem = &problem, .method = "explicit");
  LOCAL(gradyn_segments) s;
  assert_status(create_near(ev, "t [s],cart.x [m],cart.y [m]\n0,0,0\n1,1,0\n", zeros, &s),
                GRADYN_INVALID, s.message.text);
  assert_non_null(strstr(s.message.text, "has no column for pole.angle"));
  assert_non_null(strstr(s.message.text, "It also lacks natural coordinates: "));
}

/* Positions and velocities of the natural motion at rho0, at 41 times. */
static char *natural_table(const gradyn_problem *problem, const double rho0[])
{
  enum { CELL = 30, ROWS = 41, NAME = 64 };
  run_local *ev = run_with(.problem = problem, .method = "explicit");
  OWNED(gradyn_trajectory) *motion = gradyn_trajectory_create();
  assert_ok(gradyn_evaluator_simulate(ev, rho0, NULL, motion), gradyn_evaluator_message(ev));
  const size_t columns = gradyn_trajectory_read(motion).columns;
  char *table = calloc((columns + 1) * (ROWS * CELL + NAME), 1), *to = table;
  double *state = calloc(columns, sizeof *state);
  to += sprintf(to, "t");
  for (size_t j = 0; j < columns; j++)
    to += sprintf(to, ",%s", gradyn_trajectory_column(motion, j).name);
  for (int k = 0; k < ROWS; k++) {
    const double t = gradyn_evaluator_model_info(ev).t_end * k / (ROWS - 1);
    gradyn_trajectory_sample(motion, t, state);
    to += sprintf(to, "\n%.17g", t);
    for (size_t j = 0; j < columns; j++)
      to += sprintf(to, ",%.17g", state[j]);
  }
  sprintf(to, "\n");
  free(state);
  return table;
}

extern const gradyn_problem gradyn_problem_spatial_slider_crank;

/* Initial state in natural coordinates at a boundary: z after assembly; y [2 n]. */
static void assembled(const gradyn_cut *cut, gradyn_model *model, double *y)
{
  LOCAL(gradyn_initial) start = {0};
  const int n = model->mech->n;
  assert_int_equal(gradyn_initial_create(model->mech, GRADYN_CONSTRAINT, &start), GRADYN_OK);
  for (int i = 0; i < 2 * n; i++)
    model->x[gradyn_cut_datum(model, cut, (size_t)i)] = cut->z[i];
  start.t = cut->t;
  assert_ok(gradyn_initial_solve_motion(&start), model->message.text);
  memcpy(y, start.q, (size_t)n * sizeof *y);
  memcpy(y + n, start.v, (size_t)n * sizeof *y);
}

/* Number of states in natural coordinates that the joint model has, too, with the same values. */
static size_t equal_states(const gradyn_cut *s, gradyn_model *natural, const gradyn_cut *z,
                           gradyn_model *joint)
{
  const int N = gradyn_natural_count(joint), n = natural->mech->n;
  FREED double *y = calloc(2 * (size_t)N, sizeof *y);
  FREED double *own = calloc(2 * (size_t)n, sizeof *own);
  size_t found = 0;
  gradyn_natural_from(joint, z->z, y);
  assembled(s, natural, own);
  for (int a = 0; a < 2 * n; a++)
    for (int b = 0; b < 2 * N; b++) {
      char name[64], other[64];
      natural->ops->state_name(natural, a, name, sizeof name);
      joint->mech->begin.origin.name(joint->mech, b, other, sizeof other);
      if (strcmp(name, other) != 0)
        continue;
      assert_close(y[b], own[a], 1e-10, 1e-10);
      found++;
    }
  return found;
}

/* A file of natural coordinates gives the same initial motion in both coordinates. */
TEST(a_natural_table_is_the_same_motion_in_joint_coordinates)
{
  const gradyn_problem *const problem[] = {&gradyn_problem_cart_pole,
                                           &gradyn_problem_spatial_slider_crank};
  for (size_t i = 0; i < GRADYN_COUNT(problem); i++) {
    double rho0[MOST];
    gradyn_problem of[] = {*problem[i], *problem[i]};
    of[0].coordinates = "natural";
    of[1].coordinates = "joint";
    run_local *natural = run_with(.problem = &of[0], .method = "explicit");
    run_local *joint = run_with(.problem = &of[1], .method = "explicit");
    for (size_t j = 0; j < gradyn_parameter_count(natural); j++)
      rho0[j] = gradyn_parameter_at(natural, j).init;
    FREED char *table = natural_table(&of[0], rho0);
    LOCAL(gradyn_segments) s, z;
    assert_ok(create_near(natural, table, rho0, &s), s.message.text);
    assert_ok(create_near(joint, table, rho0, &z), z.message.text);
    for (size_t k = 1; k < 4; k++)
      assert_int_equal(equal_states(&s.cut[k], natural->model, &z.cut[k], joint->model),
                       s.cut[k].nz);
  }
}

static gradyn_status build_led(gradyn_model *model, const gradyn_scalar rho[])
{
  const double x[] = {1e-3, 2e-3, 1e-3};
  GRADYN_TRY(gradyn_problem_cart_pole.build(model, rho));
  gradyn_guess(model, "bob.x", x, 3);
  return GRADYN_OK;
}

/* So do guesses declared in build(). */
TEST(declared_guesses_are_the_same_motion_in_joint_coordinates)
{
  double rho0[MOST];
  gradyn_problem of[] = {gradyn_problem_cart_pole, gradyn_problem_cart_pole};
  of[0].build = of[1].build = build_led;
  of[0].coordinates = "natural";
  of[1].coordinates = "joint";
  run_local *natural = run_with(.problem = &of[0], .method = "explicit");
  run_local *joint = run_with(.problem = &of[1], .method = "explicit");
  for (size_t j = 0; j < gradyn_parameter_count(natural); j++)
    rho0[j] = 8;
  LOCAL(gradyn_segments) s, z;
  const gradyn_search search = {.segments = 4};
  assert_ok(gradyn_segments_create(natural, &search, all_used, rho0, &s), s.message.text);
  assert_ok(gradyn_segments_create(joint, &search, all_used, rho0, &z), z.message.text);
  assert_int_equal(z.begun.followed, s.begun.followed);
  for (size_t k = 1; k < 4; k++)
    assert_int_equal(equal_states(&s.cut[k], natural->model, &z.cut[k], joint->model), s.cut[k].nz);
}

static gradyn_status build_guessed_crank(gradyn_model *model, const gradyn_scalar rho[])
{
  GRADYN_TRY(gradyn_problem_spatial_slider_crank.build(model, rho));
  gradyn_guess(model, "crank.z", (double[]){0.1}, 1);
  return GRADYN_OK;
}

/* Declared guesses do not influence the choice of coordinates. */
TEST(declared_guesses_leave_the_choice_of_coordinates)
{
  gradyn_problem of = gradyn_problem_spatial_slider_crank;
  of.build = build_guessed_crank;
  of.coordinates = "auto";
  run_local *ev = run_with(.problem = &of, .method = "explicit");
  assert_string_equal(gradyn_evaluator_options(ev).coordinates, "joint");
}

/* A motion of a mechanism that is written and read again: the same states at the boundaries, with unknowns
 * in the same charts. */
TEST(a_table_of_a_mechanism_is_its_motion)
{
  enum { ROOM = 20000 };
  run_local *ev = run_with(.problem = &gradyn_problem_cart_pole, .method = "explicit");
  const size_t p = gradyn_parameter_count(ev);
  double rho0[MOST];
  assert_true(p <= MOST);
  for (size_t j = 0; j < p; j++)
    rho0[j] = gradyn_parameter_at(ev, j).init;
  OWNED(gradyn_trajectory) *motion = gradyn_trajectory_create();
  assert_ok(gradyn_evaluator_simulate(ev, rho0, NULL, motion), gradyn_evaluator_message(ev));
  const size_t columns = gradyn_trajectory_read(motion).columns;
  char *table = calloc(ROOM, 1), *to = table;
  double state[MOST];
  to += sprintf(to, "t");
  for (size_t j = 0; j < columns; j++)
    to += sprintf(to, ",%s", gradyn_trajectory_column(motion, j).name);
  for (int k = 0; k <= 40; k++) {
    const double t = gradyn_evaluator_model_info(ev).t_end * k / 40;
    gradyn_trajectory_sample(motion, t, state);
    to += sprintf(to, "\n%.17g", t);
    for (size_t j = 0; j < columns; j++)
      to += sprintf(to, ",%.17g", state[j]);
  }
  (void)sprintf(to, "\n");
  LOCAL(gradyn_segments) plain, near;
  assert_ok(gradyn_segments_create(ev, &(gradyn_search){.segments = 4}, all_used, rho0, &plain),
            plain.message.text);
  assert_ok(create_near(ev, table, rho0, &near), near.message.text);
  assert_int_equal(near.objective.parameter_count, plain.objective.parameter_count);
  assert_close_array(near.start, plain.start, plain.objective.parameter_count, 1e-9, 1e-9);
  free(table);
}
