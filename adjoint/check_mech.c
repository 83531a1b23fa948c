/* Checking a mechanical model through its interface: the residual's and the constraints' derivatives
 * with respect to state, multipliers, data and time, and the relations between the orders; first those of
 * the whole, then those of its elements. */
#include <stdlib.h>

#include "adjoint/check_probe.h"

/* Hands out the arrays, or only counts the numbers that they need if there is no memory yet. */
static size_t lay_out(gradyn_probe *p, double *memory)
{
  size_t ns = (size_t)p->ns, nx = (size_t)p->c->nx, used = 0;
  size_t dyn = (size_t)p->mech->dyn.nnz + 1, jac = (size_t)p->mech->jac.nnz + 1;
  const struct {
    double **array;
    size_t size;
  } list[] = {{&p->base, ns},   {&p->moved, ns}, {&p->move.line, ns}, {&p->exact, ns},
              {&p->mu, 2 * ns}, {&p->K, dyn},    {&p->C, dyn},        {&p->M, dyn},
              {&p->J, jac},     {&p->U, jac},    {&p->dx, nx},        {&p->x_bar, 2 * nx},
              {&p->rows_of, ns}};
  for (size_t i = 0; i < GRADYN_COUNT(list); i++) {
    *list[i].array = memory ? memory + used : NULL;
    used += list[i].size;
  }
  return used;
}

/* All blocks of R and Phi, and of the products that schemes make of them. */
gradyn_status gradyn_check_mech(gradyn_checking *c)
{
  gradyn_mech *mech = c->model->mech;
  gradyn_probe p = {.c = c, .mech = mech, .n = mech->n, .m = mech->m};
  /* motion, held and contacts; the fifth part of R is that of contacts */
  p.rows = gradyn_mech_rows(mech, GRADYN_ALL_ROWS);
  p.parts_count = 4 + (mech->contacts > 0);
  p.ns = 3 * p.n + p.rows;
  /* one block: lay_out() counts first and hands out then */
  double *memory = calloc(lay_out(&p, NULL) + 1, sizeof(double));
  int nnz = mech->dyn.nnz > mech->jac.nnz ? mech->dyn.nnz : mech->jac.nnz;
  p.work = gradyn_lanes_create((size_t)p.ns);
  p.column = calloc((size_t)p.ns + 1, sizeof *p.column);
  p.entry_of = calloc((size_t)nnz + 1, sizeof *p.entry_of);
  gradyn_status status = gradyn_differences_create(p.ns, &p.d);
  if (!memory || !p.work || !p.column || !p.entry_of)
    status = GRADYN_NO_MEMORY;
  lay_out(&p, memory);
  /* the state of the motion; what it does not tell, and directions, at random */
  for (int i = 0; i < p.ns && status == GRADYN_OK; i++) {
    p.base[i] = i < c->ny ? c->y[i] : gradyn_check_random(c);
    p.mu[i] = gradyn_check_random(c);
    p.mu[p.ns + i] = gradyn_check_random(c);
    p.move.line[i] = gradyn_probe_size(&p, i) * gradyn_check_random(c);
  }
  if (status == GRADYN_OK)
    status = gradyn_probe_blocks(&p);
  /* then, with a fifth more of the time, its elements one after the other */
  c->part = "elements";
  c->share += 0.2;
  if (status == GRADYN_OK)
    status = gradyn_probe_elements(&p);
  free(memory);
  free(p.column);
  free(p.entry_of);
  free(p.work);
  gradyn_differences_clear(&p.d);
  return status;
}
