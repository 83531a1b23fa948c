/* Linearisation: a basis of the tangent space, and what follows from each of its vectors.
 *   coordinates   dq = Z dy:                  Phi_q Z = 0, and 1 in the rows of the chosen coordinates
 *   rates         dv = Z dy' + E dy:          Phi_q dv = -(Phi')_q dq
 *   states        dv = e_i dz:                rates of coordinates on whose places nothing depends
 *   inputs        dq = G du, dv = H du:       Phi_q G = -Phi_u, Phi_q H = -Phi'_u - (Phi')_q G
 * with zeros in the rows of the chosen coordinates of E, G, H; then da from the equations of motion. */
#include "dae/start/linearise.h"
#include "core/mech/rolling.h"

#include "core/mech/vector.h"
#include "dae/start/freedom.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Fortran; the last arguments are the hidden lengths of the job names. */
void dsygv_(const int *type, const char *job, const char *triangle, const int *n, double *a,
            const int *lda, double *b, const int *ldb, double *w, double *work, const int *lwork,
            int *info, size_t job_length, size_t triangle_length);
void dgesv_(const int *n, const int *columns, double *a, const int *lda, int *pivots, double *b,
            const int *ldb, int *info);

static const double coordinate_of_joints = 10; /* how much sooner these are chosen than others */

/* --- basis ------------------------------------------------------------------------------------ */

/* T [n][n], column k by column: the tangent vector nearest to the k-th coordinate. */
static void project_axes(gradyn_initial *s, double *T)
{
  int n = s->mech->n;
  for (int k = 0; k < n; k++) {
    memset(s->b, 0, (size_t)(n + s->rows) * sizeof(double));
    /* [W, J^T; J, 0] (t; nu) = (W e_k; 0): t is tangent, W-nearest to e_k */
    s->b[k] = gradyn_initial_weight(s, k);
    gradyn_initial_solve_refined(s, &s->place, s->K, s->rows, false, s->b);
    for (int i = 0; i < n; i++)
      T[(size_t)k * (size_t)n + (size_t)i] = s->b[i];
  }
}

/* Chooses rows of T one after the other: that of which most is left, with levers, when the ones chosen before
 * are taken out. W [n][n] is scratch. */
static void choose(const gradyn_mech *mech, const double *T, double *W, int freedom, int *chosen)
{
  int n = mech->n; /* by lengths: rows and columns in units of the levers */
  for (int i = 0; i < n; i++)
    for (int k = 0; k < n; k++)
      W[(size_t)i * (size_t)n + (size_t)k] = T[(size_t)k * (size_t)n + (size_t)i] * mech->lever[i] /
                                             mech->lever[k];
  /* Gram and Schmidt with the largest row as pivot: the rows chosen are as independent as can be */
  for (int f = 0; f < freedom; f++) {
    double most = -1, size = 1;
    for (int i = 0; i < n; i++) {
      double sum = 0;
      for (int k = 0; k < n; k++)
        sum += W[(size_t)i * (size_t)n + (size_t)k] * W[(size_t)i * (size_t)n + (size_t)k];
      if (mech->spare && mech->spare[i])
        continue; /* no freedom */
      bool joint = mech->begin.nearness && mech->begin.nearness[i] == 0;
      double worth = joint ? sum * coordinate_of_joints * coordinate_of_joints : sum;
      /* of rows that are equal but for round-off the first */
      if (worth > most * (1 + 1e-9)) {
        most = worth;
        size = sum;
        chosen[f] = i;
      }
    }
    /* what is left of the other rows behind that one: row - (row.w/|w|^2) w */
    const double *w = W + (size_t)chosen[f] * (size_t)n;
    for (int i = 0; i < n; i++) {
      double *row = W + (size_t)i * (size_t)n, part = 0;
      if (row == w || size == 0)
        continue;
      for (int k = 0; k < n; k++)
        part += row[k] * w[k] / size;
      for (int k = 0; k < n; k++)
        row[k] -= part * w[k];
    }
    memset(W + (size_t)chosen[f] * (size_t)n, 0, (size_t)n * sizeof(double));
  }
}

