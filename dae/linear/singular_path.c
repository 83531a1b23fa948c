/* Singular positions inside long steps.
 *
 * A singular position inside a long step does not show at its ends. With the Jacobians J0 and J1 at both
 * ends, the symmetric matrix B = (J0 J1^T + J1 J0^T)/2 is positive definite if every combination of rows
 * turns by less than a right angle. If a pivot of its LDL^T factors is not positive, or is small relative
 * to the lengths of the rows, a combination of constraints may have turned over or approached zero. Such a
 * step is halved repeatedly. The smallest singular value decides on the remaining parts
 * (singularity_monitor.c). */
#include "dae/linear/singular_path.h"

#include <amd.h>
#include <ldl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
  HALVINGS = 16, /* largest number of halvings of a step that may contain a singular position */
  /* parts of one step; if there are more, the step counts as near a singular position only */
  MOST_PIECES = 400
};

/* A state is close to a singular position if a pivot of B, relative to the lengths of its rows, is below
 * this. */
static const double least_pivot = 1e-5;

/* --- creation ----------------------------------------------------------------------------------- */

/* Finds the pairs of constraints that share a coordinate, which are the pattern of J J^T. */
static gradyn_status find_pairs(const gradyn_mech *mech, gradyn_pattern *pairs)
{
  const gradyn_pattern *jac = &mech->jac;
  int m = mech->m, nnz = jac->start[m], count = 0;
  FREED int *row = calloc((size_t)nnz + 1, sizeof *row);
  LOCAL(gradyn_pattern) moved = {0}; /* lists the constraints of each coordinate */
  if (!row)
    return GRADYN_NO_MEMORY;
  for (int i = 0; i < m; i++)
    for (int p = jac->start[i]; p < jac->start[i + 1]; p++)
      row[p] = i;
  GRADYN_TRY(gradyn_pattern_create(mech->n, m, nnz, jac->col, row, &moved));
  for (int c = 0; c < mech->n; c++)
    /* each coordinate couples all constraints that depend on it */
    count += (moved.start[c + 1] - moved.start[c]) * (moved.start[c + 1] - moved.start[c]);
  FREED int *pair = calloc(2 * (size_t)count + 1, sizeof *pair);
  if (!pair)
    return GRADYN_NO_MEMORY;
  int *one = pair, *other = pair + count;
  for (int c = 0; c < mech->n; c++)
    for (int p = moved.start[c]; p < moved.start[c + 1]; p++)
      for (int r = moved.start[c]; r < moved.start[c + 1]; r++) {
        *one++ = moved.col[p];
        *other++ = moved.col[r];
      }
  return gradyn_pattern_create(m, m, count, pair, pair + count, pairs);
}

/* Chooses the order of elimination by AMD, and the upper triangle of B in this order. */
static gradyn_status choose_order(gradyn_singular_path *s, const gradyn_pattern *pairs)
{ /* index of each row in the elimination */
  int m = s->mech->m, count = 0, *inverse = s->flag;
  int *row = calloc(2 * (size_t)pairs->nnz + 1, sizeof *row), *col = row + pairs->nnz;
  if (!row || amd_order(m, pairs->start, pairs->col, s->order, NULL, NULL) < 0) {
    free(row);
    return GRADYN_NO_MEMORY;
  }
  /* inverse of the order */
  for (int k = 0; k < m; k++)
    inverse[s->order[k]] = k;
  for (int i = 0; i < m; i++)
    for (int p = pairs->start[i]; p < pairs->start[i + 1]; p++)
      /* entries of the upper triangle by columns, which is the lower triangle by rows */
      if (inverse[pairs->col[p]] <= inverse[i]) {
        row[count] = inverse[i];
        col[count++] = inverse[pairs->col[p]];
      }
  gradyn_status status = gradyn_pattern_create(m, m, count, row, col, &s->upper);
  free(row);
  return status;
}

/* Lists, for every entry of B, the pairs of entries of both rows that share a coordinate; multiply() uses
 * the list. If pair is NULL, only counts them. position [n] must be zero, and is zero afterwards. */
