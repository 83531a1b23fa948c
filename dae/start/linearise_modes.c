/* The result of a linearisation: its arrays, and the eigenvalues and modes of A, for mechanisms and general
 * equations. */
#include "dae/start/linearise.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Fortran; the last arguments are the hidden lengths of the job names. */
void dgeev_(const char *jobvl, const char *jobvr, const int *n, double *a, const int *lda,
            double *wr, double *wi, double *vl, const int *ldvl, double *vr, const int *ldvr,
            double *work, const int *lwork, int *info, size_t jobvl_length, size_t jobvr_length);

gradyn_status gradyn_linearise_reserve(gradyn_model *model, int n, const int count[3],
                                       gradyn_linearisation *out)
{
  const size_t f = (size_t)count[0], r = (size_t)count[1], z = (size_t)count[2],
               columns = (size_t)n, size = f + r + z;
  *out = (gradyn_linearisation){.n = n,
                                .dof = count[0],
                                .rates = count[1],
                                .states = count[2],
                                .inputs = model->signal_count};
  out->coordinate = calloc(f + 1, sizeof *out->coordinate);
  out->rate = calloc(r + 1, sizeof *out->rate);
  out->state = calloc(z + 1, sizeof *out->state);
  out->Z = calloc((f + z) * columns + 1, sizeof(double));
  out->A = calloc(size * size + 1, sizeof(double));
  out->B = calloc(size * (size_t)out->inputs + 1, sizeof(double));
  out->real = calloc(size + 1, sizeof(double));
  out->imag = calloc(size + 1, sizeof(double));
  out->shape = calloc(2 * size * columns + 1, sizeof(double));
  return out->coordinate && out->rate && out->state && out->Z && out->A && out->B && out->real &&
                 out->imag && out->shape
             ? GRADYN_OK
             : gradyn_fail(&model->message, GRADYN_NO_MEMORY, "out of memory");
}

/* Returns the index of the largest entry of a mode, among coordinates with mechanical meaning unless these
 * are nearly zero; -1: none. */
static int find_most(const gradyn_model *model, int n, const double *shape)
{
  const gradyn_mech *mech = model->mech;
  double most[2] = {0, 0};
  int at[2] = {-1, -1};
  for (int i = 0; i < n; i++) {
    const bool spare = mech && mech->spare && mech->spare[i];
    const double size = hypot(shape[i], shape[n + i]) * (mech ? mech->length_scale[i] : 1);
    if (size > most[spare] * (1 + 1e-9)) {
      most[spare] = size;
      at[spare] = i;
    }
  }
  return most[0] > 1e-9 * most[1] ? at[0] : at[1];
}

/* Computes a mode in all of q, its real and imaginary part [n], from an eigenvector of (y, w, z) with q = Z
 * (y, z). Divides it by its largest entry. */
static void take_shape(const gradyn_model *model, const gradyn_linearisation *out,
                       const double *real, const double *imag, double *shape)
{
  int n = out->n, f = out->dof;
  memset(shape, 0, 2 * (size_t)n * sizeof(double));
  for (int k = 0; k < f + out->states; k++) {
    /* first-order states follow the rates in the eigenvector */
    const int from = k < f ? k : out->rates + k;
    for (int i = 0; i < n; i++) {
      shape[i] += out->Z[k * n + i] * real[from];
      shape[n + i] += imag ? out->Z[k * n + i] * imag[from] : 0;
    }
  }
  const int most = find_most(model, n, shape);
  const double re = most >= 0 ? shape[most] : 1, im = most >= 0 ? shape[n + most] : 0;
  /* z/w = z conj(w)/|w|^2 */
  double square = re * re + im * im;
  for (int i = 0; i < n && square > 0; i++) { /* divide by the largest entry, which becomes 1 */
    double a = shape[i], b = shape[n + i];
    shape[i] = (a * re + b * im) / square;
    shape[n + i] = (b * re - a * im) / square;
  }
}

/* Sorts eigenvalues by magnitude: order [count] are their indices. Of a complex pair, the one with the
 * positive imaginary part comes first. */
static void sort(const double *real, const double *imag, int count, int *order)
{
  /* insertion sort keeps the order of equal magnitudes */
  for (int i = 0; i < count; i++) {
    int at = i;
    double size = hypot(real[i], imag[i]);
    for (; at > 0 && hypot(real[order[at - 1]], imag[order[at - 1]]) > size * (1 + 1e-12); at--)
      order[at] = order[at - 1];
    order[at] = i;
  }
}

/* Takes eigenvalues and modes in the given order. Eigenvectors of dgeev are columns [count]; those of a
 * complex pair are its real and its imaginary part. */
static void take_eigenvectors(const gradyn_model *model, const double *value, const double *vectors,
                              const int *order, gradyn_linearisation *out)
{
  int count = out->dof + out->rates + out->states;
  const double *imag = value + count;
  for (int k = 0; k < count; k++) {
    int i = order[k];
    bool second = imag[i] < 0; /* this is the second eigenvalue of a complex pair */
    const double *v = vectors + (size_t)(second ? i - 1 : i) * (size_t)count;
    /* real and imaginary part, [n] each */
    double *shape = out->shape + 2 * (size_t)k * (size_t)out->n;
    out->real[k] = value[i];
    out->imag[k] = imag[i];
    take_shape(model, out, v, imag[i] != 0 ? v + count : NULL, shape);
    for (int j = 0; j < out->n && second; j++)
      shape[out->n + j] = -shape[out->n + j];
  }
}

gradyn_status gradyn_linearise_modes(gradyn_model *model, gradyn_linearisation *out)
{
  int count = out->dof + out->rates + out->states, work_size = 8 * count + 8, one = 1, info = 0;
  /* matrix, eigenvectors, eigenvalues and workspace in one array */
  size_t square = (size_t)count * (size_t)count;
  double *a = calloc(2 * square + 2 * (size_t)count + (size_t)work_size, sizeof *a);
  int *order = calloc((size_t)count + 1, sizeof *order);
  if (a && order && count > 0) {
    double *vectors = a + square, *value = vectors + square, *work = value + 2 * count;
    for (int i = 0; i < count; i++)
      for (int j = 0; j < count; j++)
        /* LAPACK stores matrices by columns */
        a[j * count + i] = out->A[i * count + j];
    dgeev_("N", "V", &count, a, &count, value, value + count, NULL, &one, vectors, &count, work,
           &work_size, &info, 1, 1);
    /* in ascending order of magnitude */
    sort(value, value + count, count, order);
    if (info == 0)
      take_eigenvectors(model, value, vectors, order, out);
  }
  const bool all = a && order;
  free(a);
  free(order);
  if (!all)
    return gradyn_fail(&model->message, GRADYN_NO_MEMORY, "out of memory");
  return info == 0 ? GRADYN_OK
                   : gradyn_fail(&model->message, GRADYN_NOT_CONVERGED,
                                 "the eigenvalues have not been found");
}

/* Also frees a result whose creation has failed. */
void gradyn_linearisation_clear(gradyn_linearisation *linear)
{
  if (!linear)
    return;
  free(linear->coordinate);
  free(linear->rate);
  free(linear->state);
  free(linear->Z);
  free(linear->A);
  free(linear->B);
  free(linear->real);
  free(linear->imag);
  free(linear->shape);
  free(linear->total);
  free(linear->total_value);
  *linear = (gradyn_linearisation){0};
}
