/* Checks a mechanical model through its interface: derivatives of residual and constraints by state,
 * multipliers, data and time, and the relations between constraints of different orders.
 *
 * The state is one of the run, randomly disturbed, because a block that is zero at a state cannot be
 * checked there. */
#include "adjoint/check/mech.h"
#include "core/mech/rolling.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/mech/vector.h"

static const char *const order_name[] = {"Phi", "Phi'", "Phi''"};

static gradyn_mech_state base(const gradyn_mech_probe *p)
{
  return gradyn_mech_state_at(p->n, p->probe.t, p->probe.base);
}

/* --- values ----------------------------------------------------------------------------------- */

static gradyn_status values(gradyn_probe *probe, double t, double *value)
{
  gradyn_mech_probe *p = (gradyn_mech_probe *)probe;
  const gradyn_mech_state at = gradyn_mech_state_at(p->n, t, probe->moved);
  /* an isolated element writes only its own rows */
  memset(value, 0, (size_t)probe->rows * sizeof *value);
  return p->order == GRADYN_NO_ORDER ? p->mech->ops->residual(p->mech, p->parts, &at, value)
                                     : p->mech->ops->phi(p->mech, p->parts, p->order, &at, value);
}

static const char *value_name(const gradyn_probe *probe, int i)
{
  const gradyn_mech_probe *p = (const gradyn_mech_probe *)probe;
  return p->order == GRADYN_NO_ORDER ? p->mech->coordinate_name(p->mech, i)
                                     : p->mech->constraint_name(p->mech, i);
}

/* Selects parts of the residual (GRADYN_NO_ORDER) or rows of constraints of an order for the next checks. */
static void aim(gradyn_mech_probe *p, int parts, int order)
{
  p->parts = parts;
  p->order = order;
  p->probe.rows = order == GRADYN_NO_ORDER ? p->n : gradyn_mech_rows(p->mech, parts);
}

/* Checks the selected rows by an argument, and reports the result. */
static gradyn_status look(gradyn_mech_probe *p, gradyn_moves by, int first, int count,
                          const char *name)
{
  gradyn_worst w = {.tolerance = p->probe.c->tolerance};
  p->transposed = (gradyn_worst){.tolerance = GRADYN_CHECK_EXACT};
  GRADYN_TRY(gradyn_probe_compare(&p->probe, by, first, count, &w));
  return gradyn_mech_probe_report(p, &w, "differences", name);
}

/* --- matrices --------------------------------------------------------------------------------- */

/* Adds a column of the matrix whose entries look_at_matrix() has listed. */
static gradyn_status column(gradyn_probe *probe)
{
  const gradyn_mech_probe *p = (const gradyn_mech_probe *)probe;
  for (int k = p->column[probe->index - p->first]; k >= 0; k = p->entry_of[k].next)
    probe->exact[p->entry_of[k].row] += p->entry_of[k].value;
  return GRADYN_OK;
}

/* Returns whether a column is checked. For an element, only nonzero columns are. */
static bool has_column(const gradyn_probe *probe)
{
  const gradyn_mech_probe *p = (const gradyn_mech_probe *)probe;
  return !p->element || p->column[probe->index - p->first] >= 0;
}

/* A matrix of derivatives by the states from `first` on: the first `rows` rows of a sparse matrix times a
 * factor, or their transpose. */
typedef struct matrix {
  const gradyn_pattern *pattern;
  int rows;
  const double *values;
  double factor;
  bool transposed;
} matrix;

static gradyn_status look_at_matrix(gradyn_mech_probe *p, const matrix *a, int first,
                                    const char *name)
{
  memset(p->column, 0xff, (size_t)p->probe.ns * sizeof *p->column); /* -1: empty */
  for (int i = 0; i < a->rows; i++)
    for (int k = a->pattern->start[i]; k < a->pattern->start[i + 1]; k++) {
      const int j = a->pattern->col[k], row = a->transposed ? j : i, col = a->transposed ? i : j;
      if (a->values[k] == 0)
        continue;
      /* each column is a linked list, with the last entry first */
      p->entry_of[k] = (gradyn_mech_entry){row, p->column[col], a->factor * a->values[k]};
      p->column[col] = k;
    }
  p->first = first;
  p->probe.derive = column;
  p->probe.depends = has_column;
  return look(p, GRADYN_BY_STATE, first, a->transposed ? a->rows : p->n, name);
}

