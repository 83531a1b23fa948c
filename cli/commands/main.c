/* The gradyn command: finds the subcommand, parses its options, runs it. */
#include <stdio.h>
#include <string.h>

#include "cli/base/file.h"
#include "cli/base/interrupt.h"
#include "cli/base/memory.h"
#include "cli/options/ranks.h"
#include "cli/base/report.h"
#include "cli/options/session.h"
#include "cli/base/streams.h"
#include "core/base/nearest.h"

static const cli_command commands[] = {
    {"list", CLI_LIST, NULL, "list the problems, built in and from GRADYN_PATH",
     "GRADYN_PATH is a list of folders separated by colons; every shared object (*.so, *.dylib)\n"
     "in them that defines a problem is listed.\n",
     "gradyn list", .work = cli_list},
    {"info", CLI_INFO, "PROBLEM", "show sizes, parameters, settings, functionals, data, methods",
     "PROBLEM is a name from 'gradyn list' or the path of a shared object.\n",
     "gradyn info five-bar", .work = cli_info},
    {"simulate", CLI_SIMULATE, "PROBLEM", "simulate once: trajectory and functionals",
     "Prints the trajectory as CSV, with the functionals on standard error. With --out\n"
     "the trajectory goes to DIR/trajectory.csv and the functionals are printed. With\n"
     "--covariance, standard deviations are added, and DIR/covariance.csv has all covariances.\n",
     "gradyn simulate five-bar --set Ls1=2.0 --samples 500 > motion.csv", .run = cli_simulate},
    {"equilibrium", CLI_EQUILIBRIUM, "PROBLEM", "find the static equilibrium and its stability",
     "A strongly damped motion from the initial position ends in the equilibrium. Forces,\n"
     "signals and drives have their values at the initial time; fixed initial values are\n"
     "ignored. With --out all columns of the state go to DIR/equilibrium.csv.\n",
     "gradyn equilibrium five-bar", .work = cli_equilibrium},
    {"linearise", CLI_LINEARISE, "PROBLEM", "A, B, eigenvalues and modes about a state",
     "The states are independent coordinates, selected from those of the mechanism, and\n"
     "their rates; the inputs are the signals. With --out the results go to DIR/A.csv,\n"
     "DIR/B.csv and DIR/modes.csv. --about end with --t-end T uses the state at the time T.\n",
     "gradyn linearise five-bar --about equilibrium", .work = cli_linearise},
    {"gradient", CLI_GRADIENT, "PROBLEM", "functionals and their derivatives",
     "Shows the derivatives by all parameters, fixed ones included. With --all-data they are\n"
     "by every number of the model. --hessian adds the second derivatives of the objective.\n",
     "gradyn gradient five-bar --all-data", .run = cli_gradient},
    {"check", CLI_CHECK, "PROBLEM", "compare every derivative with an independent route",
     "The largest errors are printed last. The exit status is 1 if a derivative is wrong.\n",
     "gradyn check five-bar", .work = cli_check},
    {"events", CLI_EVENTS, "PROBLEM", "list the events of a run, and their effect on disturbances",
     "Prints a line for each event, with the rates before and after it, its impulse and the\n"
     "energy lost. With --saltation it adds the matrix that maps small disturbances of\n"
     "independent coordinates and their rates from just before the event to just after it.\n",
     "gradyn events double-pendulum-wall --saltation", .work = cli_list_events},
    {"orbit", CLI_ORBIT, "PROBLEM", "find a periodic orbit and its Floquet multipliers",
     "Starts from the initial state and the end time of the run. Shows state and period with\n"
     "their derivatives, and the multipliers: the growth of disturbances in a period.\n"
     "With --section the orbit begins directly after an event, and returns to it.\n",
     "gradyn orbit compass-walker --section step", .work = cli_orbit},
    {"lqr", CLI_LQR, "PROBLEM", "gains of a regulator that stabilises the motion",
     "Computes the linear-quadratic regulator along the run. Signals counter deviations dx of\n"
     "independent coordinates and their rates by du = -K dx, which minimises the integral of\n"
     "dx'Q dx + du'R du, plus dx'Qf dx at the end. Prints K at all times as CSV. With --out K\n"
     "goes to DIR/K.csv, and P of the cost-to-go dx'P dx to DIR/P.csv. --json has both at the\n"
     "start.\n",
     "gradyn lqr cart-pole --Q bob.x=1,cart.x=1 --R u=0.1 --samples 101", .work = cli_lqr},
    {"filter", CLI_FILTER, "PROBLEM", "estimate the state along a run from data",
     "An extended Kalman filter with the data of gradyn_fit() and their standard deviations.\n"
     "Prints the estimates of the states and their standard deviations after the data of each\n"
     "time as CSV, and -ln of the likelihood. With --out they go to DIR/estimates.csv, those\n"
     "before the data to DIR/predicted.csv, and the innovations to DIR/innovations.csv. --json\n"
     "has all innovations, and the estimate after the last data with its covariance.\n",
     "gradyn filter pendulum-identification --case small --noise gravity.y=1e-4",
     .run = cli_filter},
    {"steps", CLI_STEPS, "PROBLEM", "estimate the error of a fixed step",
     "Simulates with the step, its half and its quarter. Shows the observed order of every\n"
     "functional and derivative, and a Richardson estimate of its error.\n",
     "gradyn steps five-bar --method ali3p --step 1e-3", .run = cli_steps},
    {"run", CLI_RUN, "PROBLEM", "optimise and write a study folder",
     "The study has settings.json, journal.jsonl and history.csv (a line for each evaluation,\n"
     "written at once), trajectory_initial.csv, trajectory_final.csv and result.json.\n"
     "Without --out it is the new folder gradyn-PROBLEM, or gradyn-PROBLEM-2 and so on.\n"
     "Ctrl-C, SIGTERM and SIGHUP end the search, and the best point is written; a second\n"
     "signal ends the program at once. 'gradyn resume' continues the search in any case.\n",
     "gradyn run five-bar --algorithm lbfgs --fix Ls2 --out study", .run = cli_run},
    {"fit", CLI_RUN | CLI_FIT, "PROBLEM", "fit to data: estimates, deviations, residuals",
     "As 'gradyn run', for an objective that is a sum of fits to data. Also shows standard\n"
     "deviations and 95 % intervals of the parameters, combinations of parameters that the data\n"
     "do not determine, and tests of the residuals. result.json also has covariances and\n"
     "correlations of the parameters, and standard deviations of functionals.\n",
     "gradyn fit boehm-stat5 --out study", .run = cli_run},
    {"sweep", CLI_SWEEP, "PROBLEM", "evaluate on a grid of parameters",
     "Writes DIR/sweep.csv, a row for each point, and a report with curves or contours, and\n"
     "prints where functionals are least and largest. Without --out DIR is the new folder\n"
     "gradyn-PROBLEM-sweep. With --from STUDY the optima of that study are marked. Use\n"
     "'gradyn resume DIR' to continue a sweep that was stopped.\n",
     "gradyn sweep five-bar --over Ls1=1:3:21 --over Ls2=1:3:21 --jobs 2", .run = cli_sweep},
    {"pareto", CLI_PARETO, "PROBLEM", "find the front between two functionals",
     "Minimises the first functional for several upper limits of the second, spread over the\n"
     "range of the second. Writes DIR/pareto.csv: a row for each point has all parameters,\n"
     "all functionals and the trade-off, which is the decrease of the first functional for\n"
     "each additional unit of the second. Without --out DIR is the new folder\n"
     "gradyn-PROBLEM-pareto. 'gradyn resume DIR' continues a front that was stopped.\n",
     "gradyn pareto --from gradyn-cart-pole --free duration --objectives effort,time --jobs 2",
     .run = cli_pareto},
    {"profile", CLI_PROFILE, "PROBLEM [PARAMETER...]", "profile likelihoods of fitted parameters",
     "Fits, then fixes each parameter at successive values on both sides of its estimate and\n"
     "fits the others again, until the ends of a 95 % interval. A side without an end is shown\n"
     "as open, or as open at a bound. Writes DIR/profile.csv, a row for each point. Without\n"
     "PARAMETER: all free parameters. Without --out DIR is the new folder\n"
     "gradyn-PROBLEM-profile; 'gradyn resume DIR' continues profiles that were stopped.\n",
     "gradyn profile boehm-stat5 lg_k_imp_homo lg_k_phos --jobs 2", .run = cli_profile},
    {"uncertainty", CLI_UNCERTAINTY, "PROBLEM", "mean and deviation of functionals",
     "Computes mean and standard deviation of all functionals from the uncertain numbers that\n"
     "build() declares by gradyn_uncertain(): to first and second order, from unscented points\n"
     "and, with --points, from draws. --indices adds Sobol indices. Writes DIR/uncertainty.csv,\n"
     "and DIR/points.csv for robust designs: 'gradyn run PROBLEM --cases DIR/points.csv\n"
     "--over-cases deviation:3'. Without --out DIR is the new folder gradyn-PROBLEM-uncertainty;\n"
     "'gradyn resume DIR' continues a study that was stopped.\n",
     "gradyn uncertainty tolerance-four-bar --points 4096 --indices --jobs 2",
     .run = cli_uncertainty},
    {"doe", CLI_DOE, "PROBLEM", "optimal times of measurements",
     "Candidates are the times of the data of all fits, also of data without a value, or with\n"
     "--candidates N times. Shows the times with the shares of all measurements that determine\n"
     "the free parameters best, standard deviations to expect, and how efficient the present\n"
     "data are. With --out DIR writes DIR/experiment.csv.\n",
     "gradyn doe alpha-pinene --candidates 41 --measurements 40", .run = cli_doe_command},
    {"resume", CLI_RESUME, "STUDY", "continue a study that was stopped or killed",
     "Repeats the search from the journal of the study, bit for bit and without simulations,\n"
     "and continues after its end. First, the last evaluation is computed again. If its bits\n"
     "differ, the reasons are named and no file is changed. Limits and tolerances may be\n"
     "changed; all other options are those of the study.\n",
     "gradyn resume study --max-evaluations 500", .run = cli_resume},
    {"status", CLI_STATUS, "STUDY", "show the progress of a study",
     "Shows whether the study is running, has ended, or was stopped and can be resumed, the\n"
     "number of evaluations in its journals, and its best objective.\n",
     "gradyn status gradyn-five-bar", .run = cli_status},
    {"studies", CLI_STUDIES, "[DIR]", "list the studies in a folder",
     "Without DIR the current folder is listed.\n", "gradyn studies", .run = cli_studies},
    {"report", CLI_REPORT, "STUDY...", "make the report of a study, or compare several",
     "The report is one HTML file that opens in any browser, offline. The report of\n"
     "one study is written to its folder, as 'gradyn run' does. Several studies of a problem\n"
     "are compared in comparison.html in the current folder, or in the folder of --out.\n",
     "gradyn report gradyn-five-bar gradyn-five-bar-2", .run = cli_make_report},
    {"help", CLI_HELP, "[NAME...]", "show a command or an entry of the reference",
     "NAME is a command, a function or struct with or without its prefix, or an option\n"
     "without dashes: spring, gradyn_spring, starts. With --search the operands are words,\n"
     "in any order, that describe your task; the best entries come first.\n",
     "gradyn help --search a spring between two bodies", .run = cli_help},
    {"migrate", CLI_MIGRATE, "FILE...", "rewrite sources to the names of this version",
     "Changes names of version 0.2 in C and Python files and in notebooks, and lists the lines\n"
     "that you have to change by hand. Needs Python 3. Exit status: 0, no line has to be\n"
     "changed by hand; 1, such lines are listed; 2, a file cannot be read.\n",
     "gradyn migrate --dry-run problem.c", .run = cli_migrate},
};

