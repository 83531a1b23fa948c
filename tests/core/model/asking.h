/* The public functions that take an evaluator, with arguments of test_failed_evaluators.c. */
#ifndef GRADYN_TESTS_ASKING_H
#define GRADYN_TESTS_ASKING_H

/* All functions that take an evaluator: those that return a status refuse one that is missing or that could
 * not be created, the others answer with nothing. */
#define REFUSING(X)                                                                                \
  X(gradyn_evaluator_check, ev, x, NULL, NULL, 0, &n)                                              \
  X(gradyn_costates_compute, ev, x, x, &costates)                                                  \
  X(gradyn_dof_compute, ev, x, &freedom, NULL)                                                     \
  X(gradyn_covariance_compute, ev, x, &(gradyn_covariance_spec){0}, x, NULL, &covariance)          \
  X(gradyn_evaluator_data_gradient, ev, x, x, x)                                                   \
  X(gradyn_equilibrium_compute, ev, x, NULL, NULL, NULL)                                           \
  X(gradyn_inference_compute, ev, &search, x, &said)                                               \
  X(gradyn_invariants_compute, ev, path, &condition)                                               \
  X(gradyn_evaluator_extremes, ev, x, &extreme)                                                    \
  X(gradyn_evaluator_gradient, ev, x, x, x)                                                        \
  X(gradyn_filter_compute, ev, x, &(gradyn_filter_spec){0}, &filter)                               \
  X(gradyn_evaluator_hessian_product, ev, x, x, 1, x, x)                                           \
  X(gradyn_evaluator_preview, ev, x, x, &mark, &range)                                             \
  X(gradyn_journal_best, ev, &search, x, why, sizeof why)                                          \
  X(gradyn_evaluator_linearise, ev, x, false, &linear)                                             \
  X(gradyn_mpc_create, ev, &search, x, &mpc)                                                       \
  X(gradyn_multistart, ev, &search, &(gradyn_multistart_spec){0}, x, &starts)                      \
  X(gradyn_optimise, ev, &search, x, &result)                                                      \
  X(gradyn_orbit_compute, ev, x, NULL, &orbit)                                                     \
  X(gradyn_pareto, ev, &search, &(gradyn_pareto_spec){0}, x, &front)                               \
  X(gradyn_profile_compute, ev, &search, &(gradyn_profile_spec){0}, x, &profiles)                  \
  X(gradyn_regulator_compute, ev, x, &(gradyn_regulator_spec){0}, &regulator)                      \
  X(gradyn_saltations_compute, ev, x, NULL, 0, &saltations)                                        \
  X(gradyn_search_defect_history, ev, &search, &result, &closing)                                  \
  X(gradyn_search_costates, ev, &search, &result, &costates)                                       \
  X(gradyn_evaluator_gradient_selected, ev, NULL, x, x, x)                                         \
  X(gradyn_search_resolve, ev, &search, why, sizeof why)                                           \
  X(gradyn_experiment_compute, ev, &search, &(gradyn_experiment_spec){0}, x, &trial)               \
  X(gradyn_sensitivities_compute, ev, x, x, 1, x, x)                                               \
  X(gradyn_evaluator_simulate, ev, x, x, NULL)                                                     \
  X(gradyn_evaluator_simulate_data, ev, x, x)                                                      \
  X(gradyn_evaluator_singular_data, ev, x, &mark, &mark)                                           \
  X(gradyn_study_folder_begin, NULL, ev, &search, x)                                               \
  X(gradyn_study_folder_end, NULL, ev, &search, x, &result, GRADYN_OK)                             \
  X(gradyn_study_folder_write_iteration, NULL, ev, NULL)                                           \
  X(gradyn_study_folder_write_motion, NULL, ev, &search, x, path, GRADYN_STUDY_FINAL)              \
  X(gradyn_study_folder_write_simulation, NULL, ev, x, x, path)                                    \
  X(gradyn_sweep, ev, &(gradyn_sweep_spec){0}, x, &points)                                         \
  X(gradyn_trajectory_evaluate, ev, path, 1, x, x)                                                 \
  X(gradyn_transition_compute, ev, x, NULL, 0, &transition)                                        \
  X(gradyn_uncertainty_compute, ev, &(gradyn_uncertainty_spec){0}, x, &uncertain)                  \
  X(gradyn_warm_start_point, ev, "{}", x, why, sizeof why)

#define ANSWERING(X)                                                                               \
  X(gradyn_case_at, ev, 0)                                                                         \
  X(gradyn_constraint_name, ev, 0)                                                                 \
  X(gradyn_coordinate_at, ev, 0)                                                                   \
  X(gradyn_datum_at, ev, 0)                                                                        \
  X(gradyn_drawables_visit, ev, NULL, NULL)                                                        \
  X(gradyn_drawn_point_at, ev, 0)                                                                  \
  X(gradyn_evaluator_message, ev)                                                                  \
  X(gradyn_evaluator_options, ev)                                                                  \
  X(gradyn_evaluator_problem, ev)                                                                  \
  X(gradyn_evaluator_sensitivity, ev, 1)                                                           \
  X(gradyn_evaluator_statistics, ev)                                                               \
  X(gradyn_evaluator_warnings, ev)                                                                 \
  X(gradyn_evaluator_warning_at, ev, 0)                                                            \
  X(gradyn_event_at, ev, 0)                                                                        \
  X(gradyn_event_log_at, ev, 0)                                                                    \
  X(gradyn_functional_at, ev, 0)                                                                   \
  X(gradyn_functional_count, ev)                                                                   \
  X(gradyn_link_at, ev, 0, NULL)                                                                   \
  X(gradyn_elements_visit, ev, NULL, NULL)                                                         \
  X(gradyn_evaluator_model_info, ev)                                                               \
  X(gradyn_parameter_at, ev, 0)                                                                    \
  X(gradyn_parameter_count, ev)                                                                    \
  X(gradyn_search_default, ev, &search)                                                            \
  X(gradyn_signal_at, ev, 0)                                                                       \
  X(gradyn_signal_sample, ev, 0, 0)

#endif
