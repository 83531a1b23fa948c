/* The Riccati equation backward along a nominal run.
 *
 * The equation -P' = A^T P + P A - P B R^-1 B^T P + Q is not integrated directly: large weights make it
 * stiff. Its Hamiltonian system Y' = H Y, H = [A, -C; -Q, -A^T] with C = B R^-1 B^T, is linear. Over a step
 * Y(t + h) = Psi Y(t), and P at the start of the step follows from P at its end and the blocks of Psi. Steps
 * are halved until P converges. */
#include "adjoint/analyses/riccati.h"
#include "core/linear/norm.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* LAPACK; the last arguments are the lengths of the character arguments. */
void dgesv_(const int *n, const int *columns, double *A, const int *lda, int *pivot, double *b,
            const int *ldb, int *info);
void dpotrs_(const char *triangle, const int *n, const int *columns, const double *A,
             const int *lda, double *b, const int *ldb, int *info, size_t triangle_length);

enum { MOST_PARTS = 8192 }; /* steps per interval */

/* Largest accepted change of P for twice as many steps, relative to the roots of its diagonal. */
static const double near_enough = 1e-11;

/* --- life --------------------------------------------------------------------------------------- */

void gradyn_riccati_clear(gradyn_riccati *s)
{
  gradyn_arena_clear(&s->arena);
  free(s->Psi);
  *s = (gradyn_riccati){0};
}

static gradyn_status no_memory(const gradyn_riccati *s)
{
  return gradyn_fail(&s->nominal->model->message, GRADYN_NO_MEMORY,
                     "out of memory for a regulator");
}

gradyn_status gradyn_riccati_create(gradyn_nominal *nominal, int inputs, const double *dx, int rank,
                                    const double *G, const double *R_root, gradyn_riccati *s)
{
  size_t n = (size_t)nominal->size, m = (size_t)inputs, square = n * n + 1;
  *s = (gradyn_riccati){.nominal = nominal, .size = nominal->size, .inputs = inputs, .rank = rank};
  s->largest = nominal->size;
  s->G = G;
  s->R_root = R_root;
  s->parts = 1;
  s->matrices = (gradyn_nominal_matrices){.inputs = inputs, .dx = dx};
  /* arrays of one step; Psi holds several steps and grows when they are halved */
  gradyn_arena *arena = &s->arena;
  s->matrices.A = gradyn_arena_numbers(arena, square);
  s->matrices.B = gradyn_arena_numbers(arena, n * m);
  s->C = gradyn_arena_numbers(arena, n * m);
  s->BT = gradyn_arena_numbers(arena, n * m);
  s->LG = gradyn_arena_numbers(arena, n * (size_t)rank);
  s->H = gradyn_arena_numbers(arena, 4 * square);
  s->Y = gradyn_arena_numbers(arena, 4 * square);
  s->slope = gradyn_arena_numbers(arena, 4 * square * (size_t)nominal->tableau->stages);
  s->z = gradyn_arena_numbers(arena, (size_t)nominal->nz);
  s->left = gradyn_arena_numbers(arena, square);
  s->right = gradyn_arena_numbers(arena, square);
  s->P[0] = gradyn_arena_numbers(arena, square);
  s->P[1] = gradyn_arena_numbers(arena, square);
  s->pivot = gradyn_arena_take(arena, n, sizeof(int));
  return gradyn_arena_status(arena) == GRADYN_OK ? GRADYN_OK : no_memory(s);
}

/* --- one step ----------------------------------------------------------------------------------- */

/* Computes C = R^-1 B^T of the present matrices, or -B^T for covariances. B by rows is B^T by columns. */
static void weigh_inputs(gradyn_riccati *s)
{
  int n = s->size, m = s->inputs, info = 0;
  for (int i = 0; i < n && !s->R_root; i++)
    for (int j = 0; j < m; j++)
      s->C[j * n + i] = -s->matrices.B[i * m + j];
  if (!s->R_root)
    return;
  memcpy(s->BT, s->matrices.B, (size_t)n * (size_t)m * sizeof(double));
  if (m > 0 && n > 0)
    dpotrs_("U", &m, &n, s->R_root, &m, s->BT, &m, &info, 1);
  /* C is stored by rows */
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      s->C[j * n + i] = s->BT[i * m + j];
}

