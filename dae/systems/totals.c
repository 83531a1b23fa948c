/* Finds conserved totals. The left null space of F_y at a state contains all w for which w^T F(y, 0) does
 * not change with y there. A vector w in the null spaces at several states gives a combination of the
 * equations that does not depend on states. The rows of W are such vectors. If W F(y, 0) = 0, then W F_y'
 * y' = 0 along a motion: the totals C y with C = W F_y' are constant. */
#include "dae/systems/totals.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/linear/norm.h"
#include "dae/linear/null_space.h"

/* Number of states at which null spaces are compared: the given state and others without special values. */
enum { STATES = 4 };
/* General states beyond the number of equations; they serve to test changes of totals by data. */
enum { SPARE = 2 };
/* Sums below this fraction of their terms are round-off. */
static const double round_off = 1e-9;

typedef struct search {
  gradyn_equations_system *s;
  double t;
  const double *at, *size; /* [ny] */
  double *y, *yp, *unit;   /* [ny] state of the evaluation, zeros, a unit vector */
  double *F, *terms;       /* [ny], [ny] */
  double *columns;         /* [STATES ny][ny] F_y^T at all states */
  double *P, *work;        /* [ny][ny], [ny][ny] */
  int rows;
} search;

void gradyn_totals_clear(gradyn_totals *totals)
{
  gradyn_arena_clear(&totals->arena);
  *totals = (gradyn_totals){0};
}

/* Sets w->y to state k. State 0 is the given one; in the others, no variable is zero. Variables have their
 * given signs, since roots and logarithms may need them. */
static void go_to(search *w, int k)
{
  for (int i = 0; i < w->s->base.ny; i++) {
    const double share = 0.15 + 0.7 * fmod(0.618033988749895 * (k * 7 + i + 1), 1);
    w->y[i] = w->at[i] + (k > 0 ? copysign(share * w->size[i], w->at[i]) : 0);
  }
}

/* Adds the columns of F_y at state k as rows of w->columns. Except for the given state, a state at which
 * the equations fail is left out. */
static gradyn_status add_columns(search *w, int k)
{
  gradyn_equations_system *s = w->s;
  const int n = s->base.ny;
  go_to(w, k);
  const gradyn_status status = gradyn_equations_system_evaluate(s, w->t, w->y, w->yp, false);
  if (status != GRADYN_OK && k > 0)
    return gradyn_status_describe((int)status).kind == GRADYN_CLASS_RECOVERABLE ? GRADYN_OK
                                                                                : status;
  GRADYN_TRY(status);
  for (int i = 0; i < n; i++, w->rows++) {
    w->unit[i] = 1;
    memset(w->F, 0, (size_t)n * sizeof *w->F);
    s->base.ops->tangent(&s->base, w->unit, w->yp, w->F);
    w->unit[i] = 0;
    for (int j = 0; j < n; j++)
      w->columns[(size_t)j * (size_t)(STATES * n) + (size_t)w->rows] = w->F[j];
  }
  return GRADYN_OK;
}

/* Removes the gaps in `columns` that are reserved for states at which the equations failed. */
static void pack_columns(search *w)
{
  const size_t n = (size_t)w->s->base.ny;
  for (size_t j = 1; j < n; j++)
    memmove(w->columns + j * (size_t)w->rows, w->columns + j * STATES * n,
            (size_t)w->rows * sizeof *w->columns);
}

/* Returns the largest |w^T F_y| of all columns and states, relative to the largest entry of the column. w
 * is the row. */
static double error_of(const search *w, const double *row)
{
  const size_t n = (size_t)w->s->base.ny, rows = (size_t)w->rows;
  double worst = 0;
  for (size_t r = 0; r < rows; r++) {
    double sum = 0, most = 0;
    for (size_t j = 0; j < n; j++) {
      sum += row[j] * w->columns[j * rows + r];
      most = fmax(most, fabs(w->columns[j * rows + r]));
    }
    worst = fmax(worst, most > 0 ? fabs(sum) / most : 0);
  }
  return worst;
}

