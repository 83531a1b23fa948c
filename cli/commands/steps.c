/* gradyn steps: accuracy of a fixed step, from runs with the step, its half and its quarter.
 *
 * From values y(h), y(h/2), y(h/4) of a quantity, the order is log2 of the ratio of their differences. The
 * error of y(h) follows by Richardson extrapolation. Derivatives that do not converge with shorter steps
 * are marked: they have no limit. */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/text/json.h"
#include "cli/base/memory.h"
#include "cli/base/report.h"
#include "cli/text/reporter.h"
#include "cli/options/session.h"
#include "cli/base/table.h"

enum { RUNS = 3 };

/* Results of the three runs. A quantity is a functional psi or one of its derivatives by the columns, which
 * are parameters or all data. */
typedef struct step_study {
  double step[RUNS]; /* s */
  bool all;          /* columns are data instead of parameters */
  long columns;
  double *psi[RUNS];      /* [functionals] */
  double *gradient[RUNS]; /* [functionals][columns] */
  /* [columns], there is no derivative, because constraints become dependent during the run */
  bool *singular;
} step_study;

/* Returns the name of the parameter or datum of column j. */
static const char *column_name(const cli_session *session, const step_study *study, long j)
{
  return study->all ? gradyn_datum_at(session->evaluator, (size_t)j).name : session->param[j].name;
}

/* Returns the value of the parameter or datum of column j, which makes derivatives comparable. */
static double column_value(const cli_session *session, const step_study *study, long j)
{
  return study->all ? gradyn_datum_at(session->evaluator, (size_t)j).value : session->rho[j];
}

/* Returns the order p that is observed, if values differ from their limit by C h^p. */
static double order_of(const double value[RUNS])
{
  /* p = log2(|v_h - v_h/2|/|v_h/2 - v_h/4|) */
  return log2(fabs((value[0] - value[1]) / (value[1] - value[2])));
}

/* Returns the Richardson estimate of the error of the first run. It is the sum of a geometric series whose
 * first terms are the two differences. NAN: the differences do not decrease. */
static double error_of(const double value[RUNS])
{
  double first = value[0] - value[1], second = value[1] - value[2];
  if (fabs(second) >= fabs(first))
    return first == 0 && second == 0 ? 0 : NAN;
  return first / (1 - second / first); /* first (1 + r + r^2 + ...) with r = 2^-p */
}

/* Adds the extrapolated value, the relative error and the order to a row, or dashes if they are not known. */
static void add_estimate(cli_table *table, const double value[RUNS])
{
  double error = error_of(value), limit = value[0] - error, order = order_of(value);
  if (isnan(error)) { /* no limit can be extrapolated from the three runs */
    cli_table_add(table, "-|-");
  } else {
    cli_table_add(table, "%.12g|%.1e", limit, error != 0 ? fabs(error / limit) : 0);
  }
  if (isfinite(order))
    cli_table_add(table, "%.2f", order);
  else
    cli_table_add(table, "-");
}

/* Computes values and gradients with all three steps. */
static gradyn_status run(const cli_session *session, step_study *study, gradyn_evaluator **ev)
{
  for (int k = 0; k < RUNS; k++) {
    /* the step is an option of an evaluator: each step needs another evaluator */
    gradyn_options evaluation = session->evaluation;
    evaluation.step = study->step[k];
    gradyn_evaluator_free(*ev);
    GRADYN_TRY(gradyn_evaluator_create(session->problem, &evaluation, session->settings,
                                       session->setting_count, ev));
    GRADYN_TRY(
        study->all
            ? gradyn_evaluator_data_gradient(*ev, session->rho, study->psi[k], study->gradient[k])
            : gradyn_evaluator_gradient(*ev, session->rho, study->psi[k], study->gradient[k]));
    cli_session_warn(*ev);
  }
  /* tested for the last run, which has the shortest steps */
  return gradyn_evaluator_singular_data(*ev, session->rho, study->all ? study->singular : NULL,
                                        study->all ? NULL : study->singular);
}

/* Fills the three values of functional f, or of its derivative by column j if j >= 0. */
static void values_of(const step_study *study, size_t f, long j, double value[RUNS])
{
  for (int k = 0; k < RUNS; k++)
    value[k] = j < 0 ? study->psi[k][f] : study->gradient[k][(long)f * study->columns + j];
}

/* Whether a derivative does not converge with shorter steps: its second change exceeds round-off and is not
 * much smaller than the first. Then the functional jumps, because steps meet an event differently. Data
 * that make constraints dependent have no derivative either. */
static bool has_no_limit(const cli_session *session, const step_study *study, size_t f, long j,
                         const double value[RUNS])
{
  if (j < 0)
    return false;
  if (study->singular[j])
    return true;
  double first = fabs(value[0] - value[1]), second = fabs(value[1] - value[2]);
  double d = fabs(column_value(session, study, j));
  /* derivatives below this fraction of psi/d count as zero */
  double nothing = 1e-6 * fabs(study->psi[0][f]) / (d > 0 ? d : 1);
  /* with order p, the second difference is 2^-p times the first */
  return second > fmax(1e-3 * fabs(value[2]), nothing) && second > 0.8 * first;
}