/* Checks K, C and M of a part of R. */
static gradyn_status look_at_tangents(gradyn_mech_probe *p, int parts, const char *part)
{
  static const char *const name[] = {"K = dR/dq", "C = dR/dv", "M = dR/da"};
  const double *const of[] = {p->K, p->C, p->M}; /* derivatives by q, v and a */
  const gradyn_mech_state at = base(p);
  char text[64];
  aim(p, parts, GRADYN_NO_ORDER);
  GRADYN_TRY(p->mech->ops->tangent(p->mech, parts, &at, p->K, p->C, p->M));
  for (int i = 0; i < 3; i++) {
    (void)snprintf(text, sizeof text, "%s, %s", name[i], part);
    GRADYN_TRY(look_at_matrix(p, &(matrix){&p->mech->dyn, p->n, of[i], 1, false}, i * p->n, text));
  }
  return GRADYN_OK;
}

/* Sets J to the derivative of Phi, Phi' or Phi'' by q. An isolated element writes only its own rows. */
static gradyn_status jacobian(gradyn_mech_probe *p, int order)
{
  const gradyn_mech_state at = base(p);
  memset(p->J, 0, (size_t)p->mech->jac.nnz * sizeof *p->J);
  return p->mech->ops->phi_q(p->mech, GRADYN_ALL_ROWS, order, &at, p->J);
}

/* Compares derivatives of R by the multipliers with R_lam = Phi_q^T - Q_lam, where Q_lam is nonzero for
 * forces that depend on multipliers. */
static gradyn_status look_at_multipliers(gradyn_mech_probe *p)
{
  const gradyn_pattern *jac = &p->mech->jac;
  const gradyn_mech_state at = base(p);
  /* constraints of the motion, then all rows */
  GRADYN_TRY(jacobian(p, 0));
  aim(p, GRADYN_INERTIA | GRADYN_CONSTRAINT, GRADYN_NO_ORDER);
  GRADYN_TRY(look_at_matrix(p, &(matrix){jac, p->m, p->J, 1, true}, 3 * p->n, "dR/dlam = Phi_q^T"));
  aim(p, GRADYN_ALL_ROWS, GRADYN_NO_ORDER);
  GRADYN_TRY(look_at_matrix(p, &(matrix){jac, p->all, p->J, 1, true}, 3 * p->n,
                            "dR/dlam = Phi_q^T, held"));
  if (!p->mech->reader)
    return GRADYN_OK;
  memset(p->U, 0, (size_t)jac->nnz * sizeof *p->U);
  GRADYN_TRY(jacobian(p, 0));
  GRADYN_TRY(p->mech->ops->residual_lam(p->mech, &at, p->U));
  for (int k = 0; k < jac->start[p->m]; k++)
    p->U[k] -= p->J[k]; /* R_lam^T - Phi_q = -(dQ/dlam)^T */
  aim(p, GRADYN_FORCE, GRADYN_NO_ORDER);
  return look_at_matrix(p, &(matrix){jac, p->m, p->U, 1, true}, 3 * p->n, "dR/dlam, forces");
}

/* Derivatives of the constraints. A model gives Phi_q, Phi'_q and Phi''_q, and psi'_v of nonholonomic rows;
 * schemes derive the derivatives by v and a from the relations below. */
static gradyn_status look_at_constraints(gradyn_mech_probe *p)
{
  static const struct {
    int order, block, source; /* d phi(order) / d block = phi_q(source), or twice that */
    const char *name;
  } relation[] = {{0, 0, 0, "Phi_q"},
                  {1, 0, 1, "Phi'_q"},
                  {2, 0, 2, "Phi''_q"},
                  {1, 1, 0, "Phi'_v = Phi_q"},
                  {2, 1, 1, "Phi''_v = 2 Phi'_q"},
                  {2, 2, 0, "Phi''_a = Phi_q"}};
  const gradyn_mech_state at = base(p);
  for (size_t k = 0; k < GRADYN_COUNT(relation); k++) {
    aim(p, GRADYN_ALL_ROWS, relation[k].order);
    GRADYN_TRY(jacobian(p, relation[k].source));
    if (relation[k].order == 0)
      gradyn_mech_zero_nonholonomic(p->mech, p->J);
    if (relation[k].order == 2 && relation[k].block == 1)
      GRADYN_TRY(gradyn_mech_second_v(p->mech, &at, p->J, p->J));
    const matrix a = {&p->mech->jac, p->all, p->J, 1, false};
    GRADYN_TRY(look_at_matrix(p, &a, relation[k].block * p->n, relation[k].name));
  }
  return GRADYN_OK;
}

