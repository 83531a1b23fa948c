/* Models at random states, and their evaluation. */
#include "core/mech/vector.h"
#include "tests/mbs/terms_models.h"
#include "tests/support.h"

/* Marsaglia's xorshift generator. */
double terms_random(terms_scene *s)
{
  s->seed ^= s->seed << 13;
  s->seed ^= s->seed >> 7;
  s->seed ^= s->seed << 17;
  return 2 * ldexp((double)(s->seed >> 11), -53) - 1;
}

void terms_fill(terms_scene *s, int count, double *x)
{
  for (int i = 0; i < count; i++)
    x[i] = terms_random(s);
}

double *terms_numbers(terms_scene *s, int count)
{
  double *x = malloc(((size_t)count + 1) * sizeof *x);
  assert_non_null(x);
  terms_fill(s, count, x);
  return x;
}

double *terms_zeros(int count)
{
  double *x = support_zeros((size_t)count + 1, sizeof *x);
  return x;
}

gradyn_lanes *terms_lanes(terms_scene *s, int count)
{
  gradyn_lanes *x = gradyn_lanes_create((size_t)count);
  assert_non_null(x);
  terms_fill(s, GRADYN_LANES * count, (double *)x);
  return x;
}

void terms_shake(terms_scene *s)
{
  double t = 1 + 1.3 * terms_random(s), *from = s->state;
  for (int i = 0; i < s->n;
       i++) /* near the declared position, where directions and distances are defined */
    *from++ = s->mech->x[s->mech->q0[i]] + 0.2 * terms_random(s);
  for (int k = 0; k <= TERMS; k++, from += 2 * s->n + s->m) {
    terms_fill(s, 2 * s->n + s->m, from);
    *(k < TERMS ? &s->at[k] : &s->node) = (gradyn_mech_state){t,           s->state,        from,
                                                              from + s->n, from + 2 * s->n, NULL};
  }
  gradyn_discrete_state_enter_arc(s->model, t);
}

void terms_open(terms_scene *s, gradyn_build_fn build)
{
  terms_open_in(s, build, NULL);
}

void terms_open_in(terms_scene *s, gradyn_build_fn build, const char *coordinates)
{
  *s = (terms_scene){.problem = {GRADYN_PROBLEM_SIZES, .name = "terms", .build = build,
                                 .t_end = 2.0, .coordinates = coordinates},
                     .seed = 88172645};
  gradyn_scalar rho = 0;
  assert_ok(gradyn_model_create(&s->problem, NULL, 0, 0, &rho, &s->model), s->model->message.text);
  assert_ok(gradyn_model_load(s->model, NULL), s->model->message.text);
  s->mech = s->model->mech;
  s->n = s->mech->n;
  s->m = s->mech->m;
  s->nx = s->mech->nx;
  s->state = terms_numbers(s, s->n + (TERMS + 1) * (2 * s->n + s->m));
  terms_shake(s);
}

void terms_close(terms_scene *s)
{
  free(s->state);
  gradyn_model_free(s->model);
}

void terms_compare(int count, const double *actual, const double *expected)
{
  assert_close_rows(actual, expected, 1, count, 1e-12);
}

/* --- the two ways ----------------------------------------------------------------------------- */

void terms_ask(terms_scene *s, const terms_look *look)
{
  terms_shake(s);
  s->terms = look->terms;
  s->size = s->n + s->m;
  for (int k = 0; k < s->terms; k++)
    s->term[k] = (gradyn_mech_term){look->parts[k], look->order[k], s->at[k]};
}

void terms_at_once(terms_scene *s, int columns, const double *dx, gradyn_lanes *rhs)
{
  gradyn_mech *mech = s->mech;
  const gradyn_mech_point look = {s->terms, s->term, &s->node};
  gradyn_lanes *part[TERMS];
  for (int k = 0; k < s->terms; k++)
    part[k] = rhs + k * s->size;
  gradyn_status status = mech->ops->along(mech, &look, columns, &(gradyn_mech_change){.x = dx},
                                          part);
  assert_ok(status, mech->message->text);
}

void terms_one_by_one(terms_scene *s, int columns, const double *dx, double *rhs)
{
  gradyn_mech *mech = s->mech;
  FREED gradyn_lanes *work = terms_lanes(s, s->size + 2 * s->n);
  for (int v = 0; v < columns; v++, dx += s->nx)
    for (int k = 0; k < s->terms; k++, rhs += s->size) {
      const gradyn_mech_vector d = {.x = dx};
      assert_ok(gradyn_mech_along(mech, &s->term[k], &s->node, &d, work, rhs), mech->message->text);
    }
}

void terms_at_once_transposed(terms_scene *s, int columns, gradyn_lanes *mu, double *x_bar)
{
  gradyn_mech *mech = s->mech;
  const gradyn_mech_point look = {s->terms, s->term, &s->node};
  gradyn_lanes *part[TERMS];
  for (int k = 0; k < s->terms; k++)
    part[k] = mu + k * s->size;
  gradyn_status status = mech->ops->against(mech, &look, columns, part,
                                            &(gradyn_mech_adjoints){.x = x_bar});
  assert_ok(status, mech->message->text);
}

void terms_one_by_one_transposed(terms_scene *s, int columns, const double *mu, double *x_bar)
{
  gradyn_mech *mech = s->mech;
  FREED gradyn_lanes *work = terms_lanes(s, s->size + 2 * s->n);
  for (int v = 0; v < columns; v++, x_bar += s->nx)
    for (int k = 0; k < s->terms; k++, mu += s->size) {
      assert_ok(gradyn_mech_against(mech, &s->term[k], &s->node, mu, work,
                                    &(gradyn_mech_sums){.x = x_bar}),
                mech->message->text);
    }
}
