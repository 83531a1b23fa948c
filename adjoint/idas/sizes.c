/* Running sizes of adjoints and sensitivities, and the error weights that follow from them.
 *
 * The error allowed in an adjoint p_i of a functional psi is
 *     rtol |p_i| + share P_i + (trace Psi + N min(1, N/Psi)) / Y_i.
 * P_i is the largest |p_i| so far; because of this term, zeros of p_i are not resolved. Y_i is the size of
 * the states in the unit of state i. Psi, in the unit of psi, is a lower bound of the size of the
 * functional; because of this term, adjoints much smaller than others are not resolved. Psi is the largest
 * of
 *     |p_i| y_i, |x_bar_k| x_k:     effects on psi of changes of state i and datum k by their present size,
 *     min(faint |psi|, |psi_y| y):  for functionals that become sensitive late.
 * The value |psi| alone would be misleading for functionals that hardly change with states of these sizes,
 * such as the distance from a target seen from an equilibrium.
 *
 * N is round-off times psi_yy y^2, where y also allows for the largest possible accelerations. If a
 * deviation is tracked to zero, p is round-off alone, and Psi is not above N. If Psi is much larger than N,
 * p is not round-off, because N is a bound. Tolerances of sensitivities x_bar_k have the same form. */
#include "adjoint/idas/sizes.h"
#include "adjoint/method.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* `share` and `trace` as parts of rtol; in absolute terms they are at least `roundoff`. Measured with the
 * five-bar linkage, Robertson's kinetics over eleven decades of time, and a stiff beam: larger parts lose
 * digits if adjoints have very different sizes, smaller ones cost up to a quarter more steps. */
static const double share = 1e-1, trace = 1e-2, roundoff = 1e-14;

/* the initial size of a functional, as part of its value */
static const double faint = 1e-4;
/* changes of states for second derivatives, as part of their sizes */
static const double moved = 1e-6;
/* shortest first step, as part of the length of the backward run */
static const double least_step = 1e-12;

/* --- life ------------------------------------------------------------------------------------- */

/* For each i, sets first[i]: the index of the first entry of unit [count] that equals unit[i]. */
static gradyn_status group(const char **unit, int count, int *first)
{
  int *kind = calloc((size_t)count + 1, sizeof(int)), kinds = 0;
  for (int i = 0; kind && i < count; i++) {
    int k = 0;
    /* there are few units, so a list is sufficient */
    while (k < kinds && strcmp(unit[kind[k]], unit[i]) != 0)
      k++;
    if (k == kinds)
      kind[kinds++] = i;
    first[i] = kind[k];
  }
  free(kind);
  return kind ? GRADYN_OK : GRADYN_NO_MEMORY;
}

/* Sets, for each differential state and each datum, the index of the first one with the same unit. */
static gradyn_status group_by_unit(gradyn_idas_sizes *s)
{
  const gradyn_model *model = s->march->model;
  /* algebraic adjoints follow from differential ones, and need no sizes */
  const gradyn_index1 *system = s->march->system;
  const char **unit = calloc((size_t)(s->np + system->nx) + 1, sizeof *unit);
  if (!unit)
    return GRADYN_NO_MEMORY;
  /* adjoints of states with the same unit are comparable */
  for (int i = 0; i < s->np; i++)
    unit[i] = model->ops->state_unit(model, system->differential[i]);
  for (int k = 0; k < system->nx; k++)
    unit[s->np + k] = model->entry[k].unit;
  gradyn_status status = group(unit, s->np, s->state_unit);
  if (status == GRADYN_OK)
    status = group(unit + s->np, system->nx, s->datum_unit);
  free(unit);
  return status;
}

/* Allocates the sizes of adjoints, by which their tolerances are determined. Products of adjoints with
 * states, and with data, have the unit of the functional and are comparable. */
