/* Random mechanisms. */
#include "tests/drawn/mechanism_draft.h"
#include "tests/random.h"
#include "tests/support.h"

#include <complex.h>
#include <math.h>
#include <stdio.h>

mechanism mechanism_drawn = {.metre = 1, .kilogram = 1};

/* --- numbers of a model ----------------------------------------------------------------------- */

double draft_range(mechanism_draft *d, double a, double b)
{
  return random_range(&d->random, a, b);
}

bool draft_one_in(mechanism_draft *d, int n)
{
  return random_choice(&d->random, n) == 0;
}

/* Returns `base`, or its product with a smooth function of the parameters. */
gradyn_scalar draft_vary(mechanism_draft *d, double base)
{
  int a = random_choice(&d->random, MECHANISM_PARAMETERS);
  int b = random_choice(&d->random, MECHANISM_PARAMETERS);
  double g = draft_range(d, -0.2, 0.2), h = draft_range(d, -0.1, 0.1);
  if (draft_one_in(d, 3))
    return base;
  gradyn_scalar value = base * (1 + g * (d->rho[a] - 1) + h * (d->rho[a] * d->rho[b] - 1));
  if (mechanism_drawn.fault == FAULT_BUILD && !d->lost && base != 0) {
    d->lost = true;
    value = (1 - mechanism_drawn.planted) * value + mechanism_drawn.planted * creal(value);
  }
  return value;
}

int draft_point(mechanism_draft *d, const char *name, const double p[3], bool moving)
{
  double L = d->L;
  if (!d->space)
    return moving
               ? gradyn_point(d->m, name, draft_vary(d, p[0] * L), draft_vary(d, p[1] * L))
               : gradyn_ground_point(d->m, name, draft_vary(d, p[0] * L), draft_vary(d, p[1] * L));
  return moving ? gradyn_point_3d(d->m, name, draft_vary(d, p[0] * L), draft_vary(d, p[1] * L),
                                  p[2] * L)
                : gradyn_ground_point_3d(d->m, name, draft_vary(d, p[0] * L), p[1] * L, p[2] * L);
}

double draft_distance(const double a[3], const double b[3])
{
  double sum = 0;
  for (int k = 0; k < 3; k++)
    sum += (a[k] - b[k]) * (a[k] - b[k]);
  return sqrt(sum);
}

/* --- places and signals     --------------------------------------------------------------------- */

static void declare_places(mechanism_draft *d)
{
  char name[16];
  for (int i = 0; i < 2; i++)
    for (int k = 0; k < 3; k++)
      d->start[i][k] = (k == 0 ? 2 * i : 0) + (k < 2 || d->space ? draft_range(d, -0.3, 0.3) : 0);
  d->ground[0] = draft_point(d, "G0", d->start[0], false);
  const double *last = d->start[0];
  for (int i = 0; i < d->links; i++) {
    double *p = d->place[i];
    p[0] = last[0] + draft_range(d, 0.4, 1);
    p[1] = last[1] + draft_range(d, -0.9, 0.5);
    p[2] = d->space ? last[2] + draft_range(d, -0.4, 0.4) : 0;
    (void)snprintf(name, sizeof name, "P%d", i);
    d->point[i] = draft_point(d, name, p, true);
    double v = d->L / d->T;
    if (draft_one_in(d, 3) && !d->space)
      gradyn_initial_velocity(d->m, d->point[i], draft_vary(d, v),
                              draft_vary(d, draft_range(d, -1, 1) * v));
    else if (draft_one_in(d, 3) && d->space)
      gradyn_initial_velocity_3d(d->m, d->point[i], draft_vary(d, v), draft_range(d, -1, 1) * v,
                                 0.3 * v);
    last = p;
  }
  d->ground[1] = draft_point(d, "G1", d->start[1], false);
}

static void add_signal(mechanism_draft *d)
{
  static const gradyn_signal_kind kind[] = {GRADYN_PIECEWISE_CONSTANT, GRADYN_PIECEWISE_LINEAR,
                                            GRADYN_CUBIC_SPLINE};
  gradyn_scalar knot[5];
  if (draft_one_in(d, 2))
    return;
  double force = d->M * d->L / (d->T * d->T);
  for (int i = 0; i < 5; i++)
    knot[i] = draft_vary(d, draft_range(d, -2, 2) * force);
  gradyn_signal_spec spec = {.name = "u", .unit = "N", .knots = knot};
  spec.kind = kind[random_choice(&d->random, 3)];
  spec.count = 3 + random_choice(&d->random, 3);
  d->signal = gradyn_signal(d->m, &spec);
}

/* --- the problem ------------------------------------------------------------------------------ */

static double unit_of_time(void)
{
  return 0.32 * sqrt(mechanism_drawn.metre);
}

static gradyn_status build(gradyn_model *m, const gradyn_scalar rho[])
{
  mechanism_draft d = {.m = m,
                       .rho = rho,
                       .random = mechanism_drawn.seed * 2 + 1,
                       .L = mechanism_drawn.metre,
                       .M = mechanism_drawn.kilogram,
                       .T = unit_of_time(),
                       .constraint = -1,
                       .signal = 0,
                       .beam = -1};
  d.space = draft_one_in(&d, 3);
  d.beams = draft_one_in(&d, 3);
  d.links = 1 + random_choice(&d.random, MOST_LINKS);
  declare_places(&d);
  add_signal(&d);
  for (int i = 0; i < d.links; i++)
    draft_link(&d, i);
  draft_extras(&d);
  draft_forces(&d);
  draft_functionals(&d);
  return gradyn_build_status(m);
}

gradyn_problem mechanism_problem(void)
{
  static const gradyn_param params[MECHANISM_PARAMETERS] = {
      {"p0", "", .init = 1, .lower = 0.5, .upper = 1.5},
      {"p1", "", .init = 1, .lower = 0.5, .upper = 1.5},
      {"p2", "", .init = 1, .lower = 0.5, .upper = 1.5},
      {"p3", "", .init = 1, .lower = 0.5, .upper = 1.5},
      {"p4", "", .init = 1, .lower = 0.5, .upper = 1.5},
      {"p5", "", .init = 1, .lower = 0.5, .upper = 1.5},
      {"p6", "", .init = 1, .lower = 0.5, .upper = 1.5},
      {"p7", "", .init = 1, .lower = 0.5, .upper = 1.5}};
  return (gradyn_problem)PROBLEM("random mechanism", build, params, .t_end = unit_of_time());
}