static int list_products(const gradyn_singular_path *s, int *position, int *first, int *pair)
{
  const gradyn_pattern *jac = &s->mech->jac;
  int count = 0;
  for (int k = 0; k < s->mech->m; k++) {
    int i = s->order[k];
    for (int p = jac->start[i]; p < jac->start[i + 1]; p++)
      /* index + 1 of the entry of row i for each coordinate; 0: no entry */
      position[jac->col[p]] = p + 1;
    for (int b = s->upper.start[k]; b < s->upper.start[k + 1]; b++) {
      int other = s->order[s->upper.col[b]];
      for (int r = jac->start[other]; r < jac->start[other + 1]; r++)
        if (position[jac->col[r]] > 0) {
          /* the second call, in which memory for the list exists */
          if (pair) {
            pair[2 * count] = position[jac->col[r]] - 1;
            pair[2 * count + 1] = r;
          }
          count++;
        }
      if (first)
        first[b + 1] = count;
    }
    for (int p = jac->start[i]; p < jac->start[i + 1]; p++)
      position[jac->col[p]] = 0;
  }
  return count;
}

/* Counts the products of each entry of B, then lists them, so that steps only multiply. */
static gradyn_status find_products(gradyn_singular_path *s)
{
  int *position = calloc((size_t)s->mech->n + 1, sizeof *position);
  if (!position)
    return GRADYN_NO_MEMORY;
  int count = list_products(s, position, NULL, NULL);
  s->first = gradyn_arena_take(&s->arena, (size_t)s->upper.nnz + 1, sizeof *s->first);
  s->pair = gradyn_arena_take(&s->arena, 2 * (size_t)count, sizeof *s->pair);
  if (s->pair)
    list_products(s, position, s->first, s->pair);
  free(position);
  return gradyn_arena_status(&s->arena);
}

/* Determines the order, the products and the pattern of the factors, once for all steps. */
static gradyn_status analyse(gradyn_singular_path *s)
{
  int m = s->mech->m;
  LOCAL(gradyn_pattern) pairs = {0};
  /* pairs of rows with a common column: entries of J J^T */
  GRADYN_TRY(find_pairs(s->mech, &pairs));
  GRADYN_TRY(choose_order(s, &pairs));
  GRADYN_TRY(find_products(s));
  /* all steps share the pattern of L */
  ldl_symbolic(m, s->upper.start, s->upper.col, s->L_start, s->parent, s->count, s->flag, NULL,
               NULL);
  /* B, its factor L, and the rows of L */
  s->B = gradyn_arena_numbers(&s->arena, (size_t)s->upper.nnz);
  s->L = gradyn_arena_numbers(&s->arena, (size_t)s->L_start[m]);
  s->L_index = gradyn_arena_take(&s->arena, (size_t)s->L_start[m], sizeof *s->L_index);
  return gradyn_arena_status(&s->arena);
}

/* Allocates memory. Without constraints there is nothing to monitor. */
gradyn_status gradyn_singular_path_create(gradyn_mech *mech, gradyn_singular_path *s)
{
  size_t n = (size_t)mech->n, m = (size_t)mech->m, nnz = (size_t)mech->jac.nnz + 1;
  *s = (gradyn_singular_path){.mech = mech, .t = NAN};
  if (m == 0)
    return GRADYN_OK;
  double **jacobian[] = {&s->last, &s->from, &s->to},
         **state[] = {&s->q, &s->v, &s->a, &s->position};
  double **number[] = {&s->D, &s->size, &s->work};
  int **index[] = {&s->order, &s->parent, &s->count, &s->pattern, &s->flag, &s->L_start};
  for (int k = 0; k < 3; k++)
    *jacobian[k] = gradyn_arena_numbers(&s->arena, nnz);
  for (int k = 0; k < 4; k++)
    *state[k] = gradyn_arena_numbers(&s->arena, n);
  for (int k = 0; k < 3; k++)
    *number[k] = gradyn_arena_numbers(&s->arena, m);
  for (int k = 0; k < 6; k++)
    *index[k] = gradyn_arena_take(&s->arena, m + 1, sizeof(int));
  GRADYN_TRY(gradyn_arena_status(&s->arena));
  GRADYN_TRY(analyse(s));
  return gradyn_singularity_monitor_create(mech, &s->watch);
}

