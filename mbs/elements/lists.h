/* What a mechanism has been declared to consist of, in lists by subject. */
#ifndef GRADYN_MBS_LISTS_H
#define GRADYN_MBS_LISTS_H

#include "mbs/elements/element.h"
#include "mbs/elements/parts.h"

/* Numbers of elements and inertias that depend on data that vary, or whose inputs depend on time. */
typedef struct mbs_varying {
  int *rod, *constraint, *force, *inertia;
  int rods, constraints, forces, inertias;
  int constraints_end[3]; /* of the constraints, by when they hold */
} mbs_varying;

/* What evaluations go through besides the constraints, each list with its length. */
typedef struct mbs_lists {
  mbs_elements forces; /* after sealing the first in the order of mbs_when */
  mbs_rod *rod;        /* the constant distances among the constraints */
  int rods;
  mbs_dot *dot; /* scalar products of free vectors: the first of `other` */
  int dots;
  int *reader; /* [readers] forces that read multipliers */
  int readers;
  int *other, others, others_end[MBS_WHENS]; /* the other constraints; ends of those of a kind */
  mbs_inertia *inertia;
  int inertias;
  bool unread; /* forces that read and load scalars alone take no part */
  bool *rolls; /* [m] which constraints of the motion are rows of velocities alone */
} mbs_lists;

/* All lists while one element is isolated, and the items that stand in their place; see isolate.c. */
typedef struct mbs_whole {
  bool kept;
  mbs_lists lists;
  mbs_rod one_rod;
  mbs_dot one_dot;
  int one;
} mbs_whole;

/* What is declared and is no point, constraint or force: items, how many, and how far a repeated build
 * has come. */
typedef struct mbs_parts {
  void *point_names; /* as tsearch() keeps them */
  mbs_body *body;
  int bodies, body_cursor;
  mbs_beam *beam;
  int beams, beam_cursor;
  int *beam_point; /* numbers of the points of beams */
  int beam_points, beam_point_cursor;
  mbs_frame *frame; /* see mbs/bodies/frame.h */
  int frames, frame_cursor;
  mbs_joint *joint;
  int joints, joint_cursor;
  mbs_turn *turn; /* in the plane, see mbs/tree/turns.c */
  int *host;      /* [points] what carries them there */
  int turns;
  mbs_measure *measure; /* see mbs/measures/measure.h */
  int measures, measure_cursor;
  gradyn_status measure_failed; /* of a user's formula, in the measure asked for last */
  mbs_hint *hint;
  int hints, hint_cursor;
} mbs_parts;

/* The points that are attached to others. */
typedef struct mbs_attached {
  mbs_share *share; /* [count] their carriers; sealing makes the list */
  int count;
  int first; /* where they begin among all points' components, last of all */
  int parts; /* of the equations that see them, or load them */
} mbs_attached;

/* The elements whose inputs depend on time. */
typedef struct mbs_timed {
  mbs_element *first; /* NULL: there is none */
  double t;           /* for which their inputs stand; NAN: for none */
  unsigned arc;       /* and on which arc */
} mbs_timed;

#endif
