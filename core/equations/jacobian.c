/* Structure of many equations, colouring of columns, compressed evaluation.
 *
 * The entries of F_y and F_y' are found by differentiation column by column, at two points. These are the
 * initial state and a nearby point, where no entry vanishes by chance. Columns that share no row get the
 * same colour and are computed in one call (Curtis, Powell and Reid, 1974).
 *
 * Each evaluation is checked by one product with a vector without zeros. The check detects entries that
 * were zero at both points, and the structure is then determined again. */
#include "core/equations/jacobian.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FEW = 32 };              /* number of states up to which a dense matrix costs no more */
static const double full = 0.3; /* fraction of entries above which a dense matrix costs less */
/* Largest relative difference between the product of the matrix with a vector and the directional
 * derivative, relative to the size of its terms. Above it, the matrix has unknown entries, and all columns
 * are tried again. */
static const double least_tolerance = 1e-13;

void gradyn_jacobian_free(gradyn_jacobian *J)
{
  if (!J)
    return;
  void *array[] = {J->start,    J->row,       J->F_y,       J->F_yp,     J->in_y,
                   J->in_yp,    J->colour[0], J->colour[1], J->found[0], J->found[1],
                   J->found[2], J->v,         J->Jv,        J->sum};
  for (size_t k = 0; k < sizeof array / sizeof *array; k++)
    free(array[k]);
  free(J);
}

/* Reports that memory for the Jacobian is exhausted. */
static gradyn_status no_memory(const gradyn_jacobian *J)
{
  return gradyn_fail(&J->e->model->message, GRADYN_NO_MEMORY,
                     "out of memory for the Jacobian of %d equations", J->n);
}

/* Returns number k of a fixed pseudo-random sequence in [-1, 1). */
static double scatter(unsigned k)
{
  /* a multiplicative hash, whose upper bits are well mixed */
  unsigned mixed = (k + 1) * 2654435761u;
  mixed ^= mixed >> 15;
  mixed *= 2246822519u;
  return (mixed >> 8) / 8388608.0 - 1; /* 24 bits to [-1, 1) */
}

/* --- Structure -------------------------------------------------------------------------------- */

/* Adds an entry to the list. false: out of memory. */
static bool note(gradyn_jacobian *J, int row, int column, bool rate)
{
  if (J->known == J->capacity) {
    /* grows by doubling, because entries are found one at a time */
    int capacity = J->capacity ? 2 * J->capacity : 8 * J->n;
    /* the three arrays grow together; if one fails, the others stay valid */
    for (int k = 0; k < 3; k++) {
      int *grown = realloc(J->found[k], (size_t)capacity * sizeof *grown);
      if (!grown)
        return false;
      J->found[k] = grown;
    }
    J->capacity = capacity;
  }
  J->found[0][J->known] = row;
  J->found[1][J->known] = column;
  J->found[2][J->known++] = rate;
  return true;
}

/* Differentiates by every state and every rate at the current arguments. */
static gradyn_status try_all(gradyn_jacobian *J)
{
  for (int i = 0; i < J->n; i++)
    /* algebraic states have no rate */
    for (int rate = 0; rate < (J->id[i] != 0 ? 2 : 1); rate++) {
      GRADYN_TRY(gradyn_equations_by_state(J->e, i, rate == 1, J->Jv));
      for (int k = 0; k < J->n; k++)
        /* exact comparison with zero: complex step has no round-off here */
        if (J->Jv[k] != 0 && !note(J, k, i, rate == 1))
          return no_memory(J);
    }
  return GRADYN_OK;
}

/* Sorts known entries by columns. Entries found twice, or in both matrices, count once. Workspace: last and
 * first_of [n], next [known]. */