/* Sets small entries of a row of W to zero, unless w^T F_y becomes less accurate. These entries are
 * round-off of larger rates, and would change the total. */
static void clean(const search *w, double *row, double *trial)
{
  const int n = w->s->base.ny;
  const double most = gradyn_largest(row, n);
  for (int j = 0; j < n; j++)
    trial[j] = fabs(row[j]) > round_off * most ? row[j] : 0;
  if (error_of(w, trial) <= error_of(w, row))
    memcpy(row, trial, (size_t)n * sizeof *row);
}

/* Computes C = W F_y' at the point of the last evaluation. */
static void find_rates(search *w, const gradyn_totals *out, double *C)
{
  const int n = w->s->base.ny;
  for (int j = 0; j < n; j++) {
    w->unit[j] = 1;
    memset(w->F, 0, (size_t)n * sizeof *w->F);
    w->s->base.ops->tangent(&w->s->base, w->yp, w->unit, w->F);
    w->unit[j] = 0;
    for (int i = 0; i < out->count; i++)
      C[i * n + j] = w->s->id[j] != 0 ? gradyn_dot(out->W + i * n, w->F, n) : 0;
  }
}

/* Returns the round-off in w^T F. The round-off of w in the null space is relative to its largest entry. */
static double noise(const double *w, const double *F, int n)
{
  return round_off * gradyn_largest(w, n) * gradyn_largest(F, n);
}

/* Adds state k to the general states, unless the equations fail there. */
static gradyn_status add_state(search *w, int k, gradyn_totals *out)
{
  const int n = w->s->base.ny;
  double *F = out->F + (size_t)out->states * (size_t)n;
  go_to(w, k);
  const gradyn_status status = w->s->base.ops->residual(&w->s->base, w->t, w->y, w->yp, F);
  if (status != GRADYN_OK)
    return gradyn_status_describe((int)status).kind == GRADYN_CLASS_RECOVERABLE ? GRADYN_OK
                                                                                : status;
  memcpy(out->y + (size_t)out->states++ * (size_t)n, w->y, (size_t)n * sizeof *w->y);
  return GRADYN_OK;
}

/* Chooses general states y_k, two more than equations. Sets Null [states][states] to the projector onto all
 * a with sum_k a_k F(y_k) = 0. */
static gradyn_status add_states(search *w, gradyn_totals *out, double *Null)
{
  const int n = w->s->base.ny, most = n + SPARE;
  int dimension;
  out->y = gradyn_arena_numbers(&out->arena, (size_t)most * (size_t)n);
  out->F = gradyn_arena_numbers(&out->arena, (size_t)most * (size_t)n);
  out->alpha = gradyn_arena_numbers(&out->arena, (size_t)most);
  GRADYN_TRY(gradyn_arena_status(&out->arena));
  for (int k = 0; k < most; k++)
    GRADYN_TRY(add_state(w, STATES + k, out));
  gradyn_message_clear(&w->s->base.model->message);
  /* at least as many rows as columns; rows without values are zero; w->columns is large enough */
  const int side = out->states > n ? out->states : n;
  memset(w->columns, 0, (size_t)side * (size_t)out->states * sizeof *w->columns);
  for (int k = 0; k < out->states; k++)
    memcpy(w->columns + (size_t)k * (size_t)side, out->F + (size_t)k * (size_t)n,
           (size_t)n * sizeof *w->F);
  return gradyn_null_projector(side, out->states, w->columns, Null, &dimension);
}

/* Sets w->F to the derivative of F by datum k of the equations, at the present point. The count k continues
 * with the signals. */
static gradyn_status find_slope(search *w, int k)
{
  gradyn_equations_model *e = w->s->e;
  return k < e->data_count ? gradyn_equations_by_datum(e, k, w->F)
                           : gradyn_equations_by_signal(e, k - e->data_count, w->F);
}

