/* gradyn_evaluator_check() must find every wrong block. A factor 1 + 1e-6 is planted in one block of an
 * element at a time, for every kind of element, in the functions that all schemes call. An item that names
 * the element and the block must fail. */
#include "mbs/elements/inputs.h"
#include "tests/adjoint/check/planted.h"
#include "tests/support.h"

typedef enum block {
  NOTHING,
  FORCE_BY_POSITION,
  FORCE_BY_VELOCITY,
  FORCE_BY_INPUT,
  FORCE_BY_MULTIPLIER,
  PHI_Q,
  PHI_Q_RATE,
  PHI_Q_SECOND,
  PHI_BY_INPUT,
  PHI_RATE_BY_INPUT,
  PHI_SECOND_BY_INPUT,
  HESSIAN,
  PSI_BY_VELOCITY,
  PHI_Q_BY_INPUT,
  PAIRS_BY_DATA,
  BLOCKS
} block;

/* Each block, and the text of the item that finds it: "dR/dq", or "dR/dx" if data move points. */
static const struct {
  const char *name, *item;
} blocks[] = {{"nothing", ""},
              {"force_state, positions", "dR/d"},
              {"force_state, velocities", "dR/d"},
              {"force_input", "dR/d"},
              {"force_lam", "dR/dlam"},
              {"phi_q 0", "Phi"},
              {"phi_q 1", "Phi'"},
              {"phi_q 2", "Phi''"},
              {"phi_input 0", "dPhi/d"},
              {"phi_input 1", "dPhi'/d"},
              {"phi_input 2", "dPhi''/d"},
              {"hessian", "dR/d"},
              {"psi_v", "Phi''"},
              {"phi_q_input", "dR/d"},
              {"inertia by data", "dR/dx"}};

/* The planted error: the block, and the original functions. */
static struct {
  block in;
  const mbs_element_ops *right;
  const mbs_inertia_ops *inertia;
  bool present; /* the block has been evaluated and is not zero */
} planted;

static void spoil(block which, int count, double *x)
{
  for (int i = 0; i < count && which == planted.in; i++) {
    planted.present = planted.present || x[i] != 0;
    x[i] *= 1 + PLANTED;
  }
}

/* A copy of the element with its original functions. */
static mbs_element honest(const mbs_element *e)
{
  mbs_element h = *e;
  h.ops = planted.right;
  return h;
}

static gradyn_status force_state(gradyn_mbs *m, const mbs_element *e, const mbs_point_state *at,
                                 const double *z, double *f_pos, double *f_vel)
{
  const mbs_element h = honest(e);
  gradyn_status status = h.ops->force_state(m, &h, at, z, f_pos, f_vel);
  spoil(FORCE_BY_POSITION, h.local * h.local, f_pos);
  spoil(FORCE_BY_VELOCITY, f_vel ? h.local * h.local : 0, f_vel);
  return status;
}

static gradyn_status force_input(gradyn_mbs *m, const mbs_element *e, const mbs_point_state *at,
                                 const double *z, double *f_z)
{
  const mbs_element h = honest(e);
  gradyn_status status = h.ops->force_input(m, &h, at, z, f_z);
  spoil(FORCE_BY_INPUT, h.local * mbs_input_count(&h), f_z);
  return status;
}

static gradyn_status force_lam(gradyn_mbs *m, const mbs_element *e, const mbs_point_state *at,
                               const double *z, double *f_lam)
{
  const mbs_element h = honest(e);
  gradyn_status status = h.ops->force_lam(m, &h, at, z, f_lam);
  spoil(FORCE_BY_MULTIPLIER, h.local * h.reading->count, f_lam);
  return status;
}

static gradyn_status phi_q(gradyn_mbs *m, const mbs_element *e, const mbs_point_state *at,
                           const double *z, int order, double *g)
{
  const mbs_element h = honest(e);
  gradyn_status status = h.ops->phi_q(m, &h, at, z, order, g);
  spoil((block)(PHI_Q + order), h.local, g);
  return status;
}

