/* Inspection of an evaluator: its contents, drawings, and invariants of a motion. */
#ifndef GRADYN_INSPECT_H
#define GRADYN_INSPECT_H

#include <gradyn/evaluate.h>
#include <gradyn/functionals.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Contents of an evaluator: its parameters, functionals, events, data, elements, signals and sizes.
 * Functions that return a property do not change the evaluator or its message. */

/* A parameter; an array of parameters in the problem gives one for each entry. */
typedef struct gradyn_parameter_info {
  const char *name;           /* for example "u[3]"; lives as long as the evaluator */
  const char *unit;           /* lives as long as the evaluator */
  double init;                /* initial value, in its unit */
  double lower, upper;        /* bounds, in its unit; -HUGE_VAL and HUGE_VAL: none */
  double scale;               /* size of a typical change, in its unit; positive */
  gradyn_parameter_role role; /* its meaning, for reports */
  bool fixed;                 /* true: a search does not change it, unless the caller selects it */
  /* its declaration has lower = upper = 0 without .fixed: deprecated, a future version refuses it */
  bool bounds_missing;
  /* the parameter belongs to one load case: `per_case` of the problem, or given by a column */
  bool per_case;
  /* mean and standard deviation of its normal prior, in its unit; if `logarithmic`, those of its logarithm;
   * deviation 0: no prior */
  double prior, prior_deviation;
  bool logarithmic; /* searches and intervals take its logarithm */
} gradyn_parameter_info;

/* The use of a functional in an optimisation. */
typedef enum gradyn_functional_use {
  GRADYN_MONITORED, /* only shown */
  GRADYN_OBJECTIVE, /* weight times value is a term of the minimised objective */
  GRADYN_LARGEST,  /* the objective has the largest weighted value of these functionals as a term */
  GRADYN_EQUAL,    /* constraint: equal to its bound */
  GRADYN_AT_MOST,  /* constraint: at most its bound */
  GRADYN_AT_LEAST, /* constraint: at least its bound */
  GRADYN_PATH_CONSTRAINT, /* one side of a path constraint: at most 0 at every time of the run */
  GRADYN_RESIDUAL, /* a datum of gradyn_fit(); half the square of the value is a term of the fit */
  GRADYN_LOG_SIGMA /* of gradyn_fit(): ln of its estimated standard deviation */
} gradyn_functional_use;

/* A functional, and its use in an optimisation. */
typedef struct gradyn_functional_info {
  const char *name;          /* lives as long as the evaluator */
  const char *unit;          /* lives as long as the evaluator */
  gradyn_functional_use use; /* GRADYN_MONITORED unless the model states another use */
  /* of GRADYN_OBJECTIVE: negative if it is maximised, unit of the objective over that of the functional. Of
   * GRADYN_LARGEST: 1, with load cases that of the term in its case. Of constraints: no meaning; otherwise
   * 0 */
  double weight;
  double bound; /* bound of a constraint, in the unit of the functional; otherwise 0 */
  /* Of constraints and path constraints: the largest accepted violation, in the unit of the functional;
   * otherwise 0 */
  double tolerance;
  /* GRADYN_RESIDUAL and GRADYN_LOG_SIGMA: index of the fit to which it belongs, for
   * gradyn_functional_at(); otherwise 0 */
  size_t fit;
  /* The rest describes the datum of GRADYN_RESIDUAL; otherwise zeros and empty texts. */
  double time;      /* of the datum, s */
  bool weighted;    /* sigma or deviations are given; false: the standard deviation counts as 1 */
  gradyn_loss loss; /* of the residual */
  double threshold; /* of the loss, in standard deviations; no meaning for GRADYN_LOSS_SQUARE */
  /* name of the measure, or of the parameter with a prior; lives as long as the evaluator; "": hidden */
  const char *measure;
  const char *measure_unit; /* lives as long as the evaluator */
  double value;             /* of the datum, in the unit of the measure */
  /* standard deviation of the datum in the unit of the measure, at the parameters of the last call; 1: not
   * known */
  double deviation;
  /* the sensor: datum = scale times the measure at time - delay, plus offset; at the parameters of the last
   * call, in the units of gradyn_fit_spec. Without a sensor 1, 0, 0 */
  double scale, offset, delay;
} gradyn_functional_info;

