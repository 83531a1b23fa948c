/* The systems of tests/drawn/equations_draw.h:
 *     y_i' = sum_j A_ij sin(y_j) - c y_i + b_i sin(w t) + d_i z + e_i u(t),    z + z^3/10 = sum_i g_i y_i + s
 * with a switch s, a state of rate zero. Events are zeros of sums of states, of z, or of time. */
#include "tests/drawn/equations_draw.h"
#include "tests/drawn/mechanisms.h"
#include "tests/random.h"
#include "tests/support.h"
#include "tests/declare.h"

#include <tgmath.h>

enum { MOST_STATES = 4, MOST_EVENTS = 3, KNOTS = 4 };
enum { Z, SWITCH, FIRST }; /* states */

typedef enum what_happens { FLIPS, SCALES, SETS, NOTHING, KINDS } what_happens;

typedef struct event {
  what_happens kind;
  double weight[MOST_STATES], of_z, of_t, level, factor;
  gradyn_direction direction;
  int at; /* the state that it changes */
} event;

static struct draft {
  int states, events, taken; /* event of functionals taken at events; -1: any */
  double A[MOST_STATES][MOST_STATES], b[MOST_STATES], d[MOST_STATES], e[MOST_STATES],
      g[MOST_STATES], start[MOST_STATES], damping, frequency, t_end;
  bool counts, jumps, moves;
  event event[MOST_EVENTS];
} draft;

static void draw_event(uint64_t *random, event *e)
{
  *e = (event){.kind = (what_happens)random_choice(random, KINDS),
               .of_z = random_choice(random, 3) == 0 ? random_range(random, -1, 1) : 0,
               .of_t = random_choice(random, 4) == 0 ? random_range(random, -1, 1) : 0,
               .level = random_range(random, -0.8, 0.8),
               .factor = random_range(random, -0.9, 0.9),
               .direction = (gradyn_direction)random_choice(random, 3),
               .at = random_choice(random, draft.states)};
  for (int i = 0; i < draft.states; i++)
    e->weight[i] = random_range(random, -1, 1);
}

void equations_draw(uint64_t seed)
{
  uint64_t random = seed;
  memset(&draft, 0, sizeof draft);
  draft.states = 1 + random_choice(&random, MOST_STATES);
  draft.events = 1 + random_choice(&random, MOST_EVENTS);
  draft.taken = random_choice(&random, draft.events + 1) - 1;
  draft.counts = random_choice(&random, 2) == 0;
  draft.jumps = random_choice(&random, 2) == 0;
  draft.moves = random_choice(&random, 2) == 0;
  for (int i = 0; i < draft.states; i++) {
    for (int j = 0; j < draft.states; j++)
      draft.A[i][j] = (i < j ? 2 : i > j ? -2 : 0.3) * random_range(&random, 0, 1.5);
    draft.b[i] = random_range(&random, -1.5, 1.5);
    draft.d[i] = random_range(&random, -1, 1);
    draft.e[i] = random_range(&random, -1, 1);
    draft.g[i] = random_range(&random, -1, 1);
    draft.start[i] = random_range(&random, -1.5, 1.5);
  }
  draft.damping = random_range(&random, 0.1, 1);
  draft.frequency = random_range(&random, 1, 5);
  draft.t_end = random_range(&random, 1, 4);
  for (int k = 0; k < draft.events; k++)
    draw_event(&random, &draft.event[k]);
}

/* --- the model -------------------------------------------------------------------------------- */

static gradyn_status residual(const gradyn_at *at, gradyn_scalar F[])
{
  const gradyn_scalar *y = at->y, *yp = at->yp, z = y[Z];
  F[Z] = z + z * z * z / 10 - y[SWITCH];
  F[SWITCH] = yp[SWITCH];
  for (int i = 0; i < draft.states; i++) {
    F[FIRST + i] = yp[FIRST + i] + at->data[0] * y[FIRST + i] -
                   draft.b[i] * sin(at->data[1] * at->t) - draft.d[i] * z - draft.e[i] * at->u[1];
    for (int j = 0; j < draft.states; j++)
      F[FIRST + i] -= draft.A[i][j] * sin(y[FIRST + j]);
    F[Z] -= draft.g[i] * y[FIRST + i];
  }
  return GRADYN_OK;
}

static gradyn_status guard(const gradyn_at *at, gradyn_scalar *value)
{
  const event *e = at->user;
  *value = e->of_z * at->y[Z] + e->of_t * at->t - at->data[0];
  for (int i = 0; i < draft.states; i++)
    *value += e->weight[i] * at->y[FIRST + i];
  return GRADYN_OK;
}

/* A reset of a state as a function of the state before the event. */
static gradyn_status kick(const gradyn_at *at, gradyn_scalar *value)
{
  const event *e = at->user;
  *value = e->factor * sin(at->y[FIRST + e->at]) + at->data[0] * at->y[FIRST] / (1 + at->t);
  return GRADYN_OK;
}

