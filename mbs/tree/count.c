/* Approximate number of multiplications of a stage of the motion in natural and in joint coordinates;
 * --coordinates auto compares them.
 *
 * In natural coordinates, the saddle matrix is factorised body by body, from the leaves. The pivots of a
 * front are a body's twelve coordinates, the constraints of its base vectors (six) and of its joint. The
 * coordinates of the parent border the front. Other unknowns have fronts of their own. In joint coordinates,
 * passes run over links. If the tree has no factors, the matrix of coordinates and constraints is formed and
 * factorised in full. */
#include "mbs/tree/choose.h"
#include "mbs/tree/reactions.h"

enum { BODY = 12, OTHER_PIVOTS = 1, NEIGHBOURS = 6 };

/* Costs in multiplications. link_cost: of a link in a stage; link_with_rows: with remaining constraints;
 * column_cost: of each column of the mass matrix at a link. Chains of 1 to 64 bodies took 46 to 74 us for
 * each body and step of `explicit` in natural coordinates, and 7 to 10 in joint ones. With the last point
 * constrained to a plane, they took 49 to 90 and 22 to 32. */
static const double link_cost = 2000, link_with_rows = 5000, column_cost = 15;

/* Additional cost for each coordinate on which multiplier-dependent forces act, alone and for each link.
 * With such friction in each of 4, 7 and 14 joints, a stage takes 3.4, 3.5 and 4.7 times its cost
 * without. */
static const double load_cost = 3500, load_by_link_cost = 270;

/* Number of complete factorisations of a stage with multiplier-dependent forces: Newton's method there
 * begins without these forces. Simulations of problems with friction in joints took 0.42, 0.87 and 0.47 of
 * their time in natural coordinates; the count predicts 0.58, 0.86 and 0.13. */
static const double factors_of_readers = 4;

/* Cost of a front: sum of (pivots + border - k)^2 over its pivots. */
static double front(int pivots, int border)
{
  double sum = 0;
  for (int k = 1; k <= pivots; k++)
    sum += (double)(pivots + border - k) * (pivots + border - k);
  return sum;
}

static double count_natural(const tree *c)
{
  int others = c->natural->n + c->natural->m;
  double sum = 0;
  for (int i = 0; i < c->links; i++) {
    const int pivots = BODY + c->reaction[i].rows;
    sum += front(pivots, c->link[i].joint >= 0 ? BODY : 0);
    others -= pivots;
  }
  return sum + others * front(OTHER_PIVOTS, NEIGHBOURS);
}

/* Number of complete factorisations of a stage. */
static double factors_of(const tree *c)
{
  return c->natural->reader ? factors_of_readers : 1;
}

static double count_joint(const tree *c)
{
  const double links = c->links, m = c->left.rows, all = c->mech.n + c->mech.m;
  const double loads = c->mech.factors.readings.loads;
  const bool own = c->mech.factors.numbers > 0 && (!c->natural->reader || loads > 0);
  if (own) /* with a complement of the constraints, and a column for each load by multipliers */
    return (m == 0 ? link_cost : link_with_rows) * links + m * m * m / 3 +
           (load_cost + load_by_link_cost * links) * loads;
  const double whole = column_cost * c->mech.n * links + all * all * all / 3;
  return link_with_rows * links + factors_of(c) * whole;
}

void tree_count_operations(const gradyn_model *model, double count[2])
{
  const tree *c = (const tree *)model->mech;
  count[0] = c->plane ? 0 : factors_of(c) * count_natural(c);
  count[1] = c->plane ? 0 : count_joint(c);
}
