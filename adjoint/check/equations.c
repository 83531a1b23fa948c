/* Checking general equations: the complex-step derivatives against differences.
 *
 * Of F(t, y, y', x) the columns F_y, F_y', F_t and F_x are compared with extrapolated
 * differences at a state of the motion with rates at random, since F need not vanish where its
 * derivatives are looked at. F_x is looked at twice: assembled by datum and by signal, and as
 * the product in a direction that simulations take. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "adjoint/check/check.h"
#include "core/linear/arena.h"
#include "core/model/equations.h"

/* A line through states, rates, data or time along which F is evaluated. */
typedef struct probe {
  gradyn_checking *c;
  gradyn_equations_model *e;
  int n;
  double *y, *yp; /* [n] */
  double *exact;  /* [n] */
  double *F_k;    /* [n] */
  double *dx;     /* [nx] a unit direction, zero between uses */
  double *moves;  /* the entry of y or yp that moves, or NULL */
  int datum;      /* that moves, or -1 */
  bool time;      /* t moves */
  gradyn_differences d;
  gradyn_arena arena; /* of all arrays */
} probe;

/* F with one thing moved by s: a state or rate, a datum, or time. */
static gradyn_status evaluate(void *user, double s, double *value)
{
  probe *p = user;
  gradyn_status status = GRADYN_OK;
  if (p->datum >= 0)
    status = gradyn_check_move(p->c, p->datum, s, p->c->t);
  if (status != GRADYN_OK)
    return status;
  /* F at the moved state, rate, datum or time; all is put back */
  double keep = p->moves ? *p->moves : 0;
  if (p->moves)
    *p->moves += s;
  status = gradyn_equations_residual(p->e, p->c->t + (p->time ? s : 0), p->y, p->yp, value);
  if (p->moves)
    *p->moves = keep;
  return status;
}

/* The column in p->exact against the differences by what moves at present. */
static gradyn_status compare(probe *p, double size, const char *where, gradyn_worst *w)
{
  GRADYN_TRY(gradyn_check_differentiate(p->c, &p->d, p->n, evaluate, p, size, p->exact));
  gradyn_worst_column(w, &p->d, p->n, p->exact, size, where);
  return GRADYN_OK;
}

/* F_y or, of differential states, F_y'. */
static gradyn_status check_states(probe *p, bool rate)
{
  gradyn_worst w = {.tolerance = p->c->tolerance};
  gradyn_status status = GRADYN_OK;
  for (int i = 0; i < p->n && status == GRADYN_OK; i++) {
    /* algebraic states have no rate */
    if (rate && p->e->unknown[i].algebraic)
      continue;
    if (!gradyn_check_proceed(p->c, i, p->n, &status)) {
      w.skipped++;
      continue;
    }
    gradyn_equations_at(p->e, p->c->t, p->y, p->yp); /* arguments are restored by at() */
    status = gradyn_equations_by_state(p->e, i, rate, p->exact);
    p->moves = rate ? &p->yp[i] : &p->y[i];
    /* rates are of the size of the state over the run */
    double size = rate ? p->c->size[i] / p->c->x[p->c->model->t_end] : p->c->size[i];
    if (status == GRADYN_OK)
      status = compare(p, size, p->e->unknown[i].name, &w);
  }
  p->moves = NULL;
  return status == GRADYN_OK ? gradyn_check_add(p->c, &w, "differences", rate ? "dF/dy'" : "dF/dy")
                             : status;
}

/* F_t at a fixed state: what signals and users' functions of time bring in. */
static gradyn_status check_time(probe *p)
{
  gradyn_worst w = {.tolerance = p->c->tolerance};
  /* dF/dt with y, y' and data held */
  gradyn_equations_at(p->e, p->c->t, p->y, p->yp);
  gradyn_status status = gradyn_equations_by_time(p->e, p->exact);
  p->time = true;
  if (status == GRADYN_OK)
    status = compare(p, p->c->x[p->c->model->t_end], "", &w);
  p->time = false;
  return status == GRADYN_OK ? gradyn_check_add(p->c, &w, "differences", "dF/dt at a fixed state")
                             : status;
}