/* A datum: a number of the model that build() computes from the parameters. */
typedef struct gradyn_datum_info {
  const char *name; /* for example "crank.mass"; lives as long as the evaluator */
  const char *unit; /* lives as long as the evaluator */
  double value;     /* at the parameters of the last call, in its unit; see gradyn_datum_at() */
} gradyn_datum_info;

/* A declared event: of gradyn_impact(), gradyn_event() or gradyn_phase(). */
typedef struct gradyn_event_info {
  const char *name; /* lives as long as the evaluator */
  bool wall;        /* true: its guard is the gap of a contact; false: a formula */
  bool invariant;   /* true: its modes last only on one side of the guard, as for all walls */
} gradyn_event_info;

/* Returns the number of parameters, which is the length of rho. Each entry of an array counts, and fixed
 * parameters count too. Returns 0 if the evaluator is NULL. */
GRADYN_API size_t gradyn_parameter_count(const gradyn_evaluator *evaluator);

/* Returns parameter i, counted from 0 in the order of declaration; empty texts and zeros if there is none or
 * the evaluator is NULL. The texts live as long as the evaluator. */
GRADYN_API gradyn_parameter_info gradyn_parameter_at(const gradyn_evaluator *evaluator, size_t i);

/* Returns the number of functionals, with the sides of path constraints: the length of psi. Returns 0 if
 * the evaluator is NULL or has no model. */
GRADYN_API size_t gradyn_functional_count(const gradyn_evaluator *evaluator);

/* Returns functional i, counted from 0 in the order of declaration, as in psi; empty texts and zeros if
 * there is none. */
GRADYN_API gradyn_functional_info gradyn_functional_at(const gradyn_evaluator *evaluator, size_t i);

/* A load case of an evaluator. */
typedef struct gradyn_case_info {
  const char *name; /* lives as long as the evaluator; "": there is no such case */
  double weight;    /* in the objective over all cases, at least 0, dimensionless */
  /* evaluator of this case, which belongs to the evaluator of all cases: do not release it. NULL: there is
   * no such case */
  gradyn_evaluator *evaluator;
  /* [gradyn_parameter_count(evaluator)] for each parameter of this case, its number among the parameters of
   * all cases, from 0; lives as long as the evaluator */
  const size_t *parameter;
} gradyn_case_info;

/* Returns load case i, counted from 0. If there is none or the evaluator is NULL, the name is "", the weight
 * 0 and the evaluator NULL. With cases, functionals are those of all cases in their order. Parameters are
 * the shared ones, then those of each case. Trajectories, events, data and signals are those of the first
 * case. The number of cases is a member of gradyn_model_info. */
GRADYN_API gradyn_case_info gradyn_case_at(const gradyn_evaluator *evaluator, size_t i);

/* Returns event i, counted from 0 in the order of declaration; the name is "" if there is none. The
 * gradyn_event_id of the event is i + 1. The number of events is a member of gradyn_model_info. */
GRADYN_API gradyn_event_info gradyn_event_at(const gradyn_evaluator *evaluator, size_t i);

/* Returns datum i, counted from 0 in the order of declaration, with its value at the parameters of the last
 * call of the evaluator. Before the first call the value is that at the initial parameters. Empty texts and
 * zero if there is no such datum. */
GRADYN_API gradyn_datum_info gradyn_datum_at(const gradyn_evaluator *evaluator, size_t i);

/* An element of a model: a rod, body, point mass, joint, constraint, spring, force, beam and so on. General
 * equations are one element. */
typedef struct gradyn_element_info {
  const char *kind; /* for example "rod", "revolute joint", "spring" */
  const char *name; /* name in the declaration; general equations: name of the problem */
  /* [points] points that it connects or acts on: indices for gradyn_drawn_point_at(). A joint has the
   * origins of its frames, a beam its nodes, then as many slopes */
  const int *point;
  int points;        /* entries of point; 0: none */
  size_t datum;      /* index of its first datum for gradyn_datum_at(), if it has data */
  size_t data_count; /* number of its data, which follow each other; 0: none */
  /* constraint of the element, of a joint the first one; 0: the element has no constraint of the motion */
  gradyn_constraint_id constraint;
  /* bit k: present in mode k + 1; 0: in all modes. Joints have 0: their constraints are elements with modes
   * of their own */
  unsigned modes;
} gradyn_element_info;

