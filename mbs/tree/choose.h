/* Which joints of a mechanism place bodies, and the tree that they make. */
#ifndef GRADYN_MBS_TREE_CHOOSE_H
#define GRADYN_MBS_TREE_CHOOSE_H

#include "mbs/passes/tree.h"

/* Finds the tree of a sealed mechanism. */
gradyn_status tree_find(tree *c);
const char *tree_link_name(const tree *c, int i);
/* See gradyn_link_at(). */
bool tree_describe(const tree *c, int i, gradyn_link_info *info);
/* In space. GRADYN_INVALID: a joint that is to be cut closes no loop. */
gradyn_status tree_check_cuts(const gradyn_mbs *m);
/* Why an event wants a constraint of the motion or a joint, or the vectors of points or a body, as natural
 * coordinates have them; NULL: none does. */
const char *tree_why_row(const gradyn_mbs *m, const mbs_element *e, int row);
const char *tree_why_points(const gradyn_mbs *m, const int *point, int count);
const char *tree_why_body(const gradyn_mbs *m, int body);
const char *tree_why_joint(const gradyn_mbs *m, const mbs_joint *j);
/* Whether a force reads what goes through a joint so that it is to have rows. */
bool tree_reads_joint(const gradyn_mbs *m, const mbs_joint *j);
/* In the plane: why a rod places no point; the row of its distance. */
const char *tree_why_rod(const gradyn_mbs *m, int row);
/* Places and rows that events know are those of the tree from here on. */
void tree_place_events(tree *c);
/* See `operations` of gradyn_model_ops; 0 in the plane, of which nothing is counted. */
void tree_count_operations(const gradyn_model *model, double count[2]);

#endif
