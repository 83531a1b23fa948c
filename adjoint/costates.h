/* What an adjoint sweep passes by: derivatives of a weighted sum of functionals by the states of the nodes,
 * and the Hamiltonian there. Hung on the model for a sweep (model->span.costates). */
#ifndef GRADYN_ADJOINT_COSTATES_H
#define GRADYN_ADJOINT_COSTATES_H

#include "core/model/model.h"

typedef struct gradyn_costate_record {
  const double *weight;   /* [nf], borrowed */
  size_t states;          /* differential ones */
  const int *place;       /* [states] where they are in y; the method's */
  size_t count, capacity; /* nodes, from the last one to the first */
  double *row;            /* [count][2 + 2 states]: t, Hamiltonian, states, costates */
  double *scratch;        /* for who fills it */
} gradyn_costate_record;

/* Forgets what another sweep has left, and makes room for so many nodes, and numbers of scratch. */
gradyn_status gradyn_costates_begin(gradyn_costate_record *record, gradyn_model *model,
                                    const int *place, int states, int nodes, size_t scratch);
/* Another node, which is zero; there has to be room. */
double *gradyn_costates_node(gradyn_costate_record *record);
void gradyn_costates_end(gradyn_costate_record *record);

#endif
