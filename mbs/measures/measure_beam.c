/* Measures of beams and of masses: deflection, axial stress at a node or at all nodes, length, mass.
 *
 * The strain of an element at xi, from mbs/beams/ancf.h, is eps along the axis and the curvature kappa. With
 * the reach h, the distance of the extreme fibre, stresses are E (+-eps + sqrt((h kappa)^2 + s^2)). A tiny
 * smoothing s makes them differentiable where a beam is straight. */
#include <complex.h>
#include <math.h>
#include <string.h>

#include "core/model/declare.h"
#include "mbs/beams/ancf.h"
#include "mbs/measures/measure.h"
#include "mbs/mechanism/assembly.h"

/* Meaning of `index` in gradyn_functional_entry. BEAM: the beam. AXIAL, BENDING: signs of the axial and of
 * the bending strain; AXIAL 0: both signs in turn. END: end e = 2 element + 0 or 1 of an element. If AXIAL
 * is 0, it is 2 e + 1, or 2 e for the reversed sign of the axial strain. */
enum { BEAM, AXIAL, BENDING, END };

/* Smoothing of bending strains, far below any strain of interest. Without it, the extreme fibre of a
 * straight beam, and the derivative of its stress, would not be defined. */
static const double straight = 1e-9;

/* Declares a measure of one beam; returns its id. *f is NULL in later builds. */
static int declare(gradyn_model *model, const char *name, const char *unit, int beam,
                   int components, gradyn_functional_entry **f)
{
  *f = NULL;
  gradyn_mbs *m = mbs_of(model);
  const mbs_beam *b = mbs_check_beam(m, name, beam);
  if (!b)
    return 0;
  const int number = gradyn_model_measure(model, name, unit, components, f);
  if (*f) {
    (*f)->index[BEAM] = (int)(b - m->parts.beam);
    (*f)->positions_only = (*f)->motion_only = (*f)->no_multipliers = true;
  }
  return gradyn_id(model, number);
}

/* --- deflection of the far end from the tangent at the near one ------------------------------- */

/* Arm a from the first node to the last, slope s at the first node. */
typedef struct tangent {
  int node[2], slope;
  double a[3], s[3], length;
} tangent;

/* Computes arm and slope. */
static tangent measure(const gradyn_mbs *m, const gradyn_functional_entry *f, const double *y)
{
  const mbs_beam *b = &m->parts.beam[f->index[BEAM]];
  tangent t = {.node = {m->parts.beam_point[b->first_node],
                        m->parts.beam_point[b->first_node + b->elements]},
               .slope = m->parts.beam_point[b->first_slope]};
  /* a: between the ends of the beam; s: tangent at the first node */
  for (int k = 0; k < m->dim; k++) {
    t.a[k] = mbs_component(m, t.node[1], 0, k, y) - mbs_component(m, t.node[0], 0, k, y);
    t.s[k] = mbs_component(m, t.slope, 0, k, y);
  }
  t.length = sqrt(t.s[0] * t.s[0] + t.s[1] * t.s[1] + t.s[2] * t.s[2]);
  return t;
}

/* Returns the component of a across the tangent t: in the plane t x a, positive to the left of t; in space
 * |a - (a.t) t|. by_a, by_s: its derivatives. */
static double deflect(const gradyn_mbs *m, const tangent *t, double *by_a, double *by_s)
{
  double u[3], along = 0, value, across[3];
  /* u = s/|s|, a.u */
  for (int k = 0; k < 3; k++) {
    u[k] = t->s[k] / t->length;
    along += t->a[k] * u[k];
  }
  /* u x a, with its derivative by a */
  if (m->dim == 2) {
    value = u[0] * t->a[1] - u[1] * t->a[0];
    across[0] = -u[1];
    across[1] = u[0];
  } else {
    /* |a - (a.u) u|, and the unit vector along it */
    double square = 0;
    for (int k = 0; k < 3; k++)
      square += (t->a[k] - along * u[k]) * (t->a[k] - along * u[k]);
    value = sqrt(square);
    for (int k = 0; k < 3; k++)
      across[k] = value > 0 ? (t->a[k] - along * u[k]) / value : 0;
  }
  for (int k = 0; k < m->dim; k++) {
    by_a[k] = across[k];
    by_s[k] = -along * across[k] /
              t->length; /* turning the tangent towards a reduces the deflection */
  }
  return value;
}

/* Deflection of the last node from the tangent at the first. */
static gradyn_status deflection(gradyn_model *model, const gradyn_functional_entry *f,
                                const gradyn_sample *at, double *value)
{
  const gradyn_mbs *m = model->impl;
  double by_a[3], by_s[3];
  tangent t = measure(m, f, at->y);
  *value = deflect(m, &t, by_a, by_s);
  return GRADYN_OK;
}

