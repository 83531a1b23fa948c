/* Functionals of beams and of masses: deflection, axial stress at a node and its smooth maximum over beam
 * and run, length, mass.
 *
 * The strain of an element at xi, from mbs/beams/ancf.h, is eps along the axis and the curvature kappa. With
 * the reach h, the distance of the extreme fibre, stresses are E (+-eps + sqrt((h kappa)^2 + s^2)). A tiny
 * smoothing s makes them differentiable where a beam is straight. The largest stress over beam and run is
 * the smooth maximum 1 + ln(mean of exp(k (sigma/allowed - 1)))/k. */
#include <complex.h>
#include <math.h>
#include <string.h>

#include "core/model/declare.h"
#include "mbs/beams/ancf.h"
#include "mbs/measures/measure.h"
#include "mbs/mechanism/assembly.h"
#include <gradyn/functionals.h>

enum { BEAM, NODE, SIDE }; /* meaning of gradyn_functional_entry.index */

/* Smoothing of bending strains, far below any strain of interest. Without bending the extreme fibre, and the
 * derivative of its stress, would not be defined. */
static const double straight = 1e-9;

/* Declares a functional of one beam; returns its number. *f is NULL in later builds. */
static int declare(gradyn_model *model, const char *name, const char *unit, int beam,
                   gradyn_functional_entry **f)
{
  *f = NULL;
  if (!mbs_check_beam(mbs_of(model), name, beam))
    return 0;
  int number = gradyn_model_functional(model, name, unit, f);
  if (*f)
    (*f)->index[BEAM] = beam;
  return number;
}

void mbs_check_instant(gradyn_model *model, const char *name, double instant)
{
  if (!(instant >= 0) || !isfinite(instant))
    gradyn_build_error(model, "functional %s: its instant is %g s, it must be a time of the run",
                       name, instant);
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

/* Component of a across the tangent t: in the plane t x a, positive to the left of t; in space |a - (a.t)
 * t|. by_a, by_s: derivatives. */
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
    by_s[k] = -along * across[k] / t->length; /* the tangent turns towards the arm */
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

/* By both ends and the slope. */
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

/* Distance of the last node from the tangent at the first. */
int gradyn_deflection(gradyn_model *model, const char *name, int beam, double instant)
{
  gradyn_functional_entry *f;
  int number = declare(model, name, "m", beam, &f);
  mbs_check_instant(model, name, instant);
  if (f) {
    f->terminal = &deflection_ops;
    f->instant = instant;
    f->positions_only = true;
  }
  return number;
}

/* --- axial stress of the extreme fibres ------------------------------------------------------- */

/* One end of one element. */
typedef struct fibre {
  const mbs_beam *beam;
  int point[4];
  mbs_ancf data;
  mbs_ancf_strain strain;
  double bend;  /* strain of the extreme fibre by bending */
  double reach; /* m */
} fibre;

/* Strain at xi of an element. */
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

/* Stress E (axial eps + side bend), on the side that bending stretches (side 1) or compresses (-1). axial
 * -1: with the opposite sign of the axial strain. */
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
  bar[MBS_BEAM_YOUNG] += weight * stress(f, axial, side) / E; /* by E: the strain */
  /* bend_reach = reach kappa^2/bend */
  bar[MBS_BEAM_REACH] += weight * E * side * f->reach * f->strain.kappa2 / f->bend;
}

/* Strain of the element that begins at the node. */
static void look_at_node(const gradyn_mbs *m, const gradyn_functional_entry *f, const double *y,
                         fibre *out)
{
  const mbs_beam *beam = &m->parts.beam[f->index[BEAM]];
  int node = f->index[NODE];
  bool last = node == beam->elements;
  /* the last node is the end of the last element */
  look(m, beam, last ? node - 1 : node, last ? 1 : 0, y, out);
}

/* Stress in the selected fibre. */
static gradyn_status node_stress(gradyn_model *model, const gradyn_functional_entry *f,
                                 const gradyn_sample *at, double *value)
{
  fibre position;
  look_at_node(model->impl, f, at->y, &position);
  *value = stress(&position, 1, f->index[SIDE]);
  return GRADYN_OK;
}

/* Adjoint of node_stress(). */
static gradyn_status node_stress_gradient(gradyn_model *model, const gradyn_functional_entry *f,
                                          const gradyn_sample *at, double weight,
                                          const gradyn_gradient_out *out)
{
  fibre position;
  look_at_node(model->impl, f, at->y, &position);
  stress_bar(model->impl, &position, 1, f->index[SIDE], weight, at->y, out);
  return GRADYN_OK;
}

static const gradyn_functional_ops node_stress_ops = {node_stress, node_stress_gradient};

/* Stress of a fibre at a node, due to axial strain and curvature. */
int gradyn_stress(gradyn_model *model, const char *name, int beam, int node, gradyn_fibre side,
                  double instant)
{
  int point, slope;
  gradyn_functional_entry *f;
  if (!mbs_check_node(mbs_of(model), name, beam, node, &point, &slope))
    return 0;
  int number = declare(model, name, "Pa", beam, &f);
  mbs_check_instant(model, name, instant);
  if (f) {
    /* GRADYN_BEAM_END is the last node */
    f->index[NODE] = node == GRADYN_BEAM_END ? mbs_of(model)->parts.beam[beam].elements : node;
    f->index[SIDE] = side == GRADYN_STRETCHED ? 1 : -1;
    f->terminal = &node_stress_ops;
    f->instant = instant;
    f->positions_only = true;
  }
  return number;
}

