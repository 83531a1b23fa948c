/* gradyn_evaluator_check() names errors with every scheme: a factor 1 + 1e-6 in one block of a rod, a
 * force, an inertia and a functional of the five-bar linkage. A check builds the model again, so blocks are
 * wrong only while the check runs. */
#include "adjoint/evaluator/evaluator.h"
#include "tests/adjoint/ali3p_models.h"
#include "tests/adjoint/checked.h"
#include "tests/adjoint/check/planted.h"

typedef enum block { NOTHING, ROD, FORCE, INERTIA, FUNCTIONAL } block;

/* The planted error, and the original functions. */
static struct {
  block in;
  int row; /* of the rod */
  mbs_element *force;
  mbs_inertia *inertia;
  double (*D)[MBS_INERTIA_PAIRS]; /* of the inertia */
  const gradyn_mech_ops *mech;
  const mbs_element_ops *force_ops;
  const gradyn_functional_ops *functional;
} planted;

static gradyn_status force_input(gradyn_mbs *m, const mbs_element *e, const mbs_point_state *at,
                                 const double *z, double *f_z)
{
  GRADYN_TRY(planted.force_ops->force_input(m, e, at, z, f_z));
  for (int k = 0; k < e->local * mbs_input_count(e); k++)
    f_z[k] *= 1 + PLANTED;
  return GRADYN_OK;
}

/* The functions of the force, with one wrong block. */
static mbs_element_ops wrong_force;

static void spoil(void)
{
  if (planted.in == FORCE)
    planted.force->ops = &wrong_force;
  for (int k = 0; k < planted.inertia->ops->data && planted.in == INERTIA; k++)
    for (int i = 0; i < MBS_INERTIA_PAIRS; i++)
      planted.D[k][i] *= 1 + PLANTED;
}

static void repair(void)
{
  planted.force->ops = planted.force_ops;
  for (int k = 0; k < planted.inertia->ops->data && planted.in == INERTIA; k++)
    for (int i = 0; i < MBS_INERTIA_PAIRS; i++)
      planted.D[k][i] /= 1 + PLANTED;
}

/* Phi'_q of the rod. */
static gradyn_status phi_q(gradyn_mech *mech, int parts, int order, const gradyn_mech_state *at,
                           double *values)
{
  const int *start = mech->jac.start + planted.row;
  GRADYN_TRY(planted.mech->phi_q(mech, parts, order, at, values));
  for (int k = start[0]; k < start[1] && order == 1 && planted.in == ROD; k++)
    values[k] *= 1 + PLANTED;
  return GRADYN_OK;
}

static gradyn_status along(gradyn_mech *mech, const gradyn_mech_point *look, int columns,
                           const gradyn_mech_change *d, gradyn_lanes *const *r)
{
  spoil();
  gradyn_status status = planted.mech->along(mech, look, columns, d, r);
  repair();
  return status;
}

static gradyn_status against(gradyn_mech *mech, const gradyn_mech_point *look, int columns,
                             gradyn_lanes *const *mu, const gradyn_mech_adjoints *adjoints)
{
  spoil();
  gradyn_status status = planted.mech->against(mech, look, columns, mu, adjoints);
  repair();
  return status;
}

static gradyn_status value(gradyn_model *model, const gradyn_functional_entry *f,
                           const gradyn_sample *at, double *result)
{
  return planted.functional->value(model, f, at, result);
}

static gradyn_status gradient(gradyn_model *model, const gradyn_functional_entry *f,
                              const gradyn_sample *at, double weight,
                              const gradyn_gradient_out *out)
{
  const double factor = planted.in == FUNCTIONAL ? 1 + PLANTED : 1;
  return planted.functional->gradient(model, f, at, factor * weight, out);
}

/* Without a planted error no item fails. With one, an item fails whose name contains both texts. */
static void expect(gradyn_evaluator *ev, block in, const char *who, const char *what)
{
  checked out;
  int named = 0;
  planted.in = in;
  checked_run(ev, in != NOTHING, &out);
  for (size_t i = 0; i < out.count; i++)
    named += !out.item[i].passed && strstr(out.item[i].name, who) && strstr(out.item[i].name, what);
  if (in != NOTHING && named == 0)
    fail_msg("%s: a wrong block of %s (%s) is not named", ev->method->name, who, what);
}

static void wrong_blocks_are_named(const char *method)
{
  run_local *ev = ali3p_open(&(run_setup){.problem = &gradyn_problem_five_bar,
                                          .method = method,
                                          .t_end = support_thorough() ? 0.2 : 0.05});
  gradyn_mbs *m = ev->model->impl;
  gradyn_functional_entry *f = ev->model->functional;
  planted.mech = m->mech.ops;
  planted.row = m->lists.rod[1].row;
  planted.force = m->lists.forces.item;
  planted.force_ops = planted.force->ops;
  planted.inertia = m->lists.inertia;
  planted.D = planted.inertia->D;
  planted.functional = f->integrand;
  wrong_force = *planted.force_ops;
  wrong_force.force_input = force_input;
  wrong_force.mutual = NULL; /* as of those */
  gradyn_mech_ops mech = *planted.mech;
  mech.phi_q = phi_q;
  mech.along = along;
  mech.against = against;
  m->mech.ops = &mech;
  const gradyn_functional_ops functional = {value, gradient};
  f->integrand = &functional;
  expect(ev, NOTHING, "", "");
  expect(ev, ROD, m->constraints.item[planted.row].name, "Phi'_q");
  expect(ev, FORCE, planted.force->name, "dR/dx");
  expect(ev, INERTIA, "inertia ", "dR/dx");
  expect(ev, FUNCTIONAL, f->name, "/dy");
}

TEST(wrong_blocks_are_named_by_idas)
{
  wrong_blocks_are_named("idas");
}

THOROUGH_TEST(wrong_blocks_are_named_by_ali3p)
{
  wrong_blocks_are_named("ali3p");
}

THOROUGH_TEST(wrong_blocks_are_named_by_variational)
{
  wrong_blocks_are_named("variational");
}
