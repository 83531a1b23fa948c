/* Forward products for two batches of columns, whose entries have two lanes each, against those for one
 * batch; also with a change of the mass matrix computed before. */
#include "mbs/elements/mechanism.h"
#include "tests/mbs/terms_models.h"
#include "tests/support.h"

static const terms_look look = {
    3,
    {GRADYN_DYNAMICS, GRADYN_INERTIA | GRADYN_CONSTRAINT, GRADYN_FORCE | GRADYN_CONSTRAINT},
    {0, 1, 2}};

/* All data are active except those that move points of the ground. */
static void hold_ground(terms_scene *s)
{
  const gradyn_mbs *m = s->model->impl;
  FREED bool *active = support_zeros((size_t)s->nx + 1, sizeof *active);
  for (int i = 0; i < s->nx; i++)
    active[i] = true;
  for (int i = 0; i < m->points; i++)
    for (int k = 0; k < m->dim && m->point[i].kind == MBS_GROUND; k++)
      active[m->point[i].x + k] = false;
  s->mech->ops->activate(s->mech, active);
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

/* Six columns by one product against separate products of four and two columns. */
static void check_twice(terms_scene *s)
{
  enum { COLUMNS = 6 };
  const gradyn_mech_point asked = {s->terms, s->term, &s->node};
  const int count = s->terms * s->size;
  FREED gradyn_lanes *q = terms_lanes(s, 2 * s->n), *v = terms_lanes(s, 2 * s->n),
                     *x = terms_lanes(s, 2 * s->nx), *both = gradyn_lanes_create(2 * (size_t)count);
  double t[COLUMNS];
  terms_fill(s, COLUMNS, t);
  gradyn_lanes *const rows[] = {both, both + 2 * s->size, both + 4 * s->size};
  const gradyn_mech_change all = {.lanes = x, .t = t, .q = q, .v = v};
  assert_ok(s->mech->ops->along(s->mech, &asked, COLUMNS, &all, rows), s->mech->message->text);
  for (int k = 0; k < 2; k++) {
    const int columns = k == 0 ? GRADYN_LANES : COLUMNS - GRADYN_LANES;
    FREED gradyn_lanes *alone = gradyn_lanes_create((size_t)count),
                       *own_q = every_other(s->n, q, k), *own_v = every_other(s->n, v, k),
                       *part = every_other(count, both, k);
    gradyn_lanes *const r[] = {alone, alone + s->size, alone + 2 * s->size};
    const gradyn_mech_change d = {
        .lanes = x + k * s->nx, .t = t + k * GRADYN_LANES, .q = own_q, .v = own_v};
    assert_ok(s->mech->ops->along(s->mech, &asked, columns, &d, r), s->mech->message->text);
    terms_compare(GRADYN_LANES * count, (double *)part, (double *)alone);
  }
}

TEST(two_batches_equal_each_alone)
{
  int checked = 0;
  for (int i = 0; i < terms_model_count; i++) {
    terms_local s;
    terms_open(&s, terms_models[i].build);
    hold_ground(&s);
    for (int round = 0; round < 2 && s.mech->twice; round++, checked++) {
      terms_ask(&s, &look);
      check_twice(&s);
    }
  }
  assert_true(checked > 4);
}

/* Products with data x and a given change of the mass matrix; NULL: none is given. */
static void along_masses(terms_scene *s, int columns, const gradyn_lanes *x,
                         const gradyn_lanes *mass, gradyn_lanes *out)
{
  const gradyn_mech_point asked = {s->terms, s->term, &s->node};
  const int size = (columns > GRADYN_LANES ? 2 : 1) * s->size;
  gradyn_lanes *const rows[] = {out, out + size, out + 2 * size};
  const gradyn_mech_change d = {.lanes = x, .mass = mass};
  memset(out, 0, (size_t)(s->terms * size) * sizeof *out);
  assert_ok(s->mech->ops->along(s->mech, &asked, columns, &d, rows), s->mech->message->text);
}

/* The given change of the mass matrix must equal the newly computed one, enter linearly, and have no other
 * effect. Returns its largest effect. */
static double check_masses(terms_scene *s, int columns)
{
  const int lanes = columns > GRADYN_LANES ? 2 : 1, count = lanes * s->terms * s->size;
  const int masses = lanes * s->mech->derived.masses;
  FREED gradyn_lanes *x = terms_lanes(s, lanes * s->nx),
                     *mass = gradyn_lanes_create((size_t)masses);
  /* products: change newly computed; without a change; with the given one; with twice the given one */
  gradyn_lanes *out[4];
  double most = 0;
  const gradyn_mech_change d = {.lanes = x};
  for (int k = 0; k < 4; k++) {
    out[k] = gradyn_lanes_create((size_t)count);
    assert_true(out[k] && mass);
    if (k == 2)
      s->mech->ops->mass(s->mech, columns, &d, mass);
    for (int i = 0; i < masses && k == 3; i++)
      mass[i] *= 2;
    along_masses(s, columns, x, k > 0 ? mass : NULL, out[k]);
  }
  terms_compare(GRADYN_LANES * count, (double *)out[2], (double *)out[0]);
  for (int i = 0; i < count; i++) {
    out[3][i] -= out[2][i];
    out[2][i] -= out[1][i];
    for (int h = 0; h < GRADYN_LANES; h++)
      most = fmax(most, fabs(out[2][i][h]));
  }
  terms_compare(GRADYN_LANES * count, (double *)out[3], (double *)out[2]);
  for (int k = 0; k < 4; k++)
    free(out[k]);
  return most;
}

TEST(changes_of_masses_may_be_made_before)
{
  int heavy = 0;
  for (int i = 0; i < terms_model_count; i++) {
    terms_local s;
    terms_open(&s, terms_models[i].build);
    hold_ground(&s);
    terms_ask(&s, &look);
    for (int columns = 2; columns <= (s.mech->twice ? 6 : 2); columns += 4)
      heavy += check_masses(&s, columns) > 1e-3;
  }
  assert_true(heavy > 4);
}
