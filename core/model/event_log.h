/* Questions about events, answered from the functionals of a model and the log of a run. */
#ifndef GRADYN_CORE_EVENT_LOG_H
#define GRADYN_CORE_EVENT_LOG_H

#include "core/model/model.h"

/* Returns whether the event with an index has an effect: changes the state or the mode, limits its mode as
 * an invariant, ends the run, or is used by a functional. */
bool gradyn_event_acts(const gradyn_model *model, int event);

/* Returns whether occurrences of the event with an index accumulate at the present time. Then intervals
 * between four successive times shrink by nearly the same ratio *q, and their times converge to *limit, s;
 * otherwise both stay as they are. t: time of the latest occurrence if it is not in the log yet, s; NAN: it
 * is in the log. */
bool gradyn_log_accumulates(const gradyn_model *model, int event, double t, double *q,
                            double *limit);

#endif
