/* Checking functionals: gradients of integrands and terminal parts against differences.
 *
 * A functional is psi = outer(w(y_end) + integral of g dt). Its integrand g and its terminal
 * part w are looked at apart, each by states, data and explicit time, without outer, whose slope
 * is that of a formula in one variable. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "adjoint/check/check.h"
#include "core/linear/arena.h"

/* Why comparisons are left out. */
static const char *const nowhere = "does not exist beside";

/* A line through states, data or time along which an integrand or a terminal part is evaluated. */
typedef struct probe {
  gradyn_checking *c;
  const gradyn_functional *f;
  const gradyn_functional_ops *ops;
  double *y;          /* [ny] */
  double *y_bar;      /* [ny] */
  gradyn_arena arena; /* of both */
  double t;
  int state, datum; /* that moves, or -1 */
  bool time;        /* t moves */
  gradyn_differences d;
} probe;

/* g or w with one thing moved by s: a state, a datum, or time. */
static gradyn_status evaluate(void *user, double s, double *value)
{
  probe *p = user;
  gradyn_status status = GRADYN_OK;
  if (p->datum >= 0)
    status = gradyn_check_move(p->c, p->datum, s, p->t);
  if (status != GRADYN_OK)
    return status;
  /* the functional at the moved state, datum or time; all is put back */
  const gradyn_sample at = {p->t + (p->time ? s : 0), p->y};
  double keep = p->state >= 0 ? p->y[p->state] : 0;
  if (p->state >= 0)
    p->y[p->state] += s;
  status = p->ops->value(p->c->model, p->f, &at, value);
  if (p->state >= 0)
    p->y[p->state] = keep;
  return status;
}

/* Where the functional does not exist a typical step away, by shorter steps; if it never does, it has
 * nothing to be compared with. */
static gradyn_status compare(probe *p, double exact, double size, const char *where,
                             gradyn_worst *w)
{
  gradyn_status status = GRADYN_NON_FINITE;
  /* steps a hundredth as long each time */
  for (double share = 1; share > 1e-7 && status == GRADYN_NON_FINITE; share /= 100) {
    status = gradyn_check_differentiate(p->c, &p->d, 1, evaluate, p, share * size, &exact);
    if (status == GRADYN_OK)
      gradyn_worst_column(w, &p->d, 1, &exact, share * size, where);
  }
  if (status == GRADYN_NON_FINITE)
    gradyn_worst_leave_out(w, nowhere);
  return status == GRADYN_NON_FINITE ? GRADYN_OK : status;
}

/* g_y or w_y, one state after the other. */
static gradyn_status check_states(probe *p, gradyn_worst *w)
{
  gradyn_status status = GRADYN_OK;
  char name[64];
  for (int i = 0; i < p->c->ny && status == GRADYN_OK; i++) {
    if (!gradyn_check_proceed(p->c, i, p->c->ny, &status)) {
      w->skipped++;
      continue;
    }
    p->state = i;
    p->c->model->ops->state_name(p->c->model, i, name, sizeof name);
    /* the bar with weight 1 is the derivative itself */
    status = compare(p, p->y_bar[i], p->c->size[i], name, w);
  }
  p->state = -1;
  return status;
}

/* g_x or w_x; the data at rho are loaded again at the end, whatever happened. */
static gradyn_status check_data(probe *p, gradyn_worst *w)
{
  gradyn_checking *c = p->c;
  gradyn_status status = GRADYN_OK;
  for (int k = 0; k < c->nx && status == GRADYN_OK; k++) {
    if (!gradyn_check_proceed(c, k, c->nx, &status)) {
      w->skipped++;
      continue;
    }
    p->datum = k;
    status = compare(p, c->x_bar[k], c->x_size[k], c->model->entry[k].name, w);
  }
  p->datum = -1;
  /* the last datum has moved the model away from rho */
  gradyn_status loaded = gradyn_check_load(c, NULL, p->t);
  return status == GRADYN_OK ? loaded : status;
}

/* The disturbed state (0: in the middle, 1: at the end), or nearer to the one that was reached, if the
 * functional does not exist there: disturbing stiff beams strains them beyond all bounds. */
