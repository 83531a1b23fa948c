/* gradyn equilibrium and gradyn linearise: equilibria of models, and linear models near a state. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <gradyn/analysis.h>

#include "core/files/csv.h"
#include "optim/study/motion.h"
#include "cli/base/memory.h"
#include "cli/text/json.h"
#include "cli/base/plain.h"
#include "cli/options/session.h"
#include "cli/base/table.h"
#include "dae/trajectory.h"

static const char *const word[] = {
    [GRADYN_STABLE] = "stable", [GRADYN_NEUTRAL] = "neutral", [GRADYN_UNSTABLE] = "unstable"};
static const char *const motion[] = {[GRADYN_EQUILIBRIUM] = "equilibrium",
                                     [GRADYN_STEADY_MOTION] = "steady",
                                     [GRADYN_TRANSIENT] = "transient"};

/* Results of a command: the trajectory with the equilibrium, or NULL, and the linearisation. */
typedef struct found {
  const cli_session *session;
  gradyn_trajectory *trajectory;
  gradyn_linearisation linear;
  gradyn_stability stability;
  gradyn_coordinate_info coordinate; /* the coordinate that was requested last */
} found;

/* Returns the name of coordinate i. The text is valid until the next call. */
static const char *coordinate(found *f, int i)
{
  f->coordinate = gradyn_coordinate_at(f->session->evaluator, i);
  return f->coordinate.name;
}

/* Returns the name of the k-th independent coordinate. */
static const char *independent(found *f, int k)
{
  return coordinate(f, f->linear.coordinate[k]);
}

/* Returns the number of rows of A. They belong to coordinates y, rates w and first-order states z. */
static int size_of(const found *f)
{
  return f->linear.dof + f->linear.rates + f->linear.states;
}

/* Writes the heading of row i of A. */
static void write_heading(FILE *file, found *f, int i)
{
  const gradyn_linearisation *l = &f->linear;
  if (i < l->dof)
    gradyn_csv_heading(file, independent(f, i), "");
  else if (i < l->dof + l->rates)
    gradyn_csv_heading(file, coordinate(f, l->rate[i - l->dof]), "rate");
  else
    gradyn_csv_heading(file, coordinate(f, l->state[i - l->dof - l->rates]), "");
}

/* Returns the name of entry i of q. A first-order state replaces its integral, which is in q. */
static const char *moved(found *f, int i)
{
  for (int k = 0; k < f->linear.states; k++)
    if (f->linear.state[k] == f->linear.n + i)
      return coordinate(f, f->linear.state[k]);
  return coordinate(f, i);
}

/* Whether tables show entry i of q. They do not show internal coordinates. */
static bool is_shown(const found *f, int i)
{
  return !gradyn_coordinate_at(f->session->evaluator, i).internal;
}

/* Returns the shown entries of q [n]. */
static json_t *shown_json(const found *f, const double *q)
{
  json_t *array = json_array();
  for (int i = 0; i < f->linear.n; i++)
    if (is_shown(f, i))
      cli_json_append(array, gradyn_json_number(q[i]));
  return array;
}

/* Returns the frequency of eigenvalue k, in oscillations per second. */
static double frequency(found *f, int k)
{
  return fabs(f->linear.imag[k]) / (2 * acos(-1)); /* |omega|/(2 pi) */
}

/* Returns the damping ratio of eigenvalue k; it is negative if the motion grows. */
static double damping(found *f, int k)
{
  double size = hypot(f->linear.real[k], f->linear.imag[k]);
  return size > 0 ? -f->linear.real[k] / size : 0; /* -Re/|lambda| */
}

/* Returns the coordinate with the largest amplitude in a mode. */
static const char *most_moved(found *f, int k)
{
  const double *shape = f->linear.shape + 2 * (size_t)k * (size_t)f->linear.n;
  for (int i = 0; i < f->linear.n; i++)
    /* the mode is scaled so that its largest entry is 1 */
    if (shape[i] == 1)
      return moved(f, i);
  return "";
}

/* --- Files -------------------------------------------------------------------------------------- */

