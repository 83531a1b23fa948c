/* Events as the library sees them: guards, what they do, and what has happened. */
#ifndef GRADYN_CORE_EVENT_H
#define GRADYN_CORE_EVENT_H

#include <gradyn/evaluate.h>

/* A velocity component that a kinematic jump keeps: its point and axis, and its place in q after sealing. */
typedef struct gradyn_kept {
  int point, axis, at;
} gradyn_kept;

typedef struct gradyn_event {
  char *name;
  int contact;       /* its guard: number among the model's contacts */
  double sign;       /* the gap is sign times Phi of the contact */
  int restitution;   /* datum */
  gradyn_kept *kept; /* [kept_count] of a kinematic jump; NULL: an impact */
  int kept_count;
  int happened; /* in the last run */
} gradyn_event;

typedef struct gradyn_functional gradyn_functional;

/* Declares (or steps on to) an event; returns its number, and in *out the entry on the first build(), NULL
 * on later ones. */
int gradyn_model_event(gradyn_model *model, const char *name, gradyn_event **out);
void gradyn_events_free(gradyn_event *event, int count);

/* Whether a functional is taken at an occurrence: of an event, for the which-th time, the total-th event of
 * the run. */
bool gradyn_functional_meets(const gradyn_functional *f, const gradyn_event_record *record,
                             int total);

/* Forgets what has happened; notes an event. */
void gradyn_log_begin(gradyn_model *model);
gradyn_status gradyn_log_add(gradyn_model *model, const gradyn_event_record *record);

/* Fails if a functional waits for an event that has not happened. */
gradyn_status gradyn_log_complete(gradyn_model *model);

#endif
