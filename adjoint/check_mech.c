/* Checking a mechanical model through its interface: the residual's and the constraints' derivatives
 * with respect to state, multipliers, data and time, and the relations between the orders. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "adjoint/check_probe.h"

enum { RESIDUAL = -1 }; /* stands for "no order" where constraints have one */

static const struct {
  int parts;
  const char *name;
} part[] = {{GRADYN_INERTIA, "inertia"},
            {GRADYN_FORCE, "forces"},
            {GRADYN_CONSTRAINT, "constraints"},
            {GRADYN_HELD, "held"},
            {GRADYN_CONTACT, "contacts"}};
static const char *const order_name[] = {"Phi", "Phi'", "Phi''"};

static gradyn_mech_state state_at(const gradyn_probe *p, double t, const double *y)
{
  return (gradyn_mech_state){t, y, y + p->n, y + 2 * p->n, y + 3 * p->n, NULL};
}

static void step_motion(const gradyn_probe *p, double s)
{
  int n = p->n;
  const double *v = p->base + n, *a = p->base + 2 * n;
  for (int i = 0; i < n; i++) {
    p->moved[i] += s * (v[i] + s * a[i] / 2);
    p->moved[n + i] += s * a[i];
  }
}

static int value_count(const gradyn_probe *p)
{
  return p->order == RESIDUAL ? p->n : gradyn_mech_rows(p->mech, p->parts);
}

static gradyn_status evaluate(void *user, double s, double *value)
{
  gradyn_probe *p = user;
  double t = p->c->t + (p->time || p->motion ? s : 0);
  memcpy(p->moved, p->base, (size_t)p->ns * sizeof(double));
  if (p->entry >= 0)
    p->moved[p->entry] += s;
  for (int i = 0; i < 2 * p->n && p->straight; i++)
    p->moved[i] += s * p->line[i];
  if (p->motion)
    step_motion(p, s);
  gradyn_mech_state at = state_at(p, t, p->moved);
  gradyn_status status = GRADYN_OK;
  if (p->datum >= 0)
    status = gradyn_check_move(p->c, p->datum, s, p->c->t);
  if (status != GRADYN_OK)
    return status;
  memset(value, 0, (size_t)value_count(p) * sizeof *value); /* an element writes its own row only */
  return p->order == RESIDUAL ? p->mech->ops->residual(p->mech, p->parts, &at, value)
                              : p->mech->ops->phi(p->mech, p->parts, p->order, &at, value);
}

static double entry_size(const gradyn_probe *p, int i)
{
  return i < p->c->ny ? p->c->size[i] : 1;
}

static void aim(gradyn_probe *p, int parts, int order)
{
  p->parts = parts;
  p->order = order;
  p->entry = p->datum = -1;
  p->time = p->motion = p->straight = false;
}

/* Differences on a line of typical steps `size`; p->exact: what they should be. */
static gradyn_status differentiate(gradyn_probe *p, double size)
{
  return gradyn_check_differentiate(p->c, &p->d, value_count(p), evaluate, p, size, p->exact);
}

/* --- derivatives by state --------------------------------------------------------------------- */

static const char *entry_name(const gradyn_probe *p, int i, char *buffer, size_t size)
{
  gradyn_model *model = p->c->model;
  if (i >= p->c->ny)
    return "a multiplier of what is held or of a contact";
  model->ops->state_name(model, i, buffer, size);
  return buffer;
}

/* Takes factor times a sparse matrix (its first `rows` rows), or its transpose, by columns. */
static void gather(gradyn_probe *p, const gradyn_pattern *pattern, int rows, const double *values,
                   double factor, bool transposed)
{
  memset(p->column, 0xff, (size_t)p->ns * sizeof *p->column); /* -1: empty */
  for (int i = 0; i < rows; i++)
    for (int k = pattern->start[i]; k < pattern->start[i + 1]; k++) {
      int j = pattern->col[k], row = transposed ? j : i, col = transposed ? i : j;
      if (values[k] == 0)
        continue;
      p->entry_of[k] = (gradyn_probe_entry){row, p->column[col], factor * values[k]};
      p->column[col] = k;
    }
}

