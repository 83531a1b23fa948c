/* Forces that read multipliers of joints on the tree, such as friction. What they read follows from places,
 * velocities, accelerations and the multipliers that are left, w = w(q, v, a, lam, x), by the reactions of
 * reactions.c; so
 *     R = M a + Phi_q^T lam - Q(q, v, w),      dR = .. - Q_w dw,
 * and dR/da and dR/dlam have parts of these. Such forces load coordinates of joints alone, on which
 * reactions do not depend: w is told without them. */
#include "mbs/tree/readings.h"
#include "mbs/tree/reactions.h"

#include <string.h>

/* --- lists ------------------------------------------------------------------------------------------ */

/* Whether a coordinate, one of X, is the link's own. */
static bool is_own(const tree *c, int link, int z)
{
  for (int k = 0; k < c->link[link].k; k++)
    if (c->link[link].z[k] == z)
      return true;
  return false;
}

int tree_add_once(int *list, int *count, int number)
{
  for (int k = 0; k < *count; k++)
    if (list[k] == number)
      return k;
  list[*count] = number;
  return (*count)++;
}

static void add_press(tree_readings *r, const tree_press *found)
{
  for (int k = 0; k < r->presses; k++) /* of another force */
    if (r->press[k].jac == found->jac)
      return;
  r->press[r->presses++] = *found;
  (void)tree_add_once(r->at, &r->count, found->z);
}

/* Entries of one force; with r NULL they are counted. */
static int list_presses(const tree *c, const mbs_element *e, tree_readings *r)
{
  int count = 0;
  for (int k = 0; k < e->reading->count; k++) {
    const int row = e->reading->row[k], link = c->left.replaced[row];
    for (int i = 0; i < e->gradient.count && link >= 0; i++) {
      const int z = c->place[mbs_gradient_column(c->mbs, e, i)];
      if (!is_own(c, link, z))
        continue;
      count++;
      if (r)
        add_press(r, &(tree_press){z, row, e->reading->jac[k * e->gradient.count + i]});
    }
  }
  return count;
}

static int list_all(const tree *c, tree_readings *r)
{
  const mbs_lists *l = &c->mbs->lists;
  int count = 0;
  for (int i = 0; i < l->readers; i++)
    count += list_presses(c, &l->forces.item[l->reader[i]], r);
  return count;
}

gradyn_status tree_find_readings(tree *c)
{
  const size_t jac = (size_t)c->natural->jac.nnz + 1, m = (size_t)c->natural->m;
  const size_t count = (size_t)list_all(c, NULL);
  if (count == 0)
    return GRADYN_OK;
  tree_readings *r = gradyn_arena_take(&c->arena, 1, sizeof *r);
  GRADYN_TRY(gradyn_arena_status(&c->arena));
  r->press = gradyn_arena_take(&c->arena, count, sizeof *r->press);
  r->at = gradyn_arena_take(&c->arena, count, sizeof *r->at);
  r->slope = gradyn_arena_numbers(&c->arena, jac);
  r->J = gradyn_arena_numbers(&c->arena, jac);
  r->lam = gradyn_arena_numbers(&c->arena, m);
  r->bar = gradyn_arena_lanes(&c->arena, 2 * m);
  GRADYN_TRY(gradyn_arena_status(&c->arena));
  (void)list_all(c, r);
  r->forces = c->mbs->lists;
  r->forces.rods = r->forces.dots = r->forces.others = 0;
  memset(r->forces.others_end, 0, sizeof r->forces.others_end);
  c->left.readings = r;
  return GRADYN_OK;
}

/* --- what is read ----------------------------------------------------------------------------------- */

/* Reactions know all constraints, and Phi_q of these, and do not depend on what is read. */
static double *begin(tree *c)
{
  double *const J = c->J;
  (void)tree_put_back(c, GRADYN_OK);
  c->mbs->lists.unread = true;
  c->J = c->left.readings->J;
  return J;
}

static gradyn_status end(tree *c, double *J, gradyn_status status)
{
  c->mbs->lists.unread = false;
  tree_leave_out(c);
  c->J = J;
  return status;
}

static double *read_of(const tree *c)
{
  return c->lam + tree_rows(c->natural);
}

gradyn_status tree_read(tree *c, gradyn_mech_state *natural)
{
  tree_readings *r = c->left.readings;
  double *const J = begin(c), *read = read_of(c);
  gradyn_mech_state at = *natural;
  memcpy(r->lam, c->lam, (size_t)c->natural->m * sizeof *r->lam);
  at.lam = r->lam;
  GRADYN_TRY(end(c, J, tree_react(c, &at, r->lam)));
  memcpy(read, r->lam, (size_t)c->natural->m * sizeof *read);
  natural->read = read;
  return GRADYN_OK;
}

/* dR/dlam of what is read there, into slope. */
static gradyn_status find_slopes(tree *c, const gradyn_mech_state *natural)
{
  c->mbs->lists = c->left.readings->forces;
  const gradyn_status status = c->natural->ops->residual_lam(c->natural, natural,
                                                             c->left.readings->slope);
  c->mbs->lists = c->left.lists;
  return status;
}

/* --- derivatives ------------------------------------------------------------------------------------ */

