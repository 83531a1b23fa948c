/* Names of gradyn 0.2, for sources that are not rewritten yet. `gradyn migrate FILE...` rewrites them.
 *
 * Include this header after <gradyn/gradyn.h>, or compile with -include gradyn/compat.h. It has functions,
 * types and enumerators. Members of structs have their new names only. Define GRADYN_COMPAT_SILENT for no
 * warnings of deprecated names. Version 1.1 will not have this header. */
#ifndef GRADYN_COMPAT_H
#define GRADYN_COMPAT_H

#include <gradyn/gradyn.h>

#if defined(__GNUC__) && !defined(GRADYN_COMPAT_SILENT)
#define GRADYN_RENAMED(name) __attribute__((deprecated("use " #name)))
#else
#define GRADYN_RENAMED(name)
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* --- Renamed: written by scripts/compat.py from scripts/names.tsv ------------------------- */
/* clang-format off */
typedef gradyn_time_function gradyn_law GRADYN_RENAMED(gradyn_time_function);
typedef gradyn_joint_between_spec gradyn_place_spec GRADYN_RENAMED(gradyn_joint_between_spec);
typedef gradyn_first_order_state_spec gradyn_controller_state_spec
  GRADYN_RENAMED(gradyn_first_order_state_spec);
typedef gradyn_impact_spec gradyn_bounce_spec GRADYN_RENAMED(gradyn_impact_spec);
typedef gradyn_event_spec gradyn_when_spec GRADYN_RENAMED(gradyn_event_spec);
typedef gradyn_event_spec gradyn_reset_spec GRADYN_RENAMED(gradyn_event_spec);
typedef gradyn_map_term gradyn_transfer GRADYN_RENAMED(gradyn_map_term);
typedef gradyn_parameter_role gradyn_role GRADYN_RENAMED(gradyn_parameter_role);
typedef gradyn_functional_use gradyn_use GRADYN_RENAMED(gradyn_functional_use);
typedef gradyn_invariants gradyn_condition GRADYN_RENAMED(gradyn_invariants);
typedef gradyn_drawable_fn gradyn_draw_fn GRADYN_RENAMED(gradyn_drawable_fn);
typedef gradyn_dof gradyn_freedom GRADYN_RENAMED(gradyn_dof);
typedef gradyn_operating_point gradyn_steadiness GRADYN_RENAMED(gradyn_operating_point);
typedef gradyn_iteration_fn gradyn_watch_fn GRADYN_RENAMED(gradyn_iteration_fn);
typedef gradyn_termination gradyn_ending GRADYN_RENAMED(gradyn_termination);
typedef gradyn_discretisation_check gradyn_recheck GRADYN_RENAMED(gradyn_discretisation_check);
typedef gradyn_path_point gradyn_limit_row GRADYN_RENAMED(gradyn_path_point);
typedef gradyn_iterates gradyn_course GRADYN_RENAMED(gradyn_iterates);
typedef gradyn_defect_history gradyn_closing GRADYN_RENAMED(gradyn_defect_history);

#define GRADYN_MOST_MODES GRADYN_MAX_MODES
#define GRADYN_LIMIT GRADYN_PATH_CONSTRAINT
#define GRADYN_RESTING GRADYN_EQUILIBRIUM
#define GRADYN_STEADY GRADYN_STEADY_MOTION
#define GRADYN_PASSING GRADYN_TRANSIENT
#define GRADYN_ENDED_OPTIMAL GRADYN_TERMINATION_OPTIMAL
#define GRADYN_ENDED_CHANGE GRADYN_TERMINATION_CHANGE
#define GRADYN_ENDED_ROUNDOFF GRADYN_TERMINATION_ROUNDOFF
#define GRADYN_ENDED_EVALUATIONS GRADYN_TERMINATION_EVALUATIONS
#define GRADYN_ENDED_TIME GRADYN_TERMINATION_TIME
#define GRADYN_ENDED_STOPPED GRADYN_TERMINATION_STOPPED
#define GRADYN_ENDED_INFEASIBLE GRADYN_TERMINATION_INFEASIBLE
#define GRADYN_ENDED_FAILED GRADYN_TERMINATION_FAILED
#define GRADYN_ENDED_UNBOUNDED GRADYN_TERMINATION_UNBOUNDED

#define gradyn_name gradyn_format_name
GRADYN_RENAMED(gradyn_build_status) static inline gradyn_status gradyn_built(gradyn_model *model) {
  return gradyn_build_status(model); }
GRADYN_RENAMED(gradyn_algebraic_state) static inline gradyn_state_id gradyn_algebraic(gradyn_model
  *model, const char *name, const char *unit, double guess) { return gradyn_algebraic_state(model, name,
  unit, guess); }
GRADYN_RENAMED(gradyn_fix_initial_coordinate) static inline void gradyn_hold_coordinate(gradyn_model
  *model, gradyn_point_id point, gradyn_axis axis) { gradyn_fix_initial_coordinate(model, point, axis);
  }
GRADYN_RENAMED(gradyn_fix_initial_distance) static inline void gradyn_hold_distance(gradyn_model *model,
  const char *name, gradyn_point_id from, gradyn_point_id to, gradyn_scalar value, gradyn_scalar rate) {
  gradyn_fix_initial_distance(model, name, from, to, value, rate); }
GRADYN_RENAMED(gradyn_fix_initial_angle) static inline void gradyn_hold_angle(gradyn_model *model, const
  char *name, gradyn_point_id from, gradyn_point_id to, gradyn_scalar value, gradyn_scalar rate) {
  gradyn_fix_initial_angle(model, name, from, to, value, rate); }
GRADYN_RENAMED(gradyn_fix_initial_joint) static inline void gradyn_hold_joint(gradyn_model *model, const
  char *name, gradyn_coordinate_id coordinate, gradyn_scalar value, gradyn_scalar rate) {
  gradyn_fix_initial_joint(model, name, coordinate, value, rate); }
GRADYN_RENAMED(gradyn_rod_frame) static inline gradyn_frame_id gradyn_bar_frame(gradyn_model *model,
  const char *name, gradyn_point_id from, gradyn_point_id to) { return gradyn_rod_frame(model, name,
  from, to); }
GRADYN_RENAMED(gradyn_joint_between) static inline gradyn_joint_id gradyn_joint_at(gradyn_model *model,
  const gradyn_joint_between_spec *spec) { return gradyn_joint_between(model, spec); }
GRADYN_RENAMED(gradyn_custom_nonholonomic) static inline gradyn_constraint_id
  gradyn_custom_rolling(gradyn_model *model, const gradyn_custom_constraint_spec *spec) { return
  gradyn_custom_nonholonomic(model, spec); }
GRADYN_RENAMED(gradyn_first_order_state) static inline gradyn_state_id
  gradyn_controller_state(gradyn_model *model, const gradyn_first_order_state_spec *spec) { return
  gradyn_first_order_state(model, spec); }