/* Prints a row for each quantity, and explanations. */
static void print_text(const cli_session *session, const step_study *study)
{
  cli_table table = {.align = "lrrrrl"};
  if (session->functionals == 0) {
    (void)puts("the problem has no functionals, from which the error of a step is estimated");
    return;
  }
  /* true: an explanation is needed */
  bool none = false, unknown = false;
  /* columns: value of the first run, limit, error, order */
  cli_table_add(&table, "quantity|step %g s", study->step[0]);
  cli_table_add(&table, "extrapolated|relative error|order|");
  /* j = -1: the functional itself; otherwise its derivative by column j */
  for (size_t f = 0; f < session->functionals; f++)
    for (long j = -1; j < study->columns; j++) {
      double value[RUNS];
      values_of(study, f, j, value);
      if (j < 0)
        cli_table_add(&table, "%s", session->functional[f].name);
      else
        cli_table_add(&table, "d %s / d %s", session->functional[f].name,
                      column_name(session, study, j));
      cli_table_add(&table, "%.12g", value[0]);
      add_estimate(&table, value);
      unknown = unknown || isnan(error_of(value));
      bool lost = has_no_limit(session, study, f, j, value);
      cli_table_add(&table, "%s", lost ? "no limit" : "");
      none = none || lost;
    }
  /* explanations of the columns */
  cli_table_print(&table, "", stdout);
  (void)puts("(from runs with the step, its half and its quarter; an order far from that of the\n"
             "scheme means that the step is too long for the estimate, or the error is round-off)");
  if (unknown)
    (void)puts(
        "(- no estimate: the differences between the runs do not decrease as steps get shorter,\n"
        "because the values already agree to round-off or the steps are too long)");
  if (none)
    (void)puts(
        "no limit: this derivative does not converge with shorter steps. It does not exist, for "
        "example\nat a singular position that can be passed in two ways, or the steps are much too "
        "long.");
}

/* Returns the object of --json and of result.json. */
static json_t *describe(const cli_session *session, const step_study *study)
{
  json_t *root = cli_json_session(session, GRADYN_OK), *rows = json_array();
  for (size_t f = 0; f < session->functionals; f++)
    for (long j = -1; j < study->columns; j++) {
      double value[RUNS];
      json_t *row = json_object();
      values_of(study, f, j, value);
      /* the quantity, its three values, and the estimates */
      cli_json_put(row, "functional", cli_json_text(session->functional[f].name));
      cli_json_put(row, study->all ? "datum" : "parameter",
                   j < 0 ? json_null() : cli_json_text(column_name(session, study, j)));
      cli_json_put(row, "values", cli_json_numbers(value, RUNS));
      cli_json_put(row, "error", gradyn_json_number(error_of(value)));
      cli_json_put(row, "order", gradyn_json_number(order_of(value)));
      cli_json_put(row, "no_limit", json_boolean(has_no_limit(session, study, f, j, value)));
      cli_json_append(rows, row);
    }
  /* the members of any result come first */
  cli_json_put(root, "steps",
               cli_json_numbers(study->step, RUNS)); /* from the longest to the shortest */
  cli_json_put(root, "parameters", cli_json_parameters(session, session->rho));
  cli_json_put(root, "functionals", cli_json_functionals(session, study->psi[0], NULL));
  cli_json_put(root, "study", rows);
  return root;
}

/* Prints the table or the object. Writes the folder and the report. */
static int show(const cli_session *session, gradyn_folder *folder, const step_study *study)
{
  json_t *root = describe(session, study);
  if (!session->options->print.json)
    print_text(session, study);
  return cli_reporter_conclude(session, folder, root, NULL, false);
}

/* Chooses the steps h, h/2, h/4 from the step h of the session. Fails for a method with variable steps. */
static int choose_steps(const cli_session *session, step_study *study)
{
  gradyn_options evaluation = gradyn_evaluator_options(session->evaluator);
  /* rtol > 0 means that the method chooses its steps */
  if (evaluation.rtol > 0)
    return cli_session_fail(session, GRADYN_UNSUPPORTED,
                            "the method %s chooses its own steps: a step-size study is for "
                            "fixed-step methods (--method ali3p, or explicit with --step)",
                            evaluation.method);
  double step = evaluation.step > 0 ? evaluation.step
                                    : gradyn_evaluator_model_info(session->evaluator).t_end / 1000;
  for (int k = 0; k < RUNS; k++)
    study->step[k] = ldexp(step, -k); /* exact division by powers of two */
  return CLI_DONE;
}

/* Allocates memory, runs with the three steps, and shows the results. */
static int steps(cli_session *session, gradyn_folder *folder)
{
  const bool all = session->options->all_data;
  const size_t columns = all ? gradyn_evaluator_model_info(session->evaluator).data
                             : session->parameters;
  step_study study = {.all = all, .columns = (long)columns};
  gradyn_evaluator *ev = NULL;
  int result = choose_steps(session, &study);
  /* allocated even if no run follows, so that one place frees everything */
  for (int k = 0; k < RUNS; k++) {
    study.psi[k] = cli_take(session->functionals + 1, sizeof *study.psi[k]);
    study.gradient[k] = cli_take(session->functionals * columns + 1, sizeof *study.gradient[k]);
  }
  study.singular = cli_take(columns + 1, sizeof *study.singular);
  gradyn_status status = result == CLI_DONE ? run(session, &study, &ev) : GRADYN_OK;
  if (status != GRADYN_OK)
    result = cli_session_fail(session, status, "%s", gradyn_evaluator_message(ev));
  else if (result == CLI_DONE)
    result = show(session, folder, &study);
  gradyn_evaluator_free(ev);
  free(study.singular);
  for (int k = 0; k < RUNS; k++) {
    free(study.psi[k]);
    free(study.gradient[k]);
  }
  return result;
}

/* gradyn steps: estimates the accuracy of values and gradients with a fixed step. */
int cli_steps(const cli_options *options)
{
  return cli_study_with(options, steps);
}
