/* A body given by x, y and an angle: its model is that of the declared mechanism except for the states. */
#include "tests/mbs/mechanism/curved.h"
#include "tests/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static curved *curved_of(const gradyn_model *model)
{
  return (curved *)model->mech;
}

/* --- names and states -------------------------------------------------------------------------- */

static int natural_of(const curved *c, int i)
{
  for (int k = 0; k < c->natural->n; k++)
    if (c->own[k] == i)
      return k;
  return c->base[0]; /* a coordinate of the body */
}

static const char *coordinate_name(const gradyn_mech *mech, int i)
{
  const curved *c = (const curved *)mech;
  return c->natural->coordinate_name(c->natural, natural_of(c, i));
}

static const char *constraint_name(const gradyn_mech *mech, int i)
{
  const curved *c = (const curved *)mech;
  return c->natural->constraint_name(c->natural, c->row[i]);
}

static int state_count(const gradyn_model *model)
{
  return 3 * model->mech->n + model->mech->m;
}

static void state_name(const gradyn_model *model, int i, char *buffer, size_t size)
{
  (void)model;
  snprintf(buffer, size, "y[%d]", i);
}

static const char *state_unit(const gradyn_model *model, int i)
{
  (void)model;
  (void)i;
  return "";
}

/* --- functionals, which read natural coordinates ----------------------------------------------- */

enum { CURVED_STATES = 3 * CURVED_FULL + CURVED_ROWS };

static void look_at_sample(const curved *c, const gradyn_sample *at, curved_place *p, double *y)
{
  const int n = c->mech.n, N = c->natural->n;
  curved_move(c, at->y, at->y + n, at->y + 2 * n, p);
  for (int order = 0; order < 3; order++)
    memcpy(y + order * N, p->X[order], (size_t)N * sizeof *y);
  memset(y + 3 * N, 0, CURVED_ROWS * sizeof *y);
  for (int i = 0; i < c->mech.m; i++)
    y[3 * N + c->row[i]] = at->y[3 * n + i];
}

static gradyn_status value_of(gradyn_model *model, const gradyn_functional_entry *f,
                              const gradyn_functional_ops *ops, const gradyn_sample *at,
                              double *value)
{
  double y[CURVED_STATES];
  curved_place p;
  look_at_sample(curved_of(model), at, &p, y);
  return ops->value(model, f, &(gradyn_sample){at->t, y}, value);
}

static gradyn_status gradient_of(gradyn_model *model, const gradyn_functional_entry *f,
                                 const gradyn_functional_ops *ops, const gradyn_sample *at,
                                 double weight, const gradyn_gradient_out *out)
{
  const curved *c = curved_of(model);
  const int n = c->mech.n, N = c->natural->n;
  double y[CURVED_STATES], y_bar[CURVED_STATES] = {0};
  gradyn_lanes X[3][CURVED_FULL], own[3][CURVED_OWN] = {{{0}}};
  curved_place p;
  look_at_sample(c, at, &p, y);
  const gradyn_gradient_out natural = {y_bar, 1, out->x_bar, out->t_bar};
  gradyn_status status = ops->gradient(model, f, &(gradyn_sample){at->t, y}, weight, &natural);
  for (int k = 0; k < 3; k++)
    for (int i = 0; i < N; i++)
      X[k][i] = (gradyn_lanes){y_bar[k * N + i]};
  curved_pull(c, &p, X, own[0], own[1], own[2]);
  for (int k = 0; k < 3 * n && out->y_bar; k++)
    out->y_bar[k * out->stride] += own[k / n][k % n][0];
  for (int i = 0; i < c->mech.m && out->y_bar; i++)
    out->y_bar[(3 * n + i) * out->stride] += y_bar[3 * N + c->row[i]];
  return status;
}

static const gradyn_functional_entry *declared(const gradyn_model *model,
                                               const gradyn_functional_entry *f)
{
  return &curved_of(model)->functional[f - model->functional];
}

static gradyn_status integrand_value(gradyn_model *model, const gradyn_functional_entry *f,
                                     const gradyn_sample *at, double *value)
{
  return value_of(model, f, declared(model, f)->integrand, at, value);
}

static gradyn_status integrand_gradient(gradyn_model *model, const gradyn_functional_entry *f,
                                        const gradyn_sample *at, double weight,
                                        const gradyn_gradient_out *out)
{
  return gradient_of(model, f, declared(model, f)->integrand, at, weight, out);
}

static gradyn_status terminal_value(gradyn_model *model, const gradyn_functional_entry *f,
                                    const gradyn_sample *at, double *value)
{
  return value_of(model, f, declared(model, f)->terminal, at, value);
}

static gradyn_status terminal_gradient(gradyn_model *model, const gradyn_functional_entry *f,
                                       const gradyn_sample *at, double weight,
                                       const gradyn_gradient_out *out)
{
  return gradient_of(model, f, declared(model, f)->terminal, at, weight, out);
}

static const gradyn_functional_ops integrand = {integrand_value, integrand_gradient},
                                   terminal = {terminal_value, terminal_gradient};

static void wrap_functionals(gradyn_model *model, curved *c)
{
  for (int i = 0; i < model->functional_count && i < CURVED_FUNCTIONALS; i++) {
    gradyn_functional_entry *f = &model->functional[i];
    c->functional[i] = *f;
    f->integrand = f->integrand ? &integrand : NULL;
    f->terminal = f->terminal ? &terminal : NULL;
  }
}