GRADYN_RENAMED(gradyn_latch_constraint) static inline void gradyn_capture_constraint(gradyn_model
  *model, gradyn_constraint_id constraint) { gradyn_latch_constraint(model, constraint); }
GRADYN_RENAMED(gradyn_impact) static inline gradyn_event_id gradyn_bounce(gradyn_model *model, const
  gradyn_impact_spec *spec) { return gradyn_impact(model, spec); }
GRADYN_RENAMED(gradyn_event) static inline gradyn_event_id gradyn_when(gradyn_model *model, const
  gradyn_event_spec *spec) { return gradyn_event(model, spec); }
GRADYN_RENAMED(gradyn_event) static inline gradyn_event_id gradyn_reset(gradyn_model *model, const
  gradyn_event_spec *spec) { return gradyn_event(model, spec); }
GRADYN_RENAMED(gradyn_terminate_at_event) static inline void gradyn_end_at_event(gradyn_model *model,
  gradyn_event_id event, int which) { gradyn_terminate_at_event(model, event, which); }
GRADYN_RENAMED(gradyn_evaluator_simulate) static inline gradyn_status gradyn_simulate(gradyn_evaluator
  *evaluator, const double rho[], double psi[], gradyn_trajectory *trajectory) { return
  gradyn_evaluator_simulate(evaluator, rho, psi, trajectory); }
GRADYN_RENAMED(gradyn_evaluator_gradient) static inline gradyn_status gradyn_gradient(gradyn_evaluator
  *evaluator, const double rho[], double psi[], double gradient[]) { return
  gradyn_evaluator_gradient(evaluator, rho, psi, gradient); }
GRADYN_RENAMED(gradyn_evaluator_gradient_selected) static inline gradyn_status
  gradyn_search_gradient(gradyn_evaluator *evaluator, const bool wanted[], const double rho[], double
  psi[], double gradient[]) { return gradyn_evaluator_gradient_selected(evaluator, wanted, rho, psi,
  gradient); }
GRADYN_RENAMED(gradyn_evaluator_hessian_product) static inline gradyn_status
  gradyn_hessian_product(gradyn_evaluator *evaluator, const double weight[], const double rho[], size_t
  count, const double direction[], double product[]) { return
  gradyn_evaluator_hessian_product(evaluator, weight, rho, count, direction, product); }
GRADYN_RENAMED(gradyn_evaluator_data_gradient) static inline gradyn_status
  gradyn_data_gradient(gradyn_evaluator *evaluator, const double rho[], double psi[], double gradient[])
  { return gradyn_evaluator_data_gradient(evaluator, rho, psi, gradient); }
GRADYN_RENAMED(gradyn_evaluator_singular_data) static inline gradyn_status
  gradyn_singular_data(gradyn_evaluator *evaluator, const double rho[], bool data[], bool parameters[])
  { return gradyn_evaluator_singular_data(evaluator, rho, data, parameters); }
GRADYN_RENAMED(gradyn_evaluator_clone) static inline gradyn_status gradyn_evaluator_alike(const
  gradyn_evaluator *other, const gradyn_options *options, gradyn_evaluator **out) { return
  gradyn_evaluator_clone(other, options, out); }
GRADYN_RENAMED(gradyn_evaluator_check) static inline gradyn_status gradyn_check_within(gradyn_evaluator
  *evaluator, const double rho[], const gradyn_check_limits *limits, gradyn_check_item items[], size_t
  capacity, size_t *count) { return gradyn_evaluator_check(evaluator, rho, limits, items, capacity,
  count); }
GRADYN_RENAMED(gradyn_evaluator_extremes) static inline gradyn_status gradyn_extremes(gradyn_evaluator
  *evaluator, const double rho[], gradyn_extreme extreme[]) { return
  gradyn_evaluator_extremes(evaluator, rho, extreme); }
GRADYN_RENAMED(gradyn_evaluator_model_info) static inline gradyn_model_info gradyn_model_describe(const
  gradyn_evaluator *evaluator) { return gradyn_evaluator_model_info(evaluator); }
GRADYN_RENAMED(gradyn_elements_visit) static inline void gradyn_list_elements(const gradyn_evaluator
  *evaluator, gradyn_element_fn visit, void *user) { gradyn_elements_visit(evaluator, visit, user); }
GRADYN_RENAMED(gradyn_drawables_visit) static inline void gradyn_draw(const gradyn_evaluator *evaluator,
  gradyn_drawable_fn visit, void *user) { gradyn_drawables_visit(evaluator, visit, user); }
GRADYN_RENAMED(gradyn_invariants_compute) static inline gradyn_status gradyn_examine(gradyn_evaluator
  *evaluator, const gradyn_trajectory *trajectory, gradyn_invariants condition[]) { return
  gradyn_invariants_compute(evaluator, trajectory, condition); }
GRADYN_RENAMED(gradyn_covariance_compute) static inline gradyn_status
  gradyn_covariance_find(gradyn_evaluator *evaluator, const double rho[], const gradyn_covariance_spec
  *spec, double psi[], gradyn_trajectory *trajectory, gradyn_covariance *out) { return
  gradyn_covariance_compute(evaluator, rho, spec, psi, trajectory, out); }
GRADYN_RENAMED(gradyn_saltations_compute) static inline gradyn_status
  gradyn_saltation_matrices(gradyn_evaluator *evaluator, const double rho[], const char *const wanted[],
  size_t wanted_count, gradyn_saltations *out) { return gradyn_saltations_compute(evaluator, rho,
  wanted, wanted_count, out); }
GRADYN_RENAMED(gradyn_transition_compute) static inline gradyn_status
  gradyn_transition_find(gradyn_evaluator *evaluator, const double rho[], const char *const wanted[],
  size_t wanted_count, gradyn_transition *out) { return gradyn_transition_compute(evaluator, rho,
  wanted, wanted_count, out); }
GRADYN_RENAMED(gradyn_orbit_compute) static inline gradyn_status gradyn_orbit_find(gradyn_evaluator
  *evaluator, const double rho[], const gradyn_orbit_spec *spec, gradyn_orbit *out) { return
  gradyn_orbit_compute(evaluator, rho, spec, out); }
GRADYN_RENAMED(gradyn_regulator_compute) static inline gradyn_status
  gradyn_regulator_find(gradyn_evaluator *evaluator, const double rho[], const gradyn_regulator_spec
  *spec, gradyn_regulator *out) { return gradyn_regulator_compute(evaluator, rho, spec, out); }
GRADYN_RENAMED(gradyn_costates_compute) static inline gradyn_status
  gradyn_costates_find(gradyn_evaluator *evaluator, const double weight[], const double rho[],
  gradyn_costates *out) { return gradyn_costates_compute(evaluator, weight, rho, out); }
