/* Runs a part of gradyn_evaluator_check() at a random state near the initial position. */
#include "tests/adjoint/check/planted.h"

#include "tests/support.h"

static void fill(gradyn_checking *c, terms_scene *s)
{
  *c = (gradyn_checking){.model = s->model, .ny = 3 * s->n + s->m, .nx = s->nx};
  c->t = s->node.t;
  c->tolerance = 1e-8;
  c->seed = 20220711;
  c->y = c->y_end = c->calm[0] = c->calm[1] = s->state; /* one state: q, then v, a, lam */
  c->size = terms_zeros(c->ny);
  c->x_size = terms_zeros(c->nx);
  c->x = terms_zeros(c->nx);
  c->x_moved = terms_zeros(c->nx);
  c->x_bar = terms_zeros(c->nx);
  memcpy(c->x, s->model->x, (size_t)c->nx * sizeof *c->x);
  for (int i = 0; i < c->ny; i++)
    c->size[i] = 1;
  for (int i = 0; i < c->nx; i++)
    c->x_size[i] = 0.2;
}

int planted_check(terms_scene *s, bool functionals, const char *who, const char *what, bool *named)
{
  gradyn_checking c;
  int failures = 0;
  fill(&c, s);
  assert_ok(gradyn_check_load(&c, NULL, c.t), s->model->message.text);
  assert_ok(functionals ? gradyn_check_functionals(&c) : gradyn_check_mech(&c),
            s->model->message.text);
  *named = false;
  for (int i = 0; i < c.count; i++) {
    const char *name = c.item[i].name;
    failures += !c.item[i].passed;
    *named = *named ||
             (!c.item[i].passed && (!who || strstr(name, who)) && (!what || strstr(name, what)));
    if (!who && !c.item[i].passed)
      print_message("%s: %.2g\n", name, c.item[i].error);
  }
  free(c.size);
  free(c.x_size);
  free(c.x);
  free(c.x_moved);
  free(c.x_bar);
  free(c.item);
  return failures;
}