/* Writes the equilibrium as one row, like a row of a trajectory. */
static void write_equilibrium(FILE *file, void *about)
{
  found *f = about;
  if (gradyn_motion_write(file, f->trajectory, NULL, NULL, 0, NULL, NULL) == GRADYN_NO_MEMORY)
    cli_no_memory();
}

/* Writes the rows of A or B, with the names of their columns. */
static void write_matrix(FILE *file, found *f, const double *A, bool inputs)
{
  const int size = size_of(f), columns = inputs ? f->linear.inputs : size;
  gradyn_csv_text(file, "rate of");
  /* columns of A are y, w and z, those of B are signals */
  for (int j = 0; j < columns; j++) {
    (void)fputc(',', file);
    if (inputs)
      gradyn_csv_heading(file, gradyn_signal_at(f->session->evaluator, (size_t)j).name, "");
    else
      write_heading(file, f, j);
  }
  (void)fputc('\n', file);
  for (int i = 0; i < size; i++) {
    /* row i is the rate of the state that column i of A has */
    write_heading(file, f, i);
    gradyn_csv_numbers(file, A + i * columns, (size_t)columns);
    (void)fputc('\n', file);
  }
}

/* Has the form that cli_session_keep() requires, like the functions below. */
static void write_A(FILE *file, void *about)
{
  found *f = about;
  write_matrix(file, f, f->linear.A, false);
}

/* B of z' = A z + B u as a table. */
static void write_B(FILE *file, void *about)
{
  found *f = about;
  write_matrix(file, f, f->linear.B, true);
}

/* Writes a row for each eigenvalue, with the real and imaginary parts of all coordinates in its mode. */
static void write_modes(FILE *file, void *about)
{
  found *f = about;
  const gradyn_linearisation *l = &f->linear;
  gradyn_csv_heading(file, "real", "1/s");
  (void)fputc(',', file);
  gradyn_csv_heading(file, "imaginary", "1/s");
  /* first the real parts of all coordinates, then the imaginary ones */
  for (int part = 0; part < 2; part++)
    for (int i = 0; i < l->n; i++)
      if (is_shown(f, i)) {
        (void)fputc(',', file);
        gradyn_csv_heading(file, moved(f, i), part == 0 ? "real" : "imaginary");
      }
  (void)fputc('\n', file);
  for (int k = 0; k < size_of(f); k++) {
    gradyn_csv_number(file, l->real[k]);
    gradyn_csv_numbers(file, l->imag + k, 1);
    for (int i = 0; i < 2 * l->n; i++)
      if (is_shown(f, i % l->n))
        gradyn_csv_numbers(file, l->shape + 2 * k * l->n + i, 1);
    (void)fputc('\n', file);
  }
}

/* --- JSON --------------------------------------------------------------------------------------- */

/* Returns the eigenvalues, each with frequency, damping and mode. */
static json_t *eigenvalues_json(found *f)
{
  const gradyn_linearisation *l = &f->linear;
  json_t *array = json_array();
  for (int k = 0; k < size_of(f); k++) {
    json_t *item = json_object();
    /* a mode has the real parts [n], then the imaginary parts [n] */
    const double *shape = l->shape + 2 * (size_t)k * (size_t)l->n;
    cli_json_put(item, "real", gradyn_json_number(l->real[k]));
    cli_json_put(item, "imaginary", gradyn_json_number(l->imag[k]));
    cli_json_put(item, "frequency", gradyn_json_number(frequency(f, k)));
    cli_json_put(item, "damping_ratio", gradyn_json_number(damping(f, k)));
    cli_json_put(item, "mode_real", shown_json(f, shape));
    cli_json_put(item, "mode_imaginary", shown_json(f, shape + l->n));
    cli_json_append(array, item);
  }
  return array;
}

