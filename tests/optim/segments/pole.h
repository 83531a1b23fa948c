/* A cart that swings a pole up: general equations with a limited force, linear between knots. */
#ifndef GRADYN_TESTS_OPTIM_POLE_H
#define GRADYN_TESTS_OPTIM_POLE_H

#include <gradyn/problem.h>

/* 20 intervals, two seconds, from rest to rest with the pole up, a metre away; least integral of the force
 * squared. From zeros 58.0317574 is the least that direct collocation finds with the same knots. */
extern const gradyn_problem pole_problem;

/* The cart on a track from -0.05 m to 1.05 m, a path constraint. */
extern const gradyn_problem pole_problem_on_short_track;

#endif
