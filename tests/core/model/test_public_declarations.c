/* Every public function that declares something, called with invalid arguments: NULL for every pointer,
 * infinite and huge numbers, indices out of range, names with control characters, no model. None may crash,
 * and build() must report the error. */
#include "tests/support.h"

#include "core/model/model.h"
#include "tests/core/model/declaring.h"

#define DEFINE(context, numbers, function, ...)                                                    \
  static void call_##function(gradyn_model *m, bad b)                                              \
  {                                                                                                \
    (void)function(__VA_ARGS__);                                                                   \
    (void)b;                                                                                       \
  }
DECLARING(DEFINE)

typedef struct row {
  int context;
  bool numbers;
  const char *name;
  void (*call)(gradyn_model *model, bad b);
} row;

static const row table[] = {
#define LIST(context, numbers, function, ...) {context, numbers, #function, call_##function},
    DECLARING(LIST)};

enum { ROWS = sizeof table / sizeof *table };

static gradyn_status zero(const gradyn_at *at, gradyn_scalar *value)
{
  (void)at;
  *value = 0;
  return GRADYN_OK;
}

FORMULA(rest, at->yp[0])

static void declare_context(gradyn_model *model, const row *r)
{
  static const gradyn_scalar knots[2] = {0, 1}, moments[3] = {1, 1, 1};
  gradyn_body_spec body = {.name = "plate", .centre = {3}, .mass = 1};
  memcpy(body.inertia, moments, sizeof moments);
  if (r->context == STATES) {
    gradyn_state(model, "z", "", 0);
    if (r->call != call_gradyn_equations)
      gradyn_equations(model, &(gradyn_equations_spec){.residual = rest});
    return;
  }
  for (int k = 0; k < 3; k++) {
    char name[2] = {(char)('A' + k), '\0'};
    if (r->context == PLANE)
      k ? gradyn_point(model, name, k, 0) : gradyn_ground_point(model, name, 0, 0);
    else
      k ? gradyn_point_3d(model, name, k, 0, 0) : gradyn_ground_point_3d(model, name, 0, 0, 0);
  }
  r->context == PLANE ? gradyn_body(model, &body) : gradyn_body_3d(model, &body);
  gradyn_point_mass(model, "mA", 2, 1);
  gradyn_point_mass(model, "mB", 3, 1);
  gradyn_signal(model, &(gradyn_signal_spec){.name = "u", .count = 2, .knots = knots});
  gradyn_end_time_functional(model, "time");
  if (r->context == PLANE)
    gradyn_beam(model, &(gradyn_beam_spec){.name = "beam",
                                           .from = 1,
                                           .to = 2,
                                           .elements = 1,
                                           .section = {1, 1, 1},
                                           .young = 1,
                                           .density = 1});
}

/* A problem, and the declaration that its build() makes. */
typedef struct task {
  gradyn_problem problem;
  const row *row;
  const bad *bad;
} task;

static gradyn_status build(gradyn_model *model, const gradyn_scalar rho[])
{
  (void)rho;
  const task *t = (const task *)(const void *)model->problem;
  declare_context(model, t->row);
  if (t->bad)
    t->row->call(model, *t->bad);
  return gradyn_build_status(model);
}

enum { TAKEN, REFUSED, EITHER };

/* Declares row r with an invalid argument (NULL: only the context). The message must consist of printable
 * characters. */
static void try(const row *r, const bad *b, int expected)
{
  const task t = {{GRADYN_PROBLEM_SIZES, .name = "given", .build = build, .t_end = 1}, r, b};
  gradyn_scalar rho = 0;
  gradyn_model *model;
  gradyn_status status = gradyn_model_create(&t.problem, NULL, 0, 0, &rho, &model);
  const char *text = model->message.text;
  if (status == GRADYN_OK ? expected == REFUSED
                          : status != GRADYN_INVALID || !*text || expected == TAKEN)
    fail_msg("%s with %s: %s \"%s\"", r->name, b ? b->label : "nothing",
             gradyn_status_describe(status).name, text);
  if (strstr(text, "(null)"))
    fail_msg("%s with %s: \"%s\"", r->name, b ? b->label : "nothing", text);
  for (const char *c = text; *c; c++)
    assert_true(*c == '\n' || (unsigned char)*c >= ' ');
  gradyn_model_free(model);
}

TEST(nothing_crashes_and_all_is_reported)
{
  const bad none = {"NULL", NULL, 0, -1, false};
  const bad numbers[] = {{"NaN", "name", NAN, 1, true},
                         {"infinity", "name", INFINITY, 1, true},
                         {"huge numbers", "name", 1e308, INT_MAX, true},
                         {"huge negative numbers", "name", -1e308, INT_MIN, true},
                         {"tiny numbers", "name", 1e-308, 0, true},
                         {"a NULL name", NULL, 1, 1, true},
                         {"a NULL name and indices of nothing", NULL, 1, 77, true}};
  for (const row *r = table; r < table + ROWS; r++) {
    bool needs_nothing = strstr(r->name, "gravity") || strstr(r->name, "initial_velocity");
    try(r, NULL, r->call == call_gradyn_equations ? REFUSED : TAKEN);
    try(r, &none, needs_nothing ? TAKEN : REFUSED);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
      try(r, &numbers[i], r->numbers && i < 2 ? REFUSED : EITHER);
    r->call(NULL, none);
    r->call(NULL, numbers[0]);
  }
}

/* --- names -------------------------------------------------------------------------------------- */

static void name_point(gradyn_model *model, bad b)
{
  gradyn_point(model, b.text, 5, 5);
}

static void name_rod(gradyn_model *model, bad b)
{
  gradyn_rod(model, &(gradyn_rod_spec){b.text, 1, 2, .length = 1, .mass = 1});
}

static void name_functional(gradyn_model *model, bad b)
{
  gradyn_functional(model, &(gradyn_functional_spec){b.text, gradyn_measure_mass(model, ""),
                                                     .reduction = GRADYN_AT_END});
}

static void name_datum(gradyn_model *model, bad b)
{
  const gradyn_datum datum = {b.text, "", 1};
  gradyn_custom_functional(model,
                           &(gradyn_custom_functional_spec){
                               .name = "own", .terminal = zero, .data = &datum, .data_count = 1});
}

static void name_unit(gradyn_model *model, bad b)
{
  const gradyn_scalar knot = 1;
  gradyn_signal(model,
                &(gradyn_signal_spec){.name = "v", .unit = b.text, .count = 1, .knots = &knot});
}

TEST(names_are_printable)
{
  const row rows[] = {{PLANE, false, "point", name_point},
                      {PLANE, false, "rod", name_rod},
                      {PLANE, false, "functional", name_functional},
                      {PLANE, false, "datum", name_datum},
                      {PLANE, false, "unit", name_unit}};
  const char *wrong[] = {"a\033[2J",     "a\nb",         "\x7f",
                         "\xc2\x9b",     "\xff",         "\xc3(",
                         "\xc0\xaf",     "\xed\xa0\x80", "\xf4\x90\x80\x80",
                         "\xe2\x80\xae", "\xe2\x80\xa8"};
  const char *right[] = {"beam 2", "\xc3\xa9t\xc3\xa9", "\xe2\x82\xac", "\xf0\x9f\x98\x80",
                         "a.b[3]/c"};
  for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
      try(&rows[r], &(const bad){wrong[i], wrong[i], 0, 0, false}, REFUSED);
    for (size_t i = 0; i < sizeof right / sizeof *right; i++)
      try(&rows[r], &(const bad){right[i], right[i], 0, 0, false}, TAKEN);
  }
}
