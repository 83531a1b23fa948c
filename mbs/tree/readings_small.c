/* What forces read of joints on the tree, by accelerations and multipliers that are left, without
 * derivatives of anything. In six numbers of each body, about its origin, with I its own inertia:
 *   along    out  a = B a_p + b y                in  f = I a + T^T J_X^T lam,   f_p += B^T f,
 *                                                    lam_i = -(J_i T)^-T f_i
 *   against  out  c = B c_p - (J_i T)^-1 bar_i   in  f = I c,   f_p += B^T f,   y = b^T f,   lam = J_X T c
 * with the six rows of a joint, those of its coordinates among them, in J_i. */
#include "mbs/elements/look.h"
#include "mbs/tree/joints.h"
#include "mbs/tree/reactions.h"
#include "mbs/tree/readings.h"

#include <math.h>
#include <string.h>

static tree_pressing *of(const tree *c)
{
  return &c->left.readings->small;
}

/* --- lists ------------------------------------------------------------------------------------------ */

/* A joint's six rows, with their entries of the body's vectors; false: it has others. */
static bool take_joint(const tree *c, int link, tree_read_joint *to)
{
  const mbs_joint *j = &c->mbs->parts.joint[c->link[link].joint];
  const tree_reactions *r = &c->reaction[link];
  int rows = 0, row[6];
  for (int k = 0; k < j->rows && rows < 6; k++)
    row[rows++] = j->first + k;
  for (int k = 0; k < c->link[link].k && rows < 6; k++)
    if (tree_coordinate_of(j, k, &row[rows]) >= 0)
      rows++;
  to->link = link;
  int found = 0;
  for (int k = 0; k < r->rows; k++)
    for (int i = 0; i < rows; i++)
      if (r->row[k] == row[i]) {
        to->row[found] = row[i];
        memcpy(to->own[found++], r->own[k], sizeof *to->own);
      }
  return found == 6 && j->rows + c->link[link].k == 6;
}

static int joint_at(tree_pressing *s, int link)
{
  for (int k = 0; k < s->joints; k++)
    if (s->of[k].link == link)
      return k;
  return -1;
}

/* Which of the numbers a natural multiplier is; false: what its joint has is unknown. */
static bool add_number(const tree *c, int row, int *number)
{
  tree_pressing *s = of(c);
  const int link = c->left.replaced[row], before = s->numbers;
  *number = tree_add_once(s->row, &s->numbers, row);
  if (s->numbers == before)
    return true;
  s->joint[*number] = -1;
  if (link < 0)
    return true;
  int k = joint_at(s, link);
  if (k < 0 && !take_joint(c, link, &s->of[k = s->joints++]))
    return false;
  s->joint[*number] = k;
  for (int i = 0; i < 6; i++)
    if (s->of[k].row[i] == row)
      s->joint_row[*number] = i;
  return true;
}

/* One that loads scalars alone; its own states do not depend on what it reads. */
static bool take_reader(const tree *c, const mbs_element *e, tree_reader *to)
{
  const gradyn_mbs *m = c->mbs;
  if (!e->ops->scalar)
    return false;
  to->e = e;
  to->loads = 0;
  for (int k = 0; k < e->reading->count; k++)
    if (!add_number(c, e->reading->row[k], &to->number[k]))
      return false;
  for (int i = 0; i < e->gradient.count; i++) {
    const int at = mbs_gradient_column(m, e, i);
    if (!m->point[m->owner[at]].scalar || c->natural->spare[at])
      continue;
    to->local[to->loads] = e->gradient.item[i].local;
    to->load[to->loads++] = tree_add_once(of(c)->at, &of(c)->loads, c->place[at]);
  }
  return true;
}

/* Rows of the joints whose forces are read. */
static gradyn_status list_rows(tree *c)
{
  const mbs_lists *all = &c->mbs->lists;
  mbs_lists *rows = &of(c)->rows;
  *rows = *all;
  rows->forces.count = rows->readers = rows->rods = rows->dots = rows->others = 0;
  rows->other = gradyn_arena_take(&c->arena, (size_t)all->others, sizeof *rows->other);
  GRADYN_TRY(gradyn_arena_status(&c->arena));
  for (int k = 0, when = 0; when < MBS_WHENS; when++) {
    for (; k < all->others_end[when]; k++)
      for (int i = 0; i < 6 * of(c)->joints; i++)
        if (of(c)->of[i / 6].row[i % 6] == all->other[k])
          rows->other[rows->others++] = all->other[k];
    rows->others_end[when] = rows->others;
  }
  return GRADYN_OK;
}

