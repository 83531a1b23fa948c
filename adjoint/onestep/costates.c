/* Costates at the nodes of an adjoint sweep of a one-step method. Costates lambda are the adjoints of the
 * state after the transposed projection onto the constraints, because disturbances of states are projected.
 * With z' = f and integrands g the Hamiltonian is
 *     H = lambda' f + sum over functionals of weight dpsi/d(inner) g. */
#include "adjoint/onestep/costates.h"

#include <string.h>

gradyn_status gradyn_onestep_costates_begin(gradyn_onestep_sweeps *s)
{
  gradyn_onestep *march = s->march;
  const gradyn_rates *rates = march->rates;
  gradyn_model *model = march->model;
  /* each arc has one node more than steps */
  const int nodes = march->count + march->arcs.count + 1;
  return gradyn_costates_begin(model->span.costates, model, rates->position, rates->nz, nodes,
                               (size_t)rates->moved + GRADYN_LANES * (size_t)model->nx);
}

/* Sets *out to the adjoints of a batch. With `project`, applies the transposed projection, which is needed
 * at a node where no step ends. */
static gradyn_status bars_of(gradyn_onestep_sweeps *s, int pack, bool project,
                             const gradyn_lanes **out)
{
  gradyn_rates *rates = s->march->rates;
  double *moved = s->march->model->span.costates->scratch; /* nothing */
  *out = s->b.z + pack * rates->nz;
  if (!project)
    return GRADYN_OK;
  memcpy(s->b.work, *out, (size_t)rates->nz * sizeof *s->b.work);
  *out = s->b.work;
  return rates->ops->arrive_transposed(rates, gradyn_batch_columns(&s->b, pack), moved, s->b.work,
                                       moved + rates->moved, NULL);
}

/* Adds weight times lambda of functional f, and its terms of the Hamiltonian, to a row of costates. `bar`:
 * its lane of adjoints. */
static gradyn_status add_lane(gradyn_onestep_sweeps *s, int f, const double *bar,
                              const gradyn_sample *at, double *row)
{
  gradyn_onestep *march = s->march;
  const gradyn_rates *rates = march->rates;
  const gradyn_functional_entry *functional = &march->model->functional[f];
  const double weight = march->model->span.costates->weight[f], *rate = at->y + rates->rates;
  double *lambda = row + 2 + rates->nz, g = 0;
  if (functional->integrand)
    GRADYN_TRY(functional->integrand->value(march->model, functional, at, &g));
  row[1] += weight * s->slope[f] * g;
  for (int i = 0; i < rates->nz; i++) {
    lambda[i] += weight * bar[i * GRADYN_LANES];
    row[1] += weight * bar[i * GRADYN_LANES] * rate[i];
  }
  return GRADYN_OK;
}

gradyn_status gradyn_onestep_costates_add(gradyn_onestep_sweeps *s, double t, const double *stage,
                                          bool arrived)
{
  gradyn_rates *rates = s->march->rates;
  const bool project = !arrived && rates->ops->arrive_transposed;
  double *row = gradyn_costates_node(s->march->model->span.costates);
  if (project)
    GRADYN_TRY(rates->ops->linearise(rates, t, stage));
  row[0] = t;
  for (int i = 0; i < rates->nz; i++)
    row[2 + i] = stage[rates->position[i]];
  for (int pack = 0; pack < s->b.packs; pack++) {
    const gradyn_lanes *adjoints;
    GRADYN_TRY(bars_of(s, pack, project, &adjoints));
    for (int j = 0; j < gradyn_batch_columns(&s->b, pack); j++)
      GRADYN_TRY(add_lane(s, s->row[pack * GRADYN_LANES + j], (const double *)adjoints + j,
                          &(gradyn_sample){t, stage}, row));
  }
  return GRADYN_OK;
}
