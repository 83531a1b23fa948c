/* The correction of a state by the data of one time. With residuals nu, in independent coordinates,
 *
 *   S = H P H^T + R,  K = P H^T S^-1,  P+ = (1 - K H) P (1 - K H)^T + K R K^T,  dw = K nu,
 *
 * where the formula for P+ (Joseph) is symmetric and positive semidefinite for any K. */
#include "adjoint/analyses/filter_update.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/linear/norm.h"

/* LAPACK; the last argument is the length of the character argument. */
void dpotrf_(const char *triangle, const int *n, double *A, const int *lda, int *info,
             size_t triangle_length);
void dpotrs_(const char *triangle, const int *n, const int *columns, const double *A,
             const int *lda, double *b, const int *ldb, int *info, size_t triangle_length);

void gradyn_filter_update_clear(gradyn_filter_update *s)
{
  gradyn_arena_clear(&s->arena);
}

gradyn_status gradyn_filter_update_create(gradyn_filter_run *run, size_t m, gradyn_filter *out,
                                          gradyn_filter_update *s)
{
  const size_t nz = (size_t)run->nominal.nz + 1, ny = (size_t)run->nominal.rates->ny + 1;
  *s = (gradyn_filter_update){.run = run, .out = out};
  gradyn_arena *arena = &s->arena;
  out->innovation_covariance = calloc(out->block[out->rows] + 1, sizeof(double));
  s->dy = gradyn_arena_numbers(arena, nz * ny);
  s->y_bar = gradyn_arena_numbers(arena, ny);
  s->H = gradyn_arena_numbers(arena, m * nz);
  s->PH = gradyn_arena_numbers(arena, m * nz);
  s->K = gradyn_arena_numbers(arena, m * nz);
  s->S = gradyn_arena_numbers(arena, m * m);
  s->R = gradyn_arena_numbers(arena, m);
  s->A = gradyn_arena_numbers(arena, 2 * nz * nz);
  s->dw = gradyn_arena_numbers(arena, nz);
  return gradyn_arena_status(arena) == GRADYN_OK && out->innovation_covariance
             ? GRADYN_OK
             : gradyn_fail(&run->model->message, GRADYN_NO_MEMORY, "out of memory for a filter");
}

/* Evaluates datum i, its row of H and its variance. The first residual r of the fit, of a datum d and a
 * deviation sigma, gives what the sensor reads: sigma r + d. */
static gradyn_status measure(gradyn_filter_update *s, size_t i, double *H, double *R)
{
  gradyn_filter_datum *datum = &s->out->datum[i];
  gradyn_model *model = s->run->model;
  const gradyn_fitted *fit = model->functional[datum->functional].reduced.fit;
  const gradyn_functional_entry *f = &model->functional[gradyn_filter_first(model, fit)];
  const gradyn_sample at = {s->run->t, s->run->nominal.stage};
  const double sigma = gradyn_fit_deviation(model, f->reduced.fit);
  const int ny = s->run->nominal.rates->ny;
  double r = 0;
  GRADYN_TRY(f->terminal->value(model, f, &at, &r));
  memset(s->y_bar, 0, (size_t)ny * sizeof *s->y_bar);
  GRADYN_TRY(f->terminal->gradient(model, f, &at, sigma,
                                   &(gradyn_gradient_out){.y_bar = s->y_bar, .stride = 1}));
  for (int j = 0; j < gradyn_filter_run_size(s->run); j++)
    H[j] = gradyn_dot(s->y_bar, s->dy + j * ny, ny);
  datum->deviation = gradyn_fit_deviation(model, fit);
  datum->predicted = sigma * r + f->reduced.fit->value;
  datum->innovation = datum->value - datum->predicted;
  *R = datum->deviation * datum->deviation;
  return GRADYN_OK;
}

/* Computes S = H P H^T + R, stored in the result, and its Cholesky factor U with S = U^T U, by rows in
 * s->S. */
