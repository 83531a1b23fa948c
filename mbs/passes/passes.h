/* What the parts of joint coordinates do: maps of joints, passes along the tree, masses. */
#ifndef GRADYN_MBS_PASSES_H
#define GRADYN_MBS_PASSES_H

#include "mbs/passes/tree.h"

/* --- what the tree consists of --------------------------------------------------------------------- */

/* The link that has a coordinate of X; -1: none. */
int tree_link_at(const tree *c, int at);

/* --- joints: L and its derivatives ---------------------------------------------------------------- */

/* Which data a link's map depends on, as many as it is told; once. False: the joint has frames that do not
 * serve. */
bool tree_find_data(const gradyn_mbs *m, tree_link *link, tree_datum found[TREE_DATA]);
/* What of a link is constant with the present data; false: the directions of its frames define none. */
bool tree_load_map(const gradyn_mbs *m, tree_link *link);
/* L with its derivatives: jet, jet_z and L_zz of the link, at its coordinates and their two time derivatives
 * [3][k]. Of one order, L and L_z alone need be right. */
void tree_map_at(const gradyn_mbs *m, int orders, tree_link *link, double z[3][TREE_FREE]);

/* (f g)^(n) = sum of binomial f^(k) g^(n-k). */
static const double tree_binomial[3][3] = {{1}, {1, 1}, {1, 2, 1}};

/* --- passes ---------------------------------------------------------------------------------------- */

/* X, X', X'' and maps at a state; v and a may be NULL: they are zero. */
void tree_move(tree *c, const double *q, const double *v, const double *a);
/* The same for who looks at the first orders alone: others need not be right. */
void tree_move_for(tree *c, int orders, const double *q, const double *v, const double *a);

/* Whether the mass matrix can be composed of bodies, each with its own; finds it there. Then W^T M W [n][n]
 * at the place looked at. */
bool tree_find_masses(tree *c);
void tree_load_masses(tree *c); /* with the present data */
/* F [natural n] += M X'' at the place looked at; y += share M x. */
void tree_add_inertia(const tree *c, double *F);
void tree_multiply_mass(const tree *c, double share, const gradyn_lanes *x, gradyn_lanes *y);
void tree_fill_mass(tree *c, double *M);

/* What changes: coordinates, rates, data; each NULL: it does not. */
typedef struct tree_change {
  const gradyn_lanes *q, *v;
  const gradyn_mech_change *data;
  int columns;
} tree_change;

/* Changes of a datum; of the vectors of one frame of a link, in components of its body. false: all are
 * zero. */
bool tree_take_datum(const tree *c, const tree_change *d, int at, gradyn_lanes *z);
bool tree_change_frame(const tree *c, const tree_link *link, bool of_b, const tree_change *d,
                       gradyn_lanes dv[TREE_FRAME_VECTORS][3]);
/* dX into c->dX[0] for changes dz of the coordinates alone. */
void tree_push(tree *c, const gradyn_lanes *dz);
/* dX, dX', dX'' into c->dX. */
void tree_follow(tree *c, const tree_change *d);
/* r [n] += (W^T F)' for a change that has been followed, rows of it dF in c->dF, F in c->F; both are used
 * up. */
void tree_pull_change(tree *c, const tree_change *d, gradyn_lanes *r);
/* r [n] = W^T F, F in c->F, which is used up. */
void tree_pull(tree *c, double *r);

/* What a link's data change, or bars of that: C_ij, what vector i takes from another base vector j, of
 * dX = dC X of the link's body and dX = L dC X_p of its parent; shifts of frame a's origin along axes of its
 * body, by orders in time, and directions of slides; coordinates' rates and accelerations, and, at a load
 * mu^T F : b, what b changes by as if its coordinate did. Those, with time derivatives, are z. */
typedef struct tree_data_lanes {
  gradyn_lanes own[TREE_VECTORS][3], parent[TREE_VECTORS][3];
  gradyn_lanes shift[3][3], shifted[TREE_FREE][3];
  gradyn_lanes rate[TREE_FREE], acceleration[TREE_FREE], load[TREE_FREE];
  double z[3][TREE_FREE];
} tree_data_lanes;

/* The coordinates of a link with derivatives below `orders`, zeros behind. */
void tree_take_coordinates(const tree *c, const tree_link *link, int orders,
                           double z[3][TREE_FREE]);
/* False: no data of the link change. */
bool tree_data_along(const tree *c, const tree_link *link, const tree_change *change,
                     tree_data_lanes *d);
/* Bars of the vectors of its joint's frames, a and b, origins first. */
void tree_data_against(const gradyn_mbs *m, const tree_link *link, const tree_data_lanes *B,
                       gradyn_lanes frame[2][TREE_FRAME_VECTORS][3]);

/* Bars of X, X', X'' in c->bar, used up, to those of the coordinates, rates and data. With mu [n], followed
 * in c->dX[0], minus the bars of mu^T W^T F, F in c->F, too. */
typedef struct tree_adjoints {
  gradyn_lanes *q, *v, *a;
  const gradyn_lanes *mu;
  const gradyn_mech_adjoints *data;
  int columns;
  int orders; /* of X, X', X'' that have bars: others are zero, and perhaps not looked at */
} tree_adjoints;

/* Adds bars of vectors of a link's two frames, in components of their bodies, to those of data. */
void tree_give_data(const tree *c, const tree_link *link,
                    gradyn_lanes frame[2][TREE_FRAME_VECTORS][3], const tree_adjoints *b);
/* Zeros in c->bar, which tree_against() leaves there. */
void tree_begin_bars(tree *c);
void tree_against(tree *c, const tree_adjoints *b);

/* --- norms of Euler parameters ---------------------------------------------------------------------- */

/* Rows of Euler parameters, Phi = (p.p - 1)/2, and what they do: residuals r [n], products, values of one
 * order [m]; see norms.c. */
void tree_norms_load(const tree *c, const gradyn_mech_state *at, double *r);
void tree_norms_values(const tree *c, int order, const gradyn_mech_state *at, double *phi);
void tree_norms_load_along(const tree *c, const gradyn_mech_state *at, const gradyn_mech_change *d,
                           gradyn_lanes *r);
void tree_norms_values_along(const tree *c, int order, const gradyn_mech_state *at,
                             const gradyn_mech_change *d, gradyn_lanes *phi);
void tree_norms_load_against(const tree *c, const gradyn_mech_state *at, const gradyn_lanes *mu,
                             const gradyn_mech_adjoints *adjoints);
void tree_norms_values_against(const tree *c, int order, const gradyn_mech_state *at,
                               const gradyn_lanes *mu, const gradyn_mech_adjoints *adjoints);
/* Whether rows that terms with these parts speak of are others than those of Euler parameters. */
bool tree_asks_others(const tree *c, int parts);
/* phi_q of order 0; entries of other rows stay. */
void tree_norms_slopes(const tree *c, const double *q, double *values);

#endif
