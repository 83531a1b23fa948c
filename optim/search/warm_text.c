/* Warm starts as text: values and multipliers by the names of parameters and functionals. Numbers keep all
 * digits. A search from the text therefore has the same bits as a search from the result itself. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adjoint/evaluator/evaluator.h"
#include "core/files/json.h"
#include "core/files/json_read.h"
#include "core/model/limit.h"
#include "optim/search/search.h"

/* --- Reading ----------------------------------------------------------------------------------- */

double gradyn_warm_number(const json_t *object, const char *key, double otherwise)
{
  const json_t *value = json_object_get(object, key);
  return json_is_number(value) ? json_number_value(value) : otherwise;
}

/* Whether an entry of "parameters" is [value, multiplier of the lower bound, of the upper bound, scale]. */
static bool is_parameter(const json_t *entry)
{
  bool numbers = json_array_size(entry) == 4;
  for (size_t i = 0; i < 4 && numbers; i++)
    numbers = json_is_number(json_array_get(entry, i));
  return numbers;
}

/* Returns the name of a member that is missing or has a wrong type; NULL if there is none. */
static const char *find_fault(const json_t *root)
{
  json_t *parameters = json_object_get(root, "parameters"), *entry;
  json_t *constraints = json_object_get(root, "constraints");
  const json_t *points = json_object_get(root, "path_points"),
               *segments = json_object_get(root, "segments");
  const char *name;
  if (!json_is_object(parameters))
    return "parameters";
  json_object_foreach(parameters, name, entry) if (!is_parameter(entry)) return name;
  if (!json_is_object(constraints))
    return "constraints";
  json_object_foreach(constraints, name, entry) if (!json_is_number(entry)) return name;
  if (points != NULL && !json_is_array(points))
    return "path_points";
  return segments != NULL && !json_is_object(segments) ? "segments" : NULL;
}

gradyn_status gradyn_warm_read(const char *text, json_t **out, gradyn_message *message)
{
  char why[256];
  json_auto_t *root = NULL;
  const gradyn_status status = gradyn_json_read(text, strlen(text), &root, why, sizeof why);
  if (status != GRADYN_OK)
    return gradyn_fail(message, status, "warm start: cannot be read; %s", why);
  const char *fault = find_fault(root);
  if (fault != NULL)
    return gradyn_fail(
        message, GRADYN_INVALID,
        "warm start: %s is missing or not of the right type. Use the text of a result", fault);
  *out = json_incref(root);
  return GRADYN_OK;
}

size_t gradyn_warm_side(const gradyn_functional_info info[], size_t count, const char *name)
{
  size_t side = 0;
  while (side < count && (name == NULL || info[side].use != GRADYN_PATH_CONSTRAINT ||
                          strcmp(info[side].name, name) != 0))
    side++;
  return side;
}

/* Whether a sample refers to no event: it is neither at an event nor between events. */
static bool is_without_events(const json_t *point)
{
  return gradyn_warm_number(point, "occurrence", 0) <= 0 &&
         json_object_get(point, "after_event") == NULL &&
         json_object_get(point, "before_event") == NULL;
}

/* Whether the model has the events to which a sample refers. */
static bool has_events(const gradyn_model *model, const json_t *point)
{
  const double event[] = {
      gradyn_warm_number(point, "event", 0),
      json_number_value(json_array_get(json_object_get(point, "after_event"), 0)),
      json_number_value(json_array_get(json_object_get(point, "before_event"), 0))};
  bool has = true;
  for (int k = 0; k < 3; k++)
    has = has && (event[k] == 0 || (event[k] > 0 && event[k] < model->event_count));
  return has && model->event_count > 0;
}

/* Whether the problem has the functional, the event and the knot of a sample. info [count]: functionals. */
static bool fits(const gradyn_evaluator *evaluator, const gradyn_functional_info info[],
                 size_t count, const json_t *point, bool same)
{
  const double knot = gradyn_warm_number(point, "knot", 0);
  const size_t side = gradyn_warm_side(info, count,
                                       json_string_value(json_object_get(point, "functional")));
  if (!is_without_events(point))
    return same && has_events(evaluator->model, point);
  return knot <= 0 || (side < count && knot <= gradyn_limit_knots(evaluator->model, side));
}

