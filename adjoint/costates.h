/* Record of an adjoint sweep: derivatives of a weighted sum of functionals by the states of the nodes, and
 * the Hamiltonian there. model->span.costates refers to it during a sweep. */
#ifndef GRADYN_ADJOINT_COSTATES_H
#define GRADYN_ADJOINT_COSTATES_H

#include "core/model/model.h"

typedef struct gradyn_costate_record {
  const double *weight;   /* [nf], borrowed */
  size_t states;          /* number of differential states */
  const int *position;    /* [states] indices of the states in y; owned by the method */
  size_t count, capacity; /* nodes, from the last to the first */
  double *row;            /* [count][2 + 2 states]: t, Hamiltonian, states, costates */
  double *scratch;        /* workspace of the method */
} gradyn_costate_record;

/* Clears the record, and allocates rows for this number of nodes and `scratch` numbers of workspace. The
 * sweep calls it; the caller of the sweep has set weight. position [states] is borrowed. Error:
 * GRADYN_NO_MEMORY. */
gradyn_status gradyn_costates_begin(gradyn_costate_record *record, gradyn_model *model,
                                    const int *position, int states, int nodes, size_t scratch);
/* Adds a node and returns its row [2 + 2 states], which is zero and belongs to the record. At most `nodes`
 * rows, as given to begin(), may be added. */
double *gradyn_costates_node(gradyn_costate_record *record);
/* Frees row and scratch, not the record, which can be used again; may be repeated. */
void gradyn_costates_end(gradyn_costate_record *record);

#endif
