/* The matrix F_y + cj F_y' of steps to a steady state, and directions that grow along the motion. In a step
 * of length 1/cj, the implicit Euler method multiplies a part that grows by exp(lambda t) by
 * cj/(cj - lambda). A step longer than 1/lambda damps or reverses this part, and the motion would reach a
 * wrong state. Such a step is detected by the sign of det(F_y + cj F_y'), which changes where cj passes
 * lambda. */
#include <math.h>
#include <string.h>

#include "core/linear/norm.h"
#include "dae/systems/steady_equations.h"

/* Fortran. */
void dgetrf_(const int *m, const int *n, double *A, const int *lda, int *pivots, int *info);
void dgetrs_(const char *transposed, const int *n, const int *columns, const double *A,
             const int *lda, const int *pivots, double *b, const int *ldb, int *info,
             size_t transposed_length);

/* Distances from a steady state below this part of the sizes are round-off of the steps. */
static const double round_off = 1e-11;

gradyn_status gradyn_steady_state_fill(gradyn_steady_state *w, int side, double by_y, double by_yp)
{
  const gradyn_equations_system *s = w->plain;
  const int n = s->base.ny;
  if (side > w->capacity) {
    w->K = gradyn_arena_numbers(&w->arena, (size_t)side * (size_t)side);
    w->b = gradyn_arena_numbers(&w->arena, (size_t)side);
    w->pivots = gradyn_arena_take(&w->arena, (size_t)side, sizeof *w->pivots);
    GRADYN_TRY(gradyn_arena_status(&w->arena));
    w->capacity = side;
  }
  memset(w->K, 0, (size_t)side * (size_t)side * sizeof *w->K);
  for (int j = 0; j < n; j++) {
    const int first = s->J ? s->J->start[j] : j * n, end = s->J ? s->J->start[j + 1] : first + n;
    for (int k = first; k < end; k++)
      w->K[(size_t)j * (size_t)side + (size_t)(s->J ? s->J->row[k] : k - first)] =
          s->id[j] != 0 ? by_y * s->F_y[k] + by_yp * s->F_yp[k] : s->F_y[k];
  }
  return GRADYN_OK;
}

gradyn_status gradyn_steady_state_sign(gradyn_steady_state *w, double by_y, double by_yp, int *sign)
{
  const int n = w->system->ny;
  int info = 0;
  *sign = 0;
  if (n > GRADYN_STEADY_TESTED)
    return GRADYN_OK;
  GRADYN_TRY(gradyn_steady_state_fill(w, n, by_y, by_yp));
  dgetrf_(&n, &n, w->K, &n, w->pivots, &info);
  *sign = info == 0;
  for (int i = 0; i < n; i++)
    if ((w->K[(size_t)i * (size_t)(n + 1)] < 0) != (w->pivots[i] != i + 1))
      *sign = -*sign;
  return GRADYN_OK;
}

gradyn_status gradyn_steady_state_lost(gradyn_steady_state *w, double rate, const double *from,
                                       bool *lost)
{
  const int n = w->system->ny, one = 1;
  double *z = w->d, off = 0, most = 0;
  int info = 0;
  GRADYN_TRY(w->system->ops->linearise(w->system, gradyn_model_start(w->model), w->y, w->yp));
  GRADYN_TRY(gradyn_steady_state_fill(w, n, 1, rate * (1 + 1e-7)));
  dgetrf_(&n, &n, w->K, &n, w->pivots, &info);
  /* inverse iteration for z^T (F_y + rate F_y') = 0; the factor 1 + 1e-7 keeps the matrix regular */
  for (int i = 0; i < n; i++)
    z[i] = 1 + fmod(0.618033988749895 * (i + 1), 1); /* start without special direction */
  for (int k = 0; k < 3 && info == 0; k++) {
    dgetrs_("T", &n, &one, w->K, &n, w->pivots, z, &n, &info, 1);
    const double size = gradyn_largest(z, n);
    for (int i = 0; i < n; i++)
      z[i] /= size;
  }
  /* off = z^T F_y' (from - y), column by column */
  GRADYN_TRY(gradyn_steady_state_fill(w, n, 0, 1));
  for (int j = 0; j < n; j++) {
    if (w->plain->id[j] == 0)
      continue;
    const double weight = gradyn_dot(w->K + (size_t)j * (size_t)n, z, n);
    off += weight * (from[j] - w->y[j]);
    most += fabs(weight) * fmax(w->size[j], fabs(w->y[j]));
  }
  *lost = info == 0 && fabs(off) <= round_off * most;
  return GRADYN_OK;
}
