/* Joint coordinates: bodies of a tree of joints have the coordinates z of the joints instead of vectors. X
 * are all natural coordinates, q the joint coordinates with those outside the tree, and W = dX/dq.
 *
 * The vectors X of a body, its origin and base vectors, are linear in its parent's, X = L(z, d) X_p, with
 * data d of the joint's frames. Points outside trees keep their natural coordinates. Elements use X only.
 * The tree is a model (mech.h) that evaluates another one, the mechanism in natural coordinates. See
 * docs/theory/coordinates.md. */
#ifndef GRADYN_MBS_TREE_H
#define GRADYN_MBS_TREE_H

#include "core/linear/arena.h"
#include "mbs/bodies/frame.h"
#include "mbs/passes/left.h"

/* Vectors of a body in space, origin first; a datum of a frame is a component of one of these. */
enum { TREE_VECTORS = 4, TREE_FRAME_VECTORS = 4, TREE_DATA = 2 * 3 * TREE_FRAME_VECTORS };
/* Euler parameters, the last coordinates of freely rotating bodies */
enum { TREE_TURN_FREELY = 4 };
enum { TREE_FREE = 3 + TREE_TURN_FREELY }; /* largest number of coordinates of a link */

/* A linear map of a parent's vectors to a body's. */
typedef struct tree_map {
  double e[TREE_VECTORS][TREE_VECTORS];
} tree_map;

/* Vectors of one body: x, y, z of each in lanes, 0 in the last lane. */
typedef struct tree_axes {
  gradyn_lanes e[TREE_VECTORS];
} tree_axes;

/* A datum of a joint's frame. */
typedef struct tree_datum {
  int at;                /* in x */
  bool active, of_b;     /* of_b: the datum belongs to frame b, otherwise to frame a */
  int vector, component; /* vector of the frame: 0 its origin, 1 to 3 its directions */
} tree_datum;

/* A body and the joint that connects it to its parent. */
typedef struct tree_link {
  int body;
  int joint;   /* -1: none, the body is free */
  int parent;  /* link of its parent; -1: the ground */
  bool turned; /* the body has frame a, its parent frame b */
  int vectors; /* number of vectors of X of the link */
  int k;       /* number of coordinates of the joint */
  int norm;    /* constraint of its Euler parameters, |p| = 1; -1: it has none */
  const char *name[TREE_TURN_FREELY + 1]; /* names of these parameters and of the constraint */
  const char *coordinates;                /* names of its coordinates; NULL: it has none */
  int z[TREE_FREE];                       /* [k] its coordinates */
  int own[TREE_VECTORS];                  /* [vectors] offsets in X */
  int from[TREE_VECTORS];                 /* offsets of its parent's vectors; -1: the ground */
  int kept;                               /* offset of its numbers in factors of the mass matrix */
  int data;
  bool active;                          /* any datum is active */
  tree_datum *datum;                    /* [data] */
  int mass[TREE_VECTORS][TREE_VECTORS]; /* in the natural mass matrix, along one axis; -1: zero */
  tree_map M;                           /* its values with the present data */
  tree_map C; /* composite masses of the body and its descendants, at the present position */
  /* Of the present data. v: both frames, origins and triads. G: without slides, L is the sum of f_i f_k
   * G_ik, with f = (1, cos phi, sin phi) of the angles of a and of b. rise: tan phi = rise_0 tan z - rise_1,
   * which is tan z for orthonormal directions. slide: by directions of a. */
  double v[2][TREE_FRAME_VECTORS][3], rise[2][2], slide[3][3];
  tree_map G[3][3];
  /* for freely rotating bodies, see euler.c; NULL: another joint */
  tree_map (*bent)[TREE_TURN_FREELY];
  /* At the present state: L, and [k] its derivatives by coordinates, with two time derivatives; [k][k]
   * second derivatives. */
  tree_map jet[3], (*jet_z)[3], *L_zz[TREE_FREE];
} tree_link;

