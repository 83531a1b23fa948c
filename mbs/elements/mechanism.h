/* A mechanism in natural coordinates, in the plane or in space: all points, elements and parts, and the
 * arrays that finalising makes of them. */
#ifndef GRADYN_MBS_MECHANISM_H
#define GRADYN_MBS_MECHANISM_H

#include "mbs/elements/lists.h"

/* Arrays of changes, or of their adjoints: positions, velocities and accelerations at the node; velocities
 * and accelerations of a term. See mbs/mechanism/product.h. */
enum { MBS_PLACE, MBS_NODE_RATE, MBS_NODE_SECOND, MBS_TERM_RATE, MBS_TERM_SECOND, MBS_PLACES };

/* The approximate initial state, by coordinates; gradyn_mech explains the other members. */
typedef struct mbs_start {
  int *q0, *v0;       /* [n] indices in x */
  double *nearness;   /* [n] */
  bool *spare, *idle; /* [n] */
} mbs_start;

/* The mass matrix and the arrays that it multiplies; full arrays. */
typedef struct mbs_mass {
  double *M;       /* [dyn.nnz + 1] constant mass matrix */
  bool *inertial;  /* [dyn.nnz + 1] entries that may be nonzero */
  double *field;   /* [full] factor of M in the residual: a - g, or a */
  double *weight;  /* [full] -M g at moving points, the weight in R; zero after them */
  double *falling; /* [full] like `weight`, for 1 m/s^2 along each axis */
} mbs_mass;

/* Working arrays of products with derivatives, see product.h. rows and fields exist only with attached
 * points. */
typedef struct mbs_work {
  gradyn_lanes *position[MBS_PLACES]; /* [full] changes of positions and rates, or their adjoints */
  gradyn_lanes *rows[GRADYN_MECH_TERMS]; /* [full] */
  double *fields[GRADYN_MECH_TERMS];     /* [full] accelerations */
  gradyn_scalar *view[4]; /* arrays that callbacks see: pos, vel, acc [full], lam [m] */
  /* formula evaluated last, for which unused entries are NaN; NULL: none */
  const gradyn_reads *seen_by;
} mbs_work;

struct gradyn_mbs {
  gradyn_mech mech; /* first member: the interface to the schemes */
  gradyn_model *model;

  int dim; /* 2 or 3; 0: not yet known */
  mbs_point *point;
  int points, point_cursor, moving;
  mbs_attached attached;
  mbs_elements constraints;  /* after finalising in the order of mbs_when */
  int row_cursor[MBS_WHENS]; /* constraints declared so far */
  mbs_lists lists;
  int inertia_cursor;
  mbs_whole whole;
  mbs_parts parts;
  int gravity; /* index in x of gravity.x; -1: none */
  bool gravity_active;
  bool places_active;   /* active data move ground or attached points */
  bool carriers_active; /* active data move attached points */
  mbs_varying varying;
  mbs_timed timed;

  /* Made by finalising; a full array has the coordinates of all points. */
  int full_size;           /* number of coordinates of all points */
  int *owner;              /* [full] point to which a coordinate belongs */
  double *length_scale;    /* [n] length scales, see gradyn_mech */
  double *pos, *vel, *acc; /* [full] */
  double *full;            /* [full] residual during assembly */
  mbs_start start;
  mbs_mass mass;
  mbs_work work;
};

/* Operations of a model that is a mechanism: mbs/model.c. */
extern const gradyn_model_ops mbs_model_ops;

/* Returns the mechanism of a model, which the first call creates and the model owns. NULL: model is NULL, has
 * general equations, or memory is exhausted; the last two are build errors. */
gradyn_mbs *mbs_of(gradyn_model *model);

/* Returns the number of components of the point with an index: 1 for scalars, otherwise 2 or 3. */
static inline int mbs_axes(const gradyn_mbs *m, int point)
{
  return m->point[point].scalar ? 1 : m->dim;
}

/* A moving or ground point with the weight of its contribution: the point itself, or a carrier. */
typedef struct mbs_term {
  int at; /* offset in the full arrays */
  double weight;
} mbs_term;

/* A point's position is the sum of weight times position over its terms, with weights of the present data.
 * Stores term i, from 0, in *term; returns false if there is no term i. point: index. */
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

/* Computes attached points of a full array [full] from their carriers, X = sum of w_i x_i, in place. */
void mbs_spread(const gradyn_mbs *m, double *full);

/* Transpose of mbs_spread(): adds w_i X of each attached point in full [full] to its carriers, in place. */
void mbs_pull(const gradyn_mbs *m, double *full);

extern const mbs_element_ops mbs_distance_ops, mbs_coordinate_ops, mbs_angle_ops, mbs_spring_ops,
    mbs_dot_ops, mbs_square_ops, mbs_corner_ops, mbs_pin_ops, mbs_beam_ops;

/* Returns whether a constraint is a distance that does not depend on time, as of a rod. */
static inline bool mbs_is_rod(const mbs_element *e)
{
  return e->ops == &mbs_distance_ops && e->data_count == 1;
}

/* Returns whether a constraint is a scalar product of base vectors, or the length of one. */
static inline bool mbs_is_dot(const mbs_element *e)
{
  return e->ops == &mbs_dot_ops || e->ops == &mbs_square_ops;
}

/* declarations and inputs, which nearly all users of a mechanism need */
#include "mbs/elements/declare.h"

#endif
