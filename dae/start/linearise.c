/* Linearisation: a basis of the tangent space, and the changes that follow from each of its vectors.
 *
 *   coordinates   dq = Z dy:                  Phi_q Z = 0, and 1 in the rows of the chosen coordinates
 *   rates         dv = V dw + E dy:           Phi_q dv = -(Phi')_q dq
 *   states        dv = e_i dz:                rates of coordinates on whose positions nothing depends
 *   inputs        dq = G du, dv = H du:       Phi_q G = -Phi_u, Phi_q H = -Phi'_u - (Phi')_q G
 *
 * E, G and H are zero in the rows of the chosen coordinates. The equations of motion then give da. In a
 * steady motion, q' = L q + u, the rates of changes are taken relative to this motion: dq' - L dq and
 * dv' - L dv. */
#include "dae/start/linearise.h"
#include "core/mech/rolling.h"

#include "core/mech/vector.h"
#include "core/linear/norm.h"
#include "dae/start/freedom.h"
#include "dae/start/steady.h"
#include "dae/start/initial_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Fortran; the last arguments are the hidden lengths of the job names. */
void dsygv_(const int *type, const char *job, const char *triangle, const int *n, double *a,
            const int *lda, double *b, const int *ldb, double *w, double *work, const int *lwork,
            int *info, size_t job_length, size_t triangle_length);
void dgesv_(const int *n, const int *columns, double *a, const int *lda, int *pivots, double *b,
            const int *ldb, int *info);

/* factor by which joint coordinates are preferred to others */
static const double coordinate_of_joints = 10;

/* --- basis ----------------------------------------------------------------------------------- */

/* Computes T [n][n] by columns: column k is the tangent vector nearest to the k-th coordinate axis. */
static void project_axes(gradyn_initial *s, double *T)
{
  int n = s->mech->n;
  for (int k = 0; k < n; k++) {
    memset(s->b, 0, (size_t)(n + s->rows) * sizeof(double));
    /* [W, J^T; J, 0] (t; nu) = (W e_k; 0): t is the tangent vector nearest to e_k with the weights W */
    s->b[k] = gradyn_initial_weight(s, k);
    gradyn_initial_solve_refined(s, &s->position, s->K, s->rows, false, s->b);
    for (int i = 0; i < n; i++)
      T[(size_t)k * (size_t)n + (size_t)i] = s->b[i];
  }
}

/* A basis of tangent vectors Z, and the coordinates that it represents, chosen from `among` (NULL: all). */
typedef struct basis {
  int n, count;
  int *chosen; /* [count] */
  double *Z;   /* [count][n] */
  const int *among;
  int of; /* length of among */
} basis;

/* Returns whether a coordinate may belong to the basis. */
static bool eligible(const gradyn_mech *mech, const basis *to, int i)
{
  if (!to->among)
    /* coordinates without mechanical meaning are no degrees of freedom */
    return !(mech->spare && mech->spare[i]);
  for (int k = 0; k < to->of; k++)
    if (to->among[k] == i)
      return true;
  return false;
}

/* Chooses rows of T one after the other: each time the row with the largest part, in units of length
 * scales, that is orthogonal to the rows chosen before. W [n][n] is workspace. */