static gradyn_status phi_input(gradyn_mbs *m, const mbs_element *e, const mbs_point_state *at,
                               const double *z, int order, double *phi_z)
{
  const mbs_element h = honest(e);
  gradyn_status status = h.ops->phi_input(m, &h, at, z, order, phi_z);
  spoil((block)(PHI_BY_INPUT + order), mbs_input_count(&h), phi_z);
  return status;
}

static gradyn_status hessian(gradyn_mbs *m, const mbs_element *e, const mbs_point_state *at,
                             const double *z, double *H)
{
  const mbs_element h = honest(e);
  gradyn_status status = h.ops->hessian(m, &h, at, z, H);
  spoil(HESSIAN, h.local * h.local, H);
  return status;
}

static gradyn_status psi_v(gradyn_mbs *m, const mbs_element *e, const mbs_point_state *at,
                           const double *z, double *g)
{
  const mbs_element h = honest(e);
  gradyn_status status = h.ops->psi_v(m, &h, at, z, g);
  spoil(PSI_BY_VELOCITY, h.local, g);
  return status;
}

static gradyn_status phi_q_input(gradyn_mbs *m, const mbs_element *e, const mbs_point_state *at,
                                 const double *z, double *g_z)
{
  const mbs_element h = honest(e);
  gradyn_status status = h.ops->phi_q_input(m, &h, at, z, g_z);
  spoil(PHI_Q_BY_INPUT, h.local * mbs_input_count(&h), g_z);
  return status;
}

static void slopes(const double *d, int divisions, double (*D)[MBS_INERTIA_PAIRS])
{
  planted.inertia->slopes(d, divisions, D);
  int points = planted.inertia->points, pairs = points * (points + 1) / 2;
  for (int k = 0; k < planted.inertia->data; k++)
    spoil(PAIRS_BY_DATA, pairs, D[k]);
}

/* Scalar products of free vectors have their own kernels for K, see test_check_places.c. Only products of
 * second derivatives are checked here. */
static bool has_kernels(const mbs_element_ops *ops)
{
  return ops == &mbs_dot_ops || ops == &mbs_square_ops;
}

/* Plants an error in one block. If the model has this block, the check must find the error and name it. */
static void check_block(terms_scene *s, const char *model, const char *element, block in)
{
  char who[120];
  bool named;
  snprintf(who, sizeof who, "%s: ", element);
  planted.in = in;
  planted.present = false;
  const char *item = in == HESSIAN && has_kernels(planted.right) ? NULL : blocks[in].item;
  int failures = planted_check(s, false, who, item, &named);
  if (planted.present && !named)
    fail_msg("%s: a wrong block (%s) of %s is not %s", model, blocks[in].name, element,
             failures > 0 ? "named" : "found");
  planted.in = NOTHING;
}

static void check_element(terms_scene *s, const char *model, mbs_element *e)
{
  static int turn;
  turn++;
  const mbs_element_ops *right = e->ops;
  mbs_element_ops wrong = *right;
  char who[100];
  snprintf(who, sizeof who, "%s %s", right->kind, e->name);
  planted.right = right;
  if (right->force) {
    wrong.force_state = force_state;
    wrong.force_input = force_input;
    wrong.mutual = NULL; /* as of those */
    wrong.force_lam = right->force_lam ? force_lam : NULL;
  } else {
    wrong.phi_q = phi_q;
    wrong.phi_input = phi_input;
    wrong.hessian = hessian;
    wrong.psi_v = right->psi_v ? psi_v : NULL;
    wrong.phi_q_input = phi_q_input;
  }
  e->ops = &wrong;
  for (block in = FORCE_BY_POSITION; in < PAIRS_BY_DATA; in++)
    if ((in < PHI_Q) == (right->force != NULL) &&
        !(e->source == MBS_FROM_POINT && in == PHI_SECOND_BY_INPUT)) /* no datum stands behind it */
      if (support_takes((int)in + turn, 7))
        check_block(s, model, who, in);
  e->ops = right;
}