/* Assembles H [2 n][2 n] of the present matrices and L. */
static void assemble(gradyn_riccati *s)
{
  int n = s->size, m = s->inputs, N = 2 * n, r = s->rank, nz = s->nominal->nz;
  const double *A = s->matrices.A, *B = s->matrices.B;
  /* L^T Q L = (L^T G) (L^T G)^T */
  for (int i = 0; i < n; i++)
    for (int k = 0; k < r; k++) {
      s->LG[i * r + k] = 0;
      for (int l = 0; l < nz; l++)
        s->LG[i * r + k] += s->nominal->L[i * nz + l] * s->G[l * r + k];
    }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      double S = 0, Q = 0; /* B R^-1 B^T and L^T Q L */
      for (int k = 0; k < m; k++)
        S += B[i * m + k] * s->C[k * n + j];
      for (int k = 0; k < r; k++)
        Q += s->LG[i * r + k] * s->LG[j * r + k];
      /* H = [A, -S; -Q, -A^T] for (w; lambda), lambda = P w */
      s->H[i * N + j] = A[i * n + j];
      s->H[i * N + n + j] = -S;
      s->H[(n + i) * N + j] = -Q;
      s->H[(n + i) * N + n + j] = -A[j * n + i];
    }
}

/* Computes out [N][N] = H Y. */
static void multiply(int N, const double *H, const double *Y, double *out)
{
  memset(out, 0, (size_t)N * (size_t)N * sizeof(double));
  for (int i = 0; i < N; i++)
    for (int k = 0; k < N; k++) {
      double h = H[i * N + k];
      for (int j = 0; j < N && h != 0; j++)
        out[i * N + j] += h * Y[k * N + j];
    }
}

/* Computes Y = 1 + h sum weight_j slope_j, and adds h sum weight_j k_j to z. */
static void combine(gradyn_riccati *s, double h, const double *weight, int count, double *Y,
                    double *z)
{
  int N = 2 * s->size, nz = s->nominal->nz;
  size_t square = (size_t)N * (size_t)N;
  memset(Y, 0, square * sizeof(double));
  for (int i = 0; i < N; i++)
    Y[i * N + i] = 1;
  for (int j = 0; j < count; j++) {
    const double share = h * weight[j], *slope = s->slope + (size_t)j * square;
    for (size_t i = 0; i < square && share != 0; i++)
      Y[i] += share * slope[i];
    for (int i = 0; i < nz; i++)
      z[i] += share * s->nominal->k[j * nz + i];
  }
}

/* Computes Psi of a step from (t, z), and the state z at its end, by the same method. */
static gradyn_status take_step(gradyn_riccati *s, int chart, double t, double h, double *z,
                               double *Psi)
{
  gradyn_nominal *c = s->nominal;
  const gradyn_tableau *tableau = c->tableau;
  int N = 2 * s->size;
  for (int i = 0; i < tableau->stages; i++) {
    double *slope = s->slope + (size_t)i * (size_t)N * (size_t)N;
    memcpy(c->at, z, (size_t)c->nz * sizeof(double));
    combine(s, h, i > 0 ? gradyn_tableau_row(tableau, i) : NULL, i, s->Y, c->at);
    GRADYN_TRY(gradyn_nominal_rates(c, chart, t + tableau->c[i] * h, c->at, &s->matrices,
                                    c->k + i * c->nz));
    weigh_inputs(s);
    assemble(s);
    multiply(N, s->H, s->Y, slope);
  }
  combine(s, h, tableau->b, tableau->stages, Psi, z);
  return GRADYN_OK;
}

/* --- one interval ------------------------------------------------------------------------------- */

/* Replaces P at the end of a step by P' at its start t: (Psi_22 - P Psi_12) P' = P Psi_11 - Psi_21. */
static gradyn_status step_back(gradyn_riccati *s, double t, const double *Psi, double *P)
{
  /* (w; P w) at the end equals Psi (w; P' w) at the start, for all w */
  int n = s->size, N = 2 * n, info = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      double left = Psi[(n + i) * N + n + j], right = -Psi[(n + i) * N + j];
      for (int k = 0; k < n; k++) {
        left -= P[i * n + k] * Psi[k * N + n + j];
        right += P[i * n + k] * Psi[k * N + j];
      }
      s->left[j * n + i] = left; /* by columns */
      s->right[j * n + i] = right;
    }
  if (n > 0)
    dgesv_(&n, &n, s->left, &n, s->pivot, s->right, &n, &info);
  for (int i = 0; i < n; i++) /* remove asymmetry by round-off */
    for (int j = 0; j < n; j++)
      P[i * n + j] = (s->right[i * n + j] + s->right[j * n + i]) / 2;
  return info == 0
             ? GRADYN_OK
             : gradyn_fail(&s->nominal->model->message, GRADYN_SINGULAR,
                           "the Riccati equation is singular at t = %g s. Take smaller weights", t);
}

