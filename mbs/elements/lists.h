/* Lists of the declared items of a mechanism, by subject. */
#ifndef GRADYN_MBS_LISTS_H
#define GRADYN_MBS_LISTS_H

#include "mbs/elements/element.h"
#include "mbs/elements/parts.h"

/* Indices of rods (in mbs_lists.rod), constraints, forces and inertias that depend on active data, or have
 * inputs that depend on time. */
typedef struct mbs_varying {
  int *rod, *constraint, *force, *inertia;
  int rods, constraints, forces, inertias;
  int constraints_end[3]; /* ends of constraints, by mbs_when */
} mbs_varying;

/* Lists of items that evaluations visit, each with its length. */
typedef struct mbs_lists {
  mbs_elements forces; /* in the order of declaration */
  mbs_rod *rod;        /* the constant distances among the constraints */
  int rods;
  mbs_dot *dot; /* scalar products of moving vectors: the first of `other` */
  int dots;
  int *reader; /* [readers] indices of forces that depend on multipliers */
  int readers;
  /* constraints besides `rod`; others_end: ends, by mbs_when */
  int *other, others, others_end[MBS_WHENS];
  mbs_inertia *inertia;
  int inertias;
  bool unread; /* scalar forces that depend on multipliers are switched off */
  bool *rolls; /* [m] which constraints of the motion are nonholonomic */
} mbs_lists;

/* All lists while one element is isolated, and the items that replace them; see isolate.c. */
typedef struct mbs_whole {
  bool kept;
  mbs_lists lists;
  mbs_rod one_rod;
  mbs_dot one_dot;
  int one;
} mbs_whole;

/* Declarations besides points, constraints and forces: items, their number, and the position of a repeated
 * build(). */
typedef struct mbs_parts {
  void *point_names; /* tree of tsearch() */
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
  mbs_turn *turn; /* planar trees, see mbs/tree/turns.c */
  int *host;      /* [points] the member that carries each point */
  int turns;
  mbs_measure *measure; /* see mbs/measures/measure.h */
  int measures;
  gradyn_status measure_failed; /* failure of a user's formula, in the last measure */
  mbs_hint *hint;
  int hints, hint_cursor;
} mbs_parts;

/* The points that are attached to others. */
typedef struct mbs_attached {
  mbs_share *share; /* [count] their carriers, listed by finalising */
  int count;
  int first; /* offset of the first one in full arrays; attached points are last */
  int parts; /* parts of the equations that depend on attached points, or apply loads to them */
} mbs_attached;

/* The elements that have inputs that depend on time. */
typedef struct mbs_timed {
  mbs_element *first; /* NULL: none */
  double t;           /* time, s, for which their inputs are valid; NAN: for none */
  unsigned arc;       /* arc of the signals for which their inputs are valid */
} mbs_timed;

#endif
