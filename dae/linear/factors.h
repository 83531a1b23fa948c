/* The linear systems of constrained dynamics,
 *
 *   S = [A, U^T; J, -d],
 *
 * with A [n][n], J = Phi_q and U [m][n], and a number d on the diagonal. The kind of factors is chosen before
 * factorisation. A table contains the operations of each kind, so that callers solve in the same way for
 * all. */
#ifndef GRADYN_DAE_FACTORS_H
#define GRADYN_DAE_FACTORS_H

#include "core/linear/arena.h"
#include "core/linear/complement.h"
#include "core/mech/mech.h"
#include "core/linear/saddle.h"
#include "core/linear/schur.h"

/* Kinds in the order in which they are tried: each handles systems that fail for the kind before. */
typedef enum gradyn_factors_kind {
  GRADYN_FACTORS_INVERTED, /* inverse of the next kind, made by gradyn_factors_invert() */
  GRADYN_FACTORS_SCHUR,    /* J M^-1 J^T of small models: A = M is constant, U = J and d = 0 */
  GRADYN_FACTORS_EXACT,    /* S itself, dense or sparse */
  /* with a tiny diagonal, whose effect refinement removes: redundant constraints */
  GRADYN_FACTORS_SOFTENED,
  /* with a larger diagonal, which is not removed. Near a singular position, the solution omits directions
   * that are known only to round-off */
  GRADYN_FACTORS_ROUGH,
  /* the mechanism's own factors, along its tree of joints; only with the next kind */
  GRADYN_FACTORS_TREE,
  GRADYN_FACTORS_TREE_SOFTENED /* the same with a tiny diagonal for redundant loop constraints */
} gradyn_factors_kind;

/* Flags of gradyn_factors_solve_lanes(). */
enum {
  GRADYN_SOLVE_TRANSPOSED = 1,
  GRADYN_SOLVE_RATES = 2, /* the last m entries of b are nonzero; otherwise they are not read */
  GRADYN_SOLVE_MULTIPLIERS =
      4,                 /* the last m entries of x are requested; otherwise they are undefined */
  GRADYN_SOLVE_MINUS = 8 /* x = -S^-1 b; not with GRADYN_FACTORS_INVERTED */
};

/* The parts of S; arrays and `at` are borrowed as long as the factors are used. */
typedef struct gradyn_factors_parts {
  const double *A;     /* [dyn.nnz] */
  const double *U, *J; /* [jac.nnz] */
  double d;            /* part of the equations: refinement does not remove it */
  /* the only input of the mechanism's own factors; used by gradyn_factors_make() */
  const gradyn_mech_state *at;
} gradyn_factors_parts;

typedef struct gradyn_factors {
  gradyn_mech *mech;
  int n, m;
  gradyn_factors_kind kind;   /* kind made by the last make() */
  gradyn_factors_parts parts; /* matrices given to the last make() */
  bool small;                 /* the model suits the Schur complement, and A is the mass matrix */
  gradyn_schur schur;
  gradyn_saddle saddle;
  double *rest, *sum; /* [n + m] refinement */
  double added;       /* number added to those diagonal entries of S that are zero */
  /* solves are linear maps: they keep the part of the multipliers that dependent rows leave undetermined */
  bool open;
  /* [factors.numbers] the mechanism's own factors, then those of gradyn_complement_factor() */
  double *own;
  double least;        /* smallest pivot of the complement */
  int weak;            /* singular unknown that the own factors have found */
  double *column;      /* [n + m] workspace */
  gradyn_lanes *packs; /* [2][n + m] workspace */
} gradyn_factors;

/* Creates factors. part [dyn.nnz]: possible nonzero entries of A, NULL: all. most: number of unknowns n + m
 * up to which the Schur complement is used, 0: A is not the mass matrix. mech and arena must outlive the
 * factors. Clear in any case. Error: GRADYN_NO_MEMORY, without a message. */
gradyn_status gradyn_factors_create(gradyn_mech *mech, const bool *part, int most,
                                    gradyn_arena *arena, gradyn_factors *out);
/* Creates only the mechanism's own factors of [M, Phi_q^T; Phi_q, 0], which the mechanism must provide. No
 * matrix is formed. mech and arena must outlive the factors. Clear in any case. Error: GRADYN_NO_MEMORY,
 * without a message. */
gradyn_status gradyn_factors_create_own(gradyn_mech *mech, gradyn_arena *arena,
                                        gradyn_factors *out);