/* --- products used by sensitivities ----------------------------------------------------------- */

/* Returns a description of the selected rows, for products. *rows points to their entries in rows_of, which
 * is set to zero. */
static gradyn_mech_term term_of(const gradyn_mech_probe *p, double **rows)
{
  const bool residual = p->order == GRADYN_NO_ORDER;
  memset(p->rows_of, 0, (size_t)(p->n + p->all) * sizeof(double));
  *rows = p->rows_of + (residual ? 0 : p->n);
  return (gradyn_mech_term){residual ? p->parts : p->parts & ~GRADYN_CONSTRAINT, p->order, base(p)};
}

/* Computes (R; Phi)_q dq + (R; Phi)_v dv along the line, or (R; Phi)_t, or (R; Phi)_x e_k. */
static gradyn_status forward(gradyn_probe *probe)
{
  gradyn_mech_probe *p = (gradyn_mech_probe *)probe;
  const gradyn_mech_state at = base(p);
  const gradyn_mech_vector d = {.x = probe->by == GRADYN_BY_DATUM ? probe->dx : NULL,
                                .t = probe->by == GRADYN_BY_TIME,
                                .q = probe->by == GRADYN_BY_LINE ? p->line : NULL,
                                .v = probe->by == GRADYN_BY_LINE ? p->line + p->n : NULL};
  double *rows;
  const gradyn_mech_term term = term_of(p, &rows);
  GRADYN_TRY(gradyn_mech_along(p->mech, &term, &at, &d, p->work, p->rows_of));
  memcpy(probe->exact, rows, (size_t)probe->rows * sizeof(double));
  return GRADYN_OK;
}

/* Returns the change of the transposed products for a change of datum k by its size. */
static double influence(const gradyn_mech_probe *p, int k)
{
  const gradyn_checking *c = p->probe.c;
  return c->x_size[k] * fmax(fabs(p->x_bar[k]), fabs(p->x_bar[c->nx + k]));
}

/* Computes the transposed products with both vectors mu. */
static gradyn_status backward(gradyn_mech_probe *p)
{
  const gradyn_mech_state at = base(p);
  const int n = p->n, nx = p->probe.c->nx;
  memset(p->bar, 0, 4 * (size_t)n * sizeof(double));
  memset(p->x_bar, 0, 2 * (size_t)nx * sizeof(double));
  for (int j = 0; j < 2; j++) {
    double *bar = p->bar + 2 * j * n, *rows;
    const gradyn_mech_sums sums = {.q = bar, .v = bar + n, .x = p->x_bar + j * nx};
    const gradyn_mech_term term = term_of(p, &rows);
    memcpy(rows, p->mu + j * p->probe.ns, (size_t)p->probe.rows * sizeof(double));
    GRADYN_TRY(gradyn_mech_against(p->mech, &term, &at, p->rows_of, p->work, &sums));
  }
  p->most = 0;
  for (int k = 0; k < nx; k++)
    p->most = fmax(p->most, influence(p, k));
  return GRADYN_OK;
}

/* Compares mu.(D d) with (D^T mu).d for the direction d of the forward product. */
static void compare_transposed(gradyn_probe *probe, const char *where)
{
  gradyn_mech_probe *p = (gradyn_mech_probe *)probe;
  const double size = gradyn_probe_step(probe);
  for (int j = 0; j < 2 && (probe->by == GRADYN_BY_LINE || probe->by == GRADYN_BY_DATUM); j++) {
    const double *mu = p->mu + j * probe->ns, *bar = p->bar + 2 * j * p->n;
    double sum = 0, scale = 0, other = 0;
    for (int i = 0; i < 2 * p->n && probe->by == GRADYN_BY_LINE; i++)
      other += bar[i] * p->line[i];
    if (probe->by == GRADYN_BY_DATUM)
      other = p->x_bar[j * probe->c->nx + probe->index];
    for (int i = 0; i < probe->rows; i++) {
      sum += mu[i] * probe->exact[i];
      /* round-off is relative to |mu|.|D d|, since terms may cancel, plus a share of the values */
      scale += fabs(mu[i]) *
               (fabs(probe->exact[i]) + 1e-4 * gradyn_check_value(&probe->d, i) / size);
    }
    gradyn_worst_compare(&p->transposed, other, sum, scale, 0, where[0] ? where : "the state");
  }
}