/* Adds the gradient with respect to the two ends and the slope. */
static gradyn_status deflection_gradient(gradyn_model *model, const gradyn_functional_entry *f,
                                         const gradyn_sample *at, double weight,
                                         const gradyn_gradient_out *out)
{
  const gradyn_mbs *m = model->impl;
  double by_a[3], by_s[3];
  tangent t = measure(m, f, at->y);
  deflect(m, &t, by_a, by_s);
  for (int k = 0; k < m->dim; k++) {
    /* a = last - first */
    mbs_component_bar(m, t.node[1], 0, k, weight * by_a[k], at->y, out);
    mbs_component_bar(m, t.node[0], 0, k, -weight * by_a[k], at->y, out);
    mbs_component_bar(m, t.slope, 0, k, weight * by_s[k], at->y, out);
  }
  return GRADYN_OK;
}

static const gradyn_functional_ops deflection_ops = {deflection, deflection_gradient};

/* Declares a measure of the deflection: the distance of the last node from the tangent at the first. */
int gradyn_measure_deflection(gradyn_model *model, const char *name, int beam)
{
  gradyn_functional_entry *f;
  const int number = declare(model, name, "m", beam, 1, &f);
  if (f)
    f->terminal = &deflection_ops;
  return number;
}

/* --- axial stress of the extreme fibres ------------------------------------------------------- */

/* Strains at one point of an element's axis. */
typedef struct fibre {
  const mbs_beam *beam;
  int point[4];
  mbs_ancf data;
  mbs_ancf_strain strain;
  double bend;  /* strain of the extreme fibre by bending */
  double reach; /* m */
} fibre;

/* Computes the strains of an element at xi. */
static void look(const gradyn_mbs *m, const mbs_beam *beam, int element, double xi, const double *y,
                 fibre *out)
{
  /* an element has four points: two positions, two slopes */
  const int *node = m->parts.beam_point + beam->first_node + element;
  const int *slope = m->parts.beam_point + beam->first_slope + element;
  const double *d = m->model->x + beam->datum;
  const int point[4] = {node[0], slope[0], node[1], slope[1]};
  double u[MBS_ANCF_MAX];
  out->beam = beam;
  memcpy(out->point, point, sizeof point);
  out->data = (mbs_ancf){.dim = m->dim, .l = d[MBS_BEAM_LENGTH] / beam->elements};
  out->data.E = d[MBS_BEAM_YOUNG]; /* strain needs E and l only */
  out->reach = d[MBS_BEAM_REACH];
  for (int k = 0; k < 4 * m->dim; k++)
    u[k] = mbs_component(m, point[k / m->dim], 0, k % m->dim, y);
  const mbs_ancf_ops *ops = beam->linear ? &mbs_ancf_linear : &mbs_ancf_full;
  ops->strain(&out->data, u, xi, &out->strain);
  /* sqrt((reach kappa)^2 + straight^2) */
  out->bend = sqrt(out->reach * out->reach * out->strain.kappa2 + straight * straight);
}

/* Stress E (axial eps + side bend), on the side that bending stretches (side 1) or compresses (-1). With
 * axial -1, the axial strain has the opposite sign. */
static double stress(const fibre *f, double axial, double side)
{
  return f->data.E * (axial * f->strain.eps + side * f->bend);
}

/* The adjoint of stress(): adds derivatives by the element's points, and by data. */
static void stress_bar(const gradyn_mbs *m, const fibre *f, double axial, double side,
                       double weight, const double *y, const gradyn_gradient_out *out)
{
  /* d bend/d kappa^2 */
  double E = f->data.E, by_kappa2 = side * f->reach * f->reach / (2 * f->bend);
  for (int k = 0; k < 4 * m->dim; k++) {
    double slope = axial * f->strain.eps_u[k] + by_kappa2 * f->strain.kappa2_u[k];
    /* E (axial eps_u + bend_u) */
    mbs_component_bar(m, f->point[k / m->dim], 0, k % m->dim, weight * E * slope, y, out);
  }
  if (!out->x_bar)
    return;
  double *bar = out->x_bar + f->beam->datum;
  bar[MBS_BEAM_LENGTH] += weight * E / f->beam->elements *
                          (axial * f->strain.eps_l + by_kappa2 * f->strain.kappa2_l);
  bar[MBS_BEAM_YOUNG] += weight * stress(f, axial, side) / E; /* derivative by E: the strain */
  /* bend_reach = reach kappa^2/bend */
  bar[MBS_BEAM_REACH] += weight * E * side * f->reach * f->strain.kappa2 / f->bend;
}

/* Computes the strains at the end of an element where a stress is evaluated. *axial: sign of the axial
 * strain. */
static void look_at_end(const gradyn_mbs *m, const gradyn_functional_entry *f, const double *y,
                        fibre *out, double *axial)
{
  const bool all = f->index[AXIAL] == 0; /* AXIAL 0: both signs in turn */
  const int end = all ? f->index[END] / 2 : f->index[END];
  *axial = !all ? f->index[AXIAL] : f->index[END] % 2 ? 1 : -1;
  look(m, &m->parts.beam[f->index[BEAM]], end / 2, end % 2, y, out);
}

