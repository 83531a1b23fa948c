/* The nonlinear program of a search: its free parameters, its objective, and its constraints. All values
 * of functionals here are unscaled. */
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
  double bound, tolerance; /* in the unit of the functional */
} gradyn_constraint;

/* One term of the objective, weight times psi: a summand, or a piece of a maximum. */
typedef struct gradyn_term {
  size_t functional;
  double weight;
} gradyn_term;

/* Minimise the sum of terms plus the maximum of pieces, subject to constraints and bounds. Equality
 * constraints come first. With a share, the mean over the worst share of the pieces replaces their maximum
 * (conditional value at risk): the minimum by s of s + sum of chance_k max(piece_k - s, 0) / share. */
typedef struct gradyn_program {
  const gradyn_objective *objective; /* borrowed */
  double *start;                     /* [parameters], moved into the bounds */
  size_t n;                          /* number of free parameters, the variables x */
  size_t *varied;                    /* [n], indices of the free parameters */
  /* [parameters], index in x; n or more: the parameter is not free */
  size_t *position;
  double *unit;            /* [n], size of a unit step, a power of two; x = rho / unit */
  double *lower, *upper;   /* [n], in units */
  gradyn_term *terms;      /* [term_count] */
  gradyn_term *pieces;     /* [piece_count], 0 or at least 2 */
  gradyn_constraint *rows; /* [row_count] */
  size_t term_count, piece_count, row_count, equality_count;
  double share;   /* 0: the maximum */
  double *chance; /* [piece_count], weight of each piece, with the sum 1 */
  /* stored entries of the gradients by x of all constraints and then of all pieces */
  gradyn_entries entries;
  gradyn_message message; /* reason why the program cannot be set up */
  gradyn_message notes;   /* remarks for the user, one per line */
  gradyn_arena arena;     /* memory of all arrays */
} gradyn_program;

/* Sets up the program of a search from rho0 [parameters]. GRADYN_INVALID: the search has no such program;
 * the message of *out states the reason. Free *out also after a failure; NULL: out of memory. */
gradyn_status gradyn_program_create(const gradyn_objective *objective, const gradyn_search *search,
                                    const double rho0[], gradyn_program **out);
void gradyn_program_free(gradyn_program *program);
RELEASE(gradyn_program)

/* The objective, and the value of a constraint, from psi [functionals]. */
double gradyn_program_value(const gradyn_program *program, const double psi[]);
double gradyn_program_row(const gradyn_program *program, size_t row, const double psi[]);

/* Returns the largest violation of a constraint, in units of its tolerance, at least 0. *worst becomes
 * the index of this constraint if the result is positive; worst may be NULL. */
double gradyn_program_violation(const gradyn_program *program, const double psi[], size_t *worst);

/* Number of slack variables of the pieces, which follow the free parameters: the level s, and with a share
 * the excess of each piece over it, u_k >= 0. The constraints are piece_k - s - u_k <= 0. */
static inline size_t gradyn_program_slacks(const gradyn_program *program)
{
  return program->piece_count == 0 ? 0 : program->share > 0 ? 1 + program->piece_count : 1;
}

/* The level s from psi [functionals]: the largest piece, or the one at the share. There must be pieces. */
double gradyn_program_level(const gradyn_program *program, const double psi[]);

/* Fills the entries by the slack variables of a piece after `count` others. Returns the number of all. */
static inline size_t gradyn_program_fill_slacks(const gradyn_program *program, double out[],
                                                size_t count)
{
  out[count++] = -1;
  if (program->share > 0)
    out[count++] = -1;
  return count;
}

/* Fills the gradient of the sum of terms plus the slack variables by these: s + sum of chance_k u_k /
 * share. */
static inline void gradyn_program_slack_gradient(const gradyn_program *program, double out[])
{
  for (size_t k = 0; k < gradyn_program_slacks(program); k++)
    out[k] = k == 0 ? 1 : program->chance[k - 1] / program->share;
}

/* Fills the slack variables, times a factor, from psi [functionals]: those of a point. */
void gradyn_program_slack_values(const gradyn_program *program, double factor, const double psi[],
                                 double out[]);

/* Number of stored entries of the gradients of constraints and pieces. */
static inline size_t gradyn_program_entries(const gradyn_program *program)
{
  return program->entries.start[program->row_count + program->piece_count];
}

/* Fills the stored entries of the gradient of weight psi[functional], for steps of one unit. Returns their
 * number. gradient: stored entries of [functionals][parameters]. */
size_t gradyn_program_fill_gradient(const gradyn_program *program, size_t functional, double weight,
                                    const double gradient[], double out[]);
/* Adds the same to g [n]. */
void gradyn_program_add_gradient(const gradyn_program *program, size_t functional, double weight,
                                 const double gradient[], double g[]);

/* Returns the size of a unit step. It is the typical size that the author declares. Without one, it is an
 * eighth of the range of the bounds. Without both bounds, it is a quarter of the value or of its distance
 * from a bound. */
double gradyn_program_unit(const gradyn_parameter_info *info, double value);

/* Changes the unit of free parameter j, and its bounds in units. */
void gradyn_program_set_unit(gradyn_program *program, size_t j, double unit);

/* Fills rho [parameters] from the free parameters x [n], in units; rho satisfies the bounds. */
void gradyn_program_parameters(const gradyn_program *program, const double x[], double rho[]);

/* Rounds a positive number to a power of two: scaling by a power of two adds no round-off. Returns 1 for
 * other numbers. */
double gradyn_power_of_two(double value);

#endif