static bool same_text(const json_t *value, const char *text)
{
  const char *own = json_string_value(value);
  return own == NULL || text == NULL ? own == NULL && text == NULL : strcmp(own, text) == 0;
}

/* Removes samples that do not fit the problem. */
static gradyn_status remove_strange(json_t *points, const gradyn_evaluator *evaluator, bool same)
{
  const size_t count = gradyn_functional_count(evaluator);
  FREED gradyn_functional_info *info = calloc(count + 1, sizeof *info);
  if (info == NULL)
    return GRADYN_NO_MEMORY;
  for (size_t i = 0; i < count; i++)
    info[i] = gradyn_functional_at(evaluator, i);
  for (size_t i = json_array_size(points); i-- > 0;)
    if (!fits(evaluator, info, count, json_array_get(points, i), same))
      (void)json_array_remove(points, i);
  return GRADYN_OK;
}

gradyn_status gradyn_warm_prepare(const char *text, const gradyn_evaluator *evaluator,
                                  gradyn_search *search, json_t **out, gradyn_message *message)
{
  GRADYN_TRY(gradyn_warm_read(text, out, message));
  const bool same = same_text(json_object_get(*out, "problem"), evaluator->problem->name) &&
                    same_text(json_object_get(*out, "minimised"), search->objective);
  GRADYN_TRY(remove_strange(json_object_get(*out, "path_points"), evaluator, same));
  const double scale = gradyn_warm_number(*out, "objective_scale", 0);
  if (search->objective_scale == 0 && same && scale > 0)
    search->objective_scale = scale;
  if (!same) /* another objective has another optimum */
    (void)json_object_del(*out, "optimal");
  return GRADYN_OK;
}

gradyn_status gradyn_warm_out_of_memory(gradyn_search_result *result)
{
  gradyn_termination_add(result, "warm start", "out of memory for the text of the warm start");
  return GRADYN_NO_MEMORY;
}

/* --- Writing ----------------------------------------------------------------------------------- */

char *gradyn_warm_print(const json_t *root)
{
  return root != NULL ? json_dumps(root, JSON_COMPACT | JSON_SORT_KEYS | JSON_REAL_PRECISION(17))
                      : NULL;
}

static json_t *number_or_zero(double value)
{
  return gradyn_json_number(isfinite(value) ? value : 0);
}

/* Path constraints are left out, because their multipliers belong to their samples. */
static bool is_constraint(gradyn_functional_use use)
{
  return gradyn_use_constrains(use) && use != GRADYN_PATH_CONSTRAINT;
}

json_t *gradyn_warm_describe(const gradyn_objective *objective, const gradyn_warm_start *warm,
                             const gradyn_search_result *result)
{
  const bool own = warm->barrier > 0;
  const double *functional = own ? warm->functional : result->multiplier,
               *lower = own ? warm->lower : result->warm.lower_multiplier,
               *upper = own ? warm->upper : result->warm.upper_multiplier;
  json_t *root = json_object(), *parameters = json_object(), *constraints = json_object();
  for (size_t j = 0; j < objective->parameter_count; j++) {
    json_t *entry = json_array();
    gradyn_json_append(&entry, gradyn_json_number(result->rho[j]));
    gradyn_json_append(&entry, number_or_zero(lower[j]));
    gradyn_json_append(&entry, number_or_zero(upper[j]));
    gradyn_json_append(&entry, number_or_zero(objective->parameters[j].scale));
    gradyn_json_put(&parameters, objective->parameters[j].name, entry);
  }
  for (size_t i = 0; i < objective->functional_count; i++)
    if (is_constraint(objective->functionals[i].use))
      gradyn_json_put(&constraints, objective->functionals[i].name, number_or_zero(functional[i]));
  gradyn_json_put(&root, "objective", gradyn_json_number(result->objective));
  gradyn_json_put(&root, "optimal",
                  json_boolean(result->termination == GRADYN_TERMINATION_OPTIMAL));
  gradyn_json_put(&root, "objective_scale", gradyn_json_number(result->objective_scale));
  gradyn_json_put(&root, "barrier", gradyn_json_number(result->warm.barrier));
  gradyn_json_put(&root, "parameters", parameters);
  gradyn_json_put(&root, "constraints", constraints);
  return root;
}