/* Z = T T_c^T (T_c T_c^T)^-1, T_c: the chosen rows. S [freedom][freedom]. */
static gradyn_status make_basis(const double *T, double *S, int *pivots, gradyn_linearisation *out)
{
  int n = out->n, f = out->freedom, info = 0;
  /* S = T_c T_c^T */
  for (int a = 0; a < f; a++) {
    for (int b = 0; b < f; b++) {
      S[b * f + a] = 0;
      for (int k = 0; k < n; k++)
        S[b * f + a] += T[(size_t)k * (size_t)n + (size_t)out->coordinate[a]] *
                        T[(size_t)k * (size_t)n + (size_t)out->coordinate[b]];
    }
  }
  /* T T_c^T by rows i is the right-hand side S^T z_i of n columns [f] */
  double *R = out->Z; /* [n][f] for the moment */
  for (int i = 0; i < n; i++)
    for (int a = 0; a < f; a++) {
      R[i * f + a] = 0;
      for (int k = 0; k < n; k++)
        R[i * f + a] += T[(size_t)k * (size_t)n + (size_t)i] *
                        T[(size_t)k * (size_t)n + (size_t)out->coordinate[a]];
    }
  dgesv_(&f, &n, S, &f, pivots, R, &f, &info);
  return info == 0 ? GRADYN_OK : GRADYN_SINGULAR;
}

/* [a][b] -> [b][a] by way of work. */
static void transpose(double *A, int a, int b, double *work)
{
  memcpy(work, A, (size_t)a * (size_t)b * sizeof(double));
  for (int i = 0; i < a; i++)
    for (int j = 0; j < b; j++)
      A[j * a + i] = work[i * b + j];
}

/* Z, from the projections of all axes onto the tangent space: those that keep most of their
 * length are coordinates. */
static gradyn_status find_basis(gradyn_initial *s, gradyn_linearisation *out)
{
  const gradyn_mech *mech = s->mech;
  size_t n = (size_t)mech->n, f = (size_t)out->freedom;
  /* T [n][n], its copy for choose(), and a square */
  double *T = calloc(2 * n * n + f * f + 1, sizeof *T);
  int *pivots = calloc(f + 1, sizeof *pivots);
  gradyn_status status = T && pivots ? GRADYN_OK : GRADYN_NO_MEMORY;
  /* K of the velocity problem: W and Phi_q */
  if (status == GRADYN_OK)
    status = gradyn_initial_velocity_matrix(s);
  if (status == GRADYN_OK && f > 0) {
    /* T projects onto motions that Phi_q allows */
    project_axes(s, T);
    /* its f largest columns, by coordinates that describe the motion best */
    choose(mech, T, T + n * n, out->freedom, out->coordinate);
    /* Z: T's columns so scaled that these coordinates are the identity */
    status = make_basis(T, T + 2 * n * n, pivots, out);
    if (status != GRADYN_OK)
      (void)gradyn_fail(mech->message, status, "no independent coordinates have been found");
    transpose(out->Z, out->n, out->freedom, T + n * n);
  }
  free(T);
  free(pivots);
  return status;
}

/* --- what follows from a direction ------------------------------------------------------------ */

/* Solves Phi_q p = -r in s->b, r [rows] behind the first n numbers there, and adds of Z what makes the chosen
 * rows zero: to [n]. */
static void take_particular(gradyn_initial *s, const gradyn_linearisation *out, double *to)
{
  int n = out->n;
  memset(s->b, 0, (size_t)n * sizeof(double));
  for (int i = 0; i < s->rows; i++)
    s->b[n + i] = -s->b[n + i];
  gradyn_initial_solve_refined(s, &s->place, s->K, s->rows, false, s->b);
  memcpy(to, s->b, (size_t)n * sizeof(double));
  for (int k = 0; k < out->freedom; k++)
    for (int i = 0; i < n; i++)
      /* p - Z p_c is zero in the chosen rows */
      to[i] -= out->Z[k * n + i] * s->b[out->coordinate[k]];
}

/* (Phi(order))_x dx + (Phi(order))_q dq to s->b + n. */
static gradyn_status rows_along(gradyn_initial *s, const gradyn_mech_state *at, int order,
                                const gradyn_mech_vector *d)
{
  const gradyn_mech_term term = {GRADYN_CONSTRAINT, order, *at};
  memset(s->b, 0, (size_t)(s->mech->n + s->rows) * sizeof(double));
  return gradyn_mech_along(s->mech, &term, at, d, s->work, s->b);
}

/* The coordinate whose rate is first-order state k. */
static int state_at(const gradyn_linearisation *out, int k)
{
  return out->state[k] - out->n;
}

