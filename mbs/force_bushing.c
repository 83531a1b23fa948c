/* Bushings. With the places a, b in two bodies, their base vectors e_i, g_i and cyclic (i, j, k), the motions
 *   d = e_i.b - e_i.a    and    d = (e_k.g_j - e_j.g_k)/2
 * have the potential k d^2/2 and the dissipation c d'^2/2, of whose derivatives by positions and by
 * velocities the force is the opposite: f = -(k d + c d') d_p, summed over the motions. */
#include <complex.h>
#include <stdio.h>
#include <string.h>

#include <gradyn/bushing.h>

#include "mbs/formula.h"

enum { MOST_MOTIONS = 6, PARTS = 2 };

/* d = sum of weight u.w over two pairs of the element's points a, e_1, .., b, g_1, .. */
typedef struct motion {
  struct {
    int u, w;
    double weight;
  } part[PARTS];
} motion;

/* Displacements along all axes, then rotations about z, or about x, y and z. */
static int list_motions(int dim, motion *list)
{
  int a = 0, b = 1 + dim, count = 0;
  for (int i = 1; i <= dim; i++)
    list[count++] = (motion){{{i, b, 1}, {i, a, -1}}};
  for (int i = dim == 2 ? 2 : 0; i < 3; i++) {
    int j = 1 + (i + 1) % 3, k = 1 + (i + 2) % 3;
    list[count++] = (motion){{{k, b + j, 0.5}, {j, b + k, -0.5}}};
  }
  return count;
}

/* Data: the stiffness k of each motion, then the damping c of each. */
static gradyn_status formula(gradyn_mbs *m, const mbs_element *e, const mbs_scene *s,
                             gradyn_scalar *f)
{
  motion list[MOST_MOTIONS];
  int count = list_motions(m->dim, list), size = PARTS * m->dim;
  memset(f, 0, (size_t)e->local * sizeof *f);
  for (int i = 0; i < count; i++) {
    int u[PARTS * 3], w[PARTS * 3];
    double weight[PARTS * 3];
    gradyn_scalar d = 0, rate = 0;
    for (int c = 0; c < size; c++) { /* d = u.w, d' = u'.w + u.w' */
      u[c] = m->dim * list[i].part[c / m->dim].u + c % m->dim;
      w[c] = m->dim * list[i].part[c / m->dim].w + c % m->dim;
      weight[c] = list[i].part[c / m->dim].weight;
      d += weight[c] * s->pos[u[c]] * s->pos[w[c]];
      rate += weight[c] * (s->vel[u[c]] * s->pos[w[c]] + s->pos[u[c]] * s->vel[w[c]]);
    }
    gradyn_scalar pull = s->z[i] * d + s->z[count + i] * rate;
    for (int c = 0; c < size; c++) { /* d_u = w, d_w = u */
      f[u[c]] -= weight[c] * pull * s->pos[w[c]];
      f[w[c]] -= weight[c] * pull * s->pos[u[c]];
    }
  }
  return GRADYN_OK;
}

static bool still(const mbs_element *e, const double *data)
{
  for (int i = e->data_count / 2; i < e->data_count; i++)
    if (data[i] != 0)
      return false;
  return true;
}

/* U is linear in the stiffnesses and homogeneous of degree 4 in positions p, each d being of degree 2: hence
 * 4 U = p.U_p, with U_p the opposite of the force without damping. */
static gradyn_status energy(gradyn_mbs *m, const mbs_element *e, const mbs_view *at,
                            const double *z, double *U, double *g, double *U_z)
{
  int count = e->data_count / 2;
  mbs_scene s;
  gradyn_scalar f[MBS_LOCAL];
  mbs_set_scene(m, e, at, z, 0, &s);
  *U = 0;
  if (g)
    memset(g, 0, (size_t)e->local * sizeof *g);
  for (int i = 0; i < count; i++) {
    double by_stiffness = 0;
    for (int k = 0; k < e->data_count; k++)
      s.z[k] = k == i;
    formula(m, e, &s, f);
    for (int k = 0; k < e->local; k++) {
      by_stiffness -= creal(s.pos[k] * f[k]) / 4;
      if (g)
        g[k] -= z[i] * creal(f[k]);
    }
    *U += z[i] * by_stiffness;
    if (U_z) {
      U_z[i] = by_stiffness;
      U_z[count + i] = 0;
    }
  }
  return GRADYN_OK;
}

static const mbs_element_ops bushing_ops = {
    .kind = "bushing", MBS_FORMULA_OPS(formula), .still = still, .energy = energy};

/* --- declaration ------------------------------------------------------------------------------ */

/* One number of the spec for each axis; in the plane, axes it does not have must be left out. */
static void list_data(gradyn_mbs *m, const char *name, const gradyn_bushing_spec *spec,
                      gradyn_datum *data)
{
  static const char *const label[4][3] = {
      {"stiffness_x", "stiffness_y", "stiffness_z"},
      {"torsion_x", "torsion_y", "torsion_z"},
      {"damping_x", "damping_y", "damping_z"},
      {"torsion_damping_x", "torsion_damping_y", "torsion_damping_z"}};
  static const char *const unit[4] = {"N/m", "N m/rad", "N s/m", "N m s/rad"};
  const gradyn_scalar *value[4] = {spec->stiffness, spec->torsion, spec->damping,
                                   spec->torsion_damping};
  for (int k = 0; k < 4; k++)
    for (int i = 0; i < 3; i++) {
      bool turns = k % 2 == 1, absent = m->dim == 2 && (turns ? i < 2 : i == 2);
      if (absent && value[k][i] != 0)
        gradyn_build_error(m->model, "%s.%s is %g: a planar mechanism has no such motion", name,
                           label[k][i], creal(value[k][i]));
      if (absent)
        continue;
      mbs_check_not_negative(m, name, label[k][i], value[k][i]);
      *data++ = (gradyn_datum){label[k][i], unit[k], value[k][i]};
    }
}

/* A place in a body, and its base vectors. */
static void list_points(gradyn_mbs *m, const char *name, const char *which, const mbs_body *body,
                        const gradyn_bushing_spec *spec, mbs_element *e)
{
  char full[96];
  snprintf(full, sizeof full, "%s.%s", name, which);
  e->point[e->points++] = mbs_body_point(m, full, body, spec->position);
  for (int i = 0; i < m->dim; i++)
    e->point[e->points++] = body->point[1 + i];
}

void gradyn_bushing(gradyn_model *model, const gradyn_bushing_spec *spec)
{
  if (!gradyn_model_given(model, spec, "gradyn_bushing()"))
    return;
  gradyn_mbs *m = mbs_of(model);
  const char *name = spec->name ? spec->name : "bushing";
  const mbs_body *a = mbs_check_body(m, name, spec->body_a);
  const mbs_body *b = a ? mbs_check_body(m, name, spec->body_b) : NULL;
  if (!b || !mbs_check_name(m, name))
    return;
  if (a == b)
    gradyn_build_error(model, "%s joins the body %s with itself", name, a->name);
  mbs_element e = {.ops = &bushing_ops, .data_count = m->dim == 2 ? 6 : 12};
  gradyn_datum data[2 * MOST_MOTIONS];
  list_points(m, name, "a", a, spec, &e);
  list_points(m, name, "b", b, spec, &e);
  list_data(m, name, spec, data);
  e.datum = gradyn_model_data(model, name, data, e.data_count);
  int number;
  mbs_add_element(m, &m->forces, &e, name, &number);
}