/* Receives one element from gradyn_elements_visit(). All pointers in *element are valid during the call
 * only. user: pointer given to gradyn_elements_visit(). */
typedef void (*gradyn_element_fn)(const gradyn_element_info *element, void *user);

/* Calls visit for each element of the model, and passes `user` to it. The order is by kinds and, within a
 * kind, of declaration: gravity, masses, joints, constraints, beams, forces. Constraints include those of
 * joints, the fixed initial conditions and the gaps of impacts. Signals, events, functionals and measures
 * are no elements. There are no calls if visit is NULL, or the evaluator is NULL or has no model. */
GRADYN_API void gradyn_elements_visit(const gradyn_evaluator *evaluator, gradyn_element_fn visit,
                                      void *user);

/* A signal, with its knots at the parameters of the last call; before the first call, at the initial
 * ones. */
typedef struct gradyn_signal_info {
  const char *name, *unit; /* live as long as the evaluator */
  gradyn_signal_kind kind; /* GRADYN_SWITCHED is reported as GRADYN_PIECEWISE_CONSTANT */
  int count;               /* number of knots */
  const double *knots; /* [count], in the unit; valid until the next call that loads parameters */
  /* [count] times of the knots, s, valid as long as `knots`. GRADYN_PIECEWISE_CONSTANT: times at which the
   * values begin; times[0] is not used. NULL: equal intervals from t_start to t_end */
  const double *times;
  double t_start, t_end; /* times of the first knot and of the end of the signal, s */
  bool integer;          /* declared as integer; false for a delayed signal */
  /* Name of its set, see gradyn_signal_spec; NULL: none. Valid as long as `name` */
  const char *one_of;
} gradyn_signal_info;

/* Returns signal i, counted from 0 in the order of declaration; the name is "" if there is none. The
 * gradyn_signal_id of the signal is i + 1. The number of signals is a member of gradyn_model_info. */
GRADYN_API gradyn_signal_info gradyn_signal_at(const gradyn_evaluator *evaluator, size_t i);

/* Returns the value of signal i, counted from 0, at time t, in s, in the unit of the signal. The parameters
 * are those of the last call. Before its start the signal has its first value, after its end its last
 * value. Returns 0 if there is no such signal. */
GRADYN_API double gradyn_signal_sample(const gradyn_evaluator *evaluator, size_t i, double t);

/* Sizes of a model. If constraints are redundant, `coordinates` minus `constraints` is not the number of
 * degrees of freedom; see gradyn_dof_compute(). */
typedef struct gradyn_model_info {
  bool mechanical; /* true: a mechanism; false: general equations */
  int coordinates; /* coordinates of a mechanism, without internal ones; general equations: 0 */
  int constraints; /* constraints of the motion of a mechanism; general equations: 0 */
  int states;      /* all states without internal ones: the first columns of trajectories */
  int points;      /* moving points; base vectors, slopes and joint coordinates do not count */
  int axes;        /* 2: planar, 3: spatial, 0: general equations */
  double t_end;    /* end time at the parameters of the last call, s */
  /* Coordinates in use: "natural", for general equations too, or "joint"; static text; NULL: no model */
  const char *chosen;
  /* Estimated multiplications per stage in natural and joint coordinates, for the choice of "auto"; 0: no
   * choice. */
  double operations[2];
  /* data, for gradyn_datum_at(), without those that the library adds, such as second derivatives of cubic
   * splines */
  size_t data;
  size_t events;  /* declared events, for gradyn_event_at() */
  size_t signals; /* for gradyn_signal_at() */
  /* points, also of the ground, directions, joint coordinates and first-order states of a mechanism, for
   * gradyn_drawn_point_at(); general equations: 0 */
  size_t drawn_points;
  /* load cases that the evaluator runs, for gradyn_case_at(). 0: its problem has none, or `only_case` of the
   * options names one */
  size_t cases;
} gradyn_model_info;

