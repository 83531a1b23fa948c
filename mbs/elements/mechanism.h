/* Mechanisms in natural coordinates, in the plane or in space: all points, elements and parts, and what
 * sealing makes of them. */
#ifndef GRADYN_MBS_MECHANISM_H
#define GRADYN_MBS_MECHANISM_H

#include "mbs/elements/lists.h"

/* Changes of places, or their adjoints: positions, velocities and accelerations at the node, velocities
 * and accelerations of a term; see mbs/mechanism/product.h. */
enum { MBS_PLACE, MBS_NODE_RATE, MBS_NODE_SECOND, MBS_TERM_RATE, MBS_TERM_SECOND, MBS_PLACES };

/* The approximate initial state, by coordinates: data, and see gradyn_mech for the others. */
typedef struct mbs_start {
  int *q0, *v0;       /* [n] indices in x */
  double *nearness;   /* [n] */
  bool *spare, *idle; /* [n] */
} mbs_start;

/* M and what it is multiplied with; full arrays. */
typedef struct mbs_mass {
  double *M;       /* [dyn.nnz + 1] constant mass matrix */
  bool *inertial;  /* [dyn.nnz + 1] which entries it can have */
  double *field;   /* [full] what multiplies it: a - g, or a */
  double *weight;  /* [full] -M g at free points, gravity's part of R; zero behind them */
  double *falling; /* [full] the same with 1 m/s^2 along every axis, at points */
} mbs_mass;

/* Working arrays of products with derivatives, see product.h; rows and fields only with attached
 * points. */
typedef struct mbs_work {
  gradyn_lanes *place[MBS_PLACES];       /* [full] changes of places, or their adjoints */
  gradyn_lanes *rows[GRADYN_MECH_TERMS]; /* [full] */
  double *fields[GRADYN_MECH_TERMS];     /* [full] accelerations */
  gradyn_scalar *view[4];                /* what callbacks see: pos, vel, acc [full], lam [m] */
  const gradyn_reads *seen_by;           /* who has looked last and sees but a part; NULL: all */
} mbs_work;

struct gradyn_mbs {
  gradyn_mech mech; /* first member: the interface to the schemes */
  gradyn_model *model;

  int dim; /* 2 or 3; 0: not yet known */
  mbs_point *point;
  int points, point_cursor, moving;
  mbs_attached attached;
  mbs_elements constraints;  /* after sealing in the order of mbs_when */
  int row_cursor[MBS_WHENS]; /* constraints declared so far */
  mbs_lists lists;
  int inertia_cursor;
  mbs_whole whole;
  mbs_parts parts;
  int gravity; /* index in x of gravity.x; -1: none */
  bool gravity_active;
  bool places_active;   /* data that vary move ground or attached points */
  bool carriers_active; /* those of attached points are among them */
  mbs_varying varying;
  mbs_timed timed;

  /* taken at sealing; a full array has the coordinates of all points */
  int full_size;           /* coordinates of all points */
  int *owner;              /* [full] point to which a coordinate belongs */
  double *length_scale;    /* [n] see gradyn_mech */
  double *pos, *vel, *acc; /* [full] */
  double *full;            /* [full] residual under assembly */
  mbs_start start;
  mbs_mass mass;
  mbs_work work;
};

/* What a model asks of a mechanism: mbs/model.c. */
extern const gradyn_model_ops mbs_model_ops;

/* The mechanism of a model; created on first use. NULL: the model has general equations. */
gradyn_mbs *mbs_of(gradyn_model *model);

/* Components that a point has. */
static inline int mbs_axes(const gradyn_mbs *m, int point)
{
  return m->point[point].scalar ? 1 : m->dim;
}

/* A coordinate that a point's own one contributes to: the point itself, or a carrier. */
typedef struct mbs_term {
  int at; /* offset in the full arrays */
  double weight;
} mbs_term;

/* Term i of a point; false beyond the last. */
static inline bool mbs_point_term(const gradyn_mbs *m, int point, int i, mbs_term *term)
{
  const mbs_point *p = &m->point[point];
  if (p->kind != MBS_ATTACHED) {
    *term = (mbs_term){p->offset, 1};
    return i == 0;
  }
  if (i >= p->carriers)
    return false;
  *term = (mbs_term){m->point[p->carrier[i].point].offset, p->carrier[i].weight};
  return true;
}

/* Attached points: their values in a full array from those of their carriers; and the transpose, which
 * adds theirs to those of their carriers. */
void mbs_spread(const gradyn_mbs *m, double *full);
void mbs_pull(const gradyn_mbs *m, double *full);

extern const mbs_element_ops mbs_distance_ops, mbs_coordinate_ops, mbs_angle_ops, mbs_spring_ops,
    mbs_dot_ops, mbs_square_ops, mbs_corner_ops, mbs_pin_ops, mbs_beam_ops;

/* Whether a constraint is a distance that does not depend on time, such as that of a rod. */
static inline bool mbs_is_rod(const mbs_element *e)
{
  return e->ops == &mbs_distance_ops && e->data_count == 1;
}

/* Whether it is a scalar product of base vectors, or the length of one. */
static inline bool mbs_is_dot(const mbs_element *e)
{
  return e->ops == &mbs_dot_ops || e->ops == &mbs_square_ops;
}

#include "mbs/elements/declare.h" /* what nearly all who see a mechanism need */

#endif