static void choose(const gradyn_mech *mech, const double *T, double *W, const basis *to)
{
  int freedom = to->count, *chosen = to->chosen;
  int n = mech->n; /* rows and columns in units of the length scales */
  for (int i = 0; i < n; i++)
    for (int k = 0; k < n; k++)
      W[(size_t)i * (size_t)n + (size_t)k] = T[(size_t)k * (size_t)n + (size_t)i] *
                                             mech->length_scale[i] / mech->length_scale[k];
  /* Gram-Schmidt elimination with the largest row as pivot makes the chosen rows as independent as possible
   */
  for (int f = 0; f < freedom; f++) {
    double most = -1, size = 1;
    for (int i = 0; i < n; i++) {
      double sum = 0;
      for (int k = 0; k < n; k++)
        sum += W[(size_t)i * (size_t)n + (size_t)k] * W[(size_t)i * (size_t)n + (size_t)k];
      if (!eligible(mech, to, i))
        continue;
      bool joint = mech->begin.nearness && mech->begin.nearness[i] == 0;
      double worth = joint ? sum * coordinate_of_joints * coordinate_of_joints : sum;
      /* of rows that are equal up to round-off, the first is chosen */
      if (worth > most * (1 + 1e-9)) {
        most = worth;
        size = sum;
        chosen[f] = i;
      }
    }
    /* remove the component along the chosen row: row - (row.w/|w|^2) w */
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

/* Computes Z = T T_c^T (T_c T_c^T)^-1, where T_c are the chosen rows of T. S [count][count] is workspace. */
static gradyn_status make_basis(const double *T, double *S, int *pivots, const basis *out)
{
  int n = out->n, f = out->count, info = 0;
  /* S = T_c T_c^T */
  for (int a = 0; a < f; a++) {
    for (int b = 0; b < f; b++) {
      S[b * f + a] = 0;
      for (int k = 0; k < n; k++)
        S[b * f + a] += T[(size_t)k * (size_t)n + (size_t)out->chosen[a]] *
                        T[(size_t)k * (size_t)n + (size_t)out->chosen[b]];
    }
  }
  /* rows of T T_c^T, which are n right-hand sides [f]; S^T z_i = row i */
  double *R = out->Z; /* [n][f], transposed later */
  for (int i = 0; i < n; i++)
    for (int a = 0; a < f; a++) {
      R[i * f + a] = 0;
      for (int k = 0; k < n; k++)
        R[i * f + a] += T[(size_t)k * (size_t)n + (size_t)i] *
                        T[(size_t)k * (size_t)n + (size_t)out->chosen[a]];
    }
  dgesv_(&f, &n, S, &f, pivots, R, &f, &info);
  return info == 0 ? GRADYN_OK : GRADYN_SINGULAR;
}

/* Transposes A [a][b] to [b][a] in place, with workspace. */
static void transpose(double *A, int a, int b, double *work)
{
  memcpy(work, A, (size_t)a * (size_t)b * sizeof(double));
  for (int i = 0; i < a; i++)
    for (int j = 0; j < b; j++)
      A[j * a + i] = work[i * b + j];
}

/* Computes Z from the projections of all axes onto the tangent space, with the present matrix. The
 * coordinates are those whose axes keep most of their length. */
static gradyn_status find_basis(gradyn_initial *s, const basis *out)
{
  const gradyn_mech *mech = s->mech;
  size_t n = (size_t)mech->n, f = (size_t)out->count;
  /* T [n][n], a copy of it for choose(), and S */
  double *T = calloc(2 * n * n + f * f + 1, sizeof *T);
  int *pivots = calloc(f + 1, sizeof *pivots);
  gradyn_status status = GRADYN_OK;
  if (!T || !pivots)
    status = gradyn_fail(mech->message, GRADYN_NO_MEMORY, "out of memory");
  else if (f > 0) {
    /* T projects onto motions that satisfy Phi_q dq = 0 */
    project_axes(s, T);
    /* choose the largest rows of T: the coordinates that describe the motion best */
    choose(mech, T, T + n * n, out);
    /* combine the columns of T so that the rows of these coordinates become the identity */
    status = make_basis(T, T + 2 * n * n, pivots, out);
    if (status != GRADYN_OK)
      (void)gradyn_fail(mech->message, status, "no independent coordinates have been found");
    transpose(out->Z, out->n, out->count, T + n * n);
  }
  free(T);
  free(pivots);
  return status;
}

/* --- changes in a direction ------------------------------------------------------------------ */

/* Solves Phi_q p = -r with the present matrix, where r [rows] is in s->b after the first n entries. Then
 * adds basis vectors so that p is zero in the chosen rows. Result: to [n]. */
static void take_particular(gradyn_initial *s, const basis *by, double *to)
{
  int n = by->n;
  memset(s->b, 0, (size_t)n * sizeof(double));
  for (int i = 0; i < s->rows; i++)
    s->b[n + i] = -s->b[n + i];
  gradyn_initial_solve_refined(s, &s->position, s->K, s->rows, false, s->b);
  memcpy(to, s->b, (size_t)n * sizeof(double));
  for (int k = 0; k < by->count; k++)
    for (int i = 0; i < n; i++)
      /* p - Z p_c is zero in the chosen rows, where p_c are the entries of p */
      to[i] -= by->Z[k * n + i] * s->b[by->chosen[k]];
}

/* Sets s->b + n to (Phi(order))_x dx + (Phi(order))_q dq. */
static gradyn_status rows_along(gradyn_initial *s, const gradyn_mech_state *at, int order,
                                const gradyn_mech_vector *d)
{
  const gradyn_mech_term term = {GRADYN_CONSTRAINT, order, *at};
  memset(s->b, 0, (size_t)(s->mech->n + s->rows) * sizeof(double));
  return gradyn_mech_along(s->mech, &term, at, d, s->work, s->b);
}

/* Returns the coordinate whose rate is first-order state k. */
static int state_at(const gradyn_linearisation *out, int k)
{
  return out->state[k] - out->n;
}

/* Computes da for a change (dq, dv, da) [3 n] whose dq and dv satisfy the constraints. */
static gradyn_status accelerate(gradyn_initial *s, const gradyn_mech_state *at, const double *dx,
                                double *change)
{
  const size_t n = (size_t)s->mech->n;
  const gradyn_mech_vector d = {.x = dx, .q = change, .v = change + n};
  GRADYN_TRY(gradyn_initial_accelerate_tangent(s, at, &d, s->way.direction));
  memcpy(change + 2 * n, s->way.direction, n * sizeof *change);
  return GRADYN_OK;
}

/* Two bases: of positions, without nonholonomic constraints, and of rates. */
typedef struct bases {
  basis position, rate;
} bases;

/* Computes the changes by each position, rate and first-order state: change [size][3][n]. */
static gradyn_status state_changes(gradyn_initial *s, const gradyn_mech_state *at, const bases *by,
                                   const gradyn_linearisation *out, double *change)
{
  const size_t n = (size_t)out->n, f = (size_t)out->dof, bytes = n * sizeof *change;
  for (size_t k = 0; k < f; k++, change += 3 * n) {
    /* dq = Z e_k, and dv = E e_k */
    memcpy(change, by->position.Z + k * n, bytes);
    GRADYN_TRY(rows_along(s, at, 1, &(gradyn_mech_vector){.q = change}));
    GRADYN_TRY(gradyn_initial_velocity_matrix(s));
    take_particular(s, &by->rate, change + n);
    GRADYN_TRY(accelerate(s, at, NULL, change));
  }
  for (int k = 0; k < out->rates; k++, change += 3 * n) {
    memcpy(change + n, by->rate.Z + (size_t)k * n, bytes); /* dv = V e_k only */
    GRADYN_TRY(accelerate(s, at, NULL, change));
  }
  for (int k = 0; k < out->states; k++, change += 3 * n) {
    change[n + (size_t)state_at(out, k)] = 1;
    GRADYN_TRY(accelerate(s, at, NULL, change));
  }
  return GRADYN_OK;
}

/* Computes the changes by each signal, which is raised by 1 at all times: change [inputs][3][n]. dx [nx] is
 * workspace. */
static gradyn_status input_changes(gradyn_initial *s, const gradyn_model *model,
                                   const gradyn_mech_state *at, const bases *by, double *dx,
                                   double *change)
{
  const size_t n = (size_t)by->position.n;
  for (int k = 0; k < model->signal_count; k++, change += 3 * n) {
    memset(dx, 0, (size_t)model->nx * sizeof(double));
    gradyn_signal_raise(&model->signal[k], dx); /* raises all knots by 1 */
    /* the rows of order 0 give G; those of order 1, with dq = G, give H */
    GRADYN_TRY(rows_along(s, at, 0, &(gradyn_mech_vector){.x = dx}));
    GRADYN_TRY(gradyn_initial_damped_matrix(s, GRADYN_PLACE_SHARE));
    take_particular(s, &by->position, change);
    GRADYN_TRY(rows_along(s, at, 1, &(gradyn_mech_vector){.x = dx, .q = change}));
    GRADYN_TRY(gradyn_initial_velocity_matrix(s));
    take_particular(s, &by->rate, change + n);
    GRADYN_TRY(accelerate(s, at, dx, change));
  }
  return GRADYN_OK;
}

/* (L x)_i */
static double carried(const double *L, int n, int i, const double *x)
{
  return gradyn_dot(L + (size_t)i * (size_t)n, x, n);
}

/* Sets a column of A or B, with this stride, to the rate of a change relative to the steady motion. */
static void take_column(const gradyn_linearisation *out, const double *L, const double *change,
                        double *column, int stride)
{
  const int n = out->n, f = out->dof;
  const double *dq = change, *dv = change + n, *da = change + 2 * (size_t)n;
  for (int k = 0; k < f; k++) {
    const int c = out->coordinate[k];
    column[k * stride] = dv[c] - carried(L, n, c, dq); /* (dy)' = dv - L dq */
  }
  for (int k = 0; k < out->rates; k++) {
    const int c = out->rate[k];
    column[(f + k) * stride] = da[c] - carried(L, n, c, dv); /* (dw)' = da - L dv */
  }
  for (int k = 0; k < out->states; k++)
    column[(f + out->rates + k) * stride] = da[state_at(out, k)]; /* (dz)' */
}

/* --- stiffness ------------------------------------------------------------------------------- */

/* Computes S [f][f], the symmetric part of Z^T A Z. y [n] is workspace. */
static void reduce(const gradyn_mech *mech, const gradyn_linearisation *out, const double *A,
                   double *y, double *S)
{
  int n = out->n, f = out->dof;
  memset(S, 0, (size_t)f * (size_t)f * sizeof(double));
  for (int k = 0; k < f; k++) {
    memset(y, 0, (size_t)n * sizeof(double));
    gradyn_pattern_multiply(&mech->dyn, n, A, 1, out->Z + (size_t)k * (size_t)n, y);
    for (int j = 0; j < f; j++)
      /* half of Z^T A Z, and half of its transpose */
      for (int i = 0; i < n; i++) {
        S[k * f + j] += out->Z[j * n + i] * y[i] / 2;
        S[j * f + k] += out->Z[j * n + i] * y[i] / 2;
      }
  }
}

/* Computes the smallest and the largest eigenvalue of the reduced stiffness relative to the reduced mass. */
static gradyn_status find_stiffness(gradyn_initial *s, const gradyn_mech_state *at,
                                    gradyn_linearisation *out)
{
  gradyn_mech *mech = s->mech;
  int f = out->dof, work_size = 4 * f + 4, type = 1, info = 0;
  size_t square = (size_t)f * (size_t)f;
  FREED double *K = calloc(2 * square + (size_t)f + (size_t)work_size + (size_t)out->n + 1,
                           sizeof *K);
  if (!K)
    return GRADYN_NO_MEMORY;
  double *M = K + square, *w = M + square, *work = w + f, *y = work + work_size;
  GRADYN_TRY(mech->ops->tangent(mech, GRADYN_DYNAMICS, at, s->K, NULL, s->M));
  if (f == 0)
    return GRADYN_OK;
  /* Z^T K Z and Z^T M Z */
  reduce(mech, out, s->K, y, K);
  reduce(mech, out, s->M, y, M);
  /* eigenvalues of K z = w M z in ascending order: squares of natural frequencies */
  dsygv_(&type, "N", "U", &f, K, &f, M, &f, w, work, &work_size, &info, 1, 1);
  out->stiffness = w[0];
  out->largest = fmax(fabs(w[0]), fabs(w[f - 1]));
  return info == 0 ? GRADYN_OK
                   : gradyn_fail(mech->message, GRADYN_SINGULAR,
                                 "a degree of freedom has no mass, so it has no frequency");
}

/* --- the linearisation ----------------------------------------------------------------------- */

/* Counts the degrees of freedom of positions, count[0], and of rates, count[1]. */
static gradyn_status count_freedoms(gradyn_initial *s, int count[2])
{
  const gradyn_mech *mech = s->mech;
  int dependents;
  GRADYN_TRY(gradyn_freedom_dependents(s, &dependents, NULL));
  count[0] = mech->n - (mech->m - mech->rolling) + dependents - gradyn_freedom_spare(s);
  count[1] = count[0];
  if (mech->rolling == 0)
    return GRADYN_OK;
  GRADYN_TRY(gradyn_freedom_dependent_rates(s, &dependents, NULL));
  count[1] = mech->n - mech->m + dependents - gradyn_freedom_spare(s);
  return GRADYN_OK;
}

/* Counts coordinates whose rates are first-order states. */
static int count_states(const gradyn_mech *mech)
{
  int count = 0;
  for (int i = 0; i < mech->n && mech->spare; i++)
    count += mech->spare[i] && !mech->idle[i];
  return count;
}

/* Lists the indices of first-order states in (q, v). Their columns of Z are the coordinates that are their
 * integrals. */
static void list_states(const gradyn_mech *mech, gradyn_linearisation *out)
{
  int k = 0;
  for (int i = 0; i < mech->n && k < out->states; i++)
    if (mech->spare[i] && !mech->idle[i]) {
      out->Z[(size_t)(out->dof + k) * (size_t)out->n + (size_t)i] = 1;
      out->state[k++] = out->n + i;
    }
}

/* Computes A and B from the changes by states and inputs, [count][3][n], and finds the steady motion L
 * [n][n]. */
static gradyn_status take_matrices(gradyn_initial *s, gradyn_model *model,
                                   const gradyn_mech_state *at, const bases *by, double *change,
                                   double *L, gradyn_linearisation *out)
{
  const int f = out->dof, size = f + out->rates + out->states, count = size + out->inputs;
  const size_t stride = 3 * (size_t)out->n;
  GRADYN_TRY(state_changes(s, at, by, out, change));
  GRADYN_TRY(input_changes(s, model, at, by, L, change + (size_t)size * stride));
  const gradyn_near near = {s, model, change, count, {f, f + out->rates, size}};
  GRADYN_TRY(gradyn_steady_find(&near, out, L));
  for (int k = 0; k < size; k++)
    take_column(out, L, change + (size_t)k * stride, out->A + k, size);
  for (int k = 0; k < out->inputs; k++)
    take_column(out, L, change + (size_t)(size + k) * stride, out->B + k, out->inputs);
  return GRADYN_OK;
}

/* Computes the basis V of rates. It is equal to Z, unless nonholonomic constraints leave fewer independent
 * rates, of the same coordinates. */
static gradyn_status find_rates(gradyn_initial *s, const bases *by)
{
  const basis *position = &by->position, *rate = &by->rate;
  if (s->mech->rolling > 0) {
    GRADYN_TRY(gradyn_initial_velocity_matrix(s));
    return find_basis(s, rate);
  }
  memcpy(rate->Z, position->Z, (size_t)position->count * (size_t)position->n * sizeof *position->Z);
  memcpy(rate->chosen, position->chosen, (size_t)position->count * sizeof *position->chosen);
  return GRADYN_OK;
}

/* Computes both bases, the stiffness, and A and B. */
static gradyn_status fill_matrices(gradyn_initial *s, gradyn_model *model,
                                   const gradyn_mech_state *at, const bases *by, double *change,
                                   double *L, gradyn_linearisation *out)
{
  GRADYN_TRY(gradyn_initial_damped_matrix(s, GRADYN_PLACE_SHARE));
  GRADYN_TRY(find_basis(s, &by->position));
  GRADYN_TRY(find_rates(s, by));
  list_states(s->mech, out);
  GRADYN_TRY(find_stiffness(s, at, out));
  return take_matrices(s, model, at, by, change, L, out);
}

/* Calls fill_matrices() with workspace. */
static gradyn_status make_matrices(gradyn_initial *s, gradyn_model *model,
                                   const gradyn_mech_state *at, gradyn_linearisation *out)
{
  const size_t n = (size_t)out->n, nx = (size_t)s->mech->nx;
  const size_t columns = (size_t)(out->dof + out->rates + out->states + out->inputs);
  double *change = calloc(3 * columns * n + 1, sizeof *change);
  /* the same memory serves for a change of the data */
  double *L = calloc(n * n + nx + 1, sizeof *L);
  double *V = calloc((size_t)out->rates * n + 1, sizeof *V);
  const bases by = {{out->n, out->dof, out->coordinate, out->Z, NULL, 0},
                    {out->n, out->rates, out->rate, V, out->coordinate, out->dof}};
  gradyn_status status = GRADYN_NO_MEMORY;
  if (change && L && V)
    status = fill_matrices(s, model, at, &by, change, L, out);
  else
    (void)gradyn_fail(s->mech->message, status, "out of memory");
  free(change);
  free(L);
  free(V);
  return status;
}

/* Linearises about a state: x' = A x + B u, with modes and static stiffness. */
gradyn_status gradyn_linearise_at(gradyn_initial *s, gradyn_model *model, double t, const double *q,
                                  const double *v, gradyn_linearisation *out)
{
  gradyn_mech *mech = s->mech;
  size_t bytes = (size_t)mech->n * sizeof(double);
  s->t = t;
  memcpy(s->q, q, bytes);
  memcpy(s->v, v, bytes);
  *out = (gradyn_linearisation){0};
  /* in this order: accelerations and multipliers, rank of the constraints, Z, A and B, modes */
  int count[3] = {0, 0, count_states(mech)};
  GRADYN_TRY(gradyn_initial_accelerate(s, t, s->q, s->v));
  const gradyn_mech_state at = gradyn_initial_motion_state(s, t, s->q, s->v);
  GRADYN_TRY(count_freedoms(s, count));
  GRADYN_TRY(gradyn_linearise_reserve(model, mech->n, count, out));
  out->t = t;
  GRADYN_TRY(make_matrices(s, model, &at, out));
  return gradyn_linearise_modes(model, out);
}