/* Returns the names, A, B and eigenvalues. */
static json_t *linear_json(found *f)
{
  const gradyn_linearisation *l = &f->linear;
  json_t *object = json_object(), *names = json_array(), *all = json_array();
  json_t *inputs = json_array(), *states = json_array(), *rates = json_array();
  const int size = size_of(f);
  /* first the names that rows and columns of A and B have */
  for (int k = 0; k < l->dof; k++)
    cli_json_append(names, cli_json_text(independent(f, k)));
  for (int k = 0; k < l->rates; k++)
    cli_json_append(rates, cli_json_text(coordinate(f, l->rate[k])));
  for (int k = 0; k < l->states; k++)
    cli_json_append(states, cli_json_text(coordinate(f, l->state[k])));
  for (int i = 0; i < l->n; i++)
    if (is_shown(f, i))
      cli_json_append(all, cli_json_text(moved(f, i)));
  for (int j = 0; j < l->inputs; j++)
    cli_json_append(inputs, cli_json_text(gradyn_signal_at(f->session->evaluator, (size_t)j).name));
  /* then time, kind of motion, names, and the matrices */
  cli_json_put(object, "t", gradyn_json_number(l->t));
  cli_json_put(object, "motion", json_string(motion[l->motion]));
  if (l->motion == GRADYN_TRANSIENT)
    cli_json_put(object, "unsteady", cli_json_text(l->unsteady));
  cli_json_put(object, "independent", names);
  cli_json_put(object, "rates", rates);
  cli_json_put(object, "states", states);
  cli_json_put(object, "coordinates", all);
  cli_json_put(object, "inputs", inputs);
  cli_json_put(object, "A", cli_json_matrix(l->A, (size_t)size, (size_t)size));
  cli_json_put(object, "B", cli_json_matrix(l->B, (size_t)size, (size_t)l->inputs));
  cli_json_put(object, "eigenvalues", eigenvalues_json(f));
  return object;
}

/* Returns all columns of the equilibrium by name. */
static json_t *state_json(found *f)
{
  size_t columns = gradyn_trajectory_read(f->trajectory).columns;
  double *y = calloc(columns + 1, sizeof *y);
  json_t *object = json_object();
  if (y)
    (void)gradyn_trajectory_step(f->trajectory, 0, y);
  for (size_t i = 0; i < columns && y; i++)
    if (!gradyn_trajectory_column(f->trajectory, i).internal)
      cli_json_put(object, gradyn_trajectory_column(f->trajectory, i).name,
                   gradyn_json_number(y[i]));
  free(y);
  return object;
}

/* Returns the totals that general equations conserve. */
static json_t *totals_json(const gradyn_linearisation *l)
{
  json_t *array = json_array();
  for (int i = 0; i < l->totals; i++) {
    json_t *item = json_object();
    cli_json_put(item, "name", cli_json_text(l->total[i]));
    cli_json_put(item, "value", gradyn_json_number(l->total_value[i]));
    cli_json_append(array, item);
  }
  return array;
}

/* Prints the object of --json, for both commands. */
static void print_json(found *f)
{
  json_t *root = cli_json_session(f->session, GRADYN_OK);
  cli_json_put(root, "parameters", cli_json_parameters(f->session, f->session->rho));
  /* a linearisation about another state has no trajectory with an equilibrium */
  if (f->trajectory) {
    cli_json_put(root, "stability", json_string(word[f->stability]));
    cli_json_put(root, "least_stiffness", gradyn_json_number(f->linear.stiffness));
    cli_json_put(root, "state", state_json(f));
    cli_json_put(root, "totals", totals_json(&f->linear));
  }
  cli_json_put(root, "linear", linear_json(f));
  if (f->session->options->out)
    cli_json_put(root, "folder", cli_json_text(f->session->options->out));
  cli_json_print(root);
}

/* --- Text --------------------------------------------------------------------------------------- */

/* Prints a table of the eigenvalues. As in the library, slow modes come first. */
static void print_eigenvalues(found *f)
{
  cli_table table = {.align = "rrrrl"};
  cli_table_add(&table, "real|imaginary|frequency/Hz|damping|moves most");
  for (int k = 0; k < size_of(f); k++) {
    cli_table_add(&table, "%.10g|%.10g|%.6g|%.4g|%s", f->linear.real[k], f->linear.imag[k],
                  frequency(f, k), damping(f, k), most_moved(f, k));
  }
  cli_table_print(&table, "", stdout);
}