/* Column of A or B: `stride` apart, from changes dq, dv that satisfy the constraints. */
static gradyn_status take_column(gradyn_initial *s, const gradyn_mech_state *at,
                                 const gradyn_mech_vector *d, const gradyn_linearisation *out,
                                 double *column, int stride)
{
  int f = out->freedom;
  GRADYN_TRY(gradyn_initial_accelerate_tangent(s, at, d, s->way.direction));
  for (int k = 0; k < f; k++) {
    column[k * stride] = d->v[out->coordinate[k]]; /* (dy)' = dy' */
    /* (dy')' = da in the chosen rows */
    column[(f + k) * stride] = s->way.direction[out->coordinate[k]];
  }
  for (int k = 0; k < out->states; k++)
    column[(2 * f + k) * stride] = s->way.direction[state_at(out, k)]; /* (dz)' */
  return GRADYN_OK;
}

/* A: a column for each coordinate, each rate and each first-order state; d [2 n] scratch. */
static gradyn_status state_columns(gradyn_initial *s, const gradyn_mech_state *at, double *d,
                                   gradyn_linearisation *out)
{
  const int n = out->n, f = out->freedom, size = 2 * f + out->states;
  /* each freedom gives two columns: displaced, and moving */
  for (int k = 0; k < f; k++) {
    /* dq = Z e_k with dv = E e_k; then dv = Z e_k alone */
    memcpy(d, out->Z + (size_t)k * (size_t)n, (size_t)n * sizeof(double));
    GRADYN_TRY(rows_along(s, at, 1, &(gradyn_mech_vector){.q = d}));
    GRADYN_TRY(gradyn_initial_velocity_matrix(s));
    take_particular(s, out, d + n);
    GRADYN_TRY(
        take_column(s, at, &(gradyn_mech_vector){.q = d, .v = d + n}, out, out->A + k, size));
    GRADYN_TRY(take_column(s, at, &(gradyn_mech_vector){.v = d}, out, out->A + f + k, size));
  }
  memset(d, 0, (size_t)n * sizeof *d);
  for (int k = 0; k < out->states; k++) {
    d[state_at(out, k)] = 1;
    GRADYN_TRY(take_column(s, at, &(gradyn_mech_vector){.v = d}, out, out->A + 2 * f + k, size));
    d[state_at(out, k)] = 0;
  }
  return GRADYN_OK;
}

/* B: a column for each signal, raised as a whole; dx [nx], d [2 n] scratch. */
static gradyn_status input_columns(gradyn_initial *s, const gradyn_model *model,
                                   const gradyn_mech_state *at, double *dx, double *d,
                                   gradyn_linearisation *out)
{
  int n = out->n;
  for (int k = 0; k < out->inputs; k++) {
    memset(dx, 0, (size_t)model->nx * sizeof(double));
    gradyn_signal_raise(&model->signal[k], dx); /* all knots by 1: the signal as a whole */
    for (int order = 0; order < 2; order++) {
      /* order 0 gives G, order 1 with dq = G gives H */
      GRADYN_TRY(
          rows_along(s, at, order, &(gradyn_mech_vector){.x = dx, .q = order > 0 ? d : NULL}));
      GRADYN_TRY(gradyn_initial_velocity_matrix(s));
      take_particular(s, out, d + order * n);
    }
    GRADYN_TRY(take_column(s, at, &(gradyn_mech_vector){.x = dx, .q = d, .v = d + n}, out,
                           out->B + k, out->inputs));
  }
  return GRADYN_OK;
}

/* --- stiffness -------------------------------------------------------------------------------- */

/* S [f][f] = Z^T A Z, its symmetric part. y [n]. */
static void reduce(const gradyn_mech *mech, const gradyn_linearisation *out, const double *A,
                   double *y, double *S)
{
  int n = out->n, f = out->freedom;
  memset(S, 0, (size_t)f * (size_t)f * sizeof(double));
  for (int k = 0; k < f; k++) {
    memset(y, 0, (size_t)n * sizeof(double));
    gradyn_pattern_multiply(&mech->dyn, n, A, 1, out->Z + (size_t)k * (size_t)n, y);
    for (int j = 0; j < f; j++)
      /* (Z^T A Z + its transpose)/2 */
      for (int i = 0; i < n; i++) {
        S[k * f + j] += out->Z[j * n + i] * y[i] / 2;
        S[j * f + k] += out->Z[j * n + i] * y[i] / 2;
      }
  }
}

