/* Derivatives at the boundaries of a run of idas: of guards, of jumps, and of functionals that are
 * evaluated there. */
#include "adjoint/idas/sweep.h"

#include <math.h>
#include <string.h>

#include "dae/idas/events.h"

gradyn_status gradyn_idas_sweep_create(gradyn_idas *idas, gradyn_idas_sweep *s)
{
  *s = (gradyn_idas_sweep){.idas = idas};
  s->r_y = gradyn_arena_numbers(&s->arena, (size_t)idas->ny + 1);
  s->r_x = gradyn_arena_numbers(&s->arena, (size_t)idas->system->nx + 1);
  s->w_y = gradyn_arena_numbers(&s->arena, (size_t)idas->ny + 1);
  return gradyn_arena_status(&s->arena) == GRADYN_OK
             ? GRADYN_OK
             : gradyn_fail(&idas->model->message, GRADYN_NO_MEMORY, "out of memory for %d states",
                           idas->ny);
}

void gradyn_idas_sweep_clear(gradyn_idas_sweep *s)
{
  gradyn_arena_clear(&s->arena);
  *s = (gradyn_idas_sweep){0};
}

double gradyn_idas_node_rate(const gradyn_idas *idas, const gradyn_idas_node *node, const double *p)
{
  const gradyn_index1 *system = idas->system;
  double sum = 0;
  for (int i = 0; i < system->np; i++)
    sum += p[i] * node->yp[system->differential[i]];
  return sum;
}

double gradyn_idas_node_integrand(const gradyn_idas *idas, const gradyn_idas_node *node, int f)
{
  for (int q = 0; q < idas->sums.nq; q++)
    if (idas->sums.integral[q] == f)
      return node->g[q];
  return 0;
}

gradyn_status gradyn_idas_sweep_root(gradyn_idas_sweep *s, int boundary, gradyn_root *root)
{
  gradyn_idas *idas = s->idas;
  const gradyn_idas_node node = gradyn_idas_node_at(idas, boundary, GRADYN_BEFORE);
  gradyn_idas_enter_side(idas, boundary, GRADYN_BEFORE);
  GRADYN_TRY(gradyn_guard_root(&idas->events->base.watch.guards,
                               &gradyn_idas_event_at(idas, boundary)->record, node.y,
                               idas->system->np, s->r_y, s->r_x, root));
  root->rate = root->t + gradyn_idas_node_rate(idas, &node, s->r_y);
  gradyn_idas_enter_side(idas, boundary, GRADYN_BEFORE);
  return GRADYN_OK;
}

gradyn_status gradyn_idas_sweep_jump(gradyn_idas_sweep *s, int boundary, gradyn_jump *jump)
{
  gradyn_idas *idas = s->idas;
  gradyn_idas_events *events = idas->events;
  *jump = (gradyn_jump){.model = idas->model,
                        .impact = &events->base.impact,
                        .event = gradyn_idas_event_at(idas, boundary),
                        .nz = idas->system->np,
                        .position = idas->system->differential,
                        .y = events->change,
                        .yp = events->change + idas->ny};
  return gradyn_jump_begin(jump);
}

/* Returns the node at which the functionals of record k are evaluated. */
static gradyn_idas_node sampled(const gradyn_idas *idas, int k)
{
  return gradyn_idas_node_at(idas, idas->tape.record[k].item, gradyn_idas_sample_side(idas, k));
}

gradyn_status gradyn_idas_sweep_sample(gradyn_idas_sweep *s, int k)
{
  gradyn_idas *idas = s->idas;
  const gradyn_idas_node node = sampled(idas, k);
  idas->linearised_at = NAN;
  gradyn_idas_enter_side(idas, idas->tape.record[k].item, gradyn_idas_sample_side(idas, k));
  return idas->system->ops->linearise(idas->system, node.t, node.y, node.yp);
}

gradyn_status gradyn_idas_sweep_terminal(gradyn_idas_sweep *s, int k, int f, double slope,
                                         double *p, double *x_bar, double *t_bar)
{
  gradyn_idas *idas = s->idas;
  const gradyn_functional_entry *functional = &idas->model->functional[f];
  const gradyn_idas_node node = sampled(idas, k);
  double moved = 0; /* derivative by the time of the node */
  const gradyn_gradient_out out = {s->w_y, 1, x_bar, &moved};
  memset(s->w_y, 0, (size_t)idas->ny * sizeof *s->w_y);
  GRADYN_TRY(functional->terminal->gradient(idas->model, functional,
                                            &(gradyn_sample){node.t, node.y}, slope, &out));
  GRADYN_TRY(idas->system->ops->adjoint_terminal(idas->system, s->w_y, NULL, p, x_bar, &moved));
  /* a functional at a fixed time reads y - y' dt if the node moves by dt */
  *t_bar += gradyn_functional_stays(functional) ? -gradyn_idas_node_rate(idas, &node, p) : moved;
  return GRADYN_OK;
}