GRADYN_RENAMED(gradyn_sensitivities_compute) static inline gradyn_status
  gradyn_sensitivities(gradyn_evaluator *evaluator, const double rho[], const double t[], size_t times,
  double y[], double dy[]) { return gradyn_sensitivities_compute(evaluator, rho, t, times, y, dy); }
GRADYN_RENAMED(gradyn_dof_compute) static inline gradyn_status gradyn_count_freedom(gradyn_evaluator
  *evaluator, const double rho[], gradyn_dof *out, int dependent[]) { return
  gradyn_dof_compute(evaluator, rho, out, dependent); }
GRADYN_RENAMED(gradyn_equilibrium_compute) static inline gradyn_status
  gradyn_equilibrium(gradyn_evaluator *evaluator, const double rho[], gradyn_stability *stability,
  gradyn_trajectory *trajectory, gradyn_linearisation *linear) { return
  gradyn_equilibrium_compute(evaluator, rho, stability, trajectory, linear); }
GRADYN_RENAMED(gradyn_evaluator_linearise) static inline gradyn_status gradyn_linearise(gradyn_evaluator
  *evaluator, const double rho[], bool at_end, gradyn_linearisation *out) { return
  gradyn_evaluator_linearise(evaluator, rho, at_end, out); }
GRADYN_RENAMED(gradyn_search_defect_history) static inline gradyn_status
  gradyn_search_closing(gradyn_evaluator *evaluator, const gradyn_search *search, const
  gradyn_search_result *result, gradyn_defect_history *out) { return
  gradyn_search_defect_history(evaluator, search, result, out); }
GRADYN_RENAMED(gradyn_defect_history_clear) static inline void
  gradyn_closing_clear(gradyn_defect_history *closing) { gradyn_defect_history_clear(closing); }
GRADYN_RENAMED(gradyn_algorithm_names) static inline const char *const *gradyn_algorithms(void) { return
  gradyn_algorithm_names(); }
GRADYN_RENAMED(gradyn_algorithm_unavailable_reason) static inline const char
  *gradyn_algorithm_lacks(const char *name) { return gradyn_algorithm_unavailable_reason(name); }
GRADYN_RENAMED(gradyn_termination_name) static inline const char *gradyn_ending_name(gradyn_termination
  ending) { return gradyn_termination_name(ending); }
GRADYN_RENAMED(gradyn_study_read_settings) static inline gradyn_status gradyn_study_recall(const char
  *folder, gradyn_options *options, gradyn_search *search, char message[], size_t size) { return
  gradyn_study_read_settings(folder, options, search, message, size); }
GRADYN_RENAMED(gradyn_study_folder_write_simulation) static inline gradyn_status
  gradyn_study_folder_simulation(gradyn_study_folder *folder, gradyn_evaluator *evaluator, const double
  rho[], const double psi[], const gradyn_trajectory *trajectory) { return
  gradyn_study_folder_write_simulation(folder, evaluator, rho, psi, trajectory); }
GRADYN_RENAMED(gradyn_study_folder_write_motion) static inline gradyn_status
  gradyn_study_folder_motion(gradyn_study_folder *folder, gradyn_evaluator *evaluator, const
  gradyn_search *search, const double rho[], const gradyn_trajectory *trajectory, gradyn_study_motion
  which) { return gradyn_study_folder_write_motion(folder, evaluator, search, rho, trajectory, which); }
GRADYN_RENAMED(gradyn_study_folder_write_iteration) static inline gradyn_status
  gradyn_study_folder_iteration(gradyn_study_folder *folder, const gradyn_evaluator *evaluator, const
  gradyn_iteration *iteration) { return gradyn_study_folder_write_iteration(folder, evaluator,
  iteration); }
GRADYN_RENAMED(gradyn_design_functional) static inline gradyn_functional_id gradyn_number(gradyn_model
  *model, const char *name, const char *unit, gradyn_scalar value) { return
  gradyn_design_functional(model, name, unit, value); }
GRADYN_RENAMED(gradyn_end_time_functional) static inline gradyn_functional_id
  gradyn_final_time(gradyn_model *model, const char *name) { return gradyn_end_time_functional(model,
  name); }
GRADYN_RENAMED(gradyn_evaluator_check) static inline gradyn_status gradyn_check(gradyn_evaluator
  *evaluator, const double rho[], gradyn_check_item items[], size_t capacity, size_t *count) { return
  gradyn_evaluator_check(evaluator, rho, NULL, items, capacity, count); }
GRADYN_RENAMED(gradyn_parameter_array) static inline const gradyn_scalar *gradyn_row(gradyn_model
  *model, const gradyn_scalar rho[], int entry) { return gradyn_parameter_array(model, rho, entry,
  NULL); }
GRADYN_RENAMED(gradyn_joint_coordinate) static inline gradyn_coordinate_id
  gradyn_joint_angle(gradyn_model *model, gradyn_joint_id joint) { return gradyn_joint_coordinate(model,
  joint, GRADYN_ANGLE); }
GRADYN_RENAMED(gradyn_joint_coordinate) static inline gradyn_coordinate_id
  gradyn_joint_slide(gradyn_model *model, gradyn_joint_id joint) { return gradyn_joint_coordinate(model,
  joint, GRADYN_SLIDE); }
GRADYN_RENAMED(gradyn_frame_coordinate) static inline gradyn_coordinate_id
  gradyn_frame_angle(gradyn_model *model, const char *name, gradyn_frame_id a, gradyn_frame_id b) {
  return gradyn_frame_coordinate(model, name, a, b, GRADYN_ANGLE); }
GRADYN_RENAMED(gradyn_frame_coordinate) static inline gradyn_coordinate_id
  gradyn_frame_slide(gradyn_model *model, const char *name, gradyn_frame_id a, gradyn_frame_id b) {
  return gradyn_frame_coordinate(model, name, a, b, GRADYN_SLIDE); }
GRADYN_RENAMED(gradyn_section_tube) static inline gradyn_section gradyn_section_round(gradyn_scalar
  outer) { return gradyn_section_tube(outer, 0); }
GRADYN_RENAMED(gradyn_section_rectangle) static inline gradyn_section
  gradyn_section_square(gradyn_scalar width) { return gradyn_section_rectangle(width, width); }
GRADYN_RENAMED(gradyn_weld) static inline void gradyn_clamp(gradyn_model *model, const char *name,
  gradyn_beam_id beam, int node) { gradyn_weld(model, name, beam, node, GRADYN_GROUND); }
GRADYN_RENAMED(gradyn_evaluator_preview) static inline gradyn_status gradyn_influence(gradyn_evaluator
  *evaluator, const double rho[], bool influences[]) { return gradyn_evaluator_preview(evaluator, rho,
  NULL, influences, NULL); }
GRADYN_RENAMED(gradyn_evaluator_preview) static inline gradyn_status
  gradyn_signal_ranges(gradyn_evaluator *evaluator, const double rho[], gradyn_signal_range range[]) {
  return gradyn_evaluator_preview(evaluator, rho, NULL, NULL, range); }