/* --- By name ----------------------------------------------------------------------------------- */

/* A name as an element of an array, "name[index]"; length 0: it is not an element. */
typedef struct element {
  int length; /* length of the name of the array */
  long index;
} element;

static element element_of(const char *name)
{
  const char *bracket = strrchr(name, '[');
  char *end = NULL;
  if (bracket == NULL)
    return (element){0, 0};
  const long index = strtol(bracket + 1, &end, 10);
  return (element){strcmp(end, "]") == 0 && index >= 0 ? (int)(bracket - name) : 0, index};
}

/* Returns the entry of element `index` of the array to which `name` belongs. */
static const json_t *element_entry(const json_t *table, const char *name, long index)
{
  char other[256];
  (void)snprintf(other, sizeof other, "%.*s[%ld]", element_of(name).length, name, index);
  return json_object_get(table, other);
}

/* Returns the number of parameters from j on that belong to the same array; 1 for a scalar. */
static size_t array_size(const gradyn_parameter_info info[], size_t count, size_t j)
{
  const element first = element_of(info[j].name);
  size_t size = 1;
  while (first.length > 0 && j + size < count) {
    const element next = element_of(info[j + size].name);
    if (next.length != first.length || next.index != first.index + (long)size ||
        strncmp(info[j].name, info[j + size].name, (size_t)first.length) != 0)
      break;
    size++;
  }
  return size;
}

/* Returns the number of elements of an array in a table, counted from the element `first`; 0: the table
 * does not have it. */
static size_t size_in(const json_t *table, const char *first)
{
  size_t size = json_object_get(table, first) != NULL;
  const element e = element_of(first);
  while (size > 0 && e.length > 0 && element_entry(table, first, e.index + (long)size) != NULL)
    size++;
  return size;
}

static double entry_number(const json_t *table, const char *name, size_t which)
{
  return json_number_value(json_array_get(json_object_get(table, name), which));
}

gradyn_status gradyn_warm_fill(const json_t *root, const gradyn_objective *objective,
                               gradyn_warm_start *warm)
{
  const size_t p = objective->parameter_count, f = objective->functional_count;
  const json_t *table = json_object_get(root, "parameters"),
               *constraints = json_object_get(root, "constraints");
  if (!gradyn_warm_start_resize(warm, f, p))
    return GRADYN_NO_MEMORY;
  for (size_t j = 0; j < p;) {
    const size_t size = array_size(objective->parameters, p, j);
    const bool same = size_in(table, objective->parameters[j].name) == size;
    for (const size_t end = j + size; j < end; j++) {
      warm->lower[j] = same ? entry_number(table, objective->parameters[j].name, 1) : 0;
      warm->upper[j] = same ? entry_number(table, objective->parameters[j].name, 2) : 0;
    }
  }
  for (size_t i = 0; i < f; i++)
    warm->functional[i] = gradyn_warm_number(constraints, objective->functionals[i].name, 0);
  warm->barrier = fmax(gradyn_warm_number(root, "barrier", 0), DBL_MIN);
  warm->optimum = json_is_true(json_object_get(root, "optimal"))
                      ? gradyn_warm_number(root, "objective", NAN)
                      : NAN;
  return GRADYN_OK;
}

/* --- Parts that do not fit ---------------------------------------------------------------------- */

/* A list of names, cut off after a few. */
typedef struct names {
  size_t count;
  char text[192];
} names;

static void add_name(names *list, const char *name)
{
  const size_t used = strlen(list->text);
  if (list->count < 4)
    (void)snprintf(list->text + used, sizeof list->text - used, "%s%.40s",
                   list->count > 0 ? ", " : "", name);
  else if (list->count == 4)
    (void)snprintf(list->text + used, sizeof list->text - used, ", ...");
  list->count++;
}

