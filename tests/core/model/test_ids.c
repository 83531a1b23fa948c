/* Ids of objects count from 1, and 0 stands for none. Arrays of callbacks that they index have an entry 0,
 * which is NAN. */
#include "tests/declare.h"
#include "tests/runs.h"

#include <complex.h>
#include <string.h>

/* --- none ---------------------------------------------------------------------------------------- */

FORMULA(clock_of, at->t - 0.1)

static int missing;

/* Each declares one object with a missing id: a member of a spec, or an argument. */
static void leave_out_member(gradyn_model *m, int p, int body)
{
  const gradyn_component none = {.axis = GRADYN_X};
  if (missing == 0)
    gradyn_rod(m, &(gradyn_rod_spec){.name = "rod", .to = p});
  else if (missing == 1)
    gradyn_frame(m, &(gradyn_frame_spec){.name = "frame"});
  else if (missing == 2)
    gradyn_joint_between(
        m, &(gradyn_joint_between_spec){.name = "hinge", .body_b = body, .kind = GRADYN_REVOLUTE});
  else if (missing == 3)
    gradyn_joint(m, &(gradyn_joint_spec){.name = "hinge"});
  else if (missing == 4)
    gradyn_joint_friction(m, &(gradyn_joint_friction_spec){.name = "rub"});
  else if (missing == 5)
    gradyn_joint_spring(m, &(gradyn_joint_spring_spec){.name = "spring"});
  else if (missing == 6)
    gradyn_functional(m, &(gradyn_functional_spec){.name = "f"});
  else if (missing == 7)
    gradyn_impact(m, &(gradyn_impact_spec){.name = "wall", .restitution = 1});
  else if (missing == 8)
    gradyn_event(m, &(gradyn_event_spec){.name = "event",
                                         .guard = {.terminal = clock_of},
                                         .set = &none,
                                         .set_count = 1,
                                         .reset = {.terminal = clock_of}});
}

static void leave_out_argument(gradyn_model *m, int body)
{
  if (missing == 9)
    gradyn_weld(m, "weld", 0, 0, body);
  else if (missing == 10)
    gradyn_measure_multiplier(m, "lambda", 0);
  else if (missing == 11)
    gradyn_measure_signal(m, "u", 0);
  else if (missing == 12)
    gradyn_minimise(m, 0, 1);
  else if (missing == 13)
    gradyn_event_time(m, "time", 0, 1);
  else if (missing == 14)
    gradyn_constraint_set_modes(m, 0, 0);
  else if (missing == 15)
    gradyn_force_set_modes(m, 0, 0);
  else if (missing == 16)
    gradyn_event_set_modes(m, 0, 0);
  else if (missing == 17)
    gradyn_latch_constraint(m, 0);
  else if (missing == 18)
    gradyn_terminate_at_event(m, 0, 1);
}

static gradyn_status leaves_out(gradyn_model *m, const gradyn_scalar rho[])
{
  (void)rho;
  const int p = gradyn_point(m, "P", 0, 0), body = declare_body(m, "B", 1, 1, 0, 0);
  gradyn_point_mass(m, "mass", p, 1);
  leave_out_member(m, p, body);
  leave_out_argument(m, body);
  return gradyn_build_status(m);
}

TEST(missing_members_are_refused_by_name)
{
  static const char *const says[] = {
      "rod: no point is given",
      "frame: no body is given",
      "hinge.a: no body is given",
      "hinge: no frame is given",
      "rub: no joint is given",
      "spring: no point is given",
      "f: no measure is given",
      "wall: no point is given",
      "event: no point is given",
      "weld: no beam is given",
      "lambda: no constraint is given",
      "u: no signal is given",
      "an objective or constraint: no functional is given",
      "time: no event is given",
      "gradyn_constraint_set_modes(): no constraint is given",
      "gradyn_force_set_modes(): no force is given",
      "gradyn_event_set_modes(): no event is given",
      "gradyn_latch_constraint(): no constraint is given",
      "gradyn_terminate_at_event(): no event is given",
  };
  static const gradyn_problem problem = {GRADYN_PROBLEM_SIZES, .name = "none", .build = leaves_out,
                                         .t_end = 1};
  for (missing = 0; missing < (int)GRADYN_COUNT(says); missing++)
    assert_no_run(GRADYN_INVALID, says[missing], .problem = &problem);
}

