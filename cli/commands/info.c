/* gradyn list: the names of all problems. gradyn info: the contents of one problem, without a simulation.
 *
 * The contents are the model, its degrees of freedom at the initial position, parameters with bounds, and
 * settings. They also include functionals with their use, events with their guards, data, and the methods
 * and gradients that the model permits. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <gradyn/optimise.h>
#include <gradyn/analysis.h>

#include "cli/text/json.h"
#include "cli/base/memory.h"
#include "cli/base/plain.h"
#include "cli/options/session.h"
#include "cli/text/show.h"
#include "cli/base/table.h"
#include "core/problems/retired.h"
#include "optim/study/choices.h"
#include "optim/study/model.h"

static const char *const sensitivities[] = {"adjoint", "direct"};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* Returns the search of `gradyn run` without options. NULL: no parameter is free. */
static const gradyn_search *usual_search(const cli_session *session, gradyn_search *search)
{
  gradyn_search_default(session->evaluator, search);
  search->vary = session->vary;
  for (size_t i = 0; i < session->parameters; i++)
    if (session->vary[i])
      return search;
  return NULL;
}

/* Whether the evaluator accepts a method and a sensitivity for the problem. */
static bool offered(const cli_session *session, const char *method, const char *sensitivity)
{
  gradyn_options evaluation;
  gradyn_evaluator *evaluator = NULL;
  /* the options are those of the problem, not of the command line */
  gradyn_options_default(session->problem, &evaluation);
  /* replaces the method of the problem */
  evaluation.method = method;
  evaluation.coordinates = session->problem->coordinates;
  evaluation.sensitivity = sensitivity;
  gradyn_status status = gradyn_evaluator_create(session->problem, &evaluation, session->settings,
                                                 session->setting_count, &evaluator);
  gradyn_evaluator_free(evaluator);
  /* a lack of memory does not mean that the method is not supported */
  if (status == GRADYN_NO_MEMORY)
    cli_no_memory();
  return status == GRADYN_OK;
}

/* Degrees of freedom and the names of dependent constraints. Both are unknown for a mechanism that cannot
 * be assembled. */
typedef struct how_free {
  gradyn_dof is;
  int *dependent;  /* [is.dependents], owned */
  const char *why; /* reason why the degrees of freedom are unknown; NULL: they are known */
} how_free;

/* Finds degrees of freedom and redundant constraints. The caller frees `dependent`. */
static how_free find_freedom(const cli_session *session, const gradyn_model_info *model)
{
  how_free out = {.dependent = calloc((size_t)model->constraints + 1, sizeof(int))};
  if (!out.dependent)
    cli_no_memory();
  /* fails if the mechanism cannot be assembled */
  if (gradyn_dof_compute(session->evaluator, session->rho, &out.is, out.dependent) != GRADYN_OK)
    out.why = gradyn_evaluator_message(session->evaluator);
  return out;
}

/* Returns the joints of a mechanism in joint coordinates. NULL: it has natural coordinates. */
static json_t *links_json(const cli_session *session)
{
  json_t *list = NULL;
  gradyn_link_info link;
  for (size_t i = 0; gradyn_link_at(session->evaluator, i, &link); i++) {
    json_t *object = json_object();
    list = list ? list : json_array();
    cli_json_put(object, "joint", gradyn_json_text(link.joint));
    cli_json_put(object, "kind", json_string(link.kind));
    cli_json_put(object, "body", cli_json_text(link.body));
    cli_json_put(object, "parent", cli_json_text(link.parent));
    cli_json_put(object, "coordinate", cli_json_text(link.coordinate));
    cli_json_put(object, "reason", cli_json_text(link.reason));
    cli_json_append(list, object);
  }
  return list;
}

/* Returns the methods that support the problem, each with its sensitivities. */
static json_t *methods_json(const cli_session *session)
{ /* lists only sensitivities that the method supports for this model */
  json_t *object = json_object();
  for (const char *const *name = gradyn_method_names(); *name; name++) {
    json_t *array = json_array();
    for (size_t j = 0; j < COUNT(sensitivities); j++)
      if (offered(session, *name, sensitivities[j]))
        cli_json_append(array, json_string(sensitivities[j]));
    /* methods that do not support the problem are left out */
    if (json_array_size(array) > 0)
      cli_json_put(object, *name, array);
    else
      json_decref(array);
  }
  return object;
}

/* Returns the kind of the guard of an event: the gap of a wall, an invariant, or another function that
 * changes its sign. */
