/* Links, loops, bodies, forces and functionals of random mechanisms. */
#include "tests/declare.h"
#include "tests/drawn/mechanism_draft.h"
#include "tests/random.h"
#include "tests/support.h"

#include <complex.h>
#include <math.h>
#include <stdio.h>

/* --- functions of the user's ------------------------------------------------------------------ */

static gradyn_status push(const gradyn_at *at, gradyn_scalar force[])
{
  const gradyn_scalar *d = at->data, x = at->pos[0] / d[2], v = at->vel[1] / d[3];
  force[0] = d[0] * (sin(x) - 0.3 * at->vel[0] / d[3]);
  force[1] = -d[1] * v * sqrt(v * v + 0.1);
  return GRADYN_OK;
}

/* Constrains a point to an ellipse (in space: a cylinder) of the size data[0]; data[1] is constant. */
static gradyn_status wire(const gradyn_at *at, int order, gradyn_scalar *value)
{
  const gradyn_scalar *q = at->pos, *v = at->vel, *a = at->acc, R = at->data[0], C = at->data[1];
  const mechanism *m = &mechanism_drawn;
  double off1 = m->fault == FAULT_VELOCITY ? m->planted : 0;
  double off2 = m->fault == FAULT_ACCELERATION ? m->planted : 0;
  if (order == 0)
    *value = (q[0] * q[0] + 2 * q[1] * q[1] - C) / R;
  else if (order == 1)
    *value = 2 * ((1 + off1) * q[0] * v[0] + 2 * q[1] * v[1]) / R;
  else
    *value = 2 * (v[0] * v[0] + q[0] * a[0] + 2 * (1 + off2) * (v[1] * v[1] + q[1] * a[1])) / R;
  return GRADYN_OK;
}

/* Index of the first coordinate of the first link's end, which functionals read. */
static int looked_at;

static gradyn_status integrand(const gradyn_at *at, gradyn_scalar *value)
{
  const gradyn_scalar *d = at->data;
  gradyn_scalar x = at->pos[looked_at] / d[0], v = at->vel[looked_at] / d[1];
  *value = x * v + v * v + 0.1 * at->acc[looked_at + 1] * d[0] / (d[1] * d[1]);
  return GRADYN_OK;
}

static gradyn_status terminal(const gradyn_at *at, gradyn_scalar *value)
{
  const gradyn_scalar *d = at->data;
  gradyn_scalar x = at->pos[looked_at] / d[0];
  if (mechanism_drawn.fault == FAULT_FUNCTIONAL)
    x = (1 - mechanism_drawn.planted) * x + mechanism_drawn.planted * creal(x);
  *value = x + cos(at->pos[looked_at + 1] / d[0]) * at->vel[looked_at + 1] / d[1];
  return GRADYN_OK;
}

static gradyn_status height(const gradyn_at *at, gradyn_scalar *value)
{
  gradyn_scalar y = at->pos[looked_at + 1] / at->data[0];
  *value = y * y + at->pos[looked_at] / at->data[0];
  return GRADYN_OK;
}

/* --- links ------------------------------------------------------------------------------------ */

static void declare_spring(mechanism_draft *d, const char *name, int a, int b, double length)
{
  double k = d->M / (d->T * d->T);
  gradyn_spring_spec spec = {.name = name, .from = a, .to = b};
  spec.k = draft_vary(d, draft_range(d, 5, 50) * k);
  spec.c = draft_vary(d, draft_range(d, 0, 2) * k * d->T);
  spec.free_length = draft_vary(d, 0.9 * length * d->L);
  spec.signal = d->signal > 0 && draft_one_in(d, 2) ? d->signal : 0;
  gradyn_spring(d->m, &spec);
}

static void declare_rod(mechanism_draft *d, const char *name, int a, int b, double length)
{
  gradyn_rod_spec spec = {.name = name, .from = a, .to = b};
  spec.length = draft_one_in(d, 4) ? 0 : draft_vary(d, length * d->L);
  spec.mass = draft_vary(d, draft_range(d, 0.3, 2) * d->M);
  if (draft_one_in(d, 3)) {
    spec.own_inertia = true;
    spec.com = draft_vary(d, 0.4 * length * d->L);
    spec.inertia = draft_vary(d, 0.05 * d->M * d->L * d->L);
  }
  d->constraint = gradyn_rod(d->m, &spec);
}

/* A beam that is soft enough for the steps of a campaign. */
static void declare_beam(mechanism_draft *d, const char *name, int a, int b)
{
  double density = 0.3 * d->M / (3e-4 * pow(d->L, 3)), E = 3e6 * d->M / (d->L * d->T * d->T);
  gradyn_beam_spec spec = {.name = name, .from = a, .to = b, .elements = 1};
  spec.section = gradyn_section_tube(draft_vary(d, 0.02 * d->L), 0);
  spec.young = draft_vary(d, E);
  spec.density = draft_vary(d, density);
  spec.damping = draft_vary(d, 0.01 * d->T);
  d->beam = gradyn_beam(d->m, &spec);
}

