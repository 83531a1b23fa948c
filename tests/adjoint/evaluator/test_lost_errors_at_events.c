/* No failure of a user's function is ignored at events, in smooth or exact maxima over time, or in checks
 * of derivatives, extremes or samples. The computation ends with the status of the failed call. */
#include "tests/adjoint/evaluator/losing.h"
#include "tests/runs.h"
#include "tests/declare.h"

enum { HEIGHT, SPEED, LEVEL, PARAMETERS };

static const gradyn_param params[PARAMETERS] = {{"height", "m", .init = 0.0111, GRADYN_UNBOUNDED},
                                                {"speed", "m/s", .init = -1, GRADYN_UNBOUNDED},
                                                {"level", "m", .init = 0.001, GRADYN_UNBOUNDED}};

LOSING(drag, -at->vel[0] * at->vel[0], -at->data[0] * at->vel[1] * (1 + at->vel[0] * at->vel[0]))

/* Gap of the floor from which the ball bounces. */
static gradyn_status gap(const gradyn_at *at, int order, gradyn_scalar *value)
{
  const gradyn_scalar *of[] = {at->pos, at->vel, at->acc}, *r = of[order];
  *value = r[1] + 0.1 * r[0] - (order == 0 ? at->data[0] : 0);
  return losing_answer();
}

/* Constraint of the rail, on which the ball continues after the second event. */
static gradyn_status rail(const gradyn_at *at, int order, gradyn_scalar *value)
{
  const gradyn_scalar *of[] = {at->pos, at->vel, at->acc}, *r = of[order];
  *value = r[0] - 0.2 * r[1];
  return losing_answer();
}

LOSING(passes, at->pos[3] - at->data[0] - 0.003)

LOSING(rises, at->vel[3] + 0.1)

LOSING(energy, at->vel[2] * at->vel[2] + at->vel[3] * at->vel[3] + at->pos[3])

static void add_ball(gradyn_model *m, const gradyn_scalar rho[], int *ball)
{
  const gradyn_datum share = {"share", "N s/m", 0.3};
  *ball = gradyn_point(m, "ball", 0.02, rho[HEIGHT]);
  gradyn_initial_velocity(m, *ball, 0.2, rho[SPEED]);
  gradyn_point_mass(m, "mass", *ball, 1);
  gradyn_gravity(m, 0, -9.81);
  declare_force(m, "drag", ball[0], drag, &share, 1);
}

/* The ball bounces from the floor; on its way up a rail catches it. */
static gradyn_status events(gradyn_model *m, const gradyn_scalar rho[])
{
  const int flies = gradyn_mode(m, "flies"), slides = gradyn_mode(m, "slides");
  const gradyn_datum level = {"level", "m", rho[LEVEL]};
  int ball;
  add_ball(m, rho, &ball);
  const gradyn_custom_constraint_spec floor = {.name = "gap",
                                               .points = &ball,
                                               .point_count = 1,
                                               .fn = gap,
                                               .data = &level,
                                               .data_count = 1},
                                      line = {.name = "rail",
                                              .points = &ball,
                                              .point_count = 1,
                                              .fn = rail};
  gradyn_constraint_id latched = gradyn_custom_constraint(m, &line);
  gradyn_constraint_set_modes(m, latched, gradyn_modes_of(slides));
  gradyn_latch_constraint(m, latched);
  const int hits = gradyn_impact(
      m, &(gradyn_impact_spec){.name = "hits", .point = ball, .gap = &floor, .restitution = 0.8});
  gradyn_event_set_modes(m, hits, gradyn_modes_of(flies));
  const gradyn_event_spec caught = {.name = "caught",
                                    .guard = {.terminal = passes, .data = &level, .data_count = 1},
                                    .direction = GRADYN_RISING,
                                    .condition = {.terminal = rises},
                                    .mode = slides};
  const int catches = gradyn_event(m, &caught);
  gradyn_event_set_modes(m, catches, gradyn_modes_of(flies));
  const gradyn_custom_functional_spec spec = {.name = "before", .terminal = energy},
                                      behind = {.name = "behind", .terminal = energy},
                                      whole = {.name = "whole", .integrand = energy};
  declare_before_event(m, &spec, hits, 1);
  declare_after_event(m, &behind, catches, 1);
  gradyn_custom_functional(m, &whole);
  gradyn_event_time(m, "time", catches, 1);
  return gradyn_build_status(m);
}

/* Maxima of a smooth motion. */
static gradyn_status maxima(gradyn_model *m, const gradyn_scalar rho[])
{
  int ball;
  add_ball(m, rho, &ball);
  const gradyn_custom_functional_spec smooth = {.name = "smooth", .integrand = energy},
                                      sharp = {.name = "sharp", .integrand = energy},
                                      pass = {.name = "pass", .terminal = rises};
  declare_smooth_maximum(m, &smooth, 3);
  declare_maximum(m, &sharp);
  gradyn_custom_functional(m, &pass);
  return gradyn_build_status(m);
}

static const char *const ways[][2] = {{"ali3p", "adjoint"},       {"ali3p", "direct"},
                                      {"variational", "adjoint"}, {"variational", "direct"},
                                      {"explicit", "adjoint"},    {"explicit", "direct"},
                                      {"idas", "adjoint"},        {"idas", "direct"}};

static double step_of(const char *method)
{
  return method[0] == 'i' || method[0] == 'e' ? 0 : 4e-3;
}

TEST(at_events)
{
  for (size_t k = 0; k < GRADYN_COUNT(ways); k++)
    losing_nothing(events, params, PARAMETERS, ways[k], step_of(ways[k][0]), losing_gradient, 300);
}

TEST(in_maxima)
{
  for (size_t k = 0; k < GRADYN_COUNT(ways); k++)
    losing_nothing(maxima, params, PARAMETERS, ways[k], step_of(ways[k][0]), losing_gradient, 300);
}

static gradyn_status check(gradyn_evaluator *ev, const double rho[])
{
  gradyn_check_item item[40];
  size_t count;
  return gradyn_evaluator_check(ev, rho, NULL, item, GRADYN_COUNT(item), &count);
}

static gradyn_status extremes(gradyn_evaluator *ev, const double rho[])
{
  gradyn_extreme extreme[8];
  return gradyn_evaluator_extremes(ev, rho, extreme);
}

static gradyn_status linearise(gradyn_evaluator *ev, const double rho[])
{
  LOCAL(gradyn_linearisation) linear;
  return gradyn_evaluator_linearise(ev, rho, true, &linear);
}

static gradyn_status sample(gradyn_evaluator *ev, const double rho[])
{
  OWNED(gradyn_trajectory) *run = gradyn_trajectory_create();
  gradyn_trajectory_request(run, 20);
  return gradyn_evaluator_simulate(ev, rho, NULL, run);
}

TEST(in_checks)
{
  losing_nothing(events, params, PARAMETERS, ways[2], 4e-3, check, 60);
  losing_nothing(maxima, params, PARAMETERS, ways[4], 0, check, 60);
}

TEST(in_analyses)
{
  losing_nothing(maxima, params, PARAMETERS, ways[4], 0, extremes, 300);
  losing_nothing(events, params, PARAMETERS, ways[0], 4e-3, linearise, 300);
  losing_nothing(events, params, PARAMETERS, ways[4], 0, sample, 300);
}
