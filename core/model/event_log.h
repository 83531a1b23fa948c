/* What the log of a run, and a model's functionals, say of an event. */
#ifndef GRADYN_CORE_EVENT_LOG_H
#define GRADYN_CORE_EVENT_LOG_H

#include "core/model/model.h"

/* Whether an event changes the state or the mode, says how long its mode lasts, ends the run, or is read. */
bool gradyn_event_acts(const gradyn_model *model, int event);

/* Whether an event accumulates: the intervals between its last four times shrink by about one ratio *q,
 * towards *limit, s. t: the last of them, which is not in the log yet, s; NAN: it is. */
bool gradyn_log_accumulates(const gradyn_model *model, int event, double t, double *q,
                            double *limit);

#endif