static bool is_rod(const gradyn_mbs *m, int row)
{
  for (int i = 0; i < m->lists.rods; i++)
    if (m->lists.rod[i].row == row)
      return true;
  return false; /* these have their own kernels, see test_check_places.c */
}

/* Returns whether a mass is on the ground: it moves nothing, so its blocks have no effect. */
static bool on_ground(const gradyn_mbs *m, const mbs_inertia *e)
{
  for (int k = 0; k < e->ops->points; k++)
    if (!mbs_on_ground(m, e->point[k]))
      return false;
  return true;
}

/* Kinds of elements already checked: in the plane and in space, with free or attached points. */
static struct {
  const void *ops[100];
  int key[100], count;
} done;

static bool first_of(const void *ops, int key)
{
  for (int i = 0; i < done.count; i++)
    if (done.ops[i] == ops && done.key[i] == key)
      return false;
  assert_true(done.count < (int)GRADYN_COUNT(done.ops));
  done.ops[done.count] = ops;
  done.key[done.count++] = key;
  return true;
}

/* Elements count as different kinds if their inputs have different sources. */
static bool is_first(const gradyn_mbs *m, const mbs_element *e)
{
  return first_of(e->ops, m->dim + 10 * (int)e->when + 20 * (int)e->source +
                              100 * (e->slot != NULL) + 1000 * (e->reading != NULL));
}

static void check_model(const terms_model *model)
{
  terms_scene s;
  terms_open(&s, model->build);
  s.node.t = 0.7; /* between knots */
  gradyn_mbs *m = s.model->impl;
  bool named;
  assert_int_equal(planted_check(&s, false, NULL, NULL, &named), 0);
  for (int i = 0; i < m->constraints.count; i++)
    if (!is_rod(m, i) && is_first(m, &m->constraints.item[i]))
      check_element(&s, model->name, &m->constraints.item[i]);
  for (int i = 0; i < m->lists.forces.count; i++)
    if (is_first(m, &m->lists.forces.item[i]))
      check_element(&s, model->name, &m->lists.forces.item[i]);
  for (int i = 0; i < m->lists.inertias; i++) {
    if (on_ground(m, &m->lists.inertia[i]) || !first_of(m->lists.inertia[i].ops, m->dim))
      continue;
    const mbs_inertia_ops *right = m->lists.inertia[i].ops;
    mbs_inertia_ops wrong = *right;
    wrong.slopes = slopes;
    planted.inertia = right;
    m->lists.inertia[i].ops = &wrong;
    const char *datum = s.model->entry[m->lists.inertia[i].datum].name;
    char who[100];
    snprintf(who, sizeof who, "inertia %.*s", (int)(strrchr(datum, '.') - datum), datum);
    check_block(&s, model->name, who, PAIRS_BY_DATA);
    m->lists.inertia[i].ops = right;
  }
  terms_close(&s);
}

/* Small models; the last three, in space and with attached points, need some minutes. */
static const terms_model own[] = {
    {.name = "beams", .build = terms_beams},     {.name = "bodies", .build = terms_bodies},
    {.name = "rolling", .build = terms_rolling}, {.name = "beams_3d", .build = terms_beams_3d},
    {.name = "carried", .build = terms_carried}, {.name = "carried_3d", .build = terms_carried_3d}};
static bool thorough;

static void wrong_blocks_are_found(void **state)
{
  (void)state;
  for (size_t i = 0; i < (thorough ? GRADYN_COUNT(own) : 3); i++)
    check_model(&own[i]);
  for (int i = 0; i <= TERMS_DRIVEN; i++)
    check_model(&terms_models[i]);
}

/* With any argument, all models. */
int main(int argc, char **argv)
{
  (void)argv;
  thorough = argc > 1;
  const struct CMUnitTest tests[] = {cmocka_unit_test(wrong_blocks_are_found)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