/* Returns whether an element depends on a datum: (D^T mu)_k is nonzero for one of two random mu. */
static bool has_datum(const gradyn_probe *probe)
{
  const gradyn_mech_probe *p = (const gradyn_mech_probe *)probe;
  return !p->element || probe->by != GRADYN_BY_DATUM ||
         influence(p, probe->index) > 1e-13 * p->most;
}

/* Checks a product and its transpose. */
static gradyn_status look_both_ways(gradyn_mech_probe *p, gradyn_moves by, int count,
                                    const char *name)
{
  char text[80];
  GRADYN_TRY(look(p, by, 0, count, name));
  (void)snprintf(text, sizeof text, "%s, transposed", name);
  return gradyn_mech_probe_report(p, &p->transposed, "forward product", text);
}

/* Checks products by q and v, time and data of a part of the residual (GRADYN_NO_ORDER) or of constraints. */
static gradyn_status look_at_products(gradyn_mech_probe *p, int parts, int order, const char *part)
{
  const bool residual = order == GRADYN_NO_ORDER;
  const char *symbol = residual ? "R" : part, *comma = residual ? ", " : "",
             *of = residual ? part : "";
  char by_line[64], by_time[64], by_data[64];
  (void)snprintf(by_line, sizeof by_line, "%s by q and v", part);
  (void)snprintf(by_time, sizeof by_time, "d%s/dt at a fixed state%s%s", symbol, comma, of);
  (void)snprintf(by_data, sizeof by_data, "d%s/dx%s%s", symbol, comma, of);
  aim(p, parts, order);
  GRADYN_TRY(backward(p));
  p->probe.derive = forward;
  p->probe.depends = has_datum;
  p->probe.compare = compare_transposed;
  p->probe.line = p->line;
  p->probe.step = 1;
  GRADYN_TRY(look_both_ways(p, GRADYN_BY_LINE, 1, by_line));
  GRADYN_TRY(look_both_ways(p, GRADYN_BY_DATUM, p->probe.c->nx, by_data));
  p->probe.compare = NULL;
  aim(p, residual ? parts : GRADYN_CONSTRAINT, order);
  return look(p, GRADYN_BY_TIME, 0, 1, by_time);
}

/* Evaluates Phi of the next order. */
static gradyn_status next_order(gradyn_probe *probe)
{
  gradyn_mech_probe *p = (gradyn_mech_probe *)probe;
  const gradyn_mech_state at = base(p);
  GRADYN_TRY(p->mech->ops->phi(p->mech, GRADYN_CONSTRAINT, p->order + 1, &at, probe->exact));
  /* nonholonomic rows have no order 0 whose time derivative they could be */
  for (int i = 0; i < p->m && p->order == 0; i++)
    probe->exact[i] = gradyn_mech_rolls(p->mech, i) ? 0 : probe->exact[i];
  return GRADYN_OK;
}

/* Checks that Phi' is the time derivative of Phi along any motion, and Phi'' that of Phi'. */
static gradyn_status look_at_motion(gradyn_mech_probe *p)
{
  const double *size = p->probe.c->size;
  char name[64];
  p->probe.derive = next_order;
  p->probe.depends = NULL;
  p->probe.line = p->probe.base + p->n; /* q and v change by v and a */
  p->probe.step = HUGE_VAL;             /* s; no coordinate changes by more than its size */
  for (int i = 0; i < p->n; i++)        /* min |q_i| / |v_i| */
    p->probe.step = fmin(p->probe.step, size[i] / size[p->n + i]);
  for (int order = 0; order < 2; order++) {
    aim(p, GRADYN_CONSTRAINT, order);
    (void)snprintf(name, sizeof name, "%s = d%s/dt along a motion", order_name[order + 1],
                   order_name[order]);
    GRADYN_TRY(look(p, GRADYN_BY_MOTION, 0, 1, name));
  }
  return GRADYN_OK;
}

/* --- the whole -------------------------------------------------------------------------------- */

