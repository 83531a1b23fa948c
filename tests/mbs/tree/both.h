/* Joint coordinates compared with natural ones: one problem in both, with derivatives with respect to all
 * data; and bodies on joints of a kind. */
#ifndef GRADYN_TESTS_MBS_TREE_BOTH_H
#define GRADYN_TESTS_MBS_TREE_BOTH_H

#include "tests/adjoint/ali3p_models.h"

/* Values, and derivatives by all data that the problem has in natural coordinates, in those and in joint
 * coordinates: equal to rtol of the value, of a functional's largest derivative; the tolerance of
 * runs and rtol by support_rtol(). */
void both_compare(const run_setup *setup, double rtol);
/* The same by those for which counts() holds; NULL: all. */
void both_compare_by(const run_setup *setup, bool (*counts)(const char *datum), double rtol);

/* Compares values, and derivatives with respect to parameters only, of a problem in natural and in joint
 * coordinates. With redundant constraints, derivatives with respect to data of one of them do not exist. */
void both_compare_parameters(const gradyn_problem *problem, run_setup setup, double rtol);

/* In joint coordinates one joint or rod, and no other, stays a constraint, and why. */
void both_assert_left(const run_setup *setup, const char *name, const char *why);

/* Values alone, with all numbers of directions changed by up to `bend`. */
void both_bend(const run_setup *setup, double bend, double rtol);

/* Bodies on joints of one kind: alone, in a chain of three, two of three on the first, the same with a first
 * one that is free, a chain whose end stays in a plane. The setting "tree" is SHAPES kind + shape; the first
 * one of fixed joints is a revolute one. Springs hold what moves, functionals see places, accelerations and
 * what goes through the joints. */
enum { BOTH_ALONE, BOTH_CHAIN, BOTH_BRANCH, BOTH_FREE, BOTH_CLOSED, BOTH_SHAPES };
extern const gradyn_problem both_natural, both_joint;

/* Added to that setting, once for each law of friction: with some in revolute, prismatic, cylindrical and
 * planar joints. Of bodies on spherical ones the second alone hangs on such a joint, others on revolute
 * ones. */
enum { BOTH_RUBS = 500 };

/* Kinds that carry bodies, and coordinates of a chain of each. */
enum { BOTH_KINDS = 8 };
extern const struct both_kind {
  gradyn_joint_kind kind;
  int coordinates;
} both_kinds[BOTH_KINDS];

/* A problem with one setting, by explicit to 1e-11 with adjoints. */
run_setup both_case(const gradyn_problem *problem, const char *setting, int value);
/* Such a shape of kind i of these by explicit; all kinds in that. */
run_setup both_tree(const gradyn_problem *problem, int i, int shape);
void both_compare_kinds(int shape);

#endif
