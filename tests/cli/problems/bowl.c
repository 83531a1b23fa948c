/* A bowl: states that never move start at the parameters, so every functional and gradient is known in
 * closed form. It is the sum of (value - goal)^2 with goals 3, -1 (outside the bounds of b), 1 (of the
 * fixed c) and 0.5 for the array u. */
#include <gradyn/gradyn.h>

#define LONGEST 6

enum { A, B, C, U };
static const gradyn_param params[] = {
    [A] = {"a", "m", .init = 0.5, .lower = -5, .upper = 5},
    [B] = {"b", "m", .init = 1, .lower = 0, .upper = 5},
    [C] = {"c", "kg", .init = 2, .lower = 0, .upper = 4, .fixed = true},
    [U] = {"u", "N", .init = 0, .init_end = 1, .ramp = true, .count_from = "links", .lower = -2,
           .upper = 2, .role = GRADYN_CONTROL},
};
static const gradyn_setting settings[] = {
    {"links", "length of the row", .init = 3, .lower = 2, .upper = LONGEST}};

static gradyn_status stand_still(const gradyn_at *at, gradyn_scalar F[])
{
  const int *count = at->user;
  for (int i = 0; i < *count; i++)
    F[i] = at->yp[i];
  return GRADYN_OK;
}

static gradyn_status height(const gradyn_at *at, gradyn_scalar *value)
{
  static const double goal[] = {3, -1, 1};
  const int *count = at->user;
  *value = 0;
  for (int i = 0; i < *count; i++) {
    gradyn_scalar away = at->y[i] - (i < U ? goal[i] : 0.5);
    *value += away * away;
  }
  return GRADYN_OK;
}

static gradyn_status first(const gradyn_at *at, gradyn_scalar *value)
{
  *value = at->y[A];
  return GRADYN_OK;
}

static gradyn_status build(gradyn_model *model, const gradyn_scalar rho[])
{
  static const int counts[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
  static const char *const name[] = {"a", "b", "c", "u0", "u1", "u2", "u3", "u4", "u5"};
  int count = U + gradyn_setting_value(model, "links");
  void *user = (void *)&counts[count];
  for (int i = 0; i < count; i++)
    gradyn_state(model, name[i], "m", rho[i]);
  gradyn_equations(model, &(gradyn_equations_spec){.residual = stand_still, .user = user});
  gradyn_minimise(model,
                  gradyn_custom_functional(
                      model, &(gradyn_custom_functional_spec){"height", "m^2", .terminal = height,
                                                              .user = user}),
                  1);
  gradyn_constrain(
      model,
      gradyn_custom_functional(
          model, &(gradyn_custom_functional_spec){"first", "m", .terminal = first, .user = user}),
      -INFINITY, 4, 1e-6);
  return gradyn_build_status(model);
}

GRADYN_PROBLEM(bowl_of_rice, .summary = "A bowl with a known bottom", .params = params,
               .settings = settings, .setting_count = 1, .build = build, .t_end = 0.1,
               .method = "idas");
