/* What can be seen of a model: drawables, and how a motion keeps its invariants. */
#ifndef GRADYN_LOOK_H
#define GRADYN_LOOK_H

#include <gradyn/evaluate.h>

#ifdef __cplusplus
extern "C" {
#endif

/* --- What there is to draw, as of the last evaluation ------------------------------------------ */

/* A point, or a direction (base vector, slope): the sum of fixed and of weight[k] times the columns
 * column[k], column[k] + 1, ... of a trajectory. */
typedef struct gradyn_drawn_point {
  const char *name;
  bool direction;
  double fixed[3]; /* m */
  int carriers;    /* 0: it belongs to the ground */
  int column[4];
  double weight[4];
} gradyn_drawn_point;

typedef enum gradyn_shape {
  GRADYN_SHAPE_ROD,      /* a rigid bar: its ends */
  GRADYN_SHAPE_DISTANCE, /* a driven distance of two points */
  GRADYN_SHAPE_SPRING,   /* its ends */
  GRADYN_SHAPE_DAMPER,   /* its ends */
  GRADYN_SHAPE_ACTUATOR, /* its ends */
  GRADYN_SHAPE_BEAM,     /* its nodes, then as many slopes; size[0]: length of an element, m */
  GRADYN_SHAPE_BODY,     /* centre and base vectors */
  GRADYN_SHAPE_BOX,      /* the same; size: its sides, m */
  GRADYN_SHAPE_CYLINDER, /* the same; along axis; size: radius, length, m */
  GRADYN_SHAPE_GUIDE,    /* a point whose coordinate along axis is given by a law */
  GRADYN_SHAPE_FORCE,    /* the point where it acts; size: components, N, times signal */
  GRADYN_SHAPE_TRACE     /* a point whose path is to be drawn */
} gradyn_shape;

typedef struct gradyn_drawable {
  gradyn_shape shape;
  const char *name;
  const int *point; /* [points] numbers of points */
  int points;
  double size[3];
  int axis;
  gradyn_signal_id signal; /* number of the signal that multiplies a force; -1: none */
  long colour;             /* 0xrrggbb; -1: none was given */
  unsigned modes;          /* bit k: it is there in mode k + 1; 0: in all */
} gradyn_drawable;

/* Takes one drawable; everything in it is lent for the call. */
typedef void (*gradyn_draw_fn)(const gradyn_drawable *drawable, void *user);

/* Name of a shape: "rod", "spring", ... */
GRADYN_API const char *gradyn_shape_name(gradyn_shape shape);

/* Points of a mechanism, ground ones included; general equations have none. */
GRADYN_API size_t gradyn_drawn_point_count(const gradyn_evaluator *evaluator);
GRADYN_API gradyn_drawn_point gradyn_drawn_point_at(const gradyn_evaluator *evaluator, size_t i);

/* Calls visit for everything that can be drawn. */
GRADYN_API void gradyn_draw(const gradyn_evaluator *evaluator, gradyn_draw_fn visit, void *user);

/* --- How a motion keeps its invariants ---------------------------------------------------------- */

/* A mechanism at one step of a trajectory. */
typedef struct gradyn_condition {
  double kinetic, potential; /* energy, J, as of gradyn_end_energy() */
  double drift_position;     /* max |Phi| */
  double drift_velocity;     /* max |Phi'| */
} gradyn_condition;

/* The condition at every step of a trajectory of this evaluator's last simulation, condition
 * [gradyn_trajectory_steps()]. GRADYN_UNSUPPORTED: the model is no mechanism. */
GRADYN_API gradyn_status gradyn_examine(gradyn_evaluator *evaluator,
                                        const gradyn_trajectory *trajectory,
                                        gradyn_condition condition[]);

/* --- A motion between its steps ------------------------------------------------------------------ */

/* All columns of a trajectory at times [count] of its run, in s and in any order: rows [count][columns]. They
 * are as exact as the steps, since the equations are integrated from the step before. At an event: the state
 * after it. `trajectory` is of a gradyn_simulate() with this evaluator; it may have made other runs since.
 * GRADYN_INVALID: a time is outside the run; an end may be missed by a few units of the last digit. */
GRADYN_API gradyn_status gradyn_trajectory_evaluate(gradyn_evaluator *evaluator,
                                                    const gradyn_trajectory *trajectory,
                                                    size_t count, const double time[],
                                                    double rows[]);

#ifdef __cplusplus
}
#endif

#endif
