/* Uncertain numbers: their declaration, and the search for their names. */

#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/nearest.h"
#include "core/model/added.h"
#include "core/model/declare.h"
#include "core/model/model.h"

/* --- names, after the structure of the model is final ------------------------------------------ */

/* Returns the index of a parameter by its name, and tries all names as similar ones; -1: there is none. */
static int find_parameter(gradyn_model *model, const gradyn_scalar *rho, gradyn_nearest *nearest)
{
  const gradyn_problem *problem = model->problem;
  for (size_t i = 0; i < problem->param_count; i++) {
    const gradyn_param *p = &problem->params[i];
    const bool array = p->count_from || p->count > 0;
    int count;
    const int first = (int)(gradyn_parameter_array(model, rho, (int)i, &count) - rho);
    model->declared.uncertain.parameters = (size_t)(first + count);
    gradyn_nearest_try(nearest, p->name);
    for (int k = 0; k < count; k++) {
      char name[300];
      (void)snprintf(name, sizeof name, array ? "%.250s[%d]" : "%.250s", p->name, k);
      if (strcmp(name, nearest->requested) == 0)
        return first + k;
    }
  }
  return -1;
}

/* Returns the index of a datum that users see, by its name; -1: there is none. */
static int find_datum(const gradyn_model *model, gradyn_nearest *nearest)
{
  for (int k = 0; k < model->nx; k++) {
    const gradyn_data_entry *entry = &model->entry[k];
    if (entry->derived || entry->hidden)
      continue;
    if (strcmp(entry->name, nearest->requested) == 0)
      return k;
    gradyn_nearest_try(nearest, entry->name);
  }
  return -1;
}

/* Finds a number. A segment of a motion may lack parameters that do not affect it. */
static gradyn_status find(gradyn_model *model, gradyn_uncertain_entry *entry)
{
  gradyn_nearest nearest = {.requested = entry->name};
  entry->datum = -1;
  entry->parameter = find_parameter(model, model->declared.rho, &nearest);
  if (entry->parameter < 0)
    entry->datum = find_datum(model, &nearest);
  if (entry->parameter >= 0 || entry->datum >= 0 || model->span.begin)
    return GRADYN_OK;
  return gradyn_fail(&model->message, GRADYN_INVALID,
                     "uncertain number %s: neither a parameter nor a datum has this name%s%s%s",
                     entry->name, nearest.best ? " (did you mean '" : "",
                     nearest.best ? nearest.best : "",
                     nearest.best ? "'?)" : ". 'gradyn info --data' lists the data");
}

static gradyn_status find_all(gradyn_model *model)
{
  gradyn_model_uncertain *u = &model->declared.uncertain;
  const gradyn_added_knots *added = model->settings.added;
  if (u->count == 0)
    return GRADYN_OK;
  for (int i = 0; i < u->count; i++)
    GRADYN_TRY(find(model, &u->entry[i]));
  /* find_parameter() sets the number of parameters when it reaches the last one, which it does for an empty
   * name; parameters of added knots follow */
  gradyn_nearest none = {.requested = ""};
  (void)find_parameter(model, model->declared.rho, &none);
  u->parameters = added ? added->first + added->count : u->parameters;
  u->shift = calloc((size_t)model->nx + 1, sizeof *u->shift);
  u->rho = calloc(u->parameters + 1, sizeof *u->rho);
  return u->shift && u->rho ? GRADYN_OK
                            : gradyn_fail(&model->message, GRADYN_NO_MEMORY,
                                          "out of memory for %d uncertain numbers", u->count);
}

/* --- declaration ------------------------------------------------------------------------------ */

static const char suffix[] = ".offset";

/* Adds a declaration of the first build(). */
static void add(gradyn_model *model, const char *name)
{
  for (int i = 0; i < model->declared.uncertain.count; i++)
    if (strcmp(model->declared.uncertain.entry[i].name, name) == 0) {
      gradyn_build_error(model,
                         "uncertain number %s: declared twice; once is allowed. Remove one "
                         "call of gradyn_uncertain()",
                         name);
      return;
    }
  const size_t length = strlen(name);
  gradyn_uncertain_entry entry = {.name = gradyn_model_copy_name(model, name),
                                  .column = malloc(length + sizeof suffix)};
  if (entry.column) {
    memcpy(entry.column, name, length);
    memcpy(entry.column + length, suffix, sizeof suffix);
  } else {
    gradyn_model_no_memory(model, name);
  }
  if (entry.name && entry.column &&
      gradyn_model_append(model, &model->declared.uncertain.entry, &model->declared.uncertain.count,
                          sizeof entry, &entry))
    return;
  free(entry.name);
  free(entry.column);
}

void gradyn_uncertain(gradyn_model *model, const char *name, gradyn_distribution distribution,
                      gradyn_scalar spread)
{
  if (!gradyn_model_named(model, name, "an uncertain number"))
    return;
  if (!(creal(spread) > 0) || !isfinite(creal(spread)) || !isfinite(cimag(spread)))
    gradyn_build_error(model,
                       "uncertain number %s: its spread is %g; it must be positive and "
                       "finite",
                       name, creal(spread));
  if ((int)distribution < 0 || distribution > GRADYN_UNIFORM)
    gradyn_build_error(model, "uncertain number %s: distribution %d does not exist", name,
                       (int)distribution);
  model->declared.uncertain.finalise = find_all;
  const int k = model->declared.uncertain.cursor++;
  if (!model->finalised && k == model->declared.uncertain.count)
    add(model, name);
  if (k >= model->declared.uncertain.count)
    return; /* an error, which the comparison of counts reports */
  gradyn_uncertain_entry *entry = &model->declared.uncertain.entry[k];
  if (strcmp(entry->name, name) != 0)
    gradyn_build_error(model,
                       "build() declares the uncertain number %s where it declared %s "
                       "before: the structure of a model must not depend on design variables",
                       name, entry->name);
  /* the second build() has displaced parameters, on which the spread must not depend */
  if (model->declared.uncertain.displaced)
    return;
  entry->distribution = distribution;
  entry->spread = spread;
  entry->offset = gradyn_case_value(model, entry->column, 0);
}
