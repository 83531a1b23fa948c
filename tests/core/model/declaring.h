/* All public functions that declare something, with invalid arguments. */
#ifndef GRADYN_TESTS_CORE_DECLARING_H
#define GRADYN_TESTS_CORE_DECLARING_H

#include <limits.h>
#include <math.h>
#include <stdbool.h>

#include <gradyn/forces.h>
#include <gradyn/model.h>
#include <gradyn/mechanism.h>
#include <gradyn/events.h>
#include <gradyn/joints.h>
#include <gradyn/functionals.h>

/* What looks at a model, called in tests/adjoint/evaluator/test_look.c and test_elements.c. */
#define LOOKING                                                                                    \
  "gradyn_signal_at", "gradyn_signal_sample", "gradyn_event_log_at", "gradyn_drawn_point_at",      \
      "gradyn_drawables_visit", "gradyn_invariants_compute", "gradyn_elements_visit"
/* How functions see bodies, called in tests/adjoint/grid/seen_bodies.c and tests/mbs/bodies/test_bodies.c. */
#define SEEING "gradyn_body_turn", "gradyn_body_motion", "gradyn_body_load"
/* What is asked of guards, called in tests/dae/events/test_invariants_at_rest.c. */
#define GUARDING "gradyn_event_at"
/* What is asked of disturbances, called in tests/adjoint/analyses/test_saltation.c, test_orbit.c,
 * test_covariance.c and test_regulator.c, and in tests/adjoint/filter. */
#define DISTURBING                                                                                 \
  "gradyn_sensitivities_compute", "gradyn_saltations_compute", "gradyn_saltations_clear",          \
      "gradyn_transition_compute", "gradyn_transition_clear", "gradyn_orbit_compute",              \
      "gradyn_orbit_clear", "gradyn_covariance_compute", "gradyn_covariance_clear",                \
      "gradyn_covariance_entry", "gradyn_regulator_compute", "gradyn_regulator_clear",             \
      "gradyn_filter_compute", "gradyn_filter_clear"
/* What is asked of a mechanism at rest, called in tests/adjoint/rest/test_statics.c. */
#define RESTING                                                                                    \
  "gradyn_dof_compute", "gradyn_constraint_name", "gradyn_coordinate_at",                          \
      "gradyn_equilibrium_compute", "gradyn_evaluator_linearise", "gradyn_linearisation_clear",    \
      "gradyn_start_in_equilibrium"
/* Those for one search, called there. */
#define SEARCHING                                                                                  \
  "gradyn_search_default", "gradyn_optimise", "gradyn_search_result_clear",                        \
      "gradyn_search_costates", "gradyn_search_defect_history", "gradyn_defect_history_clear",     \
      "gradyn_costates_compute", "gradyn_costates_clear", "gradyn_inference_compute",              \
      "gradyn_inference_clear", "gradyn_profile_compute", "gradyn_profile_result_clear",           \
      "gradyn_uncertainty_compute", "gradyn_uncertainty_clear", "gradyn_experiment_compute",       \
      "gradyn_experiment_clear", "gradyn_mpc_create", "gradyn_mpc_step", "gradyn_mpc_read",        \
      "gradyn_mpc_free"
/* Those for many searches and many points, called in test_multistart.c and test_pareto.c. */
#define STUDYING                                                                                   \
  "gradyn_sweep", "gradyn_sweep_result_clear", "gradyn_multistart",                                \
      "gradyn_multistart_result_clear", "gradyn_pareto", "gradyn_pareto_result_clear", REPORTING
/* Study folders and reports, called in tests/report/test_refused_folders.c. */
#define REPORTING                                                                                  \
  "gradyn_study_folder_open", "gradyn_study_folder_close", "gradyn_study_folder_message",          \
      "gradyn_study_folder_write_simulation", "gradyn_study_folder_write_motion",                  \
      "gradyn_study_folder_begin", "gradyn_study_folder_write_iteration",                          \
      "gradyn_study_folder_end", "gradyn_report_create", "gradyn_report_free",                     \
      "gradyn_report_message", "gradyn_report_print", "gradyn_report_write", "gradyn_study_report"

/* Load cases, called in tests/adjoint/cases/test_cases.c and test_case_files.c. */
#define CASES "gradyn_case_at", "gradyn_cases_read", "gradyn_cases_free", "gradyn_case_value"