gradyn_status gradyn_idas_sizes_create(const gradyn_idas *march, gradyn_idas_sizes *s)
{
  const gradyn_index1 *system = march->system;
  size_t nf = (size_t)march->sums.count, np = (size_t)system->np, nx = (size_t)system->nx;
  *s = (gradyn_idas_sizes){.march = march, .np = system->np, .ne = system->ne};
  /* sizes of states and data, and the largest of each unit */
  s->state_unit = gradyn_arena_take(&s->arena, np + 1, sizeof(int));
  s->datum_unit = gradyn_arena_take(&s->arena, nx + 1, sizeof(int));
  s->state = gradyn_arena_numbers(&s->arena, 3 * np + 1);
  s->datum = gradyn_arena_numbers(&s->arena, 2 * nx + 1);
  s->p = gradyn_arena_numbers(&s->arena, nf * np + 1);
  s->eta = gradyn_arena_numbers(&s->arena, nf * (size_t)s->ne + 1);
  s->x_bar = gradyn_arena_numbers(&s->arena, nf * nx + 1);
  s->most = gradyn_arena_numbers(&s->arena, 5 * nf + 1);
  s->probe = gradyn_arena_numbers(&s->arena, 2 * (size_t)march->ny + 1);
  /* the remaining arrays are parts of these */
  if (gradyn_arena_status(&s->arena) == GRADYN_OK && group_by_unit(s) == GRADYN_OK) {
    s->states_alike = s->state + np;
    s->now = s->state + 2 * np;
    s->data_alike = s->datum + nx;
    s->most_eta = s->most + nf;
    s->noise = s->most + 2 * nf;
    s->faint = s->most + 3 * nf;
    s->reach = s->most + 4 * nf;
    return GRADYN_OK;
  }
  gradyn_idas_sizes_clear(s);
  return gradyn_fail(&march->model->message, GRADYN_NO_MEMORY, "out of memory for the adjoint");
}

/* Frees also incomplete objects. */
void gradyn_idas_sizes_clear(gradyn_idas_sizes *s)
{
  gradyn_arena_clear(&s->arena);
  *s = (gradyn_idas_sizes){0};
}

/* --- following -------------------------------------------------------------------------------- */

/* Sets alike[i]: the largest size among entries with the unit of entry i. A size of zero is replaced by the
 * smallest other size of its unit; if all are zero, by 1. */
static void spread(const int *first, int count, double *size, double *alike)
{
  for (int i = 0; i < count; i++)
    alike[i] = 0;
  for (int i = 0; i < count; i++)
    alike[first[i]] = fmax(alike[first[i]], size[i]);
  for (int i = 0; i < count; i++)
    alike[i] = alike[first[i]] > 0 ? alike[first[i]] : 1;
  for (int i = 0; i < count; i++)
    if (size[i] == 0) {
      size[i] = alike[i];
      for (int k = 0; k < count; k++)
        if (first[k] == first[i] && size[k] > 0)
          size[i] = fmin(size[i], size[k]);
    }
}

void gradyn_idas_sizes_rows(gradyn_idas_sizes *s, const int *row, int rows)
{
  s->row = row;
  s->rows = rows;
}

/* To be called before a backward run: sets the sizes of states, data and functionals. */
void gradyn_idas_sizes_begin(gradyn_idas_sizes *s, const double *slope, const int *active,
                             int count)
{
  const gradyn_idas *march = s->march;
  int nx = march->system->nx;
  s->rtol = march->options.rtol_sens > 0 ? march->options.rtol_sens : march->options.rtol;
  s->share = fmax(share * s->rtol, roundoff);
  s->trace = fmax(trace * s->rtol, roundoff);
  s->active = active;
  s->count = count;
  /* Y_i and |x_k|; spread() replaces zeros */
  for (int i = 0; i < s->np; i++)
    s->state[i] = march->sizes.size[march->system->differential[i]];
  for (int k = 0; k < nx; k++)
    s->datum[k] = fabs(march->model->x[k]);
  spread(s->state_unit, s->np, s->state, s->states_alike);
  spread(s->datum_unit, nx, s->datum, s->data_alike);
  memset(s->p, 0, (size_t)(s->rows * s->np) * sizeof(double));
  memset(s->eta, 0, (size_t)(s->rows * s->ne) * sizeof(double));
  memset(s->x_bar, 0, (size_t)(s->rows * nx) * sizeof(double));
  s->followed = false;
  for (int f = 0; f < s->rows; f++) {
    s->faint[f] = faint * fabs(slope[s->row[f]] * march->sums.inner[s->row[f]]);
    s->most[f] = s->most_eta[f] = s->noise[f] = s->reach[f] = 0;
  }
}

/* Raises *size to |value|. */
static void raise(double *size, double value)
{
  if (fabs(value) > *size)
    *size = fabs(value);
}

/* Returns the size of state i, by which its round-off is estimated. For rates and multipliers that are zero
 * now, this is the size that they may have. */
