/* Measures, functionals, path constraints, objective and constraints of a problem. */
#ifndef GRADYN_FUNCTIONALS_H
#define GRADYN_FUNCTIONALS_H

#include <gradyn/joints.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Measures: quantities that a model has at every time. gradyn_functional() reduces them to numbers.
 *
 * Each component of a measure is a column of trajectories. name: copied; must be given, and should differ
 * from those of other columns. A measure with the name "" has no columns and serves functionals only.
 * Magnitudes and formulas need a name, since their data are called after it. Errors of all functions here are
 * reported by gradyn_build_status(). Objects that a measure refers to must be declared before it. */

/* --- Measures of a mechanism --------------------------------------------------------------------- */

/* Declares a joint coordinate (order 0, rad or m), its rate (1, rad/s or m/s) or acceleration (2, rad/s^2
 * or m/s^2) as a measure. Returns its number. On failure gradyn_build_status() reports the error, and the
 * number returned is 0. */
GRADYN_API gradyn_measure_id gradyn_measure_joint(gradyn_model *model, const char *name,
                                                  gradyn_coordinate_id coordinate, int order);

/* Declares the position (order 0, m), velocity (1, m/s) or acceleration (2, m/s^2) of a point as a measure.
 * Slopes of beams and base vectors of bodies are dimensionless, with rates in 1/s and 1/s^2.
 *
 * axis: axis of the ground, for one component. GRADYN_ALL_AXES: the vector, with columns name.x, name.y and
 *   in space name.z.
 *
 * Returns its number. On failure gradyn_build_status() reports the error, and the number returned is 0. */
GRADYN_API gradyn_measure_id gradyn_measure_point(gradyn_model *model, const char *name,
                                                  gradyn_point_id point, int order,
                                                  gradyn_axis axis);

/* Declares the angle of the line from one point to another as a measure, in the plane.
 *
 * order: 0: the angle from the x axis, rad, -pi to pi; 1: its rate, rad/s. Positive counter-clockwise.
 *   The angle jumps at pi; the integral of the rate counts full turns. Not defined if the points coincide.
 *
 * Returns its number. On failure gradyn_build_status() reports the error, and the number returned is 0. */
GRADYN_API gradyn_measure_id gradyn_measure_line_angle(gradyn_model *model, const char *name,
                                                       gradyn_point_id from, gradyn_point_id to,
                                                       int order);

/* Declares the angular velocity of a body about an axis of the ground, rad/s, as a measure. axis: one axis,
 * in the plane GRADYN_Z. Returns its number. On failure gradyn_build_status() reports the error, and the
 * number returned is 0. */
GRADYN_API gradyn_measure_id gradyn_measure_rotation_rate(gradyn_model *model, const char *name,
                                                          gradyn_body_id body, gradyn_axis axis);

/* Declares the force of a joint on body b as a measure, N: its component along an axis of frame a.
 *
 * axis: one axis, in the plane GRADYN_X or GRADYN_Y. Frame a must have directions; a frame that was declared
 *   without an axis is an error. In space, the frame of a rod has GRADYN_Z only. Forces and constraints on
 *   the joint's own coordinates are included, for example drives, gears, springs, friction and stops. Joints
 *   of constant length have no such measure, nor joints whose origins are rigidly connected without the
 *   joint.
 *
 * Returns its number. On failure gradyn_build_status() reports the error, and the number returned is 0. */
GRADYN_API gradyn_measure_id gradyn_measure_joint_force(gradyn_model *model, const char *name,
                                                        gradyn_joint_id joint, gradyn_axis axis);

/* Declares the torque of a joint on body b about b's origin as a measure, N m: its component along an
 * axis of frame a.
 *
 * axis: one axis, in the plane GRADYN_Z. In space frame a must have directions. Forces and constraints on the
 *   joint's own angle are included, as for gradyn_measure_joint_force(). Joints of constant length have no
 *   such measure.
 *
 * Returns its number. On failure gradyn_build_status() reports the error, and the number returned is 0. */
GRADYN_API gradyn_measure_id gradyn_measure_joint_torque(gradyn_model *model, const char *name,
                                                         gradyn_joint_id joint, gradyn_axis axis);

