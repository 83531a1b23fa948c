/* The variational scheme: nodes after events with P = M v, and their derivatives. The momentum follows from
 * the velocity after the event. The increment that would have led to the node is extrapolated from velocity
 * and acceleration. */
#include <string.h>

#include "core/mech/vector.h"
#include "dae/variational/operations.h"

/* Sets a node at the start of an arc: P = M v, and the data for the prediction of the first step. */
gradyn_status gradyn_variational_enter(gradyn_stepper *base, double t, double h, const double *y,
                                       double *node)
{
  (void)t;
  gradyn_variational *s = (gradyn_variational *)base;
  const gradyn_variational_node to = gradyn_variational_node_of(s, node);
  const double *v = y + s->n, *a = y + 2 * s->n, *lam = y + 3 * s->n;
  s->known = NULL;
  memset(node, 0, (size_t)base->record * sizeof(double));
  memcpy(to.q, y, (size_t)s->n * sizeof(double));
  gradyn_pattern_multiply(&s->mech->dyn, s->n, s->project.M, 1, v, to.P);
  /* the prediction of the first step uses an increment, its rate, and half of the multipliers */
  for (int i = 0; i < s->n; i++) {
    to.dq[i] = h * (v[i] - h / 2 * a[i]);
    to.rate[i] = a[i];
  }
  for (int i = 0; i < s->m; i++)
    to.lam[i] = lam[i] / 2;
  *to.h = h;
  return GRADYN_OK;
}

/* Returns the term M v at state y, for its derivative by data. */
static gradyn_mech_term inertia(const gradyn_variational *s, const double *y)
{
  const gradyn_mech_state at = {.q = y, .v = s->zero, .a = y + s->n};
  return (gradyn_mech_term){GRADYN_INERTIA, GRADYN_NO_ORDER, at};
}

/* dP = M dv + M_x dx v. */
gradyn_status gradyn_variational_enter_tangent(gradyn_stepper *base, const double *y,
                                               const double *dx, const double *dy, double *ds)
{
  gradyn_variational *s = (gradyn_variational *)base;
  int n = s->n;
  const gradyn_mech_term term = inertia(s, y);
  memset(s->c2, 0, (size_t)(n + s->m) * sizeof(double));
  GRADYN_TRY(
      gradyn_mech_along(s->mech, &term, &term.at, &(gradyn_mech_vector){.x = dx}, s->lanes, s->c2));
  memcpy(ds, dy, (size_t)n * sizeof(double));
  memcpy(ds + n, s->c2, (size_t)n * sizeof(double));
  gradyn_pattern_multiply(&s->mech->dyn, n, s->project.M, 1, dy + n, ds + n);
  memset(ds + 2 * n, 0, (size_t)n * sizeof(double)); /* no increment led to this node */
  return GRADYN_OK;
}

/* Computes v_bar = M P_bar, and adds the derivative of M v by data to x_bar. */
gradyn_status gradyn_variational_enter_transposed(gradyn_stepper *base, const double *y,
                                                  const double *s_bar, double *y_bar, double *x_bar)
{
  gradyn_variational *s = (gradyn_variational *)base;
  int n = s->n;
  const gradyn_mech_term term = inertia(s, y);
  for (int i = 0; i < n; i++)
    y_bar[i] += s_bar[i];
  gradyn_pattern_multiply(&s->mech->dyn, n, s->project.M, 1, s_bar + n, y_bar + n); /* symmetric */
  memset(s->c2, 0, (size_t)(n + s->m) * sizeof(double));
  memcpy(s->c2, s_bar + n, (size_t)n * sizeof(double));
  return gradyn_mech_against(s->mech, &term, &term.at, s->c2, s->lanes,
                             &(gradyn_mech_sums){.x = x_bar});
}
