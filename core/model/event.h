/* Events inside the library: guards, effects, and the log of a run. */
#ifndef GRADYN_CORE_EVENT_H
#define GRADYN_CORE_EVENT_H

#include <gradyn/evaluate.h>

typedef struct gradyn_functional_entry gradyn_functional_entry;

/* A velocity component with a prescribed value at an event: indices of point and axis, and, after the model
 * is finalised, its index in q. For general equations, point and `at` are the index of the state. */
typedef struct gradyn_preserved_velocity {
  int point, axis, at;
} gradyn_preserved_velocity;

/* A term of a map of coordinates: q+[to] is the sum of weight times q-[from], or of the weight itself. */
typedef struct gradyn_map_entry {
  gradyn_preserved_velocity to, from; /* from.point < 0: the constant 1 */
  bool shift;                         /* the term applies to positions only, as constants do */
  int datum;                          /* index of the weight in x */
} gradyn_map_entry;

typedef struct gradyn_event_entry {
  char *name;
  unsigned modes; /* bit i set: the guard is evaluated in mode i; 0: in all modes */
  int contact;    /* index of the contact that is the guard; -1: the guard is a formula */
  gradyn_functional_entry *guard; /* formula of the guard, owned */
  /* condition, owned: the event happens only where it is positive; NULL: no condition */
  gradyn_functional_entry *armed;
  double sign;    /* the guard is sign times Phi of the contact, or sign times the formula */
  bool either;    /* the guard may pass zero in both directions */
  bool invariant; /* its modes last only while the guard is positive */
  /* [map_count], terms for positions; the same weights apply to velocities */
  gradyn_map_entry *map;
  int map_count;
  /* formula of velocities after the event, or of states of general equations; owned; NULL: none */
  gradyn_functional_entry *reset;
  gradyn_preserved_velocity *set; /* [set_count], components that the formula sets */
  int set_count;
  int restitution; /* index in x; -1: no wall; the constraints of the next mode cause the jump */
  /* [kept_count], velocities that a kinematic jump does not change; NULL: an impact */
  gradyn_preserved_velocity *kept;
  int kept_count;
  int mode;     /* mode after the event, from 0; -1: unchanged */
  int ends;     /* occurrence, from 1, that ends the run; 0: the event does not end the run */
  int happened; /* occurrences in the last run */
} gradyn_event_entry;

/* A latched constraint: Phi - x[datum] = 0. The datum is Phi just after the event that activated it. */
typedef struct gradyn_capture {
  int constraint; /* index among the constraints of the motion, in the order of declaration */
  int row;        /* index among the equations that are integrated */
  int datum;      /* index in x of a derived datum; 0 at the start of a run */
  unsigned modes; /* bit i set: the constraint is active in mode i; 0: in all modes */
} gradyn_capture;

/* Unreliable results at events. The first three show that an impact contradicts mechanics: the jump of
 * momentum differs from that of the impulses, kinetic energy grows without a drive, a wall pulls.
 * HOP_UNSEEN: a guard that leaves zero at the start of its mode returned before a positive value was seen.
 * ORDER_DECIDES: derivatives depend on the order of two events at one time. START_UNSEEN: a clock is zero
 * where its mode begins, which is no event. */
typedef enum gradyn_imbalance_kind {
  GRADYN_MOMENTUM_LEFT,
  GRADYN_ENERGY_GROWS,
  GRADYN_WALL_PULLS,
  GRADYN_HOP_UNSEEN,
  GRADYN_ORDER_DECIDES,
  GRADYN_START_UNSEEN,
  GRADYN_IMBALANCES
} gradyn_imbalance_kind;

/* First event (index) of a run with an unreliable result of one kind, and the number of these events. */
typedef struct gradyn_imbalance {
  int event, count;
  double t;      /* time, s */
  double amount; /* by kind: relative to the impulses; in J; in N s; rate of the guard; 0 */
  int other;     /* the second of two events at one time; only of ORDER_DECIDES */
} gradyn_imbalance;