/* Returns the sizes of the model of an evaluator. All are zero if the evaluator is NULL or could not be
 * created. With load cases they are those of the first case. */
GRADYN_API gradyn_model_info gradyn_evaluator_model_info(const gradyn_evaluator *evaluator);

/* A link of a mechanism in joint coordinates: a joint with the body that it carries, or a joint that stays
 * a constraint. Joints that carry bodies come first, from the ground outwards. In the plane rods count as
 * joints of the kind "rod" that carry a point; rods that stay constraints come last. A body without a joint
 * is a link with its own name and the kind "floating", in the plane "free body". Texts live as long as the
 * evaluator. */
typedef struct gradyn_link_info {
  const char *joint; /* name of the joint, rod, or body without a joint */
  const char *kind;  /* for example "revolute", "rod", "floating", "free body" */
  /* Body that it carries; of a rod or free body in the plane the point. NULL: none, see `reason` */
  const char *body;
  const char *parent;     /* body or point that carries it, or "ground"; NULL: none */
  const char *reason;     /* why it remains a constraint; NULL: it carries a body */
  const char *coordinate; /* its coordinates, as in trajectories; NULL: none */
} gradyn_link_info;

/* Fills *link with link i, counted from 0, and returns true. Returns false, with all members NULL, after the
 * last one, in natural coordinates, and if the evaluator is NULL or has no model. Returns false also if link
 * is NULL. */
GRADYN_API bool gradyn_link_at(const gradyn_evaluator *evaluator, size_t i, gradyn_link_info *link);

/* Inspection of an evaluated model: drawings, invariants of a motion, states between steps. */

/* --- Drawings, with the data of the last evaluation ------------------------------------------ */

/* A point or a direction (base vector, slope) of a drawing. Its components follow from a row of a
 * trajectory. Component i is fixed[i] plus the sum over the carriers k of weight[k] times the value in
 * column (column[k] + i). */
typedef struct gradyn_drawn_point {
  const char *name; /* name of the point, valid as long as the evaluator; "" if there is none */
  bool direction;   /* true: a direction; false: a point */
  double fixed[3];  /* constant part, m; of directions dimensionless; in the plane [2] is 0 */
  /* number of entries used in column and weight, 0 to 4; 0: fixed to the ground */
  int carriers;
  /* [carriers], indices of the columns of the first components, from 0 without time */
  int column[4];
  /* [carriers], factors, dimensionless; m for points carried by directions, 1/m for directions of rods */
  double weight[4];
} gradyn_drawn_point;

/* Shapes of drawn objects, with the meaning of the members of gradyn_drawable. */
typedef enum gradyn_shape {
  GRADYN_SHAPE_ROD,      /* a rod; points: its ends */
  GRADYN_SHAPE_DISTANCE, /* a driven distance; points: its ends */
  GRADYN_SHAPE_SPRING,   /* a spring; points: its ends */
  GRADYN_SHAPE_DAMPER,   /* a damper or dashpot; points: its ends */
  GRADYN_SHAPE_ACTUATOR, /* a spring with stiffness and damping 0; points: its ends */
  /* a beam; points: its nodes, then as many slopes; size[0]: length of an element, m */
  GRADYN_SHAPE_BEAM,
  GRADYN_SHAPE_BODY, /* a body; points: centre, then base vectors */
  GRADYN_SHAPE_BOX,  /* a body as a box; points as of a body; size: sides, in the plane two, m */
  /* a body as a cylinder along axis; points as of a body; size: radius, length, m */
  GRADYN_SHAPE_CYLINDER,
  GRADYN_SHAPE_GUIDE, /* a point with a prescribed coordinate along axis */
  GRADYN_SHAPE_FORCE, /* a force; point where it acts; size: components, N, times the signal */
  GRADYN_SHAPE_TRACE  /* a point with a drawn path */
} gradyn_shape;

