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
  size_t functional;       /* its index, from 0, among those of the objective */
  double sign;             /* -1 for a lower bound, otherwise 1 */
  double bound, tolerance; /* in the unit of the functional; tolerance > 0 */
} gradyn_constraint;

/* One term of the objective, weight times psi: a summand, or a piece of a maximum. */
typedef struct gradyn_term {
  size_t functional; /* its index, from 0, among those of the objective */
  double weight;
} gradyn_term;

/* Minimise the sum of terms plus the maximum of pieces, subject to constraints and bounds. Equality
 * constraints come first. With a share, the mean over the worst share of the pieces replaces their maximum
 * (conditional value at risk): the minimum by s of s + sum of chance_k max(piece_k - s, 0) / share. */
typedef struct gradyn_program {
  const gradyn_objective *objective; /* borrowed */
  double *start;                     /* [parameters], free ones moved into the bounds */
  size_t n;                          /* number of free parameters, the variables x */
  size_t *varied;                    /* [n], indices of the free parameters, ascending */
  /* [parameters], index in x; n or more: the parameter is not free */
  size_t *position;
  /* [n], size of a unit step, a power of two; x = rho / unit, of logarithmic parameters ln(rho) / unit */
  double *unit;
  double *lower, *upper;   /* [n], in units; infinite: none */
  gradyn_term *terms;      /* [term_count] */
  gradyn_term *pieces;     /* [piece_count], 0 or at least 2 */
  gradyn_constraint *rows; /* [row_count]; the first equality_count are equalities */
  size_t term_count, piece_count, row_count, equality_count;
  double share;   /* 0: the maximum */
  double *chance; /* [piece_count], weight of each piece, with the sum 1 */
  /* stored entries of the gradients of all constraints by x, and then of all pieces by x and slacks */
  gradyn_entries entries;
  gradyn_message message; /* reason why the program cannot be set up; "": none */
  gradyn_message notes;   /* remarks for the user, one per line, as on a start moved to a bound */
  gradyn_arena arena;     /* memory of all arrays */
} gradyn_program;

/* Sets up the program of a search from rho0 [parameters], which is copied. The objective must outlive the
 * program; of *search, no pointer is kept. Free *out also after a failure; NULL: out of memory. Errors, with
 * the message of *out: GRADYN_INVALID, a start, bound, weight or tolerance is wrong, no parameter is free, or
 * there is no objective; GRADYN_NO_MEMORY. Nothing is evaluated. */
gradyn_status gradyn_program_create(const gradyn_objective *objective, const gradyn_search *search,
                                    const double rho0[], gradyn_program **out);
/* Frees a program, not its objective; NULL is ignored. */
void gradyn_program_free(gradyn_program *program);
RELEASE(gradyn_program)

/* Returns the objective for psi [functionals]: the sum of terms plus the maximum of pieces or, with a share,
 * their tail mean. */
double gradyn_program_value(const gradyn_program *program, const double psi[]);
/* Returns the value of constraint `row`, from 0, for psi [functionals], in the unit of its functional: sign
 * (psi - bound). Positive: violated; of equalities, any value but 0. */
double gradyn_program_row(const gradyn_program *program, size_t row, const double psi[]);

/* Returns the largest violation of a constraint for psi [functionals], as a multiple of its tolerance, at
 * least 0; at most 1: feasible. If it is positive, *worst gets the index of the constraint in `rows`;
 * otherwise *worst stays. worst NULL: not needed. */
double gradyn_program_violation(const gradyn_program *program, const double psi[], size_t *worst);

/* Returns the number of slack variables of the pieces, which follow the free parameters: the level s, and
 * with a share the excess u_k >= 0 of each piece over s. The constraints are piece_k - s - u_k <= 0. */
static inline size_t gradyn_program_slacks(const gradyn_program *program)
{
  return program->piece_count == 0 ? 0 : program->share > 0 ? 1 + program->piece_count : 1;
}

/* Returns the level s for psi [functionals]: the largest piece, or with a share the piece at which the tail
 * is minimal. There must be pieces. */
double gradyn_program_level(const gradyn_program *program, const double psi[]);

/* Writes the derivatives of the constraint of a piece by its slack variables to out[count], ...: -1 for s,
 * and with a share -1 for u_k. Returns count plus their number. */
static inline size_t gradyn_program_fill_slacks(const gradyn_program *program, double out[],
                                                size_t count)
{
  out[count++] = -1;
  if (program->share > 0)
    out[count++] = -1;
  return count;
}

/* Fills out [gradyn_program_slacks()] with the derivatives of s + sum of chance_k u_k / share by the slack
 * variables. */
static inline void gradyn_program_slack_gradient(const gradyn_program *program, double out[])
{
  for (size_t k = 0; k < gradyn_program_slacks(program); k++)
    out[k] = k == 0 ? 1 : program->chance[k - 1] / program->share;
}

/* Fills out [gradyn_program_slacks()] with the slack variables that belong to psi [functionals], times a
 * factor. There must be pieces. */
void gradyn_program_slack_values(const gradyn_program *program, double factor, const double psi[],
                                 double out[]);

/* Returns the number of stored entries of the gradients of all constraints and pieces, slack variables
 * included. */
static inline size_t gradyn_program_entries(const gradyn_program *program)
{
  return program->entries.start[program->row_count + program->piece_count];
}

/* Fills out with the stored entries of the gradient of weight psi[functional] by the free parameters, for
 * steps of one unit. Returns their number, at most n. gradient: stored entries of [functionals][parameters],
 * as objective->evaluate() fills them, converted by gradyn_program_convert(). */
size_t gradyn_program_fill_gradient(const gradyn_program *program, size_t functional, double weight,
                                    const double gradient[], double out[]);

/* Adds the gradient of weight psi[functional], for steps of one unit, to g [n]. gradient: stored entries of
 * [functionals][parameters], converted by gradyn_program_convert(). */
void gradyn_program_add_gradient(const gradyn_program *program, size_t functional, double weight,
                                 const double gradient[], double g[]);

/* Returns the variable of free parameter j < n for its value rho: rho / unit, or ln(rho) / unit. */
double gradyn_program_variable(const gradyn_program *program, size_t j, double rho);
/* Returns the change of free parameter j < n by a step of one unit at its value rho, to first order. */
double gradyn_program_step(const gradyn_program *program, size_t j, double rho);
/* Makes the stored entries of gradient [functionals][parameters] by free logarithmic parameters derivatives
 * by their logarithms, at rho [parameters]; with `back` the reverse. The points of a search have the
 * former. */
void gradyn_program_convert(const gradyn_program *program, const double rho[], bool back,
                            double gradient[]);

/* Returns the size of a unit step of a parameter with this value, a power of two in the unit of the
 * parameter, or of its logarithm. It follows from the scale that the author declares; without one, from an
 * eighth of the range; without both bounds, from a quarter of the value or of its distance from a bound. */
double gradyn_program_unit(const gradyn_parameter_info *info, double value);

/* Sets the unit of free parameter j < n, and its bounds in units. unit > 0, a power of two. */
void gradyn_program_set_unit(gradyn_program *program, size_t j, double unit);

/* Fills rho [parameters], not in units, from the free parameters x [n], in units; others have their start
 * values. Round-off beyond a bound is removed. */
void gradyn_program_parameters(const gradyn_program *program, const double x[], double rho[]);
/* Returns the power of two nearest in ratio to a positive finite number, from 2^-400 to 2^400; 1 for other
 * numbers. Scaling by a power of two adds no round-off. */
double gradyn_power_of_two(double value);

#endif