/* Compares the columns gathered with differences over `count` states from `first`: of an element, those
 * that are not zero. */
static gradyn_status compare_columns(gradyn_probe *p, int first, int count, gradyn_worst *w)
{
  gradyn_status status = GRADYN_OK;
  char name[64];
  int rows = value_count(p);
  for (int j = 0; j < count && status == GRADYN_OK; j++) {
    double size = entry_size(p, first + j);
    if (p->element && p->column[j] < 0)
      continue;
    if (!gradyn_check_proceed(p->c, j, count, &status)) {
      w->skipped++;
      continue;
    }
    p->entry = first + j;
    memset(p->exact, 0, (size_t)rows * sizeof *p->exact);
    for (int k = p->column[j]; k >= 0; k = p->entry_of[k].next)
      p->exact[p->entry_of[k].row] += p->entry_of[k].value;
    status = differentiate(p, size);
    if (status == GRADYN_OK)
      gradyn_worst_column(w, &p->d, rows, p->exact, size,
                          entry_name(p, first + j, name, sizeof name));
  }
  p->entry = -1;
  return status;
}

static gradyn_worst fresh(const gradyn_probe *p)
{
  return (gradyn_worst){.tolerance = p->c->tolerance};
}

/* J = derivative of Phi, Phi' or Phi'' by q; an element writes its own row only. */
static gradyn_status jacobian(gradyn_probe *p, int order, const gradyn_mech_state *at)
{
  memset(p->J, 0, (size_t)p->mech->jac.nnz * sizeof *p->J);
  return p->mech->ops->phi_q(p->mech, GRADYN_ALL_ROWS, order, at, p->J);
}

static gradyn_status check_tangents(gradyn_probe *p, int k)
{
  static const char *const name[] = {"K = dR/dq", "C = dR/dv", "M = dR/da"};
  gradyn_mech *mech = p->mech;
  gradyn_mech_state at = state_at(p, p->c->t, p->base);
  const double *matrix[] = {p->K, p->C, p->M};
  aim(p, part[k].parts, RESIDUAL);
  gradyn_status status = mech->ops->tangent(mech, part[k].parts, &at, p->K, p->C, p->M);
  for (int i = 0; i < 3 && status == GRADYN_OK; i++) {
    gradyn_worst w = fresh(p);
    gather(p, &mech->dyn, p->n, matrix[i], 1, false);
    status = compare_columns(p, i * p->n, p->n, &w);
    if (status == GRADYN_OK)
      status = gradyn_probe_report(p, &w, "differences", "%s, %s", name[i], part[k].name);
  }
  return status;
}

/* dR/dlam of forces that read multipliers: what it is of all less Phi_q^T. */
static gradyn_status check_reading(gradyn_probe *p, const gradyn_mech_state *at)
{
  gradyn_mech *mech = p->mech;
  gradyn_worst w = fresh(p);
  aim(p, GRADYN_FORCE, RESIDUAL);
  memset(p->U, 0, (size_t)mech->jac.nnz * sizeof *p->U);
  gradyn_status status = jacobian(p, 0, at);
  if (status == GRADYN_OK)
    status = mech->ops->residual_lam(mech, at, p->U);
  for (int k = 0; k < mech->jac.start[p->m]; k++)
    p->U[k] -= p->J[k];
  gather(p, &mech->jac, p->m, p->U, 1, true);
  if (status == GRADYN_OK)
    status = compare_columns(p, 3 * p->n, p->m, &w);
  return status == GRADYN_OK ? gradyn_probe_report(p, &w, "differences", "dR/dlam, forces")
                             : status;
}

