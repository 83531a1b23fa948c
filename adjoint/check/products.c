/* Checking a mechanical model's products, which sweeps take: along motions, time, lines through states, and
 * data; and transposed. */
#include <math.h>
#include <string.h>

#include "adjoint/check/probe.h"
#include "core/mech/vector.h"

/* Phi' is the time derivative of Phi along any motion, and Phi'' that of Phi'. */
gradyn_status gradyn_probe_motion(gradyn_probe *p)
{
  gradyn_mech_state at = gradyn_probe_state(p, p->c->t, p->base);
  double size = HUGE_VAL;        /* s, in which no coordinate moves by more than its size */
  for (int i = 0; i < p->n; i++) /* min |q_i| / |v_i| */
    size = fmin(size, p->c->size[i] / p->c->size[p->n + i]);
  for (int order = 0; order < 2; order++) {
    gradyn_worst w = gradyn_probe_fresh(p);
    gradyn_probe_aim(p, GRADYN_CONSTRAINT, order);
    p->move.motion = true;
    memset(p->exact, 0, (size_t)p->m * sizeof *p->exact);
    GRADYN_TRY(p->mech->ops->phi(p->mech, GRADYN_CONSTRAINT, order + 1, &at, p->exact));
    GRADYN_TRY(gradyn_probe_differentiate(p, size));
    gradyn_probe_rows(p, size, &w);
    GRADYN_TRY(gradyn_probe_report(p, &w, "differences", "%s = d%s/dt along a motion",
                                   gradyn_probe_order_name[order + 1],
                                   gradyn_probe_order_name[order]));
  }
  return GRADYN_OK;
}

/* The term whose rows hold what is looked at, and the first of those rows. */
static gradyn_mech_term term_of(const gradyn_probe *p, const gradyn_mech_state *at)
{
  return p->order == GRADYN_RESIDUAL
             ? (gradyn_mech_term){p->parts, GRADYN_NO_ORDER, *at}
             : (gradyn_mech_term){p->parts & ~GRADYN_CONSTRAINT, p->order, *at};
}

/* Where the rows that are looked at begin: the residual's first, or those of constraints behind
 * them. */
static int first_row(const gradyn_probe *p)
{
  return p->order == GRADYN_RESIDUAL ? 0 : p->n;
}

/* exact = the product along d. */
static gradyn_status forward(gradyn_probe *p, const gradyn_mech_state *at,
                             const gradyn_mech_vector *d)
{
  const gradyn_mech_term term = term_of(p, at);
  memset(p->rows_of, 0, (size_t)(p->n + p->rows) * sizeof(double));
  /* rows (R; Phi), of which one part is looked at */
  GRADYN_TRY(gradyn_mech_along(p->mech, &term, at, d, p->work, p->rows_of));
  memcpy(p->exact, p->rows_of + first_row(p), (size_t)gradyn_probe_values(p) * sizeof(double));
  return GRADYN_OK;
}

/* sums += the product against vector j of mu. */
static gradyn_status backward(gradyn_probe *p, const gradyn_mech_state *at, int j,
                              const gradyn_mech_sums *sums)
{
  const gradyn_mech_term term = term_of(p, at);
  memset(p->rows_of, 0, (size_t)(p->n + p->rows) * sizeof(double));
  /* mu in the rows that are looked at, zeros in the others */
  memcpy(p->rows_of + first_row(p), p->mu + j * p->ns,
         (size_t)gradyn_probe_values(p) * sizeof(double));
  return gradyn_mech_against(p->mech, &term, at, p->rows_of, p->work, sums);
}

/* Explicit time derivatives of a part of the residual (order GRADYN_RESIDUAL) or of the constraints. */
gradyn_status gradyn_probe_time(gradyn_probe *p, int parts, int order, const char *name)
{
  gradyn_mech_state at = gradyn_probe_state(p, p->c->t, p->base);
  double size = p->c->x[p->c->model->t_end];
  gradyn_worst w = gradyn_probe_fresh(p);
  gradyn_probe_aim(p, parts, order);
  /* (R; Phi)_t against differences by t at a state that stays */
  p->move.time = true;
  GRADYN_TRY(forward(p, &at, &(gradyn_mech_vector){.t = 1}));
  GRADYN_TRY(gradyn_probe_differentiate(p, size));
  gradyn_probe_rows(p, size, &w);
  return gradyn_probe_report(p, &w, "differences", "d%s/dt at a fixed state%s%s",
                             order == GRADYN_RESIDUAL ? "R" : gradyn_probe_order_name[order],
                             order == GRADYN_RESIDUAL ? ", " : "", name);
}