/* --- sealing ----------------------------------------------------------------------------------- */

/* Numbers the coordinates: free ones first, then x, y and the angle. */
static void number(curved *c, const gradyn_mbs *m)
{
  const gradyn_mech *natural = c->natural;
  int n = 0;
  for (int k = 0; k < 3; k++)
    c->base[k] = m->point[m->parts.body[0].point[k]].offset;
  for (int i = 0; i < natural->n; i++) {
    c->own[i] = 0;
    for (int k = 0; k < 3; k++)
      if (i / 2 == c->base[k] / 2)
        c->own[i] = -1;
    if (c->own[i] < 0)
      continue;
    c->q0[n] = natural->q0[i];
    c->v0[n] = natural->v0[i];
    c->length_scale[n] = natural->length_scale[i];
    c->own[i] = n++;
  }
  c->body = n;
  for (int k = 0; k < 3; k++) {
    c->q0[n + k] = k < 2 ? natural->q0[c->base[0] + k] : c->angle;
    c->v0[n + k] = k < 2 ? natural->v0[c->base[0] + k] : c->angle + 1;
    c->length_scale[n + k] = k < 2 ? 1 : natural->length;
  }
  c->mech.n = n + 3;
}

/* Lists the rows of all constraints except those of the base vectors. */
static void list_rows(curved *c, const char *body)
{
  const gradyn_mech *natural = c->natural;
  const size_t length = strlen(body);
  int count = 0;
  for (int i = 0; i < natural->m + natural->held; i++) {
    const char *name = natural->constraint_name(natural, i);
    if (strncmp(name, body, length) == 0 && strncmp(name + length, ".e", 2) == 0)
      continue;
    c->row[count++] = i;
    c->mech.m += i < natural->m;
  }
  c->mech.held = count - c->mech.m;
}

static gradyn_status full_pattern(int rows, int cols, gradyn_pattern *out)
{
  int row[CURVED_ROWS * CURVED_OWN], col[CURVED_ROWS * CURVED_OWN];
  for (int k = 0; k < rows * cols; k++) {
    row[k] = k / cols;
    col[k] = k % cols;
  }
  return gradyn_pattern_create(rows, cols, rows * cols, row, col, out);
}

static gradyn_status take_memory(curved *c)
{
  double **const matrix[] = {&c->K, &c->C, &c->M, &c->J[0], &c->J[1], &c->J[2]};
  const int size[] = {c->natural->dyn.nnz, c->natural->jac.nnz};
  for (int k = 0; k < 6; k++)
    if (!(*matrix[k] = calloc((size_t)size[k / 3] + 1, sizeof(double))))
      return GRADYN_NO_MEMORY;
  gradyn_status status = full_pattern(c->mech.n, c->mech.n, &c->mech.dyn);
  return status == GRADYN_OK ? full_pattern(c->mech.m + c->mech.held, c->mech.n, &c->mech.jac)
                             : status;
}

static gradyn_status finalise(gradyn_model *model)
{
  curved *c = curved_of(model);
  const gradyn_mbs *m = model->impl;
  gradyn_status status = c->natural_ops->finalise(model); /* this sets the natural model */
  c->natural = model->mech;
  model->mech = &c->mech;
  if (status != GRADYN_OK)
    return status;
  c->mech = *c->natural;
  c->mech.ops = &curved_mech_ops;
  c->mech.m = 0;
  c->mech.constant_mass = false;
  c->mech.damped = true; /* 2 W^T M W' */
  c->mech.twice = false;
  c->mech.dyn = c->mech.jac = (gradyn_pattern){0};
  c->mech.length_scale = c->length_scale;
  c->mech.q0 = c->q0;
  c->mech.v0 = c->v0;
  c->mech.begin.nearness = NULL;
  c->mech.coordinate_name = coordinate_name;
  c->mech.constraint_name = constraint_name;
  number(c, m);
  list_rows(c, m->parts.body[0].name);
  wrap_functionals(model, c);
  return take_memory(c);
}

static void free_curved(void *impl)
{
  FREED curved *c = curved_of(((gradyn_mbs *)impl)->model);
  c->natural_ops->free(impl);
  gradyn_pattern_clear(&c->mech.dyn);
  gradyn_pattern_clear(&c->mech.jac);
  free(c->K);
  free(c->C);
  free(c->M);
  for (int k = 0; k < 3; k++)
    free(c->J[k]);
}

void curved_open(gradyn_model *model)
{
  if (model->ops && model->mech)
    model->ops = curved_of(model)->natural_ops;
}

gradyn_status curved_close(gradyn_model *model, int angle)
{
  curved *c = model->mech ? curved_of(model) : calloc(1, sizeof *c);
  if (!c)
    return GRADYN_NO_MEMORY;
  if (!model->mech) {
    c->angle = angle;
    c->natural_ops = model->ops;
    c->ops = *model->ops;
    c->ops.finalise = finalise;
    c->ops.free = free_curved;
    c->ops.state_count = state_count;
    c->ops.state_name = state_name;
    c->ops.state_unit = state_unit;
    c->ops.output_count = NULL;
    c->ops.looks = NULL;
    model->mech = &c->mech;
  }
  model->ops = &c->ops;
  return gradyn_build_status(model);
}
