/* Entries of an element in the matrices of a mechanism, and their positions. */
#ifndef GRADYN_MBS_ENTRIES_H
#define GRADYN_MBS_ENTRIES_H

#include <gradyn/base.h>

typedef struct gradyn_mbs gradyn_mbs;
typedef struct mbs_element mbs_element;
typedef struct mbs_elements mbs_elements;

/* A point of an element, and one of its carriers (-1: the point itself). */
typedef struct mbs_slot {
  int point, carrier;
} mbs_slot;

/* An entry of an element's gradient [local] or matrix [local][local]: its position in matrices of pattern
 * jac or dyn, and its slots. */
typedef struct mbs_entry {
  int at;
  short local;
  signed char row, col; /* col is not used for gradients */
} mbs_entry;

typedef struct mbs_entries {
  mbs_entry *item;
  int count;
} mbs_entries;

/* Finds offsets, slots and entries of all elements of a list; to be called once, after points have offsets.
 * Errors: GRADYN_NO_MEMORY, without a message; failures of callbacks. */
gradyn_status mbs_locate_elements(gradyn_mbs *m, mbs_elements *list);

/* Finds the positions of the entries of one element in the patterns; to be called once, after the patterns
 * exist. row: index of the constraint; -1: the element is a force. */
void mbs_map_entries(const gradyn_mbs *m, mbs_element *e, int row);

/* Returns the index of entry (row, col) in matrices of pattern dyn; dyn.nnz, the extra entry at the end,
 * for an entry outside the pattern. */
int mbs_dyn_position(const gradyn_mbs *m, int row, int col);

/* Sets *row and *col to the row and column, indices in q, of entry k, from 0, of an element's matrix. */
void mbs_matrix_coordinates(const gradyn_mbs *m, const mbs_element *e, int k, int *row, int *col);

/* Returns the index in q of the coordinate by which entry k, from 0, of an element's gradient is the
 * derivative. */
int mbs_gradient_column(const gradyn_mbs *m, const mbs_element *e, int k);

#endif
