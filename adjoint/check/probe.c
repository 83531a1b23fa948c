/* Compares derivatives by states, data, parameters and time with differences, column by column. */
#include "adjoint/check/probe.h"

#include <math.h>
#include <string.h>

const char *const gradyn_check_nowhere = "not defined nearby";

/* Ratio of the uncertainty of differences to their estimated error. */
static const double margin = 3;

/* Smallest round-off of a value, relative to its typical size. */
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

/* Builds the model with s added to a parameter. */
static gradyn_status build(const gradyn_checking *c, int index, double s)
{
  gradyn_evaluator *ev = c->evaluator;
  for (size_t j = 0; j < ev->parameters.count; j++)
    ev->rho[j] = c->rho[j];
  ev->rho[index] += s;
  return gradyn_model_refresh(c->model, ev->rho);
}

/* Evaluates the values with the argument changed by s. Data derived from a datum follow it. */
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

/* Returns the name of the argument for messages; "": none. */
static const char *moving_name(const gradyn_probe *p, char *buffer, size_t size)
{
  gradyn_model *model = p->c->model;
  if (p->by == GRADYN_BY_DATUM)
    return model->entry[p->index].name;
  if (p->by != GRADYN_BY_STATE)
    return "";
  if (p->index >= p->c->ny && model->mech)
    return "a multiplier of a fixed initial value or of a contact";
  /* rates of general equations follow the states */
  model->ops->state_name(model, p->index % p->c->ny, buffer, size);
  return buffer;
}

/* Returns the end of the values from `first` on that share a scale. */
static int end_of(const gradyn_probe *p, int first)
{
  int end = first + 1;
  while (end < p->rows && (!p->group || p->group[end] == p->group[first]))
    end++;
  return end;
}

/* Returns the largest magnitude of entries first to end - 1. */
static double largest(const double *column, int first, int end)
{
  double most = 0;
  for (int i = first; i < end; i++)
    most = fmax(most, fabs(column[i]));
  return most;
}

/* Returns the scale of differences of values first to end - 1: the largest derivative. Where all are small
 * relative to value/size, round-off limits the comparison, so the scale is at least 1e-4 value/size. */
static double scale_of(const gradyn_probe *p, int first, int end, double size)
{
  double value = p->typical ? largest(p->typical, first, end) : 0;
  for (int i = first; i < end; i++)
    value = fmax(value, gradyn_check_value(&p->d, i));
  const double derivative = fmax(largest(p->exact, first, end), largest(p->d.slope, first, end));
  return fmax(derivative, 1e-4 * value / size);
}

/* Computes differences for changes of a typical size. First measures the noise of the values; stops when
 * errors are small relative to the largest derivative of the same scale. */
static gradyn_status differentiate(gradyn_probe *p, double size)
{
  gradyn_differences *d = &p->d;
  const double first = GRADYN_CHECK_STEP * size;
  /* measure the noise with steps far below those of the differences */
  GRADYN_TRY(gradyn_measure_noise(d, p->rows, evaluate, p, 1e-3 * first, d->noise));
  for (int from = 0, end; from < p->rows; from = end) {
    end = end_of(p, from);
    const double most = largest(p->exact, from, end);
    for (int i = from; i < end; i++) {
      d->enough[i] = p->c->tolerance * most / GRADYN_CHECK_CONTENT;
      /* equal bits at neighbouring arguments do not exclude round-off */
      d->noise[i] = fmax(d->noise[i], p->typical ? least_noise * p->typical[i] : 0);
    }
  }
  return gradyn_differentiate(d, p->rows, evaluate, p, first, GRADYN_DIFFERENCE_MOST, d->noise);
}

static const char *name_of(const gradyn_probe *p, int i, const char *where)
{
  return p->value_name && !where[0] ? p->value_name(p, i) : where;
}

/* Compares all values with the differences, or, with `again`, those that longer steps have put in doubt.
 * Returns whether some need shorter steps. */
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

/* Accepts the differences of the longer steps where values do not exist for shorter ones. */
static void believe(gradyn_probe *p, const char *where, gradyn_worst *w)
{
  for (int i = 0; i < p->rows; i++)
    if (p->suspect[i].is)
      gradyn_worst_accept(p->apart ? &w[p->group[i]] : w, p->exact[i], name_of(p, i, where),
                          &p->suspect[i]);
}

/* Returns whether a value has a kink, and the present datum is one that cannot be compared at kinks. */
static bool is_marked(const gradyn_probe *p)
{
  bool kink = false;
  for (int i = 0; i < p->rows && p->marked && p->marked[p->index]; i++)
    kink = kink || p->d.kink[i];
  return kink;
}

/* Shortest steps relative to the first ones, for values that do not exist or differences that do not
 * converge. */
static const double shortest = 1e-6;

/* Compares a column with differences. If values do not exist at the step, or differ, divides the step by 100.
 * Returns GRADYN_NON_FINITE if the values exist at no step. */
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

/* Checks the column by entry, datum or parameter `index`, at the data at rho. */
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
  /* no values to compare with */
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

gradyn_status gradyn_probe_compare(gradyn_probe *p, gradyn_moves by, int first, int count,
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
    w->skipped++; /* lack of time is no failure */
    if (p->stuck)
      p->stuck[p->index] = true;
  }
  return status;
}
