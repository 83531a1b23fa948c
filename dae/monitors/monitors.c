/* The lists of monitors, and calls of their functions. */
#include "dae/monitors/monitors.h"

/* All monitors that serve every method. */
#define MONITORS(X) X(discontinuities)
#define DECLARE(name) extern const gradyn_monitor_ops gradyn_##name##_monitor;
MONITORS(DECLARE)

/* Adds a monitor to the lists of the events on which it is called. */
static gradyn_status add(gradyn_monitors *s, const gradyn_monitor_ops *ops)
{
  gradyn_monitor *m = &s->item[s->count++];
  *m = (gradyn_monitor){.ops = ops, .run = &s->run};
  GRADYN_TRY(ops->create ? ops->create(m) : GRADYN_OK);
  for (int hook = 0; hook < GRADYN_HOOKS; hook++)
    if (ops->on[hook] && (m->own || !ops->create))
      s->with[hook][s->hooked[hook]++] = m;
  return GRADYN_OK;
}

gradyn_status gradyn_monitors_create(const gradyn_observed_run *run,
                                     const gradyn_monitor_ops *const *own, gradyn_monitors *s)
{
#define OPS(name) &gradyn_##name##_monitor,
  static const gradyn_monitor_ops *const common[] = {MONITORS(OPS) NULL};
  *s = (gradyn_monitors){.run = *run};
  for (; *own; own++)
    GRADYN_TRY(add(s, *own));
  for (own = common; *own; own++)
    GRADYN_TRY(add(s, *own));
  return GRADYN_OK;
}

void gradyn_monitors_clear(gradyn_monitors *s)
{
  for (int k = 0; k < s->count; k++)
    if (s->item[k].own)
      s->item[k].ops->free(s->item[k].own);
  s->count = 0;
}

gradyn_status gradyn_monitors_call(gradyn_monitors *s, gradyn_hook hook,
                                   const gradyn_observed *seen)
{
  for (int k = 0; k < s->hooked[hook]; k++)
    GRADYN_TRY(s->with[hook][k]->ops->on[hook](s->with[hook][k], seen));
  return GRADYN_OK;
}