static const char *guard_of(const gradyn_event_info *event)
{
  return event->wall ? "gap" : event->invariant ? "invariant" : "crossing";
}

/* Returns the events with their guards. */
static json_t *events_json(const cli_session *session)
{
  json_t *array = json_array();
  const size_t count = gradyn_evaluator_model_info(session->evaluator).events;
  for (size_t i = 0; i < count; i++) {
    const gradyn_event_info event = gradyn_event_at(session->evaluator, i);
    json_t *item = json_object();
    cli_json_put(item, "name", cli_json_text(event.name));
    cli_json_put(item, "guard", json_string(guard_of(&event)));
    cli_json_append(array, item);
  }
  return array;
}

/* Integer signals with their sets. */
static json_t *integers_json(const cli_session *session)
{
  json_t *array = json_array();
  const size_t count = gradyn_evaluator_model_info(session->evaluator).signals;
  for (size_t i = 0; i < count; i++) {
    const gradyn_signal_info signal = gradyn_signal_at(session->evaluator, i);
    if (!signal.integer)
      continue;
    json_t *item = json_object();
    cli_json_put(item, "name", cli_json_text(signal.name));
    cli_json_put(item, "one_of", signal.one_of ? cli_json_text(signal.one_of) : json_null());
    cli_json_append(array, item);
  }
  return array;
}

/* The object of --json. */
static void print_json(const cli_session *session)
{
  const gradyn_problem *problem = session->problem;
  /* starts with the members of any session; those of the model follow */
  json_t *root = cli_json_session(session, GRADYN_OK);
  cli_json_put(root, "summary", cli_json_text(problem->summary ? problem->summary : ""));
  cli_json_put(root, "reference", cli_json_text(problem->reference ? problem->reference : ""));
  cli_json_put(root, "model", gradyn_model_sizes(session->evaluator, session->rho));
  cli_json_put(root, "parameters", cli_json_parameters(session, session->rho));
  cli_json_put(root, "functionals", cli_json_functionals(session, NULL, NULL));
  cli_json_put(root, "events", events_json(session));
  cli_json_put(root, "integer_signals", integers_json(session));
  cli_json_put(root, "methods", methods_json(session));

  /* arrays: data has every number of the model, algorithms has the values of --algorithm */
  json_t *data = json_array(), *algorithms = json_array();
  const size_t count = gradyn_evaluator_model_info(session->evaluator).data;
  for (size_t i = 0; i < count; i++) {
    gradyn_datum_info datum = gradyn_datum_at(session->evaluator, i);
    json_t *item = json_object();
    cli_json_put(item, "name", cli_json_text(datum.name));
    cli_json_put(item, "unit", cli_json_text(datum.unit));
    cli_json_put(item, "value", gradyn_json_number(datum.value));
    cli_json_append(data, item);
  }
  /* available algorithms */
  for (const char *const *name = gradyn_algorithm_names(); *name; name++)
    cli_json_append(algorithms, json_string(*name));
  cli_json_put(root, "data", data);
  json_t *links = links_json(session);
  if (links)
    cli_json_put(root, "links", links);
  cli_json_put(root, "algorithms", algorithms);
  gradyn_search search;
  cli_json_put(root, "chosen", gradyn_choices(session->evaluator, usual_search(session, &search)));
  cli_json_print(root);
}

/* Prints the joints of a mechanism in joint coordinates from the ground outwards, then joints that remain
 * constraints. */
static void print_links(const cli_session *session)
{
  gradyn_link_info link;
  for (size_t i = 0; gradyn_link_at(session->evaluator, i, &link); i++) {
    if (i == 0)
      (void)printf("\njoint coordinates:");
    if (link.reason)
      cli_say(stdout, "\n  %s (%s) remains a constraint: %s", link.joint, link.kind, link.reason);
    else if (strcmp(link.kind, "floating") == 0)
      cli_say(stdout, "\n  %s floats, %s", link.body, link.coordinate);
    else
      cli_say(stdout, "\n  %s on %s by %s (%s)%s%s", link.body, link.parent, link.joint, link.kind,
              link.coordinate ? ", " : "", link.coordinate ? link.coordinate : "");
  }
}

