/* The system of the jump, [A, J^T; J, 0]: its matrix, factors and refined solutions.
 *
 * In a kinematic jump, A preserves selected velocities. Their number must be the number of velocities that
 * the constraints leave free. More of them could not all be preserved; with fewer, the system is singular. */
#include "dae/events/impact_parts.h"

#include <math.h>
#include <string.h>

#include "core/linear/norm.h"

enum { REFINEMENTS = 3 };

/* Diagonal that makes systems with redundant constraints solvable, relative to the largest entry of A.
 * Iterative refinement removes its effect. */
static const double tiny_diagonal = 1e-9;

void gradyn_impact_weigh(gradyn_impacts *s)
{
  const gradyn_pattern *dyn = &s->mech->dyn;
  if (!s->event->kept) {
    memcpy(s->A, s->M, (size_t)dyn->nnz * sizeof(double));
    return;
  }
  memset(s->A, 0, (size_t)dyn->nnz * sizeof(double));
  /* kinematic jump: A is zero except for preserved velocities */
  for (int i = 0; i < s->event->kept_count; i++) {
    /* A_ii = 1: A w + J^T mu = 0 preserves v_i as far as the constraints allow */
    int at = s->event->kept[i].at;
    s->A[gradyn_pattern_find(dyn, at, at)] = 1;
  }
  for (int i = 0; i < s->n && s->mech->spare; i++)
    if (s->mech->spare[i])
      s->A[gradyn_pattern_find(dyn, i, i)] = 1;
}

/* Returns whether row i of the system, i >= m, is unused in the present event. */
static bool is_idle(const gradyn_impacts *s, int i)
{
  const int reset = gradyn_reset_row(s);
  return i < reset ? i - s->m != s->wall.row : i - reset >= gradyn_reset_count(s);
}

/* Copies the rows of the mechanism's Jacobian that act at the event, and adds rows for set velocities. All
 * other rows become zero. */
static void take_rows(gradyn_impacts *s)
{
  const int *start = s->mech->jac.start;
  size_t motion = (size_t)start[s->m],
         contacts = (size_t)(start[gradyn_impact_rows(s)] - start[s->first]);
  memcpy(s->own, s->J, motion * sizeof(double));
  memcpy(s->own + motion, s->J + start[s->first], contacts * sizeof(double));
  for (int i = s->m; i < s->ties; i++)
    for (int k = s->jac.start[i]; k < s->jac.start[i + 1]; k++)
      if (is_idle(s, i) || i >= gradyn_reset_row(s))
        s->own[k] = 0;
  for (int k = 0; k < gradyn_reset_count(s); k++)
    s->own[gradyn_pattern_find(&s->jac, gradyn_reset_row(s) + k, gradyn_reset_at(s, k))] = 1;
}

gradyn_status gradyn_impact_factor(gradyn_impacts *s, int row)
{
  gradyn_mech *mech = s->mech;
  s->wall.row = row;
  take_rows(s);
  /* the diagonal is compared with J A^-1 J^T, which scales with 1/A */
  double size = fmax(gradyn_largest(s->A, mech->dyn.nnz), 1e-300);
  gradyn_saddle_fill(&s->saddle, s->A, s->own, s->own, -tiny_diagonal / size);
  for (int i = s->m; i < s->ties; i++)
    if (is_idle(s, i))
      s->saddle.values[s->saddle.diagonal[i]] = 1;
  return gradyn_linsys_factor(s->saddle.system);
}

/* Computes rest = b - S_0 x, where S_0 is the matrix of the system without the tiny diagonal. */
static void residual_of(gradyn_impacts *s, const double *b, const double *x)
{
  int n = s->n, rows = s->ties;
  memcpy(s->rest, b, (size_t)(n + rows) * sizeof(double));
  /* rest = b - [A, J^T; J, 0] (w; mu) */
  gradyn_pattern_multiply(&s->mech->dyn, n, s->A, -1, x, s->rest);
  gradyn_pattern_multiply_transposed(&s->jac, rows, s->own, -1, x + n, s->rest);
  gradyn_pattern_multiply(&s->jac, rows, s->own, -1, x, s->rest + n);
  for (int i = s->m; i < rows; i++)
    if (is_idle(s, i))
      s->rest[n + i] -= x[n + i];
}

double gradyn_impact_solve(gradyn_impacts *s, double *b)
{
  int size = s->n + s->ties;
  /* iterations use factors of S, which has the tiny diagonal; S_0 does not have it */
  double whole = gradyn_largest(b, size);
  /* x += S^-1 (b - S_0 x): refinement removes the tiny diagonal */
  memset(s->sum, 0, (size_t)size * sizeof(double));
  memcpy(s->rest, b, (size_t)size * sizeof(double));
  for (int pass = 0; pass < REFINEMENTS; pass++) {
    gradyn_linsys_solve(s->saddle.system, s->rest, 1);
    for (int i = 0; i < size; i++)
      s->sum[i] += s->rest[i];
    residual_of(s, b, s->sum);
  }
  memcpy(b, s->sum, (size_t)size * sizeof(double));
  return whole > 0 ? gradyn_largest(s->rest, size) / whole : 0;
}

/* Returns the number of velocities that the constraints and the wall leave free. Coordinates without
 * mechanical meaning, which occur in no row, do not count. */
static int free_velocities(const gradyn_impacts *s)
{
  const gradyn_pattern *rows = &s->mech->jac;
  const bool *spare = s->mech->spare;
  int free = s->n - s->m - 1;
  double *size = s->rest; /* magnitudes of the columns */
  memset(size, 0, (size_t)s->n * sizeof(double));
  for (int k = 0; k < rows->start[s->m]; k++)
    size[rows->col[k]] += fabs(s->J[k]);
  for (int i = 0; i < s->n && spare; i++)
    free -= spare[i] && size[i] == 0;
  return free;
}

gradyn_status gradyn_impact_check_kept(const gradyn_impacts *s)
{
  const int free = s->event->kept ? free_velocities(s) : 0;
  if (!s->event->kept || s->event->kept_count == free)
    return GRADYN_OK;
  return gradyn_fail(&s->model->message, GRADYN_INVALID,
                     "wall %s at t = %g s: preserves %d velocities; the constraints and the wall "
                     "leave %d free. Name as many velocities as are free",
                     s->event->name, s->t, s->event->kept_count, free);
}
