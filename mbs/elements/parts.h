/* Parts of mechanisms besides constraints and forces: inertias, bodies, beams, drawing hints. Points, bodies,
 * joints and constraints are given by indices from 0. */
#ifndef GRADYN_MBS_PARTS_H
#define GRADYN_MBS_PARTS_H

#include "mbs/elements/point.h"

/* Inertia in natural coordinates: M has blocks c_rs times the identity, for the points r, s of the body.
 * Pairs are stored in the order 00, 01, .., 11, 12, .. */
typedef struct mbs_inertia_ops {
  int points, data;
  void (*pairs)(const double *d, int divisions, double *c);
  /* D = dc/d data [data][MBS_INERTIA_PAIRS] */
  void (*slopes)(const double *d, int divisions, double (*D)[MBS_INERTIA_PAIRS]);
  const char *kind; /* NULL: part of a rod, beam or state */
} mbs_inertia_ops;

typedef struct mbs_inertia {
  const mbs_inertia_ops *ops;
  int point[MBS_INERTIA_POINTS];
  int at[MBS_INERTIA_POINTS]; /* offsets in the full arrays */
  bool attached;              /* at least one of its points is attached */
  int axes;                   /* components of each point */
  int datum;
  int divisions;  /* beam elements: number of elements of the beam */
  int first, end; /* range of data that contains the active ones */
  /* from the present data: c_rs, and their derivatives by the data */
  double c[MBS_INERTIA_PAIRS], D[MBS_INERTIA_DATA][MBS_INERTIA_PAIRS];
} mbs_inertia;

/* Returns the number of pairs of points, each with itself included. */
static inline int mbs_inertia_pairs(const mbs_inertia *e)
{
  return e->ops->points * (e->ops->points + 1) / 2;
}

/* Data of a rod, in order, from its length. */
enum { MBS_ROD_LENGTH, MBS_ROD_MASS, MBS_ROD_COM, MBS_ROD_INERTIA, MBS_ROD_DATA };

/* Data of a beam, in order. The elastic force depends on the data before the density. */
enum {
  MBS_BEAM_LENGTH,
  MBS_BEAM_YOUNG,
  MBS_BEAM_AREA,
  MBS_BEAM_SECOND_MOMENT,
  MBS_BEAM_DAMPING,
  MBS_BEAM_DENSITY,
  MBS_BEAM_REACH,
  MBS_BEAM_DATA
};

/* A beam: nodes 0 to `elements`, each with a position and a slope. */
typedef struct mbs_beam {
  char *name;
  int elements;
  int first_node, first_slope; /* index in parts.beam_point of the first of them */
  int datum;                   /* index of MBS_BEAM_LENGTH; the others follow */
  bool linear;                 /* uses the linear elastic force */
} mbs_beam;

/* A body: its centre point[0], and its base vectors from point[1]. */
typedef struct mbs_body {
  char *name;
  int point[MBS_CARRIERS];
  /* joint coordinates: hidden data, Euler parameters near the start and their rates; -1: none */
  int turn;
  gradyn_scalar centre[3]; /* initial position, m, in the present build() */
} mbs_body;

/* A member of a planar tree with one coordinate: a body on a joint; a body that turns about a free centre;
 * an end of a rod. Parents come first. */
typedef struct mbs_turn {
  int body, joint;  /* -1: none */
  int row;          /* rods: index of the distance among the constraints of the motion */
  const char *name; /* name of the joint, body or rod; borrowed */
  int from, to;     /* points: ends of a rod; origins of a joint, the body's last; or the centre */
  int own;          /* which of the points `from` and `to` is positioned by the coordinate */
  int parent;       /* member that carries this one; -1: the ground or a free point */
  /* scalar point, and the constraint that connects it to the member; -1: the member does not move */
  int coordinate, tie;
} mbs_turn;

/* A hint for drawings. */
typedef struct mbs_hint {
  gradyn_shape shape; /* box or cylinder of a body, trace of a point; otherwise a colour */
  int of; /* number of the body or point that the hint describes; -1: `name` gives the object */
  char *name;
  double size[3];
  int axis;
  long colour;
} mbs_hint;

typedef struct mbs_frame mbs_frame;
typedef struct mbs_joint mbs_joint;
typedef struct mbs_measure mbs_measure;

#endif