/* Prints points, coordinates, constraints and degrees of freedom. */
static void print_mechanism(const cli_session *session, const gradyn_model_info *model)
{
  how_free freedom = find_freedom(session, model);
  (void)printf("\n\nmechanism: %d points, %d coordinates, %d constraints, ", model->points,
               model->coordinates, model->constraints);
  if (freedom.why)
    cli_say(stdout, "degrees of freedom not known: %s", freedom.why);
  else
    (void)printf("%d degrees of freedom", freedom.is.degrees);
  if (!freedom.why && freedom.is.rates != freedom.is.degrees)
    (void)printf(", %d of velocities", freedom.is.rates);
  if (freedom.is.redundant_constraints > 0)
    (void)printf("\nredundant constraints, which follow from others: %d of them:",
                 freedom.is.redundant_constraints);
  for (int i = 0; i < freedom.is.redundant_constraints; i++)
    cli_say(stdout, "%s %s", i == 0 ? "" : ",",
            gradyn_constraint_name(session->evaluator, freedom.dependent[i]));
  if (freedom.is.redundant_constraints > 0)
    (void)printf(
        "\nthe motion does not determine the multipliers of these constraints, nor of those on "
        "which they depend: gradyn\ncomputes the smallest multipliers, which differ in other "
        "coordinates");
  /* the rank of the constraints is lower at the start than nearby */
  if (freedom.is.at_start > freedom.is.degrees)
    (void)printf("\nthe initial position is singular: %d degrees of freedom there, %d near it",
                 freedom.is.at_start, freedom.is.degrees);
  /* the constraints permit motion to first order, but not to second order */
  if (freedom.is.first_order_only)
    (void)printf("\nthe mechanism cannot leave its initial position: it moves to first order only");
  free(freedom.dependent);
  print_links(session);
}

/* Prints the integer signals, which a search rounds. */
static void print_integers(const cli_session *session)
{
  const size_t count = gradyn_evaluator_model_info(session->evaluator).signals;
  for (size_t i = 0; i < count; i++) {
    const gradyn_signal_info signal = gradyn_signal_at(session->evaluator, i);
    if (signal.integer && signal.one_of)
      cli_say(stdout, "\ninteger signal %s: one of the set %s", signal.name, signal.one_of);
    else if (signal.integer)
      cli_say(stdout, "\ninteger signal %s", signal.name);
  }
}

/* Prints the heading, and the options of a run. */
static void print_model(const cli_session *session)
{
  gradyn_model_info model = gradyn_evaluator_model_info(session->evaluator);
  const gradyn_problem *problem = session->problem;
  (void)printf("%s", session->name);
  if (problem->summary)
    cli_say(stdout, ": %s", problem->summary);
  if (problem->reference)
    cli_say(stdout, "\nfrom %s", problem->reference);
  if (model.mechanical)
    print_mechanism(session, &model);
  else
    (void)printf("\n\nequations: %d states", model.states);
  print_integers(session);
  (void)printf("\nrun: ");
  cli_show_evaluation(session, stdout);
  (void)putchar('\n');
  gradyn_search search;
  cli_show_choices(session, usual_search(session, &search), stdout);
  (void)putchar('\n');
}

/* Prints a table of the parameters with their bounds. */
static void print_parameters(const cli_session *session)
{
  if (session->parameters == 0) {
    (void)puts("no parameters\n");
    return;
  }
  /* numbers are aligned to the right */
  cli_table table = {.align = "lrlrrll"};
  cli_table_add(&table, "parameter|value|unit|lower|upper|role|varied");
  for (size_t i = 0; i < session->parameters; i++) {
    const gradyn_parameter_info *param = &session->param[i];
    char lower[32], upper[32];
    cli_table_add(&table, "%s|%.10g|%s|%s|%s|%s|%s", param->name, session->rho[i], param->unit,
                  cli_show_bound(param->lower, lower, sizeof lower),
                  cli_show_bound(param->upper, upper, sizeof upper), gradyn_role_name(param->role),
                  !session->vary[i]    ? "fixed"
                  : param->logarithmic ? "its logarithm"
                                       : "yes");
  }
  cli_table_print(&table, "", stdout);
  for (size_t i = 0; i < session->parameters; i++)
    if (session->param[i].prior_deviation > 0)
      (void)printf("prior of %s%s: mean %g, deviation %g\n",
                   session->param[i].logarithmic ? "the logarithm of " : "", session->param[i].name,
                   session->param[i].prior, session->param[i].prior_deviation);
  (void)putchar('\n');
}

/* Returns the value of a setting: from the command line, or else its initial value. */
static int setting_now(const cli_session *session, const gradyn_setting *setting)
{
  for (size_t i = 0; i < session->setting_count; i++)
    /* names are the same pointer, so that they need not be compared as texts */
    if (session->settings[i].name == setting->name)
      return session->settings[i].value;
  return setting->init;
}