static gradyn_status take_lists(tree *c)
{
  tree_pressing *s = of(c);
  const size_t readers = (size_t)c->mbs->lists.readers, most = readers * MBS_READS;
  s->reader = gradyn_arena_take(&c->arena, readers, sizeof *s->reader);
  s->at = gradyn_arena_take(&c->arena, most, sizeof *s->at);
  s->row = gradyn_arena_take(&c->arena, most, sizeof *s->row);
  s->joint = gradyn_arena_take(&c->arena, most, sizeof *s->joint);
  s->joint_row = gradyn_arena_take(&c->arena, most, sizeof *s->joint_row);
  s->of = gradyn_arena_take(&c->arena, (size_t)c->links, sizeof *s->of);
  s->own = gradyn_arena_take(&c->arena, (size_t)c->links, sizeof *s->own);
  s->six = gradyn_arena_lanes(&c->arena, 6 * (size_t)c->links);
  return gradyn_arena_status(&c->arena);
}

/* --- the place -------------------------------------------------------------------------------------- */

/* A [6][6] by its inverse in place, by Gauss and Jordan with pivots by size; false: it has none. */
static bool invert(double A[6][6])
{
  int pivot[6];
  for (int p = 0; p < 6; p++) {
    int best = p;
    for (int i = p + 1; i < 6; i++)
      if (fabs(A[i][p]) > fabs(A[best][p]))
        best = i;
    pivot[p] = best;
    const double top = A[best][p];
    if (top == 0 || !isfinite(top))
      return false;
    for (int j = 0; j < 6; j++) {
      const double keep = A[p][j];
      A[p][j] = A[best][j] / top;
      A[best][j] = best == p ? A[p][j] : keep;
    }
    A[p][p] = 1 / top;
    for (int i = 0; i < 6; i++) {
      const double part = A[i][p];
      if (i == p)
        continue;
      A[i][p] = 0;
      for (int j = 0; j < 6; j++)
        A[i][j] -= part * A[p][j];
    }
  }
  for (int p = 5; p >= 0; p--) /* rows were exchanged: columns go back */
    for (int i = 0; i < 6; i++) {
      const double keep = A[i][p];
      A[i][p] = A[i][pivot[p]];
      A[i][pivot[p]] = keep;
    }
  return true;
}

/* lam_i = -(J_i T)^-T f: rows of the inverse of (J_i T)^T, with J_i in J. */
static gradyn_status find_joint(const tree *c, tree_read_joint *joint, const double *J)
{
  const tree_link *link = &c->link[joint->link];
  double K[6][6];
  for (int row = 0; row < 6; row++) {
    double v[TREE_VECTORS][3];
    for (int k = 0; k < 3 * TREE_VECTORS; k++)
      v[k / 3][k % 3] = joint->own[row][k] < 0 ? 0 : J[joint->own[row][k]];
    double six[6] = {0, 0, 0, v[0][0], v[0][1], v[0][2]};
    for (int i = 1; i < TREE_VECTORS; i++) {
      double turn[3];
      mbs_cross(c->X[0] + link->own[i], v[i], turn);
      for (int k = 0; k < 3; k++)
        six[k] += turn[k];
    }
    for (int k = 0; k < 6; k++)
      K[k][row] = -six[k]; /* minus the transpose */
  }
  if (!invert(K))
    return gradyn_fail(c->natural->message, GRADYN_SINGULAR,
                       "the forces of joint %s are not determined: its directions are degenerate",
                       tree_link_name(c, joint->link));
  memcpy(joint->by_load, K, sizeof K);
  return GRADYN_OK;
}