/* Returns whether a name belongs to a state or a defect at a segment boundary. */
static bool of_boundary(const char *name)
{
  return strstr(name, ".cut[") != NULL || strstr(name, ".gap[") != NULL ||
         strstr(name, ".reference[") != NULL;
}

/* Whether a table has the first element of the array to which `name` belongs. */
static bool has_array(const json_t *table, const char *name)
{
  return element_of(name).length > 0 &&
         (element_entry(table, name, 0) != NULL || element_entry(table, name, 1) != NULL);
}

/* Adds the names of `table` that are missing in `own`. Elements of arrays that are in both are left out. */
static void compare(json_t *table, const json_t *own, names *list)
{
  const char *name;
  json_t *entry;
  json_object_foreach(table, name, entry) if (json_object_get(own, name) == NULL &&
                                              !has_array(own, name) && !of_boundary(name))
      add_name(list, name);
}

static void add_line(gradyn_message *lines, const char *kind, const char *what, const names *list)
{
  if (list->count > 0)
    gradyn_message_add(lines, "%zu %s%s %s: %s", list->count, kind, list->count > 1 ? "s" : "",
                       what, list->text);
}

/* Adds lines for names of one kind that only the warm start has, or only the problem. */
static void compare_both(json_t *table, json_t *own, const char *kind, gradyn_message *lines)
{
  names unknown = {0}, missing = {0};
  compare(table, own, &unknown);
  compare(own, table, &missing);
  add_line(lines, kind, "of the warm start not used: the problem has no such name", &unknown);
  add_line(lines, kind, "not in the warm start", &missing);
}

/* Adds a line for each array whose size differs. */
static void compare_arrays(const json_t *table, const gradyn_parameter_info info[], size_t count,
                           gradyn_message *lines)
{
  for (size_t j = 0; j < count;) {
    const size_t size = array_size(info, count, j), known = size_in(table, info[j].name);
    if (known > 0 && known != size)
      gradyn_message_add(lines, "%.*s: %zu elements, %zu in the warm start: bounds begin inactive",
                         element_of(info[j].name).length, info[j].name, size, known);
    j += size;
  }
}

/* Adds a line for samples of functionals that the problem does not have. */
static void compare_points(const json_t *root, const json_t *sides, gradyn_message *lines)
{
  names unknown = {0};
  size_t i;
  json_t *point;
  json_array_foreach(json_object_get(root, "path_points"), i, point)
  {
    const char *side = json_string_value(json_object_get(point, "functional"));
    if (side == NULL || json_object_get(sides, side) == NULL)
      add_name(&unknown, side != NULL ? side : "?");
  }
  add_line(lines, "point", "of path constraints not used: the problem has no such constraint",
           &unknown);
}

/* Adds each line as a finding. */
static void add_findings(gradyn_message *lines, gradyn_search_result *result)
{
  for (char *line = lines->text, *next; line != NULL && *line != '\0'; line = next) {
    next = strchr(line, '\n');
    if (next != NULL)
      *next++ = '\0';
    gradyn_termination_add(result, "warm start", "%s", line);
  }
}

/* Returns all `count` parameters, to be released with free(). NULL: out of memory. */
static gradyn_parameter_info *parameters_of(const gradyn_evaluator *evaluator, size_t count)
{
  gradyn_parameter_info *info = calloc(count + 1, sizeof *info);
  for (size_t j = 0; info != NULL && j < count; j++)
    info[j] = gradyn_parameter_at(evaluator, j);
  return info;
}

