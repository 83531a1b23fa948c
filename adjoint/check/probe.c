/* Derivatives by states, data and time, one column after the other, against differences. */
#include "adjoint/check/probe.h"

#include <math.h>
#include <string.h>

const char *const gradyn_check_nowhere = "does not exist beside";

gradyn_status gradyn_probe_open(gradyn_probe *p, gradyn_checking *c, int ns)
{
  double **array[] = {&p->base, &p->moved, &p->size, &p->exact};
  p->c = c;
  p->ns = ns;
  p->t = c->t;
  for (size_t k = 0; k < GRADYN_COUNT(array); k++)
    *array[k] = gradyn_arena_numbers(&p->arena, (size_t)ns);
  p->dx = gradyn_arena_numbers(&p->arena, (size_t)c->nx);
  GRADYN_TRY(gradyn_arena_status(&p->arena));
  for (int i = 0; i < ns; i++)
    p->size[i] = i < c->ny ? c->size[i] : 1;
  return gradyn_differences_create(ns, &p->d);
}

void gradyn_probe_close(gradyn_probe *p)
{
  gradyn_arena_clear(&p->arena);
  gradyn_differences_clear(&p->d);
}

double gradyn_probe_step(const gradyn_probe *p)
{
  const double typical[] = {[GRADYN_BY_TIME] = p->c->x[p->c->model->t_end],
                            [GRADYN_BY_LINE] = p->step,
                            [GRADYN_BY_MOTION] = p->step};
  return p->by == GRADYN_BY_STATE   ? p->size[p->index]
         : p->by == GRADYN_BY_DATUM ? p->c->x_size[p->index]
                                    : typical[p->by];
}

/* Values at place s of the line. A datum moves with all that is derived from it. */
static gradyn_status evaluate(void *user, double s, double *value)
{
  gradyn_probe *p = user;
  const bool time = p->by == GRADYN_BY_TIME || p->by == GRADYN_BY_MOTION;
  memcpy(p->moved, p->base, (size_t)p->ns * sizeof(double));
  if (p->by == GRADYN_BY_STATE)
    p->moved[p->index] += s;
  for (int i = 0; i < p->line_count && p->by >= GRADYN_BY_LINE; i++)
    p->moved[i] += s * p->line[i];
  if (p->by == GRADYN_BY_DATUM)
    GRADYN_TRY(gradyn_check_move(p->c, p->index, s, p->t));
  return p->values(p, p->t + (time ? s : 0), value);
}

/* What moves, for messages. */
static const char *moving_name(const gradyn_probe *p, char *buffer, size_t size)
{
  gradyn_model *model = p->c->model;
  if (p->by == GRADYN_BY_DATUM)
    return model->entry[p->index].name;
  if (p->by != GRADYN_BY_STATE)
    return "";
  if (p->index >= p->c->ny && model->mech)
    return "a multiplier of what is held or of a contact";
  /* of general equations rates follow the states */
  model->ops->state_name(model, p->index % p->c->ny, buffer, size);
  return buffer;
}

/* One column against differences. Where values do not exist a typical step away, by steps a hundredth as long
 * each time; if they never do, there is nothing to compare with. */
static gradyn_status compare(gradyn_probe *p, gradyn_worst *w)
{
  char name[64];
  const char *where = moving_name(p, name, sizeof name);
  gradyn_status status = GRADYN_NON_FINITE;
  for (double share = 1; share > 1e-7 && status == GRADYN_NON_FINITE; share /= 100) {
    const double size = share * gradyn_probe_step(p);
    status = gradyn_check_differentiate(p->c, &p->d, p->rows, evaluate, p, size, p->exact);
    if (status != GRADYN_OK)
      continue;
    const double scale = gradyn_check_scale(&p->d, 0, p->rows, p->exact, size);
    for (int i = 0; i < p->rows; i++)
      gradyn_worst_entry(w, &p->d, i, p->exact[i], scale,
                         p->value_name && !where[0] ? p->value_name(p, i) : where);
    if (p->compare)
      p->compare(p, where);
  }
  if (status != GRADYN_NON_FINITE || !p->narrow)
    return status;
  gradyn_worst_leave_out(w, gradyn_check_nowhere);
  return GRADYN_OK;
}

/* The column by entry or datum `index`, at the data at rho. */
static gradyn_status look_at(gradyn_probe *p, gradyn_worst *w)
{
  const bool datum = p->by == GRADYN_BY_DATUM;
  memset(p->exact, 0, (size_t)p->rows * sizeof *p->exact);
  if (datum)
    p->dx[p->index] = 1;
  gradyn_status status = p->derive(p);
  if (datum)
    p->dx[p->index] = 0;
  if (status == GRADYN_OK)
    status = compare(p, w);
  /* the differences have moved the model away from rho */
  const gradyn_status loaded = datum ? gradyn_check_load(p->c, NULL, p->t) : GRADYN_OK;
  return status == GRADYN_OK ? loaded : status;
}

gradyn_status gradyn_probe_look(gradyn_probe *p, gradyn_moves by, int first, int count,
                                gradyn_worst *w)
{
  gradyn_status status = GRADYN_OK;
  p->by = by;
  for (int k = 0; k < count && status == GRADYN_OK; k++) {
    p->index = first + k;
    if (p->depends && !p->depends(p))
      continue;
    if (gradyn_check_proceed(p->c, k, count, &status))
      status = look_at(p, w);
    else
      w->skipped++; /* no time for it, which is no failure */
  }
  return status;
}
