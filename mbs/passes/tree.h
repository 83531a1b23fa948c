/* Joint coordinates: bodies on a tree of joints by the coordinates of these, z, not by their own vectors.
 *
 * A body's vectors X, its origin and base vectors, are linear in its parent's, X = L(z, d) X_p with the
 * data d of the joint's frames; what is on no such tree keeps its natural coordinates. Elements see X and
 * nothing else: a model of mech.h that asks another one. See docs/theory/coordinates.md. */
#ifndef GRADYN_MBS_TREE_H
#define GRADYN_MBS_TREE_H

#include "core/linear/arena.h"
#include "mbs/bodies/frame.h"
#include "mbs/passes/left.h"

/* Vectors of a body in space, origin first; a datum of a frame is a component of one of these. */
enum { TREE_VECTORS = 4, TREE_FRAME_VECTORS = 4, TREE_DATA = 2 * 3 * TREE_FRAME_VECTORS };
enum { TREE_TURN_FREELY = 4 }; /* Euler parameters, the last coordinates of what turns freely */
enum { TREE_FREE = 3 + TREE_TURN_FREELY }; /* coordinates that a link may have */

/* A linear map of a parent's vectors to a body's. */
typedef struct tree_map {
  double e[TREE_VECTORS][TREE_VECTORS];
} tree_map;

/* Vectors of one body, x, y, z of each side by side, and nothing in the last lane. */
typedef struct tree_axes {
  gradyn_lanes e[TREE_VECTORS];
} tree_axes;

/* A datum of a joint's frame. */
typedef struct tree_datum {
  int at;                /* in x */
  bool active, of_b;     /* of frame b */
  int vector, component; /* of that: 0 its origin, 1 to 3 its directions */
} tree_datum;

/* A body and the joint that carries it. */
typedef struct tree_link {
  int body;
  int joint;   /* -1: none, it floats */
  int parent;  /* the link of its parent; -1: the ground */
  bool turned; /* the body has frame a, its parent frame b */
  int vectors; /* how many of X it places */
  int k;       /* how many coordinates the joint has */
  int norm;    /* the row of its Euler parameters, which are to have length one; -1: it has none */
  const char *name[TREE_TURN_FREELY + 1]; /* of these parameters and of that row */
  const char *coordinates;                /* their names; NULL: it has none */
  int z[TREE_FREE];                       /* [k] those */
  int own[TREE_VECTORS];                  /* [vectors] where they begin in X */
  int from[TREE_VECTORS];                 /* the same of its parent; -1: the ground */
  int kept; /* where its numbers begin in factors of the mass matrix */
  int data;
  bool active;                          /* any of them */
  tree_datum *datum;                    /* [data] */
  int mass[TREE_VECTORS][TREE_VECTORS]; /* in the natural mass matrix, along one axis; -1: zero */
  tree_map M;                           /* its values with the present data */
  tree_map C; /* masses of the body and all that hangs on it, at the place looked at last */
  /* of the present data: both frames, origins and triads; where nothing slides, L is the sum of f_i f_k G_ik,
   * f = (1, cos phi, sin phi) of the angles of a and of b, tan phi = rise_0 tan z - rise_1, which is tan z if
   * directions are orthonormal; slides, by directions of a */
  double v[2][TREE_FRAME_VECTORS][3], rise[2][2], slide[3][3];
  tree_map G[3][3];
  tree_map (*bent)[TREE_TURN_FREELY]; /* of what turns freely: see euler.c; NULL: it does not */
  /* at the place looked at last: L, and [k] by each coordinate, with two time derivatives; [k][k] by two */
  tree_map jet[3], (*jet_z)[3], *L_zz[TREE_FREE];
} tree_link;

typedef struct tree_place {
  int orders;    /* of X, X', X'' that stand there, with maps; 0: nothing does */
  bool rested;   /* all of c->bar is zero */
  bool wrenches; /* what belongs to the positions stands in c->left.readings, see wrenches.c */
  bool zero[3];  /* all of z[order] is, and of coordinates in X */
  int shared; /* coordinates that stand in X; behind them are those of floating bodies, Euler parameters */
  double *z[3]; /* [n] the coordinates, with two time derivatives */
} tree_place;

typedef struct tree {
  gradyn_mech mech; /* first member: what schemes see */
  gradyn_mbs *mbs;
  gradyn_mech *natural;
  gradyn_model_ops ops; /* of the model */
  const gradyn_model_ops *natural_ops;
  tree_link *link; /* [links] parents first */
  int links;
  struct plane *plane; /* see plane.h; NULL: in space */
  int *source;  /* [n] which natural one a coordinate is, or is named by; -1 - (4 link + k): p_k */
  int *place;   /* [natural n] and back; -1 - link: on the tree */
  int *row;     /* [rows] that are left: of the motion, -1 - link: norms, held, of contacts */
  double *X[3]; /* [natural n] of the place looked at last; behind, [natural m] of samples */
  double *lam, *phi, *F; /* [2][natural rows] own, read; [natural rows], [natural n] */
  tree_place looked;
  tree_axes *motion;               /* [links][TREE_FREE] L_z X_p of the place looked at last */
  struct tree_reactions *reaction; /* [links] */
  tree_masses own;
  tree_left left;
  double *J;                         /* [natural jac.nnz + 1] */
  gradyn_lanes *dX[3], *bar[3], *dF; /* [natural n]; of bars, [natural m] behind */
  gradyn_lanes *rows;                /* [natural n + rows] */
  gradyn_lanes *seed, *out;          /* [3 n] [n + rows] */
  struct tree_view *view;            /* what functionals see */
  struct tree_columns *columns;      /* of trajectories, behind measures */
  gradyn_arena arena;                /* of all these */
} tree;

/* Where a coordinate has its load in c->left.on_top.load: where it stands in X, or behind. */
static inline int tree_load_at(const tree *c, int z)
{
  return z < c->looked.shared ? c->source[z] : c->natural->n + z;
}

gradyn_status tree_along(gradyn_mech *mech, const gradyn_mech_point *look, int columns,
                         const gradyn_mech_change *d, gradyn_lanes *const *r);
gradyn_status tree_products_against(gradyn_mech *mech, const gradyn_mech_point *look, int columns,
                                    gradyn_lanes *const *mu, const gradyn_mech_adjoints *adjoints);
/* The start in natural coordinates, and what follows from it; see start.c. */
extern const gradyn_mech_origin tree_origin;

extern const gradyn_mech_ops tree_mech_ops;
/* In the plane, after each build(): declares the coordinates that place bodies and rods. */
void tree_declare_turns(gradyn_mbs *m);
/* All rows of constraints, those of contacts included. */
static inline int tree_rows(const gradyn_mech *mech)
{
  return gradyn_mech_rows(mech, GRADYN_ALL_ROWS);
}

/* Puts joint coordinates between schemes and the sealed mechanism of a model. */
gradyn_status tree_wrap(gradyn_model *model);

#endif