/* Declares the torque (N m) or force (N) of a force element on a joint coordinate as a measure. The measure
 * is 0 in modes without the element.
 *
 * force: name of the element, which must be unique among forces. Its first variable must be a joint
 *   coordinate. The measure is the torque or force of frame a on frame b of this coordinate.
 *
 * Returns the number of the measure. On failure gradyn_build_status() reports the error, and the number
 * returned is 0. */
GRADYN_API gradyn_measure_id gradyn_measure_effort(gradyn_model *model, const char *name,
                                                   const char *force);

/* Declares the power of a force element on all that it acts on, except first-order states, as a measure,
 * W. The power is positive if the element drives the motion, and 0 in modes without the element.
 *
 * force: name of the element, which must be unique among forces.
 *
 * Returns the number of the measure. On failure gradyn_build_status() reports the error, and the number
 * returned is 0. */
GRADYN_API gradyn_measure_id gradyn_measure_power(gradyn_model *model, const char *name,
                                                  const char *force);

/* Declares a state of general equations, or a first-order state of a mechanism, as a measure. Order 0 is its
 * value, in its unit. Order 1 is the rate of a first-order state, in its unit per s. Returns the number of
 * the measure. On failure gradyn_build_status() reports the error, and the number returned is 0. */
GRADYN_API gradyn_measure_id gradyn_measure_state(gradyn_model *model, const char *name,
                                                  gradyn_state_id state, int order);

/* Declares the multiplier of one scalar constraint as a measure, in the unit of the multiplier. The measure
 * is 0 in modes without the constraint. Returns the number of the measure. On failure gradyn_build_status()
 * reports the error, and the number returned is 0. */
GRADYN_API gradyn_measure_id gradyn_measure_multiplier(gradyn_model *model, const char *name,
                                                       gradyn_constraint_id constraint);

/* Declares the torque (N m) or force (N) of a drive as a measure. Its product with the rate of the law is the
 * power of the drive.
 *
 * constraint: of gradyn_drive_joint(), gradyn_angle(), gradyn_distance() or gradyn_coordinate(). Rods are
 *   refused.
 *
 * The measure is positive in the direction in which the law grows. A positive drive turns or moves b of a
 * joint, or turns the line counter-clockwise. Otherwise it pushes the points of a distance apart, or moves
 * the point along the axis.
 *
 * Returns the number of the measure. On failure gradyn_build_status() reports the error, and the number
 * returned is 0. */
GRADYN_API gradyn_measure_id gradyn_measure_drive(gradyn_model *model, const char *name,
                                                  gradyn_constraint_id constraint);

/* Declares the deflection of the last node of a beam from the tangent at its first node as a measure, m.
 * In the plane it is positive to the left of the tangent. In space it is a distance, whose derivative at 0
 * is set to 0. Returns its number. On failure gradyn_build_status() reports the error, and the number
 * returned is 0. */
GRADYN_API gradyn_measure_id gradyn_measure_deflection(gradyn_model *model, const char *name,
                                                       gradyn_beam_id beam);

/* Declares the axial stress of a beam in an extreme fibre as a measure, Pa, positive in tension.
 *
 * node: 0 to the number of elements, or GRADYN_BEAM_END. The stress is that of the element that begins at
 *   the node. At the last node it is that of the last element. GRADYN_ALL_NODES: a vector with the
 *   stresses at both ends of each element.
 * fibre: GRADYN_EITHER_FIBRE gives two components: minus the stress of the shortened fibre, then the stress
 *   of the stretched one. Their maximum is |stress|, see gradyn_fibre.
 * Components are in the order of elements, then ends, then fibres. Their columns are name[0], name[1], ...;
 * of two components name.x and name.y.
 *
 * Returns its number. On failure gradyn_build_status() reports the error, and the number returned is 0. */
GRADYN_API gradyn_measure_id gradyn_measure_stress(gradyn_model *model, const char *name,
                                                   gradyn_beam_id beam, int node,
                                                   gradyn_fibre fibre);

/* Declares the undeformed length of a beam as a measure, m. At the end of the run (GRADYN_AT_END) a
 * search evaluates it without a simulation. Returns its number. On failure gradyn_build_status() reports
 * the error, and the number returned is 0. */