static void gather(gradyn_jacobian *J, int *last, int *first_of, int *next)
{
  int n = J->n, count = 0;
  for (int i = 0; i < n; i++)
    last[i] = first_of[i] = -1;
  /* backwards, so that each list is ascending */
  for (int k = J->known - 1; k >= 0; k--) { /* lists of entries by column */
    next[k] = first_of[J->found[1][k]];
    first_of[J->found[1][k]] = k;
  }
  for (int i = 0; i < n; i++) {
    J->start[i] = count;
    for (int k = first_of[i]; k >= 0; k = next[k]) {
      int row = J->found[0][k];
      /* last[row] < start[i]: row has no entry in column i yet */
      if (last[row] < J->start[i]) {
        last[row] = count;
        J->row[count] = row;
        J->in_y[count] = J->in_yp[count] = false;
        count++;
      }
      /* an entry may belong to F_y, to F_y', or to both */
      *(J->found[2][k] ? &J->in_yp[last[row]] : &J->in_y[last[row]]) = true;
    }
  }
  J->start[n] = count;
}

/* Chooses for column i the first colour that no earlier column with a common row has. by_row lists columns
 * by rows. -1: column i is empty. */
static int choose_colour(const gradyn_jacobian *J, int i, const bool *in, const int *colour,
                         const gradyn_pattern *by_row, int *seen)
{
  int c = 0;
  bool any = false;
  for (int k = J->start[i]; k < J->start[i + 1]; k++) {
    if (!in[k])
      continue;
    any = true;
    for (int j = by_row->start[J->row[k]]; j < by_row->start[J->row[k] + 1]; j++)
      /* columns before i already have colours */
      if (by_row->col[j] < i && colour[by_row->col[j]] >= 0)
        seen[colour[by_row->col[j]]] = i;
  }
  while (any && seen[c] == i) /* marks equal i only for this column, so `seen` needs no reset */
    c++;
  return any ? c : -1;
}

/* Colours the columns of F_y or F_y' so that columns of one colour share no row. */
static gradyn_status colour_columns(gradyn_jacobian *J, bool rate, int *work)
{
  const bool *in = rate ? J->in_yp : J->in_y;
  int *colour = J->colour[rate], *row = work, *column = work + J->start[J->n], count = 0;
  int *seen = column + J->start[J->n];
  LOCAL(gradyn_pattern) by_row = {0}; /* columns with entries in each row of F */
  /* entries of one matrix only, because the two are coloured separately */
  for (int i = 0; i < J->n; i++)
    for (int k = J->start[i]; k < J->start[i + 1]; k++)
      if (in[k]) {
        row[count] = J->row[k];
        column[count++] = i;
      }
  if (gradyn_pattern_create(J->n, J->n, count, row, column, &by_row) != GRADYN_OK)
    return no_memory(J);
  /* greedy colouring */
  J->colours[rate] = 0;
  for (int i = 0; i < J->n; i++)
    seen[i] = -1;
  for (int i = 0; i < J->n; i++) {
    colour[i] = choose_colour(J, i, in, colour, &by_row, seen);
    if (colour[i] >= J->colours[rate])
      J->colours[rate] = colour[i] + 1;
  }
  return GRADYN_OK;
}

/* Computes pattern and colours from the known entries. */
static gradyn_status arrange(gradyn_jacobian *J)
{
  /* the union has at most as many entries as are known */
  size_t most = (size_t)J->known + 1, n = (size_t)J->n;
  void **array[] = {(void **)&J->row, (void **)&J->F_y, (void **)&J->F_yp, (void **)&J->in_y,
                    (void **)&J->in_yp};
  const size_t size[] = {sizeof *J->row, sizeof *J->F_y, sizeof *J->F_yp, sizeof *J->in_y,
                         sizeof *J->in_yp};
  for (int k = 0; k < 5; k++) {
    void *grown = realloc(*array[k], most * size[k]);
    if (!grown)
      return no_memory(J);
    *array[k] = grown;
  }
  FREED int *work = malloc((2 * most + 2 * n + 1) * sizeof *work);
  if (!work)
    return no_memory(J);
  gather(J, work, work + n, work + 2 * n); /* workspace: last [n], first_of [n], next [known] */
  GRADYN_TRY(colour_columns(J, false, work));
  return colour_columns(J, true, work);
}