/* Replaces the covariance P at the start of a step by P' at its end: with Psi = [Phi, N; 0, Phi^-T],
 * P' = (Phi P + N) Phi^T. */
static void step_forward(gradyn_riccati *s, const double *Psi, double *P)
{
  const int n = s->size, N = 2 * n;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      s->left[i * n + j] = Psi[i * N + n + j];
      for (int k = 0; k < n; k++)
        s->left[i * n + j] += Psi[i * N + k] * P[k * n + j];
    }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      s->right[i * n + j] = gradyn_dot(s->left + i * n, Psi + j * N, n);
  for (int i = 0; i < n; i++) /* remove asymmetry by round-off */
    for (int j = 0; j < n; j++)
      P[i * n + j] = (s->right[i * n + j] + s->right[j * n + i]) / 2;
}

/* Carries P back across interval k in `parts` steps; covariances forward. */
static gradyn_status cross(gradyn_riccati *s, int k, int parts, double *P)
{
  const gradyn_nominal *c = s->nominal;
  const gradyn_nominal_node *node = &c->node[k];
  const size_t square = 4 * (size_t)s->size * (size_t)s->size;
  /* all Psi of the interval are stored: P uses them in reverse order */
  double h = (node[1].t - node->t) / parts;
  if (parts > s->capacity) {
    /* sufficient for charts of any size */
    size_t most = 4 * (size_t)c->size * (size_t)c->size;
    double *more = realloc(s->Psi, ((size_t)parts * most + 1) * sizeof *more);
    if (!more)
      return no_memory(s);
    s->Psi = more;
    s->capacity = parts;
  }
  memcpy(s->z, c->z + (size_t)k * (size_t)c->nz, (size_t)c->nz * sizeof(double));
  for (int i = 0; i < parts; i++)
    GRADYN_TRY(take_step(s, node->chart, node->t + i * h, h, s->z, s->Psi + (size_t)i * square));
  for (int i = 0; i < parts && !s->R_root; i++)
    step_forward(s, s->Psi + (size_t)i * square, P);
  for (int i = parts - 1; i >= 0 && s->R_root; i--)
    GRADYN_TRY(step_back(s, node->t + i * h, s->Psi + (size_t)i * square, P));
  return GRADYN_OK;
}

/* Returns the largest change relative to the roots of the diagonal. Negligible diagonal entries of positions
 * (the first `half`) or rates are replaced by a share of the largest one. */
static double difference(const gradyn_riccati *s, int half, const double *a, const double *b)
{
  const double least = 1e-10;
  int n = s->size;
  double largest[2] = {0, 0}, worst = 0;
  /* positions and rates have different units */
  for (int i = 0; i < n; i++)
    largest[i >= half] = fmax(largest[i >= half], fabs(b[i * n + i]));
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      /* |a_ij - b_ij| / sqrt(b_ii b_jj) */
      double size = sqrt(fmax(fabs(b[i * n + i]), least * largest[i >= half]) *
                         fmax(fabs(b[j * n + j]), least * largest[j >= half]));
      double change = fabs(a[i * n + j] - b[i * n + j]);
      if (change > 0)
        worst = fmax(worst, change / size);
      if (!isfinite(change))
        return (double)INFINITY;
    }
  return worst;
}