GRADYN_RENAMED(gradyn_evaluator_preview) static inline gradyn_status gradyn_end_time_at(gradyn_evaluator
  *evaluator, const double rho[], double *t_end) { return gradyn_evaluator_preview(evaluator, rho,
  t_end, NULL, NULL); }
GRADYN_RENAMED(gradyn_functional) static inline gradyn_functional_id gradyn_track_measure(gradyn_model
  *model, const char *name, gradyn_measure_id measure, gradyn_scalar target) { static
  gradyn_functional_spec none; gradyn_functional_spec spec = none; spec.name = name; spec.measure =
  measure; spec.reduction = GRADYN_SQUARE_INTEGRAL; spec.target[0] = target; return
  gradyn_functional(model, &spec); }
GRADYN_RENAMED(gradyn_functional) static inline gradyn_functional_id
  gradyn_integral_of_measure(gradyn_model *model, const char *name, gradyn_measure_id measure) { static
  gradyn_functional_spec none; gradyn_functional_spec spec = none; spec.name = name; spec.measure =
  measure; spec.reduction = GRADYN_INTEGRAL; return gradyn_functional(model, &spec); }
GRADYN_RENAMED(gradyn_functional) static inline gradyn_functional_id
  gradyn_mean_square_of_measure(gradyn_model *model, const char *name, gradyn_measure_id measure) {
  static gradyn_functional_spec none; gradyn_functional_spec spec = none; spec.name = name; spec.measure
  = measure; spec.reduction = GRADYN_MEAN_SQUARE; return gradyn_functional(model, &spec); }
GRADYN_RENAMED(gradyn_functional) static inline gradyn_functional_id gradyn_measure_at(gradyn_model
  *model, const char *name, gradyn_measure_id measure, double instant) { static gradyn_functional_spec
  none; gradyn_functional_spec spec = none; spec.name = name; spec.measure = measure; spec.reduction =
  instant != 0 ? GRADYN_AT_TIME : GRADYN_AT_END; spec.time = instant; return gradyn_functional(model,
  &spec); }
GRADYN_RENAMED(gradyn_functional) static inline gradyn_functional_id gradyn_largest_measure(gradyn_model
  *model, const char *name, gradyn_measure_id measure, gradyn_scalar allowed, double sharpness) { static
  gradyn_functional_spec none; gradyn_functional_spec spec = none; spec.name = name; spec.measure =
  measure; spec.reduction = GRADYN_SMOOTH_MAXIMUM; spec.scale = allowed != 0 ? allowed : NAN;
  spec.sharpness = sharpness != 0 ? sharpness : NAN; return gradyn_functional(model, &spec); }
GRADYN_RENAMED(gradyn_functional) static inline gradyn_functional_id gradyn_peak_measure(gradyn_model
  *model, const char *name, gradyn_measure_id measure, gradyn_scalar allowed, double sharpness) { static
  gradyn_functional_spec none; gradyn_functional_spec spec = none; spec.name = name; spec.measure =
  measure; spec.reduction = GRADYN_SMOOTH_MAXIMUM; spec.magnitude = true; spec.scale = allowed != 0 ?
  allowed : NAN; spec.sharpness = sharpness != 0 ? sharpness : NAN; return gradyn_functional(model,
  &spec); }
GRADYN_RENAMED(gradyn_functional) static inline gradyn_functional_id
  gradyn_maximum_of_measure(gradyn_model *model, const char *name, gradyn_measure_id measure,
  gradyn_scalar allowed) { static gradyn_functional_spec none; gradyn_functional_spec spec = none;
  spec.name = name; spec.measure = measure; spec.reduction = GRADYN_MAXIMUM; spec.scale = allowed != 0 ?
  allowed : NAN; return gradyn_functional(model, &spec); }
GRADYN_RENAMED(gradyn_functional) static inline gradyn_functional_id
  gradyn_maximum_of_magnitude(gradyn_model *model, const char *name, gradyn_measure_id measure,
  gradyn_scalar allowed) { static gradyn_functional_spec none; gradyn_functional_spec spec = none;
  spec.name = name; spec.measure = measure; spec.reduction = GRADYN_MAXIMUM; spec.magnitude = true;
  spec.scale = allowed != 0 ? allowed : NAN; return gradyn_functional(model, &spec); }
GRADYN_RENAMED(gradyn_functional) static inline gradyn_functional_id gradyn_track_position(gradyn_model
  *model, const char *name, gradyn_point_id point, gradyn_scalar x, gradyn_scalar y) { static
  gradyn_functional_spec none; gradyn_functional_spec spec = none; spec.name = name; spec.measure =
  gradyn_measure_point(model, "", point, 0, GRADYN_ALL_AXES); spec.reduction = GRADYN_SQUARE_INTEGRAL;
  spec.target[0] = x; spec.target[1] = y; return gradyn_functional(model, &spec); }
GRADYN_RENAMED(gradyn_functional) static inline gradyn_functional_id
  gradyn_track_position_3d(gradyn_model *model, const char *name, gradyn_point_id point, gradyn_scalar
  x, gradyn_scalar y, gradyn_scalar z) { static gradyn_functional_spec none; gradyn_functional_spec spec
  = none; spec.name = name; spec.measure = gradyn_measure_point(model, "", point, 0, GRADYN_ALL_AXES);
  spec.reduction = GRADYN_SQUARE_INTEGRAL; spec.target[0] = x; spec.target[1] = y; spec.target[2] = z;
  return gradyn_functional(model, &spec); }
GRADYN_RENAMED(gradyn_functional) static inline gradyn_functional_id gradyn_track_velocity(gradyn_model
  *model, const char *name, gradyn_point_id point, gradyn_scalar x, gradyn_scalar y) { static
  gradyn_functional_spec none; gradyn_functional_spec spec = none; spec.name = name; spec.measure =
  gradyn_measure_point(model, "", point, 1, GRADYN_ALL_AXES); spec.reduction = GRADYN_SQUARE_INTEGRAL;
  spec.target[0] = x; spec.target[1] = y; return gradyn_functional(model, &spec); }
GRADYN_RENAMED(gradyn_functional) static inline gradyn_functional_id
  gradyn_track_velocity_3d(gradyn_model *model, const char *name, gradyn_point_id point, gradyn_scalar
  x, gradyn_scalar y, gradyn_scalar z) { static gradyn_functional_spec none; gradyn_functional_spec spec
  = none; spec.name = name; spec.measure = gradyn_measure_point(model, "", point, 1, GRADYN_ALL_AXES);
  spec.reduction = GRADYN_SQUARE_INTEGRAL; spec.target[0] = x; spec.target[1] = y; spec.target[2] = z;
  return gradyn_functional(model, &spec); }