/* --- smooth maximum of the magnitude over the beam and the run -------------------------------- */

void mbs_check_sharpness(gradyn_model *model, const char *name, double sharpness)
{
  const double sharpest = 600; /* exp(-sharpest) is still a number */
  if (!(sharpness > 0) || sharpness > sharpest)
    gradyn_build_error(model,
                       "%s: the sharpness is %g: it must be positive and at most %g, or the "
                       "exponentials of small values vanish",
                       name, sharpness, sharpest);
}

/* The magnitude of the stress is the larger of E (eps + bend) and E (-eps + bend). Both take part, at both
 * ends of all elements. */
static gradyn_status largest_stress(gradyn_model *model, const gradyn_functional_entry *f,
                                    const gradyn_sample *at, double *value)
{
  const gradyn_mbs *m = model->impl;
  const mbs_beam *beam = &m->parts.beam[f->index[BEAM]];
  double allowed = model->x[f->datum], share = 0;
  *value = 0;
  /* both ends of each element, both signs of the axial strain */
  for (int k = 0; k < 2 * beam->elements; k++) {
    fibre position;
    look(m, beam, k / 2, k % 2, at->y, &position);
    for (int axial = -1; axial <= 1; axial += 2) {
      double part = stress(&position, axial, 1) / allowed;
      share = fmax(share, part);
      *value += exp(f->outer.sharpness * (part - 1)); /* exp(sharpness (stress/allowed - 1)) */
    }
  }
  if (isinf(*value))
    return gradyn_fail(
        &model->message, GRADYN_NON_FINITE,
        "functional %s: the stress is %g times the allowed one at t = %g s: too much "
        "for a sharpness of %g",
        f->name, share, at->t, f->outer.sharpness);
  return GRADYN_OK;
}

/* Sum of the gradients of all terms. */
static gradyn_status largest_stress_gradient(gradyn_model *model, const gradyn_functional_entry *f,
                                             const gradyn_sample *at, double weight,
                                             const gradyn_gradient_out *out)
{
  const gradyn_mbs *m = model->impl;
  const mbs_beam *beam = &m->parts.beam[f->index[BEAM]];
  double allowed = model->x[f->datum];
  for (int k = 0; k < 2 * beam->elements; k++) {
    fibre position;
    look(m, beam, k / 2, k % 2, at->y, &position);
    for (int axial = -1; axial <= 1; axial += 2) {
      double share = stress(&position, axial, 1) / allowed;
      /* d exp = sharpness exp d(stress)/allowed */
      double bar = weight * f->outer.sharpness * exp(f->outer.sharpness * (share - 1)) / allowed;
      stress_bar(m, &position, axial, 1, bar, at->y, out);
      if (out->x_bar)
        out->x_bar[f->datum] -= bar * share; /* -stress/allowed^2 */
    }
  }
  return GRADYN_OK;
}

static const gradyn_functional_ops largest_stress_ops = {largest_stress, largest_stress_gradient};

/* Smooth maximum over ends of elements and time, relative to the allowed stress. */
int gradyn_largest_stress(gradyn_model *model, const char *name, int beam, gradyn_scalar allowed,
                          double sharpness)
{
  gradyn_functional_entry *f;
  if (!mbs_of(model))
    return 0;
  int number = declare(model, name, "", beam, &f);
  int datum = gradyn_model_datum(model, name, "allowed", "Pa", allowed);
  if (!(creal(allowed) > 0))
    gradyn_build_error(model, "%s.allowed is %g Pa: it must be positive", name, creal(allowed));
  mbs_check_sharpness(model, name, sharpness);
  if (f) {
    f->datum = datum;
    f->outer.sharpness = sharpness;
    f->outer.shift =
        1; /* integrands are relative to the allowed stress, so that they do not overflow */
    f->integrand = &largest_stress_ops;
    f->positions_only = true;
  }
  return number;
}

/* --- length and mass: functions of data only -------------------------------------------------- */

/* Length of the undeformed beam. */
int gradyn_beam_length(gradyn_model *model, const char *name, int beam)
{
  gradyn_functional_entry *f;
  int number = declare(model, name, "m", beam, &f);
  if (f) {
    f->terminal = &gradyn_number_ops;
    f->datum = mbs_of(model)->parts.beam[beam].datum + MBS_BEAM_LENGTH;
    f->data_only = true;
  }
  return number;
}

/* A unit velocity of all points along x, directions at rest; its inertia is the mass. */
static void translate(gradyn_mbs *m, double *field)
{
  for (int i = 0; i < m->points; i++)
    for (int k = 0; k < mbs_axes(m, i); k++)
      field[m->point[i].offset + k] = k == 0 && !m->point[i].direction; /* unit velocity along x */
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

/* Mass of all parts of the mechanism. */
int gradyn_mass(gradyn_model *model, const char *name)
{
  gradyn_functional_entry *f = NULL;
  if (!mbs_of(model))
    return 0;
  int number = gradyn_model_functional(model, name, "kg", &f);
  if (f) {
    f->terminal = &mass_ops;
    f->data_only = true;
  }
  return number;
}
