/* Tests of memory: a failed allocation in a filter does no harm, and each filter releases its memory. */
#include "tests/allocations.h"
#include "tests/declare.h"
#include "tests/runs.h"

static const double times[] = {0.1, 0.3, 0.42}, values[] = {0.9, 0.6, 0.45};
static const char *const noises[] = {"u"};
static const double one = 1e-4;

static int zero_force(gradyn_model *model)
{
  static const gradyn_scalar none[1];
  return declare_signal(model, "u", "N", GRADYN_PIECEWISE_CONSTANT, 1, none);
}

static const gradyn_fit_spec fit = {.times = times, .values = values, .count = 3, .sigma = 0.01};

/* A rod between a slider and a ball that bounces once; a datum moves the ball below the ground. */
static gradyn_status build_ball(gradyn_model *model, const gradyn_scalar rho[])
{
  const int u = zero_force(model), ball = gradyn_point(model, "ball", 0, 1),
            slide = gradyn_point(model, "slide", 0, 2);
  (void)rho;
  gradyn_point_mass(model, "mass", ball, 1);
  gradyn_point_mass(model, "counter", slide, 1);
  gradyn_coordinate(model, "slot", slide, GRADYN_X, &(gradyn_time_function){.value = 0});
  gradyn_distance(model, "rod", ball, slide, &(gradyn_time_function){.value = 1});
  gradyn_gravity(model, 0, -9.81);
  declare_push(model, "push", ball, 1, 0, u);
  gradyn_impact(model, &(gradyn_impact_spec){.name = "floor",
                                             .point = ball,
                                             .axis = GRADYN_Y,
                                             .level = {.value = 0.5},
                                             .restitution = 0.5});
  gradyn_fit(model, "height", gradyn_measure_point(model, "y", ball, 0, GRADYN_Y), &fit);
  return gradyn_build_status(model);
}

static const gradyn_problem ball = {GRADYN_PROBLEM_SIZES, .name = "ball", .build = build_ball,
                                    .t_end = 0.5};

FORMULAS(decay, at->yp[0] + at->y[0] - at->u[1])
FORMULA(level, at->y[0])

static gradyn_status build_decay(gradyn_model *model, const gradyn_scalar rho[])
{
  (void)rho;
  (void)zero_force(model);
  gradyn_state(model, "x", "m", 1);
  declare_equations(model, decay, NULL, 0);
  gradyn_fit(model, "level",
             gradyn_measure_custom(
                 model, &(gradyn_custom_measure_spec){.name = "m", .unit = "m", .formula = level}),
             &fit);
  return gradyn_build_status(model);
}

static const gradyn_problem equations = {GRADYN_PROBLEM_SIZES, .name = "decay",
                                         .build = build_decay, .t_end = 0.5};

typedef struct course {
  const gradyn_problem *problem;
  const char *state, *method;
} course;

static gradyn_status filter(const void *user, char *message)
{
  const course *c = user;
  gradyn_evaluator *ev;
  gradyn_status status = run_try(&ev, .problem = c->problem, .method = c->method, .rtol = 1e-6);
  const gradyn_filter_spec spec = {
      .initial = {&c->state, 1, &one}, .noise = {noises, 1, &one}, .added = {&c->state, 1, &one}};
  LOCAL(gradyn_filter) found = {0};
  if (status == GRADYN_OK)
    status = gradyn_filter_compute(ev, NULL, &spec, &found);
  (void)snprintf(message, ALLOCATIONS_MESSAGE, "%s", gradyn_evaluator_message(ev));
  gradyn_evaluator_free(ev);
  return status;
}

TEST(a_filter_survives_failed_allocations)
{
  static const course courses[] = {{&ball, "ball.y", "explicit"}, {&equations, "x", "radau"}};
  for (size_t i = 0; i < GRADYN_COUNT(courses); i++)
    allocations_check(filter, &courses[i], courses[i].problem->name);
}