FORMULA(mixture, at->y[FIRST] * at->y[FIRST + draft.states - 1] + at->t * at->y[Z])

FORMULA(size, at->y[FIRST] + 0.3 * at->y[FIRST + draft.states - 1])

static int add_event(gradyn_model *model, const event *e, const gradyn_scalar r[],
                     const int state[])
{
  const char *name = gradyn_format_name(model, "event%d", (int)(e - draft.event));
  const gradyn_component y = {state[FIRST + e->at], GRADYN_X}, s = {state[SWITCH], GRADYN_X},
                         one = {GRADYN_CONSTANT, GRADYN_X};
  const gradyn_map_term flip[] = {{s, s, -1, false}, {s, one, r[3], false}},
                        scale[] = {{y, y, e->factor * r[4], false}, {y, one, 0.1, false}};
  const gradyn_datum level = {"level", "", e->level * r[2]}, pull = {"pull", "", 0.3 * r[4]};
  const gradyn_custom_functional_spec zero = {
      .terminal = guard, .data = &level, .data_count = 1, .user = (void *)e};
  if (e->kind == SETS)
    return gradyn_event(
        model, &(gradyn_event_spec){
                   .name = name,
                   .guard = zero,
                   .direction = e->direction,
                   .set = &y,
                   .set_count = 1,
                   .reset = {.terminal = kick, .data = &pull, .data_count = 1, .user = (void *)e}});
  return gradyn_event(model, &(gradyn_event_spec){.name = name,
                                                  .guard = zero,
                                                  .direction = e->direction,
                                                  .map = e->kind == FLIPS    ? flip
                                                         : e->kind == SCALES ? scale
                                                                             : NULL,
                                                  .map_count = e->kind == NOTHING ? 0 : 2});
}

static gradyn_status build(gradyn_model *model, const gradyn_scalar r[])
{
  int state[FIRST + MOST_STATES], taken = GRADYN_ANY_EVENT;
  const gradyn_scalar knots[KNOTS] = {r[6], -r[7], 0.5 * r[6], r[7]};
  declare_signal(model, "u", "", draft.jumps ? GRADYN_PIECEWISE_CONSTANT : GRADYN_PIECEWISE_LINEAR,
                 KNOTS, knots);
  state[Z] = gradyn_algebraic_state(model, "z", "", 0);
  state[SWITCH] = gradyn_state(model, "switch", "", 0);
  for (int i = 0; i < draft.states; i++)
    state[FIRST + i] = gradyn_state(model, gradyn_format_name(model, "y%d", i), "",
                                    draft.start[i] * r[0]);
  const gradyn_datum data[] = {{"damping", "", draft.damping * r[1]},
                               {"frequency", "", draft.frequency * r[5]}};
  declare_equations(model, residual, data, 2);
  for (int k = 0; k < draft.events; k++) {
    const int number = add_event(model, &draft.event[k], r, state);
    taken = k == draft.taken ? number : taken;
  }
  gradyn_path_constraint(
      model, "size",
      gradyn_measure_custom(model,
                            &(gradyn_custom_measure_spec){
                                .name = "size", .unit = "", .formula = size, .hidden = true}),
      -0.5 * r[1], 0.5, 1e-6, NULL);
  if (draft.moves)
    gradyn_end_time(model, draft.t_end * r[7]);
  gradyn_custom_functional(model, &(gradyn_custom_functional_spec){
                                      "mixture", "", .terminal = mixture, .integrand = mixture});
  const gradyn_custom_functional_spec at_time = {"late", "", .terminal = mixture,
                                                 .instant = 0.71 * draft.t_end};
  gradyn_custom_functional(model, &at_time);
  gradyn_functional(
      model,
      &(gradyn_functional_spec){
          "largest",
          gradyn_measure_custom(
              model, &(gradyn_custom_measure_spec){"largest", "", .formula = size, .hidden = true}),
          .reduction = GRADYN_MAXIMUM});
  if (draft.counts) {
    gradyn_event_time(model, "time", taken, 1);
    gradyn_functional(model,
                      &(gradyn_functional_spec){
                          "after",
                          gradyn_measure_custom(
                              model, &(gradyn_custom_measure_spec){"after", "", .formula = mixture,
                                                                   .hidden = true}),
                          .reduction = GRADYN_AFTER_EVENT, .event = taken, .occurrence = 2});
  }
  return gradyn_build_status(model);
}

static const gradyn_param params[] = {{.name = "r", .count = EQUATIONS_PARAMETERS, .init = 1}};
gradyn_problem equations_problem(void)
{
  return (gradyn_problem)PROBLEM("equations", build, params, .t_end = draft.t_end, .rtol = 1e-11);
}