/* Whether column i is a velocity or an acceleration, which is zero in equilibrium. First-order states are
 * no velocities; general equations have neither. */
static bool is_still(const found *f, size_t i)
{
  const size_t n = (size_t)f->linear.n;
  for (int k = 0; k < f->linear.states; k++)
    if ((size_t)f->linear.state[k] == i)
      return false;
  return gradyn_evaluator_model_info(f->session->evaluator).mechanical && i >= n && i < 3 * n;
}

/* Prints all columns that can be nonzero in equilibrium. */
static void print_state(found *f)
{
  size_t columns = gradyn_trajectory_read(f->trajectory).columns;
  double *y = calloc(columns + 1, sizeof *y);
  cli_table table = {.align = "lrl"};
  cli_table_add(&table, "in equilibrium|value|unit");
  if (y)
    (void)gradyn_trajectory_step(f->trajectory, 0, y);
  for (size_t i = 0; i < columns && y; i++) {
    /* columns are q, v, a and lam */
    if (is_still(f, i) || gradyn_trajectory_column(f->trajectory, i).internal)
      continue;
    cli_table_add(&table, "%s", gradyn_trajectory_column(f->trajectory, i).name);
    /* prints round-off as zero */
    cli_table_add(&table, "%.12g|%s", fabs(y[i]) < 1e-15 ? 0 : y[i],
                  gradyn_trajectory_column(f->trajectory, i).unit);
  }
  cli_table_print(&table, "", stdout);
  free(y);
}

/* Prints the totals that general equations conserve. */
static void print_totals(const gradyn_linearisation *l)
{
  cli_table table = {.align = "lr"};
  if (l->totals == 0)
    return;
  cli_table_add(&table, "conserved total|value");
  for (int i = 0; i < l->totals; i++) {
    cli_table_add(&table, "%s", l->total[i]);
    cli_table_add(&table, "%.12g", l->total_value[i]);
  }
  (void)printf("\n");
  cli_table_print(&table, "", stdout);
}

/* Prints the kind of the equilibrium and its state. */
static void print_equilibrium(found *f)
{
  (void)printf("%s equilibrium with ", word[f->stability]);
  if (f->linear.dof > 0 || f->linear.states == 0)
    (void)printf("%d degrees of freedom", f->linear.dof);
  if (f->linear.states > 0)
    (void)printf("%s%d first-order states", f->linear.dof > 0 ? " and " : "", f->linear.states);
  /* the least stiffness is relative to the mass: it is the square of the circular frequency */
  if (f->linear.dof > 0 && f->linear.states == 0 && f->stability == GRADYN_STABLE)
    (void)printf(", lowest natural frequency without damping %.10g Hz",
                 sqrt(f->linear.stiffness) / (2 * acos(-1)));
  (void)printf("\n\n");
  print_state(f);
  print_totals(&f->linear);
}

/* Prints the eigenvalues of the linear model near the state. */
static void print_linear(found *f, const char *about)
{
  (void)printf("about %s at t = %.10g s", about, f->linear.t);
  for (int k = 0; k < f->linear.dof; k++)
    cli_say(stdout, "%s %s", k == 0 ? "; independent coordinates:" : ",", independent(f, k));
  for (int k = 0; k < f->linear.rates && f->linear.rates < f->linear.dof; k++)
    cli_say(stdout, "%s %s", k == 0 ? "; independent rates:" : ",",
            coordinate(f, f->linear.rate[k]));
  for (int k = 0; k < f->linear.states; k++)
    cli_say(stdout, "%s %s", k == 0 ? "; first-order states:" : ",",
            coordinate(f, f->linear.state[k]));
  /* only an equilibrium is stable or not */
  if (f->trajectory)
    (void)printf("\nthe equilibrium is %s", word[f->stability]);
  else if (f->linear.motion == GRADYN_STEADY_MOTION)
    (void)printf("\nthe motion is steady: the linearisation moves with it");
  else if (f->linear.motion == GRADYN_TRANSIENT)
    cli_say(stdout, "\nthe motion is not steady; the linearisation is valid at this time only: %s",
            f->linear.unsteady);
  (void)printf("\n\n");
  print_eigenvalues(f);
}

