/* Events: instants, found along the motion, at which states jump or equations change. Each stands for a
 * guard, a number that passes zero there, and for what happens then. Times, states and impulses of events
 * can be functionals; their derivatives, and those of everything after them, are exact. All methods
 * but kinematic. */
#ifndef GRADYN_EVENTS_H
#define GRADYN_EVENTS_H

#include <gradyn/mbs.h>

#ifdef __cplusplus
extern "C" {
#endif

/* --- Modes ------------------------------------------------------------------------------------ */

enum {
  GRADYN_MOST_MODES = 32,
  GRADYN_EVERY_MODE = 0, /* instead of a mode's number: what is declared holds in all of them */
  GRADYN_SAME_MODE = 0   /* and: an event that leads to no other one */
};

/* A mode: constraints, forces and events that hold together, over the same points. A run starts in the mode
 * that is declared first. Returns its number, from 1 on. */
GRADYN_API gradyn_mode_id gradyn_mode(gradyn_model *model, const char *name);

/* From here on constraints, forces and events that are declared belong to one mode only, or to several, until
 * told otherwise. Bodies and masses, what is held at the start, and functionals belong to all. In other modes
 * a constraint has the multiplier zero; the constraints of a mode do not depend on each other. */
GRADYN_API void gradyn_in_mode(gradyn_model *model, gradyn_mode_id mode);
GRADYN_API void gradyn_in_modes(gradyn_model *model, const gradyn_mode_id *modes, int count);

/* A constraint, by its number, that holds what it finds: where an event leads into one of its modes, or has
 * a map, the value of its function just behind the event is captured and held from then on, as of a foot
 * that sticks where it lands. Before the first such event it holds what it says. */
GRADYN_API void gradyn_capture_constraint(gradyn_model *model, gradyn_constraint_id constraint);

/* --- Impacts ---------------------------------------------------------------------------------- */

/* A component of the position, or velocity, of a moving point; with whatever axis a joint coordinate or
 * first-order state, or of general equations a state that has a rate, by the number that gradyn_state()
 * returned. */
typedef struct gradyn_component {
  gradyn_variable_id point;
  gradyn_axis axis;
} gradyn_component;

/* A wall that a point bounces off: the gap between them stays positive, and when it closes its rate turns
 * from approach to restitution times it. The gap is that of one coordinate and a level, or the user's. */
typedef struct gradyn_bounce_spec {
  const char *name;
  gradyn_point_id point;
  gradyn_axis axis;
  gradyn_law level; /* of the wall along the axis, m; it may move */
  bool below;       /* the point stays below the level; otherwise above it */
  /* A gap of the user's own instead, positive as long as the wall is free, in position, velocity and
   * acceleration form as of a constraint. NULL: that of the coordinate. Its name is not used. */
  const gradyn_custom_constraint_spec *gap;
  gradyn_scalar
      restitution; /* share of the rate of approach that comes back, > 0; or 0 with a mode */
  /* How the other velocities change. NULL: by the impulse of the wall and the reactions of the constraints,
   * as the masses have it. Otherwise these are kept, and all others follow from the constraints: a
   * kinematic jump, Corner et al. (2019), eqs. (52) and (53). Their number is that of the degrees of
   * freedom less one. */
  const gradyn_component *kept; /* [kept_count], copied */
  int kept_count;
  gradyn_mode_id mode; /* behind the impact, which its constraints take part in; GRADYN_SAME_MODE */
} gradyn_bounce_spec;

/* Adds a wall; the spec is copied. Returns the number of the event. Data: name.value, ... of the level,
 * those of the gap, and name.restitution. */
GRADYN_API gradyn_event_id gradyn_bounce(gradyn_model *model, const gradyn_bounce_spec *spec);

/* --- Other events ----------------------------------------------------------------------------- */

typedef enum gradyn_direction { GRADYN_FALLING, GRADYN_RISING, GRADYN_EITHER } gradyn_direction;

enum { GRADYN_CONSTANT = -1 }; /* instead of a point: the number 1 */

/* A term of a map of coordinates: q+[to] is the sum of all weights times q-[from] of its terms, and its
 * velocity the same sum of velocities, without constants and shifts. */
typedef struct gradyn_transfer {
  gradyn_component to, from;
  gradyn_scalar weight;
  bool shift; /* by where something is at that instant: it does not count for velocities */
} gradyn_transfer;

/* An event at a zero of the user's function, of a mechanism or of general equations.
 * What happens, in this order: the map, which relabels or shifts coordinates; the mode changes; velocities
 * jump as constraints of the new mode need it, with impulses of these constraints alone, as the masses
 * have it. Positions have to satisfy those constraints then: at the zero of the guard, or as they did
 * before. In general equations the map is all that happens; what is to be different behind an event can be
 * told by a state of rate zero, which the map sets. */
typedef struct gradyn_when_spec {
  const char *name;
  /* .terminal is the guard; of the others only .data, .user and what it reads count. Accelerations and
   * multipliers are those of the equations of motion at the positions and velocities. */
  gradyn_custom_functional_spec guard;
  gradyn_direction direction; /* in which the guard passes zero */
  /* What the guard is. false: a crossing, as of an apex or a clock, which waits, where it is beyond zero as
   * its mode begins, until it has come back. true: an invariant, as a face of Coulomb's cone, a force that
   * can only push, or the sense of a slip; its modes last only while it is on the side that it falls (or
   * rises) from. A run in which one is beyond zero where its mode begins fails with GRADYN_EVENT. It
   * has one direction and no condition. Walls are invariants all of them. */
  bool invariant;
  /* Likewise; the event happens only where this is positive. .terminal NULL: wherever the guard is zero. */
  gradyn_custom_functional_spec armed;
  const gradyn_transfer *map; /* [map_count], copied; coordinates that are no `to` stay */
  int map_count;
  gradyn_mode_id mode; /* behind the event; GRADYN_SAME_MODE */
} gradyn_when_spec;

/* Adds an event; the spec is copied. Returns its number. A guard that is zero, or beyond it, where its mode
 * begins has to come back first, unless it is an invariant. Data: those of the guard as name.x, of the
 * condition as name.armed.x, and name.map[0], ... */
GRADYN_API gradyn_event_id gradyn_when(gradyn_model *model, const gradyn_when_spec *spec);

/* --- Resets ------------------------------------------------------------------------------------ */

/* An event behind which velocities are what the user's formula makes of the state before: a thruster's pulse,
 * a law of impact whose restitution depends on the approach, a gear that engages, the impact of a walker in
 * closed form. What happens, in this order: the formula reads the state before; the map; the mode changes;
 * the velocities that are set become what the formula says, exactly, and all others follow as the masses have
 * it: by impulses along the velocities that are set, which are whatever it takes, and by those of the
 * constraints behind the event. Set no more velocities than those constraints leave free: values that they
 * do not allow are refused with GRADYN_EVENT and the name of the velocity. Kinetic energy is the user's.
 * Of general equations the formula gives differential states; no others change, but by
 * the map. */
typedef struct gradyn_reset_spec {
  const char *name;
  gradyn_custom_functional_spec guard; /* this, */
  gradyn_direction direction;
  bool invariant;
  gradyn_custom_functional_spec armed; /* up to here, as of gradyn_when() */
  /* The velocities that are set, each once: components of moving points, first-order states, differential
   * states of general equations. */
  const gradyn_component *set; /* [set_count], copied; at least one */
  int set_count;
  /* .terminal is the formula: it fills value[set_count], in m/s (of states in their units), in the order of
   * .set, and is differentiated by complex step. Of the other members only .data, .user and what it reads
   * count. It sees the state before the event: time, positions and velocities, or differential states, and
   * signals. Accelerations, multipliers and algebraic states are NAN. */
  gradyn_custom_functional_spec reset;
  const gradyn_transfer
      *map; /* [map_count], copied, as of gradyn_when(); what it makes of velocities that
                                 are set does not count */
  int map_count;
  gradyn_mode_id mode; /* behind the event; GRADYN_SAME_MODE */
} gradyn_reset_spec;

/* Adds such an event; the spec is copied. Returns its number. Data: those of gradyn_when(), and the
 * formula's as name.reset.x. The impulse of the event is what sets them. */
GRADYN_API gradyn_event_id gradyn_reset(gradyn_model *model, const gradyn_reset_spec *spec);

/* --- Ends of runs ------------------------------------------------------------------------------ */

/* Has the run end with an event, when that happens for the which-th time (1: the first): behind it, with
 * what it does. Functionals at the end see the state there, gradyn_before_event() tells that before;
 * integrals end there, and the time is gradyn_final_time(). Where several events may end the run the first
 * one does. The end time of the problem is how long a run may last: one that has not ended by then fails
 * with GRADYN_EVENT. */
GRADYN_API void gradyn_end_at_event(gradyn_model *model, gradyn_event_id event, int which);

/* --- Phases: arcs that last as long as a parameter says ----------------------------------------- */

/* As the mode behind a phase: it is the last one, and the run ends with it. */
enum { GRADYN_END = -2 };

/* A mode that holds from a time on for a while. What is declared in it is its dynamics and its
 * controls; its end is an event, with a map and the mode behind it, whose constraints may make an
 * impact. */
typedef struct gradyn_phase_spec {
  const char *name;           /* of the event at its end, "push" */
  gradyn_mode_id mode;        /* in which it is looked at: the phase's own, or GRADYN_EVERY_MODE */
  gradyn_scalar start;        /* s, 0 or what the phase before has returned */
  gradyn_scalar duration;     /* s, > 0; a parameter needs a lower bound above 0 */
  gradyn_mode_id next;        /* the mode behind it, or GRADYN_END */
  const gradyn_transfer *map; /* [map_count], copied, as of gradyn_when() */
  int map_count;
} gradyn_phase_spec;

/* Adds a phase; the spec is copied. Returns when it ends, s: the start of the next one, which so depends
 * on all durations before. Data: name.end and name.map[0], ..., or the end time. */
GRADYN_API gradyn_scalar gradyn_phase(gradyn_model *model, const gradyn_phase_spec *spec);

/* --- Functionals of events: each returns its number ------------------------------------------- */

#define GRADYN_ANY_EVENT (-1) /* instead of an event's number: whichever happens */

/* Time of an event, s; which: 1 for the first time that it happens, and so on. A run in which it does not
 * happen so often fails with GRADYN_EVENT. */
GRADYN_API gradyn_functional_id gradyn_event_time(gradyn_model *model, const char *name,
                                                  gradyn_event_id event, int which);

/* Impulse, N s: of the wall; without one of the new constraint, with the sign of its multiplier, or of what
 * sets velocities; of several the root of the sum of squares. */
GRADYN_API gradyn_functional_id gradyn_event_impulse(gradyn_model *model, const char *name,
                                                     gradyn_event_id event, int which);

/* A functional's `terminal` part, taken just before an event, or just after it. */
GRADYN_API gradyn_functional_id gradyn_before_event(gradyn_model *model,
                                                    const gradyn_custom_functional_spec *spec,
                                                    gradyn_event_id event, int which);
GRADYN_API gradyn_functional_id gradyn_after_event(gradyn_model *model,
                                                   const gradyn_custom_functional_spec *spec,
                                                   gradyn_event_id event, int which);

#ifdef __cplusplus
}
#endif

#endif
