/* Second derivatives for `gradyn gradient --hessian`. */
#include "cli/text/hessian.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/base/memory.h"
#include "cli/base/plain.h"
#include "cli/base/table.h"

/* Largest number of columns that fit a terminal. */
enum { MOST_COLUMNS = 8 };

/* Fills the weights of the functional that is named, or of the objective. GRADYN_UNSUPPORTED: the objective
 * has kinks. */
static int weigh(const cli_session *session, const char *objective, double *weight)
{
  size_t pieces = 0;
  bool any = false;
  for (size_t i = 0; i < session->functionals; i++) {
    const gradyn_functional_info *info = &session->functional[i];
    const bool minimised = info->use == GRADYN_OBJECTIVE || info->use == GRADYN_LARGEST;
    if (objective != NULL)
      weight[i] = strcmp(info->name, objective) == 0;
    else
      weight[i] = minimised ? info->weight : 0;
    pieces += objective == NULL && info->use == GRADYN_LARGEST;
    any = any || weight[i] != 0;
  }
  if (pieces > 1)
    return cli_session_fail(
        session, GRADYN_UNSUPPORTED,
        "--hessian: the objective is the largest of %zu functionals and has kinks where two are "
        "equal. Name one of them with --objective",
        pieces);
  return any ? CLI_DONE
             : cli_session_fail(session, GRADYN_INVALID,
                                "--hessian: the problem has no objective: name a functional with "
                                "--objective");
}

/* Returns entry (i, j) for steps of one scale of both parameters. */
static double scaled(const cli_hessian *h, size_t i, size_t j)
{
  return h->entry[i * h->count + j] * h->scale[i] * h->scale[j];
}

/* Replaces the matrix by its symmetric part, and records how large the antisymmetric part is. */
static void symmetrise(cli_hessian *h)
{
  double most = 0, rest = 0;
  for (size_t i = 0; i < h->count; i++)
    for (size_t j = 0; j <= i; j++) {
      most = fmax(most, fmax(fabs(scaled(h, i, j)), fabs(scaled(h, j, i))));
      rest = fmax(rest, fabs(scaled(h, i, j) - scaled(h, j, i)));
    }
  h->asymmetry = most > 0 ? rest / most : 0;
  for (size_t i = 0; i < h->count; i++)
    for (size_t j = 0; j < i; j++) {
      double *lower = &h->entry[i * h->count + j], *upper = &h->entry[j * h->count + i];
      *lower = *upper = 0.5 * (*lower + *upper);
    }
}

int cli_hessian_find(const cli_session *session, const char *objective, cli_hessian *out)
{
  const size_t p = session->parameters;
  *out = (cli_hessian){.count = p, .of = objective};
  out->entry = cli_take(p * p, sizeof *out->entry);
  out->scale = cli_take(p, sizeof *out->scale);
  double *weight = cli_take(session->functionals, sizeof *weight);
  double *unit = cli_take(p * p, sizeof *unit);
  for (size_t i = 0; i < p; i++) {
    const double scale = session->param[i].scale;
    out->scale[i] = scale > 0 ? scale : 1;
    unit[i * p + i] = 1;
  }
  int result = weigh(session, objective, weight);
  if (result == CLI_DONE) {
    const gradyn_status status = gradyn_evaluator_hessian_product(
        session->evaluator, weight, session->rho, p, unit, out->entry);
    if (status != GRADYN_OK)
      result = cli_session_refuse(session, status);
  }
  if (result == CLI_DONE)
    symmetrise(out);
  free(weight);
  free(unit);
  return result;
}

void cli_hessian_free(cli_hessian *hessian)
{
  free(hessian->entry);
  free(hessian->scale);
  *hessian = (cli_hessian){0};
}

/* Prints all entries. */
static void print_matrix(const cli_session *session, const cli_hessian *h, FILE *file)
{
  char align[MOST_COLUMNS + 2] = "l";
  memset(align + 1, 'r', h->count);
  cli_table table = {.align = align};
  cli_table_add(&table, "d2 by");
  for (size_t j = 0; j < h->count; j++)
    cli_table_add(&table, "%s", session->param[j].name);
  for (size_t i = 0; i < h->count; i++) {
    cli_table_add(&table, "%s", session->param[i].name);
    for (size_t j = 0; j < h->count; j++)
      cli_table_add(&table, "%.9g", h->entry[i * h->count + j]);
  }
  cli_table_print(&table, "", file);
}

/* Returns the parameter that is coupled most strongly to parameter i. */
static size_t partner_of(const cli_hessian *h, size_t i)
{
  size_t most = i > 0 ? 0 : 1;
  for (size_t j = 0; j < h->count; j++)
    if (j != i && fabs(scaled(h, i, j)) > fabs(scaled(h, i, most)))
      most = j;
  return most;
}

/* Prints the diagonal, and for each parameter the strongest coupling. */
static void print_diagonal(const cli_session *session, const cli_hessian *h, FILE *file)
{
  cli_table table = {.align = "lrlr"};
  cli_table_add(&table, "parameter p|d2 by p twice|strongest with q|d2 by p and q");
  for (size_t i = 0; i < h->count; i++) {
    const size_t with = partner_of(h, i);
    cli_table_add(&table, "%s|%.9g|%s|%.9g", session->param[i].name, h->entry[i * h->count + i],
                  session->param[with].name, h->entry[i * h->count + with]);
  }
  cli_table_print(&table, "", file);
}

void cli_hessian_print(const cli_session *session, const cli_hessian *h, FILE *file)
{
  cli_say(file, "second derivatives of %s\n", h->of != NULL ? h->of : "the objective");
  if (h->count <= MOST_COLUMNS)
    print_matrix(session, h, file);
  else
    print_diagonal(session, h, file);
  (void)fprintf(file,
                "(in the functional's unit per units of both parameters; the matrix found is "
                "asymmetric by %.1e of its largest entry)\n",
                h->asymmetry);
}

json_t *cli_hessian_json(const cli_hessian *h)
{
  json_t *root = json_object();
  cli_json_put(root, "functional", cli_json_text(h->of));
  cli_json_put(root, "matrix", cli_json_matrix(h->entry, h->count, h->count));
  cli_json_put(root, "asymmetry", gradyn_json_number(h->asymmetry));
  return root;
}
