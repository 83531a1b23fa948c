/* Inspection of an evaluated model: drawings, invariants of a motion, states between steps. */
#ifndef GRADYN_LOOK_H
#define GRADYN_LOOK_H

#include <gradyn/evaluate.h>

#ifdef __cplusplus
extern "C" {
#endif

/* --- Drawings, with the data of the last evaluation ------------------------------------------ */

/* A point or a direction (base vector, slope) of a drawing. Its components are `fixed` plus the sum over
 * its carriers k of weight[k] times the columns column[k], column[k] + 1, ... of a trajectory. */
typedef struct gradyn_drawn_point {
  const char *name; /* name of the point, valid as long as the evaluator; "" if there is none */
  bool direction;   /* true: a direction; false: a point */
  double fixed[3];  /* constant part, m; of directions dimensionless; in the plane [2] is 0 */
  /* number of entries used in column and weight, 0 to 4; 0: fixed to the ground */
  int carriers;
  int column[4]; /* [carriers], indices of the columns of the first components */
  /* [carriers], factors, dimensionless; m for points carried by directions, 1/m for directions of rods */
  double weight[4];
} gradyn_drawn_point;

/* Shapes of drawn objects, with the meaning of the members of gradyn_drawable. */
typedef enum gradyn_shape {
  GRADYN_SHAPE_ROD,      /* a rod; points: its ends */
  GRADYN_SHAPE_DISTANCE, /* a driven distance; points: its ends */
  GRADYN_SHAPE_SPRING,   /* a spring; points: its ends */
  GRADYN_SHAPE_DAMPER,   /* a damper or dashpot; points: its ends */
  GRADYN_SHAPE_ACTUATOR, /* a spring without stiffness and damping; points: its ends */
  /* a beam; points: its nodes, then as many slopes; size[0]: length of an element, m */
  GRADYN_SHAPE_BEAM,
  GRADYN_SHAPE_BODY, /* a body; points: centre, then base vectors */
  GRADYN_SHAPE_BOX,  /* a body as a box; points as of a body; size: sides, m */
  /* a body as a cylinder along axis; points as of a body; size: radius, length, m */
  GRADYN_SHAPE_CYLINDER,
  GRADYN_SHAPE_GUIDE, /* a point whose coordinate along axis is prescribed */
  GRADYN_SHAPE_FORCE, /* a force; point where it acts; size: components, N, times the signal */
  GRADYN_SHAPE_TRACE  /* a point whose path is drawn */
} gradyn_shape;

/* A drawn object. */
typedef struct gradyn_drawable {
  gradyn_shape shape; /* its shape */
  const char *name;   /* its name */
  const int *point;   /* [points], indices for gradyn_drawn_point_at() */
  int points;         /* length of point */
  /* dimensions of the shape, m, or components of a force, N: see gradyn_shape */
  double size[3];
  int axis;                /* axis of cylinders and guides: 0, 1 or 2 */
  gradyn_signal_id signal; /* number of the signal that multiplies a force; -1: none */
  long colour;             /* 0xrrggbb; -1: none was given */
  unsigned modes;          /* bit k: it exists in mode k + 1; 0: in all modes */
} gradyn_drawable;

/* Receives one drawn object; all pointers in it are valid during the call only. user: pointer given to
 * gradyn_drawables_visit(). */
typedef void (*gradyn_drawable_fn)(const gradyn_drawable *drawable, void *user);

/* Returns the name of a shape, for example "rod"; "unknown" for another value. A constant string, never
 * NULL. */
GRADYN_API const char *gradyn_shape_name(gradyn_shape shape);

/* Returns the number of points of a mechanism, those of the ground included. It is 0 for general
 * equations and NULL. */
GRADYN_API size_t gradyn_drawn_point_count(const gradyn_evaluator *evaluator);

/* Returns point i of a mechanism, from 0, with the data of the last evaluation. Without such a point the
 * name is "" and all numbers are 0. Joint coordinates and first-order states have no carriers. */
GRADYN_API gradyn_drawn_point gradyn_drawn_point_at(const gradyn_evaluator *evaluator, size_t i);

/* Calls a function for each drawn object of a mechanism, background first. visit: the function; NULL: no
 * effect. user: pointer passed on to visit; may be NULL. */
GRADYN_API void gradyn_drawables_visit(const gradyn_evaluator *evaluator, gradyn_drawable_fn visit,
                                       void *user);

/* --- Invariants of a motion --------------------------------------------------------------------- */

/* Energy and constraint violation of a mechanism at one step of a trajectory. */
typedef struct gradyn_invariants {
  double kinetic, potential; /* energies, J; the potentials are those of gradyn_end_energy() */
  /* largest |Phi|, each constraint in its unit, for example m */
  double drift_position;
  double drift_velocity; /* largest |Phi'|, each constraint in its unit per s */
} gradyn_invariants;

/* Computes energies and constraint violations at every step of a trajectory.
 *
 * trajectory: of the last simulation of this evaluator.
 * condition [gradyn_trajectory_steps()]: receives the results; units as in gradyn_invariants.
 *
 * Returns GRADYN_OK, GRADYN_UNSUPPORTED if the model is no mechanism, or GRADYN_NO_MEMORY. A NULL
 * argument or a trajectory with other columns gives GRADYN_INVALID. An element that cannot be evaluated
 * gives its error, for example GRADYN_NON_FINITE. */
GRADYN_API gradyn_status gradyn_invariants_compute(gradyn_evaluator *evaluator,
                                                   const gradyn_trajectory *trajectory,
                                                   gradyn_invariants condition[]);

/* --- A motion between its steps ------------------------------------------------------------------ */

/* Computes all columns of a trajectory at any times of its run.
 *
 * The results are as accurate as the steps, since the equations are integrated from the step before. At
 * an event they are the state after it.
 *
 * trajectory: of a gradyn_evaluator_simulate() with this evaluator, which may have made other runs since.
 * time [count]: times, s, in any order, within the run except for round-off.
 * rows [count][columns]: receives the values, in the units of the columns.
 *
 * Returns GRADYN_OK, GRADYN_INVALID, or the error of the integration. GRADYN_INVALID stands for a time
 * outside the run, a NULL argument or a trajectory of another evaluator. */
GRADYN_API gradyn_status gradyn_trajectory_evaluate(gradyn_evaluator *evaluator,
                                                    const gradyn_trajectory *trajectory,
                                                    size_t count, const double time[],
                                                    double rows[]);

#ifdef __cplusplus
}
#endif

#endif