GRADYN_RENAMED(gradyn_functional) static inline gradyn_functional_id
  gradyn_track_acceleration(gradyn_model *model, const char *name, gradyn_point_id point, gradyn_scalar
  x, gradyn_scalar y) { static gradyn_functional_spec none; gradyn_functional_spec spec = none;
  spec.name = name; spec.measure = gradyn_measure_point(model, "", point, 2, GRADYN_ALL_AXES);
  spec.reduction = GRADYN_SQUARE_INTEGRAL; spec.target[0] = x; spec.target[1] = y; return
  gradyn_functional(model, &spec); }
GRADYN_RENAMED(gradyn_functional) static inline gradyn_functional_id
  gradyn_track_acceleration_3d(gradyn_model *model, const char *name, gradyn_point_id point,
  gradyn_scalar x, gradyn_scalar y, gradyn_scalar z) { static gradyn_functional_spec none;
  gradyn_functional_spec spec = none; spec.name = name; spec.measure = gradyn_measure_point(model, "",
  point, 2, GRADYN_ALL_AXES); spec.reduction = GRADYN_SQUARE_INTEGRAL; spec.target[0] = x;
  spec.target[1] = y; spec.target[2] = z; return gradyn_functional(model, &spec); }
GRADYN_RENAMED(gradyn_functional) static inline gradyn_functional_id gradyn_end_position(gradyn_model
  *model, const char *name, gradyn_point_id point, gradyn_axis axis) { static gradyn_functional_spec
  none; gradyn_functional_spec spec = none; spec.name = name; spec.measure = gradyn_measure_point(model,
  "", point, 0, axis); spec.reduction = GRADYN_AT_END; return gradyn_functional(model, &spec); }
GRADYN_RENAMED(gradyn_functional) static inline gradyn_functional_id gradyn_end_velocity(gradyn_model
  *model, const char *name, gradyn_point_id point, gradyn_axis axis) { static gradyn_functional_spec
  none; gradyn_functional_spec spec = none; spec.name = name; spec.measure = gradyn_measure_point(model,
  "", point, 1, axis); spec.reduction = GRADYN_AT_END; return gradyn_functional(model, &spec); }
GRADYN_RENAMED(gradyn_functional) static inline gradyn_functional_id gradyn_rotation(gradyn_model
  *model, const char *name, gradyn_point_id from, gradyn_point_id to) { static gradyn_functional_spec
  none; gradyn_functional_spec spec = none; spec.name = name; spec.measure =
  gradyn_measure_line_angle(model, "", from, to, 1); spec.reduction = GRADYN_INTEGRAL; return
  gradyn_functional(model, &spec); }
GRADYN_RENAMED(gradyn_functional) static inline gradyn_functional_id
  gradyn_end_angular_velocity(gradyn_model *model, const char *name, gradyn_point_id from,
  gradyn_point_id to) { static gradyn_functional_spec none; gradyn_functional_spec spec = none;
  spec.name = name; spec.measure = gradyn_measure_line_angle(model, "", from, to, 1); spec.reduction =
  GRADYN_AT_END; return gradyn_functional(model, &spec); }
GRADYN_RENAMED(gradyn_functional) static inline gradyn_functional_id gradyn_reaction(gradyn_model
  *model, const char *name, gradyn_constraint_id constraint) { static gradyn_functional_spec none;
  gradyn_functional_spec spec = none; spec.name = name; spec.measure = gradyn_measure_multiplier(model,
  "", constraint); spec.reduction = GRADYN_SQUARE_INTEGRAL; return gradyn_functional(model, &spec); }
GRADYN_RENAMED(gradyn_functional) static inline gradyn_functional_id gradyn_effort(gradyn_model *model,
  const char *name, gradyn_signal_id signal) { static gradyn_functional_spec none;
  gradyn_functional_spec spec = none; spec.name = name; spec.measure = gradyn_measure_signal(model, "",
  signal); spec.reduction = GRADYN_SQUARE_INTEGRAL; return gradyn_functional(model, &spec); }
GRADYN_RENAMED(gradyn_functional) static inline gradyn_functional_id gradyn_deflection(gradyn_model
  *model, const char *name, gradyn_beam_id beam, double instant) { static gradyn_functional_spec none;
  gradyn_functional_spec spec = none; spec.name = name; spec.measure = gradyn_measure_deflection(model,
  "", beam); spec.reduction = instant != 0 ? GRADYN_AT_TIME : GRADYN_AT_END; spec.time = instant; return
  gradyn_functional(model, &spec); }
GRADYN_RENAMED(gradyn_functional) static inline gradyn_functional_id gradyn_stress(gradyn_model *model,
  const char *name, gradyn_beam_id beam, int node, gradyn_fibre side, double instant) { static
  gradyn_functional_spec none; gradyn_functional_spec spec = none; spec.name = name; spec.measure =
  gradyn_measure_stress(model, "", beam, node, side); spec.reduction = instant != 0 ? GRADYN_AT_TIME :
  GRADYN_AT_END; spec.time = instant; return gradyn_functional(model, &spec); }
GRADYN_RENAMED(gradyn_functional) static inline gradyn_functional_id gradyn_largest_stress(gradyn_model
  *model, const char *name, gradyn_beam_id beam, gradyn_scalar allowed, double sharpness) { static
  gradyn_functional_spec none; gradyn_functional_spec spec = none; spec.name = name; spec.measure =
  gradyn_measure_stress(model, "", beam, GRADYN_ALL_NODES, GRADYN_EITHER_FIBRE); spec.reduction =
  GRADYN_SMOOTH_MAXIMUM; spec.scale = allowed != 0 ? allowed : NAN; spec.sharpness = sharpness != 0 ?
  sharpness : NAN; return gradyn_functional(model, &spec); }
GRADYN_RENAMED(gradyn_functional) static inline gradyn_functional_id gradyn_beam_length(gradyn_model
  *model, const char *name, gradyn_beam_id beam) { static gradyn_functional_spec none;
  gradyn_functional_spec spec = none; spec.name = name; spec.measure = gradyn_measure_beam_length(model,
  "", beam); spec.reduction = GRADYN_AT_END; return gradyn_functional(model, &spec); }
GRADYN_RENAMED(gradyn_functional) static inline gradyn_functional_id gradyn_mass(gradyn_model *model,
  const char *name) { static gradyn_functional_spec none; gradyn_functional_spec spec = none; spec.name
  = name; spec.measure = gradyn_measure_mass(model, ""); spec.reduction = GRADYN_AT_END; return
  gradyn_functional(model, &spec); }
GRADYN_RENAMED(gradyn_functional) static inline gradyn_functional_id gradyn_end_energy(gradyn_model
  *model, const char *name) { static gradyn_functional_spec none; gradyn_functional_spec spec = none;
  spec.name = name; spec.measure = gradyn_measure_energy(model, ""); spec.reduction = GRADYN_AT_END;
  return gradyn_functional(model, &spec); }
