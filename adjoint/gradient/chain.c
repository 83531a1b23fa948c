/* From derivatives by data to derivatives by parameters. With many parameters the columns of dx/drho are
 * not formed one by one:
 * 1. For data that depend on one parameter only, builds before the sweep find that parameter and the
 *    derivative.
 * 2. Data that depend on several parameters matter only if one of their adjoints is nonzero. Such data are
 *    called open. Parameters that may change them are tested in groups, one build for each group. A group
 *    that changes no open data is finished.
 * 3. A group that changes few open data relative to its size is called light. Within the group most of these
 *    data depend on one parameter, which is found as in 1: inertias of links depend on a length and a mass,
 *    but on one mass only. Then both halves of the group are tested for the remaining open data.
 * 4. The smallest groups that are not light, such as lengths that move all later points, take a build for
 *    each parameter. */
#include "adjoint/gradient/gradient.h"

#include <complex.h>
#include <string.h>

enum {
  SMALL = 32,
  LIGHT = 2
}; /* parameters in a smallest group; open data per parameter of a light group */

/* Finds the data that depend on parameters: only these need adjoints. */
gradyn_status gradyn_chain_begin(gradyn_model *model, const gradyn_parameters *parameters,
                                 gradyn_scalar *rho, gradyn_directions *d, bool *active)
{
  int p = (int)parameters->count;
  gradyn_dependence *dependence = &d->dependence;
  memset(active, 0, (size_t)model->nx * sizeof *active);
  /* for few parameters, one build each is cheaper than the search */
  if (p <= GRADYN_FEW_PARAMETERS) {
    GRADYN_TRY(gradyn_directions_by_rho(model, parameters, rho, d));
    for (int i = 0; i < d->start[p]; i++)
      active[d->index[i]] = true;
    return GRADYN_OK;
  }
  GRADYN_TRY(gradyn_verify_callbacks_build(model, parameters, rho));
  GRADYN_TRY(gradyn_dependence_reserve(model, p, dependence));
  GRADYN_TRY(gradyn_dependence_reserve(model, p, &d->within));
  GRADYN_TRY(gradyn_directions_reserve(model, p, d));
  GRADYN_TRY(gradyn_dependence_find(model, rho, dependence));
  for (int k = 0; k < model->nx; k++)
    active[k] = dependence->owner[k] != GRADYN_NO_OWNER;
  return GRADYN_OK;
}

/* Multiplies x_bar by columns of dx/drho: gradient [rows][count] = x_bar dx/drho. */
static void apply_columns(const gradyn_model *model, int rows, const gradyn_directions *d,
                          const double *x_bar, double *gradient)
{
  for (int f = 0; f < rows; f++)
    for (int j = 0; j < d->count; j++) {
      double sum = 0;
      /* dpsi_f/drho_j = sum of x_bar_k dx_k/drho_j */
      for (int i = d->start[j]; i < d->start[j + 1]; i++)
        sum += x_bar[f * model->nx + d->index[i]] * d->value[i];
      gradient[f * d->count + j] = sum;
    }
}

/* The present application of the chain rule. */
typedef struct chain {
  gradyn_model *model;
  int rows; /* functionals, or sums of them */
  gradyn_scalar *rho;
  /* d: dependence of data on all parameters, valid until the next gradyn_chain_begin(); within: their
   * dependence on the parameters of a group */
  const gradyn_dependence *d;
  gradyn_dependence *within;
  const double *x_bar;
  double *gradient;
  int *open;      /* open data; the first ones belong to the present group */
  int *candidate; /* parameters that may change open data */
} chain;

/* Adds x_bar_k dx_k/drho_j to column j; if j < 0, adds nothing. Returns whether datum k has a nonzero
 * adjoint. */
static bool add(const chain *c, int j, int k, double slope)
{
  bool matters = false;
  for (int f = 0; f < c->rows; f++) {
    double bar = c->x_bar[f * c->model->nx + k];
    matters = matters || bar != 0;
    if (j >= 0)
      c->gradient[f * c->d->count + j] += bar * slope;
  }
  return matters;
}

/* Adds the derivatives by data that depend on one parameter. Lists the open data: they depend on several
 * parameters and have nonzero adjoints. Returns the number of open data. Adjoints of derived data must have
 * been added to those of their sources. */