/* Declares a latched constraint, and in each build() its datum "owner.captured". owner: name of the
 * constraint. row: its index among the constraints of the motion. modes: bit i set: active in mode i; 0: in
 * all modes. */
void gradyn_model_capture(gradyn_model *model, const char *owner, int row, unsigned modes);

/* Returns whether a latched constraint is active in a mode. */
static inline bool gradyn_latch_active(const gradyn_capture *c, int mode)
{
  return c->modes == 0 || c->modes >> mode & 1;
}

/* Declares an event, or advances the cursor in later builds. Returns the index of the event. *out receives
 * the entry in the first build(), valid until the next declaration. It is NULL in later builds, and without
 * memory. Build error if the name, not NULL, is taken. */
int gradyn_model_event(gradyn_model *model, const char *name, gradyn_event_entry **out);
/* Sets the mode after an event; mode: the user's number, from 1. GRADYN_SAME_MODE: no effect. event NULL (a
 * later build): checks the number only. name: of the event, for the message. Build error if the mode is not
 * declared. */
void gradyn_event_set_mode(gradyn_model *model, const char *name, int mode,
                           gradyn_event_entry *event);
/* Returns whether a mode, by the user's number, has been declared; otherwise a build error about `what`. */
bool gradyn_mode_check(gradyn_model *model, const char *what, int mode);
/* Returns whether all modes of a set, bit i for mode i, have been declared; otherwise a build error about
 * `name`. */
bool gradyn_modes_check(gradyn_model *model, const char *name, unsigned modes);
/* Stores the modes of an element or event in the first build() and compares them in later ones. Build error
 * if modes are stored already. Returns false after this or any earlier build error. */
bool gradyn_modes_choose(gradyn_model *model, const char *name, unsigned modes, unsigned *stored);
/* Frees the array event [count] and all that its entries own. event NULL: count must be 0; no effect. */
void gradyn_events_free(gradyn_event_entry *event, int count);

/* Returns whether the next occurrence of an event ends the run. */
static inline bool gradyn_event_ends(const gradyn_event_entry *e)
{
  return e->ends == e->happened + 1;
}

/* Returns a copy of a record of the log for users: with the id of the event instead of its index. */
static inline gradyn_event_record gradyn_event_record_public(gradyn_event_record record)
{
  record.event++;
  return record;
}

/* Returns whether a functional is evaluated at the event of a record, the total-th, from 1, of the run. */
bool gradyn_functional_is_at_event(const gradyn_functional_entry *f,
                                   const gradyn_event_record *record, int total);
/* Returns whether a functional is the impulse of the event of a record, the total-th, from 1, of the run. */
bool gradyn_functional_is_impulse(const gradyn_functional_entry *f,
                                  const gradyn_event_record *record, int total);

/* Empties the log of events, and sets the numbers of occurrences of all events to 0. */
void gradyn_log_begin(gradyn_model *model);
/* Counts an unreliable result of this kind in the log; *found, of the first one only, is copied. */
void gradyn_log_imbalance(gradyn_model *model, gradyn_imbalance_kind kind,
                          const gradyn_imbalance *found);
/* Appends a copy of record, with the event's name and occurrence, the current mode and latched data.
 * impulse [constraints of the motion], N s; impulse NULL: all 0. Error: GRADYN_NO_MEMORY. */
gradyn_status gradyn_log_add(gradyn_model *model, const gradyn_event_record *record,
                             const double *impulse);

/* Returns GRADYN_EVENT, with the names of both events in the message, if the last run had two events at one
 * time whose order affects derivatives. */
gradyn_status gradyn_log_smooth(gradyn_model *model);
/* Returns whether the last event in the log ends the run. */
bool gradyn_log_ends(const gradyn_model *model);
/* Checks the log at the end of a run. If an event has ended the run, first calls gradyn_limits_end().
 * GRADYN_EVENT, with a message: a functional refers to an event that has not happened, or to a time after an
 * event that has ended the run; or no event has ended a run that must end with one. */
gradyn_status gradyn_log_complete(gradyn_model *model);

#endif
