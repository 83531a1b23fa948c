/* Derivatives by states, data, parameters and time, one column after the other, against differences. */
#include "adjoint/check/probe.h"

#include <math.h>
#include <string.h>

const char *const gradyn_check_nowhere = "does not exist beside";

/* What differences are uncertain by, over their estimate. */
static const double margin = 3;

/* Round-off of a value of typical size, at least. */
static const double least_noise = 1e-14;

gradyn_status gradyn_probe_open(gradyn_probe *p, gradyn_checking *c, int ns)
{
  double **array[] = {&p->base, &p->moved, &p->size, &p->exact};
  p->c = c;
  p->ns = ns;
  p->t = c->t;
  for (size_t k = 0; k < GRADYN_COUNT(array); k++)
    *array[k] = gradyn_arena_numbers(&p->arena, (size_t)ns);
  p->dx = gradyn_arena_numbers(&p->arena, (size_t)c->nx);
  p->suspect = gradyn_arena_take(&p->arena, (size_t)ns, sizeof *p->suspect);
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
  return p->by == GRADYN_BY_STATE       ? p->size[p->index]
         : p->by == GRADYN_BY_DATUM     ? p->c->x_size[p->index]
         : p->by == GRADYN_BY_PARAMETER ? p->c->evaluator->by_rho.scale[p->index]
                                        : typical[p->by];
}

/* The model with s added to a parameter. */
static gradyn_status build(const gradyn_checking *c, int index, double s)
{
  gradyn_evaluator *ev = c->evaluator;
  for (size_t j = 0; j < ev->parameters.count; j++)
    ev->rho[j] = c->rho[j];
  ev->rho[index] += s;
  return gradyn_model_refresh(c->model, ev->rho);
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
  if (p->by == GRADYN_BY_PARAMETER)
    GRADYN_TRY(build(p->c, p->index, s));
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
    return "a multiplier of a fixed initial value or of a contact";
  /* of general equations rates follow the states */
  model->ops->state_name(model, p->index % p->c->ny, buffer, size);
  return buffer;
}

/* The end of the values from `first` on that have one scale. */
static int end_of(const gradyn_probe *p, int first)
{
  int end = first + 1;
  while (end < p->rows && (!p->group || p->group[end] == p->group[first]))
    end++;
  return end;
}

/* The largest of the values first to end - 1 of a column. */
static double largest(const double *column, int first, int end)
{
  double most = 0;
  for (int i = first; i < end; i++)
    most = fmax(most, fabs(column[i]));
  return most;
}

/* What differences of such values are relative to: the largest of them. Where all are small beside
 * value/size, round-off limits the comparison: 1e-4 of that is the least. */
static double scale_of(const gradyn_probe *p, int first, int end, double size)
{
  double value = p->typical ? largest(p->typical, first, end) : 0;
  for (int i = first; i < end; i++)
    value = fmax(value, gradyn_check_value(&p->d, i));
  const double derivative = fmax(largest(p->exact, first, end), largest(p->d.slope, first, end));
  return fmax(derivative, 1e-4 * value / size);
}

/* Differences by what moves by a typical size, after finding what values are uncertain by: until errors are
 * small beside the largest derivative that is expected of the same scale. */
static gradyn_status differentiate(gradyn_probe *p, double size)
{
  gradyn_differences *d = &p->d;
  const double first = GRADYN_CHECK_STEP * size;
  /* noise by steps far below those of the differences */
  GRADYN_TRY(gradyn_measure_noise(d, p->rows, evaluate, p, 1e-3 * first, d->noise));
  for (int from = 0, end; from < p->rows; from = end) {
    end = end_of(p, from);
    const double most = largest(p->exact, from, end);
    for (int i = from; i < end; i++) {
      d->enough[i] = p->c->tolerance * most / GRADYN_CHECK_CONTENT;
      /* where neighbours answer with equal bits, round-off is there all the same */
      d->noise[i] = fmax(d->noise[i], p->typical ? least_noise * p->typical[i] : 0);
    }
  }
  return gradyn_differentiate(d, p->rows, evaluate, p, first, GRADYN_DIFFERENCE_MOST, d->noise);
}

static const char *name_of(const gradyn_probe *p, int i, const char *where)
{
  return p->value_name && !where[0] ? p->value_name(p, i) : where;
}

/* All values against the differences that there are, or those that are suspected by longer ones; whether some
 * need shorter ones still. */
static bool compare_values(gradyn_probe *p, double size, const char *where, bool again,
                           bool shorter, gradyn_worst *w)
{
  bool left = false;
  for (int from = 0, end; from < p->rows; from = end) {
    end = end_of(p, from);
    const double scale = scale_of(p, from, end, size);
    for (int i = from; i < end; i++) {
      const gradyn_compared c = {p->exact[i], scale, margin * p->d.error[i], name_of(p, i, where)};
      if (!again || p->suspect[i].is)
        left |= gradyn_worst_confirm(p->apart ? &w[p->group[i]] : w, &p->d, i, &c, shorter,
                                     &p->suspect[i]);
    }
  }
  return left;
}

/* Where values do not exist at shorter steps. */
static void believe(gradyn_probe *p, const char *where, gradyn_worst *w)
{
  for (int i = 0; i < p->rows; i++)
    if (p->suspect[i].is)
      gradyn_worst_believe(p->apart ? &w[p->group[i]] : w, p->exact[i], name_of(p, i, where),
                           &p->suspect[i]);
}

/* Whether the datum in hand is marked, and values have kinks. */
static bool is_marked(const gradyn_probe *p)
{
  bool kink = false;
  for (int i = 0; i < p->rows && p->marked && p->marked[p->index]; i++)
    kink = kink || p->d.kink[i];
  return kink;
}

/* The shortest steps, over the first ones, that are taken where values do not exist, or differences have not
 * converged. */
static const double shortest = 1e-6;

/* One column against differences. Where values do not exist a typical step away, or contradict, by steps a
 * hundredth as long each time; if they never do exist, there is nothing to compare with. */
static gradyn_status compare(gradyn_probe *p, gradyn_worst *w)
{
  char name[64];
  const char *where = moving_name(p, name, sizeof name);
  gradyn_status status = GRADYN_NON_FINITE;
  bool again = false;
  for (double share = 1;
       share > shortest / 2 && (again ? status == GRADYN_OK || status == GRADYN_NON_FINITE
                                      : status == GRADYN_NON_FINITE && (share == 1 || !p->stuck));
       share /= 100) {
    const double size = share * gradyn_probe_step(p);
    status = differentiate(p, size);
    if (status == GRADYN_OK && !again && is_marked(p))
      status = GRADYN_NON_FINITE;
    if (status != GRADYN_OK)
      continue;
    if (p->compare && !again)
      p->compare(p, where);
    again = compare_values(p, size, where, again, share > 2 * shortest, w);
    if (!again)
      return GRADYN_OK;
  }
  believe(p, where, w);
  return again && status == GRADYN_NON_FINITE ? GRADYN_OK : status;
}

/* The column by entry, datum or parameter `index`, at the data at rho. */
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
  /* nothing to compare with */
  if (status == GRADYN_NON_FINITE && (p->narrow || p->stuck)) {
    if (p->stuck)
      p->stuck[p->index] = true;
    else
      gradyn_worst_leave_out(w, gradyn_check_nowhere);
    status = GRADYN_OK;
  }
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
    if (gradyn_check_proceed(p->c, k, count, &status)) {
      status = look_at(p, w);
      continue;
    }
    w->skipped++; /* no time for it, which is no failure */
    if (p->stuck)
      p->stuck[p->index] = true;
  }
  return status;
}