GRADYN_API gradyn_measure_id gradyn_measure_beam_length(gradyn_model *model, const char *name,
                                                        gradyn_beam_id beam);

/* Declares the mass of the whole mechanism as a measure, kg, with parts that are declared later. Returns its
 * number. On failure gradyn_build_status() reports the error, and the number returned is 0. */
GRADYN_API gradyn_measure_id gradyn_measure_mass(gradyn_model *model, const char *name);

/* Declares the kinetic plus potential energy of the mechanism as a measure, J.
 *
 * Gravity and deformed elements have a potential: springs, bushings, attractions, joint springs, stops,
 * tyres and beams. The potential of gravity is 0 at the origin of the ground. Forces, torques, tensions and
 * efforts have none, constant ones included; the energy changes by their work.
 *
 * Returns its number. On failure gradyn_build_status() reports the error, and the number returned is 0. */
GRADYN_API gradyn_measure_id gradyn_measure_energy(gradyn_model *model, const char *name);

/* Declares the magnitude of one to four measures of the same unit as a measure, for example of the
 * components of a force. The magnitude is sqrt(sum of squares + smoothing^2) - smoothing.
 *
 * measures [count]: numbers of measures declared before, copied; vectors count with each component. All
 *   components together are 1 to 4.
 * smoothing: in the unit of the measures, >= 0; datum name.smoothing. If it is 0, the magnitude has a
 *   kink where all measures are 0, and its derivative there is set to 0.
 *
 * Returns its number. On failure gradyn_build_status() reports the error, and the number returned is 0. */
GRADYN_API gradyn_measure_id gradyn_measure_magnitude(gradyn_model *model, const char *name,
                                                      const gradyn_measure_id measures[], int count,
                                                      gradyn_scalar smoothing);

/* Evaluates a measure of the user's and stores it in *value, which is 0 before. It may use at->of, the listed
 * points and at->data only. at->t is NAN; at->u and at->lam are NULL. The formula must be smooth, since it is
 * differentiated by complex step.
 *
 * Returns GRADYN_OK, or an error code, usually that of gradyn_callback_error(); the run then fails with
 * it. A result that is not finite or not real fails with GRADYN_NON_FINITE. */
typedef gradyn_status (*gradyn_measure_fn)(const gradyn_at *at, gradyn_scalar *value);

/* A measure by a formula of the user's. */
typedef struct gradyn_measure_formula_spec {
  const char *name;          /* copied; must be given */
  const char *unit;          /* unit of the measure; copied; NULL: dimensionless */
  gradyn_measure_fn formula; /* must be given */
  /* [count], measures declared before; copied; NULL: none. at->of has their components, in this order, from
   * index 0 */
  const gradyn_measure_id *of;
  int count; /* 0 to 4, with at most 4 components together; at least 1 if no points are listed */
  /* [data_count], data of its own, named name.<datum>; copied; may be NULL */
  const gradyn_datum *data;
  int data_count; /* number of data; 0: none */
  /* pointer passed on as at->user; the same in all calls of build(), valid as long as the evaluator */
  void *user;
  /* [point_count], variables that it reads: points, base vectors of bodies, joint coordinates, first-order
   * states, each once; copied; NULL: none. The arrays at->pos and at->vel have these only, in this order,
   * see gradyn_at */
  const gradyn_variable_id *points;
  int point_count; /* 0 to GRADYN_CUSTOM_POINTS; 0: pos, vel and acc are NULL */
  /* true: at->acc has the accelerations of the points; false: its entries are NAN */
  bool needs_accelerations;
} gradyn_measure_formula_spec;

/* Declares a measure by a formula. The spec is copied. Returns its number. On failure
 * gradyn_build_status() reports the error, and the number returned is 0. */
GRADYN_API gradyn_measure_id gradyn_measure_formula(gradyn_model *model,
                                                    const gradyn_measure_formula_spec *spec);

/* --- Measures without a mechanism --------------------------------------------------------------- */

/* Declares the value of a signal as a measure, in the unit of the signal. The signal must be declared before.
 * The name is copied and must not be NULL; "": no column in trajectories. Returns its number. On failure
 * gradyn_build_status() reports the error, and the number returned is 0. */
