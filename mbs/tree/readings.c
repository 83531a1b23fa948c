/* Forces that depend on multipliers of joints in the tree, such as friction. The multipliers are functions
 * of positions, velocities, accelerations and remaining multipliers, w = w(q, v, a, lam, x), by the wrenches
 * of wrenches.c. Hence
 *     R = M a + Phi_q^T lam - Q(q, v, w)
 * has the part -Q_w dw in all its derivatives, also in dR/da and dR/dlam. Such forces act on coordinates of
 * joints only. Wrenches do not depend on forces on coordinates, so w is computed without the forces Q.
 *
 * With multipliers mu_i of these joints, all loads F on bodies are in equilibrium. Changes of these loads
 * are in equilibrium as well. This gives dw from two terms: dF at fixed mu_i, which is a product in natural
 * coordinates, and the change of T^T F by dX. In transposed products, adjoints of w are a motion T c of the
 * bodies, which multiplies the natural equations together with W mu. */
#include "mbs/tree/readings.h"
#include "mbs/elements/look.h"
#include "mbs/tree/sight.h"

#include <stdlib.h>
#include <string.h>

/* --- lists ------------------------------------------------------------------------------------ */

/* Index of a number in a list; it is added if missing. */
static int add_once(int *list, int *count, int number)
{
  for (int k = 0; k < *count; k++)
    if (list[k] == number)
      return k;
  list[*count] = number;
  return (*count)++;
}

/* Whether a force depends on a multiplier of the tree's joints. */
static bool reads_tree(const tree *c, const mbs_element *e)
{
  bool does = false;
  for (int k = 0; k < e->reading->count; k++)
    does = does || c->left.replaced[e->reading->row[k]] >= 0;
  return does;
}

/* Finds the index of a natural multiplier among those that forces need. If missing, it is added with the
 * wrench of its joint. */
static gradyn_status add_number(tree *c, int row, int *number)
{
  tree_readings *r = c->left.readings;
  const int link = c->left.replaced[row];
  *number = add_once(r->row, &r->numbers, row);
  r->joint[*number] = -1;
  if (link < 0)
    return GRADYN_OK;
  GRADYN_TRY(tree_list_wrench(c, link));
  r->joint[*number] = r->of_link[link];
  for (int i = 0; i < 6; i++)
    if (r->of[r->of_link[link]].row[i] == row)
      r->joint_row[*number] = i;
  return GRADYN_OK;
}

/* Adds a multiplier-dependent force, which must act on scalars only. */
static gradyn_status add_reader(tree *c, const mbs_element *e)
{
  const gradyn_mbs *m = c->mbs;
  tree_readings *r = c->left.readings;
  tree_reader *to = &r->reader[r->readers++];
  to->e = e;
  for (int k = 0; k < e->reading->count; k++)
    GRADYN_TRY(add_number(c, e->reading->row[k], &to->number[k]));
  for (int i = 0; i < e->gradient.count; i++) {
    const int at = mbs_gradient_column(m, e, i);
    if (!m->point[m->owner[at]].scalar)
      continue;
    if (c->natural->spare[at]) {
      to->own[to->states] = e->gradient.item[i].local;
      to->state[to->states++] = c->position[at];
      continue;
    }
    to->local[to->loads] = e->gradient.item[i].local;
    to->load[to->loads++] = add_once(r->at, &r->loads, c->position[at]);
  }
  return GRADYN_OK;
}

/* Makes the pattern of the derivatives of loads by multipliers, and finds the positions of slopes in it. */
static gradyn_status list_slopes(tree_readings *r)
{
  const size_t most = (size_t)(r->readers * MBS_READS * MBS_READS) + 1;
  int *row = malloc(2 * most * sizeof *row), *col = row + most, count = 0;
  if (!row)
    return GRADYN_NO_MEMORY;
  for (int k = 0; k < r->readers; k++)
    for (int i = 0; i < r->reader[k].loads; i++)
      for (int j = 0; j < r->reader[k].e->reading->count; j++) {
        row[count] = r->reader[k].load[i];
        col[count++] = r->reader[k].number[j];
      }
  const gradyn_status status = gradyn_pattern_create(r->loads, r->numbers, count, row, col, &r->by);
  for (int k = 0; k < r->readers && status == GRADYN_OK; k++)
    for (int i = 0; i < r->reader[k].loads; i++)
      for (int j = 0; j < r->reader[k].e->reading->count; j++)
        r->reader[k].slope[i][j] = gradyn_pattern_find(&r->by, r->reader[k].load[i],
                                                       r->reader[k].number[j]);
  free(row);
  return status;
}