/* Whether a term has forces that find for themselves what they read. */
static bool reads(const tree *c, const gradyn_mech_term *term)
{
  return c->left.readings && term->parts & GRADYN_FORCE && !term->at.read;
}

/* The natural state of a term whose readings stand. */
static gradyn_status look(tree *c, const gradyn_mech_state *at, bool data,
                          gradyn_mech_state *natural)
{
  tree_look(c, at, &(tree_sight){c->mech.m, true, true, data}, natural);
  natural->lam = c->left.readings->lam;
  natural->read = read_of(c);
  return find_slopes(c, natural);
}

gradyn_status tree_readings_along(tree *c, const gradyn_mech_term *term, int columns,
                                  const gradyn_mech_change *d, gradyn_lanes *r)
{
  gradyn_mech *natural = c->natural;
  const int N = natural->n;
  gradyn_mech_term seen = {.parts = GRADYN_DYNAMICS, .order = GRADYN_NO_ORDER};
  tree_change change;
  gradyn_lanes *rows = c->rows;
  if (!reads(c, term))
    return GRADYN_OK;
  GRADYN_TRY(look(c, &term->at, d->x || d->lanes, &seen.at));
  const gradyn_mech_look one = {1, &seen, &seen.at};
  const gradyn_mech_change moved = tree_follow_along(c, d, columns, &change);
  memset(rows, 0, (size_t)(N + tree_rows(natural)) * sizeof *rows);
  double *const J = begin(c);
  GRADYN_TRY(end(c, J, natural->ops->along(natural, &one, columns, &moved, &rows)));
  memcpy(c->dF, rows, (size_t)N * sizeof *c->dF);
  tree_multiply_mass(c, 1, c->dX[2], c->dF);
  (void)begin(c);
  tree_react_along(c, c->left.readings->bar);
  (void)end(c, J, GRADYN_OK);
  for (int k = 0; k < c->left.readings->presses; k++) {
    const tree_press *press = &c->left.readings->press[k];
    r[press->z] += c->left.readings->slope[press->jac] * c->left.readings->bar[press->row];
  }
  return GRADYN_OK;
}

gradyn_status tree_readings_against(tree *c, const gradyn_mech_term *term, int columns,
                                    const gradyn_lanes *mu, const gradyn_mech_bars *bars)
{
  gradyn_mech_state natural;
  if (!reads(c, term))
    return GRADYN_OK;
  GRADYN_TRY(look(c, &term->at, false, &natural));
  gradyn_lanes *bar = c->left.readings->bar;
  memset(bar, 0, (size_t)c->natural->m * sizeof *bar);
  for (int k = 0; k < c->left.readings->presses; k++) {
    const tree_press *press = &c->left.readings->press[k];
    bar[press->row] -= c->left.readings->slope[press->jac] * mu[press->z];
  }
  double *const J = begin(c);
  GRADYN_TRY(end(c, J, tree_react_against(c, &natural, columns, bar, NULL, bars)));
  tree_against(c, &(tree_bars){bars->q, bars->v, NULL, NULL, bars, columns, 3});
  return GRADYN_OK;
}

/* Bars of what coordinates first .. read, one a lane, by their slopes; returns how many. */
static int set_bars(tree_readings *r, int first, gradyn_lanes *bar)
{
  const int left = r->count - first, lanes = left < GRADYN_LANES ? left : GRADYN_LANES;
  for (int k = 0; k < r->presses; k++)
    for (int l = 0; l < lanes; l++)
      if (r->press[k].z == r->at[first + l])
        bar[r->press[k].row][l] += r->slope[r->press[k].jac];
  return lanes;
}

gradyn_status tree_readings_slopes(tree *c, const gradyn_mech_state *at, double *M, double *U)
{
  tree_readings *r = c->left.readings;
  const int n = c->mech.n;
  const size_t m = (size_t)c->natural->m;
  gradyn_mech_state natural;
  if (!r || at->read)
    return GRADYN_OK;
  tree_look(c, at, &(tree_sight){c->mech.m, true, true, false}, &natural);
  GRADYN_TRY(tree_read(c, &natural));
  GRADYN_TRY(find_slopes(c, &natural));
  for (int first = 0, lanes; first < r->count; first += lanes) {
    memset(r->bar, 0, 2 * m * sizeof *r->bar);
    memset(c->seed, 0, (size_t)n * sizeof *c->seed);
    lanes = set_bars(r, first, r->bar);
    double *const J = begin(c);
    tree_react_test(c, r->bar, r->bar + m);
    (void)end(c, J, GRADYN_OK);
    tree_against(c, &(tree_bars){.a = c->seed, .columns = lanes, .orders = 3});
    for (int l = 0; l < lanes; l++) {
      for (int j = 0; j < n && M; j++)
        M[r->at[first + l] * n + j] += c->seed[j][l];
      for (int i = 0; i < c->left.rows && U; i++) {
        const int e = gradyn_pattern_find(&c->mech.jac, i, r->at[first + l]);
        if (e >= 0)
          U[e] += r->bar[m + (size_t)c->row[i]][l];
      }
    }
  }
  return GRADYN_OK;
}
