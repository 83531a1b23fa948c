/* Bushings. With the points a, b of two bodies, their base vectors e_i, g_i and cyclic (i, j, k), the
 * motions
 *   d = e_i.b - e_i.a    and    d = (e_k.g_j - e_j.g_k)/2
 * have the potential k d^2/2 and the dissipation c d'^2/2. The force is minus their derivative by positions
 * p and velocities: f = -(k d + c d') d_p, summed over the motions. */
#include <complex.h>
#include <stdio.h>
#include <string.h>

#include <gradyn/forces.h>

#include "core/model/declare.h"
#include "mbs/elements/formula.h"

enum { MOST_MOTIONS = 6, PARTS = 2 };

/* A motion: d = sum of weight u.w over two pairs (u, w) of the element's points a, e_1, .., b, g_1, ... */
typedef struct motion {
  struct {
    int u, w;
    double weight;
  } part[PARTS];
} motion;

/* Lists the motions: displacements along all axes, then the rotation about z, or in space rotations about
 * x, y and z. Returns their number. */
static int list_motions(int dim, motion *list)
{
  int a = 0, b = 1 + dim, count = 0;
  /* d = e_i.(b - a) */
  for (int i = 1; i <= dim; i++)
    list[count++] = (motion){{{i, b, 1}, {i, a, -1}}};
  for (int i = dim == 2 ? 2 : 0; i < 3; i++) {
    int j = 1 + (i + 1) % 3, k = 1 + (i + 2) % 3;                  /* j, k cyclic after i */
    list[count++] = (motion){{{k, b + j, 0.5}, {j, b + k, -0.5}}}; /* d = (e_k.g_j - e_j.g_k)/2 */
  }
  return count;
}

/* The force as a complex formula, with which tests compare the functions below. Data: stiffnesses k of all
 * motions, then their dampings c. */
static gradyn_status formula(gradyn_mbs *m, const mbs_element *e, const mbs_formula_arguments *s,
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
    gradyn_scalar pull = s->z[i] * d + s->z[count + i] * rate; /* k d + c d' */
    for (int c = 0; c < size; c++) {                           /* d_u = w, d_w = u */
      f[u[c]] -= weight[c] * pull * s->pos[w[c]];
      f[w[c]] -= weight[c] * pull * s->pos[u[c]];
    }
  }
  return GRADYN_OK;
}

/* A bushing is independent of velocities if all its dampings are zero. */
static bool still(const mbs_element *e, const double *data)
{
  for (int i = e->data_count / 2; i < e->data_count; i++) /* data: stiffnesses, then dampings */
    if (data[i] != 0)
      return false;
  return true;
}

/* One motion: its value d and rate d', its derivatives G = d_p by positions p of the element's points, and
 * G'. */
typedef struct measure {
  double d, rate, G[MBS_LOCAL], rate_G[MBS_LOCAL];
} measure;

/* a.b */
static double product(int dim, const double *a, const double *b)
{
  double sum = 0;
  for (int c = 0; c < dim; c++)
    sum += a[c] * b[c];
  return sum;
}

/* Computes a motion d = sum of weight u.w, and its derivatives: weight w by u, weight u by w. If vel is not
 * NULL, also computes the rates. */
static void take(const gradyn_mbs *m, const mbs_element *e, const motion *of, const double *pos,
                 const double *vel, measure *out)
{
  int dim = m->dim;
  memset(out, 0, sizeof *out);
  for (int p = 0; p < PARTS; p++) {
    int u = of->part[p].u, w = of->part[p].w, at_u = e->at[u], at_w = e->at[w];
    double weight = of->part[p].weight;
    out->d += weight * product(dim, pos + at_u, pos + at_w); /* d = sum of weight u.w */
    for (int c = 0; c < dim; c++) {
      out->G[dim * u + c] += weight * pos[at_w + c];
      out->G[dim * w + c] += weight * pos[at_u + c];
    }
    if (!vel)
      continue;
    /* d' = u'.w + u.w' */
    out->rate += weight *
                 (product(dim, vel + at_u, pos + at_w) + product(dim, pos + at_u, vel + at_w));
    for (int c = 0; c < dim; c++) {
      out->rate_G[dim * u + c] += weight * vel[at_w + c];
      out->rate_G[dim * w + c] += weight * vel[at_u + c];
    }
  }
}

/* f = -(k d + c d') G */
static gradyn_status force(gradyn_mbs *m, const mbs_element *e, const mbs_point_state *at,
                           const double *z, double *f)
{
  motion list[MOST_MOTIONS];
  int count = list_motions(m->dim, list);
  memset(f, 0, (size_t)e->local * sizeof *f);
  for (int i = 0; i < count; i++) {
    measure x;
    take(m, e, &list[i], at->pos, at->vel, &x);
    double pull = z[i] * x.d + z[count + i] * x.rate; /* k d + c d' */
    for (int r = 0; r < e->local; r++)
      f[r] -= pull * x.G[r];
  }
  return GRADYN_OK;
}

/* f_p = -G (k G + c G')^T - (k d + c d') G_p, f_v = -c G G^T. G_p has the entry `weight` for equal
 * components of u and w. */