static gradyn_status check_multipliers(gradyn_probe *p)
{
  gradyn_mech *mech = p->mech;
  gradyn_mech_state at = state_at(p, p->c->t, p->base);
  gradyn_status status = GRADYN_OK;
  for (int held = 0; held < 2 && status == GRADYN_OK; held++) {
    gradyn_worst w = fresh(p);
    int rows = held ? p->rows : p->m;
    aim(p, held ? GRADYN_ALL_ROWS : GRADYN_INERTIA | GRADYN_CONSTRAINT, RESIDUAL);
    status = jacobian(p, 0, &at);
    gather(p, &mech->jac, rows, p->J, 1, true);
    if (status == GRADYN_OK)
      status = compare_columns(p, 3 * p->n, rows, &w);
    if (status == GRADYN_OK)
      status = gradyn_probe_report(p, &w, "differences", "dR/dlam = Phi_q^T%s",
                                   held ? ", held" : "");
  }
  return status == GRADYN_OK && mech->reader ? check_reading(p, &at) : status;
}

/* Derivatives of the constraints by q, and the relations for those by v and a. */
static gradyn_status check_constraints(gradyn_probe *p)
{
  static const struct {
    int order, block, source; /* d phi(order) / d block = factor phi_q(source) */
    double factor;
    const char *name;
  } relation[] = {{0, 0, 0, 1, "Phi_q"},
                  {1, 0, 1, 1, "Phi'_q"},
                  {2, 0, 2, 1, "Phi''_q"},
                  {1, 1, 0, 1, "Phi'_v = Phi_q"},
                  {2, 1, 1, 2, "Phi''_v = 2 Phi'_q"},
                  {2, 2, 0, 1, "Phi''_a = Phi_q"}};
  gradyn_mech *mech = p->mech;
  gradyn_mech_state at = state_at(p, p->c->t, p->base);
  gradyn_status status = GRADYN_OK;
  for (size_t k = 0; k < GRADYN_COUNT(relation) && status == GRADYN_OK; k++) {
    gradyn_worst w = fresh(p);
    aim(p, GRADYN_ALL_ROWS, relation[k].order);
    status = jacobian(p, relation[k].source, &at);
    gather(p, &mech->jac, p->rows, p->J, relation[k].factor, false);
    if (status == GRADYN_OK)
      status = compare_columns(p, relation[k].block * p->n, p->n, &w);
    if (status == GRADYN_OK)
      status = gradyn_probe_report(p, &w, "differences", "%s", relation[k].name);
  }
  return status;
}

/* One column of differences against p->exact; whichever row is worst is named. */
static void compare_rows(gradyn_probe *p, double size, gradyn_worst *w)
{
  int rows = value_count(p);
  double scale = gradyn_check_scale(&p->d, rows, p->exact, size);
  for (int i = 0; i < rows; i++)
    gradyn_worst_entry(w, &p->d, i, p->exact[i], scale,
                       p->order == RESIDUAL ? p->mech->coordinate_name(p->mech, i)
                                            : p->mech->constraint_name(p->mech, i));
}

/* Phi' is the time derivative of Phi along any motion, and Phi'' that of Phi'. */
static gradyn_status check_time_derivatives(gradyn_probe *p)
{
  gradyn_mech_state at = state_at(p, p->c->t, p->base);
  double size = HUGE_VAL; /* s, in which no coordinate moves by more than its size */
  for (int i = 0; i < p->n; i++)
    size = fmin(size, p->c->size[i] / p->c->size[p->n + i]);
  gradyn_status status = GRADYN_OK;
  for (int order = 0; order < 2 && status == GRADYN_OK; order++) {
    gradyn_worst w = fresh(p);
    aim(p, GRADYN_CONSTRAINT, order);
    p->motion = true;
    memset(p->exact, 0, (size_t)p->m * sizeof *p->exact);
    status = p->mech->ops->phi(p->mech, GRADYN_CONSTRAINT, order + 1, &at, p->exact);
    if (status == GRADYN_OK)
      status = differentiate(p, size);
    if (status == GRADYN_OK)
      compare_rows(p, size, &w);
    if (status == GRADYN_OK)
      status = gradyn_probe_report(p, &w, "differences", "%s = d%s/dt along a motion",
                                   order_name[order + 1], order_name[order]);
  }
  return status;
}