GRADYN_RENAMED(gradyn_path_constraint) static inline gradyn_functional_id
  gradyn_limit_measure(gradyn_model *model, const char *name, gradyn_measure_id measure, gradyn_scalar
  lower, gradyn_scalar upper, double tolerance) { return gradyn_path_constraint(model, name, measure,
  lower, upper, tolerance, NULL); }
GRADYN_RENAMED(gradyn_path_constraint) static inline gradyn_functional_id
  gradyn_limit_signal(gradyn_model *model, const char *name, gradyn_signal_id signal, gradyn_scalar
  lower, gradyn_scalar upper, double tolerance) { return gradyn_path_constraint(model, name,
  gradyn_measure_signal(model, "", signal), lower, upper, tolerance, NULL); }
GRADYN_RENAMED(gradyn_minimise) static inline void gradyn_minimise_weighted(gradyn_model *model,
  gradyn_functional_id functional, double weight) { gradyn_minimise(model, functional, weight); }
GRADYN_RENAMED(gradyn_minimise) static inline void gradyn_maximise(gradyn_model *model,
  gradyn_functional_id functional) { gradyn_minimise(model, functional, -1); }
GRADYN_RENAMED(gradyn_minimise) static inline void gradyn_maximise_weighted(gradyn_model *model,
  gradyn_functional_id functional, double weight) { gradyn_minimise(model, functional, -weight); }
GRADYN_RENAMED(gradyn_constrain) static inline void gradyn_require_equal(gradyn_model *model,
  gradyn_functional_id functional, double value, double tolerance) { gradyn_constrain(model, functional,
  value, value, tolerance); }
GRADYN_RENAMED(gradyn_constrain) static inline void gradyn_require_at_most(gradyn_model *model,
  gradyn_functional_id functional, double value, double tolerance) { gradyn_constrain(model, functional,
  -INFINITY, value, tolerance); }
GRADYN_RENAMED(gradyn_constrain) static inline void gradyn_require_at_least(gradyn_model *model,
  gradyn_functional_id functional, double value, double tolerance) { gradyn_constrain(model, functional,
  value, INFINITY, tolerance); }
/* clang-format on */
/* --- End of the renamed names --- */

/* --- Calls that one new call does not replace ---------------------------------------------------- */

/* Returns the length of an array of parameters, as gradyn_parameter_array() does by its last argument. */
GRADYN_RENAMED(gradyn_parameter_array)
static inline int gradyn_row_count(gradyn_model *model, int place)
{
  int count;
  (void)gradyn_parameter_array(model, (const gradyn_scalar *)0, place, &count);
  return count;
}

/* A piecewise constant signal with levels [count] that changes at times [count - 1], s. */
typedef struct gradyn_switched_signal_spec {
  const char *name, *unit;
  int count;
  const gradyn_scalar *levels, *times;
} gradyn_switched_signal_spec GRADYN_RENAMED(gradyn_signal_spec);

/* Declares such a signal. */
GRADYN_RENAMED(gradyn_signal)
static inline gradyn_signal_id gradyn_switched_signal(
    gradyn_model *model, const struct gradyn_switched_signal_spec *spec)
{
  static gradyn_signal_spec none; /* {0} is a warning of C++ */
  gradyn_signal_spec same = none;
  if (!spec)
    return gradyn_signal(model, (const gradyn_signal_spec *)0);
  same.name = spec->name;
  same.unit = spec->unit;
  same.kind = GRADYN_SWITCHED;
  same.count = spec->count;
  same.knots = spec->levels;
  same.times = spec->times;
  return gradyn_signal(model, &same);
}

/* Returns a slide of a planar or point-on-plane joint. */
GRADYN_RENAMED(gradyn_joint_coordinate)
static inline gradyn_coordinate_id gradyn_joint_slide_along(gradyn_model *model,
                                                            gradyn_joint_id joint, gradyn_axis axis)
{
  return gradyn_joint_coordinate(model, joint,
                                 (gradyn_coordinate_kind)((int)GRADYN_SLIDE_X + (int)axis));
}

GRADYN_RENAMED(gradyn_trajectory_read)
static inline size_t gradyn_trajectory_steps(const gradyn_trajectory *trajectory)
{
  return gradyn_trajectory_read(trajectory).steps;
}

GRADYN_RENAMED(gradyn_trajectory_read)
static inline size_t gradyn_trajectory_columns(const gradyn_trajectory *trajectory)
{
  return gradyn_trajectory_read(trajectory).columns;
}

GRADYN_RENAMED(gradyn_trajectory_read)
static inline const double *gradyn_trajectory_times(const gradyn_trajectory *trajectory)
{
  return gradyn_trajectory_read(trajectory).times;
}

GRADYN_RENAMED(gradyn_trajectory_read)
static inline const double *gradyn_trajectory_rows(const gradyn_trajectory *trajectory)
{
  return gradyn_trajectory_read(trajectory).rows;
}

GRADYN_RENAMED(gradyn_trajectory_column)
static inline const char *gradyn_trajectory_name(const gradyn_trajectory *trajectory, size_t i)
{
  return gradyn_trajectory_column(trajectory, i).name;
}

GRADYN_RENAMED(gradyn_trajectory_column)
static inline const char *gradyn_trajectory_unit(const gradyn_trajectory *trajectory, size_t i)
{
  return gradyn_trajectory_column(trajectory, i).unit;
}

GRADYN_RENAMED(gradyn_trajectory_column)
static inline bool gradyn_trajectory_internal(const gradyn_trajectory *trajectory, size_t i)
{
  return gradyn_trajectory_column(trajectory, i).internal;
}

GRADYN_RENAMED(gradyn_status_describe)
static inline const char *gradyn_status_name(int status)
{
  return gradyn_status_describe(status).name;
}

GRADYN_RENAMED(gradyn_status_describe)
static inline const char *gradyn_status_sentence(int status)
{
  return gradyn_status_describe(status).sentence;
}

GRADYN_RENAMED(gradyn_status_describe)
static inline gradyn_status_class gradyn_status_classify(int status)
{
  return gradyn_status_describe(status).kind;
}

GRADYN_RENAMED(gradyn_coordinate_at)
static inline const char *gradyn_coordinate_name(const gradyn_evaluator *evaluator, int column,
                                                 char *buffer, size_t size)
{
  if (!buffer || size == 0)
    return "";
  (void)snprintf(buffer, size, "%s", gradyn_coordinate_at(evaluator, column).name);
  return buffer;
}

GRADYN_RENAMED(gradyn_coordinate_at)
static inline bool gradyn_coordinate_internal(const gradyn_evaluator *evaluator, int column)
{
  return gradyn_coordinate_at(evaluator, column).internal;
}

GRADYN_RENAMED(gradyn_covariance)
static inline double gradyn_covariance_functional(const gradyn_covariance *covariance, size_t f)
{
  return covariance && f < covariance->functionals ? covariance->deviation[f] : (double)NAN;
}