/* Those of all joints that are read, and inertias. */
static gradyn_status take_place(tree *c, const gradyn_mech_state *natural)
{
  tree_pressing *s = of(c);
  (void)tree_put_back(c, GRADYN_OK); /* with the points that these joints are at */
  c->mbs->lists = s->rows;
  const gradyn_status status = c->natural->ops->phi_q(c->natural, GRADYN_CONSTRAINT, 0, natural,
                                                      c->left.readings->J);
  c->mbs->lists = c->left.all.lists;
  tree_leave_out(c);
  GRADYN_TRY(status);
  for (int k = 0; k < s->joints; k++)
    GRADYN_TRY(find_joint(c, &s->of[k], c->left.readings->J));
  memset(s->own, 0, (size_t)c->links * sizeof *s->own);
  for (int i = 0; i < c->links; i++)
    tree_add_body(c, &c->link[i], &s->own[i]);
  return GRADYN_OK;
}

/* What goes through the joint of a link, all that hangs on it having been handed in, c->F. */
static void sum_load(const tree *c, const tree_link *link, double f[6])
{
  for (int k = 0; k < 3; k++) {
    f[k] = 0;
    f[3 + k] = c->F[link->own[0] + k];
  }
  for (int i = 1; i < TREE_VECTORS; i++) {
    double turn[3];
    mbs_cross(c->X[0] + link->own[i], c->F + link->own[i], turn);
    for (int k = 0; k < 3; k++)
      f[k] += turn[k];
  }
}

/* The state of the place, whose readers find w [numbers]; NULL: zeros. */
static void put_numbers(const tree *c, const double *w, gradyn_mech_state *natural)
{
  double *read = c->lam + tree_rows(c->natural);
  for (int k = 0; k < of(c)->numbers; k++)
    read[of(c)->row[k]] = w ? w[k] : 0;
  natural->read = read;
}

static gradyn_status begin(gradyn_mech *mech, const gradyn_mech_state *at, double *r, double *w)
{
  tree *c = (tree *)mech;
  const tree_pressing *s = of(c);
  gradyn_mech_state natural;
  tree_leave_out(c);
  tree_look(c, at, &(tree_sight){0, true, !r, false}, &natural);
  gradyn_status status = take_place(c, &natural);
  if (!r && c->left.rows > 0 && status == GRADYN_OK)
    status = c->natural->ops->phi_q(c->natural, GRADYN_CONSTRAINT, 0, &natural, c->J);
  if (!r)
    return tree_put_back(c, status);
  put_numbers(c, NULL, &natural);
  if (status == GRADYN_OK)
    status = tree_loads(c, GRADYN_FORCE | GRADYN_INERTIA, &natural);
  tree_pull(c, r);
  for (int k = 0; k < s->numbers; k++) {
    double f[6];
    w[k] = 0;
    if (s->joint[k] < 0)
      continue;
    const tree_read_joint *joint = &s->of[s->joint[k]];
    sum_load(c, &c->link[joint->link], f);
    for (int i = 0; i < 6; i++)
      w[k] += joint->by_load[s->joint_row[k]][i] * f[i];
  }
  return tree_put_back(c, status);
}

/* --- along and against ------------------------------------------------------------------------------ */

/* f += I a. */
GRADYN_KERNEL void weigh_body(const tree_share *S, const lane_six *a, lane_six *f)
{
  for (int k = 0; k < 3; k++)
    for (int l = 0; l < 3; l++) {
      f->e[k] += S->A[k][l] * a->e[l] + S->H[k][l] * a->e[3 + l];
      f->e[3 + k] += S->H[l][k] * a->e[l] + S->S[k][l] * a->e[3 + l];
    }
}

/* f += T^T F, and its transpose, dX = T c. */
GRADYN_KERNEL void load_body(const tree *c, const tree_link *link, const gradyn_lanes *F,
                             lane_six *f)
{
  for (int k = 0; k < 3; k++)
    f->e[3 + k] += F[link->own[0] + k];
  for (int i = 1; i < TREE_VECTORS; i++) {
    const double *axis = c->X[0] + link->own[i];
    for (int k = 0; k < 3; k++) {
      const int next = (k + 1) % 3, last = (k + 2) % 3;
      f->e[k] += axis[next] * F[link->own[i] + last] - axis[last] * F[link->own[i] + next];
    }
  }
}

