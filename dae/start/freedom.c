/* Rank of constraints for any number of them. Redundant rows are found as the null space of J^T. Let S = J
 * W^-1 J^T + e R^2, where R are the sizes of the rows. The symmetric matrix
 *
 *   P = e R S^-1 R        has the eigenvalues e/(s^2 + e), s: singular values of R^-1 J W^-1/2.
 *
 * They are 1 for redundant combinations and nearly zero for others. A few products with P therefore reduce
 * any vectors to their part in the null space. S^-1 is the lower right block of the inverse saddle-point
 * matrix of positions. */
#include "dae/start/freedom.h"
#include "core/mech/rolling.h"

#include "core/linear/norm.h"
#include "dae/start/initial_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PRODUCTS = 4, FIRST_COLUMNS = 8 };

/* distance of the position near the initial one, relative to the mechanism's size */
static const double perturbation = 1e-2;

/* Returns the next pseudo-random number; the sequence is the same in every run. */
static double noise(unsigned long long *seed)
{
  *seed = *seed * 6364136223846793005ULL + 1442695040888963407ULL;
  return (double)(*seed >> 33) / 0x1p30 - 1; /* 31 bits to [-1, 1) */
}

/* y = P y, y [m]. */
static void project(gradyn_initial *s, double *y)
{
  int n = s->mech->n;
  memset(s->b, 0, (size_t)n * sizeof(double));
  for (int i = 0; i < s->rows; i++) /* J d - e R^2 z = -R y */
    s->b[n + i] = -s->row[i] * y[i];
  gradyn_linsys_solve(s->position.system, s->b, 1);
  for (int i = 0; i < s->rows; i++)
    y[i] = GRADYN_PLACE_SHARE * s->row[i] * s->b[n + i]; /* P y = e R (S^-1 R y) */
}

/* Orthonormalises the vectors Y [columns][m]. Returns the number of independent ones. */
static int orthonormalise(double *Y, int columns, int m)
{
  int kept = 0;
  for (int k = 0; k < columns; k++) {
    double *y = Y + (size_t)k * (size_t)m, *to = Y + (size_t)kept * (size_t)m;
    double before = sqrt(gradyn_dot(y, y, m));
    /* a second pass removes the effect of cancellation */
    for (int pass = 0; pass < 2; pass++)
      for (int j = 0; j < kept; j++) {
        const double *q = Y + (size_t)j * (size_t)m;
        double part = gradyn_dot(q, y, m);
        for (int i = 0; i < m; i++)
          y[i] -= part * q[i];
      }
    double size = sqrt(gradyn_dot(y, y, m));
    if (!(size > 1e-6 * before) || before == 0) /* linearly dependent on earlier vectors */
      continue;
    for (int i = 0; i < m; i++)
      to[i] = y[i] / size;
    kept++;
  }
  return kept;
}

/* Computes Y [columns][m], an orthonormal basis of the null space of J^T, or of a part of it if it has more
 * dimensions than Y has columns. Returns the number of vectors. */
static int null_space(gradyn_initial *s, double *Y, int columns)
{
  int m = s->rows, kept = 0;
  unsigned long long seed = 7;
  /* random vectors have a component in every direction */
  for (int k = 0; k < columns * m; k++)
    Y[k] = noise(&seed);
  /* each product multiplies components outside of the null space by e/(s^2 + e) */
  for (int pass = 0; pass < PRODUCTS; pass++) {
    columns = orthonormalise(Y, columns, m);
    for (int k = 0; k < columns; k++)
      project(s, Y + (size_t)k * (size_t)m);
  }
  for (int k = 0; k < columns; k++) { /* keep only vectors that have not nearly vanished */
    const double *y = Y + (size_t)k * (size_t)m;
    if (sqrt(gradyn_dot(y, y, m)) > 0.5)
      memmove(Y + (size_t)kept++ * (size_t)m, y, (size_t)m * sizeof(double));
  }
  return orthonormalise(Y, kept, m);
}