/* Extreme eigenvalues of the reduced stiffness by the reduced masses. */
static gradyn_status find_stiffness(gradyn_initial *s, const gradyn_mech_state *at,
                                    gradyn_linearisation *out)
{
  gradyn_mech *mech = s->mech;
  int f = out->freedom, work_size = 4 * f + 4, type = 1, info = 0;
  size_t square = (size_t)f * (size_t)f;
  double *K = calloc(2 * square + (size_t)f + (size_t)work_size + (size_t)out->n + 1, sizeof *K);
  if (!K)
    return GRADYN_NO_MEMORY;
  double *M = K + square, *w = M + square, *work = w + f, *y = work + work_size;
  gradyn_status status = mech->ops->tangent(mech, GRADYN_DYNAMICS, at, s->K, NULL, s->M);
  if (status == GRADYN_OK && f > 0) {
    /* Z^T K Z and Z^T M Z */
    reduce(mech, out, s->K, y, K);
    reduce(mech, out, s->M, y, M);
    /* K z = w M z, ascending: squares of natural frequencies */
    dsygv_(&type, "N", "U", &f, K, &f, M, &f, w, work, &work_size, &info, 1, 1);
    out->stiffness = w[0];
    out->largest = fmax(fabs(w[0]), fabs(w[f - 1]));
  }
  free(K);
  if (info != 0)
    status = gradyn_fail(mech->message, GRADYN_SINGULAR,
                         "there is a freedom without mass: it has no frequency");
  return status;
}

/* --- all of it -------------------------------------------------------------------------------- */

/* Coordinates whose rates are first-order states. */
static int count_states(const gradyn_mech *mech)
{
  int count = 0;
  for (int i = 0; i < mech->n && mech->spare; i++)
    count += mech->spare[i] && !mech->idle[i];
  return count;
}

/* First-order states: their places among (q, v), and what they are of `q`, in which they stand for their
 * integrals. */
static void list_states(const gradyn_mech *mech, gradyn_linearisation *out)
{
  int k = 0;
  for (int i = 0; i < mech->n && k < out->states; i++)
    if (mech->spare[i] && !mech->idle[i]) {
      out->Z[(size_t)(out->freedom + k) * (size_t)out->n + (size_t)i] = 1;
      out->state[k++] = out->n + i;
    }
}

/* x' = A x + B u about a state, with modes and static stiffness; only for constraints that allow
 * it. */
gradyn_status gradyn_linearise_at(gradyn_initial *s, gradyn_model *model, double t, const double *q,
                                  const double *v, gradyn_linearisation *out)
{
  gradyn_mech *mech = s->mech;
  size_t bytes = (size_t)mech->n * sizeof(double);
  int dependents = 0;
  if (mech->rolling > 0)
    return gradyn_fail(mech->message, GRADYN_UNSUPPORTED,
                       "%s holds velocities alone, which the linearisation does not know",
                       gradyn_mech_first_roll(mech));
  s->t = t;
  memcpy(s->q, q, bytes);
  memcpy(s->v, v, bytes);
  *out = (gradyn_linearisation){0};
  double *d = calloc(2 * (size_t)mech->n + (size_t)mech->nx + 1, sizeof *d);
  if (!d)
    return gradyn_fail(mech->message, GRADYN_NO_MEMORY, "out of memory");
  /* a and lam there, the rank of the constraints, then Z, A, B and modes */
  gradyn_status status = gradyn_initial_accelerate(s, t, s->q, s->v);
  const gradyn_mech_state at = gradyn_initial_motion_state(s, t, s->q, s->v);
  if (status == GRADYN_OK)
    status = gradyn_freedom_dependents(s, &dependents, NULL);
  if (status == GRADYN_OK)
    status = gradyn_linearise_reserve(model, mech->n,
                                      mech->n - mech->m + dependents - gradyn_freedom_spare(s),
                                      count_states(mech), out);
  /* dq = Z dz, then A and B by columns along Z and the signals */
  out->t = t;
  if (status == GRADYN_OK)
    status = find_basis(s, out);
  if (status == GRADYN_OK)
    list_states(mech, out);
  if (status == GRADYN_OK)
    status = state_columns(s, &at, d, out);
  if (status == GRADYN_OK)
    status = input_columns(s, model, &at, d + 2 * mech->n, d, out);
  if (status == GRADYN_OK)
    status = gradyn_linearise_modes(model, out);
  if (status == GRADYN_OK)
    status = find_stiffness(s, &at, out);
  free(d);
  return status;
}
