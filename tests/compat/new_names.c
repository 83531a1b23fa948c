/* Each kind of name that scripts/migrate.py rewrites. Not compiled: gradyn_when() in a comment stays. */
/* clang-format off */
#include <gradyn/gradyn.h>
#define LOCAL(type) type

struct own {
  double again;
};

static gradyn_status build(gradyn_model *model, const gradyn_scalar rho[])
{
  gradyn_point_id p = gradyn_point(model, gradyn_format_name(model, "gradyn_when() %d", 1), 0, rho[0]);
  const gradyn_time_function law = {.value = 1};
  gradyn_fix_initial_coordinate(model, p, GRADYN_X);
  gradyn_event(model, &(gradyn_event_spec){.name = "clock",
                                         .guard = {.terminal = NULL, .needs_multipliers = true},
                                         .condition = {.terminal = NULL}});
  gradyn_event_spec spec = {"pulse", .set_count = 1};
  spec.condition.needs_accelerations = true;
  gradyn_impact(model, &(gradyn_impact_spec){.level = law, .preserved = NULL, .preserved_count = 0});
  gradyn_joint_coordinate(model, 2, GRADYN_SLIDE_X + (GRADYN_Y));
  gradyn_section_tube(gradyn_parameter_array(model, rho, 1, NULL)[0], 0);
  gradyn_minimise(model, gradyn_functional(model, &(gradyn_functional_spec){"path", gradyn_measure_point(model, "", p, 0, GRADYN_ALL_AXES), .reduction = GRADYN_SQUARE_INTEGRAL, .target = {0, rho[1]}}), -1);
  gradyn_minimise(model, gradyn_functional(model, &(gradyn_functional_spec){"sag", gradyn_measure_deflection(model, "", 1), .reduction = GRADYN_AT_END}), 1);
  gradyn_constrain(model, gradyn_functional(model, &(gradyn_functional_spec){"x", 2, .reduction = GRADYN_AT_TIME, .time = 0.5}), -INFINITY, 1, 1e-6);
  gradyn_path_constraint(model, "g", gradyn_measure_custom(model, &(gradyn_custom_measure_spec){"g", "m", .formula = level, .hidden = true}), 0, rho[1], 1e-6, NULL);
  gradyn_functional(model, &(gradyn_functional_spec){name[2], gradyn_measure_custom(model, &(gradyn_custom_measure_spec){.formula = level, .name = name[2], .hidden = true}), .reduction = GRADYN_AFTER_EVENT, .event = 1, .occurrence = 2});
  return gradyn_build_status(model);
}

static double use(gradyn_evaluator *ev, gradyn_search *search, const double *rho)
{
  LOCAL(gradyn_search_result) result, *second = &result;
  gradyn_extreme extreme[2];
  struct own own = {.again = 1};
  size_t count;
  search->segment_times = "knots", search->verify_discretisation = true;
  gradyn_evaluator_check(ev, rho, NULL, NULL, 0, &count);
  gradyn_evaluator_check(ev, (rho), NULL, NULL, f(2, 3), &(int){gradyn_evaluator_gradient(ev, 0, 0, 0)});
  gradyn_optimise(ev, search, rho, &result);
  puts(gradyn_trajectory_column(result.t, gradyn_trajectory_read(result.t).columns - 1).name);
  gradyn_resume(ev, search, rho, NULL, &result);
  if (result.termination == GRADYN_TERMINATION_OPTIMAL)
    return second->discretisation.change + result.path_points[0].after + (&result)->iterates.count;
  return extreme[1].t_second + own.again + unknown(ev)->again;
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
