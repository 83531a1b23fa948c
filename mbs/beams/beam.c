/* Flexible beams: meshes of two-noded elements of the absolute nodal coordinate formulation between two
 * points. Element equations are in mbs/beams/ancf.h.
 *
 * An element has four points, two positions and two slopes, and uses the beam's data. Its force f(u, u') is
 * in ancf_full.c or ancf_linear.c, with l = L/divisions; its mass matrix is constant, with pair
 * coefficients. Neighbouring elements share a node, so that a mesh needs no constraints. Nodes are initially
 * on the straight line between the beam's ends. */
#include <complex.h>
#include <math.h>
#include <string.h>

#include "core/model/declare.h"
#include "mbs/beams/ancf.h"
#include "mbs/elements/mechanism.h"
#include "mbs/elements/rebuild.h"

/* --- element ---------------------------------------------------------------------------------- */

/* Data of one element; z: data of the whole beam. */
static mbs_ancf element_of(const gradyn_mbs *m, int divisions, const double *z)
{
  return (mbs_ancf){.dim = m->dim,
                    .l = z[MBS_BEAM_LENGTH] / divisions,
                    .E = z[MBS_BEAM_YOUNG],
                    .A = z[MBS_BEAM_AREA],
                    .I2 = z[MBS_BEAM_SECOND_MOMENT],
                    .eta = z[MBS_BEAM_DAMPING]};
}

/* The model of the elastic force of an element, full or linear. */
static const mbs_ancf_ops *model_of(const mbs_element *e)
{
  return e->ops == &mbs_beam_ops ? &mbs_ancf_full : &mbs_ancf_linear;
}

/* Copies u = (r_i, s_i, r_j, s_j), the positions r and slopes s of an element's nodes i, j, from a full
 * array. */
static void gather(const gradyn_mbs *m, const mbs_element *e, const double *full, double *u)
{
  /* position and slope of each node */
  for (int k = 0; k < 4; k++)
    for (int c = 0; c < m->dim; c++)
      *u++ = full[e->at[k] + c];
}

/* f(u, u'). */
static gradyn_status force(gradyn_mbs *m, const mbs_element *e, const mbs_point_state *at,
                           const double *z, double *f)
{
  double u[MBS_ANCF_MAX], v[MBS_ANCF_MAX];
  const mbs_ancf b = element_of(m, e->divisions, z);
  gather(m, e, at->pos, u);
  gather(m, e, at->vel, v);
  model_of(e)->force(&b, u, v, f);
  return GRADYN_OK;
}

/* Derivatives of the force: f_u and, unless f_vel is NULL, f_u'. */
static gradyn_status force_state(gradyn_mbs *m, const mbs_element *e, const mbs_point_state *at,
                                 const double *z, double *f_pos, double *f_vel)
{
  double u[MBS_ANCF_MAX], v[MBS_ANCF_MAX], capacity[MBS_ANCF_MAX * MBS_ANCF_MAX];
  const mbs_ancf b = element_of(m, e->divisions, z);
  gather(m, e, at->pos, u);
  gather(m, e, at->vel, v);
  /* force_state() of the model always writes f_u', so it needs an array */
  model_of(e)->force_state(&b, u, v, f_pos, f_vel ? f_vel : capacity);
  return GRADYN_OK;
}

/* Whether the force is independent of velocities: only internal damping depends on them. */
static bool still(const mbs_element *e, const double *data)
{
  (void)e;
  return data[MBS_BEAM_DAMPING] == 0;
}

/* Derivatives of the force by the beam's data before the density; later data do not change the force. */
static gradyn_status force_input(gradyn_mbs *m, const mbs_element *e, const mbs_point_state *at,
                                 const double *z, double *f_z)
{
  double u[MBS_ANCF_MAX], v[MBS_ANCF_MAX];
  const mbs_ancf b = element_of(m, e->divisions, z);
  gather(m, e, at->pos, u);
  gather(m, e, at->vel, v);
  model_of(e)->force_data(&b, u, v, f_z);
  /* z has the length of the whole beam, L = divisions l */
  for (int i = 0; i < e->local; i++)
    f_z[i] /= e->divisions; /* d/dL = d/dl / divisions */
  return GRADYN_OK;
}

