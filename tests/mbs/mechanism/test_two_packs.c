/* Products along for two packs of columns, entries of which have two lanes each, against those of one. */
#include "mbs/mechanism/mechanism.h"
#include "tests/mbs/terms_models.h"
#include "tests/support.h"

static const terms_look look = {
    3,
    {GRADYN_DYNAMICS, GRADYN_INERTIA | GRADYN_CONSTRAINT, GRADYN_FORCE | GRADYN_CONSTRAINT},
    {0, 1, 2}};

/* All data matter but those that move points of the ground. */
static void hold_ground(terms_scene *s)
{
  const gradyn_mbs *m = s->model->impl;
  bool *active = calloc((size_t)s->nx + 1, sizeof *active);
  assert_non_null(active);
  for (int i = 0; i < s->nx; i++)
    active[i] = true;
  for (int i = 0; i < m->points; i++)
    for (int k = 0; k < m->dim && m->point[i].kind == MBS_GROUND; k++)
      active[m->point[i].x + k] = false;
  s->mech->ops->activate(s->mech, active);
  free(active);
}

/* One lane of each entry. */
static gradyn_lanes *every_other(int count, const gradyn_lanes *entries, int lane)
{
  gradyn_lanes *out = gradyn_lanes_create((size_t)count);
  assert_non_null(out);
  for (int i = 0; i < count; i++)
    out[i] = entries[2 * i + lane];
  return out;
}

/* Six columns by one product, and the packs of four and two that they are. */
static void check_twice(terms_scene *s)
{
  enum { COLUMNS = 6 };
  const gradyn_mech_look asked = {s->terms, s->term, &s->node};
  const int count = s->terms * s->size;
  gradyn_lanes *q = terms_lanes(s, 2 * s->n), *v = terms_lanes(s, 2 * s->n),
               *x = terms_lanes(s, 2 * s->nx), *both = gradyn_lanes_create(2 * (size_t)count);
  double t[COLUMNS];
  terms_fill(s, COLUMNS, t);
  gradyn_lanes *const rows[] = {both, both + 2 * s->size, both + 4 * s->size};
  const gradyn_mech_change all = {.lanes = x, .t = t, .q = q, .v = v};
  assert_ok(s->mech->ops->along(s->mech, &asked, COLUMNS, &all, rows), s->mech->message->text);
  for (int k = 0; k < 2; k++) {
    const int columns = k == 0 ? GRADYN_LANES : COLUMNS - GRADYN_LANES;
    gradyn_lanes *alone = gradyn_lanes_create((size_t)count), *own_q = every_other(s->n, q, k),
                 *own_v = every_other(s->n, v, k), *part = every_other(count, both, k);
    gradyn_lanes *const r[] = {alone, alone + s->size, alone + 2 * s->size};
    const gradyn_mech_change d = {
        .lanes = x + k * s->nx, .t = t + k * GRADYN_LANES, .q = own_q, .v = own_v};
    assert_ok(s->mech->ops->along(s->mech, &asked, columns, &d, r), s->mech->message->text);
    terms_compare(GRADYN_LANES * count, (double *)part, (double *)alone);
    free(alone);
    free(own_q);
    free(own_v);
    free(part);
  }
  free(q);
  free(v);
  free(x);
  free(both);
}

TEST(two_packs_are_what_each_is_alone)
{
  int checked = 0;
  for (int i = 0; i < terms_model_count; i++) {
    terms_scene s;
    terms_open(&s, terms_models[i].build);
    hold_ground(&s);
    for (int round = 0; round < 2 && s.mech->twice; round++, checked++) {
      terms_ask(&s, &look);
      check_twice(&s);
    }
    terms_close(&s);
  }
  assert_true(checked > 4);
}
