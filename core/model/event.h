/* Events as the library sees them: guards, what they do, and what has happened. */
#ifndef GRADYN_CORE_EVENT_H
#define GRADYN_CORE_EVENT_H

#include <gradyn/evaluate.h>

typedef struct gradyn_functional_entry gradyn_functional_entry;

/* A velocity component that a kinematic jump keeps: its point and axis, and its place in q after sealing. */
typedef struct gradyn_preserved_velocity {
  int point, axis, at;
} gradyn_preserved_velocity;

/* A term of a map of coordinates, q+[to] = sum of weights times q-[from], or times 1. */
typedef struct gradyn_map_entry {
  gradyn_preserved_velocity to, from; /* from.point < 0: the constant 1 */
  bool shift;                         /* of positions alone, as constants are */
  int datum;                          /* the weight */
} gradyn_map_entry;

typedef struct gradyn_event_entry {
  char *name;
  unsigned modes;                 /* bits of the modes in which its guard is looked at; 0: all */
  int contact;                    /* its guard: number among the model's contacts; -1: a formula */
  gradyn_functional_entry *guard; /* that formula, own */
  gradyn_functional_entry *armed; /* must be positive for the event to happen, own; NULL: always */
  double sign;                    /* the guard is sign times Phi of the contact, or the formula */
  bool either;                    /* it may pass zero in both directions */
  bool invariant;                 /* its modes last only while the guard is positive */
  gradyn_map_entry
      *map; /* [map_count] of what jumps in positions and, with the same weights, velocities */
  int map_count;
  gradyn_functional_entry
      *reset; /* what velocities (of general equations states) become, own; NULL: none */
  gradyn_preserved_velocity *set; /* [set_count] which these are */
  int set_count;
  int restitution;                 /* datum; -1: no wall, but the constraints of the mode behind */
  gradyn_preserved_velocity *kept; /* [kept_count] of a kinematic jump; NULL: an impact */
  int kept_count;
  int mode;     /* the mode behind it; -1: as before */
  int ends;     /* the run ends when it happens for that time; 0: it does not */
  int happened; /* in the last run */
} gradyn_event_entry;

/* What a constraint holds in place of what it says: Phi - x[datum] = 0 with the value that Phi had behind
 * the event that has brought it in. */
typedef struct gradyn_capture {
  int constraint; /* as declared, among those of the motion */
  int row;        /* where that stands in the equations that are marched */
  int datum;      /* hidden; 0 where the run starts */
  unsigned modes; /* bits of the modes in which it holds; 0: all */
} gradyn_capture;

/* What is doubtful at events. At impacts it contradicts mechanics: the jump of momentum is not what the
 * impulses make of it; kinetic energy grows where nothing drives; a wall pulls. A guard that leaves zero
 * where its mode begins comes back without having been seen above it. Of two events at one time derivatives
 * depend on which is the first. */
typedef enum gradyn_imbalance_kind {
  GRADYN_MOMENTUM_LEFT,
  GRADYN_ENERGY_GROWS,
  GRADYN_WALL_PULLS,
  GRADYN_HOP_UNSEEN,
  GRADYN_ORDER_DECIDES,
  GRADYN_IMBALANCES
} gradyn_imbalance_kind;

/* The first event of a run of which that is so, and how many there are. */
typedef struct gradyn_imbalance {
  int event, count;
  double t;      /* s */
  double amount; /* over the impulses; J; N s; the guard's rate */
  int other;     /* the second of two events at one time */
} gradyn_imbalance;

/* Declares (or steps on to) a capture; owner: the constraint's name. */
void gradyn_model_capture(gradyn_model *model, const char *owner, int row, unsigned modes);

/* Whether a capture's constraint holds in a mode. */
static inline bool gradyn_capture_holds(const gradyn_capture *c, int mode)
{
  return c->modes == 0 || c->modes >> mode & 1;
}

/* Declares (or steps on to) an event; returns its number, and in *out the entry on the first build(), NULL
 * on later ones. */
int gradyn_model_event(gradyn_model *model, const char *name, gradyn_event_entry **out);
/* Sets the mode behind an event (NULL: a repeated build), by the number that users know. */
void gradyn_event_leads(gradyn_model *model, const char *name, int mode, gradyn_event_entry *event);
void gradyn_events_free(gradyn_event_entry *event, int count);

/* Whether the run ends with the next occurrence of an event. */
static inline bool gradyn_event_ends(const gradyn_event_entry *e)
{
  return e->ends == e->happened + 1;
}

/* Whether a functional is taken at an occurrence: of an event, for the which-th time, the total-th event of
 * the run. */
bool gradyn_functional_meets(const gradyn_functional_entry *f, const gradyn_event_record *record,
                             int total);
/* Whether it is the impulse of that one. */
bool gradyn_functional_is_impulse(const gradyn_functional_entry *f,
                                  const gradyn_event_record *record, int total);

/* Forgets what has happened; notes what is doubtful at an event; notes an event. */
void gradyn_log_begin(gradyn_model *model);
void gradyn_log_imbalance(gradyn_model *model, gradyn_imbalance_kind kind,
                          const gradyn_imbalance *found);
gradyn_status gradyn_log_add(gradyn_model *model, const gradyn_event_record *record);

/* GRADYN_EVENT names the events of the last run whose order decides what its derivatives are. */
gradyn_status gradyn_log_smooth(gradyn_model *model);

/* Whether the last event that has happened is one that ends the run. */
bool gradyn_log_ends(const gradyn_model *model);

/* At the end of a run: fails if a functional waits for an event that has not happened, or for a time
 * behind the event that has ended the run, or if none has ended a run that ends so. */
gradyn_status gradyn_log_complete(gradyn_model *model);

#endif