/* --- Commands ----------------------------------------------------------------------------------- */

/* Finds an equilibrium and the linearisation about it. */
static int find_equilibrium(const cli_session *session, found *f)
{
  f->trajectory = gradyn_trajectory_create();
  if (!f->trajectory)
    return cli_session_fail(session, GRADYN_NO_MEMORY, "no memory for a trajectory");
  gradyn_status status = gradyn_equilibrium_compute(session->evaluator, session->rho, &f->stability,
                                                    f->trajectory, &f->linear);
  return status == GRADYN_OK ? CLI_DONE : cli_session_refuse(session, status);
}

/* Frees the results of a command. */
static void clear(found *f)
{
  gradyn_linearisation_clear(&f->linear);
  gradyn_trajectory_free(f->trajectory);
}

/* gradyn equilibrium: finds an equilibrium of the model, and its stability. */
int cli_equilibrium(const cli_session *session)
{
  found f = {.session = session};
  int result = find_equilibrium(session, &f);
  if (result == CLI_DONE && session->options->out)
    result = cli_session_keep(session, "equilibrium.csv", write_equilibrium, &f);
  if (result == CLI_DONE && session->options->print.json)
    print_json(&f);
  else if (result == CLI_DONE)
    print_equilibrium(&f);
  clear(&f);
  return result;
}

/* Whether the motion at the start is steady, or at rest under velocity-level constraints. In both cases the
 * command linearises about the start. */
static bool starts_steadily(const cli_session *session, found *f)
{
  const gradyn_linearisation *l = &f->linear;
  const gradyn_status status = gradyn_evaluator_linearise(session->evaluator, session->rho, false,
                                                          &f->linear);
  const bool steady = status == GRADYN_OK &&
                      (l->motion == GRADYN_STEADY_MOTION ||
                       (l->motion == GRADYN_EQUILIBRIUM && l->rates < l->dof));
  if (!steady)
    gradyn_linearisation_clear(&f->linear);
  return steady;
}

/* Linearises about an equilibrium, the start or the end of a run. *where NULL: about the start if the
 * motion there is steady, otherwise about an equilibrium. */
static int find_linear(const cli_session *session, const char **where, found *f)
{
  const char *about = *where;
  const bool steady = !about && starts_steadily(session, f);
  if (!about)
    *where = steady ? "start" : "equilibrium";
  if (steady)
    return CLI_DONE;
  if (!about || strcmp(about, "equilibrium") == 0)
    return find_equilibrium(session, f);
  /* "equilibrium" was handled above */
  bool at_end = strcmp(about, "end") == 0;
  if (!at_end && strcmp(about, "start") != 0)
    return cli_session_fail(session, GRADYN_INVALID,
                            "--about '%s': must be equilibrium, start or end", about);
  /* linearises about a state of the run, so that there is no trajectory and no stability */
  gradyn_status status = gradyn_evaluator_linearise(session->evaluator, session->rho, at_end,
                                                    &f->linear);
  return status == GRADYN_OK ? CLI_DONE : cli_session_refuse(session, status);
}

/* gradyn linearise: finds A, B and modes about an equilibrium, a steady motion, the start or the end. */
int cli_linearise(const cli_session *session)
{
  static const struct {
    const char *name;
    void (*fill)(FILE *file, void *about);
  } files[] = {{"A.csv", write_A}, {"B.csv", write_B}, {"modes.csv", write_modes}};
  found f = {.session = session};
  const char *about = session->options->about;
  int result = find_linear(session, &about, &f);
  /* writes the files first, because the output names their folder */
  for (size_t i = 0; i < sizeof files / sizeof *files && session->options->out; i++)
    if (result == CLI_DONE)
      result = cli_session_keep(session, files[i].name, files[i].fill, &f);
  if (result == CLI_DONE && session->options->print.json)
    print_json(&f);
  else if (result == CLI_DONE)
    print_linear(&f, about);
  clear(&f);
  return result;
}