GRADYN_KERNEL void move_body(const tree *c, const tree_link *link, const lane_six *a,
                             gradyn_lanes *dX)
{
  for (int k = 0; k < 3; k++)
    dX[link->own[0] + k] = a->e[3 + k];
  for (int i = 1; i < TREE_VECTORS; i++) {
    const double *axis = c->X[0] + link->own[i];
    for (int k = 0; k < 3; k++) {
      const int next = (k + 1) % 3, last = (k + 2) % 3;
      dX[link->own[i] + k] = a->e[next] * axis[last] - a->e[last] * axis[next];
    }
  }
}

/* Accelerations by y, into six. */
static GRADYN_WIDE void accelerate_bodies(const tree *c, const double *f, const gradyn_lanes *y)
{
  static const lane_six rest = {{{0}}};
  lane_six *body = (lane_six *)of(c)->six;
  for (int i = 0; i < c->links; i++) {
    const tree_link *link = &c->link[i];
    const double *arm = tree_arm_in(link, f), *b = arm + 3;
    hand_lanes_out(arm, link->parent >= 0 ? &body[link->parent] : &rest, &body[i]);
    for (int k = 0; k < link->k; k++)
      for (int r = 0; r < 6; r++)
        body[i].e[r] += b[6 * k + r] * y[link->z[k]];
  }
}

/* Six numbers of all bodies by what goes in through them; F: loads of rows that are left, NULL: none. */
static GRADYN_WIDE void load_bodies(const tree *c, const double *f, const gradyn_lanes *F)
{
  lane_six *body = (lane_six *)of(c)->six, *load = (lane_six *)c->own.six;
  memset(load, 0, (size_t)c->links * sizeof *load);
  for (int i = c->links - 1; i >= 0; i--) {
    const tree_link *link = &c->link[i];
    weigh_body(&of(c)->own[i], &body[i], &load[i]);
    if (F)
      load_body(c, link, F, &load[i]);
    if (link->parent >= 0)
      hand_lanes_in(tree_arm_in(link, f), &load[i], &load[link->parent]);
  }
}

static void along(gradyn_mech *mech, const double *f, const gradyn_lanes *y, gradyn_lanes *w)
{
  tree *c = (tree *)mech;
  const tree_pressing *s = of(c);
  const lane_six *load = (const lane_six *)c->own.six;
  const int N = c->natural->n, n = mech->n, rows = c->left.rows;
  accelerate_bodies(c, f, y);
  if (rows > 0) {
    memset(c->rows, 0, (size_t)(N + c->natural->m) * sizeof *c->rows);
    for (int i = 0; i < rows; i++)
      c->rows[N + c->row[i]] = y[n + i];
    gradyn_lanes_multiply_transposed(&c->natural->jac, c->natural->m, c->J, 1, c->rows + N,
                                     c->rows);
  }
  load_bodies(c, f, rows > 0 ? c->rows : NULL);
  for (int k = 0; k < s->numbers; k++) {
    w[k] = (gradyn_lanes){0};
    for (int i = 0; i < rows && s->joint[k] < 0; i++)
      if (c->row[i] == s->row[k])
        w[k] = y[n + i];
    if (s->joint[k] < 0)
      continue;
    const tree_read_joint *joint = &s->of[s->joint[k]];
    for (int i = 0; i < 6; i++)
      w[k] += joint->by_load[s->joint_row[k]][i] * load[joint->link].e[i];
  }
}

/* c = B c_p + what bars of the joint's multipliers make of it, into six. */
static GRADYN_WIDE void test_bodies(const tree *c, const double *f, const gradyn_lanes *w)
{
  const tree_pressing *s = of(c);
  static const lane_six rest = {{{0}}};
  lane_six *body = (lane_six *)s->six, *own = (lane_six *)c->own.six;
  memset(own, 0, (size_t)c->links * sizeof *own);
  for (int k = 0; k < s->numbers; k++)
    for (int i = 0; i < 6 && s->joint[k] >= 0; i++)
      own[s->of[s->joint[k]].link].e[i] += s->of[s->joint[k]].by_load[s->joint_row[k]][i] * w[k];
  for (int i = 0; i < c->links; i++) {
    const tree_link *link = &c->link[i];
    hand_lanes_out(tree_arm_in(link, f), link->parent >= 0 ? &body[link->parent] : &rest, &body[i]);
    for (int r = 0; r < 6; r++)
      body[i].e[r] += own[i].e[r];
  }
}