/* Commands whose work several processes can share. They print results only at the end. */
#define SHARED (CLI_RUN | CLI_POINTS | CLI_PARETO | CLI_PROFILE | CLI_RESUME)

#define COMMANDS (sizeof commands / sizeof commands[0])

/* Prints the version of the loaded library. */
static void print_version(void)
{
  (void)printf("gradyn %s\n", gradyn_version());
}

const cli_command *cli_command_at(size_t i)
{
  return i < COMMANDS ? &commands[i] : NULL;
}

const cli_command *cli_command_find(const char *name)
{
  for (size_t i = 0; i < COMMANDS; i++)
    if (strcmp(commands[i].name, name) == 0)
      return &commands[i];
  return NULL;
}

/* Whether --json is given. Used also if the options cannot be parsed. */
static bool wants_json(int argc, char *argv[])
{
  /* arguments after "--" are no options */
  for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++)
    if (strcmp(argv[i], "--json") == 0)
      return true;
  return false;
}

/* Reports an unknown command or option, with the most similar name. */
static int unknown(const char *name, bool json)
{
  char message[256];
  gradyn_nearest nearest = {.requested = name}; /* the most similar name, for a hint */
  for (size_t i = 0; i < COMMANDS; i++)
    gradyn_nearest_try(&nearest, commands[i].name);
  const char *bare = name + strspn(name, "-");
  /* a name that begins with a dash is an option, at any position */
  if (*name == '-' && *bare) {
    gradyn_nearest option = {.requested = bare};
    gradyn_nearest_try(&option, "help");
    gradyn_nearest_try(&option, "version");
    nearest = option;
  }
  /* the name is a typing error, an option before the command, or unknown */
  if (*name == '-' && nearest.best)
    (void)snprintf(message, sizeof message, "unknown option '%.60s' (did you mean '--%s'?)", name,
                   nearest.best);
  else if (*name == '-')
    (void)snprintf(message, sizeof message,
                   "option '%.60s' is before the command; write gradyn COMMAND [PROBLEM] "
                   "[OPTIONS]",
                   name);
  else
    (void)snprintf(message, sizeof message,
                   "no command is called '%.60s'%s%s%s; 'gradyn --help' shows all", name,
                   nearest.best ? " (did you mean '" : "", nearest.best ? nearest.best : "",
                   nearest.best ? "'?)" : "");
  return cli_report(json, NULL, NULL, GRADYN_INVALID, message);
}

