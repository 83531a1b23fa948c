/* What an evaluator has: its parameters, functionals, data, signals and sizes. */
#ifndef GRADYN_DESCRIBE_H
#define GRADYN_DESCRIBE_H

#include <gradyn/problem.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Evaluates one problem with one set of options. Not for use by two threads at once; several
 * evaluators may run in parallel. Every result depends on rho alone, never on earlier calls. */
typedef struct gradyn_evaluator gradyn_evaluator;

/* A parameter after expansion of rows. */
typedef struct gradyn_parameter_info {
  const char *name; /* "u[3]" */
  const char *unit;
  double init, lower, upper, scale; /* bounds may be -HUGE_VAL, HUGE_VAL */
  gradyn_role role;
  bool fixed;
} gradyn_parameter_info;

typedef enum gradyn_use {
  GRADYN_MONITORED, /* shown only */
  GRADYN_OBJECTIVE, /* weight times it is part of the objective */
  GRADYN_LARGEST,   /* the objective is the largest of these */
  GRADYN_EQUAL,
  GRADYN_AT_MOST,
  GRADYN_AT_LEAST,
  GRADYN_LIMIT /* one side of a limit along the way: at most 0, at every time of the run */
} gradyn_use;

typedef struct gradyn_functional_info {
  const char *name;
  const char *unit;
  gradyn_use use;
  double weight;           /* GRADYN_OBJECTIVE, GRADYN_LARGEST */
  double bound, tolerance; /* constraints, in the functional's unit */
} gradyn_functional_info;

typedef struct gradyn_datum_info {
  const char *name, *unit;
  double value;
} gradyn_datum_info;

/* An event, in the order of declaration: gradyn_bounce(), gradyn_when(), gradyn_reset(),
 * gradyn_phase(). */
typedef struct gradyn_event_info {
  const char *name;
  bool wall;      /* its guard is a gap; otherwise a formula */
  bool invariant; /* its modes last only on one side of it, as of all walls; otherwise a crossing */
} gradyn_event_info;

GRADYN_API size_t gradyn_parameter_count(const gradyn_evaluator *evaluator);
GRADYN_API gradyn_parameter_info gradyn_parameter_at(const gradyn_evaluator *evaluator, size_t i);
GRADYN_API size_t gradyn_functional_count(const gradyn_evaluator *evaluator);
GRADYN_API gradyn_functional_info gradyn_functional_at(const gradyn_evaluator *evaluator, size_t i);
GRADYN_API size_t gradyn_event_count(const gradyn_evaluator *evaluator);
GRADYN_API gradyn_event_info gradyn_event_at(const gradyn_evaluator *evaluator, size_t i);
/* Data as of the last evaluation (or the initial parameters). */
GRADYN_API size_t gradyn_data_count(const gradyn_evaluator *evaluator);
GRADYN_API gradyn_datum_info gradyn_datum_at(const gradyn_evaluator *evaluator, size_t i);

/* Something that a model consists of: a rod, body, point mass, joint, constraint, spring, force, beam, ...;
 * of general equations all of them together. */
typedef struct gradyn_element_info {
  const char *kind; /* "rod", "revolute joint", "spring", ... */
  const char *name;
  const gradyn_variable_id
      *point; /* [points] what it joins or acts on, see gradyn_drawn_point_at() */
  int points;
  size_t datum, data_count;        /* its own data: the first and how many, see gradyn_datum_at() */
  gradyn_constraint_id constraint; /* of the motion, of joints the first one; -1: it is none */
  unsigned modes;                  /* bit k: it is there in mode k + 1; 0: in all */
} gradyn_element_info;

/* Takes one of them; everything in it is lent for the call. */
typedef void (*gradyn_element_fn)(const gradyn_element_info *element, void *user);

/* Calls visit for all that the model consists of, by kinds and in the order of declaration: gravity, masses,
 * joints, constraints (those of joints too, and what is held at the start), beams, forces. Signals, events,
 * functionals have lists of their own, measures are columns of trajectories. */
GRADYN_API void gradyn_list_elements(const gradyn_evaluator *evaluator, gradyn_element_fn visit,
                                     void *user);

/* A signal as of the last evaluation. */
typedef struct gradyn_signal_info {
  const char *name, *unit;
  gradyn_signal_kind kind;
  int count;           /* knots */
  const double *knots; /* [count], lent until the next evaluation */
  const double
      *times; /* [count] s, likewise, of the knots; of a piecewise constant signal the first means
                          * nothing; NULL: at equal distances */
  double t_start, t_end; /* s */
} gradyn_signal_info;
GRADYN_API size_t gradyn_signal_count(const gradyn_evaluator *evaluator);
GRADYN_API gradyn_signal_info gradyn_signal_at(const gradyn_evaluator *evaluator, size_t i);
/* Its value at time t. */
GRADYN_API double gradyn_signal_sample(const gradyn_evaluator *evaluator, size_t i, double t);

/* Sizes of the model: coordinates and constraints (mechanism), or states (general DAE). Degrees of freedom
 * are not their difference where constraints depend on each other: gradyn_count_freedom(). */
typedef struct gradyn_model_info {
  bool mechanical;
  int coordinates, constraints, states;
  int points;   /* that move; base vectors, slopes and joint coordinates are none */
  int axes;     /* 2 in the plane, 3 in space; 0: no mechanism */
  double t_end; /* as of the last evaluation */
  const char
      *chosen; /* coordinates: "natural", as of general equations, or "joint"; NULL: no model */
  /* Multiplications of a stage in natural and in joint coordinates, about, by which "auto" has chosen; 0:
   * there was no choice. */
  double operations[2];
} gradyn_model_info;
GRADYN_API gradyn_model_info gradyn_model_describe(const gradyn_evaluator *evaluator);

/* Joints of a mechanism in joint coordinates: those that carry bodies, outwards, then those that are left as
 * constraints, in the plane rods, too. A body without one stands among them under its own name, on "ground",
 * its kind "floating"; in the plane its kind is "free body", and a rod, "rod", carries a point on another
 * one. */
typedef struct gradyn_link_info {
  const char *joint, *kind;
  const char *body,
      *parent;            /* the body that it carries, and on what; NULL: it carries none, since */
  const char *left;       /* this; otherwise NULL */
  const char *coordinate; /* NULL: it has none */
} gradyn_link_info;
/* The i-th; false beyond the last, and in natural coordinates. Names live as long as the evaluator. */
GRADYN_API bool gradyn_link_at(const gradyn_evaluator *evaluator, size_t i, gradyn_link_info *link);

/* When a run at rho [parameters] ends, s, which build() tells without one. The data are those of rho from
 * here on. */
GRADYN_API gradyn_status gradyn_end_time_at(gradyn_evaluator *evaluator, const double rho[],
                                            double *t_end);

#ifdef __cplusplus
}
#endif

#endif