/* The term whose rows hold what is looked at, and the first of those rows. */
static gradyn_mech_term term_of(const gradyn_probe *p, const gradyn_mech_state *at)
{
  return p->order == RESIDUAL ? (gradyn_mech_term){p->parts, GRADYN_NO_ORDER, *at}
                              : (gradyn_mech_term){p->parts & ~GRADYN_CONSTRAINT, p->order, *at};
}

static int first_row(const gradyn_probe *p)
{
  return p->order == RESIDUAL ? 0 : p->n;
}

/* exact = the product along d. */
static gradyn_status forward(gradyn_probe *p, const gradyn_mech_state *at,
                             const gradyn_mech_vector *d)
{
  const gradyn_mech_term term = term_of(p, at);
  memset(p->rows_of, 0, (size_t)(p->n + p->rows) * sizeof(double));
  gradyn_status status = gradyn_mech_along(p->mech, &term, at, d, p->work, p->rows_of);
  memcpy(p->exact, p->rows_of + first_row(p), (size_t)value_count(p) * sizeof(double));
  return status;
}

/* sums += the product against vector j of mu. */
static gradyn_status backward(gradyn_probe *p, const gradyn_mech_state *at, int j,
                              const gradyn_mech_sums *sums)
{
  const gradyn_mech_term term = term_of(p, at);
  memset(p->rows_of, 0, (size_t)(p->n + p->rows) * sizeof(double));
  memcpy(p->rows_of + first_row(p), p->mu + j * p->ns, (size_t)value_count(p) * sizeof(double));
  return gradyn_mech_against(p->mech, &term, at, p->rows_of, p->work, sums);
}

/* Explicit time derivatives of a part of the residual (order RESIDUAL) or of the constraints. */
static gradyn_status check_time(gradyn_probe *p, int parts, int order, const char *name)
{
  gradyn_mech_state at = state_at(p, p->c->t, p->base);
  double size = p->c->x[p->c->model->t_end];
  gradyn_worst w = fresh(p);
  aim(p, parts, order);
  p->time = true;
  gradyn_status status = forward(p, &at, &(gradyn_mech_vector){.t = 1});
  if (status == GRADYN_OK)
    status = differentiate(p, size);
  if (status != GRADYN_OK)
    return status;
  compare_rows(p, size, &w);
  return gradyn_probe_report(p, &w, "differences", "d%s/dt at a fixed state%s%s",
                             order == RESIDUAL ? "R" : order_name[order],
                             order == RESIDUAL ? ", " : "", name);
}

/* The products that sweeps take with derivatives by q and v: along a line, and transposed. */
static gradyn_status check_line(gradyn_probe *p, int parts, int order, const char *name)
{
  gradyn_mech_state at = state_at(p, p->c->t, p->base);
  gradyn_worst w = fresh(p), transposed = {.tolerance = GRADYN_CHECK_EXACT};
  double *bar = p->moved, sum = 0, other = 0, scale = 0;
  const gradyn_mech_vector d = {.q = p->line, .v = p->line + p->n};
  const gradyn_mech_sums bars = {.q = bar, .v = bar + p->n};
  aim(p, parts, order);
  p->straight = true;
  gradyn_status status = forward(p, &at, &d);
  if (status == GRADYN_OK)
    status = differentiate(p, 1);
  if (status != GRADYN_OK)
    return status;
  compare_rows(p, 1, &w);
  memset(bar, 0, (size_t)p->ns * sizeof(double));
  status = backward(p, &at, 0, &bars);
  for (int i = 0; i < 2 * p->n; i++)
    other += bar[i] * p->line[i];
  for (int i = 0; i < value_count(p); i++) {
    sum += p->mu[i] * p->exact[i];
    scale += fabs(p->mu[i]) * (fabs(p->exact[i]) + 1e-4 * gradyn_check_value(&p->d, i));
  }
  gradyn_worst_compare(&transposed, other, sum, scale, 0, "the state");
  if (status == GRADYN_OK)
    status = gradyn_probe_report(p, &w, "differences", "%s by q and v", name);
  if (status != GRADYN_OK)
    return status;
  return gradyn_probe_report(p, &transposed, "forward product", "%s by q and v, transposed", name);
}