/* bar = D^T mu: mu.(D d), with D d known as p->exact, against bar.d. */
static gradyn_status compare_transposed(gradyn_probe *p, const gradyn_mech_state *at,
                                        gradyn_worst *w)
{
  double *bar = p->moved, sum = 0, other = 0, scale = 0;
  memset(bar, 0, (size_t)p->ns * sizeof(double));
  GRADYN_TRY(backward(p, at, 0, &(gradyn_mech_sums){.q = bar, .v = bar + p->n}));
  for (int i = 0; i < 2 * p->n; i++)
    other += bar[i] * p->move.line[i];
  for (int i = 0; i < gradyn_probe_values(p); i++) {
    sum += p->mu[i] * p->exact[i];
    /* rounding: of |mu|.|D d|, as terms may cancel, and of the values, a little */
    scale += fabs(p->mu[i]) * (fabs(p->exact[i]) + 1e-4 * gradyn_check_value(&p->d, i));
  }
  gradyn_worst_compare(w, other, sum, scale, 0, "the state");
  return GRADYN_OK;
}

/* The products that sweeps take with derivatives by q and v: along a line, and transposed. */
gradyn_status gradyn_probe_line(gradyn_probe *p, int parts, int order, const char *name)
{
  gradyn_mech_state at = gradyn_probe_state(p, p->c->t, p->base);
  gradyn_worst w = gradyn_probe_fresh(p), transposed = {.tolerance = GRADYN_CHECK_EXACT};
  gradyn_probe_aim(p, parts, order);
  /* (R; Phi)_q dq + (R; Phi)_v dv for (dq, dv) = line */
  p->move.straight = true;
  GRADYN_TRY(forward(p, &at, &(gradyn_mech_vector){.q = p->move.line, .v = p->move.line + p->n}));
  GRADYN_TRY(gradyn_probe_differentiate(p, 1));
  gradyn_probe_rows(p, 1, &w);
  GRADYN_TRY(compare_transposed(p, &at, &transposed));
  GRADYN_TRY(gradyn_probe_report(p, &w, "differences", "%s by q and v", name));
  return gradyn_probe_report(p, &transposed, "forward product", "%s by q and v, transposed", name);
}

/* --- derivatives by data ---------------------------------------------------------------------- */

/* The transposed product against the forward one; p->d has the values. */
static void compare_product(const gradyn_probe *p, int k, gradyn_worst *w)
{
  for (int j = 0; j < 2; j++) {
    const double *mu = p->mu + j * p->ns;
    double sum = 0, scale = 0, size = p->c->x_size[k];
    for (int i = 0; i < gradyn_probe_values(p); i++) {
      sum += mu[i] * p->exact[i]; /* mu.(D e_k) = (D^T mu)_k */
      scale += fabs(mu[i]) * (fabs(p->exact[i]) + 1e-4 * gradyn_check_value(&p->d, i) / size);
    }
    gradyn_worst_compare(w, p->x_bar[j * p->c->nx + k], sum, scale, 0, p->c->model->entry[k].name);
  }
}

/* Datum k: the product with its unit direction against differences, the transposed one against that. */
static gradyn_status compare_datum(gradyn_probe *p, int k, gradyn_worst *w,
                                   gradyn_worst *transposed)
{
  gradyn_checking *c = p->c;
  gradyn_mech_state at = gradyn_probe_state(p, c->t, p->base);
  const double size = c->x_size[k];
  /* (R; Phi)_x e_k, to p->exact */
  p->dx[k] = 1;
  gradyn_status status = forward(p, &at, &(gradyn_mech_vector){.x = p->dx});
  p->dx[k] = 0;
  GRADYN_TRY(status);
  p->move.datum = k;
  GRADYN_TRY(gradyn_probe_differentiate(p, size));
  gradyn_worst_column(w, &p->d, gradyn_probe_values(p), p->exact, size, c->model->entry[k].name);
  compare_product(p, k, transposed);
  return gradyn_check_load(c, NULL, c->t);
}

/* Every datum, or those that an element depends on. */
gradyn_status gradyn_probe_data(gradyn_probe *p, const char *name)
{
  gradyn_checking *c = p->c;
  gradyn_mech_state at = gradyn_probe_state(p, c->t, p->base);
  gradyn_worst w = gradyn_probe_fresh(p), transposed = {.tolerance = GRADYN_CHECK_EXACT};
  /* (R; Phi)_x^T mu for two random mu: all data at once */
  memset(p->x_bar, 0, 2 * (size_t)c->nx * sizeof(double));
  for (int j = 0; j < 2; j++)
    GRADYN_TRY(backward(p, &at, j, &(gradyn_mech_sums){.x = p->x_bar + j * c->nx}));
  double most = 0;
  for (int k = 0; k < c->nx; k++)
    most = fmax(most, gradyn_probe_influence(p, k));
  gradyn_status status = GRADYN_OK;
  for (int k = 0; k < c->nx; k++) {
    /* an element depends on data whose (D^T mu)_k is not zero for one of two random mu */
    if (p->element && !(gradyn_probe_influence(p, k) > 1e-13 * most))
      continue;
    if (gradyn_check_proceed(c, k, c->nx, &status))
      status = compare_datum(p, k, &w, &transposed);
    else
      w.skipped++;
    GRADYN_TRY(status);
  }
  GRADYN_TRY(gradyn_probe_report(p, &w, "differences", "%s", name));
  return gradyn_probe_report(p, &transposed, "forward product", "%s, transposed", name);
}