GRADYN_API gradyn_measure_id gradyn_measure_signal(gradyn_model *model, const char *name,
                                                   gradyn_signal_id signal);

/* A measure by a function of time, state and data. */
typedef struct gradyn_custom_measure_spec {
  const char *name; /* copied; must be given, also if hidden */
  const char *unit; /* unit of the measure; copied; NULL: dimensionless */
  /* evaluates it; smooth, since it is differentiated by complex step */
  gradyn_functional_fn formula;
  /* [data_count], data of its own, named name.<datum>; copied; may be NULL */
  const gradyn_datum *data;
  int data_count; /* number of data; 0: none */
  /* pointer passed on as at->user; the same in all calls of build(), valid as long as the evaluator */
  void *user;
  /* [point_count], variables of a mechanism that the formula reads: points, base vectors of bodies, joint
   * coordinates, first-order states. Each is listed once; copied. The arrays at->pos, at->vel and at->acc
   * have these only, in this order, see gradyn_at. gradyn_evaluator_create() refuses unknown variables with
   * GRADYN_INVALID. NULL: all, in the order of their numbers */
  const gradyn_variable_id *points;
  int point_count; /* number of variables listed; 0: all */
  /* only with `points`. needs_accelerations: at->acc has the accelerations of the listed variables.
   * needs_multipliers: at->lam has all multipliers. If a member is false, its array is NAN */
  bool needs_accelerations, needs_multipliers;
  /* only with `points`, and without the two needs above: at->vel is NAN, too, which saves time in some
   * methods */
  bool positions_only;
  /* [read_count], states of general equations that the formula reads; copied. In at->y, which counts from 0,
   * other states are NAN. NULL: all. Not together with `points` */
  const gradyn_variable_id *reads;
  int read_count; /* number of states listed; 0: all */
  bool hidden;    /* true: no column in trajectories, as with the name "" */
} gradyn_custom_measure_spec;

/* Declares a measure by a function of the user's. The spec is copied. Returns its number. On failure
 * gradyn_build_status() reports the error, and the number returned is 0. */
GRADYN_API gradyn_measure_id gradyn_measure_custom(gradyn_model *model,
                                                   const gradyn_custom_measure_spec *spec);

/* Functionals: numbers that describe a run, such as objectives and constraints of a search.
 *
 * A functional is the reduction of a measure: an integral, a value at one time, a maximum. Each function
 * declares an object and returns its number. name: copied; must be given; names of functionals differ.
 * Objects that a call names must be declared before. Errors of all functions here are reported by
 * gradyn_build_status(). */

/* --- Functionals = measure x reduction ---------------------------------------------------------- */

/* How e = (measure - target)/scale, a function of time, becomes a number. Integrals are over the run,
 * from its start to its end, which may be an event. Units are those of e. */
typedef enum gradyn_reduction {
  GRADYN_INTEGRAL,        /* integral of e dt; unit times s */
  GRADYN_MEAN,            /* integral of e dt, divided by the duration of the run */
  GRADYN_SQUARE_INTEGRAL, /* integral of |e|^2 dt; unit squared, times s */
  GRADYN_MEAN_SQUARE,     /* integral of |e|^2 dt, divided by the duration; unit squared */
  GRADYN_AT_END,          /* e at the end of the run, after an event there */
  /* e at the time .time. At an event or a jump of a signal, the state before it counts. Methods with steps
   * of a fixed length fail at such an event with GRADYN_EVENT. If no signal jumps and there are no events,
   * their steps must end at this time, and build() must not set the end time. A run with an
   * earlier end fails with GRADYN_INVALID, or with GRADYN_EVENT if an event has ended it */
  GRADYN_AT_TIME,
  GRADYN_BEFORE_EVENT, /* e just before an event */
  GRADYN_AFTER_EVENT,  /* e just after an event */
  /* Largest e over the components and the run, exact between steps, too. The derivative is that of e at the
   * time of the maximum. At an end of the run, an event or a knot of a signal the larger one-sided value
   * counts. If two maxima have the same height, see gradyn_evaluator_extremes(), the derivative is that of
   * one of them */
  GRADYN_MAXIMUM,
  /* (1/sharpness) ln((1/T) integral of the sum of exp(sharpness e) dt), with the sum over the components. T
   * is the duration of the run (Kreisselmeier and Steinhauser). The smooth maximum has a derivative
   * everywhere. With .magnitude, the sum has two terms, e and -e, for one component, and one term, |e|, for a
   * vector. With one term the smooth maximum is at most the maximum */
  GRADYN_SMOOTH_MAXIMUM
} gradyn_reduction;