/* Opens the problem and runs the command. */
static int work(const cli_options *options)
{
  cli_session session;
  int result = cli_session_open(&session, options);
  if (result == CLI_DONE)
    result = options->command->work(&session);
  cli_session_close(&session);
  return result;
}

/* Runs a command. If other processes of mpirun can share the work, they do; with --shard, processes work
 * independently. */
static int run(const cli_options *options, bool json)
{
  const cli_command *command = options->command;
  const bool shared = command->bit & SHARED && !options->many.shard;
  if (shared)
    cli_ranks_join();
  /* without MPI, each process would do the whole work */
  if (shared && cli_ranks_expected() && !cli_ranks_several())
    return cli_report(json, command->name, options->problem, GRADYN_UNSUPPORTED,
                      "this gradyn was built without MPI, mpirun cannot share work among its "
                      "processes: build with -DGRADYN_MPI=ON, or use --jobs or --shard");
  return command->work ? work(options) : cli_ranks_end(command->run(options));
}

/* Parses the options, then runs the command or prints help. */
static int dispatch(const cli_command *command, int argc, char *argv[], bool json)
{
  cli_options options;
  char message[512]; /* error message of the parser */
  /* an invalid command line gives the exit status of wrong usage */
  int result = cli_options_parse(&options, command, argc, argv, message, sizeof message);
  if (result != CLI_DONE) {
    cli_report(json, command->name, options.problem, GRADYN_INVALID, message);
    (void)fprintf(stderr, "'gradyn %s --help' shows the options\n", command->name);
    cli_options_clear(&options);
    return result;
  }
  cli_options_note_renamed(&options);
  if (options.print.help) {
    cli_help_command(command);
  } else if (options.print.version) {
    print_version();
  } else {
    if (json || command->bit & SHARED)
      cli_streams_divert(); /* from here on, standard output gets only results, at the end */
    result = run(&options, json);
  }
  cli_options_clear(&options);
  return result;
}

/* Runs one command. Usage, version and help are handled here, all other commands by the table. */
int main(int argc, char *argv[])
{
  const char *name = argc > 1 ? argv[1] : "";
  bool json = wants_json(argc, argv);
  /* descriptors 0 to 2 must be in use before a file is opened, so that no file gets one of them */
  cli_streams_guard();
  cli_interrupt_clean(cli_file_leave);
  cli_no_memory_json(json);
  /* no command is wrong usage, too */
  if (argc < 2) {
    cli_help_usage(stderr);
    return CLI_USAGE;
  }
  if (strcmp(name, "--version") == 0 || strcmp(name, "-V") == 0) {
    print_version();
    return cli_streams_finish(CLI_DONE);
  }
  const cli_command *command = cli_command_find(name);
  if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0) {
    cli_help_usage(stdout);
    return cli_streams_finish(CLI_DONE);
  }
  return cli_streams_finish(command ? dispatch(command, argc, argv, json) : unknown(name, json));
}