/* --- derivatives by data ---------------------------------------------------------------------- */

/* The transposed product against the forward one; p->d has the values. */
static void compare_product(const gradyn_probe *p, int k, gradyn_worst *w)
{
  for (int j = 0; j < 2; j++) {
    const double *mu = p->mu + j * p->ns;
    double sum = 0, scale = 0, size = p->c->x_size[k];
    for (int i = 0; i < value_count(p); i++) {
      sum += mu[i] * p->exact[i];
      scale += fabs(mu[i]) * (fabs(p->exact[i]) + 1e-4 * gradyn_check_value(&p->d, i) / size);
    }
    gradyn_worst_compare(w, p->x_bar[j * p->c->nx + k], sum, scale, 0, p->c->model->entry[k].name);
  }
}

/* Every datum, or those that an element depends on: the product with a unit direction against differences,
 * the transposed one against it. */
static gradyn_status check_data(gradyn_probe *p, const char *name)
{
  gradyn_checking *c = p->c;
  gradyn_mech_state at = state_at(p, c->t, p->base);
  gradyn_worst w = fresh(p), transposed = {.tolerance = GRADYN_CHECK_EXACT};
  gradyn_status status = GRADYN_OK;
  memset(p->x_bar, 0, 2 * (size_t)c->nx * sizeof(double));
  for (int j = 0; j < 2 && status == GRADYN_OK; j++)
    status = backward(p, &at, j, &(gradyn_mech_sums){.x = p->x_bar + j * c->nx});
  double most = 0;
  for (int k = 0; k < c->nx; k++)
    most = fmax(most, gradyn_probe_influence(p, k));
  for (int k = 0; k < c->nx && status == GRADYN_OK; k++) {
    double size = c->x_size[k];
    if (p->element && !(gradyn_probe_influence(p, k) > 1e-13 * most))
      continue;
    if (!gradyn_check_proceed(c, k, c->nx, &status)) {
      w.skipped++;
      continue;
    }
    p->dx[k] = 1;
    status = forward(p, &at, &(gradyn_mech_vector){.x = p->dx});
    p->dx[k] = 0;
    p->datum = k;
    if (status == GRADYN_OK)
      status = differentiate(p, size);
    if (status != GRADYN_OK)
      return status;
    gradyn_worst_column(&w, &p->d, value_count(p), p->exact, size, c->model->entry[k].name);
    compare_product(p, k, &transposed);
    status = gradyn_check_load(c, NULL, c->t);
  }
  if (status == GRADYN_OK)
    status = gradyn_probe_report(p, &w, "differences", "%s", name);
  return status == GRADYN_OK
             ? gradyn_probe_report(p, &transposed, "forward product", "%s, transposed", name)
             : status;
}

/* --- the whole -------------------------------------------------------------------------------- */

