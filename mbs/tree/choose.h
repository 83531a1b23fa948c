/* The tree of a mechanism: the joints that position bodies, and reasons for joints that remain
 * constraints. */
#ifndef GRADYN_MBS_TREE_CHOOSE_H
#define GRADYN_MBS_TREE_CHOOSE_H

#include "mbs/passes/tree.h"

/* Finds the tree of a finalised mechanism: its links, coordinates, remaining constraints and masses.
 * Errors: GRADYN_INVALID, GRADYN_UNSUPPORTED, GRADYN_NO_MEMORY. */
gradyn_status tree_find(tree *c);

/* Returns the name of the joint, body or rod of link i, from 0; owned by the mechanism. */
const char *tree_link_name(const tree *c, int i);

/* The function link of gradyn_model_ops: fills *info with link i, from 0, as gradyn_link_at(). Returns
 * false if there is none. */
bool tree_describe(const tree *c, int i, gradyn_link_info *info);

/* Checks, in space, that each joint that the user has marked as cut closes a loop. GRADYN_INVALID with a
 * message: one does not. GRADYN_NO_MEMORY. */
gradyn_status tree_check_cuts(const gradyn_mbs *m);

/* Returns why constraint `row` of element e is not part of the tree, a constant text: modes or an event
 * need its natural coordinates or multipliers. NULL: no such reason. */
const char *tree_why_row(const gradyn_mbs *m, const mbs_element *e, int row);

/* Returns why the tree cannot carry points, by their indices [count]: an event maps, sets or preserves
 * their coordinates. A constant text; NULL: no such reason. */
const char *tree_why_points(const gradyn_mbs *m, const int *point, int count);

/* Returns why the tree cannot carry a body, by its index: an event maps, sets or preserves its coordinates.
 * A constant text; NULL: no such reason. */
const char *tree_why_body(const gradyn_mbs *m, int body);

/* Returns why a joint cannot be part of the tree: modes or an event need its natural coordinates or
 * multipliers. A constant text; NULL: no such reason. */
const char *tree_why_joint(const gradyn_mbs *m, const mbs_joint *j);

/* Returns whether a force depends on a joint's multipliers so that the joint must remain a constraint. */
bool tree_reads_joint(const gradyn_mbs *m, const mbs_joint *j);

/* Returns the reason why a rod of the plane that is not in the tree positions no point: a constant text,
 * never NULL. row: index of its distance constraint. */
const char *tree_why_rod(const gradyn_mbs *m, int row);

/* Converts the indices that events and latched constraints store, from natural coordinates and constraints to
 * those of the tree; to be called once. */
void tree_place_events(tree *c);

/* Sets count [2] to estimates of the multiplications per stage in natural and in joint coordinates; 0 in
 * the plane. */
void tree_count_operations(const gradyn_model *model, double count[2]);

#endif