static double natural(const gradyn_idas_sizes *s, int i)
{
  return fmax(s->march->sizes.most[i], s->march->sizes.size[i]);
}

/* Computes two numbers of a part of a functional. *steepness: its gradient times the sizes of the states.
 * *most: the change of this product, per part, if all states change by different small parts of their
 * sizes. */
static gradyn_status curvature(gradyn_idas_sizes *s, const gradyn_functional_ops *part,
                               const gradyn_functional_entry *f, double t, const double *y,
                               double *steepness, double *most)
{
  int ny = s->march->ny;
  double *at = s->probe, *y_bar = s->probe + ny;
  *most = *steepness = 0;
  memset(y_bar, 0, (size_t)ny * sizeof(double));
  for (int side = 0; side < 2; side++) {
    for (int i = 0; i < ny; i++)
      at[i] = y[i] + side * moved * (i % 2 ? -1 : 1) * (1 + i % 7 / 7.0) * natural(s, i);
    /* the weights -1 and 1 make y_bar the difference psi_y(y + dy) - psi_y(y) */
    const gradyn_gradient_out out = {y_bar, 1, NULL, NULL};
    const gradyn_sample sample = {t, at};
    gradyn_status status = part->gradient(s->march->model, f, &sample, side == 0 ? -1 : 1, &out);
    if (status !=
        GRADYN_OK) /* the functional is not defined there: its second derivatives are neglected */
      return gradyn_status_describe((int)status).kind == GRADYN_CLASS_FATAL ? status : GRADYN_OK;
    for (int i = 0; i < ny && side == 0; i++)
      raise(steepness, y_bar[i] * natural(s, i)); /* |psi_y| |y_i| */
  }
  for (int i = 0; i < ny; i++)
    raise(most, y_bar[i] / moved * natural(s, i)); /* |psi_yy y| |y_i| */
  return GRADYN_OK;
}

/* Updates the uncertainty of each functional. Where terminal parts and integrands have second derivatives,
 * round-off of the state makes their gradients uncertain. */
gradyn_status gradyn_idas_sizes_curvature(gradyn_idas_sizes *s, double t, const double *y,
                                          double length, const double *slope)
{
  const double t_end = s->march->arcs.boundary[s->march->arcs.count].t;
  for (int f = 0; f < s->rows; f++) {
    const gradyn_functional_entry *functional = &s->march->model->functional[s->row[f]];
    const gradyn_functional_ops *const part[] = {functional->integrand, functional->terminal};
    for (int k = 0; k < 2; k++) {
      double size = 0, steepness = 0;
      if (part[k])
        GRADYN_TRY(curvature(s, part[k], functional, t, y, &steepness, &size));
      /* an integrand acts along the arc, a terminal part once */
      const double weight = slope[s->row[f]] * (k == 0 ? length : 1);
      raise(&s->noise[f], roundoff * weight * size);
      /* effect of the functional in the whole run, with the size that its gradient may have elsewhere */
      const double far = fabs(slope[s->row[f]]) * (k == 0 ? t_end : 1) * (steepness + size);
      /* with tolerances at the level of round-off, Psi is not reduced further */
      raise(&s->most[f], s->trace > roundoff ? fmin(s->faint[f], far) : s->faint[f]);
    }
  }
  return GRADYN_OK;
}

/* Sets now[i]: the present size of the states with the unit of state i. If all these states are zero, the
 * size of earlier states is used. */
static void look(gradyn_idas_sizes *s, const double *y)
{
  const int *first = s->state_unit, *differential = s->march->system->differential;
  for (int i = 0; i < s->np; i++)
    s->now[i] = 0;
  for (int i = 0; i < s->np; i++)
    raise(&s->now[first[i]], y[differential[i]]);
  for (int i = 0; i < s->np; i++)
    s->now[i] = s->now[first[i]] > 0 ? s->now[first[i]] : s->states_alike[i];
}