static gradyn_status take_lists(tree *c)
{
  tree_readings *r = c->left.readings = gradyn_arena_take(&c->arena, 1, sizeof *r);
  const size_t links = (size_t)c->links, readers = (size_t)c->mbs->lists.readers;
  const size_t most = readers * MBS_READS;
  GRADYN_TRY(gradyn_arena_status(&c->arena));
  r->reader = gradyn_arena_take(&c->arena, readers, sizeof *r->reader);
  r->at = gradyn_arena_take(&c->arena, most, sizeof *r->at);
  r->row = gradyn_arena_take(&c->arena, most, sizeof *r->row);
  r->joint = gradyn_arena_take(&c->arena, most, sizeof *r->joint);
  r->joint_row = gradyn_arena_take(&c->arena, most, sizeof *r->joint_row);
  r->of = gradyn_arena_take(&c->arena, links + 1, sizeof *r->of);
  r->of_link = gradyn_arena_take(&c->arena, links, sizeof *r->of_link);
  r->own = gradyn_arena_take(&c->arena, links, sizeof *r->own);
  r->six = (lane_six *)gradyn_arena_lanes(&c->arena, 6 * links);
  r->bend = (lane_six *)gradyn_arena_lanes(&c->arena, 6 * links);
  r->through = gradyn_arena_take(&c->arena, links, sizeof *r->through);
  r->J = gradyn_arena_numbers(&c->arena, (size_t)c->natural->jac.nnz + 1);
  r->lam = gradyn_arena_numbers(&c->arena, (size_t)tree_rows(c->natural) + 1);
  r->tau = gradyn_arena_numbers(&c->arena, most);
  r->slope = gradyn_arena_numbers(&c->arena, most * MBS_READS);
  r->w = gradyn_arena_lanes(&c->arena, most + (size_t)c->natural->m);
  for (size_t i = 0; i < links && r->of_link; i++)
    r->of_link[i] = -1;
  return gradyn_arena_status(&c->arena);
}

void tree_free_readings(tree *c)
{
  if (c->left.readings)
    gradyn_pattern_clear(&c->left.readings->by);
}

void tree_load_readings(tree *c)
{
  tree_readings *r = c->left.readings;
  for (int k = 0; r && k < r->joints; k++)
    tree_load_rows(c, &r->of[k]);
}

gradyn_status tree_find_readings(tree *c)
{
  const mbs_lists *l = &c->mbs->lists;
  bool any = false;
  for (int i = 0; i < l->readers; i++)
    any = any || reads_tree(c, &l->forces.item[l->reader[i]]);
  if (!any)
    return GRADYN_OK;
  GRADYN_TRY(take_lists(c));
  for (int i = 0; i < l->readers; i++)
    if (l->forces.item[l->reader[i]].ops->scalar)
      GRADYN_TRY(add_reader(c, &l->forces.item[l->reader[i]]));
  for (int i = 0; i < c->links; i++)
    if (c->link[i].joint >= 0 && c->link[i].bent)
      GRADYN_TRY(tree_list_wrench(c, i));
  return list_slopes(c->left.readings);
}

/* --- multipliers and forces ------------------------------------------------------------------- */

gradyn_status tree_read(tree *c, gradyn_mech_state *natural)
{
  tree_readings *r = c->left.readings;
  GRADYN_TRY(tree_find_wrenches(c, natural));
  c->mbs->lists.unread = true;
  const gradyn_status status = tree_loads(c, GRADYN_DYNAMICS, natural);
  c->mbs->lists.unread = false;
  memcpy(r->lam, c->lam, (size_t)c->natural->m * sizeof *r->lam);
  tree_sum_wrenches(c, r->lam);
  natural->lam = natural->read = r->lam;
  return status;
}

/* Adds the loads of one force, and their slopes: derivatives by multipliers. */
static gradyn_status rub(gradyn_mbs *m, tree_reader *reader, const mbs_point_state *view,
                         double *tau, double *slope)
{
  const mbs_element *e = reader->e;
  double f[MBS_LOCAL], f_lam[MBS_READS * MBS_LOCAL];
  const int local = e->ops->rub ? 1 : e->local;
  if (e->ops->rub) {
    GRADYN_TRY(e->ops->rub(m, e, view, e->input, &reader->kept, f, f_lam));
  } else {
    GRADYN_TRY(e->ops->force(m, e, view, e->input, f));
    GRADYN_TRY(e->ops->force_lam(m, e, view, e->input, f_lam));
  }
  for (int i = 0; i < reader->loads; i++) {
    tau[reader->load[i]] += f[reader->local[i]];
    for (int j = 0; j < e->reading->count; j++)
      slope[reader->slope[i][j]] += f_lam[j * local + reader->local[i]];
  }
  return GRADYN_OK;
}