/* Strain energy, with its derivatives. */
static gradyn_status energy(gradyn_mbs *m, const mbs_element *e, const mbs_point_state *at,
                            const double *z, double *U, double *g, double *U_z)
{
  double u[MBS_ANCF_MAX], U_u[MBS_ANCF_MAX], U_data[MBS_ANCF_DATA];
  const mbs_ancf b = element_of(m, e->divisions, z);
  gather(m, e, at->pos, u);
  *U = model_of(e)->energy(&b, u, U_u, U_data);
  U_data[MBS_ANCF_L] /= e->divisions; /* derivative by the length of the whole beam */
  if (g)
    memcpy(g, U_u, (size_t)e->local * sizeof *g);
  if (U_z)
    memcpy(U_z, U_data, sizeof U_data);
  return GRADYN_OK;
}

const mbs_element_ops mbs_beam_ops = {.kind = "beam",
                                      .force = force,
                                      .force_state = force_state,
                                      .force_input = force_input,
                                      .still = still,
                                      .energy = energy};

static const mbs_element_ops linear_beam_ops = {.kind = "linear beam",
                                                .force = force,
                                                .force_state = force_state,
                                                .force_input = force_input,
                                                .still = still,
                                                .energy = energy};

/* --- inertia ---------------------------------------------------------------------------------- */

/* Pair coefficients of an element's mass matrix, rho A int S^T S dx. */
static void pairs(const double *d, int divisions, double *c)
{
  /* all elements of a beam are equal */
  mbs_ancf_mass(d[MBS_BEAM_LENGTH] / divisions, d[MBS_BEAM_DENSITY], d[MBS_BEAM_AREA], c);
}

/* Derivatives of the pair coefficients by the beam's data. */
static void slopes(const double *d, int divisions, double (*D)[MBS_INERTIA_PAIRS])
{
  double by[3][MBS_INERTIA_PAIRS];
  mbs_ancf_mass_data(d[MBS_BEAM_LENGTH] / divisions, d[MBS_BEAM_DENSITY], d[MBS_BEAM_AREA], by);
  /* l = L / divisions */
  memset(D, 0, (MBS_BEAM_DENSITY + 1) * sizeof *D);
  for (int j = 0; j < MBS_INERTIA_PAIRS; j++) {
    D[MBS_BEAM_LENGTH][j] = by[0][j] / divisions;
    D[MBS_BEAM_DENSITY][j] = by[1][j];
    D[MBS_BEAM_AREA][j] = by[2][j];
  }
}

static const mbs_inertia_ops inertia_ops = {4, MBS_BEAM_DENSITY + 1, pairs, slopes, NULL};

/* --- declarations ----------------------------------------------------------------------------- */

/* Reports a build error unless the value is positive. */
static void check_positive(gradyn_model *model, const char *name, const char *what,
                           gradyn_scalar value)
{
  if (!(creal(value) > 0))
    gradyn_build_error(model, "%s.%s is %g: it must be positive", name, what, creal(value));
}

/* Declares the data of a beam, in the order of MBS_BEAM_LENGTH and the constants after it; returns the
 * first. */
static int declare_data(gradyn_mbs *m, const char *name, const gradyn_beam_spec *spec,
                        gradyn_scalar length)
{
  const gradyn_datum data[MBS_BEAM_DATA] = {{"length", "m", length},
                                            {"young", "Pa", spec->young},
                                            {"area", "m^2", spec->section.area},
                                            {"second_moment", "m^4", spec->section.second_moment},
                                            {"damping", "s", spec->damping},
                                            {"density", "kg/m^3", spec->density},
                                            {"reach", "m", spec->section.reach}};
  /* damping and reach may be zero */
  for (int k = 0; k < MBS_BEAM_DATA; k++)
    if (k != MBS_BEAM_DAMPING && k != MBS_BEAM_REACH)
      check_positive(m->model, name, data[k].name, data[k].value);
  mbs_check_not_negative(m, name, "damping", spec->damping);
  mbs_check_not_negative(m, name, "reach", spec->section.reach);
  return gradyn_model_data(m->model, name, data, MBS_BEAM_DATA);
}