/* Updates the largest products of adjoints with states and data, which determine tolerances. */
void gradyn_idas_sizes_follow(gradyn_idas_sizes *s, const double *y, const double *z,
                              const double *quad)
{
  int nz = s->np + s->ne;
  look(s, y);
  for (int f = 0; f < s->rows; f++) {
    double *p = s->p + f * s->np, *eta = s->eta + f * s->ne, *x_bar = s->x_bar + f * s->count;
    double most = s->most[f];
    for (int i = 0; i < s->np; i++) {
      p[i] = fmax(p[i], fabs(z[f * nz + i]));
      most = fmax(most, p[i] * s->now[i]); /* |p_i| y_i */
    }
    /* at the first call, p is the gradient of the functionals evaluated at the end */
    for (int i = 0; i < s->np && !s->followed; i++)
      s->reach[f] = fmax(s->reach[f], p[i] * s->states_alike[i]);
    for (int i = 0; i < s->ne; i++) {
      eta[i] = fmax(eta[i], fabs(z[f * nz + s->np + i]));
      s->most_eta[f] = fmax(s->most_eta[f], eta[i]);
    }
    for (int k = 0; k < s->count && quad; k++) {
      x_bar[k] = fmax(x_bar[k], fabs(quad[f * s->count + k]));
      most = fmax(most, x_bar[k] * s->datum[s->active[k]]); /* |x_bar_k| x_k */
    }
    s->most[f] = most;
  }
  s->followed = true;
}

void gradyn_idas_sizes_judge(const gradyn_idas_sizes *s, const double *psi,
                             gradyn_findings *findings)
{
  for (int f = 0; f < s->rows; f++) {
    /* size of the functional: from its value, from the adjoints at the end, and from its second derivatives
     */
    const double size = fmax(fmax(fabs(psi[s->row[f]]), s->reach[f]), s->noise[f] / roundoff);
    gradyn_note_undetermined(s->march->model, s->row[f], s->most[f], s->rtol, size, findings);
  }
}

/* --- weights ---------------------------------------------------------------------------------- */

/* Returns the error weight for a tolerance. Without a tolerance it is 0, which disables the error test. */
static double inverse(double tolerance)
{
  return tolerance > 0 ? 1 / tolerance : 0;
}

/* Returns the unresolved part of functional f: trace Psi + N min(1, N/Psi). */
static double unresolved(const gradyn_idas_sizes *s, int f)
{
  const double noise = s->noise[f], most = s->most[f];
  return s->trace * most + (most > noise ? noise * (noise / most) : noise);
}

/* Returns the weight of p_i of functional f in the error test of IDAS: 1/(rtol |p_i| + share P_i +
 * unresolved/Y_i). */
static double weight_of(const gradyn_idas_sizes *s, int f, int i, double p)
{
  return inverse(s->rtol * fabs(p) + s->share * s->p[f * s->np + i] +
                 unresolved(s, f) / s->states_alike[i]);
}

void gradyn_idas_sizes_weights(const gradyn_idas_sizes *s, const double *z, double *weight)
{
  int nz = s->np + s->ne;
  for (int f = 0; f < s->rows; f++) {
    const double *p = z + f * nz, *eta = p + s->np, *most_eta = s->eta + f * s->ne;
    double *w = weight + f * nz;
    for (int i = 0; i < s->np; i++)
      w[i] = weight_of(s, f, i, p[i]);
    /* algebraic adjoints are not in the error test: these weights only affect Newton iterations */
    for (int i = 0; i < s->ne; i++)
      w[s->np + i] = inverse(s->rtol * (fabs(eta[i]) + most_eta[i]) + s->share * s->most_eta[f]);
  }
}

double gradyn_idas_sizes_first_step(const gradyn_idas_sizes *s, N_Vector z, N_Vector zp,
                                    double length)
{
  const int nz = s->np + s->ne;
  double sum = 0;
  for (int f = 0; f < s->rows; f++)
    for (int i = 0; i < s->np; i++) {
      double change = NV_Ith_S(zp, f * nz + i) * weight_of(s, f, i, NV_Ith_S(z, f * nz + i));
      sum += change * change;
    }
  /* IDAS would choose the step in which p changes by half of its tolerance */
  double usual = 0.5 / sqrt(sum / (s->rows * nz + 1));
  return s->march->system->combined > 0 && usual < least_step * length ? -least_step * length : 0;
}

void gradyn_idas_sizes_tolerances(const gradyn_idas_sizes *s, double *atol)
{
  for (int f = 0; f < s->rows; f++)
    for (int k = 0; k < s->count; k++) {
      /* as in weight_of(), but without the term rtol |x_bar_k|, which IDAS adds itself */
      double least = s->share * s->x_bar[f * s->count + k] +
                     unresolved(s, f) / s->data_alike[s->active[k]];
      /* sensitivities that have been zero so far are not tested */
      atol[f * s->count + k] = least > 0 ? least : HUGE_VAL;
    }
}
