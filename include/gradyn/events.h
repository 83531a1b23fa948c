/* Events: times, found during the run, at which states jump or equations change.
 *
 * Each event has a guard, a number whose zero is the time of the event, and an effect. Times, states and
 * impulses of events can be functionals. Derivatives of these functionals, and of all later quantities, are
 * exact. The method kinematic refuses events. Names are copied and unique; they must be given. Modes and
 * events must be declared before a call or a spec names them. Errors of all functions here are reported by
 * gradyn_build_status().
 *
 * A run fails with GRADYN_EVENT where its motion or its derivatives are not defined. The reasons are a
 * guard that reaches zero at zero rate, events that accumulate, and simultaneous events whose order
 * matters. */
#ifndef GRADYN_EVENTS_H
#define GRADYN_EVENTS_H

#include <gradyn/mechanism.h>

#ifdef __cplusplus
extern "C" {
#endif

/* --- Modes ------------------------------------------------------------------------------------ */

enum {
  GRADYN_MAX_MODES = 31, /* largest number of modes of a model */
  GRADYN_EVERY_MODE = 0, /* instead of the number of a mode: all modes */
  GRADYN_SAME_MODE = 0   /* as the next mode of an event: the mode does not change */
};

/* Declares a mode: a set of constraints, forces and events on the same points. Bodies, masses, fixed initial
 * conditions and functionals belong to all modes. A run starts in the mode that is declared first; without
 * modes a model has one mode. A model has at most GRADYN_MAX_MODES modes. name: copied; must be given; names
 * of modes differ. Returns the number of the mode, from 1. On failure gradyn_build_status() reports the
 * error, and the number returned is 0. */
GRADYN_API gradyn_mode_id gradyn_mode(gradyn_model *model, const char *name);

/* Returns the set that has one mode, for use as gradyn_modes. For GRADYN_EVERY_MODE it returns 0, the set of
 * all modes. For sets of several modes write gradyn_modes_of(a) | gradyn_modes_of(b). mode: number of a
 * mode. For a number that is no mode, the result is a set that each declaration refuses. */
static inline gradyn_modes gradyn_modes_of(gradyn_mode_id mode)
{
  if (mode == GRADYN_EVERY_MODE)
    return 0;
  return mode > 0 && mode <= GRADYN_MAX_MODES ? 1u << (mode - 1) : 1u << GRADYN_MAX_MODES;
}

/* Limits a constraint to some modes; without this call it is active in all modes.
 *
 * constraint: number that its declaration returned. All scalar constraints of that declaration are
 *   limited, for example the two of a pin. Those of joints are limited by gradyn_joint_spec.modes.
 * modes: set of declared modes, see gradyn_modes_of(); 0: all.
 *
 * In other modes the multiplier is 0. The constraints of one mode must be independent. Fixed initial
 * conditions have no numbers and act once, at the start. A second call for one constraint is an error. */
GRADYN_API void gradyn_constraint_set_modes(gradyn_model *model, gradyn_constraint_id constraint,
                                            gradyn_modes modes);

/* Limits a force to some modes; without this call it acts in all modes. force: number that its declaration
 * returned, also of friction, tyres and controllers. modes: set of declared modes, see gradyn_modes_of(); 0:
 * all. A second call for one force is an error. Errors are reported by gradyn_build_status(). */
GRADYN_API void gradyn_force_set_modes(gradyn_model *model, gradyn_force_id force,
                                       gradyn_modes modes);

/* Limits an event to some modes; without this call it is detected in all modes. event: number that its
 * declaration returned. modes: set of declared modes; 0: all. A second call for one event is an error. */
GRADYN_API void gradyn_event_set_modes(gradyn_model *model, gradyn_event_id event,
                                       gradyn_modes modes);

/* Makes a constraint latch its value at events, for example a foot that sticks where it lands.
 *
 * Each event that makes the constraint active stores the value of its function just after the event. An event
 * with a map does this, too, if the constraint is active before and after it. The constraint then enforces
 * this value instead of 0. Before the first such event its value is 0.
 *
 * constraint: number of one scalar constraint of a mechanism. If a declaration has several, the others are
 *   not latched. Nonholonomic constraints are refused. Call once for each constraint. */
GRADYN_API void gradyn_latch_constraint(gradyn_model *model, gradyn_constraint_id constraint);

/* --- Impacts ---------------------------------------------------------------------------------- */

/* A component of the position or velocity of a variable. */
typedef struct gradyn_component {
  /* number of a moving point, base vector, joint coordinate or first-order state. In general equations the
   * number of a differential state, which is i + 1 for at->y[i]. Ground points and points attached to bodies
   * or to other points are refused */
  gradyn_variable_id point;
  gradyn_axis axis; /* axis of the ground, for points and base vectors; otherwise not used */
} gradyn_component;

/* A wall with restitution. The gap between point and wall is positive while they are apart. When it
 * closes, its rate changes from g' to -restitution g'. */
typedef struct gradyn_impact_spec {
  const char *name; /* copied; must be given; unique among the events */
  /* point that touches the wall, moving or of a body; with a gap this member and the next three are not
   * used */
  gradyn_point_id point;
  gradyn_axis axis;           /* normal of the wall, an axis of the ground */
  gradyn_time_function level; /* position of the wall along the axis, m; it may move */
  bool below;                 /* true: the point stays below the level; false: above it */
  /* gap function of the user's, in place of point and level: positive while apart, with the three orders of
   * gradyn_constraint_fn. The spec is copied, except for its `user`; its name is not used. NULL: the gap
   * between point and level */
  const gradyn_custom_constraint_spec *gap;
  /* ratio of rates after and before the impact, dimensionless, > 0; with a mode also 0. It must be 0 if the
   * constraints of that mode keep the gap closed: otherwise the run fails with GRADYN_INVALID */
  gradyn_scalar restitution;
  /* [preserved_count], velocities that the impact does not change; all others follow from the constraints:
   * kinematic jump, Corner et al. (2019), eqs. (52), (53). The number of these velocities is that of the
   * degrees of freedom minus one; otherwise an impact fails with GRADYN_INVALID. Copied. NULL: velocities
   * follow from the impulses of the wall and of the constraints, with the masses */
  const gradyn_component *preserved;
  int preserved_count; /* number of such velocities; 0: none */
  /* mode after the impact, whose constraints take part in it; GRADYN_SAME_MODE: no change */
  gradyn_mode_id mode;
} gradyn_impact_spec;

/* Declares a wall. The spec is copied. Data: name.restitution, and name.value, name.rate,
 * name.acceleration, name.amplitude, name.frequency, name.phase of the level, or those of the gap.
 *
 * A run that starts with a negative gap, or with a closed gap that does not open, fails with GRADYN_EVENT.
 * An impact whose constraints leave no velocity free, or depend on each other, fails with GRADYN_SINGULAR.
 *
 * Returns the number of the event. On failure gradyn_build_status() reports the error, and the number
 * returned is 0. */
GRADYN_API gradyn_event_id gradyn_impact(gradyn_model *model, const gradyn_impact_spec *spec);

/* --- Other events ----------------------------------------------------------------------------- */

/* Direction in which a guard passes zero: from positive to negative (0), from negative to positive, or
 * both. */
typedef enum gradyn_direction { GRADYN_FALLING, GRADYN_RISING, GRADYN_EITHER } gradyn_direction;

enum { GRADYN_CONSTANT = -1 }; /* instead of a variable in gradyn_map_term.from: the constant 1 */

/* A term of the map of an event, which sets coordinates. The value q+[to] after the event is the sum of
 * weight times q-[from] over all terms with this `to`. The velocity after the event is the same sum of
 * velocities, without constants and shifts. The value of a first-order state of a mechanism counts as a
 * velocity. */
typedef struct gradyn_map_term {
  /* component after, component before the event; from.point may be GRADYN_CONSTANT, without an axis */
  gradyn_component to, from;
  /* factor: unit of `to` over unit of `from`; of the constant: unit of `to`, m for positions */
  gradyn_scalar weight;
  /* true: a position at the event is used as a constant, so that it does not affect velocities. It has
   * no effect in general equations */
  bool shift;
} gradyn_map_term;

/* An event at a zero of a function of the user's, in a mechanism or in general equations.
 *
 * The effect in a mechanism has this order. The formula `reset` reads the state before. The map relabels
 * or shifts coordinates. The mode changes. Velocities jump. Positions after the map must satisfy the
 * constraints of the new mode; otherwise the run fails with GRADYN_EVENT.
 *
 * Without `set` velocities jump by impulses of the constraints of the new mode only. With `set` these
 * velocities get the values of the formula exactly, for example after the pulse of a thruster. All other
 * velocities follow, with the masses, from impulses of any magnitude along the velocities in `set` and in
 * the constraints. Set at most as many velocities as the constraints leave free. Values that the
 * constraints do not allow fail with GRADYN_EVENT and the name of the velocity. The kinetic energy may
 * change in any way.
 *
 * In general equations the formula gives differential states; other states change by the map only. To
 * change equations at an event, let the map set a state of zero rate. */
typedef struct gradyn_event_spec {
  const char *name; /* copied; must be given; unique among the events */
  /* guard: .terminal is the function, in any unit. Of the other members, .data, .user and the lists of
   * variables with their flags are used. Leave .integrand and .instant 0. Accelerations and multipliers are
   * those of the equations of motion at the positions and velocities */
  gradyn_custom_functional_spec guard;
  gradyn_direction direction; /* direction in which the guard passes zero */
  /* false: the guard is a crossing, as of an apex or a clock. If it is past zero at the start of its mode,
   * the event can happen only after the guard has returned. true: the guard is an invariant, for example a
   * face of Coulomb's cone or a contact force that can only push. Its mode lasts only while the guard is on
   * the side from which it falls (or rises). A run in which an invariant is past zero at the start of its
   * mode fails with GRADYN_EVENT. An invariant has one direction and no condition. Walls are invariants */
  bool invariant;
  /* condition: .terminal is a function as for the guard; the event happens only where the function is
   * positive. .terminal NULL: no condition */
  gradyn_custom_functional_spec condition;
  /* [map_count], terms; coordinates that are no `to` do not change; velocities in set are not affected;
   * copied; NULL: none */
  const gradyn_map_term *map;
  int map_count;       /* number of terms; 0: none */
  gradyn_mode_id mode; /* mode after the event; GRADYN_SAME_MODE: no change */
  /* [set_count], velocities that are set, each once: components of moving points, joint coordinates,
   * first-order states, or differential states of general equations; copied; NULL: none */
  const gradyn_component *set;
  int set_count; /* number of these velocities; 0: none */
  /* formula: .terminal fills value [set_count] in the order of set, in m/s, rad/s or the units of the
   * states. It must be given with `set`, and be NULL without. It is differentiated by complex step. Other
   * members are as for the guard, but .needs_accelerations and .needs_multipliers must be false. The formula
   * may use time, positions, velocities, differential states and signals before the event. Accelerations,
   * multipliers and algebraic states are NAN */
  gradyn_custom_functional_spec reset;
} gradyn_event_spec;

/* Declares an event. The spec is copied.
 *
 * Data: those of the guard as name.<datum>, of the condition as name.armed.<datum>, of the formula as
 * name.reset.<datum>, and the weights name.map[0], ... A guard may be zero or past zero at the start of its
 * mode. Unless it is an invariant, its event can then happen only after the guard has returned. With `set`,
 * the impulse of the event, for gradyn_event_impulse(), is the impulse that sets the velocities.
 *
 * Returns its number. On failure gradyn_build_status() reports the error, and the number returned is 0. */
GRADYN_API gradyn_event_id gradyn_event(gradyn_model *model, const gradyn_event_spec *spec);

/* --- Ends of runs ------------------------------------------------------------------------------ */

/* Ends the run at an event, after the effect of the event, for example where a point reaches the ground.
 *
 * event: number of an event, not GRADYN_ANY_EVENT. which: the occurrence that ends the run, from 1; the same
 * in all calls of build().
 *
 * Integrals end there, functionals at the end see the state after the event, and
 * gradyn_end_time_functional() gives the time. A functional with the reduction GRADYN_BEFORE_EVENT sees the
 * state before. If several events may end the run, the earliest one does. Call it once for each such event.
 * Errors are reported by gradyn_build_status().
 *
 * The end time of the problem is the longest duration: a run that has not ended by then fails with
 * GRADYN_EVENT. */
GRADYN_API void gradyn_terminate_at_event(gradyn_model *model, gradyn_event_id event, int which);

/* --- Phases: modes with a duration, which may be a parameter ---------------------------------- */

/* As the mode after a phase: it is the last phase, and the run ends with it. */
enum { GRADYN_END = -2 };

/* A phase: a mode that lasts for a given duration. Forces, constraints and signals of that mode are its
 * dynamics and controls. Its end is an event with a map and a next mode, whose constraints may cause an
 * impact. */
typedef struct gradyn_phase_spec {
  /* name of the event at its end; copied; must be given; unique among the events. The last phase has no
   * event */
  const char *name;
  /* mode in which the event is detected: that of the phase, or GRADYN_EVERY_MODE. With GRADYN_END it is not
   * used */
  gradyn_mode_id mode;
  gradyn_scalar start;    /* start, s: 0 or the result of gradyn_phase() for the phase before */
  gradyn_scalar duration; /* s, > 0; if it is a parameter, give it a positive lower bound */
  gradyn_mode_id next;    /* mode after the phase, GRADYN_SAME_MODE (0), or GRADYN_END */
  /* [map_count], as in gradyn_event_spec; with GRADYN_END none; copied; NULL: none */
  const gradyn_map_term *map;
  int map_count; /* number of terms; 0: none */
} gradyn_phase_spec;

/* Declares a phase. The spec is copied.
 *
 * Data: name.end, the time of its end, s, and name.map[0], ..., the values of the terms of its map. The last
 * phase sets the end time of the run, as gradyn_end_time(); an end time in the options is then refused.
 *
 * Returns the end of the phase, s: start plus duration, the start of the next phase. On failure
 * gradyn_build_status() reports the error, and the time returned has no meaning. */
GRADYN_API gradyn_scalar gradyn_phase(gradyn_model *model, const gradyn_phase_spec *spec);

/* --- Functionals of events -------------------------------------------------------------------- */

/* Any event, instead of the number of one, in the functionals below and in gradyn_functional_spec.
 * Occurrences of all events are then counted together. */
#define GRADYN_ANY_EVENT (-1)

/* Declares the time of an event, s.
 *
 * name: copied; must be given; unique among functionals.
 * event: number of an event declared before, or GRADYN_ANY_EVENT.
 * which: occurrence, from 1.
 *
 * A run in which the event happens fewer times fails with GRADYN_EVENT.
 *
 * Returns the number of the functional. On failure gradyn_build_status() reports the error, and the number
 * returned is 0. */
GRADYN_API gradyn_functional_id gradyn_event_time(gradyn_model *model, const char *name,
                                                  gradyn_event_id event, int which);

/* Declares the impulse of an event, N s. For a rotation the number is in N m s, but the unit is still shown
 * as N s.
 *
 * The impulse of a wall is positive if it pushes the point off. Any other event has the impulse of the
 * constraint that becomes active, with the sign of its multiplier. If none becomes active, it has the
 * impulse of the set velocity, positive along it. Of several constraints or velocities it is the root of the
 * sum of squares, never negative. The impulse is 0 in a kinematic jump (gradyn_impact_spec.preserved), in
 * general equations, and without a wall, a new constraint or a set velocity.
 *
 * name, event and which are those of gradyn_event_time(). Returns the number of the functional. On failure
 * gradyn_build_status() reports the error, and the number returned is 0. */
GRADYN_API gradyn_functional_id gradyn_event_impulse(gradyn_model *model, const char *name,
                                                     gradyn_event_id event, int which);

#ifdef __cplusplus
}
#endif

#endif