/* Sets the initial state, or a nearby state, where zero entries may become nonzero. */
static void set_point(gradyn_jacobian *J, bool beside)
{
  gradyn_equations_model *e = J->e;
  for (int i = 0; i < J->n; i++) {
    const gradyn_unknown *u = &e->unknown[i];
    double y = u->algebraic ? u->guess : e->model->x[u->datum], part = scatter((unsigned)i);
    /* offset by at most 1/16 of the value, or between 1/32 and 5/32 if the value is zero */
    J->v[i] = !beside ? y : y != 0 ? y * (1 + part / 16) : (1.5 + part) / 16;
    /* consistent rates are not known yet: zero at first */
    J->Jv[i] = beside ? scatter((unsigned)(i + J->n)) : 0;
  }
  gradyn_equations_at(e, 0, J->v, J->Jv);
}

/* Finds the structure from two points. */
static gradyn_status find_structure(gradyn_jacobian *J)
{
  /* at the initial state, at which the equations must be defined */
  set_point(J, false);
  GRADYN_TRY(try_all(J));
  /* at a nearby point, at which they may be undefined */
  int certain = J->known;
  set_point(J, true);
  gradyn_status status = try_all(J);
  /* the equations are undefined here: only entries of the first point are used */
  if (status != GRADYN_OK && status != GRADYN_NO_MEMORY) {
    gradyn_message_clear(&J->e->model->message);
    J->known = certain;
    status = GRADYN_OK;
  }
  /* a reset restores this list, so that repeated runs give identical results */
  J->first_known = J->known;
  return status == GRADYN_OK ? arrange(J) : status;
}

gradyn_status gradyn_jacobian_create(gradyn_equations_model *e, const double *id,
                                     gradyn_jacobian **out)
{
  *out = NULL;
  if (e->count <= FEW)
    /* *out is NULL: the caller uses a dense matrix */
    return GRADYN_OK;
  gradyn_jacobian *J = calloc(1, sizeof *J);
  if (!J)
    return gradyn_fail(&e->model->message, GRADYN_NO_MEMORY, "out of memory");
  size_t n = (size_t)e->count;
  J->e = e;
  J->n = e->count;
  J->id = id;
  J->tolerance = least_tolerance;
  /* colours of both matrices, and vectors for products */
  J->start = calloc(n + 1, sizeof *J->start);
  J->colour[0] = calloc(n, sizeof(int));
  J->colour[1] = calloc(n, sizeof(int));
  J->v = calloc(n, sizeof(double));
  J->Jv = calloc(n, sizeof(double));
  J->sum = calloc(n, sizeof(double));
  gradyn_status status = GRADYN_NO_MEMORY;
  if (J->start && J->colour[0] && J->colour[1] && J->v && J->Jv && J->sum)
    status = find_structure(J);
  else
    no_memory(J);
  /* sparse enough to save time */
  if (status == GRADYN_OK && J->start[n] < full * (double)n * (double)n) {
    *out = J;
    return GRADYN_OK;
  }
  gradyn_jacobian_free(J);
  /* too dense, or evaluation failed: the caller uses a dense matrix */
  if (status == GRADYN_NO_MEMORY)
    return status;
  /* the caller will report the failure when it evaluates the equations at the start */
  gradyn_message_clear(&e->model->message);
  return GRADYN_OK;
}

/* Creates one pattern for the linear systems of all c: F_y + c F_y' has the entries of both matrices. */
gradyn_status gradyn_jacobian_pattern(const gradyn_jacobian *J, gradyn_pattern *pattern,
                                      int *position)
{
  int count = J->start[J->n];
  FREED int *column = calloc((size_t)count + 1, sizeof *column);
  if (!column)
    return no_memory(J);
  /* the pattern is ordered by rows, entries here by columns; position[k] maps one to the other */
  for (int i = 0; i < J->n; i++)
    for (int k = J->start[i]; k < J->start[i + 1]; k++)
      column[k] = i;
  if (gradyn_pattern_create(J->n, J->n, count, J->row, column, pattern) != GRADYN_OK)
    return no_memory(J);
  for (int k = 0; k < count; k++)
    position[k] = gradyn_pattern_find(pattern, J->row[k], column[k]);
  return GRADYN_OK;
}

