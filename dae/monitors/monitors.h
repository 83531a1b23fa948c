/* Monitors of a run: observers that find signs of unreliable results, or end a run that cannot succeed. A
 * monitor does not change a run. An integrator calls the hooks of its list and does not know the members.
 *
 * A new monitor is a file with a table gradyn_<name>_monitor. If it observes the runs of all methods, its
 * name is in the list of monitors.c. If it needs an integrator, the table is in the list of this one. */
#ifndef GRADYN_DAE_MONITORS_H
#define GRADYN_DAE_MONITORS_H

#include "core/base/findings.h"
#include "core/model/model.h"

/* The run that is observed. */
typedef struct gradyn_observed_run {
  gradyn_model *model;
  void *integrator;          /* integrator whose list has the monitor */
  gradyn_run_report *report; /* for results; the integrator clears it before a run */
  int ny;                    /* states */
  bool equal;                /* step lengths are prescribed */
  bool nodes;                /* the integrator reports nodes, and no steps */
  /* set before each run: a gradient uses the steps; the steps repeat those of another run */
  bool derivatives, repeats;
} gradyn_observed_run;

/* Hooks: a run begins; an arc starts, perhaps for the second time; a node is reached, the initial state, the
 * end of a step or the state after a jump; a step is accepted; the constraints change or the run ends. */
typedef enum gradyn_hook {
  GRADYN_ON_BEGIN,
  GRADYN_ON_ARC,
  GRADYN_ON_NODE,
  GRADYN_ON_STEP,
  GRADYN_ON_END,
  GRADYN_HOOKS
} gradyn_hook;

/* What a hook is called with. States begin with the positions [n] of a mechanism, or are those [ny] of
 * general equations. One-step methods pass stages, which begin with (q, v, a, lam). */
typedef struct gradyn_observed {
  double t, h;             /* time of a node, or start and length of a step, s */
  const double *from, *to; /* states at both ends of a step; `to` is that of a node */
  int arc;
  bool opens; /* the node is the first of its arc */
} gradyn_observed;

typedef struct gradyn_monitor {
  const struct gradyn_monitor_ops *ops;
  const gradyn_observed_run *run;
  void *own;
} gradyn_monitor;

/* Entries may be NULL. create() sets own; NULL: this run needs no such monitor. Errors of hooks end the run
 * and have a message. */
typedef struct gradyn_monitor_ops {
  gradyn_status (*create)(gradyn_monitor *m);
  void (*free)(void *own);
  gradyn_status (*on[GRADYN_HOOKS])(gradyn_monitor *m, const gradyn_observed *seen);
} gradyn_monitor_ops;

enum { GRADYN_MOST_MONITORS = 8 };

typedef struct gradyn_monitors {
  gradyn_observed_run run;
  int count, hooked[GRADYN_HOOKS];
  gradyn_monitor item[GRADYN_MOST_MONITORS], *with[GRADYN_HOOKS][GRADYN_MOST_MONITORS];
} gradyn_monitors;

/* Creates the monitors of a run: `own` of its integrator, a list ended by NULL, then those of all methods;
 * in all at most GRADYN_MOST_MONITORS. *run is copied, its pointers must outlive *s. *s must not move
 * afterwards; clear *s in any case. Error: GRADYN_NO_MEMORY. */
gradyn_status gradyn_monitors_create(const gradyn_observed_run *run,
                                     const gradyn_monitor_ops *const *own, gradyn_monitors *s);

/* Frees the monitors' data, not the object; may be repeated. */
void gradyn_monitors_clear(gradyn_monitors *s);

/* Calls a hook of all monitors, until one returns an error, which is returned. seen: borrowed for the call;
 * NULL for GRADYN_ON_BEGIN. */
gradyn_status gradyn_monitors_call(gradyn_monitors *s, gradyn_hook hook,
                                   const gradyn_observed *seen);

#endif
