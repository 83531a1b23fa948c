/* The mathematical programme behind a search: which parameters vary, what is minimised, which
 * functionals are constrained. All values here are unscaled. */
#ifndef GRADYN_OPTIM_PROGRAM_H
#define GRADYN_OPTIM_PROGRAM_H

#include "core/base/message.h"
#include "core/linear/arena.h"
#include "optim/program/objective.h"
#include <gradyn/optimise.h>

/* One constraint: sign (psi - bound) = 0 or <= 0. */
typedef struct gradyn_constraint {
  size_t functional;
  double sign;
  double bound, tolerance; /* in the functional's unit */
} gradyn_constraint;

/* One term of the objective: weight times psi, in a sum or as a piece of a maximum. */
typedef struct gradyn_term {
  size_t functional;
  double weight;
} gradyn_term;

/* minimise sum of terms + max of pieces, subject to rows (equalities first) and bounds. */
typedef struct gradyn_program {
  const gradyn_objective *objective; /* borrowed */
  double *start;                     /* [parameters], moved into the bounds */
  size_t n;                          /* varied parameters */
  size_t *varied;                    /* [n], their numbers */
  size_t *place;                     /* [parameters], where they stand in x; n or more: nowhere */
  double *unit;                      /* [n], size of a unit step, a power of two */
  double *lower, *upper;             /* [n], in units */
  gradyn_term *terms;                /* [term_count] */
  gradyn_term *pieces;               /* [piece_count], none or at least two */
  gradyn_constraint *rows;           /* [row_count] */
  size_t term_count, piece_count, row_count, equality_count;
  gradyn_message message; /* why the programme cannot be set up */
  gradyn_message notes;   /* what the user should know, one line each */
  gradyn_arena arena;     /* of all arrays */
} gradyn_program;

/* Sets up the programme of a search from rho0 [parameters]; *out is to be freed even after
 * GRADYN_INVALID, its message tells the reason. */
gradyn_status gradyn_program_create(const gradyn_objective *objective, const gradyn_search *search,
                                    const double rho0[], gradyn_program **out);
void gradyn_program_free(gradyn_program *program);
RELEASE(gradyn_program)

/* The objective and the constraint of a row for given psi [functionals]. */
double gradyn_program_value(const gradyn_program *program, const double psi[]);
double gradyn_program_row(const gradyn_program *program, size_t row, const double psi[]);

/* The largest violation of a constraint in units of its tolerance; 0 without constraints. The row
 * goes to *worst unless that is NULL. */
double gradyn_program_violation(const gradyn_program *program, const double psi[], size_t *worst);

/* Gradient [n] of weight psi[functional] for steps of one unit, added to g. */
void gradyn_program_add_gradient(const gradyn_program *program, size_t functional, double weight,
                                 const double gradient[], double g[]);

/* The size of a unit step: what the author calls typical, otherwise an eighth of the bounds, otherwise
 * a quarter of the value. */
double gradyn_program_unit(const gradyn_parameter_info *info, double value);

/* Changes the unit of varied parameter j. */
void gradyn_program_set_unit(gradyn_program *program, size_t j, double unit);

/* The parameters rho [parameters] at the varied ones x [n], in units, kept within the bounds. */
void gradyn_program_parameters(const gradyn_program *program, const double x[], double rho[]);

/* Rounds a positive number to a power of two, so that scaling by it adds no round-off. */
double gradyn_power_of_two(double value);

#endif