/* Selects the redundant rows by the basis Y [count][m] of the null space. Goes from the last row to the
 * first, and takes each row whose entries in the basis are independent of those of the rows taken before. */
static void name_dependent(const double *Y, int count, int m, double *work, int *dependent)
{
  int found = 0;
  /* entries of row i in all basis vectors, which are zero if it takes part in no redundancy */
  for (int i = m - 1; i >= 0 && found < count; i--) {
    double *w = work + (size_t)found * (size_t)count;
    for (int k = 0; k < count; k++)
      w[k] = Y[(size_t)k * (size_t)m + (size_t)i];
    double before = sqrt(gradyn_dot(w, w, count));
    for (int j = 0; j < found; j++) {
      const double *q = work + (size_t)j * (size_t)count;
      double part = gradyn_dot(q, w, count);
      for (int k = 0; k < count; k++)
        w[k] -= part * q[k];
    }
    double size = sqrt(gradyn_dot(w, w, count));
    /* the row takes part in no redundancy, or depends on selected rows */
    if (!(before > 1e-6) || !(size > 1e-3 * before))
      continue;
    for (int k = 0; k < count; k++)
      w[k] /= size;
    dependent[found++] = i;
  }
  /* ascending order */
  for (int a = 0, b = found - 1; a < b; a++, b--) {
    int keep = dependent[a];
    dependent[a] = dependent[b];
    dependent[b] = keep;
  }
}

/* Counts the redundant rows of the present matrix, and lists them unless `dependent` is NULL. */
static gradyn_status find(gradyn_initial *s, int *dependents, int *dependent)
{
  int m = s->rows, columns = FIRST_COLUMNS;
  *dependents = 0;
  /* with more and more columns, until the null space does not fill them all */
  while (m > 0) {
    columns = columns < m ? columns : m;
    double *Y = malloc((size_t)columns * ((size_t)m + (size_t)columns) * sizeof *Y);
    if (!Y)
      return gradyn_fail(s->mech->message, GRADYN_NO_MEMORY, "out of memory");
    *dependents = null_space(s, Y, columns);
    /* otherwise the null space may be larger than the number of columns */
    bool all = *dependents < columns || columns == m;
    if (all && dependent)
      name_dependent(Y, *dependents, m, Y + (size_t)columns * (size_t)m, dependent);
    free(Y);
    if (all)
      break;
    columns *= 4;
  }
  return GRADYN_OK;
}

gradyn_status gradyn_freedom_dependents(gradyn_initial *s, int *dependents, int *dependent)
{
  const gradyn_mech *mech = s->mech;
  int kept = 0;
  GRADYN_TRY(gradyn_initial_damped_matrix(s, GRADYN_PLACE_SHARE));
  GRADYN_TRY(find(s, dependents, dependent));
  /* nonholonomic rows are zero in this matrix and seem redundant: remove them from the list */
  for (int k = 0; k < *dependents && dependent; k++)
    if (!gradyn_mech_rolls(mech, dependent[k]))
      dependent[kept++] = dependent[k];
  *dependents -= mech->rolling;
  return GRADYN_OK;
}

gradyn_status gradyn_freedom_dependent_rates(gradyn_initial *s, int *dependents, int *dependent)
{
  GRADYN_TRY(gradyn_initial_velocity_matrix(s));
  return find(s, dependents, dependent);
}

int gradyn_freedom_spare(gradyn_initial *s)
{
  const gradyn_mech *mech = s->mech;
  int count = 0;
  memset(s->b, 0, (size_t)mech->n * sizeof(double));
  for (int k = 0; k < mech->jac.start[s->rows]; k++)
    s->b[mech->jac.col[k]] += fabs(s->J[k]);
  /* coordinates that only another mode uses, since in the present mode they do not move */
  for (int i = 0; i < mech->n && mech->spare; i++)
    count += mech->spare[i] && s->b[i] == 0;
  return count;
}

