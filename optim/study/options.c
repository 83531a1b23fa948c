/* Options of a run in the files of studies. A new option needs a row in the table, and its condition in
 * is_told(). */
#include "optim/study/options.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "core/files/json.h"
#include "optim/study/journal.h"

/* Types of the members of gradyn_options. */
typedef enum kind { TEXT, SWITCH, FEW, WHOLE, NUMBER } kind;

#define AT(field) offsetof(gradyn_options, field)

static const struct member {
  const char *key;
  kind kind;
  size_t offset;
} table[] = {
    {"method", TEXT, AT(method)},
    {"sensitivity", TEXT, AT(sensitivity)},
    {"perturbation", NUMBER, AT(perturbation)},
    {"staggered", SWITCH, AT(staggered)},
    {"step", NUMBER, AT(step)},
    {"rtol", NUMBER, AT(rtol)},
    {"atol", NUMBER, AT(atol)},
    {"rtol_sens", NUMBER, AT(rtol_sens)},
    {"integrator", TEXT, AT(integrator)},
    {"integrator_parameter", NUMBER, AT(integrator_parameter)},
    {"quadrature", NUMBER, AT(quadrature)},
    {"penalty", NUMBER, AT(penalty)},
    {"projection_penalty", NUMBER, AT(projection_penalty)},
    {"baumgarte_alpha", NUMBER, AT(baumgarte_alpha)},
    {"baumgarte_beta", NUMBER, AT(baumgarte_beta)},
    {"order", FEW, AT(order)},
    {"coordinates", TEXT, AT(coordinates)},
    {"max_steps", WHOLE, AT(max_steps)},
    {"t_end", NUMBER, AT(t_end)},
    {"memory", NUMBER, AT(memory)},
    {"evaluation_seconds", NUMBER, AT(evaluation_seconds)},
    {"case", TEXT, AT(only_case)},
    {"over_cases", TEXT, AT(over_cases)},
};

enum { COUNT = sizeof table / sizeof table[0] };

/* Returns the value of an option. number: function that converts numbers to JSON. */
static json_t *value_of(const struct member *m, const gradyn_options *evaluation,
                        json_t *(*number)(double value))
{
  const void *at = (const char *)evaluation + m->offset;
  return m->kind == TEXT     ? gradyn_json_text(*(const char *const *)at)
         : m->kind == SWITCH ? json_boolean(*(const bool *)at)
         : m->kind == FEW    ? json_integer(*(const int *)at)
         : m->kind == WHOLE  ? json_integer(*(const long *)at)
                             : number(*(const double *)at);
}

/* Whether an option can be missing in a file: it has its default, and was added after the first studies. */
static bool is_late(const struct member *m, const gradyn_options *evaluation)
{
  return (m->offset == AT(coordinates) && !evaluation->coordinates) ||
         (m->offset == AT(only_case) && !evaluation->only_case) ||
         (m->offset == AT(over_cases) && !evaluation->over_cases);
}

json_t *gradyn_options_identity(const gradyn_options *evaluation)
{
  json_t *root = json_object();
  for (size_t i = 0; i < COUNT; i++)
    if (!is_late(&table[i], evaluation))
      gradyn_json_put(&root, table[i].key, value_of(&table[i], evaluation, gradyn_journal_number));
  return root;
}

/* Returns the name of an option in a result. A requested end time has a separate name, because t_end is the
 * end time of the run. */
static const char *told_key(const struct member *m)
{
  return m->offset == AT(t_end) ? "t_end_chosen" : m->key;
}

/* Whether an option has an effect. Most options have none if they are zero. */
static bool is_told(const struct member *m, const gradyn_options *evaluation)
{
  const void *at = (const char *)evaluation + m->offset;
  if (m->offset == AT(quadrature))
    return strcmp(evaluation->method, "variational") == 0;
  if (m->offset == AT(integrator_parameter))
    return evaluation->integrator != NULL;
  return m->kind == SWITCH  ? true
         : m->kind == TEXT  ? *(const char *const *)at != NULL
         : m->kind == FEW   ? *(const int *)at > 0
         : m->kind == WHOLE ? *(const long *)at > 0
                            : *(const double *)at != 0;
}

void gradyn_options_report(json_t **root, const gradyn_options *evaluation)
{
  const bool differences = strcmp(evaluation->sensitivity, "differences") == 0,
             fixed = evaluation->rtol == 0;
  gradyn_options told = *evaluation;
  /* these options decide whether there is a result, but do not affect its numbers */
  told.memory = told.evaluation_seconds = 0;
  told.perturbation = differences ? evaluation->perturbation : 0;
  told.atol = fixed                  ? 0
              : evaluation->atol > 0 ? evaluation->atol
                                     : NAN; /* null: tolerances follow from the sizes of states */
  told.rtol_sens = fixed ? 0 : evaluation->rtol_sens > 0 ? evaluation->rtol_sens : evaluation->rtol;
  for (size_t i = 0; i < COUNT; i++) {
    const struct member *m = &table[i];
    /* differences are forward ones if their step is given, otherwise central ones */
    if (m->offset == AT(perturbation) && differences)
      gradyn_json_put(root, "differences",
                      json_string(evaluation->perturbation > 0 ? "forward" : "central"));
    if (is_told(m, &told))
      gradyn_json_put(root, told_key(m), value_of(m, &told, gradyn_json_number));
  }
}

void gradyn_options_recall(const json_t *root, gradyn_options *evaluation)
{
  for (size_t i = 0; i < COUNT; i++) {
    const struct member *m = &table[i];
    const json_t *value = json_object_get(root, told_key(m));
    void *at = (char *)evaluation + m->offset;
    /* JSON may have real numbers; numbers of steps and orders must be integers */
    if (m->kind == TEXT && json_is_string(value))
      *(const char **)at = json_string_value(value);
    else if (m->kind == SWITCH && json_is_boolean(value))
      *(bool *)at = json_is_true(value);
    else if (m->kind == FEW && json_is_integer(value))
      *(int *)at = (int)json_integer_value(value);
    else if (m->kind == WHOLE && json_is_integer(value))
      *(long *)at = (long)json_integer_value(value);
    else if (m->kind == NUMBER && json_is_number(value))
      *(double *)at = json_number_value(value);
  }
}
