/* Common parts of tests of fixed-step methods: a mechanism in which everything depends on time, evaluators
 * with given options, and comparisons of gradients. */
#ifndef GRADYN_TESTS_ALI3P_MODELS_H
#define GRADYN_TESTS_ALI3P_MODELS_H

#include "problems/builtin.h"
#include "tests/runs.h"

/* A crank whose angle is driven by a law with a cubic spline, a bar on it pushed by a piecewise-linear
 * force, a slider on a moving line; the end time is a parameter. */
extern const gradyn_problem ali3p_driven;

/* Two bars, a weight and a spring at a point along the second one, which is attached to its ends. */
extern const gradyn_problem ali3p_attached;

/* A double pendulum with an upper rod of that length, pushed by a signal at its tip, which is returned. */
int ali3p_swing(gradyn_model *model, gradyn_scalar length, int push);

enum { ALI3P_MOST = 2000 }; /* numbers of a gradient */

/* As run_open(), by ali3p unless a method is named; where steps can follow from an error, the problem's own
 * step is none. */
gradyn_evaluator *ali3p_open(const run_setup *setup);

/* Gradient by parameters at their initial values; psi and statistics may be NULL. */
void ali3p_gradient(const run_setup *setup, double psi[], double gradient[],
                    gradyn_statistics *statistics);

/* Direct and adjoint gradients by all data for which counts() holds (NULL: all): equal to rtol, or
 * 1e-12 of the largest of their functional, and not the same bits. */
void ali3p_compare_data(const run_setup *setup, bool (*counts)(const char *datum), double rtol);

/* Direct and adjoint gradients by parameters: equal to rtol of the largest of their functional. */
void ali3p_compare_parameters(const run_setup *setup, double rtol);

/* Data of parallel-bars that may vary while redundant constraints go on agreeing with each other. */
bool ali3p_keeps_parallel(const char *datum);

/* The gradient by parameters against differences of the functionals of order 8, whose widest distance is half
 * `size` times a parameter's own size: to rtol of the largest part that one has in a functional's change. */
void ali3p_compare_differences(const run_setup *setup, double size, double rtol);

#endif