GRADYN_RENAMED(gradyn_registry_create)
static inline gradyn_status gradyn_registry_create_vetted(const char *search_path,
                                                          gradyn_vet_fn vet, void *user,
                                                          gradyn_registry **out)
{
  const gradyn_registry_spec spec = {search_path, vet, user};
  return gradyn_registry_create(&spec, out);
}

GRADYN_RENAMED(gradyn_optimise)
static inline gradyn_status gradyn_resume(gradyn_evaluator *evaluator, const gradyn_search *search,
                                          const double rho0[], gradyn_resumed *resumed,
                                          gradyn_search_result *result)
{
  gradyn_search again;
  gradyn_status status;
  if (!search || !result)
    return GRADYN_INVALID;
  again = *search;
  again.resume = true;
  status = gradyn_optimise(evaluator, &again, rho0, result);
  if (resumed)
    *resumed = result->resumed;
  return status;
}

GRADYN_RENAMED(gradyn_drawable)
static inline const char *gradyn_shape_name(gradyn_shape shape)
{
  static const char *const name[] = {"rod",  "distance", "spring",   "damper", "actuator", "beam",
                                     "body", "box",      "cylinder", "guide",  "force",    "trace"};
  return (size_t)shape < sizeof name / sizeof name[0] ? name[shape] : "unknown";
}

/* --- Functions without a successor of the same form ---------------------------------------------- */

/* Copies row `step`, counted from 0, of a trajectory to state [columns] (NULL: not requested) and returns
 * its time, s. Returns NAN if there is no such row. */
GRADYN_RENAMED(gradyn_trajectory_read)
GRADYN_API double gradyn_trajectory_step(const gradyn_trajectory *trajectory, size_t step,
                                         double state[]);

/* Requests states of the next simulation at `samples` equally spaced times, with both ends; less than 2:
 * none. gradyn_trajectory_sample() then returns them without interpolation. */
GRADYN_RENAMED(gradyn_trajectory_evaluate)
GRADYN_API void gradyn_trajectory_request(gradyn_trajectory *trajectory, size_t samples);

/* Interpolates the state at time t, in s, and writes it to state [columns]. */
GRADYN_RENAMED(gradyn_trajectory_evaluate)
GRADYN_API void gradyn_trajectory_sample(const gradyn_trajectory *trajectory, double t,
                                         double state[]);

/* Returns the problem that gradyn_evaluator_create() received; NULL for NULL. */
GRADYN_RENAMED(gradyn_evaluator_create)
GRADYN_API const gradyn_problem *gradyn_evaluator_problem(const gradyn_evaluator *evaluator);

/* Returns the texts of all warnings about the last result, one per line; "" without warnings or for NULL.
 * The text lives until the next call with the evaluator. */
GRADYN_RENAMED(gradyn_evaluator_warning_at)
GRADYN_API const char *gradyn_evaluator_warnings(const gradyn_evaluator *evaluator);

/* Simulates with data [data], each in its unit, instead of parameters. Fills psi
 * [functionals] (NULL: not requested). Errors: those of gradyn_evaluator_simulate(); GRADYN_UNSUPPORTED:
 * the evaluator has load cases. */
GRADYN_API gradyn_status gradyn_evaluator_simulate_data(gradyn_evaluator *evaluator,
                                                        const double data[], double psi[]);
GRADYN_RENAMED(gradyn_evaluator_check)
static inline gradyn_status gradyn_simulate_data(gradyn_evaluator *evaluator, const double data[],
                                                 double psi[])
{
  return gradyn_evaluator_simulate_data(evaluator, data, psi);
}

/* Returns the number of events of the last run; 0 if the evaluator is NULL. */
GRADYN_RENAMED(gradyn_evaluator_statistics)
static inline size_t gradyn_event_log_count(const gradyn_evaluator *evaluator)
{
  return gradyn_evaluator_statistics(evaluator).events;
}

/* Returns the number of data; 0 if the evaluator is NULL. */
GRADYN_RENAMED(gradyn_evaluator_model_info)
static inline size_t gradyn_data_count(const gradyn_evaluator *evaluator)
{
  return gradyn_evaluator_model_info(evaluator).data;
}

/* Returns the number of declared events; 0 if the evaluator is NULL. */
GRADYN_RENAMED(gradyn_evaluator_model_info)
static inline size_t gradyn_event_count(const gradyn_evaluator *evaluator)
{
  return gradyn_evaluator_model_info(evaluator).events;
}

/* Returns the number of signals; 0 if the evaluator is NULL. */
GRADYN_RENAMED(gradyn_evaluator_model_info)
static inline size_t gradyn_signal_count(const gradyn_evaluator *evaluator)
{
  return gradyn_evaluator_model_info(evaluator).signals;
}

/* Returns the number of points of drawings; 0 if the evaluator is NULL. */
GRADYN_RENAMED(gradyn_evaluator_model_info)
static inline size_t gradyn_drawn_point_count(const gradyn_evaluator *evaluator)
{
  return gradyn_evaluator_model_info(evaluator).drawn_points;
}

/* Returns the number of problems in a registry; 0 for NULL. */
GRADYN_RENAMED(gradyn_registry_at)
static inline size_t gradyn_registry_count(const gradyn_registry *registry)
{
  size_t count = 0;
  while (gradyn_registry_at(registry, count))
    count++;
  return count;
}

/* Stores the name of a problem with dashes for underscores. buffer [size]: receives the name, truncated to
 * size - 1 characters; "" if the problem is NULL. A buffer NULL is allowed. Returns buffer. */
GRADYN_API const char *gradyn_problem_display_name(const gradyn_problem *problem, char *buffer,
                                                   size_t size);

/* Returns whether a process uses a journal. False also if this cannot be determined, with the reason in
 * errno, which is 0 if the journal is not in use. NULL: false, and errno stays as it is. */
GRADYN_API bool gradyn_journal_busy(const char *file);

/* A report of study folders. Opaque. */
typedef struct gradyn_report gradyn_report;
/* Reads the study folders folder [count] for a report. running: text for the page of a running search;
 * NULL: none. Release *out with gradyn_report_free() in any case. Errors: GRADYN_INVALID: `out` is NULL, or
 * no folder is given. GRADYN_IO: a file cannot be read; the report has the others. GRADYN_NO_MEMORY. */
GRADYN_RENAMED(gradyn_study_report)
GRADYN_API gradyn_status gradyn_report_create(const char *const folder[], size_t count,
                                              const char *running, gradyn_report **out);
/* Releases a report; NULL is ignored. */
GRADYN_RENAMED(gradyn_study_report)
GRADYN_API void gradyn_report_free(gradyn_report *report);
/* Returns the message of the last failure; "" without one. For NULL it is the sentence of GRADYN_NO_MEMORY.
 * The text lives until the next call with the report. */