gradyn_status tree_friction_loads(tree *c, const mbs_point_state *view, bool again, double *tau,
                                  double *slope)
{
  const tree_readings *r = c->left.readings;
  memset(tau, 0, (size_t)r->loads * sizeof *tau);
  memset(slope, 0, (size_t)r->by.nnz * sizeof *slope);
  for (int k = 0; k < r->readers; k++) {
    r->reader[k].kept.known = again && r->reader[k].kept.known;
    if (!mbs_absent(c->mbs, r->reader[k].e))
      GRADYN_TRY(rub(c->mbs, &r->reader[k], view, tau, slope));
  }
  return GRADYN_OK;
}

gradyn_status tree_rub_states(tree *c, const mbs_point_state *view, double *to)
{
  const tree_readings *r = c->left.readings;
  for (int k = 0; k < r->readers; k++) {
    const tree_reader *reader = &r->reader[k];
    double f[MBS_LOCAL];
    if (reader->states == 0 || mbs_absent(c->mbs, reader->e))
      continue;
    GRADYN_TRY(reader->e->ops->force(c->mbs, reader->e, view, reader->e->input, f));
    for (int i = 0; i < reader->states; i++)
      to[reader->state[i]] -= f[reader->own[i]];
  }
  return GRADYN_OK;
}

/* --- derivatives ------------------------------------------------------------------------------ */

bool tree_reads(const tree *c, const gradyn_mech_term *term)
{
  return c->left.readings && term->parts & GRADYN_FORCE && !term->at.read;
}

gradyn_status tree_look_at_readings(tree *c, const gradyn_mech_state *at, gradyn_mech_term *seen)
{
  tree_readings *r = c->left.readings;
  seen->parts = GRADYN_DYNAMICS;
  seen->order = GRADYN_NO_ORDER;
  tree_to_natural(c, at, &(tree_sight){c->mech.m, true, true}, &seen->at);
  GRADYN_TRY(tree_read(c, &seen->at));
  const mbs_point_state view = mbs_eval_up_to(c->mbs, &seen->at, 1, GRADYN_FORCE);
  return tree_friction_loads(c, &view, false, r->tau, r->slope);
}

gradyn_status tree_ask_along(tree *c, bool all, const gradyn_mech_term *seen, int columns,
                             const gradyn_mech_change *moved)
{
  const gradyn_mech_point look = {1, seen, &seen->at};
  gradyn_lanes *rows = c->rows;
  memset(rows, 0, (size_t)(c->natural->n + tree_rows(c->natural)) * sizeof *rows);
  c->mbs->lists.unread = !all;
  const gradyn_status status = c->natural->ops->along(c->natural, &look, columns, moved, &rows);
  c->mbs->lists.unread = false;
  return status;
}

gradyn_status tree_ask_against(tree *c, bool all, const gradyn_mech_term *seen, int columns,
                               gradyn_lanes *rows, const gradyn_mech_adjoints *adjoints)
{
  const gradyn_mech_point look = {1, seen, &seen->at};
  c->mbs->lists.unread = !all;
  const gradyn_status status = c->natural->ops->against(c->natural, &look, columns, &rows,
                                                        adjoints);
  c->mbs->lists.unread = false;
  return status;
}

/* Computes changes of T^T F by dF and by dX, and by changes of the arms of transmitted loads. */
static GRADYN_WIDE void change_loads(tree *c)
{
  lane_six *load = (lane_six *)c->own.six;
  const double(*through)[6] = (const double(*)[6])c->left.readings->through;
  memset(load, 0, (size_t)c->links * sizeof *load);
  for (int i = 0; i < c->links; i++) {
    const tree_link *link = &c->link[i];
    load_lanes(link, c->X[0], 1, c->dF, &load[i]);
    for (int e = 1; e < TREE_VECTORS; e++)
      for (int k = 0; k < 3; k++) {
        const int at = link->own[e], next = (k + 1) % 3, last = (k + 2) % 3;
        load[i].e[k] += c->dX[0][at + next] * c->F[at + last] -
                        c->dX[0][at + last] * c->F[at + next];
      }
    for (int k = 0; k < 3 && link->parent >= 0; k++) {
      const int next = (k + 1) % 3, last = (k + 2) % 3, own = link->own[0], from = link->from[0];
      load[link->parent].e[k] +=
          (c->dX[0][own + next] - c->dX[0][from + next]) * through[i][3 + last] -
          (c->dX[0][own + last] - c->dX[0][from + last]) * through[i][3 + next];
    }
  }
}

