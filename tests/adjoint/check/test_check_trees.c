/* gradyn_evaluator_check() finds a factor 1 + 1e-6 in every pass over a tree of joints, for joints of every
 * kind. The contributions of a joint's coordinates and of its frames' data are enlarged in matrices,
 * products, factors and solves. The test takes every sixth pair of a pass and a kind of joint. If
 * GRADYN_ALL_PASSES is in the environment, it takes all (some 20 s). */
#include "tests/adjoint/check/planted.h"
#include "tests/adjoint/check/trees.h"
#include "tests/support.h"

typedef enum pass {
  NOTHING,
  RESIDUAL, /* a pass in, of values */
  TANGENT_K,
  TANGENT_C,
  TANGENT_M,
  ROWS,
  ROWS_RATE,
  ROWS_SECOND,
  ALONG_Q,
  ALONG_V,
  ALONG_DATA,
  AGAINST_Q,
  AGAINST_V,
  AGAINST_DATA,
  FACTOR,
  ENTER,
  LEAVE,
  WEIGH,
  PASSES
} pass;

/* The planted error: the pass, its coordinate z, and its data. */
static struct {
  pass in;
  int z, first, end;
  const gradyn_mech_ops *right;
} planted;

static const double more = PLANTED;

static bool is_datum(int k)
{
  return k >= planted.first && k < planted.end;
}

/* --- wrong passes ------------------------------------------------------------------------------------ */

static gradyn_status residual(gradyn_mech *mech, int parts, const gradyn_mech_state *at, double *r)
{
  const gradyn_status status = planted.right->residual(mech, parts, at, r);
  if (planted.in == RESIDUAL)
    r[planted.z] *= 1 + more;
  return status;
}

static void spoil_column(const gradyn_pattern *pattern, bool now, double *values)
{
  for (int k = 0; k < pattern->nnz && now; k++)
    if (pattern->col[k] == planted.z)
      values[k] *= 1 + more;
}

static gradyn_status tangent(gradyn_mech *mech, int parts, const gradyn_mech_state *at, double *K,
                             double *C, double *M)
{
  const gradyn_status status = planted.right->tangent(mech, parts, at, K, C, M);
  spoil_column(&mech->dyn, K && planted.in == TANGENT_K, K);
  spoil_column(&mech->dyn, C && planted.in == TANGENT_C, C);
  spoil_column(&mech->dyn, M && planted.in == TANGENT_M, M);
  return status;
}

static gradyn_status phi_q(gradyn_mech *mech, int parts, int order, const gradyn_mech_state *at,
                           double *values)
{
  const gradyn_status status = planted.right->phi_q(mech, parts, order, at, values);
  spoil_column(&mech->jac, (int)planted.in == ROWS + order, values);
  return status;
}

/* The part of a change that is enlarged; NULL: none. */
static const double *data_alone(const gradyn_mech *mech, int columns, const double *x)
{
  double *own = terms_zeros(columns * mech->nx);
  for (int k = 0; k < columns * mech->nx; k++)
    own[k] = is_datum(k % mech->nx) ? x[k] : 0;
  return own;
}

static gradyn_status along(gradyn_mech *mech, const gradyn_mech_point *look, int columns,
                           const gradyn_mech_change *d, gradyn_lanes *const *r)
{
  const gradyn_lanes *of = planted.in == ALONG_Q ? d->q : planted.in == ALONG_V ? d->v : NULL;
  const gradyn_status status = planted.right->along(mech, look, columns, d, r);
  const bool by_data = planted.in == ALONG_DATA && d->x;
  if (!of && !by_data)
    return status;
  gradyn_lanes *z = gradyn_lanes_create((size_t)mech->n), *to[GRADYN_MECH_TERMS];
  const size_t rows = (size_t)gradyn_mech_rows(mech, GRADYN_ALL_ROWS) + (size_t)mech->n;
  gradyn_mech_change own = {0};
  if (of)
    z[planted.z] = of[planted.z];
  own.q = planted.in == ALONG_Q ? z : NULL;
  own.v = planted.in == ALONG_V ? z : NULL;
  own.x = by_data ? data_alone(mech, columns, d->x) : NULL;
  for (int k = 0; k < look->terms; k++)
    to[k] = gradyn_lanes_create(rows);
  (void)planted.right->along(mech, look, columns, &own, to);
  for (int k = 0; k < look->terms; k++) {
    for (size_t i = 0; i < rows; i++)
      if (to[k][i][0] != 0)
        r[k][i] += more * to[k][i];
    free(to[k]);
  }
  free(z);
  free((void *)(uintptr_t)own.x);
  return status;
}

static gradyn_status against(gradyn_mech *mech, const gradyn_mech_point *look, int columns,
                             gradyn_lanes *const *mu, const gradyn_mech_adjoints *adjoints)
{
  gradyn_lanes *of = planted.in == AGAINST_Q   ? adjoints->q
                     : planted.in == AGAINST_V ? adjoints->v
                                               : NULL;
  const gradyn_lanes before = of ? of[planted.z] : (gradyn_lanes){0};
  const int count = planted.in == AGAINST_DATA && adjoints->x ? columns * mech->nx : 0;
  FREED double *kept = terms_zeros(count);
  if (count > 0)
    memcpy(kept, adjoints->x, (size_t)count * sizeof *kept);
  const gradyn_status status = planted.right->against(mech, look, columns, mu, adjoints);
  if (of)
    of[planted.z] += more * (of[planted.z] - before);
  for (int k = 0; k < count; k++)
    if (is_datum(k % mech->nx))
      adjoints->x[k] += more * (adjoints->x[k] - kept[k]);
  return status;
}