static int apply_own(chain *c)
{
  int opened = 0;
  for (int k = 0; k < c->model->nx; k++) {
    /* derived data count by their sources, and data without a parameter are constant */
    int owner = c->d->owner[k];
    if (owner == GRADYN_NO_OWNER || c->model->entry[k].derived)
      continue;
    /* derivatives by several parameters follow from later builds */
    if (add(c, owner, k, owner < 0 ? 0 : c->d->slope[k]) && owner == GRADYN_SEVERAL_OWNERS)
      c->open[opened++] = k;
  }
  return opened;
}

/* Adds the derivatives of the open data by each parameter of a group, with one build for each. */
static gradyn_status apply_single(chain *c, const int *group, int size, int opened)
{
  for (int i = 0; i < size; i++) {
    int j = group[i];
    /* dx/drho_j by the complex step */
    c->rho[j] += GRADYN_COMPLEX_STEP * I;
    const gradyn_status status = gradyn_model_refresh(c->model, c->rho);
    c->rho[j] = creal(c->rho[j]);
    GRADYN_TRY(status);
    for (int k = 0; k < opened; k++) {
      double slope = cimag(c->model->value[c->open[k]]) / GRADYN_COMPLEX_STEP;
      if (slope != 0)
        add(c, j, c->open[k], slope);
    }
  }
  return GRADYN_OK;
}

/* Counts the open data that change with a group. */
static gradyn_status count_moved(chain *c, const int *group, int size, int opened, int *moved)
{
  GRADYN_TRY(gradyn_dependence_ask(c->model, c->rho, group, size));
  *moved = 0;
  /* one build with imaginary parts in the whole group */
  for (int k = 0; k < opened; k++)
    *moved += cimag(c->model->value[c->open[k]]) != 0;
  return GRADYN_OK;
}

/* Adds the derivatives of open data that depend on one parameter of a light group. Moves the other open
 * data to the front; *left: their number. */
static gradyn_status apply_light(chain *c, const int *group, int size, int opened, int *left)
{
  gradyn_dependence *d = c->within;
  /* search among the members of the group only */
  memcpy(d->member, group, (size_t)size * sizeof *group);
  d->members = size;
  GRADYN_TRY(gradyn_dependence_find(c->model, c->rho, d));
  *left = 0;
  for (int i = 0; i < opened; i++) {
    int k = c->open[i], owner = d->owner[k];
    if (owner >= 0)
      add(c, owner, k, d->slope[k]);
    if (owner != GRADYN_SEVERAL_OWNERS)
      continue;
    c->open[i] = c->open[*left];
    c->open[(*left)++] = k;
  }
  return GRADYN_OK;
}

/* Adds the derivatives of the first `opened` open data by a group of `size` candidates. */
static gradyn_status apply_group(chain *c, int first, int size, int opened)
{
  const int *group = c->candidate + first;
  int moved, left = opened, half = size / 2;
  GRADYN_TRY(count_moved(c, group, size, opened, &moved));
  /* a light group: most data depend on one of its parameters */
  if (moved > 0 && moved <= LIGHT * size)
    GRADYN_TRY(apply_light(c, group, size, opened, &left));
  if (moved == 0 || left == 0)
    return GRADYN_OK;
  /* a small group that is not light: one build for each parameter */
  if (size <= SMALL)
    return apply_single(c, group, size, left);
  /* otherwise test both halves, for the data that are still open */
  GRADYN_TRY(apply_group(c, first, half, left));
  return apply_group(c, first + half, size - half, left);
}

gradyn_status gradyn_chain_apply(gradyn_model *model, int rows, gradyn_scalar *rho,
                                 gradyn_directions *d, double *x_bar, double *gradient)
{
  const int p = d->dependence.count;
  if (!d->dependence.owner) {
    /* few parameters: dpsi/drho_j = x_bar . column j */
    apply_columns(model, rows, d, x_bar, gradient);
    return GRADYN_OK;
  }
  chain c = {model, rows,     rho,    &d->dependence,    &d->within,
             x_bar, gradient, d->own, d->own + model->nx};
  memset(gradient, 0, (size_t)rows * (size_t)p * sizeof *gradient);
  /* add adjoints of derived data to those of their sources */
  for (int f = 0; f < rows; f++)
    gradyn_model_derive_transposed(model, x_bar + f * model->nx);
  /* step 1: data that depend on one parameter */
  int opened = apply_own(&c), candidates = 0;
  /* steps 2 to 4: parameters that share data, in groups */
  for (int j = 0; j < p; j++)
    if (d->dependence.shared[j])
      c.candidate[candidates++] = j;
  return opened > 0 ? apply_group(&c, 0, candidates, opened) : GRADYN_OK;
}
