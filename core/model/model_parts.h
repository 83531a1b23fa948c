/* Parts of a model that few modules use; see core/model/model.h. */
#ifndef GRADYN_CORE_MODEL_PARTS_H
#define GRADYN_CORE_MODEL_PARTS_H

#include "core/base/message.h"
#include "core/model/callback.h"
#include "core/model/event.h"
#include "core/model/uncertain.h"

typedef struct gradyn_data_entry {
  char *name, *unit;
  int own; /* index in the full name at which the own name of the datum begins, after "owner." */
  bool derived; /* computed from other data, hidden from users */
  bool hidden;  /* used only by motions that start from a complete given state; hidden from users */
} gradyn_data_entry;

/* Addresses of an owner's name formed by gradyn_format_name() and of a literal. Strings at equal addresses
 * cannot have changed and are not compared. */
typedef struct gradyn_datum_key {
  const char *owner, *name; /* name NULL: one of the strings may change */
} gradyn_datum_key;

/* Coordinates of mechanisms. JOINT_UNLESS_READ: joint ones, except for joints whose forces another force
 * reads; for methods that solve for accelerations and multipliers separately. */
typedef enum gradyn_coordinates {
  GRADYN_NATURAL,
  GRADYN_JOINT,
  GRADYN_JOINT_UNLESS_READ
} gradyn_coordinates;

/* Values of integer settings, borrowed, and settings that mechanisms apply when they are finalised. */
typedef struct gradyn_model_settings {
  const gradyn_setting_choice *choice; /* [count] */
  size_t count;
  gradyn_coordinates joint_coordinates;
  const struct gradyn_added_knots *added; /* knots added by a search, borrowed; NULL: none */
  const gradyn_cases *cases;              /* borrowed; NULL: the model belongs to no load case */
  size_t row;                             /* row of the load case */
  bool *asked;                            /* [columns] whether build() has read them; borrowed */
  /* estimated costs on which the choice of coordinates is based: see gradyn_model_info */
  double operations[2];
  void (*complete)(struct gradyn_model *, const gradyn_scalar[]); /* after build(); NULL: nothing */
} gradyn_model_settings;

/* A guess of a state over time. */
typedef struct gradyn_guessed {
  char *state; /* name of the state */
  int slot;    /* index of the state; -1: not found yet */
  int count;
  double *value; /* [count], at equal time steps; the last value is at the end of the motion */
} gradyn_guessed;

/* Finds the states of all guesses in the finalised model. In joint coordinates, slots are indices of
 * positions and velocities in the coordinates of the start (gradyn_mech_origin). GRADYN_INVALID, with a
 * message: a state does not exist, or has two guesses. */
gradyn_status gradyn_guesses_finalise(struct gradyn_model *model);
/* Frees all guesses; to be called once, with the model. */
void gradyn_guesses_free(struct gradyn_model *model);

/* Returns the guess of the state with index slot, owned by the model; NULL: none. */
const gradyn_guessed *gradyn_guess_of(const struct gradyn_model *model, int slot);

/* Data and users' functions of the first build(), for comparison with later builds. */
typedef struct gradyn_model_declared {
  gradyn_datum_key *key;     /* [nx] */
  int capacity;              /* capacity of all arrays of data */
  int cursor;                /* next datum of the present build() */
  gradyn_callback *callback; /* [callbacks] */
  int callbacks, callback_cursor;
  /* [measures], each component of a vector by itself */
  struct gradyn_functional_entry *measure;
  int *summand;          /* [summands], numbers of the terms of all sums of functionals */
  gradyn_guessed *guess; /* [guesses] */
  int measures, summands, guesses;
  gradyn_model_uncertain uncertain;
  /* set by the build() of an analysis, borrowed during the call; NULL: none */
  const struct gradyn_candidate_times *candidates;
  const gradyn_scalar *rho; /* parameters of the present build(); borrowed during the call */
  bool looked;              /* derivatives of build() have been checked */
  bool trusted;             /* no derivatives are checked: the caller verifies them */
} gradyn_model_declared;

/* Next signal, measure, functional and event of the present build(). */
typedef struct gradyn_model_cursor {
  int signal, measure, functional, event, priors; /* priors: 1 after their declaration */
} gradyn_model_cursor;

/* Names formed by gradyn_format_name(), in the order of its calls. */
typedef struct gradyn_model_names {
  char **name;              /* [count] */
  int count, cursor, *slot; /* slot: hash table of the names of functionals, see functional.c */
} gradyn_model_names;

typedef struct gradyn_model_modes {
  char **name; /* [count] */
  int count, cursor;
  unsigned scope;             /* bit i set: new declarations belong to mode i; 0: to all modes */
  int choices, first_choices; /* calls of gradyn_modes_choose() in this and in the first build() */
} gradyn_model_modes;

/* Start and end of runs, and the current arc. */
typedef struct gradyn_model_span {
  unsigned arc; /* counts the arcs entered: values of signals at one time may differ between arcs */
  bool free_start; /* set while building: no initial conditions are fixed */
  /* for a segment of a motion: declares, after all other declarations, its start and its functionals; set
   * while building */
  void (*begin)(struct gradyn_model *, const gradyn_scalar rho[]);
  bool built;         /* build() gives the end time */
  double given;       /* s, replaces the end time of the problem; 0: no replacement */
  gradyn_scalar read; /* end time used by refined or delayed signals in this build(), if was_read */
  bool was_read;
  const gradyn_scalar *rho; /* [parameters] given to build(), borrowed; NULL: unknown */
  size_t parameters;
  double from, to; /* fractions of the end time between which the run is; to 0: the whole motion */
  double step; /* fraction of the end time that is suggested as the first step; 0: no suggestion */
  int mode;    /* mode at the start, from 0 */
  /* [signals of build()] knots that become data, for a segment of a motion; NULL: all; borrowed */
  const struct gradyn_knot_window *window;
  /* [looks] s, times within the run at which fixed steps must end; borrowed for a call */
  const double *look;
  size_t looks;
  /* costates that a reverse sweep fills; NULL: none; borrowed for a call */
  struct gradyn_costate_record *costates;
} gradyn_model_span;

/* Workspace of the current callback and the current spline. */
typedef struct gradyn_model_scratch {
  gradyn_scalar *u;      /* [1 + signal_count], by ids; NAN first */
  gradyn_scalar *spline; /* [largest number of knots] */
  gradyn_scalar *data;   /* [data_size] */
  int data_size;
  gradyn_message said; /* text of gradyn_callback_error() */
} gradyn_model_scratch;

/* Data latched by events. */
typedef struct gradyn_model_captures {
  gradyn_capture *item; /* [count] */
  int count;
  double *value; /* [capacity of the log][count], values after each event */
} gradyn_model_captures;
/* Events of the last run. */
typedef struct gradyn_model_log {
  gradyn_imbalance imbalance[GRADYN_IMBALANCES];
  gradyn_event_record *record; /* [count] */
  double *impulse; /* [capacity][constraints of the motion], of their multipliers; 0: no impact */
  int count, capacity;
  gradyn_model_captures captures;
} gradyn_model_log;

#endif
