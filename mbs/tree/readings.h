/* Forces that read multipliers of joints on the tree: see readings.c. */
#ifndef GRADYN_MBS_TREE_READINGS_H
#define GRADYN_MBS_TREE_READINGS_H

#include "core/linear/pattern.h"
#include "mbs/passes/factors.h"
#include "mbs/tree/wrenches.h"

/* A force that reads, and the coordinates that it loads. */
typedef struct tree_reader {
  const mbs_element *e;
  int loads, load[MBS_READS], local[MBS_READS]; /* [loads] which of all, of its local coordinates */
  int states, state[MBS_READS],
      own[MBS_READS];              /* [states] coordinates that are states, of its local
                                                   ones: they are loaded whatever is read */
  int number[MBS_READS];           /* [reads] which of the numbers */
  int slope[MBS_READS][MBS_READS]; /* [load][read] among slopes */
  mbs_kept kept;                   /* of `rub` */
} tree_reader;

typedef struct tree_readings {
  tree_reader *reader;
  int readers;
  int *at, loads;                        /* coordinates */
  int *row, numbers, *joint, *joint_row; /* of natural multipliers; which joint, and row of it; -1:
                                              it is left */
  gradyn_pattern by;                     /* [loads][numbers] */
  tree_wrench *of;                       /* [joints] of those that are read, or let bodies turn */
  int joints, *of_link;                  /* [links] which of them; -1: none */
  tree_share *own;                       /* [links] inertias */
  lane_six *six;                         /* [links] */
  lane_six *bend;                 /* [joints] changes of what rows load bodies with, or by what
                                            they are multiplied */
  double (*through)[6];           /* [links] what goes on through joints */
  double *J, *lam;                /* [natural jac.nnz + 1] of rows that are left, [natural m] */
  double t;                       /* of J */
  gradyn_discrete_state discrete; /* of J */
  double *tau, *slope;            /* [loads], [by.nnz] */
  bool rubbed;                    /* forces have kept what they may at the state begun with */
  gradyn_lanes *w;                /* [numbers] changes or bars; [natural m] behind */
} tree_readings;

/* Finds them once there is a tree; c->left.readings stays NULL if there are none. */
gradyn_status tree_find_readings(tree *c);
void tree_free_readings(tree *c);
void tree_load_readings(tree *c); /* with the present data */

/* What forces read at a natural state in c->X whose other multipliers stand in c->lam, into
 * natural->lam and natural->read; what loads the bodies then, joints on the tree left out, into c->F. */
gradyn_status tree_read(tree *c, gradyn_mech_state *natural);
/* Loads of these forces where elements look, with their slopes; again: nothing but multipliers has changed
 * since they were asked last. */
gradyn_status tree_rub(tree *c, const mbs_point_state *view, bool again, double *tau,
                       double *slope);

/* -Q of their states, added to r [n], where elements look. */
gradyn_status tree_rub_states(tree *c, const mbs_point_state *view, double *r);

/* Whether a term has forces that find for themselves what they read; of the equations of motion with all
 * their parts, they and the joints are part of one look. */
bool tree_reads(const tree *c, const gradyn_mech_term *term);
/* The natural term of that look, with slopes; and products at any, with `all` or without these forces: into
 * c->rows, or with rows. */
gradyn_status tree_look_at_readings(tree *c, const gradyn_mech_state *at, gradyn_mech_term *seen);
gradyn_status tree_ask_along(tree *c, bool all, const gradyn_mech_term *seen, int columns,
                             const gradyn_mech_change *moved);
gradyn_status tree_ask_against(tree *c, bool all, const gradyn_mech_term *seen, int columns,
                               gradyn_lanes *rows, const gradyn_mech_adjoints *adjoints);
/* What that change of bodies, dF in c->dF, F and dX, and of data makes of loads by what they read, added to
 * r [n]. */
void tree_read_along(tree *c, const tree_change *d, gradyn_lanes *r);
/* Its transpose: what of the equations of motion makes up the bars of loads mu [n], added to c->rows; then,
 * behind products, bars of X and of data by way of that, taken from c->bar and theirs. */
void tree_read_test(tree *c, const gradyn_lanes *mu);
void tree_read_against(tree *c, const tree_adjoints *b);
/* And through accelerations and multipliers: added to M [n][n] and to U, pattern jac; either may be NULL. */
gradyn_status tree_readings_slopes(tree *c, const gradyn_mech_state *at, double *M, double *U);

/* --- wrenches ---------------------------------------------------------------------------------------- */

/* Lists the joints of links that are read, in c->left.readings->of. */
gradyn_status tree_list_wrench(tree *c, int link);
/* by_load of all, J and inertias at the place of c->X. */
gradyn_status tree_find_wrenches(tree *c, const gradyn_mech_state *natural);
/* Multipliers of these joints by what loads the bodies, c->F, into lam. */
void tree_sum_wrenches(tree *c, double *lam);
/* Changes of numbers w, zero of those that are left, by loads of the bodies in c->own.six, which are summed
 * up, and by those of rows in bend, NULL: these stay; and the motion of bodies that is the transpose, into
 * six, with what changes of rows are multiplied by, into bend. f: factors, whose arms are taken; NULL: those
 * of the place looked at. */
void tree_hand_wrenches_in(tree *c, const double *f, const lane_six *bend, gradyn_lanes *w);
void tree_test_wrenches(tree *c, const double *f, const gradyn_lanes *w);
/* r - r_p there. */
static inline void tree_arm_at(const tree *c, const tree_link *link, double arm[3])
{
  for (int k = 0; k < 3; k++)
    arm[k] = c->X[0][link->own[0] + k] - (link->from[0] >= 0 ? c->X[0][link->from[0] + k] : 0);
}

/* The small system of core/mech/multiplier_forces.h, with factors over the tree: see readings_small.c. */
void tree_find_small(tree *c);

#endif
