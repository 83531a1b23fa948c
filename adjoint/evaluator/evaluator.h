/* Inside of an evaluator. */
#ifndef GRADYN_ADJOINT_EVALUATOR_H
#define GRADYN_ADJOINT_EVALUATOR_H

#include "adjoint/evaluator/choice.h"
#include "adjoint/directions.h"
#include "core/model/model.h"
#include "core/problems/parameters.h"

/* How gradients are computed. */
typedef enum gradyn_route {
  GRADYN_BY_ADJOINT,
  GRADYN_BY_DIRECT,
  GRADYN_BY_CONTINUOUS_ADJOINT,
  GRADYN_BY_DIFFERENCES,
  GRADYN_ROUTES
} gradyn_route;

/* How exact a gradient is to be: to the tolerance, or that of the run that gives its values. */
typedef enum gradyn_care { GRADYN_TO_TOLERANCE, GRADYN_AS_IT_IS } gradyn_care;

/* How exact a gradient is to be, and what is known of it. */
typedef struct gradyn_exactness {
  gradyn_care care;
  /* [nf] changes of functionals; errors of derivatives that make less of a parameter's size do not matter;
   * NULL: all do */
  const double *negligible;
  bool energy_judged; /* somebody else asks whether it drifts */
  bool steps_judged;  /* somebody else asks what fixed steps leave of it */
  bool missed;        /* a warning tells that it is less exact than asked for */
  double error;       /* estimate for the derivative where it is most, in its unit; 0: none */
  const char *functional, *by; /* its functional and its number; live as long as the evaluator */
  char unit[64];               /* "m/kg" */
} gradyn_exactness;

/* What begins with how it is released. */
typedef struct gradyn_owned {
  void (*release)(struct gradyn_owned *own);
} gradyn_owned;

/* Room for the functionals and gradients of repetitions with other steps: see accuracy.c; for the events
 * of the run whose values are given; and for differences. */
typedef struct gradyn_repetition {
  double *moved; /* [parameters] of one run of these */
  double *numbers;
  size_t capacity;
  gradyn_event_record *log;
  double *captured; /* [log_room][captures] */
  int log_room;
  bool use_cost; /* the last evaluation was a gradient by differences, or repeated its run */
} gradyn_repetition;

/* When evaluations of a search end: on a request of the caller, or when its time is over. */
typedef struct gradyn_request {
  bool (*cancel)(void *user); /* of the options; may be NULL */
  void *user;
  bool heeded;  /* the caller's request is known, and counts no more */
  double until; /* s of gradyn_seconds(); 0: never */
} gradyn_request;

struct gradyn_evaluator {
  const gradyn_problem *problem;
  gradyn_options options, asked;   /* in force; as given, not completed and not resolved */
  gradyn_setting_choice *settings; /* [setting_count] */
  size_t setting_count;
  gradyn_message message;
  gradyn_message warnings; /* of the last evaluation */
  gradyn_message corners;  /* what its gradient has met of them, a part of the warnings */
  gradyn_parameters parameters;
  gradyn_model *model;
  const gradyn_method *method; /* in force */
  void *run;                   /* of the method */
  gradyn_choice choice;        /* if there is one, that of the method in force */
  gradyn_route route;          /* of the gradient in hand */
  gradyn_scalar *rho;          /* [parameters] */
  double *x;                   /* [nx] scratch */
  bool *active;                /* [nx] data that vary with the parameters */
  double *x_bar;               /* [nf][nx] */
  double *psi;                 /* [nf] for callers that want no values */
  double *sample;
  int *public_data; /* [public_count] data that users see: all that are not derived */
  int public_count;
  gradyn_directions by_rho, by_datum;
  gradyn_statistics cost;     /* of all runs of a gradient by differences */
  gradyn_exactness exactness; /* of the gradient in hand */
  gradyn_repetition repetition;
  gradyn_request request; /* of its options, if there is a limit */
  gradyn_owned *own;      /* a problem made for it; NULL: it is somebody else's */
  gradyn_arena arena;     /* of all arrays above, and of names in the options */
};

/* Refuses a problem that cannot be worked with at all. */
gradyn_status gradyn_evaluator_inspect(gradyn_evaluator *ev);

/* Takes values of settings, which must be those of the problem. */
gradyn_status gradyn_evaluator_keep_settings(gradyn_evaluator *ev,
                                             const gradyn_setting_choice *settings, size_t count);

RELEASE(gradyn_evaluator)

/* Takes options, completes and checks them. */
gradyn_status gradyn_evaluator_settle(gradyn_evaluator *ev, const gradyn_options *options);

/* Whether a user has named the method. False: gradyn_options_default() has filled it in, or it is NULL. */
bool gradyn_options_name_method(const gradyn_options *options);

/* A failure is told by the evaluator, in its own words, in those of its model, or at least in the sentence of
 * the status, which is returned. */
gradyn_status gradyn_evaluator_report(gradyn_evaluator *ev, gradyn_status status);

/* The same of a failure of the model, whose message becomes the evaluator's. */
gradyn_status gradyn_evaluator_carry(gradyn_evaluator *ev, gradyn_status status);

/* The route to gradients, by its name in the options, if the method has it. */
gradyn_status gradyn_evaluator_settle_route(gradyn_evaluator *ev);

/* The same for a method that need not be that of the options. One without derivatives is left to differences,
 * unless others are asked for by name. */
gradyn_status gradyn_route_settle(gradyn_evaluator *ev, const gradyn_method *method);

/* Takes the way to a gradient by so many numbers, of the functionals that are not skipped, if it is free. */
void gradyn_evaluator_take_route(gradyn_evaluator *ev, size_t columns);

/* Whether what methods note of errors may be as much as to be told: gradyn_note_undetermined(). */
bool gradyn_is_undetermined(const gradyn_statistics *statistics);

/* Messages and warnings are those of one evaluation or analysis: forgets them as the next one begins. */
void gradyn_evaluator_forget(gradyn_evaluator *ev);

/* From now on evaluations end at the time `until` as on request (0: never), also those by evaluators that
 * take the options of this one. After a request of the caller, that one counts no more, and others do. */
void gradyn_evaluator_limit(gradyn_evaluator *ev, double until, bool after_request);

/* The caller's requests alone count again. */
void gradyn_evaluator_unlimit(gradyn_evaluator *ev);

/* Writes the warnings of an evaluation that has succeeded. */
void gradyn_evaluator_warn(gradyn_evaluator *ev);

#endif
