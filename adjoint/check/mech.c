/* Checking a mechanical model through its interface: the residual's and the constraints' derivatives
 * with respect to state, multipliers, data and time, and the relations between the orders; first those of
 * the whole, then those of its elements. */
#include "adjoint/check/probe.h"

/* Arrays by state, by entry and by datum. */
static gradyn_status take_memory(gradyn_probe *p)
{
  const size_t ns = (size_t)p->ns, nx = (size_t)p->c->nx;
  const size_t dyn = (size_t)p->mech->dyn.nnz + 1, jac = (size_t)p->mech->jac.nnz + 1;
  const struct {
    double **array;
    size_t size;
  } need[] = {{&p->base, ns},   {&p->moved, ns}, {&p->move.line, ns}, {&p->exact, ns},
              {&p->mu, 2 * ns}, {&p->K, dyn},    {&p->C, dyn},        {&p->M, dyn},
              {&p->J, jac},     {&p->U, jac},    {&p->dx, nx},        {&p->x_bar, 2 * nx},
              {&p->rows_of, ns}};
  for (size_t i = 0; i < GRADYN_COUNT(need); i++)
    *need[i].array = gradyn_arena_numbers(&p->arena, need[i].size);
  p->work = gradyn_arena_lanes(&p->arena, ns);
  p->column = gradyn_arena_take(&p->arena, ns, sizeof *p->column);
  p->entry_of = gradyn_arena_take(&p->arena, dyn > jac ? dyn : jac, sizeof *p->entry_of);
  GRADYN_TRY(gradyn_arena_status(&p->arena));
  return gradyn_differences_create(p->ns, &p->d);
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
  gradyn_status status = take_memory(&p);
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
  gradyn_arena_clear(&p.arena);
  gradyn_differences_clear(&p.d);
  return status;
}