typedef struct bad {
  const char *label, *text;
  double x;
  int i;
  bool spec; /* gives specifications, filled with the rest */
} bad;

/* Context of a declaration: points and more in the plane or in space, or states. */
enum { PLANE, SPACE, STATES };

#define SPEC(type, ...) (b.spec ? &(const type){__VA_ARGS__} : NULL)
#define DATUM SPEC(gradyn_datum, b.text, b.text, b.x), b.spec ? 1 : INT_MAX
#define CUSTOM                                                                                     \
  SPEC(gradyn_custom_functional_spec, b.text, b.text, NULL, NULL, DATUM, .instant = b.x,           \
       .read_count = b.i, .point_count = b.i)
#define BODY                                                                                       \
  SPEC(gradyn_body_spec, b.text, {b.x, b.x, b.x}, b.x, {b.x, b.x, b.x, 0, 0, 0},                   \
       .omega = {b.x, b.x, b.x})
#define LAW SPEC(gradyn_time_function, b.x, b.x, b.x, b.x, b.x, b.x, b.i)
#define POINTS b.spec ? (const int[2]){b.i, b.i} : NULL, b.spec ? 2 : b.i

/* Context, whether numbers are among the arguments, function, arguments. m is the model, b what is bad. */
#define DECLARING(X)                                                                               \
  X(STATES, 1, gradyn_state, m, b.text, b.text, b.x)                                               \
  X(STATES, 1, gradyn_algebraic_state, m, b.text, b.text, b.x)                                     \
  X(STATES, 1, gradyn_uncertain, m, b.text, (gradyn_distribution)b.i, b.x)                         \
  X(STATES, 1, gradyn_equations, m, SPEC(gradyn_equations_spec, NULL, DATUM, .user = NULL))        \
  X(PLANE, 1, gradyn_ground_point, m, b.text, b.x, b.x)                                            \
  X(PLANE, 1, gradyn_point, m, b.text, b.x, b.x)                                                   \
  X(SPACE, 1, gradyn_ground_point_3d, m, b.text, b.x, b.x, b.x)                                    \
  X(SPACE, 1, gradyn_point_3d, m, b.text, b.x, b.x, b.x)                                           \
  X(PLANE, 1, gradyn_initial_velocity, m, 2, b.x, b.x)                                             \
  X(SPACE, 1, gradyn_initial_velocity_3d, m, 2, b.x, b.x, b.x)                                     \
  X(PLANE, 1, gradyn_point_between, m, b.text, b.spec ? 2 : b.i, 3, b.x)                           \
  X(PLANE, 1, gradyn_rod, m, SPEC(gradyn_rod_spec, b.text, 1, 2, b.x, .mass = b.x))                \
  X(PLANE, 1, gradyn_point_mass, m, b.text, b.spec ? 2 : b.i, b.x)                                 \
  X(PLANE, 1, gradyn_gravity, m, b.x, b.x)                                                         \
  X(SPACE, 1, gradyn_gravity_3d, m, b.x, b.x, b.x)                                                 \
  X(PLANE, 1, gradyn_body, m, BODY)                                                                \
  X(SPACE, 1, gradyn_body_3d, m, BODY)                                                             \
  X(PLANE, 0, gradyn_body_centre, m, b.i)                                                          \
  X(PLANE, 0, gradyn_body_axis, m, b.i, (gradyn_axis)b.i)                                          \
  X(PLANE, 1, gradyn_body_point, m, b.spec ? 1 : b.i, b.text, b.x, b.x)                            \
  X(SPACE, 1, gradyn_body_point_3d, m, b.spec ? 1 : b.i, b.text, b.x, b.x, b.x)                    \
  X(PLANE, 1, gradyn_draw_box, m, b.spec ? 1 : b.i, b.x, b.x, b.x)                                 \
  X(SPACE, 1, gradyn_draw_cylinder, m, b.spec ? 1 : b.i, GRADYN_X, b.x, b.x)                       \
  X(PLANE, 0, gradyn_draw_trace, m, b.i)                                                           \
  X(PLANE, 0, gradyn_draw_colour, m, b.text, (unsigned)b.i)                                        \
  X(PLANE, 1, gradyn_beam, m,                                                                      \
    SPEC(gradyn_beam_spec, b.text, 2, 3, 2, {b.x, b.x, b.x}, b.x, b.x, .damping = b.x))            \
  X(PLANE, 0, gradyn_beam_node, m, b.i, b.i)                                                       \
  X(PLANE, 0, gradyn_beam_slope, m, b.i, b.i)                                                      \
  X(PLANE, 0, gradyn_pin, m, b.text, b.i, b.i)                                                     \
  X(PLANE, 0, gradyn_weld, m, b.text, b.i, b.i, b.i)                                               \
  X(PLANE, 0, gradyn_weld_beams, m, b.text, b.i, b.i, b.i, b.i)                                    \
  X(PLANE, 1, gradyn_distance, m, b.text, 2, 3, LAW)                                               \
  X(PLANE, 1, gradyn_coordinate, m, b.text, 2, (gradyn_axis)b.i, LAW)                              \
  X(PLANE, 1, gradyn_angle, m, b.text, b.i, 3, LAW)                                                \
  X(PLANE, 1, gradyn_custom_constraint, m,                                                         \
    SPEC(gradyn_custom_constraint_spec, b.text, POINTS, NULL, DATUM, .user = NULL))                \
  X(PLANE, 1, gradyn_custom_nonholonomic, m,                                                       \
    SPEC(gradyn_custom_constraint_spec, b.text, POINTS, NULL, DATUM, .user = NULL))                \
  X(PLANE, 1, gradyn_knife_edge, m, b.text, b.i, (gradyn_axis)b.i, b.i, LAW)                       \
  X(PLANE, 1, gradyn_impact, m,                                                                    \
    SPEC(gradyn_impact_spec, b.text, b.i, (gradyn_axis)b.i, {.value = b.x}, .restitution = b.x,    \
         .preserved_count = b.i, .mode = b.i))                                                     \
  X(PLANE, 1, gradyn_event, m,                                                                     \
    SPEC(gradyn_event_spec, b.text, {.data_count = b.i}, (gradyn_direction)b.i, .map_count = b.i,  \
         .set_count = b.i, .mode = b.i))                                                           \
  X(PLANE, 1, gradyn_phase, m,                                                                     \
    SPEC(gradyn_phase_spec, b.text, .mode = b.i, .start = b.x, .duration = b.x, .next = b.i,       \
         .map_count = b.i))                                                                        \
  X(PLANE, 0, gradyn_mode, m, b.text)                                                              \
  X(PLANE, 0, gradyn_constraint_set_modes, m, b.i, (gradyn_modes)b.i)                              \
  X(PLANE, 0, gradyn_force_set_modes, m, b.i, (gradyn_modes)b.i)                                   \
  X(PLANE, 0, gradyn_event_set_modes, m, b.i, (gradyn_modes)b.i)                                   \
  X(PLANE, 0, gradyn_terminate_at_event, m, b.i, b.i)                                              \
  X(PLANE, 0, gradyn_latch_constraint, m, b.i)                                                     \
  X(PLANE, 0, gradyn_event_time, m, b.text, b.i, b.i)                                              \
  X(PLANE, 0, gradyn_event_impulse, m, b.text, b.i, b.i)                                           \
  X(PLANE, 0, gradyn_fix_initial_coordinate, m, b.i, (gradyn_axis)b.i)                             \
  X(PLANE, 1, gradyn_fix_initial_distance, m, b.text, b.spec ? 2 : b.i, 3, b.x, b.x)               \
  X(PLANE, 1, gradyn_fix_initial_angle, m, b.text, b.spec ? 2 : b.i, 3, b.x, b.x)                  \
  X(PLANE, 1, gradyn_spring, m, SPEC(gradyn_spring_spec, b.text, 2, 3, b.x, b.x, b.x, b.x, b.i))   \
  X(PLANE, 1, gradyn_dashpot, m, b.text, b.spec ? 2 : b.i, 3, b.x)                                 \
  X(PLANE, 1, gradyn_attraction, m, SPEC(gradyn_attraction_spec, b.text, 2, 3, b.x, b.x))          \
  X(SPACE, 0, gradyn_bushing, m,                                                                   \
    SPEC(gradyn_bushing_spec, b.text, .body_a = b.i, .body_b = b.i, .stiffness[0] = b.x))          \
  X(SPACE, 1, gradyn_frame, m,                                                                     \
    SPEC(gradyn_frame_spec, b.text, GRADYN_GROUND, {b.x, b.x, b.x}, {b.x, b.x, b.x},               \
         .side = {b.x, b.x, b.x}))                                                                 \
  X(PLANE, 0, gradyn_rod_frame, m, b.text, b.i, b.i)                                               \
  X(PLANE, 0, gradyn_frame_point, m, b.i)                                                          \
  X(PLANE, 0, gradyn_joint, m,                                                                     \
    SPEC(gradyn_joint_spec, b.text, (gradyn_joint_kind)b.i, b.i, b.i, .pitch = b.x))               \
  X(SPACE, 1, gradyn_joint_between, m,                                                             \
    SPEC(gradyn_joint_between_spec, b.text, GRADYN_REVOLUTE, GRADYN_GROUND, b.spec ? 0 : b.i,      \
         {b.x, b.x, b.x}, .axis = {b.x, b.x, b.x}))                                                \
  X(PLANE, 0, gradyn_joint_coordinate, m, b.i, (gradyn_coordinate_kind)b.i)                        \
  X(PLANE, 0, gradyn_joint_friction, m,                                                            \
    SPEC(gradyn_joint_friction_spec, b.text, b.i, .still = b.x))                                   \
  X(PLANE, 0, gradyn_frame_coordinate, m, b.text, b.i, b.i, (gradyn_coordinate_kind)b.i)           \
  X(PLANE, 0, gradyn_drive_joint, m, b.text, b.i, LAW)                                             \
  X(PLANE, 0, gradyn_fix_initial_joint, m, b.text, b.i, b.x, b.x)                                  \
  X(SPACE, 0, gradyn_wheel, m, SPEC(gradyn_wheel_spec, b.text, b.i, b.i, b.x))                     \
  X(SPACE, 0, gradyn_tyre, m,                                                                      \
    SPEC(gradyn_tyre_spec, b.text, b.i, b.i, b.x, b.x, .smoothing = b.x))                          \
  X(PLANE, 0, gradyn_gear, m, b.text, b.i, b.i, b.x)                                               \
  X(PLANE, 0, gradyn_joint_spring, m, SPEC(gradyn_joint_spring_spec, b.text, b.i, .k = b.x))       \
  X(PLANE, 0, gradyn_joint_stop, m, SPEC(gradyn_joint_stop_spec, b.text, b.i, b.x, b.x, .k = b.x)) \
  X(PLANE, 1, gradyn_force, m, SPEC(gradyn_force_spec, b.text, 2, b.x, b.x, b.i, b.x))             \
  X(PLANE, 1, gradyn_torque, m, SPEC(gradyn_torque_spec, b.text, 2, 3, b.x, b.x, b.i))             \
  X(PLANE, 1, gradyn_custom_force, m,                                                              \
    SPEC(gradyn_custom_force_spec, b.text, POINTS, NULL, DATUM, .user = NULL))                     \
  X(PLANE, 1, gradyn_first_order_state, m,                                                         \
    SPEC(gradyn_first_order_state_spec, b.text, b.text, b.x, b.x))                                 \
  X(PLANE, 0, gradyn_pid, m, SPEC(gradyn_pid_spec, b.text, b.i, .kp = b.x))                        \
  X(PLANE, 0, gradyn_feedback, m,                                                                  \
    SPEC(gradyn_feedback_spec, b.text, b.i, &b.i, b.i, .gain = (const gradyn_scalar[]){b.x, b.x})) \
  X(PLANE, 0, gradyn_measure_effort, m, b.text, b.text)                                            \
  X(PLANE, 0, gradyn_measure_power, m, b.text, b.text)                                             \
  X(PLANE, 0, gradyn_measure_state, m, b.text, b.i, b.i)                                           \
  X(PLANE, 0, gradyn_measure_joint, m, b.text, b.i, b.i)                                           \
  X(PLANE, 0, gradyn_measure_point, m, b.text, b.i, b.i, (gradyn_axis)b.i)                         \
  X(PLANE, 0, gradyn_measure_rotation_rate, m, b.text, b.i, (gradyn_axis)b.i)                      \
  X(PLANE, 0, gradyn_measure_joint_force, m, b.text, b.i, (gradyn_axis)b.i)                        \
  X(PLANE, 0, gradyn_measure_joint_torque, m, b.text, b.i, (gradyn_axis)b.i)                       \
  X(PLANE, 0, gradyn_measure_multiplier, m, b.text, b.i)                                           \
  X(PLANE, 0, gradyn_measure_drive, m, b.text, b.i)                                                \
  X(PLANE, 0, gradyn_measure_magnitude, m, b.text, POINTS, b.x)                                    \
  X(PLANE, 0, gradyn_measure_formula, m,                                                           \
    SPEC(gradyn_measure_formula_spec, b.text, b.text, NULL, &b.i, b.i, DATUM, .points = &b.i,      \
         .point_count = b.i))                                                                      \
  X(PLANE, 0, gradyn_measure_line_angle, m, b.text, b.i, b.i, b.i)                                 \
  X(PLANE, 0, gradyn_measure_deflection, m, b.text, b.spec ? 1 : b.i)                              \
  X(PLANE, 0, gradyn_measure_stress, m, b.text, b.spec ? 1 : b.i, b.i, (gradyn_fibre)b.i)          \
  X(PLANE, 0, gradyn_measure_beam_length, m, b.text, b.spec ? 1 : b.i)                             \
  X(PLANE, 0, gradyn_measure_mass, m, b.text)                                                      \
  X(PLANE, 0, gradyn_measure_energy, m, b.text)                                                    \
  X(PLANE, 0, gradyn_measure_signal, m, b.text, b.i)                                               \
  X(PLANE, 0, gradyn_measure_custom, m,                                                            \
    SPEC(gradyn_custom_measure_spec, b.text, b.text, NULL, DATUM, .point_count = b.i))             \
  X(PLANE, 0, gradyn_functional, m,                                                                \
    SPEC(gradyn_functional_spec, b.text, b.i, (gradyn_reduction)b.i, .scale = b.x, .time = b.x))   \
  X(PLANE, 0, gradyn_functional_sum, m,                                                            \
    SPEC(gradyn_functional_sum_spec, b.text, b.text, &b.i, &(gradyn_scalar){b.x},                  \
         b.i < 1 ? b.i : 1))                                                                       \
  X(PLANE, 0, gradyn_fit, m, b.text, b.i,                                                          \
    SPEC(gradyn_fit_spec, b.spec ? &b.x : NULL, &b.x, .count = b.i < 1 ? b.i : 1, .sigma = b.x))   \
  X(PLANE, 0, gradyn_end_time_functional, m, b.text)                                               \
  X(PLANE, 0, gradyn_path_constraint, m, b.text, b.i, -b.x, b.x, b.x,                              \
    SPEC(gradyn_path_constraint_spec, .magnitude = b.spec, .grid = b.i))                           \
  X(PLANE, 0, gradyn_setting_value, m, b.text)                                                     \
  X(PLANE, 0, gradyn_parameter_array, m, b.spec ? &(gradyn_scalar){b.x} : NULL, b.i, &(int){0})    \
  X(PLANE, 1, gradyn_design_functional, m, b.text, b.text, b.x)                                    \
  X(PLANE, 1, gradyn_end_time, m, b.text ? b.x : NAN)                                              \
  X(PLANE, 1, gradyn_guess, m, b.text, b.spec ? &b.x : NULL, b.spec ? 1 : b.i)                     \
  X(PLANE, 1, gradyn_signal, m,                                                                    \
    SPEC(gradyn_signal_spec, b.text, b.text, (gradyn_signal_kind)b.i, 1, &(gradyn_scalar){b.x},    \
         b.x, b.x, &(gradyn_scalar){b.x}, b.i == 0, b.text))                                       \
  X(PLANE, 1, gradyn_delayed_signal, m, b.text, b.i, b.x)                                          \
  X(PLANE, 1, gradyn_custom_functional, m, CUSTOM)                                                 \
  X(PLANE, 1, gradyn_minimise, m, b.spec ? 1 : b.i, b.x)                                           \
  X(PLANE, 0, gradyn_minimise_largest, m, b.i)                                                     \
  X(PLANE, 1, gradyn_constrain, m, b.spec ? 1 : b.i, b.x, b.x, b.x)

#endif