void draft_link(mechanism_draft *d, int i)
{
  const double *from = i > 0 ? d->place[i - 1] : d->start[0];
  int a = i > 0 ? d->point[i - 1] : d->ground[0], b = d->point[i];
  double length = draft_distance(from, d->place[i]);
  char name[16], mass[16];
  (void)snprintf(name, sizeof name, "L%d", i);
  (void)snprintf(mass, sizeof mass, "m%d", i);
  int kind = random_choice(&d->random, 7);
  if (kind < 4) {
    declare_rod(d, name, a, b, length);
    return;
  }
  if (kind == 4) {
    gradyn_time_function law = {.value = draft_vary(d, length * d->L),
                                .rate = draft_vary(d, 0.1 * d->L / d->T)};
    law.amplitude = draft_vary(d, 0.05 * d->L);
    law.frequency = draft_vary(d, 3 / d->T);
    d->constraint = gradyn_distance(d->m, name, a, b, &law);
  } else if (kind == 5 && d->beams && d->beam < 0) {
    declare_beam(d, name, a, b);
  } else {
    declare_spring(d, name, a, b, length);
  }
  gradyn_point_mass(d->m, mass, b, draft_vary(d, draft_range(d, 0.3, 2) * d->M));
}

/* Draws a loop, a body at the end, a point along a link, or a wire for a bead. */
void draft_extras(mechanism_draft *d)
{
  int last = d->point[d->links - 1];
  double *p = d->place[d->links - 1], length = draft_distance(p, d->start[1]);
  double LL = d->L * d->L;
  if (d->links > 2 && draft_one_in(d, 4))
    declare_rod(d, "close", last, d->ground[1], length);
  else if (draft_one_in(d, 2))
    declare_spring(d, "back", last, d->ground[1], length);
  if (draft_one_in(d, 4)) {
    gradyn_body_spec body = {.name = "B", .mass = draft_vary(d, 1.2 * d->M)};
    for (int k = 0; k < 3; k++) {
      body.centre[k] = (p[k] + (k == 0 ? 0.3 : k == 1 ? -0.2 : 0)) * d->L;
      body.inertia[k] = draft_vary(d, (0.08 + 0.02 * k) * d->M * LL);
    }
    body.omega[2] = draft_vary(d, draft_range(d, -1, 1) / d->T);
    int b = d->space ? gradyn_body_3d(d->m, &body) : gradyn_body(d->m, &body);
    int at = d->space ? gradyn_body_point_3d(d->m, b, "Bp", p[0] * d->L, p[1] * d->L, p[2] * d->L)
                      : gradyn_body_point(d->m, b, "Bp", p[0] * d->L, p[1] * d->L);
    gradyn_pin(d->m, "pin", last, at);
  }
  if (d->links > 1 && draft_one_in(d, 4)) {
    int between = gradyn_point_between(d->m, "between", d->point[0], d->point[1],
                                       draft_vary(d, 0.3));
    declare_spring(d, "side", between, d->ground[1], 1);
  }
  if (mechanism_drawn.fault != FAULT_NONE || draft_one_in(d, 4)) {
    const double place[] = {0.8, 0.4, 0};
    int bead = draft_point(d, "bead", place, true);
    gradyn_scalar R = draft_vary(d, d->L);
    gradyn_point_mass(d->m, "bead", bead, draft_vary(d, d->M));
    gradyn_custom_constraint_spec spec = {.name = "wire",
                                          .points = &bead,
                                          .point_count = 1,
                                          .fn = wire,
                                          .data = (gradyn_datum[]){{"R", "m", R}, {"C", "m^2", LL}},
                                          .data_count = 2};
    gradyn_custom_constraint(d->m, &spec);
  }
}