/* A functional. Members that are zero have their defaults. */
typedef struct gradyn_functional_spec {
  const char *name;           /* copied; must be given; unique among functionals */
  gradyn_measure_id measure;  /* a measure declared before */
  gradyn_reduction reduction; /* 0: GRADYN_INTEGRAL */
  /* [components], in the unit of the measure; further entries are not used. Data, also of zeros: name.target;
   * of vectors name.target.x, .y, .z. A measure of more than 3 components has one target for all,
   * target[0] */
  gradyn_scalar target[3];
  /* true: |e| instead of e, also of vectors of up to 3 components. Squares are |e|^2 in any case. A vector
   * needs it, unless the reduction is a square or a maximum. At |e| = 0 the derivative of |e| is set to 0
   * for a vector, and to that of e for a number */
  bool magnitude;
  /* in the unit of the measure; datum name.scale. e is then dimensionless. 0: 1, without a datum. With a
   * negative scale, a maximum is the maximum of (target - measure)/|scale|. With .magnitude the scale must
   * be positive */
  gradyn_scalar scale;
  double time; /* GRADYN_AT_TIME only: s, > 0; otherwise 0 */
  /* GRADYN_SMOOTH_MAXIMUM only, in 1/unit of e; larger values approach the maximum. 0: 50. With a scale
   * at most 600. Exponentials are relative to e = 1 with a scale, and to e at the start without one. A run
   * in which e exceeds this value by more than 700/sharpness fails with GRADYN_NON_FINITE */
  double sharpness;
  /* GRADYN_BEFORE_EVENT and _AFTER_EVENT only; GRADYN_ANY_EVENT: any event */
  gradyn_event_id event;
  /* occurrence of `event`; 1: the first; of other reductions 0. A run in which the event happens less often
   * fails with GRADYN_EVENT */
  int occurrence;
} gradyn_functional_spec;

/* Declares a functional of a measure: an integral such as a tracking error, the largest value during the
 * motion, or a value at one time. The spec is copied. Returns its number. On failure
 * gradyn_build_status() reports the error, and the number returned is 0. */
GRADYN_API gradyn_functional_id gradyn_functional(gradyn_model *model,
                                                  const gradyn_functional_spec *spec);

/* --- Comparison with data ----------------------------------------------------------------------- */

/* The loss of a residual r, in standard deviations. A fit is half the sum of the losses. */
typedef enum gradyn_loss {
  GRADYN_LOSS_SQUARE, /* r^2 */
  GRADYN_LOSS_HUBER,  /* r^2 up to the threshold c, then 2 c |r| - c^2 */
  GRADYN_LOSS_CAUCHY  /* c^2 ln(1 + r^2/c^2) with the threshold c */
} gradyn_loss;

/* Data of gradyn_fit(), read by the first call of build() only. Members that are zero have their defaults.
 * Give either times and values, or a file. */
typedef struct gradyn_fit_spec {
  const double *times;  /* [count] s, from 0 to the end of the run, not descending; copied */
  const double *values; /* [count] data in the unit of the measure; copied; NAN: missing */
  /* [count] standard deviations over sigma, positive; copied; NULL: 1 */
  const double *deviations;
  int count; /* number of data, at most 100000; missing ones count */
  /* name of a CSV file with the data instead of the arrays above; copied; NULL: none. The first line of the
   * file has the headings. Units in brackets, empty lines and lines that begin with '#' are ignored. Empty
   * cells are missing data. With a column "case", a load case uses the lines with its name */
  const char *file;
  const char *time_column;      /* heading of the times in the file; NULL: "t" */
  const char *column;           /* heading of the data; NULL: name of the fit */
  const char *deviation_column; /* heading of the deviations; NULL: none */
  /* standard deviation of the data, positive, in the unit of the measure; datum name.sigma. 0: 1, without a
   * datum. If deviations are given, they are multiplied by sigma */
  gradyn_scalar sigma;
  /* true: the value is -ln of the likelihood of the data. It includes ln sigma for each datum, so that sigma
   * may depend on parameters that are estimated. Needs sigma and GRADYN_LOSS_SQUARE */
  bool likelihood;
  gradyn_loss loss; /* 0: GRADYN_LOSS_SQUARE */
  /* threshold c of the other two losses, in standard deviations; 0: 1.345 for Huber's, 2.385 for Cauchy's.
   * With GRADYN_LOSS_SQUARE it must be 0 */
  double threshold;
  /* Names of parameters of the sensor, as in gradyn_parameter_info; NULL: none. A datum at time t is compared
   * with scale times the measure at t - delay, plus offset. The delay is in s, the offset in the unit of the
   * data. Data: name.scale, name.offset and parameter.delay */
  const char *scale, *offset, *delay;
} gradyn_fit_spec;

