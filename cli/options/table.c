/* The table of options, from which parsing, help, completion, reference and manual page follow.
 *
 * An entry has the name of an option, its kind, the field for its value, the commands that accept it, and
 * its texts. Options of a group are consecutive. A field belongs to cli_options, or to the gradyn_options
 * or gradyn_search in it, from which given values are copied. */
#include "cli/options/table.h"

#include <string.h>

#include "cli/options/entry.h"
#include "cli/options/options.h"

/* The owner and the field of an option. */
#define AT(field) OWN, offsetof(cli_options, field)
#define IN_RUN(field) EVALUATES, offsetof(gradyn_options, field)
#define IN_SEARCH(field) SEARCHES, offsetof(gradyn_search, field)
#define DERIVATIVES                                                                                \
  (CLI_GRADIENT | CLI_CHECK | CLI_RUN | CLI_STEPS | CLI_SWEEP | CLI_PARETO | CLI_PROFILE |         \
   CLI_UNCERTAINTY | CLI_DOE)
#define RUNS                                                                                       \
  (CLI_SIMULATE | CLI_LINEARISE | CLI_EVENTS | CLI_ORBIT | CLI_LQR | CLI_FILTER | DERIVATIVES)
#define OPTIMISE (CLI_RUN | CLI_PARETO | CLI_PROFILE)
#define SEARCH (OPTIMISE | CLI_RESUME)
#define MANY (OPTIMISE | CLI_POINTS)

