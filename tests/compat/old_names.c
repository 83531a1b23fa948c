/* Each kind of name that scripts/migrate.py rewrites. Not compiled: gradyn_when() in a comment stays. */
/* clang-format off */
#include <gradyn/gradyn.h>
#define LOCAL(type) type

struct own {
  double again;
};

static gradyn_status build(gradyn_model *model, const gradyn_scalar rho[])
{
  gradyn_point_id p = gradyn_point(model, gradyn_name(model, "gradyn_when() %d", 1), 0, rho[0]);
  const gradyn_law law = {.value = 1};
  gradyn_hold_coordinate(model, p, GRADYN_X);
  gradyn_when(model, &(gradyn_when_spec){.name = "clock",
                                         .guard = {.terminal = NULL, .reads_multipliers = true},
                                         .armed = {.terminal = NULL}});
  gradyn_reset_spec spec = {"pulse", .set_count = 1};
  spec.armed.reads_accelerations = true;
  gradyn_bounce(model, &(gradyn_bounce_spec){.level = law, .kept = NULL, .kept_count = 0});
  gradyn_joint_slide_along(model, 2, GRADYN_Y);
  gradyn_section_round(gradyn_row(model, rho, 1)[0]);
  gradyn_maximise(model, gradyn_track_position(model, "path", p, 0, rho[1]));
  gradyn_minimise(model, gradyn_deflection(model, "sag", 1, 0));
  gradyn_require_at_most(model, gradyn_measure_at(model, "x", 2, 0.5), 1, 1e-6);
  gradyn_limit(model, &(gradyn_custom_functional_spec){"g", "m", .integrand = level}, 0, rho[1], 1e-6);
  gradyn_after_event(model, &(gradyn_custom_functional_spec){.terminal = level, .name = name[2]}, 1, 2);
  return gradyn_built(model);
}

static double use(gradyn_evaluator *ev, gradyn_search *search, const double *rho)
{
  LOCAL(gradyn_search_result) result, *second = &result;
  gradyn_extreme extreme[2];
  struct own own = {.again = 1};
  size_t count;
  search->cuts = "knots", search->recheck = true;
  gradyn_check(ev, rho, NULL, 0, &count);
  gradyn_check(ev, (rho), NULL, f(2, 3),
               &(int){gradyn_gradient(ev, 0, 0, 0)});
  gradyn_optimise(ev, search, rho, &result);
  puts(gradyn_trajectory_name(result.t, gradyn_trajectory_columns(result.t) - 1));
  gradyn_resume(ev, search, rho, NULL, &result);
  if (result.ending == GRADYN_ENDED_OPTIMAL)
    return second->recheck.moved + result.rows[0].behind + (&result)->course.count;
  return extreme[1].again + own.again + unknown(ev)->again;
}

void limited(gradyn_model *model, const gradyn_mode_id *modes)
{
  gradyn_in_mode(model, modes[0]);
  gradyn_in_modes(model, modes, 2);
}

static const gradyn_problem unsized = {.name = "unsized"},
                            sized = {GRADYN_PROBLEM_SIZES, .name = "sized"};
static const gradyn_problem also_sized = {GRADYN_PROBLEM_SIZES};
static gradyn_options zeros = {0};
