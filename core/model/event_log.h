/* What the log of a run, and a model's functionals, say of an event. */
#ifndef GRADYN_CORE_EVENT_LOG_H
#define GRADYN_CORE_EVENT_LOG_H

#include "core/model/model.h"

/* Whether an event changes the state or the mode, says how long its mode lasts, ends the run, or is read. */
bool gradyn_event_acts(const gradyn_model *model, int event);

/* Whether an event accumulates: intervals between four of its last times shrink by about one ratio *q,
 * towards *limit, s, where it is now. t: the last of its times, not in the log yet, s; NAN: it is. */
bool gradyn_log_accumulates(const gradyn_model *model, int event, double t, double *q,
                            double *limit);

#endif