bool gradyn_jacobian_reset(gradyn_jacobian *J)
{
  J->tolerance = least_tolerance;
  if (J->known == J->first_known)
    return false;
  J->known = J->first_known;
  return arrange(J) == GRADYN_OK; /* cannot fail: the arrays only shrink */
}

/* --- Evaluation ------------------------------------------------------------------------------- */

/* Computes all entries of F_y or F_y'. */
static gradyn_status evaluate(gradyn_jacobian *J, bool rate)
{
  const bool *in = rate ? J->in_yp : J->in_y;
  double *F = rate ? J->F_yp : J->F_y;
  memset(F, 0, (size_t)J->start[J->n] * sizeof *F);
  for (int c = 0; c < J->colours[rate]; c++) {
    /* one call for all columns of a colour; each row has at most one entry among them */
    GRADYN_TRY(gradyn_equations_by_colour(J->e, J->colour[rate], c, rate, J->Jv));
    for (int i = 0; i < J->n; i++)
      for (int k = J->start[i]; k < J->start[i + 1] && J->colour[rate][i] == c; k++)
        if (in[k])
          F[k] = J->Jv[J->row[k]];
  }
  return GRADYN_OK;
}

/* Finds the largest difference between the product with a vector and the directional derivative of the
 * equations, relative to the sum of the terms' magnitudes. The difference is round-off, or shows an unknown
 * entry. */
static gradyn_status compare(gradyn_jacobian *J, double *worst)
{
  for (int i = 0; i < J->n; i++) {
    /* in [1, 3): positive, so that magnitudes of terms add up */
    J->v[i] = scatter((unsigned)i) + 2;
    J->sum[i] = 0;
  }
  GRADYN_TRY(gradyn_equations_by_states(J->e, J->v, J->Jv));
  for (int i = 0; i < J->n; i++)
    for (int k = J->start[i]; k < J->start[i + 1]; k++) {
      /* F_y v + F_y' v, subtracted from the directional derivative */
      J->Jv[J->row[k]] -= (J->F_y[k] + J->F_yp[k]) * J->v[i];
      J->sum[J->row[k]] += (fabs(J->F_y[k]) + fabs(J->F_yp[k])) * J->v[i];
    }
  *worst = 0;
  for (int i = 0; i < J->n; i++)
    if (J->Jv[i] != 0)
      /* a nonzero difference in a row without entries shows an entry that was not declared */
      *worst = fmax(*worst, J->sum[i] > 0 ? fabs(J->Jv[i]) / J->sum[i] : HUGE_VAL);
  return GRADYN_OK;
}

/* Evaluates F_y and F_y' at the present arguments. */
static gradyn_status evaluate_both(gradyn_jacobian *J)
{
  GRADYN_TRY(evaluate(J, false));
  return evaluate(J, true);
}

gradyn_status gradyn_jacobian_at(gradyn_jacobian *J)
{
  double worst = 0;
  int before = J->start[J->n];
  /* an entry may have been zero at the first points, for example because of a condition */
  J->grown = false;
  GRADYN_TRY(evaluate_both(J));
  GRADYN_TRY(compare(J, &worst));
  if (worst <= J->tolerance)
    return GRADYN_OK;
  /* tries all columns at this state; known entries remain */
  GRADYN_TRY(try_all(J));
  GRADYN_TRY(arrange(J));
  J->grown = J->start[J->n] > before;
  if (!J->grown) /* no new entries: much cancellation in the equations, so the tolerance rises */
    J->tolerance = 10 * worst;
  return evaluate_both(J);
}