static gradyn_status force_state(gradyn_mbs *m, const mbs_element *e, const mbs_point_state *at,
                                 const double *z, double *f_pos, double *f_vel)
{
  motion list[MOST_MOTIONS];
  int dim = m->dim, local = e->local, count = list_motions(dim, list);
  size_t bytes = (size_t)(local * local) * sizeof *f_pos;
  memset(f_pos, 0, bytes);
  if (f_vel)
    memset(f_vel, 0, bytes);
  for (int i = 0; i < count; i++) {
    measure x;
    take(m, e, &list[i], at->pos, at->vel, &x);
    /* -G (k G + c G')^T and -c G G^T */
    double k = z[i], c = z[count + i], pull = k * x.d + c * x.rate;
    for (int r = 0; r < local; r++)
      for (int s = 0; s < local; s++) {
        f_pos[local * r + s] -= x.G[r] * (k * x.G[s] + c * x.rate_G[s]);
        if (f_vel)
          f_vel[local * r + s] -= c * x.G[r] * x.G[s];
      }
    for (int p = 0; p < PARTS; p++) /* G_p: d is bilinear in u and w */
      for (int a = 0; a < dim; a++) {
        int u = dim * list[i].part[p].u + a, w = dim * list[i].part[p].w + a;
        f_pos[local * u + w] -= pull * list[i].part[p].weight;
        f_pos[local * w + u] -= pull * list[i].part[p].weight;
      }
  }
  return GRADYN_OK;
}

/* Derivatives of the force by k, -d G, and by c, -d' G. */
static gradyn_status force_input(gradyn_mbs *m, const mbs_element *e, const mbs_point_state *at,
                                 const double *z, double *f_z)
{
  (void)z;
  motion list[MOST_MOTIONS];
  int count = list_motions(m->dim, list);
  for (int i = 0; i < count; i++) {
    measure x;
    take(m, e, &list[i], at->pos, at->vel, &x);
    /* f = -(k d + c d') G: by stiffnesses, then by dampings */
    for (int r = 0; r < e->local; r++) {
      f_z[e->local * i + r] = -x.d * x.G[r];
      f_z[e->local * (count + i) + r] = -x.rate * x.G[r];
    }
  }
  return GRADYN_OK;
}

/* Potential U = sum of k d^2/2 over the motions. */
static gradyn_status energy(gradyn_mbs *m, const mbs_element *e, const mbs_point_state *at,
                            const double *z, double *U, double *g, double *U_z)
{
  motion list[MOST_MOTIONS];
  int count = list_motions(m->dim, list);
  *U = 0;
  if (g)
    memset(g, 0, (size_t)e->local * sizeof *g);
  for (int i = 0; i < count; i++) {
    measure x;
    take(m, e, &list[i], at->pos, NULL, &x);
    *U += z[i] * x.d * x.d / 2; /* k d^2/2 */
    for (int r = 0; r < e->local && g; r++)
      g[r] += z[i] * x.d * x.G[r]; /* k d G */
    if (U_z) {
      U_z[i] = x.d * x.d / 2;
      U_z[count + i] = 0;
    }
  }
  return GRADYN_OK;
}

static const mbs_element_ops bushing_ops = {.kind = "bushing",
                                            .force = force,
                                            .force_state = force_state,
                                            .force_input = force_input,
                                            .formula = formula,
                                            .still = still,
                                            .energy = energy};

/* --- declaration ------------------------------------------------------------------------------ */

/* Lists the data of each axis. In the plane, data of missing axes must be 0. */
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
      /* in the plane: displacements x, y and rotation z */
      bool turns = k % 2 == 1, absent = m->dim == 2 && (turns ? i < 2 : i == 2);
      if (absent && value[k][i] != 0) /* an error, because the value would be ignored */
        gradyn_build_error(m->model, "%s.%s is %g: a planar mechanism has no such motion", name,
                           label[k][i], creal(value[k][i]));
      if (absent)
        continue;
      mbs_check_not_negative(m, name, label[k][i], value[k][i]);
      *data++ = (gradyn_datum){label[k][i], unit[k], value[k][i]};
    }
}

/* Adds to the element the point of a body at the position of the bushing, and the body's base vectors. */
static void list_points(gradyn_mbs *m, const char *name, const char *which, const mbs_body *body,
                        const gradyn_bushing_spec *spec, mbs_element *e)
{
  char full[96];
  snprintf(full, sizeof full, "%s.%s", name, which);
  e->point[e->points++] = mbs_body_point(m, full, body, spec->position);
  for (int i = 0; i < m->dim; i++)
    e->point[e->points++] = body->point[1 + i];
}

/* Declares a bushing: springs and dampers in all directions between two bodies. */
int gradyn_bushing(gradyn_model *model, const gradyn_bushing_spec *spec)
{
  if (!gradyn_model_given(model, spec, "gradyn_bushing()"))
    return 0;
  gradyn_mbs *m = mbs_of(model);
  const char *name = gradyn_own_name(model, spec->name, "bushing");
  const mbs_body *a = mbs_check_body(m, name, spec->body_a);
  const mbs_body *b = a ? mbs_check_body(m, name, spec->body_b) : NULL;
  if (!b || !mbs_check_name(m, name))
    return 0;
  /* the two bodies must be different */
  if (a == b)
    gradyn_build_error(model, "%s joins the body %s with itself", name, a->name);
  mbs_element e = {.ops = &bushing_ops};
  gradyn_datum data[2 * MOST_MOTIONS];
  list_points(m, name, "a", a, spec, &e);
  list_points(m, name, "b", b, spec, &e);
  list_data(m, name, spec, data);
  return mbs_add_force(m, &e, name, data, m->dim == 2 ? 6 : 12);
}