/* Moves the position in a random direction of its tangent space, and back onto the constraints. Sets *first
 * to whether it returns to the initial position. */
static gradyn_status go_near(gradyn_initial *s, bool *first)
{
  const gradyn_mech *mech = s->mech;
  int n = mech->n;
  unsigned long long seed = 11;
  double back = 0, left = 0;
  bool stuck;
  *first = false;
  GRADYN_TRY(gradyn_initial_damped_matrix(s, GRADYN_PLACE_SHARE));
  memset(s->b, 0, (size_t)(n + s->rows) * sizeof(double));
  /* a random vector, with the weights of distances, projected onto the tangent space */
  for (int i = 0; i < n; i++)
    s->b[i] = gradyn_initial_weight(s, i) / mech->length_scale[i] * noise(&seed);
  gradyn_linsys_solve(s->position.system, s->b, 1);
  memcpy(s->way.near, s->q, (size_t)n * sizeof(double));
  const double far = perturbation * mech->length;
  /* displacement of at most a hundredth of the mechanism's size */
  const double scale = far / gradyn_largest_product(s->b, mech->length_scale, n);
  for (int i = 0; i < n; i++)
    s->q[i] += scale * s->b[i];
  GRADYN_TRY(gradyn_initial_restore(s, &left, &stuck));
  for (int i = 0; i < n; i++)
    back = fmax(back, fabs(s->q[i] - s->way.near[i]) * mech->length_scale[i]);
  *first = left > 0 || back < 1e-2 * far;
  if (*first) /* if the position cannot be reached, nothing can be concluded from it */
    memcpy(s->q, s->way.near, (size_t)n * sizeof(double));
  return GRADYN_OK;
}

/* Counts degrees of freedom at the assembled position q [n], and near it. */
static gradyn_status count(gradyn_initial *s, const double *q, gradyn_found_freedom *out)
{
  int n = s->mech->n, rows = s->rows - s->mech->rolling, there = 0;
  memcpy(s->q, q, (size_t)n * sizeof(double));
  GRADYN_TRY(gradyn_freedom_dependents(s, &there, NULL));
  /* n minus the rank of the rows of positions */
  out->at_start = n - rows + there - gradyn_freedom_spare(s);
  if (out->at_start > 0)
    GRADYN_TRY(go_near(s, &out->first));
  GRADYN_TRY(gradyn_freedom_dependents(s, &out->dependents, out->dependent));
  out->rates = out->degrees = n - rows + out->dependents - gradyn_freedom_spare(s);
  if (s->mech->rolling == 0)
    return GRADYN_OK;
  /* for velocities all rows count, including nonholonomic ones, which may depend on others */
  GRADYN_TRY(gradyn_freedom_dependent_rates(s, &out->dependents, out->dependent));
  out->rates = n - s->rows + out->dependents - gradyn_freedom_spare(s);
  return GRADYN_OK;
}

/* The position is that of the assembly with its fixed initial conditions. The rows are those that act
 * during the motion. */
gradyn_status gradyn_freedom_find(gradyn_mech *mech, gradyn_found_freedom *out)
{
  LOCAL(gradyn_initial) all = {0}, motion = {0};
  *out = (gradyn_found_freedom){.dependent = calloc((size_t)mech->m + 1, sizeof(int))};
  gradyn_status status = out->dependent ? gradyn_initial_create(mech, GRADYN_ASSEMBLY, &all)
                                        : GRADYN_NO_MEMORY;
  if (status == GRADYN_OK)
    status = gradyn_initial_create(mech, GRADYN_CONSTRAINT, &motion);
  if (status != GRADYN_OK)
    return gradyn_fail(mech->message, status, "out of memory");
  GRADYN_TRY(gradyn_initial_place(&all));
  return count(&motion, all.q, out);
}
