/* The problems that come with gradyn. */
#ifndef GRADYN_PROBLEMS_BUILTIN_H
#define GRADYN_PROBLEMS_BUILTIN_H

#include <gradyn/problem.h>

/* Identifiers of the built-in problems, one file each, in the order of `gradyn list`. */
#define GRADYN_BUILTIN_LIST(X)                                                                     \
  X(five_bar)                                                                                      \
  X(robertson)                                                                                     \
  X(double_integrator)                                                                             \
  X(brachistochrone)                                                                               \
  X(cart_pole)                                                                                     \
  X(chain)                                                                                         \
  X(four_bar_chain)                                                                                \
  X(parallel_bars)                                                                                 \
  X(flexible_pendulum)                                                                             \
  X(rigid_spring_beam)                                                                             \
  X(double_wishbone)                                                                               \
  X(spatial_slider_crank)                                                                          \
  X(inverted_pendulum)                                                                             \
  X(governor)                                                                                      \
  X(bicycle)                                                                                       \
  X(slider_crank_codesign)                                                                         \
  X(robot_arm)                                                                                     \
  X(bouncing_ball)                                                                                 \
  X(bouncing_five_bar)                                                                             \
  X(bang_bang)                                                                                     \
  X(rimless_wheel)                                                                                 \
  X(compass_walker)                                                                                \
  X(stick_slip)                                                                                    \
  X(double_pendulum_wall)                                                                          \
  X(ball_on_slope)                                                                                 \
  X(hopper_codesign)                                                                               \
  X(hires)                                                                                         \
  X(bryson_denham)                                                                                 \
  X(van_der_pol)                                                                                   \
  X(goddard)                                                                                       \
  X(hang_glider)                                                                                   \
  X(hypersensitive)                                                                                \
  X(cart_pole_limited)                                                                             \
  X(catalyst_mixing)                                                                               \
  X(container_crane)                                                                               \
  X(arm_time_optimal)                                                                              \
  X(van_der_pol_time)                                                                              \
  X(moon_landing)                                                                                  \
  X(crane)                                                                                         \
  X(arm_7)                                                                                         \
  X(anchor_chain)                                                                                  \
  X(truck_suspension)                                                                              \
  X(alpha_pinene)                                                                                  \
  X(boehm_stat5)                                                                                   \
  X(pendulum_identification)                                                                       \
  X(tolerance_four_bar)                                                                            \
  X(fishing)

#define GRADYN_BUILTIN_DECLARE(id) extern const gradyn_problem gradyn_problem_##id;
GRADYN_BUILTIN_LIST(GRADYN_BUILTIN_DECLARE)
#undef GRADYN_BUILTIN_DECLARE

#endif