gradyn_status gradyn_probe_blocks(gradyn_probe *p)
{
  static const char *const residual_name[] = {
      "dR/dx, inertia", "dR/dx, forces", "dR/dx, constraints", "dR/dx, held", "dR/dx, contacts"};
  static const char *const phi_name[] = {"dPhi/dx", "dPhi'/dx", "dPhi''/dx"};
  gradyn_status status = GRADYN_OK;
  for (int k = 0; k < p->parts_count && status == GRADYN_OK; k++)
    status = check_tangents(p, k);
  gradyn_status (*const more[])(gradyn_probe *) = {check_multipliers, check_constraints,
                                                   check_time_derivatives};
  for (int k = 0; k < 3 && status == GRADYN_OK; k++)
    status = more[k](p);
  for (int k = 0; k < p->parts_count && status == GRADYN_OK; k++) {
    status = check_line(p, part[k].parts, RESIDUAL, part[k].name);
    if (status == GRADYN_OK)
      status = check_time(p, part[k].parts, RESIDUAL, part[k].name);
  }
  for (int order = 0; order <= 2 && status == GRADYN_OK; order++) {
    status = check_line(p, GRADYN_ALL_ROWS, order, order_name[order]);
    if (status == GRADYN_OK)
      status = check_time(p, GRADYN_CONSTRAINT, order, "");
  }
  for (int k = 0; k < p->parts_count && status == GRADYN_OK; k++) {
    aim(p, part[k].parts, RESIDUAL);
    status = check_data(p, residual_name[k]);
  }
  for (int order = 0; order <= 2 && status == GRADYN_OK; order++) {
    aim(p, GRADYN_ALL_ROWS, order);
    status = check_data(p, phi_name[order]);
  }
  return status;
}

/* Hands out the arrays, or only counts the numbers that they need if there is no memory yet. */
static size_t lay_out(gradyn_probe *p, double *memory)
{
  size_t ns = (size_t)p->ns, nx = (size_t)p->c->nx, used = 0;
  size_t dyn = (size_t)p->mech->dyn.nnz + 1, jac = (size_t)p->mech->jac.nnz + 1;
  const struct {
    double **array;
    size_t size;
  } list[] = {{&p->base, ns},   {&p->moved, ns}, {&p->line, ns}, {&p->exact, ns},
              {&p->mu, 2 * ns}, {&p->K, dyn},    {&p->C, dyn},   {&p->M, dyn},
              {&p->J, jac},     {&p->U, jac},    {&p->dx, nx},   {&p->x_bar, 2 * nx},
              {&p->rows_of, ns}};
  for (size_t i = 0; i < GRADYN_COUNT(list); i++) {
    *list[i].array = memory ? memory + used : NULL;
    used += list[i].size;
  }
  return used;
}

gradyn_status gradyn_check_mech(gradyn_checking *c)
{
  gradyn_mech *mech = c->model->mech;
  gradyn_probe p = {.c = c, .mech = mech, .n = mech->n, .m = mech->m};
  p.rows = gradyn_mech_rows(mech, GRADYN_ALL_ROWS);
  p.parts_count = 4 + (mech->contacts > 0);
  p.ns = 3 * p.n + p.rows;
  double *memory = calloc(lay_out(&p, NULL) + 1, sizeof(double));
  int nnz = mech->dyn.nnz > mech->jac.nnz ? mech->dyn.nnz : mech->jac.nnz;
  p.work = gradyn_lanes_create((size_t)p.ns);
  p.column = calloc((size_t)p.ns + 1, sizeof *p.column);
  p.entry_of = calloc((size_t)nnz + 1, sizeof *p.entry_of);
  gradyn_status status = gradyn_differences_create(p.ns, &p.d);
  if (!memory || !p.work || !p.column || !p.entry_of)
    status = GRADYN_NO_MEMORY;
  lay_out(&p, memory);
  for (int i = 0; i < p.ns && status == GRADYN_OK; i++) {
    p.base[i] = i < c->ny ? c->y[i] : gradyn_check_random(c);
    p.mu[i] = gradyn_check_random(c);
    p.mu[p.ns + i] = gradyn_check_random(c);
    p.line[i] = entry_size(&p, i) * gradyn_check_random(c);
  }
  if (status == GRADYN_OK)
    status = gradyn_probe_blocks(&p);
  c->part = "elements";
  c->share += 0.2;
  if (status == GRADYN_OK)
    status = gradyn_probe_elements(&p);
  free(memory);
  free(p.column);
  free(p.entry_of);
  free(p.work);
  gradyn_differences_clear(&p.d);
  return status;
}