/* Frees members, not the arena's arrays; may be repeated. */
void gradyn_factors_clear(gradyn_factors *s);
/* Returns the length of `own`, in doubles. */
static inline size_t gradyn_factors_own_size(const gradyn_mech *mech)
{
  return (size_t)mech->factors.numbers + gradyn_complement_size(mech->factors.rows);
}

/* Returns whether constraints were redundant at the start of the run. */
static inline bool gradyn_factors_softened(gradyn_factors_kind kind)
{
  return kind == GRADYN_FACTORS_SOFTENED || kind == GRADYN_FACTORS_TREE_SOFTENED;
}

/* Starts a run, independent of earlier ones, with its mass matrix M [dyn.nnz], which is only read. Returns
 * the first kind to try: SCHUR if the model suits it and M is regular, otherwise EXACT. Not after
 * gradyn_factors_create_own(), whose first kind is GRADYN_FACTORS_TREE. */
gradyn_factors_kind gradyn_factors_begin(gradyn_factors *s, const double *M);

/* Factorises S of these parts with the first kind from `first` to `last` that succeeds, s->kind. Errors,
 * without a message, after which there are no factors: GRADYN_SINGULAR, no kind succeeds;
 * GRADYN_NON_FINITE; GRADYN_NO_MEMORY. */
gradyn_status gradyn_factors_make(gradyn_factors *s, const gradyn_factors_parts *parts,
                                  gradyn_factors_kind first, gradyn_factors_kind last);

/* Factorises S of these parts, and chooses the kind for a whole run, s->kind, at its start: as
 * gradyn_factors_make(), from `first` to SOFTENED, or from TREE to TREE_SOFTENED, but also tries the next
 * kind if constraints are nearly dependent. Errors, without a message: GRADYN_SINGULAR, GRADYN_NON_FINITE,
 * GRADYN_NO_MEMORY. */
gradyn_status gradyn_factors_choose(gradyn_factors *s, const gradyn_factors_parts *parts,
                                    gradyn_factors_kind first);

/* Writes the message for a failure `status` of make() or choose() at time t, s, with the name of the singular
 * unknown. Returns the status. */
gradyn_status gradyn_factors_fail(const gradyn_factors *s, gradyn_status status, double t);

/* Returns whether the last factors show nearly dependent constraints; false for factors with an added
 * diagonal. */
bool gradyn_factors_dependent(gradyn_factors *s);

/* Returns whether gradyn_factors_dependent() costs no solve for factors of s->kind. */
bool gradyn_factors_shows_dependence(const gradyn_factors *s);

/* Returns whether the last factors show, without a solve, that constraints are clearly independent. Always
 * false for the mechanism's own factors. */
bool gradyn_factors_clearly_independent(const gradyn_factors *s);

/* Computes the inverse of a Schur complement's system, for many solves of lanes. No effect on other kinds. */
void gradyn_factors_invert(gradyn_factors *s);

/* Replaces b by S^-1 b, or by S^-T b if transposed, for count right-hand sides b [count][n + m]. SOFTENED
 * removes the effect of its diagonal, ROUGH does not. */
void gradyn_factors_solve(gradyn_factors *s, bool transposed, double *b, int count);

/* Sets x [n + m] to S^-1 b for `columns` right-hand sides b [n + m] in lanes; what: flags GRADYN_SOLVE_*; x
 * must not overlap b. Entries of more than GRADYN_LANES columns, up to GRADYN_MECH_COLUMNS, have two lanes;
 * not with GRADYN_FACTORS_INVERTED. */
void gradyn_factors_solve_lanes(gradyn_factors *s, unsigned what, int columns,
                                const gradyn_lanes *b, gradyn_lanes *x);
/* Returns flags, such as GRADYN_INERTIA, of the parts of R = M a + Phi_q^T lam - Q that
 * gradyn_factors_correct() needs in b. */
int gradyn_factors_residual(const gradyn_factors *s);
/* Step of Newton's method: replaces the residual b [n + m] = (R; Phi) by S^-1 b, without refinement. If b
 * lacks the inertia, M a is added from a [n]; otherwise a is not read. */
void gradyn_factors_correct(gradyn_factors *s, const double *a, double *b);
/* Solves A change + J^T mult = 0, J change - d mult = -g, where mult [m] is g on entry. Sets moved = start
 * + change; start, change, moved [n]. */
void gradyn_factors_project(gradyn_factors *s, const double *start, double *mult, double *change,
                            double *moved);

#endif