/* Enlarges the stored factors by different amounts. The first ones belong to the body nearest to the
 * leaves. */
static gradyn_status factor(gradyn_mech *mech, const gradyn_mech_state *at, double *f, double *S,
                            int *weak)
{
  const gradyn_status status = planted.right->factor(mech, at, f, S, weak);
  for (int k = 0; k < mech->factors.numbers && planted.in == FACTOR; k++)
    /* the same factor for all numbers would only change the unit */
    f[k] *= 1 + more * k / mech->factors.numbers;
  return status;
}

static void enter(gradyn_mech *mech, const double *f, gradyn_lanes *x)
{
  planted.right->enter(mech, f, x);
  if (planted.in == ENTER)
    x[planted.z] *= 1 + more;
}

static void leave(gradyn_mech *mech, const double *f, gradyn_lanes *x)
{
  planted.right->leave(mech, f, x);
  if (planted.in == LEAVE)
    x[planted.z] *= 1 + more;
}

static void weigh(gradyn_mech *mech, const gradyn_mech_state *at, const gradyn_lanes *x,
                  gradyn_lanes *y)
{
  const gradyn_lanes before = y[planted.z];
  planted.right->weigh(mech, at, x, y);
  if (planted.in == WEIGH)
    y[planted.z] += more * (y[planted.z] - before);
}

/* --- checking ---------------------------------------------------------------------------------------- */

/* Data whose names begin so. */
static void find_data(const terms_scene *s, const char *begin)
{
  planted.first = planted.end = -1;
  for (int i = 0; i < s->nx; i++)
    if (strncmp(s->model->entry[i].name, begin, strlen(begin)) == 0) {
      planted.first = planted.first < 0 ? i : planted.first;
      planted.end = i + 1;
    }
  assert_true(planted.first >= 0);
}

/* The first coordinate whose name begins with this text; -1: none. */
static int find_coordinate(const terms_scene *s, const char *begin)
{
  for (int i = 0; i < s->n; i++)
    if (strncmp(s->mech->coordinate_name(s->mech, i), begin, strlen(begin)) == 0)
      return i;
  return -1;
}

/* Returns whether the model has this pass: some need constraints, others a factorisation of the tree. */
static bool has(const terms_scene *s, pass in)
{
  return (in < ROWS || in > ROWS_SECOND || s->m > 0) &&
         (in < FACTOR || s->mech->factors.numbers > 0);
}

/* A fixed joint has data, but no coordinate. */
static void check_pass(terms_scene *s, pass in)
{
  bool named;
  planted.in = planted.z >= 0 || in == ALONG_DATA || in == AGAINST_DATA || in == FACTOR ? in
                                                                                        : NOTHING;
  if (!has(s, planted.in))
    return;
  const int failures = planted_check(s, false, planted.in ? "" : NULL, NULL, &named);
  if ((failures > 0) != (planted.in != NOTHING))
    fail_msg("joint of kind %d: %d items fail with a wrong pass %d", (int)trees_kind, failures,
             (int)planted.in);
}

static bool is_turn(pass in, int number)
{
  return (int)in % 6 == number % 6 || getenv("GRADYN_ALL_PASSES");
}

static void check_model(gradyn_build_fn build_it, const char *coordinate, int number, bool in_plane)
{
  terms_local s;
  terms_open_in(&s, build_it, "joint");
  gradyn_mech_ops wrong = *s.mech->ops;
  planted.right = s.mech->ops;
  wrong.residual = residual;
  wrong.tangent = tangent;
  wrong.phi_q = phi_q;
  wrong.along = along;
  wrong.against = against;
  wrong.factor = factor;
  wrong.enter = enter;
  wrong.leave = leave;
  wrong.weigh = weigh;
  s.mech->ops = &wrong;
  planted.z = find_coordinate(&s, coordinate);
  find_data(&s, "own.b.");
  for (pass in = NOTHING; in < PASSES; in++)
    if (is_turn(in, number))
      if (support_takes((int)in / 6 + in_plane, 2))
        check_pass(&s, in);
  planted.in = NOTHING;
  s.mech->ops = planted.right;
}

TEST(wrong_passes_over_joints_in_space_are_found)
{
  static const gradyn_joint_kind kinds[] = {GRADYN_FIXED,       GRADYN_REVOLUTE, GRADYN_PRISMATIC,
                                            GRADYN_CYLINDRICAL, GRADYN_SCREW,    GRADYN_UNIVERSAL,
                                            GRADYN_PLANAR,      GRADYN_SPHERICAL};
  for (size_t i = 0; i < GRADYN_COUNT(kinds); i += support_thorough() ? 1 : 2) {
    trees_kind = kinds[i];
    check_model(trees_build, "own.", (int)i, false);
  }
}

TEST(wrong_passes_in_the_plane_are_found)
{
  static const gradyn_joint_kind kinds[] = {GRADYN_FIXED, GRADYN_REVOLUTE, GRADYN_PRISMATIC};
  for (size_t i = 0; i < GRADYN_COUNT(kinds); i++) {
    trees_kind = kinds[i];
    check_model(trees_build_in_plane, "own.", (int)i, true);
    check_model(trees_build_in_plane, "rod.", (int)i + 3, true);
  }
}
