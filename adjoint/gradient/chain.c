/* From derivatives by data to derivatives by parameters. With many parameters the columns of dx/drho are
 * not formed one by one:
 * 1. Data that depend on one parameter alone have spelled it, and told their slope, before the sweep.
 * 2. Data with several owners matter only if one of their bars is not zero: those are "open". Parameters
 *    that may be among their owners are asked in groups, one build each; a group that moves none is done.
 * 3. A group that moves few open data for its size is light. Among its parameters alone most data have one
 *    owner again, who is spelled as before: of all links' lengths and masses, inertias depend on two, but
 *    of all masses on one. What still has several is left to the halves of the group.
 * 4. What is heavy down to the smallest groups, such as lengths that move all points behind them, takes a
 *    build for each parameter. */
#include "adjoint/gradient/gradient.h"

#include <complex.h>
#include <string.h>

enum { SMALL = 32, LIGHT = 2 }; /* parameters in a smallest group; open data for each of them */

/* Finds which data the parameters move: adjoints are summed for those alone. */
gradyn_status gradyn_chain_begin(gradyn_model *model, const gradyn_parameters *parameters,
                                 gradyn_scalar *rho, gradyn_directions *d, bool *active)
{
  int p = (int)parameters->count;
  gradyn_dependence *dependence = &d->dependence;
  memset(active, 0, (size_t)model->nx * sizeof *active); /* until a parameter moves it */
  /* few: a build by each of them is cheaper than to find owners */
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
  /* data that no parameter moves need no bars */
  for (int k = 0; k < model->nx; k++)
    active[k] = dependence->owner[k] != GRADYN_NO_OWNER;
  return GRADYN_OK;
}

/* Columns that are known. */
static void apply_columns(const gradyn_model *model, const gradyn_directions *d,
                          const double *x_bar, double *gradient)
{
  for (int f = 0; f < model->functional_count; f++)
    for (int j = 0; j < d->count; j++) {
      double sum = 0;
      /* dpsi_f/drho_j = sum of x_bar_k dx_k/drho_j */
      for (int i = d->start[j]; i < d->start[j + 1]; i++)
        sum += x_bar[f * model->nx + d->index[i]] * d->value[i];
      gradient[f * d->count + j] = sum;
    }
}

/* A chain in hand. */
typedef struct chain {
  gradyn_model *model;
  gradyn_scalar *rho;
  /* of all parameters, which serves every sweep until the next chain begins; of those of a group */
  const gradyn_dependence *d;
  gradyn_dependence *within;
  const double *x_bar;
  double *gradient;
  int *open;      /* data with several owners that matter; the first ones are those in question */
  int *candidate; /* parameters that may be among them */
} chain;

/* gradient[.][j] += bars of datum k times its slope; whether any bar is not zero. */
static bool add(const chain *c, int j, int k, double slope)
{
  bool matters = false;
  for (int f = 0; f < c->model->functional_count; f++) {
    /* x_bar_k of the functional */
    double bar = c->x_bar[f * c->model->nx + k];
    matters = matters || bar != 0;
    /* gradient_j += x_bar_k dx_k/drho_j */
    if (j >= 0)
      c->gradient[f * c->d->count + j] += bar * slope;
  }
  return matters;
}

/* Data of one owner by their slopes; opens those of several that matter, and returns how many. Bars of
 * derived data have been handed on to the others. */
static int apply_own(chain *c)
{
  int opened = 0;
  for (int k = 0; k < c->model->nx; k++) {
    /* dependent data and those that no parameter reaches have no slope */
    int owner = c->d->owner[k];
    if (owner == GRADYN_NO_OWNER || c->model->entry[k].derived)
      continue;
    /* several parameters: their slopes come from a second build */
    if (add(c, owner, k, owner < 0 ? 0 : c->d->slope[k]) && owner == GRADYN_SEVERAL_OWNERS)
      c->open[opened++] = k;
  }
  return opened;
}

/* The parameters of a group one by one. */
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

/* Open data that move with a group. */
static gradyn_status count_moved(chain *c, const int *group, int size, int opened, int *moved)
{
  GRADYN_TRY(gradyn_dependence_ask(c->model, c->rho, group, size));
  *moved = 0;
  /* one build with imaginary parts in the whole group */
  for (int k = 0; k < opened; k++)
    *moved += cimag(c->model->value[c->open[k]]) != 0;
  return GRADYN_OK;
}

/* Open data of one owner within a light group; those of several are moved to the front, *left of them. */
static gradyn_status apply_light(chain *c, const int *group, int size, int opened, int *left)
{
  gradyn_dependence *d = c->within;
  /* owners among the members of the group alone */
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

/* What a group of candidates adds by the first `opened` of the open data. */
static gradyn_status apply_group(chain *c, int first, int size, int opened)
{
  const int *group = c->candidate + first;
  int moved, left = opened, half = size / 2;
  GRADYN_TRY(count_moved(c, group, size, opened, &moved));
  /* light: one more search tells most of them */
  if (moved > 0 && moved <= LIGHT * size)
    GRADYN_TRY(apply_light(c, group, size, opened, &left));
  if (moved == 0 || left == 0)
    return GRADYN_OK;
  /* heavy and small: a build each */
  if (size <= SMALL)
    return apply_single(c, group, size, left);
  /* else halves, with what is still open */
  GRADYN_TRY(apply_group(c, first, half, left));
  return apply_group(c, first + half, size - half, left);
}

gradyn_status gradyn_chain_apply(gradyn_model *model, gradyn_scalar *rho, gradyn_directions *d,
                                 double *x_bar, double *gradient)
{
  int nf = model->functional_count, p = d->dependence.count;
  if (!d->dependence.owner) {
    /* few parameters: dpsi/drho_j = x_bar . column j */
    apply_columns(model, d, x_bar, gradient);
    return GRADYN_OK;
  }
  chain c = {model, rho, &d->dependence, &d->within, x_bar, gradient, d->own, d->own + model->nx};
  memset(gradient, 0, (size_t)nf * (size_t)p * sizeof *gradient);
  /* bars of derived data to those that they are derived from */
  for (int f = 0; f < nf; f++)
    gradyn_model_derive_transposed(model, x_bar + f * model->nx);
  /* step 1 of those above: data with one owner */
  int opened = apply_own(&c), candidates = 0;
  /* steps 2 to 4: parameters that share data, in groups */
  for (int j = 0; j < p; j++)
    if (d->dependence.shared[j])
      c.candidate[candidates++] = j;
  return opened > 0 ? apply_group(&c, 0, candidates, opened) : GRADYN_OK;
}