static gradyn_status factor(gradyn_filter_update *s, size_t row, int m, int n)
{
  double *S = s->out->innovation_covariance + s->out->block[row];
  int info = 0;
  for (int i = 0; i < n; i++)
    for (int k = 0; k < m; k++)
      s->PH[i * m + k] = gradyn_dot(s->run->P + i * n, s->H + k * n, n);
  for (int a = 0; a < m; a++)
    for (int b = 0; b < m; b++) {
      S[a * m + b] = a == b ? s->R[a] : 0;
      for (int i = 0; i < n; i++)
        S[a * m + b] += s->H[a * n + i] * s->PH[i * m + b];
    }
  memcpy(s->S, S, (size_t)m * (size_t)m * sizeof *S);
  memcpy(s->K, s->PH, (size_t)n * (size_t)m * sizeof *s->K);
  dpotrf_("L", &m, s->S, &m, &info, 1);
  if (info == 0) /* K S = P H^T */
    dpotrs_("L", &m, &n, s->S, &m, s->K, &m, &info, 1);
  return info == 0 ? GRADYN_OK
                   : gradyn_fail(&s->run->model->message, GRADYN_NON_FINITE,
                                 "the covariance of the innovations at t = %g s is not positive "
                                 "definite",
                                 s->run->t);
}

/* Normalises the innovations, e = U^-T nu, and adds their terms to -ln L. */
static void normalise(gradyn_filter_update *s, size_t row, int m)
{
  gradyn_filter_datum *datum = s->out->datum + s->out->first[row];
  for (int i = 0; i < m; i++) {
    double sum = datum[i].innovation;
    for (int k = 0; k < i; k++)
      sum -= s->S[k * m + i] * datum[k].normalised;
    datum[i].normalised = sum / s->S[i * m + i];
    s->out->minus_log_likelihood += datum[i].normalised * datum[i].normalised / 2 +
                                    log(s->S[i * m + i]) + log(8 * atan(1)) / 2;
  }
}

/* P = A P A^T + K R K^T, A = 1 - K H. */
static void update_covariance(gradyn_filter_update *s, int m, int n)
{
  double *A = s->A, *half = s->A + n * n, *P = s->run->P;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      A[i * n + j] = i == j;
      for (int k = 0; k < m; k++)
        A[i * n + j] -= s->K[i * m + k] * s->H[k * n + j];
    }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) /* P is symmetric */
      half[i * n + j] = gradyn_dot(A + i * n, P + j * n, n);
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++) {
      double sum = gradyn_dot(half + i * n, A + j * n, n);
      for (int k = 0; k < m; k++)
        sum += s->K[i * m + k] * s->R[k] * s->K[j * m + k];
      P[i * n + j] = P[j * n + i] = sum;
    }
}

gradyn_status gradyn_filter_update_apply(gradyn_filter_update *s, size_t row)
{
  gradyn_filter *out = s->out;
  gradyn_nominal *c = &s->run->nominal;
  const int n = gradyn_filter_run_size(s->run), m = (int)(out->first[row + 1] - out->first[row]);
  GRADYN_TRY(
      gradyn_nominal_states(c, gradyn_filter_run_chart(s->run), s->run->t, s->run->z, s->dy));
  for (int k = 0; k < m; k++)
    GRADYN_TRY(measure(s, out->first[row] + (size_t)k, s->H + k * n, s->R + k));
  GRADYN_TRY(factor(s, row, m, n));
  normalise(s, row, m);
  memset(s->dw, 0, (size_t)n * sizeof *s->dw);
  for (int i = 0; i < n; i++)
    for (int k = 0; k < m; k++)
      s->dw[i] += s->K[i * m + k] * out->datum[out->first[row] + (size_t)k].innovation;
  update_covariance(s, m, n);
  return gradyn_filter_run_move(s->run, s->dw);
}