const option_entry cli_option_entries[] = {
    {"set", 's', CHOICE, AT(choice), CLI_MODEL, "NAME=VALUE",
     "value of a setting, a parameter, u[3] of an array or a whole array u; repeatable",
     "An element of a parameter array is set as in `u[3]=1.5`."},
    {"from", 0, TEXT, AT(from), CLI_MODEL, "STUDY",
     "parameters, settings and method of an earlier run; PROBLEM may be omitted",
     "The values are the final ones of the study: parameters, settings, method, step or "
     "tolerances, and end time. Fixed parameters stay fixed. run also takes the objective scale, "
     "unless it minimises another objective. Other options override these values."},
    {"problem", 0, TEXT, AT(file), CLI_MODEL | CLI_RESUME, "FILE",
     "the problem, instead of the one that the study of --from or resume names",
     "A study may come from another person, and a shared object is code. A file that only the "
     "study names is therefore refused, with exit status 2 and the command line to type. Files "
     "that were named on a command line before are accepted."},
    {"case", 0, TEXT, IN_RUN(only_case), CLI_MODEL, "NAME", "only this load case, as a single run",
     "Analyses of a motion need it if the problem has load cases."},
    {"cases", 0, TEXT, AT(many.cases), CLI_MODEL, "FILE",
     "load cases: a run for each line of a table, with one design for all",
     "The first heading is `case`. The others are parameters, settings, `t_end`, `weight`, or "
     "names "
     "that build() reads. The table replaces the cases of the problem."},
    {"over-cases", 0, TEXT, IN_RUN(over_cases), CLI_MODEL, "HOW",
     "objective over load cases: sum (default), mean, largest, cvar:SHARE, deviation:K",
     "In a sum, the weights of the cases are factors. The mean is this sum divided by the sum of "
     "the weights. With largest, only cases with a positive weight count. With cvar it is the "
     "mean over the worst SHARE of the weights, with deviation the mean plus K standard "
     "deviations."},
    {"method", 0, TEXT, IN_RUN(method), CLI_MODEL, "NAME",
     "integration: auto, explicit, radau, idas, ali3p, variational, kinematic",
     "kinematic is for mechanisms whose motion is completely prescribed. The default is the "
     "method of the problem, or auto. auto selects explicit, or radau if the motion is stiff and "
     "for friction in joints. It selects idas for options that only idas has."},
    {"coordinates", 0, TEXT, IN_RUN(coordinates), RUNS | CLI_INFO | CLI_EQUILIBRIUM, "NAME",
     "auto (default), natural, or joint: coordinates of joints for bodies and rods on trees",
     "With joint, bodies on trees of joints, bodies without a joint, and rods in the plane have "
     "the coordinates of the joints. Features without support are refused with an error that "
     "names them. In space, for explicit, radau and kinematic, auto counts the multiplications of "
     "a stage from the model and selects the coordinates with fewer. Otherwise it selects natural "
     "ones."},
    {"step", 0, POSITIVE, IN_RUN(step), RUNS, "SECONDS",
     "step of fixed-step methods; explicit and radau: use fixed steps", ""},
    {"order", 0, FEW, IN_RUN(order), RUNS, "N", "order of the method explicit: 8 (default) or 5",
     ""},
    {"integrator", 0, TEXT, IN_RUN(integrator), RUNS, "NAME",
     "ali3p: trapezoidal, newmark, hht or generalised-alpha", ""},
    {"integrator-parameter", 0, NUMBER, IN_RUN(integrator_parameter), RUNS, "NUMBER",
     "newmark: gamma (0.5); hht: alpha (-0.1); generalised-alpha: rho_inf (0.8)", ""},
    {"penalty", 0, POSITIVE, IN_RUN(penalty), RUNS, "NUMBER",
     "penalty of ali3p's position problem; the result does not depend on it", ""},
    {"projection-penalty", 0, POSITIVE, IN_RUN(projection_penalty), RUNS, "NUMBER",
     "ali3p: project by one solve with this penalty instead of exactly", ""},
    {"quadrature", 0, NUMBER, IN_RUN(quadrature), RUNS, "ALPHA",
     "variational: point in a step, 0 to 1, where forces act; default 0.5", ""},
    {"rtol", 0, POSITIVE, IN_RUN(rtol), RUNS, "NUMBER", "relative tolerance of the simulation", ""},
    {"atol", 0, POSITIVE, IN_RUN(atol), RUNS, "NUMBER", "absolute tolerance of the simulation",
     "The default for idas, explicit and radau is a hundredth of the relative tolerance, times "
     "the natural size of every state. In general equations, `size` of gradyn_equations_spec "
     "declares the size. Without it, the size is at least a thousandth of the largest state with "
     "the same unit."},
    {"t-end", 0, POSITIVE, IN_RUN(t_end), RUNS, "SECONDS", "end time", ""},
    {"max-steps", 0, WHOLE, IN_RUN(max_steps), RUNS, "N", "at most N steps in one simulation", ""},
    {"evaluation-seconds", 0, POSITIVE, IN_RUN(evaluation_seconds), RUNS | CLI_RESUME, "SECONDS",
     "give up an evaluation that takes longer", "In a search the point is rejected."},
    {"about", 0, TEXT, AT(about), CLI_LINEARISE, "WHERE",
     "equilibrium (default, except if the start is a steady motion), start, or end",
     "start and end are states of a run. The default is the equilibrium, or the start if the "
     "problem starts in a steady motion, such as a rolling wheel."},
    {"baumgarte", 0, POSITIVE, AT(baumgarte), RUNS, "RATE",
     "stabilise constraints of idas with alpha = beta = RATE, 1/s", ""},
    {"sensitivity", 0, TEXT, IN_RUN(sensitivity), DERIVATIVES, "NAME",
     "gradient: auto (the faster one), adjoint, direct; to compare: differences, "
     "continuous-adjoint",
     "auto selects adjoint or direct by the cost for the number of parameters and functionals. "
     "Two methods are approximations for comparison: differences of whole runs, for every problem "
     "and method, and the continuous-adjoint of ali3p."},
    {"perturbation", 0, POSITIVE, IN_RUN(perturbation), DERIVATIVES, "NUMBER",
     "forward differences with this relative step instead of central ones",
     "The step is below 1. Central differences are extrapolated."},
    {"staggered", 0, FLAG, IN_RUN(staggered), DERIVATIVES, NULL,
     "direct gradients: staggered instead of simultaneous corrector",
     "If the corrector needs very short steps, or the simultaneous corrector diverges "
     "repeatedly, the run is repeated. The repetition uses the staggered corrector and "
     "conservative orders and steps."},
    {"rtol-sens", 0, POSITIVE, IN_RUN(rtol_sens), DERIVATIVES, "NUMBER",
     "relative tolerance of sensitivities; default: --rtol",
     "The error is relative to the largest component of the gradient of a functional."},
    {"memory", 0, POSITIVE, IN_RUN(memory), DERIVATIVES, "BYTES",
     "memory in bytes for the states of a gradient by fixed-step methods; default 1e9", ""},
    {"all-data", 0, FLAG, AT(all_data), CLI_GRADIENT | CLI_STEPS, NULL,
     "derivatives by every number of the model (gradient: largest effect first)", ""},
    {"hessian", 0, FLAG, IN_SEARCH(hessian), CLI_RUN | CLI_GRADIENT, NULL,
     "second derivatives of the objective; run: use them in place of an estimate, with --segments",
     "gradient prints the second derivatives of the objective, or of the functional that "
     "--objective names, by all parameters. They are the symmetric part of products with unit "
     "vectors; their asymmetry is printed, too. For more than eight parameters the table has the "
     "diagonal and the strongest coupling of each; --json prints all of them. With --segments and "
     "ipopt, run uses second derivatives of each segment from the start. Otherwise it uses them "
     "once the limited-memory estimate has cost as much. Runs with events, maxima or path "
     "constraints, and runs by idas, have none."},
    {"costates", 0, FLAG, AT(folder.costates), CLI_GRADIENT, NULL,
     "with --out: costates.csv, derivatives of the objective by the states of the run",
     "The file also has the Hamiltonian. The methods are explicit and radau."},
    {"algorithm", 0, TEXT, IN_SEARCH(algorithm), OPTIMISE, "NAME[,NAME]",
     "optimiser, and one that continues if it finds no optimum; see 'gradyn info'",
     "The second optimiser continues from the best point if the first one ends neither optimal "
     "nor nearly optimal. It also continues after 500 evaluations, or after 160 without a better "
     "point. The default auto selects ipopt for segments, and for constraints with at least ten "
     "optimised parameters. It selects slsqp for constraints with fewer parameters, and lbfgs "
     "without constraints."},
    {"segments", 0, TEXT, IN_SEARCH(segment_times), CLI_RUN, "N|T,T,...|WHERE",
     "multiple shooting: N segments, or boundaries at times, at knots or between events",
     "Times are in seconds; write a single one with a decimal point. WHERE is `knots` for the "
     "knots of the signals, or `events` for the middle between the events of the guess. The "
     "states at the segment boundaries are additional unknowns. Boundaries are stored as shares "
     "of the end time. The algorithm is ipopt unless --algorithm names another. Features without "
     "support are refused with an error that names them. If an event occurs at a boundary, the "
     "boundary is moved, and the result reports it."},
    {"guess", 0, TEXT, IN_SEARCH(guess), CLI_RUN, "FILE",
     "with --segments: begin with the states over time of a table, such as trajectory.csv",
     "Columns are named as in `trajectory.csv`. The default is `trajectory_segments.csv` in the "
     "study of --from, or its `trajectory_final.csv`. Without these files, the guess is the "
     "states of --warm, or those that the problem declares, or those of a simulation."},
    {"warm", 0, TEXT, AT(folder.warm), CLI_RUN, "STUDY",
     "begin with parameters, multipliers and states of an earlier run, also of another problem",
     "STUDY is a folder, or its `result.json`. Parameters, constraints and states are found by "
     "name. Arrays with another number of elements, and states at other segment boundaries, are "
     "interpolated. Parts that do not fit are reported. --from and --set override the "
     "parameters, and --guess the states. Only ipopt uses multipliers."},
    {"refine-controls", 0, WHOLE, IN_SEARCH(refine_controls), CLI_RUN, "N",
     "add knots to the designed signals where they help, in N rounds at most",
     "Each knot of such a signal must equal one parameter, or be fixed. Parameters of new knots "
     "are named by the signal and the position: `u@3.5` is in the middle of knots 3 and 4."},
    {"path-rounds", 0, WHOLE, IN_SEARCH(path_rounds), CLI_RUN, "N",
     "enforce path constraints at more points, and search again, in N rounds at most",
     "By default, rounds continue as long as the largest violation halves within three rounds."},
    {"objective", 0, TEXT, IN_SEARCH(objective), CLI_RUN | CLI_GRADIENT, "NAME",
     "this functional instead of the problem's objective; gradient: for --hessian", ""},
    {"fix", 'x', CHOICE, AT(choice), OPTIMISE | CLI_DOE, "NAME",
     "fix a parameter, an element or an array; repeatable", ""},
    {"free", 'f', CHOICE, AT(choice), OPTIMISE | CLI_DOE, "NAME",
     "optimise a parameter that is fixed; repeatable", ""},
    {"max-evaluations", 0, WHOLE, IN_SEARCH(max_evaluations), SEARCH, "N", "at most N evaluations",
     ""},
    {"max-seconds", 0, POSITIVE, AT(max_seconds), SEARCH | CLI_POINTS | CLI_CHECK, "SECONDS",
     "stop after this total time; check: omit further comparisons, default 120",
     "The time limits the whole run: its first simulation, the current evaluation and the "
     "verification of the end. check lists all omitted comparisons. With several searches or "
     "points, --max-evaluations applies to each of them, and --max-seconds to all together."},
    {"ftol", 0, LIMIT, IN_SEARCH(ftol), SEARCH, "NUMBER",
     "stop when the relative change of the objective is less; 0: never", ""},
    {"xtol", 0, LIMIT, IN_SEARCH(xtol), SEARCH, "NUMBER",
     "stop when all scaled parameters change by less; 0: never", ""},
    {"optimality", 0, POSITIVE, IN_SEARCH(optimality), SEARCH, "NUMBER",
     "scaled projected gradient that counts as optimal",
     "The default is the larger of 1e-6 and 10 times --rtol."},
    {"no-scaling", 0, FLAG, IN_SEARCH(no_scaling), OPTIMISE, NULL,
     "do not scale parameters and functionals", ""},
    {"refine-discretisation", 0, FLAG, AT(refine), CLI_RUN, NULL,
     "search again with the step that the accuracy of the optimum needs",
     "The optimum is simulated again with half the step or a tenth of the tolerance. If its "
     "values change by more than the tolerances, the search continues with a sufficient step or "
     "tolerance."},
    {"starts", 0, WHOLE, AT(many.starts), CLI_RUN, "N",
     "search from N starts: that of the problem, and points spread within the bounds",
     "The points are those of a Sobol sequence."},
    {"screen", 0, WHOLE, AT(many.screen), CLI_RUN, "K",
     "simulate all starts first and search from the K best", ""},
    {"spread", 0, POSITIVE, AT(many.spread), CLI_RUN, "NUMBER",
     "parameters without a bound: starts within NUMBER scales; default 1", ""},
    {"over", 'o', CHOICE, AT(choice), CLI_SWEEP, "NAME=A:B:N",
     "N values of a parameter from A to B; repeatable, for a grid", ""},
    {"points", 0, WHOLE, AT(many.points), CLI_POINTS | CLI_PARETO, "N",
     "sweep: N points spread over the ranges, no grid; pareto: points of the front (11); "
     "uncertainty: N draws",
     "The points of a sweep and the draws are those of a Sobol sequence. Of draws, N is at least "
     "16 "
     "and rounded up to a multiple of 8."},
    {"random", 0, FLAG, AT(many.random), CLI_UNCERTAINTY, NULL,
     "draws at random (Monte Carlo) instead of those of a Sobol sequence", ""},
    {"indices", 0, FLAG, AT(many.indices), CLI_UNCERTAINTY, NULL,
     "also Sobol indices, with --points",
     "Each draw then has as many evaluations as numbers are uncertain, and two more."},
    {"objectives", 0, TEXT, AT(front.objectives), CLI_PARETO, "F,G",
     "two functionals, both to be minimised", ""},
    {"second-at-most", 0, TEXT, AT(front.second_at_most), CLI_PARETO, "A:B",
     "upper limits of G, from A to B; default: least G to the G where F is least", ""},
    {"gradient", 0, FLAG, AT(many.gradient), CLI_SWEEP, NULL, "also the derivatives", ""},
    {"seed", 0, NUMBER, AT(many.seed), CLI_RUN | CLI_POINTS, "S",
     "shifts the points of --starts and --points; default 1", ""},
    {"jobs", 'j', WHOLE, AT(many.jobs), MANY | CLI_RESUME, "J",
     "processes for --starts, sweeps and fronts, threads for --segments and load cases; default 1",
     "The results do not depend on their number. With a build for MPI, the processes that mpirun "
     "starts share the work."},
    {"shard", 0, TEXT, AT(many.shard), CLI_RUN | CLI_SWEEP, "K/N",
     "only every N-th search or point, starting with the K-th; resume collects them", ""},
    {"durability", 0, TEXT, AT(folder.durability), SEARCH | CLI_POINTS, "WHEN",
     "force the journal to disk: each (evaluation), second (default), or never", ""},
    {"from-best", 0, FLAG, AT(folder.from_best), CLI_RESUME, NULL,
     "begin a new search at the best point of the old one", "The journal is renamed."},
    {"covariance", 0, TEXT, AT(covariance), CLI_SIMULATE, "NAME=SD,...|FILE",
     "standard deviations of parameters or initial values; adds those of the states",
     "NAME is an independent parameter or a datum such as an initial value. FILE has "
     "comma-separated values: the names in the first line, and their covariance matrix below. The "
     "trajectory has the standard deviations of the states, to first order, as further columns; "
     "those of the functionals are printed. With --json the result has the covariance matrix at "
     "the end. With --out, `covariance.csv` has the upper triangles of the matrices at all times."},
    {"saltation", 0, FLAG, AT(saltation), CLI_EVENTS, NULL,
     "also the saltation matrix of each event, its effect on small disturbances", ""},
    {"preferred-coordinates", 0, TEXT, AT(preferred), CLI_EVENTS | CLI_ORBIT | CLI_LQR, "NAME,...",
     "coordinates of a mechanism that should be independent",
     "Other independent coordinates are selected such that the constraints determine the "
     "remaining ones accurately. The commands events and lqr use the named coordinates in modes in "
     "which they "
     "are independent. The command events prints them after events in any case."},
    {"Q", 0, TEXT, AT(weights.Q), CLI_LQR, "NAME=WEIGHT,...|FILE",
     "weights of states during the run",
     "States are named as in trajectories. FILE is a file as for --covariance."},
    {"Qf", 0, TEXT, AT(weights.Qf), CLI_LQR, "NAME=WEIGHT,...|FILE", "weights of states at the end",
     ""},
    {"R", 0, TEXT, AT(weights.R), CLI_LQR, "NAME=WEIGHT,...|FILE",
     "weights of the signals that counter deviations", ""},
    {"initial", 0, TEXT, AT(weights.initial), CLI_FILTER, "NAME=SD,...|FILE",
     "standard deviations of independent states at the start; other states are known",
     "States are named as in trajectories. FILE is a file as for --covariance."},
    {"noise", 0, TEXT, AT(weights.noise), CLI_FILTER, "NAME=INTENSITY,...|FILE",
     "intensities of white noise of signals or data, in squares of their units times s",
     "FILE is a file as for --covariance."},
    {"added", 0, TEXT, AT(weights.added), CLI_FILTER, "NAME=SD,...|FILE",
     "standard deviations that states gain from one measurement to the next",
     "FILE is a file as for --covariance."},
    {"fixed-period", 0, FLAG, AT(orbit.fixed_period), CLI_ORBIT, NULL,
     "the end time is the period; otherwise it is a first guess", "Driven motions need it."},
    {"section", 0, TEXT, AT(orbit.section), CLI_ORBIT, "EVENT",
     "the start is directly after this event, and the orbit returns to it",
     "If the initial state is not directly after the event, the search moves it there. The end "
     "time is only the largest duration."},
    {"returns", 0, WHOLE, AT(orbit.times), CLI_ORBIT, "N",
     "with --section: the event occurs N times in a period (1)", ""},
    {"criterion", 0, TEXT, AT(many.criterion), CLI_DOE, "LETTER",
     "D (default): least volume of the region of confidence; A: least sum of variances",
     "Each variance of A is divided by the square of the parameter's scale."},
    {"candidates", 0, WHOLE, AT(many.candidates), CLI_DOE, "N",
     "N equally spaced candidate times of each fit; default: the times of its data", ""},
    {"measurements", 0, WHOLE, AT(many.measurements), CLI_DOE, "N",
     "whole number of measurements; default: that of the data", ""},
    {"fixed-times", 0, FLAG, AT(many.fixed_times), CLI_DOE, NULL,
     "measure at candidate times only; do not move them", ""},
    {"out", 0, TEXT, AT(out), CLI_STUDY | MANY | CLI_REPORT | CLI_REST | CLI_LQR, "DIR",
     "folder for the results; created if missing", "report writes its comparison there."},
    {"force", 0, FLAG, AT(folder.force), CLI_STUDY | MANY, NULL,
     "replace the study that is already in the folder of --out", ""},
    {"no-report", 0, FLAG, AT(folder.no_report), CLI_STUDY | MANY | CLI_RESUME, NULL,
     "no report.html in the folder", ""},
    {"open", 0, FLAG, AT(folder.open), CLI_STUDY | MANY | CLI_RESUME | CLI_REPORT, NULL,
     "show the report in a browser",
     "While the command runs, the report is updated. The command is xdg-open. With simulate, "
     "gradient, steps, filter and doe the option needs --out."},
    {"samples", 0, WHOLE, AT(samples), CLI_SIMULATE | CLI_RUN | CLI_LQR, "N",
     "trajectories at N equally spaced times instead of every step",
     "simulate prints at most 201 lines to a terminal unless this option is given."},
    {"search", 0, FLAG, AT(print.search), CLI_HELP, NULL,
     "the operands are words to search for in the reference",
     "For example: `gradyn help --search a spring between two bodies`."},
    {"dry-run", 0, FLAG, AT(print.dry_run), CLI_MIGRATE, NULL,
     "print the changes as a unified diff and write no file", ""},
    {"comments", 0, FLAG, AT(print.comments), CLI_MIGRATE, NULL,
     "change comments, strings and texts, too", ""},
    {"csv", 0, FLAG, AT(print.csv), CLI_EVENTS, NULL, "print the events as comma-separated values",
     ""},
    {"json", 0, FLAG, AT(print.json), CLI_ANY, NULL, "print one JSON object", ""},
    {"quiet", 'q', FLAG, AT(print.quiet), CLI_ANY, NULL, "no progress, no notes",
     "Warnings about a result are shown in any case."},
    {"verbose", 'v', TIMES, AT(print.verbose), CLI_ANY, NULL,
     "a line for each evaluation of a search", ""},
    {"help", 'h', FLAG, AT(print.help), CLI_ANY | CLI_MIGRATE, NULL, "show this help", ""},
    {"version", 'V', FLAG, AT(print.version), CLI_ANY | CLI_MIGRATE, NULL, "show the version", ""},
};

#define COUNT (sizeof cli_option_entries / sizeof cli_option_entries[0])
_Static_assert(COUNT <= CLI_OPTIONS_MOST, "cli_options.given has no room for all options");
const size_t cli_option_count = COUNT;

/* Groups of options, each with its first option and its title. */
static const struct {
  const char *option, *title;
} groups[] = {
    {"set", "The model and its run"},
    {"sensitivity", "Gradients"},
    {"algorithm", "Searches, sweeps and fronts"},
    {"covariance", "Analyses"},
    {"out", "Output and help"},
};

/* Returns the title of the group that begins with an option. NULL: no group begins there. */
static const char *group_of(const char *name)
{
  for (size_t i = 0; i < sizeof groups / sizeof groups[0]; i++)
    if (strcmp(groups[i].option, name) == 0)
      return groups[i].title;
  return NULL;
}

bool cli_options_at(size_t i, cli_option *option)
{
  const option_entry *entry = &cli_option_entries[i];
  if (i < COUNT)
    *option = (cli_option){entry->name,           entry->argument,
                           entry->help,           entry->details,
                           group_of(entry->name), entry->kind != CHOICE ? entry->letter : 0,
                           entry->commands};
  return i < COUNT;
}