void tree_read_along(tree *c, const tree_change *d, gradyn_lanes *to)
{
  const tree_readings *r = c->left.readings;
  change_loads(c);
  for (int k = 0; k < r->joints; k++)
    tree_bend_along(c, &r->of[k], r->lam, d, &r->bend[k]);
  tree_hand_wrenches_in(c, NULL, r->bend, r->w);
  for (int i = 0; i < r->loads; i++)
    for (int e = r->by.start[i]; e < r->by.start[i + 1]; e++)
      to[r->at[i]] -= r->slope[e] * r->w[r->by.col[e]];
}

/* rows += T c for all links. */
static GRADYN_WIDE void move_rows(tree *c)
{
  for (int i = 0; i < c->links; i++)
    move_lanes(&c->link[i], c->X[0], &c->left.readings->six[i], c->rows);
}

void tree_read_test(tree *c, const gradyn_lanes *mu)
{
  const tree_readings *r = c->left.readings;
  memset(r->w, 0, (size_t)r->numbers * sizeof *r->w);
  for (int i = 0; i < r->loads; i++)
    for (int e = r->by.start[i]; e < r->by.start[i + 1]; e++)
      r->w[r->by.col[e]] -= r->slope[e] * mu[r->at[i]];
  tree_test_wrenches(c, NULL, r->w);
  move_rows(c);
}

/* Adds the adjoints of c.(T^T F), and of the arms of transmitted loads. */
static GRADYN_WIDE void bars_of_motion_read(tree *c)
{
  const tree_readings *r = c->left.readings;
  gradyn_lanes *bar = c->bar[0];
  for (int i = 0; i < c->links; i++) {
    const tree_link *link = &c->link[i];
    const gradyn_lanes *turn = r->six[i].e;
    for (int e = 1; e < TREE_VECTORS; e++)
      for (int k = 0; k < 3; k++) {
        const int at = link->own[e], next = (k + 1) % 3, last = (k + 2) % 3;
        bar[at + k] -= c->F[at + next] * turn[last] - c->F[at + last] * turn[next];
      }
    for (int k = 0; k < 3 && link->parent >= 0; k++) {
      const int next = (k + 1) % 3, last = (k + 2) % 3;
      const double *f = r->through[i] + 3;
      const gradyn_lanes *by = r->six[link->parent].e,
                         pull = f[next] * by[last] - f[last] * by[next];
      bar[link->own[0] + k] -= pull;
      bar[link->from[0] + k] += pull;
    }
  }
}

void tree_read_against(tree *c, const tree_adjoints *b)
{
  const tree_readings *r = c->left.readings;
  bars_of_motion_read(c);
  for (int k = 0; k < r->joints; k++)
    tree_bend_against(c, &r->of[k], r->lam, &r->bend[k], b);
}

/* Unit columns for loads from `first` onwards, one in each lane; returns their number. */
static int set_loads(tree *c, int first)
{
  const tree_readings *r = c->left.readings;
  const int left = r->loads - first, lanes = left < GRADYN_LANES ? left : GRADYN_LANES;
  memset(c->seed, 0, (size_t)c->mech.n * sizeof *c->seed);
  for (int l = 0; l < lanes; l++)
    c->seed[r->at[first + l]][l] = 1;
  return lanes;
}

gradyn_status tree_readings_slopes(tree *c, const gradyn_mech_state *at, double *M, double *U)
{
  tree_readings *r = c->left.readings;
  const gradyn_mech *natural = c->natural;
  const int n = c->mech.n;
  gradyn_mech_term seen;
  if (!r || at->read)
    return GRADYN_OK;
  GRADYN_TRY(tree_look_at_readings(c, at, &seen));
  for (int first = 0, lanes; first < r->loads; first += lanes) {
    gradyn_lanes *left = r->w + r->numbers;
    lanes = set_loads(c, first);
    memset(c->rows, 0, (size_t)(natural->n + tree_rows(natural)) * sizeof *c->rows);
    tree_read_test(c, c->seed);
    memset(left, 0, (size_t)natural->m * sizeof *left);
    gradyn_lanes_multiply(&natural->jac, natural->m, r->J, 1, c->rows, left);
    tree_clear_adjoints(c);
    tree_multiply_mass(c, 1, c->rows, c->bar[2]);
    memset(c->seed, 0, (size_t)n * sizeof *c->seed);
    tree_against(c, &(tree_adjoints){.a = c->seed, .columns = lanes, .orders = 3});
    for (int l = 0; l < lanes; l++) {
      for (int j = 0; j < n && M; j++)
        M[r->at[first + l] * n + j] += c->seed[j][l];
      for (int i = 0; i < c->left.rows && U; i++) {
        const int e = gradyn_pattern_find(&c->mech.jac, i, r->at[first + l]);
        if (e >= 0)
          U[e] += left[c->row[i]][l];
      }
    }
  }
  return GRADYN_OK;
}
