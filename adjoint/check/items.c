/* What all parts of a check share: items of the list, time, data, random numbers. */
#include "adjoint/check/check.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/base/clock.h"
#include "core/model/declare.h"

/* Adds an item with the worst entry of a block. */
gradyn_status gradyn_check_add(gradyn_checking *c, const gradyn_worst *w, const char *route,
                               const char *format, ...)
{
  if (!w->present && w->skipped == 0)
    return GRADYN_OK;
  /* an error takes precedence over a kink */
  const bool wrong = w->error > w->tolerance, kink = !wrong && w->kink > 0;
  const char *where = kink ? w->kink_at : w->where;
  const gradyn_check_item judged = {.error = kink ? w->kink : w->error,
                                    .tolerance = w->tolerance,
                                    .passed = !wrong && !kink,
                                    .kink = kink,
                                    .skipped = w->skipped};
  gradyn_check_item *item = gradyn_model_append(c->model, &c->item, &c->count, sizeof judged,
                                                &judged);
  if (!item)
    return GRADYN_NO_MEMORY;
  if (w->skipped > 0)
    item->reason = w->reason ? w->reason : "no time";
  va_list args;
  va_start(args, format);
  vsnprintf(item->name, sizeof item->name, format, args);
  va_end(args);
  /* only failures name the entry */
  size_t used = strlen(item->name);
  if (!item->passed && where[0])
    snprintf(item->name + used, sizeof item->name - used, " at %s", where);
  snprintf(item->route, sizeof item->route, "%s", route);
  return GRADYN_OK;
}

/* --- time ------------------------------------------------------------------------------------- */

bool gradyn_check_late(const gradyn_checking *c)
{
  return c->limits.max_seconds > 0 &&
         gradyn_seconds() - c->started > c->share * c->limits.max_seconds;
}

bool gradyn_check_proceed(gradyn_checking *c, int done, int all, gradyn_status *status)
{
  if (c->limits.progress)
    c->limits.progress(c->part, done, all, c->limits.user);
  *status = gradyn_model_cancelled(c->model, c->t);
  return *status == GRADYN_OK && !gradyn_check_late(c);
}

/* --- data and random numbers ------------------------------------------------------------------ */

double gradyn_check_random(gradyn_checking *c)
{
  c->seed = c->seed * 6364136223846793005u + 1442695040888963407u;
  /* in [-1, -1/2] or [1/2, 1], away from zero */
  double unit = (double)(c->seed >> 11) / 9007199254740992.0; /* 2^53 */
  return unit < 0.5 ? -0.5 - unit : unit;
}

gradyn_status gradyn_check_load(gradyn_checking *c, const double *x, double t)
{
  GRADYN_TRY(gradyn_model_load(c->model, x ? x : c->x));
  gradyn_discrete_state_enter_arc(c->model, t);
  return GRADYN_OK;
}

gradyn_status gradyn_check_move(gradyn_checking *c, int k, double s, double t)
{
  memcpy(c->x_moved, c->x, (size_t)c->nx * sizeof(double));
  c->x_moved[k] += s;
  return gradyn_check_load(c, c->x_moved, t);
}