/* Also frees an object whose creation has failed. */
void gradyn_singular_path_clear(gradyn_singular_path *s)
{
  gradyn_singularity_monitor_clear(&s->watch);
  gradyn_pattern_clear(&s->upper);
  gradyn_arena_clear(&s->arena);
  *s = (gradyn_singular_path){0};
}

void gradyn_singular_path_reset(gradyn_singular_path *s)
{
  gradyn_singularity_monitor_reset(&s->watch);
  s->t = NAN;
}

/* --- comparison of two positions ---------------------------------------------------------------- */

/* Computes B of two Jacobians. s->size [m]: product of the squared lengths of a row in both Jacobians. */
static void multiply(const gradyn_singular_path *s, const double *restrict J0,
                     const double *restrict J1)
{
  const int *restrict pair = s->pair, *restrict first = s->first;
  const int *restrict start = s->mech->jac.start, *restrict order = s->order;
  double *restrict B = s->B, *restrict size = s->size;
  for (int b = 0, entries = s->upper.nnz; b < entries; b++) {
    double sum = 0;
    for (int k = first[b]; k < first[b + 1]; k++)
      /* (J0 J1^T + J1 J0^T)_ij, summed over the coordinates that both rows share */
      sum += J0[pair[2 * k]] * J1[pair[2 * k + 1]] + J1[pair[2 * k]] * J0[pair[2 * k + 1]];
    B[b] = 0.5 * sum;
  }
  for (int k = 0, m = s->mech->m; k < m; k++) {
    double square[2] = {0, 0};
    for (int p = start[order[k]], end = start[order[k] + 1]; p < end; p++) {
      square[0] += J0[p] * J0[p];
      square[1] += J1[p] * J1[p];
    }
    /* |J0_k|^2 |J1_k|^2, compared with D_k^2 to avoid square roots */
    size[k] = square[0] * square[1];
  }
}

gradyn_singular_outcome gradyn_singular_path_compare(gradyn_singular_path *s, const double *J0,
                                                     const double *J1)
{
  int m = s->mech->m;
  multiply(s, J0, J1);
  /* B = L D L^T; all D are positive if no singular position is in between */
  if (ldl_numeric(m, s->upper.start, s->upper.col, s->B, s->L_start, s->parent, s->count,
                  s->L_index, s->L, s->D, s->work, s->pattern, s->flag, NULL, NULL) < m)
    return GRADYN_PATH_TURNED; /* a pivot is zero */
  gradyn_singular_outcome result = GRADYN_PATH_CLEAR;
  for (int k = 0; k < m; k++) {
    if (!(s->D[k] > 0))
      return GRADYN_PATH_TURNED;
    if (s->D[k] * s->D[k] < least_pivot * least_pivot * s->size[k])
      result = GRADYN_PATH_NEAR;
  }
  return result;
}

/* --- a step ------------------------------------------------------------------------------------- */

/* Returns the state at `share` of the step from the last state to the next one, by a polynomial of degree
 * five. */
static gradyn_mech_state between(gradyn_singular_path *s, const gradyn_mech_state *next,
                                 double share)
{
  double h = next->t - s->t, u = share, u2 = u * u, u3 = u2 * u;
  /* the polynomial that matches q, v and a at both ends */
  double to = u3 * (10 - 15 * u + 6 * u2), from = 1 - to;
  double v0 = u - u3 * (6 - 8 * u + 3 * u2), v1 = -u3 * (4 - 7 * u + 3 * u2);
  double a0 = 0.5 * (u2 - u3 * (3 - 3 * u + u2)), a1 = 0.5 * u3 * (1 - 2 * u + u2);
  for (int i = 0; i < s->mech->n; i++)
    s->position[i] = from * s->q[i] + to * next->q[i] + h * (v0 * s->v[i] + v1 * next->v[i]) +
                     h * h * (a0 * s->a[i] + a1 * next->a[i]);
  return (gradyn_mech_state){.t = s->t + u * h, .q = s->position, .v = next->v, .a = next->a};
}

/* Checks a part of a step with the monitor. If the monitor has not evaluated the start of the part, it does
 * so first. */