static gradyn_status place(probe *p, int which)
{
  const gradyn_checking *c = p->c;
  const double *y = which ? c->y_end : c->y;
  gradyn_status status = GRADYN_NON_FINITE;
  for (double share = 1; share > 1e-7 && status != GRADYN_OK; share /= 100) {
    const gradyn_sample at = {p->t, p->y};
    double value;
    /* calm + share (disturbed - calm) */
    for (int i = 0; i < c->ny; i++)
      p->y[i] = share == 1 ? y[i] : c->calm[which][i] + share * (y[i] - c->calm[which][i]);
    status = p->ops->value(c->model, p->f, &at, &value);
    /* not a place where it does not exist, but a fault */
    if (status != GRADYN_OK && gradyn_status_classify((int)status) != GRADYN_CLASS_RECOVERABLE)
      break;
  }
  return status;
}

/* All derivatives of one part: of the integrand (which 0) or the terminal one (1). */
static gradyn_status check_part(probe *p, int which, const char *name)
{
  gradyn_checking *c = p->c;
  double t_bar = 0;
  const gradyn_sample at = {p->t, p->y};
  const gradyn_gradient_out out = {p->y_bar, 1, c->x_bar, &t_bar};
  /* y_bar, x_bar and t_bar of this part alone */
  memset(p->y_bar, 0, (size_t)c->ny * sizeof(double));
  memset(c->x_bar, 0, (size_t)c->nx * sizeof(double));
  GRADYN_TRY(gradyn_check_load(c, NULL, p->t));
  gradyn_status status = place(p, which);
  if (status == GRADYN_OK)
    status = p->ops->gradient(c->model, p->f, &at, 1, &out);
  /* by state, data and explicit time, an item each */
  gradyn_worst y = {.tolerance = c->tolerance}, x = y, t = y;
  const bool exists = status == GRADYN_OK;
  if (gradyn_status_classify((int)status) == GRADYN_CLASS_RECOVERABLE) {
    /* not even where the motion has been */
    gradyn_worst_leave_out(&y, nowhere);
    gradyn_worst_leave_out(&x, nowhere);
    status = GRADYN_OK;
  }
  if (status == GRADYN_OK && exists)
    status = check_states(p, &y);
  if (status == GRADYN_OK && exists)
    status = check_data(p, &x);
  /* all else stands still while t moves */
  p->time = true;
  if (status == GRADYN_OK && exists)
    status = compare(p, t_bar, c->x[c->model->t_end], "", &t);
  p->time = false;
  if (status == GRADYN_OK)
    status = gradyn_check_add(c, &y, "differences", "d%s/dy of %s", name, p->f->name);
  if (status == GRADYN_OK)
    status = gradyn_check_add(c, &x, "differences", "d%s/dx of %s", name, p->f->name);
  if (status == GRADYN_OK)
    status = gradyn_check_add(c, &t, "differences", "d%s/dt of %s", name, p->f->name);
  return status;
}

/* Values and gradients of all functionals. */
gradyn_status gradyn_check_functionals(gradyn_checking *c)
{
  probe p = {.c = c, .state = -1, .datum = -1};
  p.y_bar = gradyn_arena_numbers(&p.arena, (size_t)c->ny);
  p.y = gradyn_arena_numbers(&p.arena, (size_t)c->ny);
  gradyn_status status = gradyn_arena_status(&p.arena);
  if (status == GRADYN_OK)
    status = gradyn_differences_create(1, &p.d);
  for (int i = 0; i < c->model->functional_count && status == GRADYN_OK; i++) {
    p.f = &c->model->functional[i];
    /* integrands in the middle of the run, where y belongs to */
    p.t = c->t;
    p.ops = p.f->integrand;
    if (p.ops)
      status = check_part(&p, 0, "g");
    /* signals stop at the end time: a moment before, time can move both ways */
    p.t = 0.93170 * c->x[c->model->t_end];
    p.ops = p.f->terminal;
    if (p.ops && status == GRADYN_OK)
      status = check_part(&p, 1, "w");
  }
  gradyn_arena_clear(&p.arena);
  gradyn_differences_clear(&p.d);
  return status;
}
