/* How many multiplications a stage of the motion takes in natural and in joint coordinates, about, by which
 * --coordinates auto chooses.
 *
 * In natural ones factors of the saddle matrix are made body by body, from the leaves: a body's twelve
 * coordinates, the six rows of its base vectors and those of its joint are pivots of a front that its
 * parent's coordinates border; what is no body's has a front of its own. In joint ones passes go over links;
 * where no factors over the tree serve, the matrix of coordinates and rows is formed and factorised in
 * full. */
#include "mbs/tree/choose.h"
#include "mbs/tree/reactions.h"

enum { BODY = 12, OTHER_PIVOTS = 1, NEIGHBOURS = 6 };

/* A link's part of a stage, alone and where rows are left, and for each column of the mass matrix, in
 * multiplications as those of fronts are counted. Chains of 1 to 64 bodies took 46 to 74 us for each body
 * and step of `explicit` in natural coordinates, 7 to 10 in joint ones; with the last point kept in a
 * plane 49 to 90 and 22 to 32. */
static const double link_cost = 2000, link_with_rows = 5000, column_cost = 15;

/* And for each coordinate that forces which read multipliers load, alone and by each link: with such friction
 * in each of 4, 7 and 14 joints a stage takes 3.4, 3.5 and 4.7 times what it takes without. */
static const double load_cost = 3500, load_by_link_cost = 270;

/* Factors of the whole that a stage takes where forces read multipliers: Newton's method there begins
 * without these forces. Of problems with friction in joints a simulation took 0.42, 0.87 and 0.47 of what
 * it takes in natural coordinates, by the count 0.58, 0.86 and 0.13. */
static const double factors_of_readers = 4;

/* Pivots of a front with a border: sum of (pivots + border - k)^2. */
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

/* How often a stage makes factors of the whole. */
static double factors_of(const tree *c)
{
  return c->natural->reader ? factors_of_readers : 1;
}

static double count_joint(const tree *c)
{
  const double links = c->links, m = c->left.rows, all = c->mech.n + c->mech.m;
  const double loads = c->mech.factors.readings.loads;
  const bool own = c->mech.factors.numbers > 0 && (!c->natural->reader || loads > 0);
  if (own) /* with a complement of the rows, and a column for each load by what is read */
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