/* dF/dx of datum k from the separate derivatives by own data and by signals. */
static gradyn_status assemble(probe *p, int k)
{
  gradyn_equations_model *e = p->e;
  gradyn_model *model = p->c->model;
  memset(p->exact, 0, (size_t)p->n * sizeof(double));
  gradyn_equations_at(e, p->c->t, p->y, p->yp);
  /* own data directly, others through signals: dF/dx_k = sum of dF/du_i du_i/dx_k */
  if (k >= e->datum && k < e->datum + e->data_count)
    GRADYN_TRY(gradyn_equations_by_datum(e, k - e->datum, p->exact));
  for (int i = 0; i < model->signal_count; i++) {
    /* du_i/dx_k, which is zero for most signals */
    double u_k = gradyn_signal_tangent(&model->signal[i], model->x, p->c->t, 0, p->dx);
    if (u_k == 0)
      continue;
    GRADYN_TRY(gradyn_equations_by_signal(e, i, p->F_k));
    for (int r = 0; r < p->n; r++)
      p->exact[r] += u_k * p->F_k[r]; /* F_u du/dx_k */
  }
  return GRADYN_OK;
}

/* F_x by each datum, in two ways that must agree with the same differences. */
static gradyn_status check_data(probe *p)
{
  gradyn_checking *c = p->c;
  gradyn_worst apart = {.tolerance = c->tolerance}, along = apart;
  gradyn_status status = GRADYN_OK;
  /* columns of dF/dx, one datum at a time */
  for (int k = 0; k < c->nx && status == GRADYN_OK; k++) {
    const char *name = c->model->entry[k].name;
    double size = c->x_size[k];
    if (!gradyn_check_proceed(c, k, c->nx, &status)) {
      apart.skipped++;
      continue;
    }
    /* apart: as the sum of its parts; along: as the simulation asks for it */
    p->dx[k] = 1;
    status = assemble(p, k);
    p->datum = k;
    if (status == GRADYN_OK)
      status = compare(p, size, name, &apart);
    p->datum = -1;
    if (status == GRADYN_OK)
      status = gradyn_check_load(c, NULL, c->t);
    gradyn_equations_at(p->e, c->t, p->y, p->yp);
    if (status == GRADYN_OK)
      status = gradyn_equations_along(p->e, p->dx, p->exact);
    if (status == GRADYN_OK)
      gradyn_worst_column(&along, &p->d, p->n, p->exact, size, name);
    p->dx[k] = 0;
  }
  if (status == GRADYN_OK)
    status = gradyn_check_add(c, &apart, "differences", "dF/dx by datum and by signal");
  return status == GRADYN_OK ? gradyn_check_add(c, &along, "differences", "dF/dx in a direction")
                             : status;
}

/* F of general equations by its arguments. */
gradyn_status gradyn_check_equations(gradyn_checking *c)
{
  probe p = {.c = c, .e = c->model->equations, .n = c->ny, .datum = -1};
  double **array[] = {&p.y, &p.yp, &p.exact, &p.F_k};
  for (size_t k = 0; k < GRADYN_COUNT(array); k++)
    *array[k] = gradyn_arena_numbers(&p.arena, (size_t)p.n);
  p.dx = gradyn_arena_numbers(&p.arena, (size_t)c->nx);
  gradyn_status status = gradyn_arena_status(&p.arena);
  if (status == GRADYN_OK)
    status = gradyn_differences_create(p.n, &p.d);
  for (int i = 0; i < p.n && status == GRADYN_OK; i++) {
    /* a state that was reached, with rates at random: F need not vanish */
    p.y[i] = c->y[i];
    p.yp[i] = gradyn_check_random(c) * c->size[i] / c->x[c->model->t_end];
  }
  /* by y, by y', by time, by data */
  if (status == GRADYN_OK)
    status = check_states(&p, false);
  if (status == GRADYN_OK)
    status = check_states(&p, true);
  if (status == GRADYN_OK)
    status = check_time(&p);
  if (status == GRADYN_OK)
    status = check_data(&p);
  gradyn_arena_clear(&p.arena);
  gradyn_differences_clear(&p.d);
  return status;
}