void draft_forces(mechanism_draft *d)
{
  double force = d->M * d->L / (d->T * d->T);
  if (draft_one_in(d, 5))
    return;
  if (d->space)
    gradyn_gravity_3d(d->m, draft_vary(d, 0.1), draft_vary(d, -9.81), 0);
  else
    gradyn_gravity(d->m, draft_vary(d, 0.1), draft_vary(d, -9.81));
  if (draft_one_in(d, 3)) {
    gradyn_datum data[] = {{"a", "N", draft_vary(d, 2 * force)},
                           {"b", "N", draft_vary(d, 0.4 * force)},
                           {"L", "m", d->L},
                           {"V", "m/s", d->L / d->T}};
    gradyn_custom_force_spec spec = {.name = "push",
                                     .points = d->point,
                                     .point_count = 1,
                                     .fn = push,
                                     .data = data,
                                     .data_count = 4};
    gradyn_custom_force(d->m, &spec);
  }
  if (draft_one_in(d, 3)) {
    gradyn_force_spec spec = {.name = "f", .point = d->point[d->links - 1]};
    spec.fx = d->signal > 0 ? draft_vary(d, 2) : draft_vary(d, 2 * force);
    spec.signal = d->signal;
    gradyn_force(d->m, &spec);
  }
  if (draft_one_in(d, 4))
    gradyn_dashpot(d->m, "dashpot", d->point[0], d->ground[1],
                   draft_vary(d, 0.7 * force * d->T / d->L));
  if (draft_one_in(d, 4) && !d->space) {
    gradyn_torque_spec spec = {.name = "torque", .from = d->ground[0], .to = d->point[0]};
    spec.torque = draft_vary(d, 1.5 * force * d->L);
    spec.c = draft_vary(d, 0.2 * force * d->L * d->T);
    gradyn_torque(d->m, &spec);
  }
}

void draft_functionals(mechanism_draft *d)
{
  int last = d->point[d->links - 1], first = d->point[0];
  gradyn_datum data[] = {{"L", "m", draft_vary(d, d->L)}, {"V", "m/s", draft_vary(d, d->L / d->T)}};
  looked_at = first * (d->space ? 3 : 2);
  gradyn_custom_functional_spec own = {.name = "own",
                                       .unit = "",
                                       .integrand = integrand,
                                       .terminal = terminal,
                                       .data = data,
                                       .data_count = 2};
  gradyn_custom_functional_spec top = {
      .name = "top", .unit = "", .integrand = height, .data = data, .data_count = 1};
  if (d->space) {
    gradyn_functional(
        d->m, &(gradyn_functional_spec){
                  "position", gradyn_measure_point(d->m, "", last, 0, GRADYN_ALL_AXES),
                  .reduction = GRADYN_SQUARE_INTEGRAL, .target = {0.5 * d->L, -0.5 * d->L, 0}});
    gradyn_functional(
        d->m, &(gradyn_functional_spec){"acceleration",
                                        gradyn_measure_point(d->m, "", last, 2, GRADYN_ALL_AXES),
                                        .reduction = GRADYN_SQUARE_INTEGRAL});
  } else {
    gradyn_functional(
        d->m, &(gradyn_functional_spec){"position",
                                        gradyn_measure_point(d->m, "", last, 0, GRADYN_ALL_AXES),
                                        .reduction = GRADYN_SQUARE_INTEGRAL,
                                        .target = {draft_vary(d, 0.5 * d->L), -0.5 * d->L}});
    gradyn_functional(
        d->m, &(gradyn_functional_spec){"acceleration",
                                        gradyn_measure_point(d->m, "", last, 2, GRADYN_ALL_AXES),
                                        .reduction = GRADYN_SQUARE_INTEGRAL});
    gradyn_functional(
        d->m, &(gradyn_functional_spec){"rotation",
                                        gradyn_measure_line_angle(d->m, "", d->ground[0], first, 1),
                                        .reduction = GRADYN_INTEGRAL});
  }
  gradyn_functional(
      d->m, &(gradyn_functional_spec){"end", gradyn_measure_point(d->m, "", last, 0, GRADYN_Y),
                                      .reduction = GRADYN_AT_END});
  gradyn_functional(
      d->m, &(gradyn_functional_spec){"speed", gradyn_measure_point(d->m, "", first, 1, GRADYN_X),
                                      .reduction = GRADYN_AT_END});
  if (d->constraint >= 0 && draft_one_in(d, 2))
    gradyn_functional(d->m, &(gradyn_functional_spec){
                                "reaction", gradyn_measure_multiplier(d->m, "", d->constraint),
                                .reduction = GRADYN_SQUARE_INTEGRAL});
  gradyn_functional(d->m, &(gradyn_functional_spec){"energy", gradyn_measure_energy(d->m, ""),
                                                    .reduction = GRADYN_AT_END});
  if (d->signal > 0)
    gradyn_functional(d->m, &(gradyn_functional_spec){"effort",
                                                      gradyn_measure_signal(d->m, "", d->signal),
                                                      .reduction = GRADYN_SQUARE_INTEGRAL});
  gradyn_custom_functional(d->m, &own);
  declare_smooth_maximum(d->m, &top, 5);
  if (d->beam >= 0)
    gradyn_functional(d->m, &(gradyn_functional_spec){"deflection",
                                                      gradyn_measure_deflection(d->m, "", d->beam),
                                                      .reduction = GRADYN_AT_END});
}
