/* The parts of a model that few ask for: see core/model/model.h. */
#ifndef GRADYN_CORE_MODEL_PARTS_H
#define GRADYN_CORE_MODEL_PARTS_H

#include "core/base/message.h"
#include "core/model/callback.h"
#include "core/model/event.h"

typedef struct gradyn_data_entry {
  char *name, *unit;
  int own;      /* where its part of the name begins, behind the owner's */
  bool derived; /* computed from other data, not shown to users */
  bool hidden;  /* of motions from a state that is given whole alone, not shown either */
} gradyn_data_entry;

/* Addresses of an owner's name formed by gradyn_name() and of a literal: names that cannot have changed
 * need not be compared. */
typedef struct gradyn_datum_key {
  const char *owner, *name; /* name NULL: one of them may change */
} gradyn_datum_key;

/* Coordinates of mechanisms; of joint ones all that there are, or but those of joints whose forces a force
 * reads, for methods that solve for accelerations and multipliers one by one. */
typedef enum gradyn_coordinates {
  GRADYN_NATURAL,
  GRADYN_JOINT,
  GRADYN_JOINT_UNLESS_READ
} gradyn_coordinates;

/* Values of integer settings; borrowed. And what mechanisms take where they seal. */
typedef struct gradyn_model_settings {
  const gradyn_setting_choice *choice; /* [count] */
  size_t count;
  gradyn_coordinates joint_coordinates;
  double operations[2]; /* by which these were chosen, or were not: see gradyn_model_info */
} gradyn_model_settings;

/* A guess of a state over time. */
typedef struct gradyn_guessed {
  char *state; /* its name */
  int slot;    /* its place among the states; -1: it has none */
  int count;
  double *value; /* [count] at instants of equal distances, the last one the end of the motion */
} gradyn_guessed;

/* Data and users' functions as they were declared first, for those that are declared again. */
typedef struct gradyn_model_declared {
  gradyn_datum_key *key;     /* [nx] */
  int capacity;              /* of all arrays of data */
  int cursor;                /* next datum of the present build() */
  gradyn_callback *callback; /* [callbacks] */
  int callbacks, callback_cursor;
  gradyn_guessed *guess; /* [guesses] */
  int guesses;
  const gradyn_scalar *rho; /* of the present build(), lent */
  bool looked;              /* derivatives of build() have been looked at */
  bool trusted;             /* nothing is looked at: the caller does it himself */
} gradyn_model_declared;

/* The next signal, functional, event of the present build(). */
typedef struct gradyn_model_cursor {
  int signal, functional, event;
} gradyn_model_cursor;

/* Names formed by gradyn_name(), in the order of its calls. */
typedef struct gradyn_model_names {
  char **name; /* [count] */
  int count, cursor;
} gradyn_model_names;

typedef struct gradyn_model_modes {
  char **name; /* [count] */
  int count, cursor;
  unsigned scope; /* bits of the modes that what is declared now belongs to; 0: all */
} gradyn_model_modes;

/* How runs begin and end, and where they are. */
typedef struct gradyn_model_span {
  unsigned arc;    /* counts the arcs entered: on each, signals at a time may be others */
  bool free_start; /* set while building, likewise the next: nothing is held at the start */
  /* of a part of a motion: tells its start, and what is taken in it, behind all that is declared */
  void (*begin)(struct gradyn_model *, const gradyn_scalar rho[]);
  bool built;   /* build() gives the end time */
  double given; /* s, takes the place of the problem's; 0: none */
  gradyn_scalar
      read; /* the end time as refined signals have read it in this build(), if they have */
  bool was_read;
  const gradyn_scalar *rho; /* [parameters] of build(), borrowed; NULL: they are not known */
  size_t parameters;
  double from, to; /* shares of the end time between which the run is; to 0: all of it */
  double step;     /* the same of a first step that is worth a try; 0: none is known */
  int mode;        /* in which it begins, from 0 on */
  const double *
      look; /* [looks] s, times within the run at which steps of a fixed length, where these are cut
                         to arcs, have to end; borrowed for a call */
  size_t looks;
  struct gradyn_costate_record
      *costates; /* that an adjoint sweep is to fill; NULL, borrowed likewise */
} gradyn_model_span;

/* For the callback that is being called, and the spline that is being made. */
typedef struct gradyn_model_scratch {
  gradyn_scalar *u;      /* [signal_count] */
  gradyn_scalar *spline; /* [most knots] */
  gradyn_scalar *data;   /* [data_size] */
  int data_size;
  gradyn_message said; /* by gradyn_callback_error() */
} gradyn_model_scratch;

/* What events capture. */
typedef struct gradyn_model_captures {
  gradyn_capture *item; /* [count] */
  int count;
  double *value; /* [room of the log][count] behind its events */
} gradyn_model_captures;

/* The events of the last run. */
typedef struct gradyn_model_log {
  gradyn_imbalance imbalance[GRADYN_IMBALANCES];
  gradyn_event_record *record; /* [count] */
  int count, capacity;
  gradyn_model_captures captures;
} gradyn_model_log;

#endif