/* Declares a fit as a functional: the misfit between a measure of one component and data at given times.
 *
 * name, spec: copied; must be given. measure: number of a measure declared before.
 *
 * The value is half the sum of the losses of the residuals r = (measure - datum)/(sigma deviation),
 * dimensionless. gradyn_minimise() makes it the objective. Each datum that is not missing is also a
 * functional: name[0], name[1], ... with the use GRADYN_RESIDUAL. Its value is r for GRADYN_LOSS_SQUARE,
 * otherwise the root of the loss with the sign of r. With .likelihood there is the functional name.ln_sigma,
 * the logarithm of sigma. The order in psi is name, name.ln_sigma, name[0], ... At an event or a jump of a
 * signal the state before counts. Steps of all methods end at the times of the data. All times must be in the
 * run. A time minus a delay must be after the start, and must not be that of a knot, the end, an event or
 * another delay. Otherwise the evaluator or a run fails, by GRADYN_INVALID or GRADYN_EVENT. If all terms of
 * the objective are fits, a search selects "ipopt" with second derivatives from the residuals (Gauss-Newton).
 * A fit without data is no term of the objective. Returns the number of the functional. On failure it is 0,
 * and gradyn_build_status() reports the error. The message names file and line of damaged data. */
GRADYN_API gradyn_functional_id gradyn_fit(gradyn_model *model, const char *name,
                                           gradyn_measure_id measure, const gradyn_fit_spec *spec);

/* --- Functionals without a measure -------------------------------------------------------------- */

/* Declares a number that build() computes from the parameters, such as a length with an upper bound.
 *
 * name, unit: copied; the name must be given; unit NULL: dimensionless.
 * value: in this unit; datum name.value.
 *
 * A search evaluates the number and its derivatives without a simulation. If a design violates a bound on
 * such a number by far, a search rejects it without a simulation.
 *
 * Returns its number. On failure gradyn_build_status() reports the error, and the number returned is 0. */
GRADYN_API gradyn_functional_id gradyn_design_functional(gradyn_model *model, const char *name,
                                                         const char *unit, gradyn_scalar value);

/* Declares the end time of the run, s; if an event ends the run, the time of this event. The name is copied
 * and must be given. Returns its number. On failure gradyn_build_status() reports the error, and the number
 * returned is 0. */
GRADYN_API gradyn_functional_id gradyn_end_time_functional(gradyn_model *model, const char *name);

/* A weighted sum of functionals. */
typedef struct gradyn_functional_sum_spec {
  const char *name; /* copied; must be given */
  const char *unit; /* unit of the sum; copied; NULL: that of the first term */
  /* [count], functionals declared before: integrals and values at the end of the run; copied */
  const gradyn_functional_id *terms;
  /* [count], in the unit of the sum divided by that of the term; copied. Data: name.weight[k] from 0 */
  const gradyn_scalar *weights;
  int count; /* number of terms and of weights, at least 1 */
} gradyn_functional_sum_spec;

/* Declares the weighted sum of functionals, for example to constrain a total. Terms may be sums, numbers of
 * build() and the end time, too. Terms that are means, maxima, fits, sides of path constraints, or values at
 * a time or an event are refused by name. The spec is copied. Returns its number. On failure
 * gradyn_build_status() reports the error, and the number returned is 0. */