/* Adds the correct comparisons of an element to the item of its kind. */
static void note_right(gradyn_worst *right, const gradyn_worst *w)
{
  right->skipped += w->skipped;
  right->present = right->present || w->present;
  /* keep the largest error relative to its tolerance */
  if (w->ratio <= right->ratio)
    return;
  right->ratio = w->ratio;
  right->error = w->error;
  right->tolerance = w->tolerance;
}

gradyn_status gradyn_mech_probe_report(gradyn_mech_probe *p, const gradyn_worst *w,
                                       const char *route, const char *block)
{
  gradyn_checking *c = p->probe.c;
  if (!p->element)
    return gradyn_check_add(c, w, route, "%s", block);
  /* each block with an error or a kink is an item of its own; all other blocks share one item */
  if (w->error > w->tolerance || w->kink > 0)
    return gradyn_check_add(c, w, route, "%s: %s", p->element, block);
  note_right(&p->right, w);
  return GRADYN_OK;
}

gradyn_status gradyn_mech_probe_blocks(gradyn_mech_probe *p)
{
  static const struct {
    int parts;
    const char *name;
  } part[] = {{GRADYN_INERTIA, "inertia"},
              {GRADYN_FORCE, "forces"},
              {GRADYN_CONSTRAINT, "constraints"},
              {GRADYN_HELD, "held"},
              {GRADYN_CONTACT, "contacts"}};
  const size_t parts = GRADYN_COUNT(part) - (p->mech->contacts == 0);
  for (size_t k = 0; k < parts; k++)
    GRADYN_TRY(look_at_tangents(p, part[k].parts, part[k].name));
  GRADYN_TRY(look_at_multipliers(p));
  GRADYN_TRY(look_at_constraints(p));
  GRADYN_TRY(look_at_motion(p));
  for (size_t k = 0; k < parts; k++)
    GRADYN_TRY(look_at_products(p, part[k].parts, GRADYN_NO_ORDER, part[k].name));
  for (int order = 0; order <= 2; order++)
    GRADYN_TRY(look_at_products(p, GRADYN_ALL_ROWS, order, order_name[order]));
  return GRADYN_OK;
}

gradyn_status gradyn_mech_probe_open(gradyn_mech_probe *p, gradyn_checking *c)
{
  gradyn_arena *arena = &p->probe.arena;
  gradyn_mech *mech = c->model->mech;
  *p = (gradyn_mech_probe){.mech = mech, .n = mech->n, .m = mech->m};
  p->all = gradyn_mech_rows(mech, GRADYN_ALL_ROWS);
  p->probe.values = values;
  p->probe.value_name = value_name;
  p->probe.line_count = 2 * p->n;
  GRADYN_TRY(gradyn_mech_form(p->mech));
  GRADYN_TRY(gradyn_probe_open(&p->probe, c, 3 * p->n + p->all));
  const size_t n = (size_t)p->n, ns = (size_t)p->probe.ns, nx = (size_t)c->nx;
  const size_t dyn = (size_t)p->mech->dyn.nnz + 1, jac = (size_t)p->mech->jac.nnz + 1;
  const struct {
    double **array;
    size_t size;
  } need[] = {{&p->line, ns},    {&p->mu, 2 * ns},   {&p->K, dyn}, {&p->C, dyn},
              {&p->M, dyn},      {&p->J, jac},       {&p->U, jac}, {&p->bar, 4 * n},
              {&p->rows_of, ns}, {&p->x_bar, 2 * nx}};
  for (size_t i = 0; i < GRADYN_COUNT(need); i++)
    *need[i].array = gradyn_arena_numbers(arena, need[i].size);
  p->work = gradyn_arena_lanes(arena, ns);
  p->column = gradyn_arena_take(arena, ns, sizeof *p->column);
  p->entry_of = gradyn_arena_take(arena, dyn > jac ? dyn : jac, sizeof *p->entry_of);
  GRADYN_TRY(gradyn_arena_status(arena));
  for (int i = 0; i < p->probe.ns; i++) {
    p->probe.base[i] = i < c->ny ? c->y[i] : gradyn_check_random(c);
    p->mu[i] = gradyn_check_random(c);
    p->mu[p->probe.ns + i] = gradyn_check_random(c);
    p->line[i] = p->probe.size[i] * gradyn_check_random(c);
  }
  return GRADYN_OK;
}