/* A drawn object. */
typedef struct gradyn_drawable {
  gradyn_shape shape; /* shape of the drawable */
  const char *name;   /* name of the element, body, beam or point */
  const int *point;   /* [points], indices for gradyn_drawn_point_at() */
  int points;         /* length of point */
  /* dimensions of the shape, m, or components of a force, N: see gradyn_shape */
  double size[3];
  int axis;                /* axis of cylinders and guides: 0, 1 or 2; otherwise unused */
  gradyn_signal_id signal; /* number of the signal that multiplies a force; 0: none */
  long colour;             /* 0xrrggbb; -1: none was given */
  unsigned modes;          /* bit k: it exists in mode k + 1; 0: in all modes */
  const char *kind;        /* name of the shape, for example "rod"; static text */
} gradyn_drawable;

/* Receives one drawn object; all pointers in it are valid during the call only. user: pointer given to
 * gradyn_drawables_visit(). */
typedef void (*gradyn_drawable_fn)(const gradyn_drawable *drawable, void *user);

/* Returns point i of a mechanism, counted from 0, with the data of the last evaluation; the
 * gradyn_variable_id of the point is i + 1. Without such a point the name is "" and all numbers are 0. Joint
 * coordinates and first-order states have no carriers. The number of points is a member of
 * gradyn_model_info. */
GRADYN_API gradyn_drawn_point gradyn_drawn_point_at(const gradyn_evaluator *evaluator, size_t i);

/* Calls a function for each drawn object of a mechanism, background first. visit: the function; NULL: no
 * effect. user: pointer passed on to visit; may be NULL. There are no calls for general equations or an
 * evaluator NULL. */
GRADYN_API void gradyn_drawables_visit(const gradyn_evaluator *evaluator, gradyn_drawable_fn visit,
                                       void *user);

/* --- Invariants of a motion --------------------------------------------------------------------- */

/* Energy and constraint violation of a mechanism in one row of a trajectory. */
typedef struct gradyn_invariants {
  double kinetic, potential; /* energies, J; the potentials are those of gradyn_measure_energy() */
  /* largest |Phi|, each constraint in its unit, for example m */
  double drift_position;
  double drift_velocity; /* largest |Phi'|, each constraint in its unit per s */
} gradyn_invariants;

/* Computes the energies and the constraint violations of a mechanism for every row of a trajectory.
 *
 * trajectory: that of the last simulation of this evaluator; the events and data of this simulation are used.
 * condition [steps]: receives the results, one for each row; units as in gradyn_invariants. After an error
 *   the array is undefined.
 *
 * Returns GRADYN_OK, GRADYN_UNSUPPORTED if the model is no mechanism, or GRADYN_NO_MEMORY. A NULL argument or
 * a trajectory with another number of columns gives GRADYN_INVALID. An element that cannot be evaluated gives
 * its error, for example GRADYN_NON_FINITE. */
GRADYN_API gradyn_status gradyn_invariants_compute(gradyn_evaluator *evaluator,
                                                   const gradyn_trajectory *trajectory,
                                                   gradyn_invariants condition[]);

/* --- A motion between its steps ------------------------------------------------------------------ */

/* Computes all columns of a trajectory at any times of its run.
 *
 * The results are as accurate as the steps, since the equations are integrated from the step before. If the
 * equations of a mechanism fail at a time, its row is interpolated. At an event the row is the state after
 * the event. Afterwards the evaluator has the data and events of its last run again.
 *
 * trajectory: of a gradyn_evaluator_simulate() with this evaluator, which may have made other runs since.
 *   With load cases it is the trajectory of the first case.
 * time [count]: times, s, in any order, within the run except for round-off.
 * rows [count][columns]: receives the values, in the units of the columns.
 *
 * Both arrays may be NULL if count is 0. After an error the rows are undefined.
 *
 * Returns GRADYN_OK, GRADYN_INVALID, GRADYN_NO_MEMORY, or the error of the integration. GRADYN_INVALID stands
 * for a NULL argument, a time outside the run, or a trajectory without a run of this evaluator. */
GRADYN_API gradyn_status gradyn_trajectory_evaluate(gradyn_evaluator *evaluator,
                                                    const gradyn_trajectory *trajectory,
                                                    size_t count, const double time[],
                                                    double rows[]);

#ifdef __cplusplus
}
#endif

#endif