/* y = b^T f of all links. */
static GRADYN_WIDE void load_coordinates(const tree *c, const double *f, gradyn_lanes *y)
{
  const lane_six *load = (const lane_six *)c->own.six;
  for (int i = 0; i < c->links; i++) {
    const double *b = tree_arm_in(&c->link[i], f) + 3;
    for (int k = 0; k < c->link[i].k; k++)
      for (int r = 0; r < 6; r++)
        y[c->link[i].z[k]] += b[6 * k + r] * load[i].e[r];
  }
}

static void against(gradyn_mech *mech, const double *f, const gradyn_lanes *w, gradyn_lanes *y)
{
  tree *c = (tree *)mech;
  const tree_pressing *s = of(c);
  const int N = c->natural->n, n = mech->n, rows = c->left.rows;
  memset(y, 0, (size_t)(n + mech->m) * sizeof *y);
  test_bodies(c, f, w);
  load_bodies(c, f, NULL);
  load_coordinates(c, f, y);
  if (rows == 0)
    return;
  memset(c->rows, 0, (size_t)(N + c->natural->m) * sizeof *c->rows);
  for (int i = 0; i < c->links; i++)
    move_body(c, &c->link[i], &((const lane_six *)s->six)[i], c->rows);
  gradyn_lanes_multiply(&c->natural->jac, c->natural->m, c->J, 1, c->rows, c->rows + N);
  for (int i = 0; i < rows; i++) {
    y[n + i] = c->rows[N + c->row[i]];
    for (int k = 0; k < s->numbers; k++)
      if (s->row[k] == c->row[i])
        y[n + i] += w[k];
  }
}

/* --- loads ------------------------------------------------------------------------------------------ */

static gradyn_status load(gradyn_mech *mech, const gradyn_mech_state *at, const double *w,
                          double *tau, double *slope)
{
  tree *c = (tree *)mech;
  gradyn_mbs *m = c->mbs;
  const tree_pressing *s = of(c);
  gradyn_mech_state natural = {.t = at->t, .q = c->X[0], .v = c->X[1]};
  put_numbers(c, w, &natural);
  const mbs_view view = mbs_look_up_to(m, &natural, 1, GRADYN_FORCE);
  memset(tau, 0, (size_t)s->loads * sizeof *tau);
  memset(slope, 0, (size_t)(s->loads * s->numbers) * sizeof *slope);
  for (int r = 0; r < s->readers; r++) {
    const tree_reader *reader = &s->reader[r];
    const mbs_element *e = reader->e;
    double f[MBS_LOCAL], f_lam[MBS_READS * MBS_LOCAL];
    if (mbs_absent(m, e))
      continue;
    GRADYN_TRY(e->ops->force(m, e, &view, e->input, f));
    GRADYN_TRY(e->ops->force_lam(m, e, &view, e->input, f_lam));
    for (int i = 0; i < reader->loads; i++) {
      tau[reader->load[i]] += f[reader->local[i]];
      for (int k = 0; k < e->reading->count; k++)
        slope[reader->load[i] * s->numbers + reader->number[k]] +=
            f_lam[k * e->local + reader->local[i]];
    }
  }
  return GRADYN_OK;
}

gradyn_status tree_find_small(tree *c)
{
  const mbs_lists *l = &c->mbs->lists;
  bool serves = c->left.readings && !c->plane && c->mech.factors.numbers > 0;
  /* of a spherical joint's torques, which are zero, reactions hand none on and these passes all: off the
   * equations of motion, where derivatives are taken, these are different functions */
  for (int i = 0; i < c->links && serves; i++)
    serves = c->link[i].joint < 0 || c->link[i].norm < 0;
  if (!serves)
    return GRADYN_OK;
  tree_pressing *s = of(c);
  GRADYN_TRY(take_lists(c));
  for (int i = 0; i < l->readers && serves; i++)
    serves = take_reader(c, &l->forces.item[l->reader[i]], &s->reader[s->readers++]);
  if (!serves)
    return GRADYN_OK;
  GRADYN_TRY(list_rows(c));
  c->mech.factors.readings = (gradyn_mech_readings){.loads = s->loads,
                                                    .at = s->at,
                                                    .numbers = s->numbers,
                                                    .begin = begin,
                                                    .along = along,
                                                    .against = against,
                                                    .load = load};
  return GRADYN_OK;
}