gradyn_status gradyn_warm_report(const json_t *root, const gradyn_evaluator *evaluator,
                                 bool in_segments, bool multipliers, gradyn_search_result *result)
{
  gradyn_message lines = {.text = ""};
  const size_t count = gradyn_parameter_count(evaluator);
  FREED gradyn_parameter_info *info = parameters_of(evaluator, count);
  json_t *own = json_object(), *constraints = json_object(), *sides = json_object();
  for (size_t i = 0; info != NULL && i < count; i++)
    gradyn_json_put(&own, info[i].name, json_true());
  for (size_t i = 0; i < gradyn_functional_count(evaluator); i++) {
    const gradyn_functional_info functional = gradyn_functional_at(evaluator, i);
    if (is_constraint(functional.use))
      gradyn_json_put(&constraints, functional.name, json_true());
    else if (functional.use == GRADYN_PATH_CONSTRAINT)
      gradyn_json_put(&sides, functional.name, json_true());
  }
  const bool complete = info != NULL && own != NULL && constraints != NULL && sides != NULL;
  if (complete) {
    compare_arrays(json_object_get(root, "parameters"), info, count, &lines);
    compare_both(json_object_get(root, "parameters"), own, "parameter", &lines);
    compare_both(json_object_get(root, "constraints"), constraints, "constraint", &lines);
    compare_points(root, sides, &lines);
  }
  if (json_object_get(root, "segments") != NULL && !in_segments)
    gradyn_message_add(&lines, "states of segments not used: this search has no segments");
  if (!multipliers)
    gradyn_message_add(&lines, "multipliers not used: only ipopt can begin with multipliers");
  add_findings(&lines, result);
  json_decref(own);
  json_decref(constraints);
  json_decref(sides);
  return complete ? GRADYN_OK : GRADYN_NO_MEMORY;
}

/* --- Parameters -------------------------------------------------------------------------------- */

/* Fills an array of `size` elements by interpolation between the `known` elements of the table; both span
 * the same range. */
static void interpolate(const json_t *table, const char *first, size_t known, double rho[],
                        size_t size)
{
  const long index = element_of(first).index;
  for (size_t k = 0; k < size; k++) {
    const double at = size > 1 ? (double)k * (double)(known - 1) / (double)(size - 1) : 0;
    const size_t before = (size_t)fmin(at, (double)known - 1),
                 after = before + 1 < known ? before + 1 : before;
    const double theta = at - (double)before;
    const json_t *a = element_entry(table, first, index + (long)before),
                 *b = element_entry(table, first, index + (long)after);
    rho[k] = (1 - theta) * json_number_value(json_array_get(a, 0)) +
             theta * json_number_value(json_array_get(b, 0));
  }
}

/* Takes all parameters, and adds a line for each kind of parameter that does not fit. */
static void take_parameters(const json_t *table, const gradyn_parameter_info info[], size_t count,
                            double rho[], gradyn_message *lines)
{
  names missing = {0};
  for (size_t j = 0; j < count;) {
    const char *name = info[j].name;
    const size_t size = array_size(info, count, j), known = size_in(table, name);
    if (known == 0)
      add_name(&missing, name);
    else if (known == size)
      for (size_t k = 0; k < size; k++)
        rho[j + k] = entry_number(table, info[j + k].name, 0);
    else {
      interpolate(table, name, known, rho + j, size);
      gradyn_message_add(lines, "%.*s: %zu elements, interpolated from the %zu of the warm start",
                         element_of(name).length, name, size, known);
    }
    j += size;
  }
  add_line(lines, "parameter", "not in the warm start", &missing);
}

/* Checks arguments, and takes the parameters. */
static gradyn_status take_point(const gradyn_evaluator *evaluator, const char *warm_start,
                                double rho[], gradyn_message *lines)
{
  json_auto_t *root = NULL;
  if (!gradyn_evaluator_created(evaluator) || warm_start == NULL || rho == NULL)
    return gradyn_fail(lines, GRADYN_INVALID,
                       "the evaluator was not created, or an argument is NULL");
  GRADYN_TRY(gradyn_warm_read(warm_start, &root, lines));
  const size_t count = gradyn_parameter_count(evaluator);
  FREED gradyn_parameter_info *info = parameters_of(evaluator, count);
  if (info == NULL)
    return gradyn_fail(lines, GRADYN_NO_MEMORY, "out of memory");
  take_parameters(json_object_get(root, "parameters"), info, count, rho, lines);
  return GRADYN_OK;
}

gradyn_status gradyn_warm_start_point(const gradyn_evaluator *evaluator, const char *warm_start,
                                      double rho[], char note[], size_t size)
{
  gradyn_message lines = {.text = ""};
  const gradyn_status status = take_point(evaluator, warm_start, rho, &lines);
  if (note != NULL && size > 0)
    (void)snprintf(note, size, "%s", lines.text);
  return status;
}