/* Sets *exists to false unless w^T F is zero at all states for other values of datum k too, by a change of
 * W. For this, every a with sum_l a_l F(y_l) = 0 must also give sum_l a_l w^T F_x(y_l) = 0. slope [states]
 * is workspace. */
static gradyn_status persists(search *w, const gradyn_totals *out, int k, const double *Null,
                              double *slope, bool *exists)
{
  const int n = w->s->base.ny;
  for (int i = 0; i < out->count && *exists; i++) {
    double most = 0;
    for (int l = 0; l < out->states; l++) {
      gradyn_equations_at(w->s->e, w->t, out->y + (size_t)l * (size_t)n, w->yp);
      GRADYN_TRY(find_slope(w, k));
      slope[l] = gradyn_dot(out->W + i * n, w->F, n);
      most = fmax(most, noise(out->W + i * n, w->F, n));
    }
    for (int a = 0; a < out->states; a++) {
      const double rest = gradyn_dot(slope, Null + a * out->states, out->states);
      *exists = *exists && fabs(rest) <= most;
    }
  }
  return GRADYN_OK;
}

/* Returns the index in x of the datum that find_slope() counts as k. */
static int datum_of(const gradyn_equations_model *e, int k)
{
  if (k < e->data_count)
    return gradyn_equations_datum(e, k);
  const int signal = k - e->data_count, held = gradyn_equations_held(e, signal);
  return held >= 0 ? held : gradyn_signal_datum(&e->model->signal[signal]);
}

/* Lists the data on which W depends. For these, w^T F_x is not zero at all states. */
static gradyn_status find_data(search *w, gradyn_totals *out)
{
  gradyn_equations_model *e = w->s->e;
  const int n = w->s->base.ny, most = n + SPARE;
  double *Null = NULL;
  for (int k = 0; k < e->data_count + e->model->signal_count; k++) {
    bool constant = true, exists = true;
    go_to(w, 1);
    gradyn_equations_at(e, w->t, w->y, w->yp);
    GRADYN_TRY(find_slope(w, k));
    for (int i = 0; i < out->count; i++)
      constant = constant &&
                 fabs(gradyn_dot(out->W + i * n, w->F, n)) <= noise(out->W + i * n, w->F, n);
    if (constant)
      continue;
    if (!Null) {
      const size_t size = (size_t)(e->data_count + e->model->signal_count);
      Null = gradyn_arena_numbers(&out->arena, (size_t)most * (size_t)(most + 1));
      out->data = gradyn_arena_take(&out->arena, size, sizeof *out->data);
      GRADYN_TRY(gradyn_arena_status(&out->arena));
      GRADYN_TRY(add_states(w, out, Null));
    }
    GRADYN_TRY(persists(w, out, k, Null, Null + most * most, &exists));
    out->data[out->data_count++] = (gradyn_totals_datum){datum_of(e, k), exists};
  }
  return GRADYN_OK;
}

/* Fails if coefficients of a total depend on states, or if a total changes in time, both tested at a
 * general state. Otherwise finds the data on which W depends. */
static gradyn_status judge(search *w, gradyn_totals *out)
{
  gradyn_equations_system *s = w->s;
  const int n = s->base.ny;
  char name[GRADYN_TOTAL_NAME];
  go_to(w, 1);
  GRADYN_TRY(gradyn_equations_system_evaluate(s, w->t, w->y, w->yp, false));
  find_rates(w, out, w->terms);
  for (int i = 0; i < out->count; i++)
    for (int j = 0; j < n; j++)
      if (!(fabs(w->terms[i * n + j] - out->C[i * n + j]) <=
            round_off * gradyn_largest(out->C + i * n, n)))
        return gradyn_fail(&s->base.model->message, GRADYN_UNSUPPORTED,
                           "steady state before the run: the total %s has coefficients that depend "
                           "on states; they must be constant",
                           gradyn_totals_name(out, s, i, name));
  GRADYN_TRY(s->base.ops->residual(&s->base, w->t, w->y, w->yp, w->F));
  for (int i = 0; i < out->count; i++)
    if (!(fabs(gradyn_dot(out->W + i * n, w->F, n)) <= noise(out->W + i * n, w->F, n)))
      return gradyn_fail(&s->base.model->message, GRADYN_NOT_CONVERGED,
                         "steady state before the run: the total %s changes by %.3g per second at "
                         "all states. Check what is added to it",
                         gradyn_totals_name(out, s, i, name), -gradyn_dot(out->W + i * n, w->F, n));
  return find_data(w, out);
}