GRADYN_API gradyn_functional_id gradyn_functional_sum(gradyn_model *model,
                                                      const gradyn_functional_sum_spec *spec);

/* --- Path constraints ------------------------------------------------------------------------------ */

/* Path constraints: lower <= m(t) <= upper at every time of a run.
 *
 * m is a function of time, state and data, a measure of a mechanism, or a signal. A search enforces a
 * path constraint at selected time points. It then checks the whole run and adds the points with the
 * largest violations, until the violation is within the tolerance everywhere: see gradyn_search_result. */

/* Optional settings of a path constraint. Members that are zero have their defaults. */
typedef struct gradyn_path_constraint_spec {
  bool magnitude; /* true: |measure| is constrained, also of vectors of up to 3 components */
  /* Number of time points at which a search begins to enforce it, at most 1000. 0: 3 in each segment;
   * without segments 4. More points can save rounds. Signals are enforced at their knots instead. */
  int grid;
} gradyn_path_constraint_spec;

/* Declares a path constraint, the limit of a measure m such as a torque during the whole motion:
 * lower <= m <= upper.
 *
 * name: copied; must be given.
 * measure: number of a measure of one component; of up to 3 with .magnitude.
 * lower, upper: bounds in the unit of the measure, lower <= upper. -INFINITY or INFINITY stands for no
 *   bound, but one bound is needed. Bounds may depend on parameters.
 * tolerance: largest accepted violation, in the unit of the measure; positive and finite.
 * spec: copied; NULL: defaults.
 *
 * An upper bound declares the functional name.over, the largest value over the run of m - upper. A lower
 * bound declares name.under, the largest value of lower - m. The constraint is satisfied where both are at
 * most 0. The values of both are exact, as those of GRADYN_MAXIMUM. Data: name.lower and name.upper, of given
 * bounds only. A search enforces a bound on a signal, without .magnitude, at the knots. For piecewise
 * constant and piecewise linear signals this covers the whole run.
 *
 * Returns the number of name.over or, without an upper bound, of name.under. With both bounds the number of
 * name.under is one larger. On failure gradyn_build_status() reports the error, and the number returned is
 * 0. */
GRADYN_API gradyn_functional_id gradyn_path_constraint(gradyn_model *model, const char *name,
                                                       gradyn_measure_id measure,
                                                       gradyn_scalar lower, gradyn_scalar upper,
                                                       double tolerance,
                                                       const gradyn_path_constraint_spec *spec);

/* --- Objective and constraints ------------------------------------------------------------------ */

/* The use of functionals in an optimisation: objective and constraints.
 *
 * For build(). A functional without a use is computed and reported only. A functional can have one use; a
 * second use is an error. Functionals of path constraints and residuals of fits have a use already. Errors
 * are reported by gradyn_build_status(). Only the first call of build() sets uses and bounds. */

/* Adds weight times a functional to the objective, which the search minimises. weight: finite, usually 1; -1
 * maximises. It is dimensionless, or has the inverse unit of the functional so that terms of different
 * units can be added. Only the first call of build() counts. gradyn_build_status() reports errors, also a
 * second use of the functional. */
GRADYN_API void gradyn_minimise(gradyn_model *model, gradyn_functional_id functional,
                                double weight);

/* Adds a functional to the list whose largest value the search minimises (minimax problem). The objective
 * is this value plus the terms of gradyn_minimise(). Only the first call of build() counts.
 * gradyn_build_status() reports errors, also a second use of the functional. */
GRADYN_API void gradyn_minimise_largest(gradyn_model *model, gradyn_functional_id functional);

/* Requires lower <= functional <= upper.
 *
 * lower, upper: bounds in the unit of the functional; -INFINITY or INFINITY: none. Equal bounds prescribe
 *   the value. For two different finite bounds declare the functional twice, under two names, with one bound
 *   each. At least one bound must be finite.
 * tolerance: largest accepted violation, in the unit of the functional; must be positive.
 *
 * Only the first call of build() counts. gradyn_build_status() reports errors, also a second use of the
 * functional. */
GRADYN_API void gradyn_constrain(gradyn_model *model, gradyn_functional_id functional, double lower,
                                 double upper, double tolerance);

#ifdef __cplusplus
}
#endif

#endif