GRADYN_RENAMED(gradyn_study_report)
GRADYN_API const char *gradyn_report_message(const gradyn_report *report);
/* Writes the page of a report to a stream. Errors: GRADYN_INVALID: an argument is NULL, or no study was
 * read. GRADYN_IO: the stream has failed. GRADYN_NO_MEMORY. */
GRADYN_RENAMED(gradyn_study_report)
GRADYN_API gradyn_status gradyn_report_print(gradyn_report *report, FILE *file);
/* Writes the page of a report to a file, which appears when it is complete. Errors: those of
 * gradyn_report_print(). GRADYN_IO: the file cannot be written. */
GRADYN_RENAMED(gradyn_study_report)
GRADYN_API gradyn_status gradyn_report_write(gradyn_report *report, const char *path);

/* Declares a hidden measure by .terminal or by .integrand of a spec, which must be its only function. */
static inline gradyn_measure_id gradyn_compat_measure(gradyn_model *model,
                                                      const gradyn_custom_functional_spec *g,
                                                      bool terminal)
{
  static gradyn_custom_measure_spec none; /* {0} is a warning of C++ */
  gradyn_custom_measure_spec spec = none;
  if (!g)
    return gradyn_measure_custom(model, (const gradyn_custom_measure_spec *)0);
  if (g->instant != 0 || (terminal ? g->integrand : g->terminal))
    gradyn_build_error(model, "%s: give %s, and neither %s nor .instant", g->name ? g->name : "",
                       terminal ? ".terminal" : ".integrand",
                       terminal ? ".integrand" : ".terminal");
  spec.name = g->name;
  spec.unit = g->unit;
  spec.formula = terminal ? g->terminal : g->integrand;
  spec.data = g->data;
  spec.data_count = g->data_count;
  spec.user = g->user;
  spec.points = g->points;
  spec.point_count = g->point_count;
  spec.needs_accelerations = g->needs_accelerations;
  spec.needs_multipliers = g->needs_multipliers;
  spec.positions_only = g->positions_only;
  spec.reads = g->reads;
  spec.read_count = g->read_count;
  spec.hidden = true;
  return gradyn_measure_custom(model, &spec);
}

/* Declares a reduction of such a measure. */
static inline gradyn_functional_id gradyn_compat_reduced(gradyn_model *model,
                                                         const gradyn_custom_functional_spec *g,
                                                         gradyn_reduction reduction,
                                                         double sharpness, gradyn_event_id event,
                                                         int occurrence)
{
  static gradyn_functional_spec none;
  gradyn_functional_spec spec = none;
  spec.measure = gradyn_compat_measure(
      model, g, reduction == GRADYN_BEFORE_EVENT || reduction == GRADYN_AFTER_EVENT);
  spec.name = g ? g->name : "";
  spec.reduction = reduction;
  spec.sharpness = sharpness;
  spec.event = event;
  spec.occurrence = occurrence;
  return gradyn_functional(model, &spec);
}

/* Declares the largest value of a function over the run. */
GRADYN_RENAMED(gradyn_functional)
static inline gradyn_functional_id gradyn_maximum(gradyn_model *model,
                                                  const gradyn_custom_functional_spec *g)
{
  return gradyn_compat_reduced(model, g, GRADYN_MAXIMUM, 0, 0, 0);
}

/* Declares the smooth maximum of a function over the run. */
GRADYN_RENAMED(gradyn_functional)
static inline gradyn_functional_id gradyn_smooth_maximum(gradyn_model *model,
                                                         const gradyn_custom_functional_spec *g,
                                                         double sharpness)
{
  return gradyn_compat_reduced(model, g, GRADYN_SMOOTH_MAXIMUM, sharpness, 0, 0);
}

/* Declares a function before an event. */
GRADYN_RENAMED(gradyn_functional)
static inline gradyn_functional_id gradyn_before_event(gradyn_model *model,
                                                       const gradyn_custom_functional_spec *g,
                                                       gradyn_event_id event, int which)
{
  return gradyn_compat_reduced(model, g, GRADYN_BEFORE_EVENT, 0, event, which);
}

/* Declares a function after an event. */
GRADYN_RENAMED(gradyn_functional)
static inline gradyn_functional_id gradyn_after_event(gradyn_model *model,
                                                      const gradyn_custom_functional_spec *g,
                                                      gradyn_event_id event, int which)
{
  return gradyn_compat_reduced(model, g, GRADYN_AFTER_EVENT, 0, event, which);
}

/* Declares a path constraint on a function. */
GRADYN_RENAMED(gradyn_path_constraint)
static inline gradyn_functional_id gradyn_limit(gradyn_model *model,
                                                const gradyn_custom_functional_spec *g,
                                                gradyn_scalar lower, gradyn_scalar upper,
                                                double tolerance)
{
  return gradyn_path_constraint(model, g ? g->name : "", gradyn_compat_measure(model, g, false),
                                lower, upper, tolerance, (const gradyn_path_constraint_spec *)0);
}

/* Adds a functional to the objective with a weight, 1 if none is given. */
#define gradyn_minimise(model, ...)                                                                \
  (gradyn_minimise)(model, GRADYN_COMPAT_WEIGHTED(__VA_ARGS__, 1.0, 0))
#define GRADYN_COMPAT_WEIGHTED(functional, weight, ...) functional, weight

/* --- Modes of declarations that follow ---------------------------------------------------------- */

/* Assigns later declarations of constraints, forces and events in this call of build() to one mode, until
 * the next call of gradyn_in_mode() or gradyn_in_modes(). Instead, gradyn_constraint_set_modes(),
 * gradyn_force_set_modes(), gradyn_event_set_modes() and gradyn_joint_spec.modes name what they limit.
 *
 * mode: number of a declared mode, or GRADYN_EVERY_MODE for all modes, as at the start. */
GRADYN_RENAMED(gradyn_constraint_set_modes)
GRADYN_API void gradyn_in_mode(gradyn_model *model, gradyn_mode_id mode);

/* Assigns later declarations to several modes, as gradyn_in_mode() does to one. modes [count]: numbers of
 * declared modes; copied. count 0: all modes; modes may then be NULL. */
GRADYN_RENAMED(gradyn_constraint_set_modes)
GRADYN_API void gradyn_in_modes(gradyn_model *model, const gradyn_mode_id *modes, int count);

/* --- Numbers of objects ------------------------------------------------------------------------- */

/* As in 0.2, numbers of objects count from 0 in problems that are defined below this line. */
#undef GRADYN_PROBLEM_SIZES
#define GRADYN_PROBLEM_SIZES                                                                       \
  .struct_size = sizeof(gradyn_problem), .param_size = sizeof(gradyn_param),                       \
  .setting_size = sizeof(gradyn_setting), .ids_from_0 = true

#ifdef __cplusplus
}
#endif

#endif