/* Adds a point to the list of beam points (first build), or compares it (later builds). */
static void note_point(gradyn_mbs *m, const char *beam, int point)
{
  int k = m->parts.beam_point_cursor++;
  if (m->model->finalised) {
    if (k < m->parts.beam_points)
      mbs_compare_node(m, beam, m->parts.beam_point[k], point);
    return;
  }
  gradyn_model_append(m->model, &m->parts.beam_point, &m->parts.beam_points, sizeof point, &point);
}

/* omega x r. */
static void turn(const gradyn_scalar w[3], const gradyn_scalar r[3], gradyn_scalar out[3])
{
  for (int k = 0; k < 3; k++) /* (w x r)_k */
    out[k] = w[(k + 1) % 3] * r[(k + 2) % 3] - w[(k + 2) % 3] * r[(k + 1) % 3];
}

/* The line on which the nodes lie initially. */
typedef struct line {
  gradyn_scalar start[3], whole[3], length;
  int point[2]; /* the points at its ends */
} line;

/* The line between the end points of a beam in the present build(), with its length. */
static line measure(const gradyn_mbs *m, const int end_point[2])
{
  line l = {{0}, {0}, 0, {end_point[0], end_point[1]}};
  gradyn_scalar end[3], square = 0;
  mbs_initial_position(m, end_point[0], l.start);
  mbs_initial_position(m, end_point[1], end);
  for (int k = 0; k < m->dim; k++) {
    l.whole[k] = end[k] - l.start[k];
    square += l.whole[k] * l.whole[k];
  }
  l.length = csqrt(square); /* complex: the length may depend on parameters */
  return l;
}

/* Declares the slope of node k, or its position. End nodes are the given points, which exist already. */
static void declare_node(gradyn_mbs *m, const char *name, const gradyn_beam_spec *spec,
                         const line *l, int k, bool slope)
{
  gradyn_scalar position[3] = {0}, arm[3] = {0}, velocity[3];
  /* end points are declared already; slopes are always new */
  bool end = k == 0 || k == spec->elements;
  if (!slope && end) {
    note_point(m, name, l->point[k != 0]);
    return;
  }
  double share = (double)k / spec->elements;
  /* the beam starts straight: slopes are unit vectors along the line, nodes have equal distances */
  for (int c = 0; c < m->dim; c++) {
    arm[c] = slope ? l->whole[c] / l->length : share * l->whole[c];
    position[c] = slope ? arm[c] : l->start[c] + arm[c];
  }
  /* the beam starts as a rigid body: nodes have v + omega x arm, slopes omega x slope */
  turn(spec->omega, arm, velocity);
  for (int c = 0; c < m->dim && !slope; c++)
    velocity[c] += spec->velocity[c];
  const char *full = gradyn_format_name(m->model, slope ? "%s.slope%d" : "%s.%d", name, k);
  const mbs_point prototype = {.kind = MBS_MOVING, .direction = slope};
  int point = mbs_add_point(m, full, &prototype, position);
  mbs_set_velocity(m, point, velocity);
  note_point(m, name, point);
}

/* Adds forces and inertias of all elements, which share the beam's data. */
static void declare_elements(gradyn_mbs *m, const char *name, const gradyn_beam_spec *spec,
                             const mbs_beam *beam)
{
  bool different = beam->first_slope + beam->elements >=
                   /* This build() has declared more points than the first one. */
                   m->parts.beam_points;
  /* if `different`, an error has been reported before */
  for (int k = 0; k < beam->elements && !m->model->exhausted && !different; k++) {
    const int *node = m->parts.beam_point + beam->first_node + k;
    const int *slope = m->parts.beam_point + beam->first_slope + k;
    mbs_element e = {.ops = spec->linear ? &linear_beam_ops : &mbs_beam_ops,
                     .points = 4,
                     .point = {node[0], slope[0], node[1], slope[1]},
                     .datum = beam->datum,
                     .data_count = MBS_BEAM_DENSITY,
                     .divisions = beam->elements};
    int number;
    mbs_add_element(m, &m->lists.forces, &e, name, &number);
    mbs_add_inertia(m, &inertia_ops, e.point, beam->datum, beam->elements);
  }
}

