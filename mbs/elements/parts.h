/* Parts of mechanisms that are no elements: inertias, bodies, beams, hints for drawings. */
#ifndef GRADYN_MBS_PARTS_H
#define GRADYN_MBS_PARTS_H

#include "mbs/elements/point.h"

/* The inertia of a body in natural coordinates: M = [c_rs] times the identity, for the points r, s
 * of the body. Pairs are stored in the order 00, 01, .., 11, 12, .. */
typedef struct mbs_inertia_ops {
  int points, data;
  void (*pairs)(const double *d, int divisions, double *c);
  /* D [data][MBS_INERTIA_PAIRS] */
  void (*slopes)(const double *d, int divisions, double (*D)[MBS_INERTIA_PAIRS]);
  const char *kind; /* NULL: it is part of something else */
} mbs_inertia_ops;

typedef struct mbs_inertia {
  const mbs_inertia_ops *ops;
  int point[MBS_INERTIA_POINTS];
  int at[MBS_INERTIA_POINTS]; /* offsets in the full arrays */
  bool attached;              /* one of its points is */
  int axes;                   /* components of each point */
  int datum;
  int divisions;  /* beam elements: into how many the beam is divided */
  int first, end; /* data among which those are that vary */
  /* of the present data: c_rs and their derivatives by the data */
  double c[MBS_INERTIA_PAIRS], D[MBS_INERTIA_DATA][MBS_INERTIA_PAIRS];
} mbs_inertia;

/* Pairs of its points, each with itself included. */
static inline int mbs_inertia_pairs(const mbs_inertia *e)
{
  return e->ops->points * (e->ops->points + 1) / 2;
}

/* Data of a rod, from its length on. */
enum { MBS_ROD_LENGTH, MBS_ROD_MASS, MBS_ROD_COM, MBS_ROD_INERTIA, MBS_ROD_DATA };

/* Data of a beam, from its first one; the elastic force depends on those before the density. */
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

/* A beam: nodes 0 to elements, each with a position and a slope. */
typedef struct mbs_beam {
  char *name;
  int elements;
  int first_node, first_slope; /* index in the mechanism's list of beam points */
  int datum;                   /* MBS_BEAM_LENGTH and the others */
  bool linear;                 /* the linear elastic force */
} mbs_beam;

/* A body: its centre and base vectors. */
typedef struct mbs_body {
  char *name;
  int point[MBS_CARRIERS];
  int turn; /* in joint coordinates: hidden data of its Euler parameters and their rates near the start */
  gradyn_scalar centre[3]; /* initial position, as the present build() gives it */
} mbs_body;

/* What joint coordinates in the plane place by one coordinate, parents first: a body on a joint; a body whose
 * centre is free, which turns; an end of a rod. */
typedef struct mbs_turn {
  int body, joint;  /* -1: none */
  int row;          /* of rods: of their distance, among constraints of the motion */
  const char *name; /* of that; borrowed */
  int from, to; /* points: of rods their ends; of joints origins, the body's last; or the centre */
  int own;      /* which of them it places */
  int parent;   /* which of these carries it; -1: the ground or a free point */
  int coordinate, tie; /* point, and the row that ties it; -1: nothing moves */
} mbs_turn;

/* A hint for drawings. */
typedef struct mbs_hint {
  gradyn_shape shape; /* box or cylinder of a body, trace of a point; otherwise a colour */
  int of;             /* number of the body or point; -1: of what is called name */
  char *name;
  double size[3];
  int axis;
  long colour;
} mbs_hint;

typedef struct mbs_frame mbs_frame;
typedef struct mbs_joint mbs_joint;
typedef struct mbs_measure mbs_measure;

#endif