/* Carries P back across smooth interval k; halves the steps until P converges. */
static gradyn_status cross_smooth(gradyn_riccati *s, int k, double *P)
{
  /* the change that is accepted once halving does not reduce it any more */ const double
      round_off = 1e-8;
  size_t bytes = (size_t)s->size * (size_t)s->size * sizeof *P;
  double before = (double)INFINITY;
  const int half = gradyn_nominal_positions(s->nominal, s->nominal->node[k].chart);
  int parts = s->parts > 1 ? s->parts / 2 : 1;
  gradyn_nominal_enter(s->nominal, k);
  /* start with half the number of steps of the last interval */
  memcpy(s->P[0], P, bytes);
  gradyn_status status = cross(s, k, parts, s->P[0]);
  while (status == GRADYN_OK) {
    /* the error falls by 2^order until round-off dominates */
    parts *= 2;
    memcpy(s->P[1], P, bytes);
    status = cross(s, k, parts, s->P[1]);
    double change = difference(s, half, s->P[0], s->P[1]);
    memcpy(s->P[0], s->P[1], bytes);
    if (status != GRADYN_OK || change <= near_enough || (change < round_off && change > before / 4))
      break;
    before = change;
    if (parts >= MOST_PARTS)
      status = gradyn_fail(&s->nominal->model->message, GRADYN_NOT_CONVERGED,
                           "Riccati equation at t = %g s: not converged in %d steps; the relative "
                           "change of the %s is %.1g",
                           s->nominal->node[k].t, parts, s->R_root ? "cost-to-go" : "covariance",
                           change);
  }
  s->parts = parts / 2;
  memcpy(P, s->P[0], bytes);
  return status;
}

/* Computes P [before]^2 = E^T P E from P [after]^2 and E [after][before]. */
static void transform(gradyn_riccati *s, int before, int behind, const double *E, double *P)
{
  memset(s->left, 0, (size_t)behind * (size_t)before * sizeof(double));
  for (int i = 0; i < behind; i++)
    for (int k = 0; k < behind; k++)
      for (int j = 0; j < before; j++)
        s->left[i * before + j] += P[i * behind + k] * E[k * before + j];
  for (int i = 0; i < before; i++)
    for (int j = 0; j < before; j++) {
      double sum = 0;
      for (int k = 0; k < behind; k++)
        sum += E[k * before + i] * s->left[k * before + j];
      s->right[i * before + j] = sum;
    }
  for (int i = 0; i < before; i++)
    for (int j = 0; j < before; j++)
      P[i * before + j] = (s->right[i * before + j] + s->right[j * before + i]) / 2;
}

gradyn_status gradyn_riccati_back(gradyn_riccati *s, int k, double *P)
{
  gradyn_nominal *c = s->nominal;
  const gradyn_nominal_node *node = &c->node[k];
  GRADYN_TRY(gradyn_model_cancelled(c->model, node->t));
  gradyn_nominal_enter(c, k);
  s->size = gradyn_nominal_size(c, node->chart);
  if (node->event >= 0 || node->chart != node[1].chart) {
    GRADYN_TRY(gradyn_nominal_jump(c, k, s->Y));
    transform(s, s->size, gradyn_nominal_size(c, node[1].chart), s->Y, P);
  }
  return node->event < 0 ? cross_smooth(s, k, P) : GRADYN_OK;
}

gradyn_status gradyn_riccati_forward(gradyn_riccati *s, int k, double *P)
{
  gradyn_nominal *c = s->nominal;
  const gradyn_nominal_node *node = &c->node[k];
  GRADYN_TRY(gradyn_model_cancelled(c->model, node->t));
  s->size = gradyn_nominal_size(c, node->chart);
  if (node->event < 0)
    GRADYN_TRY(cross_smooth(s, k, P));
  if (node->event < 0 && node->chart == node[1].chart)
    return GRADYN_OK;
  const int before = s->size, behind = gradyn_nominal_size(c, node[1].chart);
  gradyn_nominal_enter(c, k);
  GRADYN_TRY(gradyn_nominal_jump(c, k, s->Y));
  for (int i = 0; i < behind; i++)
    for (int j = 0; j < before; j++)
      s->H[j * behind + i] = s->Y[i * before + j];
  transform(s, behind, before, s->H, P); /* E P E^T */
  s->size = behind;
  return GRADYN_OK;
}

gradyn_status gradyn_riccati_gain(gradyn_riccati *s, int k, const double *P, double *K)
{
  gradyn_nominal *c = s->nominal;
  const int n = s->size = gradyn_nominal_size(c, c->node[k].chart);
  gradyn_nominal_enter(c, k);
  GRADYN_TRY(gradyn_nominal_rates(c, c->node[k].chart, c->node[k].t,
                                  c->z + (size_t)k * (size_t)c->nz, &s->matrices, c->k));
  weigh_inputs(s);
  /* K = R^-1 B^T P */
  for (int j = 0; j < s->inputs; j++)
    for (int i = 0; i < n; i++) {
      K[j * n + i] = 0;
      for (int l = 0; l < n; l++)
        K[j * n + i] += s->C[j * n + l] * P[l * n + i];
    }
  return GRADYN_OK;
}