typedef struct tree_place {
  int orders;    /* number of valid orders of X, X', X'' and maps; 0: none */
  bool rested;   /* c->bar is zero */
  bool wrenches; /* data of the position in c->left.readings are valid, see wrenches.c */
  bool zero[3];  /* z[order], and coordinates in X, are zero */
  /* number of coordinates in X; coordinates of free bodies and Euler parameters follow */
  int shared;
  double *z[3]; /* [n] the coordinates, with two time derivatives */
} tree_place;

typedef struct tree {
  gradyn_mech mech; /* first member: the interface to schemes */
  gradyn_mbs *mbs;
  gradyn_mech *natural;
  gradyn_model_ops ops; /* of the model */
  const gradyn_model_ops *natural_ops;
  tree_link *link; /* [links] parents first */
  int links;
  struct plane *plane; /* see plane.h; NULL: in space */
  /* [n] natural coordinate that a coordinate is, or is named after; -1 - (4 link + k): p_k */
  int *source;
  int *position; /* [natural n] and back; -1 - link: a vector of a link */
  int *row;      /* [rows] remaining constraints: motion, -1 - link for norms, start, contacts */
  double *X[3];  /* [natural n] at the present state; followed by [natural m] of samples */
  double *lam, *phi, *F; /* [2][natural rows] own, used by forces; [natural rows]; [natural n] */
  tree_place looked;
  tree_axes *motion;               /* [links][TREE_FREE] L_z X_p at the present position */
  struct tree_reactions *reaction; /* [links] */
  tree_masses own;
  tree_left left;
  double *J;                         /* [natural jac.nnz + 1] */
  gradyn_lanes *dX[3], *bar[3], *dF; /* [natural n]; of bar, followed by [natural m] */
  gradyn_lanes *rows;                /* [natural n + rows] */
  gradyn_lanes *seed, *out;          /* [3 n] [n + rows] */
  struct tree_view *view;            /* state that functionals see */
  struct tree_columns *columns;      /* columns of trajectories, after measures */
  gradyn_arena arena;                /* memory of all these */
} tree;

/* Returns the index in c->left.on_top.load of the load of coordinate z: its index in X, or one after X. */
static inline int tree_load_at(const tree *c, int z)
{
  return z < c->looked.shared ? c->source[z] : c->natural->n + z;
}

/* The function along of gradyn_mech_ops: adds derivatives along the changes *d, in `columns` lanes, to r[k]
 * [rows] of term k of *look. Errors: failures of callbacks; GRADYN_SINGULAR, with a message: directions of
 * a joint are degenerate. */
gradyn_status tree_along(gradyn_mech *mech, const gradyn_mech_point *look, int columns,
                         const gradyn_mech_change *d, gradyn_lanes *const *r);

/* The function against of gradyn_mech_ops, transpose of tree_along(): subtracts products with mu[k] [rows]
 * of term k of *look from *adjoints, in `columns` lanes. Errors: failures of callbacks; GRADYN_SINGULAR,
 * with a message: directions of a joint are degenerate. */
gradyn_status tree_products_against(gradyn_mech *mech, const gradyn_mech_point *look, int columns,
                                    gradyn_lanes *const *mu, const gradyn_mech_adjoints *adjoints);
/* The start in natural coordinates, and its transformation; see start.c. */
extern const gradyn_mech_origin tree_origin;

extern const gradyn_mech_ops tree_mech_ops;
/* In the plane, after each build(): declares the coordinates of bodies and rods. Build error without
 * memory. */
void tree_declare_turns(gradyn_mbs *m);

/* Returns the number of all constraints, with initial conditions and contacts. */
static inline int tree_rows(const gradyn_mech *mech)
{
  return gradyn_mech_rows(mech, GRADYN_ALL_ROWS);
}

/* Inserts joint coordinates between the schemes and the finalised mechanism of a model, once; the model owns
 * the tree. Errors, with a message: GRADYN_INVALID, GRADYN_UNSUPPORTED, GRADYN_NO_MEMORY. */
gradyn_status tree_wrap(gradyn_model *model);

#endif