static gradyn_status axial_stress(gradyn_model *model, const gradyn_functional_entry *f,
                                  const gradyn_sample *at, double *value)
{
  fibre at_end;
  double axial;
  look_at_end(model->impl, f, at->y, &at_end, &axial);
  *value = stress(&at_end, axial, f->index[BENDING]);
  return GRADYN_OK;
}

static gradyn_status axial_stress_gradient(gradyn_model *model, const gradyn_functional_entry *f,
                                           const gradyn_sample *at, double weight,
                                           const gradyn_gradient_out *out)
{
  fibre at_end;
  double axial;
  look_at_end(model->impl, f, at->y, &at_end, &axial);
  stress_bar(model->impl, &at_end, axial, f->index[BENDING], weight, at->y, out);
  return GRADYN_OK;
}

static const gradyn_functional_ops axial_stress_ops = {axial_stress, axial_stress_gradient};

/* Declares a measure of axial stress. It is E (eps + bend) in the fibre that bending stretches, and E
 * (eps - bend) in the other. |stress| is the larger of E (eps + bend) and E (-eps + bend). */
int gradyn_measure_stress(gradyn_model *model, const char *name, int beam, int node,
                          gradyn_fibre side)
{
  int point, slope;
  gradyn_mbs *m = mbs_of(model);
  const bool all = node == GRADYN_ALL_NODES, either = side == GRADYN_EITHER_FIBRE;
  if (!mbs_check_node(m, name, beam, all ? 0 : node, &point, &slope))
    return 0;
  if (side < GRADYN_STRETCHED || side > GRADYN_EITHER_FIBRE) {
    gradyn_build_error(model, "%s: there is no fibre %d", name, (int)side);
    return 0;
  }
  const int elements = mbs_check_beam(m, name, beam)->elements, signs = either ? 2 : 1;
  gradyn_functional_entry *f;
  const int number = declare(model, name, "Pa", beam, (all ? 2 * elements : 1) * signs, &f);
  if (!f)
    return number;
  /* The stress at a node is computed in the element that begins at the node; at the last node, in the last
   * element. */
  const int last = node == GRADYN_BEAM_END ? elements : node;
  f->index[END] = all ? 0 : signs * (last == elements ? 2 * elements - 1 : 2 * last);
  f->index[AXIAL] = either ? 0 : 1;
  f->index[BENDING] = side == GRADYN_SHORTENED ? -1 : 1;
  f->terminal = &axial_stress_ops;
  gradyn_measure_spread(model, f, END);
  return number;
}

/* --- length and mass: functions of data only -------------------------------------------------- */

/* Declares a measure of the length of the undeformed beam. */
int gradyn_measure_beam_length(gradyn_model *model, const char *name, int beam)
{
  gradyn_functional_entry *f;
  const int number = declare(model, name, "m", beam, 1, &f);
  if (f) {
    f->terminal = &gradyn_number_ops;
    f->datum = mbs_of(model)->parts.beam[f->index[BEAM]].datum + MBS_BEAM_LENGTH;
    f->data_only = true;
  }
  return number;
}

/* Sets a field of velocities: all points move along x with velocity 1, directions are at rest. The inertia
 * of this field is the mass. */
static void translate(gradyn_mbs *m, double *field)
{
  for (int i = 0; i < m->points; i++)
    for (int k = 0; k < mbs_axes(m, i); k++)
      field[m->point[i].offset + k] = k == 0 && !m->point[i].direction;
}

/* v^T M v with v a unit translation: the mass of all parts. */
static gradyn_status mass(gradyn_model *model, const gradyn_functional_entry *f,
                          const gradyn_sample *at, double *value)
{
  gradyn_mbs *m = model->impl;
  (void)f;
  (void)at;
  translate(m, m->mass.field);
  memset(m->full, 0, (size_t)m->full_size * sizeof *m->full);
  mbs_inertia_apply(m, false, m->mass.field, m->full);
  *value = 0;
  for (int i = 0; i < m->full_size; i++) /* v^T M v */
    *value += m->mass.field[i] * m->full[i];
  return GRADYN_OK;
}

/* v^T M_x v */
static gradyn_status mass_gradient(gradyn_model *model, const gradyn_functional_entry *f,
                                   const gradyn_sample *at, double weight,
                                   const gradyn_gradient_out *out)
{
  gradyn_mbs *m = model->impl;
  (void)f;
  (void)at;
  if (!out->x_bar)
    return GRADYN_OK;
  translate(m, m->mass.field);
  mbs_inertia_bars(m, GRADYN_INERTIA, weight, m->mass.field, m->mass.field,
                   out->x_bar); /* v^T M_x v */
  return GRADYN_OK;
}

static const gradyn_functional_ops mass_ops = {mass, mass_gradient};

/* Declares a measure of the mass of all parts of the mechanism. */
int gradyn_measure_mass(gradyn_model *model, const char *name)
{
  gradyn_functional_entry *f = NULL;
  if (!mbs_of(model))
    return 0;
  const int number = gradyn_model_measure(model, name, "kg", 1, &f);
  if (f) {
    f->terminal = &mass_ops;
    f->data_only = true;
  }
  return gradyn_id(model, number);
}