/* Stores the beam in the first build; returns its id. */
static int store(gradyn_mbs *m, const char *name, const mbs_beam *beam)
{
  /* a beam has the same number in each build */
  int number = m->parts.beam_cursor++;
  if (m->model->finalised)
    return gradyn_id(m->model, number);
  mbs_beam *own = gradyn_model_append(m->model, &m->parts.beam, &m->parts.beams, sizeof *own, beam);
  if (own)
    own->name = gradyn_model_copy_name(m->model, name);
  return own ? gradyn_id(m->model, number) : 0;
}

/* Declares a beam: a mesh of elements between two points. */
int gradyn_beam(gradyn_model *model, const gradyn_beam_spec *spec)
{
  if (!gradyn_model_given(model, spec, "gradyn_beam()"))
    return 0;
  gradyn_mbs *m = mbs_of(model);
  const char *name = gradyn_own_name(model, spec->name, "beam");
  int end[2];
  if (!m || !mbs_take_point(m, name, spec->from, &end[0]) ||
      !mbs_take_point(m, name, spec->to, &end[1]) || !mbs_check_name(m, name))
    return 0;
  if (spec->elements < 1 || spec->elements > 1000000) {
    gradyn_build_error(model, "%s has %d elements: it needs 1 to 1000000", name, spec->elements);
    return 0;
  }
  line l = measure(m, end);
  mbs_beam beam = {.elements = spec->elements, .linear = spec->linear};
  beam.datum = declare_data(m, name, spec, l.length);
  if (!(creal(l.length) > 0))
    return 0; /* length 0 gives no direction: nodes would only cause further errors */
  beam.first_node = m->parts.beam_point_cursor;
  beam.first_slope = beam.first_node + spec->elements + 1;
  /* all positions first, then all slopes */
  for (int pass = 0; pass < 2; pass++)
    for (int k = 0; k <= spec->elements && !model->exhausted; k++)
      declare_node(m, name, spec, &l, k, pass == 1);
  declare_elements(m, name, spec, &beam);
  /* a beam is stored only with all its nodes */
  return model->exhausted ? 0 : store(m, name, &beam);
}

const mbs_beam *mbs_check_beam(gradyn_mbs *m, const char *element, int beam)
{
  const int k = !m ? -1
                   : gradyn_index(m->model, element, "beam", beam,
                                  gradyn_declared(m->parts.beam_cursor, m->parts.beams));
  return k < 0 ? NULL : &m->parts.beam[k];
}

bool mbs_check_node(gradyn_mbs *m, const char *element, int beam, int node, int *point, int *slope)
{
  const mbs_beam *b = mbs_check_beam(m, element, beam);
  if (!b)
    return false;
  int k = node == GRADYN_BEAM_END ? b->elements : node; /* counted from the start of the beam */
  if (k < 0 || k > b->elements) {
    gradyn_build_error(m->model, "%s: beam %s has no node %d (0 to %d)", element, b->name, node,
                       b->elements);
    return false;
  }
  *point = m->parts.beam_point[b->first_node + k];
  *slope = m->parts.beam_point[b->first_slope + k];
  return true;
}

int gradyn_beam_node(gradyn_model *model, int beam, int node)
{
  int point, slope;
  const bool exists = mbs_check_node(mbs_of(model), "a node of a beam", beam, node, &point, &slope);
  return exists ? gradyn_id(model, point) : 0;
}

int gradyn_beam_slope(gradyn_model *model, int beam, int node)
{
  int point, slope;
  const bool exists = mbs_check_node(mbs_of(model), "a slope of a beam", beam, node, &point,
                                     &slope);
  return exists ? gradyn_id(model, slope) : 0;
}
