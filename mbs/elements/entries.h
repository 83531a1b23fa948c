/* Which entries an element has in the matrices of a mechanism, and where they stand. */
#ifndef GRADYN_MBS_ENTRIES_H
#define GRADYN_MBS_ENTRIES_H

#include <gradyn/status.h>

typedef struct gradyn_mbs gradyn_mbs;
typedef struct mbs_element mbs_element;
typedef struct mbs_elements mbs_elements;

/* Which point of an element, and which of its carriers (-1: the point itself). */
typedef struct mbs_slot {
  int point, carrier;
} mbs_slot;

/* An entry of an element's gradient [local] or matrix [local][local], its position in matrices of pattern jac
 * or dyn, and the slots that it belongs to. */
typedef struct mbs_entry {
  int at;
  short local;
  signed char row, col; /* a gradient has no col */
} mbs_entry;

typedef struct mbs_entries {
  mbs_entry *item;
  int count;
} mbs_entries;

/* Places and shapes of all elements of a list, once points are numbered; then, once there are patterns, the
 * positions of their entries in those. In entries.c. */
gradyn_status mbs_locate_elements(gradyn_mbs *m, mbs_elements *list);
void mbs_map_entries(const gradyn_mbs *m, mbs_element *e, int row);

/* Position in matrices of pattern dyn; what does not belong to two moving points goes to the scratch
 * entry at the end. */
int mbs_dyn_position(const gradyn_mbs *m, int row, int col);

/* Coordinates that an entry of an element's matrix couples; that of an entry of its gradient. */
void mbs_matrix_coordinates(const gradyn_mbs *m, const mbs_element *e, int k, int *row, int *col);
int mbs_gradient_column(const gradyn_mbs *m, const mbs_element *e, int k);

#endif
