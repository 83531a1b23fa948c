/* Inside of the check of a mechanical model: what looks at all of it and at its elements by themselves. */
#ifndef GRADYN_ADJOINT_CHECK_PROBE_H
#define GRADYN_ADJOINT_CHECK_PROBE_H

#include <math.h>

#include "adjoint/check/check.h"
#include "core/linear/arena.h"

/* An entry of a sparse matrix, and the next one in its column (-1: none). */
typedef struct gradyn_probe_entry {
  int row, next;
  double value;
} gradyn_probe_entry;

/* What moves along the line of a probe. */
typedef struct gradyn_probe_move {
  int entry;     /* of the state, or -1 */
  int datum;     /* or -1 */
  bool time;     /* t */
  bool motion;   /* t, q, v, along a motion */
  bool straight; /* q, v, along `line` */
  double *line;  /* [ns] a direction */
} gradyn_probe_move;

/* A line through states (or data, or time) along which the residual or the constraints are
 * evaluated. */
typedef struct gradyn_probe {
  gradyn_checking *c;
  gradyn_mech *mech;
  int n, m;
  int rows;             /* m + held + contacts */
  int ns;               /* size of a state (q, v, a, lam, held multipliers) */
  int parts_count;      /* that the model has */
  double *base, *moved; /* [ns] */
  int parts, order;
  gradyn_probe_move move;
  double *exact;                /* [ns] a column */
  int *column;                  /* [ns] first entry of each column of a matrix, -1: none */
  gradyn_probe_entry *entry_of; /* [nnz of dyn or jac] */
  double *K, *C, *M;            /* [dyn.nnz + 1] */
  double *J, *U;                /* [jac.nnz + 1] */
  double *mu;                   /* [2][ns] */
  double *dx;                   /* [nx] a unit direction, zero between uses */
  double *x_bar;                /* [2][nx] */
  double *rows_of;              /* [n + rows] those of a term */
  gradyn_lanes *work;           /* [3 n + rows] */
  gradyn_differences d;
  gradyn_arena arena;  /* of all arrays */
  const char *element; /* kind and name of the one looked at by itself; NULL: all together */
  gradyn_worst right;  /* the worst of what is right of such elements */
} gradyn_probe;

/* Parts of the residual, with their names in messages; names of the constraints' orders. */
typedef struct gradyn_probe_part_entry {
  int parts;
  const char *name;
} gradyn_probe_part_entry;
extern const gradyn_probe_part_entry gradyn_probe_part[];
extern const char *const gradyn_probe_order_name[];

enum { GRADYN_RESIDUAL = -1 }; /* stands for "no order" where constraints have one */

/* --- lines and differences along them, in check/probe.c ------------------------------------------ */

/* The state that y [ns] holds: (q, v, a, lam). */
static inline gradyn_mech_state gradyn_probe_state(const gradyn_probe *p, double t, const double *y)
{
  return (gradyn_mech_state){t, y, y + p->n, y + 2 * p->n, y + 3 * p->n, NULL};
}

/* Nothing found wrong yet. */
static inline gradyn_worst gradyn_probe_fresh(const gradyn_probe *p)
{
  return (gradyn_worst){.tolerance = p->c->tolerance};
}

/* Looks at parts of the residual (order GRADYN_RESIDUAL) or at rows of constraints of that order; nothing
 * moves yet. */
void gradyn_probe_aim(gradyn_probe *p, int parts, int order);

/* Numbers that are looked at; the size of entry i of a state. */
int gradyn_probe_values(const gradyn_probe *p);
double gradyn_probe_size(const gradyn_probe *p, int i);

/* Differences on a line of typical steps `size`; p->exact: what they should be. */
gradyn_status gradyn_probe_differentiate(gradyn_probe *p, double size);

/* Compares one column of differences with p->exact; whichever row is worst is named. */
void gradyn_probe_rows(gradyn_probe *p, double size, gradyn_worst *w);

/* --- matrices, in check/state.c ------------------------------------------------------------------ */

/* K, C, M of part k; dR/dlam; Phi_q and its relatives of all orders. */
gradyn_status gradyn_probe_tangents(gradyn_probe *p, int k);
gradyn_status gradyn_probe_multipliers(gradyn_probe *p);
gradyn_status gradyn_probe_constraints(gradyn_probe *p);

/* --- products, in check/products.c --------------------------------------------------------------- */

/* Phi' and Phi'' along a motion; then what is looked at by explicit time, along a line of q and v, by data;
 * name: of parts of the residual or of orders. */
gradyn_status gradyn_probe_motion(gradyn_probe *p);
gradyn_status gradyn_probe_time(gradyn_probe *p, int parts, int order, const char *name);
gradyn_status gradyn_probe_line(gradyn_probe *p, int parts, int order, const char *name);
gradyn_status gradyn_probe_data(gradyn_probe *p, const char *name);

/* --- all of them --------------------------------------------------------------------------------- */

/* What a change of datum k by its size does to the transposed products. */
static inline double gradyn_probe_influence(const gradyn_probe *p, int k)
{
  return p->c->x_size[k] * fmax(fabs(p->x_bar[k]), fabs(p->x_bar[p->c->nx + k]));
}

/* Every derivative of the model as it is, or of an element isolated. */
gradyn_status gradyn_probe_blocks(gradyn_probe *p);

/* What is found out of a block: an item of its own or, of an element by itself, a part of `right`, and an
 * item only if it is wrong. printf format for the block. */
gradyn_status gradyn_probe_report(gradyn_probe *p, const gradyn_worst *w, const char *route,
                                  const char *format, ...) __attribute__((format(printf, 4, 5)));

/* One element after the other by itself, the blocks relative to their own sizes: an item for each kind, and
 * one for each block that is wrong. */
gradyn_status gradyn_probe_elements(gradyn_probe *p);

#endif