/* The first object has the id 1. A failed declaration returns 0, and later uses of 0 add no message. */
static gradyn_status one_fault(gradyn_model *m, const gradyn_scalar rho[])
{
  (void)rho;
  const int first = gradyn_point(m, "first", 0, 0), none = gradyn_point(m, NULL, 1, 0);
  const int rod = gradyn_rod(m, &(gradyn_rod_spec){"rod", first, none, .length = 1});
  const int measure = gradyn_measure_multiplier(m, "lambda", rod);
  const int f = gradyn_functional(
      m, &(gradyn_functional_spec){"f", measure, .reduction = GRADYN_AT_END});
  gradyn_minimise(m, f, 1);
  assert_int_equal(first, 1);
  assert_true(none == 0 && rod == 0 && measure == 0 && f == 0);
  return gradyn_build_status(m);
}

TEST(one_fault_gives_one_message)
{
  static const gradyn_problem problem = {GRADYN_PROBLEM_SIZES, .name = "fault", .build = one_fault,
                                         .t_end = 1};
  gradyn_evaluator *ev;
  assert_int_equal(run_try(&ev, .problem = &problem), GRADYN_INVALID);
  assert_says(gradyn_evaluator_message(ev), "a point");
  assert_null(strstr(gradyn_evaluator_message(ev), "is given"));
  assert_null(strstr(gradyn_evaluator_message(ev), "has not been declared"));
  gradyn_evaluator_free(ev);
}

/* --- arrays -------------------------------------------------------------------------------------- */

static struct {
  int p, q, rod, u, calls;
} id;

static bool is_nan(gradyn_scalar z)
{
  return creal(z) != creal(z);
}

/* x of q, the multiplier of the rod and the signal, by their ids. */
static gradyn_status by_ids(const gradyn_at *at, gradyn_scalar *value)
{
  id.calls++;
  assert_true(at->first_point == 1 && at->first_constraint == 1);
  assert_true(at->points == 2 && at->constraints == 1 && at->signals == 1);
  assert_true(is_nan(at->pos[0]) && is_nan(at->vel[1]) && is_nan(at->acc[0]));
  assert_true(is_nan(at->lam[0]) && is_nan(at->u[0]));
  *value = at->pos[2 * id.q] + 10 * at->lam[id.rod] + 100 * at->u[id.u];
  return GRADYN_OK;
}

/* A force reads its list of points from index 0, and signals by their ids. */
static gradyn_status listed(const gradyn_at *at, gradyn_scalar force[])
{
  assert_true(at->first_point == 0 && is_nan(at->u[0]));
  force[0] = at->u[id.u] - at->vel[0];
  return GRADYN_OK;
}

static gradyn_status declares(gradyn_model *m, const gradyn_scalar rho[])
{
  const gradyn_scalar knots[] = {rho[0], 3};
  id.p = gradyn_ground_point(m, "P", 0, 0);
  id.q = gradyn_point(m, "Q", 2, 0);
  id.rod = gradyn_rod(m, &(gradyn_rod_spec){"rod", id.p, id.q, .mass = 1});
  id.u = declare_signal(m, "u", "N", GRADYN_PIECEWISE_LINEAR, 2, knots);
  gradyn_gravity(m, 0, -9.81);
  declare_force(m, "force", id.q, listed, NULL, 0);
  declare_end(m, "end", "", by_ids);
  gradyn_measure_id x = gradyn_measure_point(m, "x", id.q, 0, GRADYN_X);
  gradyn_measure_id lambda = gradyn_measure_multiplier(m, "lambda", id.rod);
  gradyn_measure_id push = gradyn_measure_signal(m, "push", id.u);
  const gradyn_measure_id of[] = {x, lambda, push};
  for (int k = 0; k < 3; k++)
    gradyn_functional(m, &(gradyn_functional_spec){gradyn_format_name(m, "%d", k), of[k],
                                                   .reduction = GRADYN_AT_END});
  return gradyn_build_status(m);
}

static const gradyn_param params[] = {{"u", "N", .init = 2, GRADYN_UNBOUNDED}};

/* The value read by ids is the sum of the measures, and so is its derivative. */
TEST(numbers_index_the_arrays)
{
  static const gradyn_problem problem = PROBLEM("ids", declares, params, .t_end = 0.1);
  const char *const methods[] = {"radau", "ali3p", "idas", "variational"};
  for (size_t k = 0; k < GRADYN_COUNT(methods); k++) {
    double psi[4], slope[4];
    id.calls = 0;
    run_local *ev = run_with(&problem, .method = methods[k]);
    assert_run(gradyn_evaluator_gradient(ev, (double[]){2}, psi, slope), ev);
    assert_true(id.calls > 0);
    assert_close(psi[0], psi[1] + 10 * psi[2] + 100 * psi[3], 1e-9, 1e-9);
    assert_close(slope[0], slope[1] + 10 * slope[2] + 100 * slope[3], 1e-7, 1e-7);
  }
}