static void print_settings(const cli_session *session)
{
  if (session->problem->setting_count == 0)
    return;
  cli_table table = {.align = "lrrrl"};
  cli_table_add(&table, "setting|value|from|to|meaning");
  for (size_t i = 0; i < session->problem->setting_count; i++) {
    const gradyn_setting *setting = &session->problem->settings[i];
    cli_table_add(&table, "%s|%d|%d|%d|%s", setting->name, setting_now(session, setting),
                  setting->lower, setting->upper, setting->summary ? setting->summary : "");
  }
  cli_table_print(&table, "", stdout);
  (void)putchar('\n');
}

static void print_events(const cli_session *session)
{
  const size_t count = gradyn_evaluator_model_info(session->evaluator).events;
  if (count == 0)
    return;
  cli_table table = {.align = "ll"};
  (void)putchar('\n');
  cli_table_add(&table, "event|guard");
  for (size_t i = 0; i < count; i++) {
    const gradyn_event_info event = gradyn_event_at(session->evaluator, i);
    cli_table_add(&table, "%s|%s", event.name, guard_of(&event));
  }
  cli_table_print(&table, "", stdout);
}

/* Prints the name and value of every number of the model. */
static void print_data(const cli_session *session)
{
  size_t count = gradyn_evaluator_model_info(session->evaluator).data;
  cli_table table = {.align = "lrl"};
  (void)printf("\ndata: %zu numbers of the model\n", count);
  cli_table_add(&table, "datum|value|unit");
  for (size_t i = 0; i < count; i++) {
    gradyn_datum_info datum = gradyn_datum_at(session->evaluator, i);
    cli_table_add(&table, "%s|%.10g|%s", datum.name, datum.value, datum.unit);
  }
  cli_table_print(&table, "", stdout);
}

/* Prints the methods, sensitivities and algorithms that are possible for this problem. */
static void print_methods(const cli_session *session)
{
  (void)printf("\nmethods:");
  for (const char *const *name = gradyn_method_names(); *name; name++)
    for (size_t j = 0; j < COUNT(sensitivities); j++)
      if (offered(session, *name, sensitivities[j]))
        (void)printf(" %s/%s", *name, sensitivities[j]);
  (void)printf("\nalgorithms:");
  for (const char *const *name = gradyn_algorithm_names(); *name; name++)
    (void)printf(" %s", *name);
  (void)putchar('\n');
}

/* gradyn info: prints the contents of a problem without a simulation. */
int cli_info(const cli_session *session)
{
  if (session->options->print.json) {
    print_json(session);
    return CLI_DONE;
  }
  print_model(session);
  print_parameters(session);
  print_settings(session);
  /* values of functionals would need a simulation */
  cli_show_functionals(session, NULL, stdout);
  print_events(session);
  print_data(session);
  print_methods(session);
  return CLI_DONE;
}

/* --- gradyn list ------------------------------------------------------------------------------- */

/* Texts of a problem may be NULL. */
static const char *or_nothing(const char *text)
{
  return text ? text : "";
}

/* The object of --json with all problems. */
static void print_list(const cli_session *session)
{
  json_t *root = cli_json_begin("list", NULL, GRADYN_OK), *array = json_array();
  char name[128];
  const gradyn_problem *problem;
  for (size_t i = 0; (problem = gradyn_registry_at(session->registry, i)) != NULL; i++) {
    json_t *item = json_object();
    /* names as users write them, with - for _ */
    gradyn_problem_display_name(problem, name, sizeof name);
    cli_json_put(item, "name", cli_json_text(name));
    cli_json_put(item, "summary", cli_json_text(or_nothing(problem->summary)));
    cli_json_put(item, "reference", cli_json_text(or_nothing(problem->reference)));
    cli_json_append(array, item);
  }
  cli_json_put(root, "problems", array);
  cli_json_print(root);
}

/* gradyn list: all problems with their summaries. */
int cli_list(const cli_session *session)
{
  cli_table table = {.align = "ll"};
  char name[128];
  if (session->options->print.json) {
    print_list(session);
    return CLI_DONE;
  }
  cli_table_add(&table, "problem|summary");
  const gradyn_problem *problem;
  for (size_t i = 0; (problem = gradyn_registry_at(session->registry, i)) != NULL; i++) {
    cli_table_add(&table, "%s|%s", gradyn_problem_display_name(problem, name, sizeof name),
                  or_nothing(problem->summary));
  }
  cli_table_print(&table, "", stdout);
  return CLI_DONE;
}