/* Finds the common null space of the matrices at all states, and its basis W. */
static gradyn_status find(search *w, gradyn_totals *out)
{
  const int n = w->s->base.ny;
  gradyn_message *message = &w->s->base.model->message;
  for (int k = STATES - 1; k >= 0; k--) /* the given state is last: C belongs to it */
    GRADYN_TRY(add_columns(w, k));
  gradyn_message_clear(message);
  pack_columns(w);
  const gradyn_status status = gradyn_null_projector(w->rows, n, w->columns, w->P, &out->count);
  if (status != GRADYN_OK)
    return gradyn_fail(message, status, "the conserved totals were not found");
  out->W = gradyn_arena_numbers(&out->arena, (size_t)(out->count * n) + 1);
  out->C = gradyn_arena_numbers(&out->arena, (size_t)(out->count * n) + 1);
  out->chosen = gradyn_arena_take(&out->arena, (size_t)n + 1, sizeof *out->chosen);
  GRADYN_TRY(gradyn_arena_status(&out->arena));
  if (out->count == 0)
    return GRADYN_OK;
  GRADYN_TRY(gradyn_projector_basis(n, w->P, out->count, out->chosen, w->work));
  for (int i = 0; i < out->count; i++)
    for (int j = 0; j < n; j++)
      out->W[i * n + j] = w->work[j * out->count + i];
  for (int i = 0; i < out->count; i++)
    clean(w, out->W + i * n, w->F);
  find_rates(w, out, out->C);
  return judge(w, out);
}

gradyn_status gradyn_totals_find(gradyn_equations_system *s, double t, const double *y,
                                 const double *size, gradyn_totals *out)
{
  const size_t n = (size_t)s->base.ny;
  LOCAL(gradyn_arena) arena = {0};
  search w = {.s = s, .t = t, .at = y, .size = size};
  double **vector[] = {&w.y, &w.yp, &w.unit, &w.F};
  for (size_t k = 0; k < GRADYN_COUNT(vector); k++)
    *vector[k] = gradyn_arena_numbers(&arena, n);
  w.terms = gradyn_arena_numbers(&arena, n * n);
  w.columns = gradyn_arena_numbers(&arena, (STATES * n + SPARE) * (n + SPARE));
  w.P = gradyn_arena_numbers(&arena, n * n);
  w.work = gradyn_arena_numbers(&arena, 3 * n * n);
  if (gradyn_arena_status(&arena) != GRADYN_OK)
    return gradyn_fail(&s->base.model->message, GRADYN_NO_MEMORY, "out of memory for totals");
  return find(&w, out);
}

const char *gradyn_totals_name(const gradyn_totals *totals, const gradyn_equations_system *s, int i,
                               char buffer[GRADYN_TOTAL_NAME])
{
  const int n = s->base.ny;
  const double *C = totals->C + i * n, least = round_off * gradyn_largest(C, n);
  size_t used = 0;
  buffer[0] = '\0';
  for (int j = 0; j < n && used < GRADYN_TOTAL_NAME; j++) {
    char factor[32] = "";
    if (!(fabs(C[j]) > least))
      continue;
    if (fabs(fabs(C[j]) - 1) > round_off)
      (void)snprintf(factor, sizeof factor, "%.6g ", fabs(C[j]));
    used += (size_t)snprintf(buffer + used, GRADYN_TOTAL_NAME - used, "%s%s%s",
                             C[j] < 0 ? (used ? " - " : "-")
                             : used   ? " + "
                                      : "",
                             factor, s->e->unknown[j].name);
  }
  return buffer;
}