static gradyn_status judge(gradyn_singular_path *s, const gradyn_mech_state *next, double from,
                           double to)
{
  gradyn_mech_state at = between(s, next, from);
  if (!(s->watch.t == at.t)) {
    gradyn_singularity_monitor_reset(&s->watch);
    GRADYN_TRY(gradyn_singularity_monitor_check(&s->watch, &at));
  }
  /* the monitor compares the sign of sigma with that of its last call */
  at = to < 1 ? between(s, next, to) : *next;
  return gradyn_singularity_monitor_check(&s->watch, &at);
}

/* Divides a step whose Jacobians at both ends are opposite in some direction. */
static gradyn_status go_through(gradyn_singular_path *s, const gradyn_mech_state *next)
{
  const double shortest = ldexp(1, -HALVINGS);
  /* shares of the step: examined so far, and length of the next part */
  double reached = 0, piece = 0.5;
  /* the start of a part is compared with its end */
  memcpy(s->from, s->last, (size_t)s->mech->jac.nnz * sizeof *s->from);
  for (int k = 0; reached < 1 && k < MOST_PIECES; k++) {
    double end = fmin(1, reached + piece);
    const gradyn_mech_state at = end < 1 ? between(s, next, end) : *next;
    gradyn_status status = s->mech->ops->phi_q(s->mech, GRADYN_CONSTRAINT, 0, &at, s->to);
    gradyn_singular_outcome found = status == GRADYN_OK
                                        ? gradyn_singular_path_compare(s, s->from, s->to)
                                        : GRADYN_PATH_CLEAR;
    /* divide the part until its ends agree, or the smallest length is reached */
    if (found == GRADYN_PATH_TURNED && piece > shortest) {
      piece /= 2;
      continue;
    }
    if (found != GRADYN_PATH_CLEAR)
      status = judge(s, next, reached, end);
    if (status != GRADYN_OK)
      return status;
    /* the end of this part is the start of the next one */
    double *swap = s->from;
    s->from = s->to;
    s->to = swap;
    reached = end;
    /* larger parts again, since the critical point has been passed */
    piece *= 2;
  }
  return GRADYN_OK;
}

/* Stores a state as the last one. Its Jacobian must be in s->to. */
static void remember(gradyn_singular_path *s, const gradyn_mech_state *at)
{
  size_t bytes = (size_t)s->mech->n * sizeof(double);
  double *swap = s->last;
  s->last = s->to;
  s->to = swap;
  memcpy(s->q, at->q, bytes);
  memcpy(s->v, at->v, bytes);
  memcpy(s->a, at->a, bytes);
  s->t = at->t;
}

/* Checks a step of a method of high order for a singular position, if accelerations at both ends do not
 * explain the change of velocities in it. */
gradyn_status gradyn_singular_path_judge_leap(gradyn_singular_path *s, const gradyn_mech_state *at)
{
  static const double part = 0.3;
  const gradyn_mech_state last = {.t = s->t, .q = s->q, .v = s->v, .a = s->a};
  if (s->mech->m == 0 || !(at->t > s->t)) /* false for NAN */
    return GRADYN_OK;
  return gradyn_velocities_jump(s->mech, at->t - s->t, part, &last, at)
             ? gradyn_singularity_monitor_leap(&s->watch, &last, at)
             : GRADYN_OK;
}

/* Checks a step. To be called once for each accepted step. */
gradyn_status gradyn_singular_path_look(gradyn_singular_path *s, const gradyn_mech_state *at)
{
  if (s->mech->m == 0)
    return GRADYN_OK;
  GRADYN_TRY(s->mech->ops->phi_q(s->mech, GRADYN_CONSTRAINT, 0, at, s->to));
  if (at->t >= s->t) { /* false for NAN */
    gradyn_singular_outcome found = gradyn_singular_path_compare(s, s->last, s->to);
    if (found == GRADYN_PATH_NEAR)
      GRADYN_TRY(judge(s, at, 0, 1));
    if (found == GRADYN_PATH_TURNED) {
      GRADYN_TRY(go_through(s, at));
      GRADYN_TRY(s->mech->ops->phi_q(s->mech, GRADYN_CONSTRAINT, 0, at, s->to));
    }
  }
  remember(s, at);
  return GRADYN_OK;
}
