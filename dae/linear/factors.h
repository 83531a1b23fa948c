/* The linear systems of constrained dynamics,
 *     S = [A, U^T; J, -d],
 * A [n][n], J = Phi_q and U [m][n], d a number on the diagonal. How S is factorised is one value, to which a
 * table of operations belongs: it is chosen before factorising, and whoever solves does not ask. */
#ifndef GRADYN_DAE_FACTORS_H
#define GRADYN_DAE_FACTORS_H

#include "core/linear/arena.h"
#include "core/linear/complement.h"
#include "core/mech/mech.h"
#include "core/linear/saddle.h"
#include "core/linear/schur.h"

/* In the order in which they are tried: each gets along with what is too much for the one before. */
typedef enum gradyn_factors_kind {
  GRADYN_FACTORS_INVERTED, /* made of the next by invert() */
  GRADYN_FACTORS_SCHUR,    /* J M^-1 J^T of small models: A = M is constant, U = J and d = 0 */
  GRADYN_FACTORS_EXACT,    /* S itself, dense or sparse */
  GRADYN_FACTORS_SOFTENED, /* with a tiny diagonal, whose effect refinement removes: redundant constraints */
  GRADYN_FACTORS_ROUGH, /* with a larger one that stays: near a singular position, what constraints say
                         * to round-off only is left out */
  GRADYN_FACTORS_TREE, /* the mechanism's own, which solves over its tree of joints; then only */
  GRADYN_FACTORS_TREE_SOFTENED /* these, with a tiny diagonal of rows that are left: redundant ones */
} gradyn_factors_kind;

/* What solve_lanes() is to do. */
enum {
  GRADYN_SOLVE_TRANSPOSED = 1,
  GRADYN_SOLVE_RATES = 2, /* the last m entries of b are not all zero, or else they are not read */
  GRADYN_SOLVE_MULTIPLIERS =
      4,                 /* the last m entries of x are asked for, or else they may be anything */
  GRADYN_SOLVE_MINUS = 8 /* x = -S^-1 b; not by the inverse */
};

/* The parts of S, borrowed for as long as the factors are used. */
typedef struct gradyn_factors_parts {
  const double *A;             /* [dyn.nnz] */
  const double *U, *J;         /* [jac.nnz] */
  double d;                    /* that belongs to the equations: refinement leaves it in */
  const gradyn_mech_state *at; /* all that the mechanism's own factors need; read by make() alone */
} gradyn_factors_parts;

typedef struct gradyn_factors {
  gradyn_mech *mech;
  int n, m;
  gradyn_factors_kind kind;   /* of the last make() */
  gradyn_factors_parts parts; /* of the last make() */
  bool small;                 /* the Schur complement suits the model */
  gradyn_schur schur;
  gradyn_saddle saddle;
  double *rest, *sum; /* [n + m] refinement */
  double added;       /* to the diagonal, where S has none there */
  bool open;   /* solves leave in multipliers what dependent rows leave open, and are linear maps */
  double *own; /* [factors.numbers], and behind it what gradyn_complement_factor() makes */
  double least;        /* pivot of that */
  int weak;            /* unknown that those have found to be singular */
  double *column;      /* [n + m] */
  gradyn_lanes *packs; /* [2][n + m] */
} gradyn_factors;

/* part [dyn.nnz]: entries that A can have, NULL all of them. most: number of unknowns n + m up to which the
 * Schur complement serves, 0: A is not the mass matrix. Arrays are taken from the arena, which outlives
 * the factors. GRADYN_NO_MEMORY. */
gradyn_status gradyn_factors_create(gradyn_mech *mech, const bool *part, int most,
                                    gradyn_arena *arena, gradyn_factors *out);
/* The same for the mechanism's own factors of [M, Phi_q^T; Phi_q, 0], which it is to offer, and for nothing
 * else: no matrix is formed. */
gradyn_status gradyn_factors_create_own(gradyn_mech *mech, gradyn_arena *arena,
                                        gradyn_factors *out);
void gradyn_factors_clear(gradyn_factors *s);
/* Numbers of those, `own`. */
static inline size_t gradyn_factors_own_size(const gradyn_mech *mech)
{
  return (size_t)mech->factors.numbers + gradyn_complement_size(mech->factors.rows);
}

/* Whether rows were redundant where the run started. */
static inline bool gradyn_factors_softened(gradyn_factors_kind kind)
{
  return kind == GRADYN_FACTORS_SOFTENED || kind == GRADYN_FACTORS_TREE_SOFTENED;
}

/* Begins a run, which depends on no earlier one, with its mass matrix [dyn.nnz]: the first kind to try. */
gradyn_factors_kind gradyn_factors_begin(gradyn_factors *s, const double *M);

/* Factorises by the first kind from `first` to `last`, which may come before it, that gets along.
 * GRADYN_SINGULAR: none does; GRADYN_NON_FINITE. */
gradyn_status gradyn_factors_make(gradyn_factors *s, const gradyn_factors_parts *parts,
                                  gradyn_factors_kind first, gradyn_factors_kind last);

/* The same where a run starts: constraints that are nearly dependent there are so all along, and the kind
 * that serves from `first` to the softened one serves the whole run. */
gradyn_status gradyn_factors_choose(gradyn_factors *s, const gradyn_factors_parts *parts,
                                    gradyn_factors_kind first);

/* Reports that make() has failed at time t, s, and names what is singular. Returns the status. */
gradyn_status gradyn_factors_fail(const gradyn_factors *s, gradyn_status status, double t);

/* Whether constraints are nearly dependent where S was factorised, as far as that can be told; and whether
 * telling costs nothing. */
bool gradyn_factors_dependent(gradyn_factors *s);
bool gradyn_factors_report(const gradyn_factors *s);

/* Whether constraints are far from depending on each other there, as far as that can be told at no cost. */
bool gradyn_factors_far(const gradyn_factors *s);

/* Takes the inverse of a Schur complement's system, where lanes are to be solved for again and again. */
void gradyn_factors_invert(gradyn_factors *s);

/* b = S^-1 b or S^-T b in place, count right-hand sides b [count][n + m]. */
void gradyn_factors_solve(gradyn_factors *s, bool transposed, double *b, int count);

/* x = S^-1 b for lanes of right-hand sides, `columns` of which are in use; x does not overlap with b. With
 * more than GRADYN_LANES of them, up to GRADYN_MECH_COLUMNS, entries have two lanes; not by the inverse. */
void gradyn_factors_solve_lanes(gradyn_factors *s, unsigned what, int columns,
                                const gradyn_lanes *b, gradyn_lanes *x);

/* A correction b = S^-1 (M a - Q; Phi) of Newton's method, of which M a is taken from a [n] or stands in b:
 * parts() are those of the residual that b [n + m] holds before. Not refined: the next one does that. */
int gradyn_factors_residual(const gradyn_factors *s);
void gradyn_factors_correct(gradyn_factors *s, const double *a, double *b);

/* The projection A change + J^T mult = 0, J change - d mult = -g for mult [m] = g; moved = start + change,
 * all [n]. */
void gradyn_factors_project(gradyn_factors *s, const double *start, double *mult, double *change,
                            double *moved);

#endif
