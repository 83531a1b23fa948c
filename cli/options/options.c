/* The command line: table of options, parsing by getopt_long, help text.
 *
 * An entry of the table has the name of an option, its kind, the field for its value, and its help. The
 * entry also lists the commands that accept the option. getopt_long() scans the command line with tables
 * derived from this one. Values are checked by kind at one point. The shell completion uses the help.
 *
 * Fields belong to cli_options, or to its gradyn_options and gradyn_search, from which given values are
 * copied. */
#include "cli/options/options.h"

#include <getopt.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "cli/base/memory.h"
#include "cli/options/table.h"
#include "core/base/nearest.h"

typedef enum option_kind {
  FLAG,     /* bool */
  TIMES,    /* int, counts how often it was given */
  TEXT,     /* const char * */
  NUMBER,   /* double */
  POSITIVE, /* double > 0 */
  LIMIT,    /* double >= 0, where 0 means off */
  WHOLE,    /* long, integer >= 1 */
  FEW,      /* the same, int */
  CHOICE    /* adds a cli_choice, whose kind is its letter */
} option_kind;

typedef enum option_owner {
  OWN,     /* cli_options itself */
  MARCHES, /* its `march` */
  SEARCHES /* its `search` */
} option_owner;

typedef struct option_entry {
  const char *name;
  int letter; /* of the short option, or of the choice */
  option_kind kind;
  option_owner owner;
  size_t offset;        /* in the owner's struct */
  unsigned commands;    /* commands that accept it */
  const char *argument; /* as printed by the help; NULL: none */
  const char *help;
} option_entry;

/* Owner and field of an option. */
#define AT(field) OWN, offsetof(cli_options, field)
#define IN_MARCH(field) MARCHES, offsetof(gradyn_options, field)
#define IN_SEARCH(field) SEARCHES, offsetof(gradyn_search, field)
#define SLOPE (CLI_GRADIENT | CLI_CHECK | CLI_RUN | CLI_STEPS | CLI_SWEEP | CLI_PARETO)
#define MARCH (CLI_SIMULATE | CLI_LINEARISE | CLI_EVENTS | CLI_ORBIT | CLI_LQR | SLOPE)
#define OPTIMISE (CLI_RUN | CLI_PARETO)
#define SEARCH (OPTIMISE | CLI_RESUME)
#define MANY (OPTIMISE | CLI_SWEEP)

static const option_entry table[] = {
    {"method", 0, TEXT, IN_MARCH(method), CLI_MODEL, "NAME",
     "integration: auto, explicit, radau, idas, ali3p, variational, kinematic"},
    {"sensitivity", 0, TEXT, IN_MARCH(sensitivity), SLOPE, "NAME",
     "gradient: auto (the faster one), adjoint, direct; to compare: differences, "
     "continuous-adjoint"},
    {"perturbation", 0, POSITIVE, IN_MARCH(perturbation), SLOPE, "NUMBER",
     "forward differences with this relative step instead of central ones"},
    {"staggered", 0, FLAG, IN_MARCH(staggered), SLOPE, NULL,
     "direct gradients: staggered instead of simultaneous corrector"},
    {"set", 's', CHOICE, AT(choice), CLI_MODEL, "NAME=VALUE",
     "value of a setting, a parameter, u[3] of an array or a whole array u; repeatable"},
    {"from", 0, TEXT, AT(from), CLI_MODEL, "STUDY",
     "parameters, settings and method of an earlier run; PROBLEM may be left out"},
    {"problem", 0, TEXT, AT(file), CLI_MODEL | CLI_RESUME, "FILE",
     "the problem, named here and not by the study that --from or resume reads"},
    {"step", 0, POSITIVE, IN_MARCH(step), MARCH, "SECONDS",
     "step of fixed-step methods; of explicit and radau: fixed steps"},
    {"coordinates", 0, TEXT, IN_MARCH(coordinates), MARCH | CLI_INFO | CLI_EQUILIBRIUM, "NAME",
     "auto (default: by count), natural, or joint: of bodies and rods on trees"},
    {"order", 0, FEW, IN_MARCH(order), MARCH, "N", "of explicit: 8 (default) or 5"},
    {"integrator", 0, TEXT, IN_MARCH(integrator), MARCH, "NAME",
     "of ali3p: trapezoidal, newmark, hht, generalised-alpha"},
    {"integrator-parameter", 0, NUMBER, IN_MARCH(integrator_parameter), MARCH, "NUMBER",
     "newmark: gamma (0.5); hht: alpha (-0.1); generalised-alpha: rho_inf (0.8)"},
    {"penalty", 0, POSITIVE, IN_MARCH(penalty), MARCH, "NUMBER",
     "of ali3p's position problem; the result does not depend on it"},
    {"projection-penalty", 0, POSITIVE, IN_MARCH(projection_penalty), MARCH, "NUMBER",
     "of ali3p's projections: one penalty solve each instead of exact ones"},
    {"quadrature", 0, NUMBER, IN_MARCH(quadrature), MARCH, "ALPHA",
     "of variational: point in a step, 0 to 1, of the forces; default 0.5"},
    {"memory", 0, POSITIVE, IN_MARCH(memory), SLOPE, "BYTES",
     "for the states of a gradient of fixed-step methods; default 1e9"},
    {"rtol", 0, POSITIVE, IN_MARCH(rtol), MARCH, "NUMBER", "relative tolerance of the simulation"},
    {"atol", 0, POSITIVE, IN_MARCH(atol), MARCH, "NUMBER", "absolute tolerance of the simulation"},
    {"rtol-sens", 0, POSITIVE, IN_MARCH(rtol_sens), SLOPE, "NUMBER",
     "relative tolerance of sensitivities; default: --rtol"},
    {"t-end", 0, POSITIVE, IN_MARCH(t_end), MARCH, "SECONDS", "end time"},
    {"max-steps", 0, WHOLE, IN_MARCH(max_steps), MARCH, "N", "at most N steps in one simulation"},
    {"evaluation-seconds", 0, POSITIVE, IN_MARCH(evaluation_seconds), MARCH | CLI_RESUME, "SECONDS",
     "give up an evaluation that takes longer"},
    {"baumgarte", 0, POSITIVE, AT(baumgarte), MARCH, "RATE",
     "stabilise constraints of idas with alpha = beta = RATE, 1/s"},
    {"about", 0, TEXT, AT(about), CLI_LINEARISE, "WHERE",
     "equilibrium (default, except if the start is a steady motion), start, or end"},
    {"algorithm", 0, TEXT, IN_SEARCH(algorithm), OPTIMISE, "NAME[,NAME]",
     "optimiser, and the one that continues where it ends short; 'gradyn info' lists them"},
    {"segments", 0, TEXT, IN_SEARCH(segment_times), CLI_RUN, "N|T,T,...|WHERE",
     "multiple shooting: N segments, or boundaries at times, at knots or between events"},
    {"hessian", 0, FLAG, IN_SEARCH(hessian), CLI_RUN | CLI_GRADIENT, NULL,
     "second derivatives: of the objective; run: with --segments, instead of an estimate"},
    {"guess", 0, TEXT, IN_SEARCH(guess), CLI_RUN, "FILE",
     "with --segments: begin with the states over time of a table, such as trajectory.csv"},
    {"refine-controls", 0, WHOLE, IN_SEARCH(refine_controls), CLI_RUN, "N",
     "add knots to the designed signals where they help, in N rounds at most"},
    {"objective", 0, TEXT, IN_SEARCH(objective), CLI_RUN | CLI_GRADIENT, "NAME",
     "this functional instead of the problem's objective; gradient: for --hessian"},
    {"fix", 'x', CHOICE, AT(choice), OPTIMISE, "NAME",
     "fix a parameter, an element or an array; repeatable"},
    {"free", 'f', CHOICE, AT(choice), OPTIMISE, "NAME",
     "optimise a parameter that is fixed; repeatable"},
    {"max-iterations", 0, WHOLE, IN_SEARCH(max_evaluations), SEARCH, "N", "at most N evaluations"},
    {"max-seconds", 0, POSITIVE, AT(max_seconds), SEARCH | CLI_SWEEP | CLI_CHECK, "SECONDS",
     "stop after this time in all; check: omit longer comparisons, default 120"},
    {"ftol", 0, LIMIT, IN_SEARCH(ftol), SEARCH, "NUMBER",
     "stop when the objective changes relatively by less; 0: never"},
    {"xtol", 0, LIMIT, IN_SEARCH(xtol), SEARCH, "NUMBER",
     "stop when the scaled parameters change by less; 0: never"},
    {"optimality", 0, POSITIVE, IN_SEARCH(optimality), SEARCH, "NUMBER",
     "scaled projected gradient that counts as optimal"},
    {"no-scaling", 0, FLAG, IN_SEARCH(no_scaling), OPTIMISE, NULL,
     "do not scale parameters and functionals"},
    {"refine", 0, FLAG, AT(refine), CLI_RUN, NULL,
     "search again with the step that the optimum needs"},
    {"starts", 0, WHOLE, AT(many.starts), CLI_RUN, "N",
     "search from N starts: the problem's own and points spread within the bounds"},
    {"screen", 0, WHOLE, AT(many.screen), CLI_RUN, "K",
     "simulate all starts first and search from the K best"},
    {"spread", 0, POSITIVE, AT(many.spread), CLI_RUN, "NUMBER",
     "starts without a bound: within NUMBER scales of the parameter; default 1"},
    {"over", 'o', CHOICE, AT(choice), CLI_SWEEP, "NAME=A:B:N",
     "N values of a parameter from A to B; repeatable, for a grid"},
    {"points", 0, WHOLE, AT(many.points), CLI_SWEEP | CLI_PARETO, "N",
     "sweep: N points spread over the ranges, no grid; pareto: of the front, default 11"},
    {"objectives", 0, TEXT, AT(front.objectives), CLI_PARETO, "F,G",
     "two functionals, both to be minimised"},
    {"between", 0, TEXT, AT(front.between), CLI_PARETO, "A:B",
     "limits of G; default: from its least value to where F is least"},
    {"gradient", 0, FLAG, AT(many.gradient), CLI_SWEEP, NULL, "also the derivatives"},
    {"seed", 0, NUMBER, AT(many.seed), CLI_RUN | CLI_SWEEP, "S",
     "shifts the points of --starts and --points; default 1"},
    {"jobs", 'j', WHOLE, AT(many.jobs), MANY | CLI_RESUME, "J",
     "processes for --starts, sweeps and fronts, threads for --segments; default 1"},
    {"shard", 0, TEXT, AT(many.shard), CLI_RUN | CLI_SWEEP, "K/N",
     "only every N-th search or point, starting with the K-th; resume collects them"},
    {"durability", 0, TEXT, AT(folder.durability), SEARCH | CLI_SWEEP, "WHEN",
     "force the journal to disk: each (evaluation), second (default), or never"},
    {"from-best", 0, FLAG, AT(folder.from_best), CLI_RESUME, NULL,
     "begin a new search at the best point of the old one"},
    {"out", 0, TEXT, AT(out), CLI_STUDY | MANY | CLI_REPORT | CLI_REST | CLI_LQR, "DIR",
     "folder for the results; made if missing"},
    {"no-report", 0, FLAG, AT(folder.no_report), CLI_STUDY | MANY | CLI_RESUME, NULL,
     "no report.html in the folder"},
    {"open", 0, FLAG, AT(folder.open), CLI_STUDY | MANY | CLI_RESUME | CLI_REPORT, NULL,
     "show the report in a browser"},
    {"samples", 0, WHOLE, AT(samples), CLI_SIMULATE | CLI_RUN | CLI_LQR, "N",
     "trajectories at N equally spaced times instead of every step"},
    {"all-data", 0, FLAG, AT(all_data), CLI_GRADIENT | CLI_STEPS, NULL,
     "sensitivity to every number of the model (gradient: largest effect first)"},
    {"costates", 0, FLAG, AT(folder.costates), CLI_GRADIENT, NULL,
     "with --out: costates.csv, derivatives of the objective by the states of the run"},
    {"force", 0, FLAG, AT(folder.force), CLI_STUDY | MANY, NULL,
     "replace the study that --out already holds"},
    {"covariance", 0, TEXT, AT(covariance), CLI_SIMULATE, "NAME=SD,...|FILE",
     "standard deviations of parameters or initial values; also those of the states"},
    {"saltation", 0, FLAG, AT(saltation), CLI_EVENTS, NULL,
     "also the saltation matrix of each event, its effect on small disturbances"},
    {"independent", 0, TEXT, AT(independent), CLI_EVENTS | CLI_ORBIT | CLI_LQR, "NAME,...",
     "coordinates of a mechanism that are to be independent"},
    {"Q", 0, TEXT, AT(weights.Q), CLI_LQR, "NAME=WEIGHT,...|FILE",
     "weights of states during the run"},
    {"Qf", 0, TEXT, AT(weights.Qf), CLI_LQR, "NAME=WEIGHT,...|FILE",
     "weights of states at the end"},
    {"R", 0, TEXT, AT(weights.R), CLI_LQR, "NAME=WEIGHT,...|FILE",
     "weights of the signals that counter deviations"},
    {"fixed-period", 0, FLAG, AT(orbit.fixed_period), CLI_ORBIT, NULL,
     "the end time is the period; otherwise it is a first guess"},
    {"section", 0, TEXT, AT(orbit.section), CLI_ORBIT, "EVENT",
     "the start is directly after this event, and the orbit returns to it"},
    {"returns", 0, WHOLE, AT(orbit.times), CLI_ORBIT, "N",
     "with --section: a period has it N times (1)"},
    {"search", 0, FLAG, AT(print.search), CLI_HELP, NULL,
     "the operands are words to search for in the reference"},
    {"dry-run", 0, FLAG, AT(print.dry_run), CLI_MIGRATE, NULL,
     "print the changes as a unified diff and write no file"},
    {"comments", 0, FLAG, AT(print.comments), CLI_MIGRATE, NULL,
     "change comments, strings and texts, too"},
    {"csv", 0, FLAG, AT(print.csv), CLI_EVENTS, NULL, "print comma-separated values"},
    {"json", 0, FLAG, AT(print.json), CLI_ANY, NULL, "print one JSON object"},
    {"quiet", 'q', FLAG, AT(print.quiet), CLI_ANY, NULL, "no progress, no notes"},
    {"verbose", 'v', TIMES, AT(print.verbose), CLI_ANY, NULL,
     "a line for each evaluation of a search"},
    {"help", 'h', FLAG, AT(print.help), CLI_ANY | CLI_MIGRATE, NULL, "show this help"},
    {"version", 'V', FLAG, AT(print.version), CLI_ANY | CLI_MIGRATE, NULL, "show the version"},
};

#define COUNT (sizeof table / sizeof table[0])
_Static_assert(COUNT <= CLI_OPTIONS_MOST, "cli_options.given has no room for all options");
#define FIRST 256 /* getopt's value of table[i] is FIRST + i, larger than any letter */

bool cli_parse_number(const char *text, double *value)
{
  char *end = NULL;
  *value = strtod(text, &end);
  /* the whole text, so that "1e-3x" is refused */
  return end != text && *end == '\0' && isfinite(*value);
}

static int refuse(char *message, size_t size, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Writes the message of a usage error; returns CLI_USAGE. */
static int refuse(char *message, size_t size, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  (void)vsnprintf(message, size, format, args);
  va_end(args);
  return CLI_USAGE;
}

/* Stores a value within the range of its kind in a field of its type. */
static int store_number(void *field, const option_entry *option, const char *text, char *message,
                        size_t size)
{
  double value = 0;
  bool whole = option->kind == WHOLE || option->kind == FEW;
  bool any = option->kind == NUMBER || option->kind == LIMIT;
  if (!cli_parse_number(text, &value))
    return refuse(message, size, "--%s: '%s' is not a finite number", option->name, text);
  /* the range of the kind; NUMBER accepts all finite values */
  if (whole ? value < 1 || value > 1e9 || value != floor(value) : !any && value <= 0)
    return refuse(message, size, "--%s: '%s' must be %s", option->name, text,
                  whole ? "a whole number from 1 to 1000000000" : "greater than 0");
  if (option->kind == LIMIT && value < 0)
    return refuse(message, size, "--%s: '%s' must not be negative", option->name, text);
  if (option->kind == WHOLE)
    *(long *)field = (long)value;
  else if (option->kind == FEW)
    *(int *)field = (int)value;
  else
    *(double *)field = value;
  return CLI_DONE;
}

/* The order of choices matters: the last one of a name counts. */
static void add_choice(cli_options *options, int kind, const char *text)
{
  options->choice = cli_grow(options->choice, options->choice_count + 1, sizeof *options->choice);
  options->choice[options->choice_count++] = (cli_choice){(char)kind, text};
}

/* Address of the field for the value of an option. */
static void *field_of(cli_options *options, const option_entry *option)
{
  char *owner[] = {[OWN] = (char *)options,
                   [MARCHES] = (char *)&options->evaluation,
                   [SEARCHES] = (char *)&options->search};
  return owner[option->owner] + option->offset;
}

/* Stores one option with its value. */
static int store(cli_options *options, const option_entry *option, const char *text, char *message,
                 size_t size)
{
  /* only the table has the field of an option */
  void *field = field_of(options, option);
  /* distinguishes given values from defaults */
  options->given[option - table] = 1;
  switch (option->kind) {
  case FLAG:
    *(bool *)field = true;
    break;
  case TIMES:
    ++*(int *)field;
    break;
  case TEXT:
    if (!*text)
      return refuse(message, size, "--%s: the value is empty", option->name);
    /* texts belong to the command line and are not freed */
    *(const char **)field = text;
    break;
  case CHOICE:
    add_choice(options, option->letter, text);
    break;
  case NUMBER:
  case POSITIVE:
  case LIMIT:
  case WHOLE:
  case FEW:
    return store_number(field, option, text, message, size);
  default:
    break;
  }
  return CLI_DONE;
}

/* Reports an unknown option, with the most similar one. */
static int unknown(const char *text, char *message, size_t size)
{
  char name[64];
  /* the value of "--nme=3" is left out */
  (void)snprintf(name, sizeof name, "%.*s", (int)strcspn(text, "="), text);
  gradyn_nearest nearest = {.requested = name + strspn(name, "-")};
  for (size_t i = 0; i < COUNT && *nearest.requested; i++)
    gradyn_nearest_try(&nearest, table[i].name);
  return refuse(message, size, "unknown option '%s'%s%s%s", name,
                nearest.best ? " (did you mean '--" : "", nearest.best ? nearest.best : "",
                nearest.best ? "'?)" : "");
}

/* Reports why getopt_long refused an argument; optopt has the details. */
static int complain(int code, const char *given, char *message, size_t size)
{
  /* optopt is a code of the table, a letter, or 0 */
  if (optopt >= FIRST)
    return refuse(message, size, "option '--%s' %s", table[optopt - FIRST].name,
                  code == ':' ? "needs a value" : "takes no value");
  if (optopt)
    return refuse(message, size, "unknown option '-%c'", optopt);
  return unknown(given, message, size);
}

/* Derives the tables for getopt_long; letters has only real short options. */
static void prepare(struct option names[COUNT + 1], char letters[2 * COUNT + 2])
{
  size_t used = 0;
  letters[used++] = ':'; /* ':' distinguishes a missing value from an unknown option */
  for (size_t i = 0; i < COUNT; i++) {
    names[i] = (struct option){table[i].name, table[i].argument ? required_argument : no_argument,
                               NULL, FIRST + (int)i};
    if (table[i].letter && table[i].kind != CHOICE)
      letters[used++] = (char)table[i].letter;
  }
  names[COUNT] = (struct option){NULL, 0, NULL, 0};
  letters[used] = '\0';
}

/* Entry for getopt's code: FIRST + index, or a letter. */
static const option_entry *entry_of(int code)
{
  for (size_t i = 0; i < COUNT; i++)
    /* letters of choices are kinds, not short options */
    if (code == FIRST + (int)i || (table[i].kind != CHOICE && code == table[i].letter))
      return &table[i];
  return NULL;
}

/* Takes the arguments that are no options: the problem, or studies. */
static int take_operands(cli_options *options, int argc, char *argv[], char *message, size_t size)
{
  const cli_command *command = options->command;
  if (options->print.help || options->print.version)
    return CLI_DONE;
  /* the only commands with several operands */
  if (command->bit & (CLI_REPORT | CLI_HELP | CLI_MIGRATE)) {
    options->study = argv + optind;
    options->study_count = (size_t)(argc - optind);
    if (options->print.search && optind == argc)
      return refuse(message, size, "which words? usage: gradyn help --search WORDS");
    return optind < argc || command->bit == CLI_HELP
               ? CLI_DONE
               : refuse(message, size, "which %s? usage: gradyn %s %s [OPTIONS]",
                        command->bit == CLI_REPORT ? "study" : "file", command->name,
                        command->operand);
  }
  /* one operand, which is optional for some commands */
  if (optind < argc && command->operand)
    options->problem = argv[optind++];
  if (options->file && command->bit & CLI_MODEL) {
    if (options->problem)
      return refuse(message, size, "--problem '%s': '%s' is the problem already; name one of them",
                    options->file, options->problem);
    options->problem = options->file;
  }
  if (optind < argc)
    return refuse(message, size, "'%s' is one argument too many; usage: gradyn %s%s%s [OPTIONS]",
                  argv[optind], command->name, command->operand ? " " : "",
                  command->operand ? command->operand : "");
  if (command->operand && command->operand[0] == '[')
    return CLI_DONE; /* optional */
  /* operands have the same names as in the help */
  if (command->operand && !options->problem && strcmp(command->operand, "STUDY") == 0)
    return refuse(message, size, "which study? usage: gradyn %s STUDY [OPTIONS]", command->name);
  if (command->operand && !options->problem && !options->from) /* --from names its problem */
    return refuse(message, size,
                  "which problem? usage: gradyn %s PROBLEM [OPTIONS]; "
                  "'gradyn list' shows the problems",
                  command->name);
  return CLI_DONE;
}

/* Checks options that have no meaning without others. */
static int agree(const cli_options *options, char *message, size_t size)
{
  if (options->folder.open && !options->out && (options->command->bit & CLI_OUT_REPORT))
    return refuse(message, size, "--open shows the report, which is in the folder of --out DIR");
  return CLI_DONE;
}

int cli_options_parse(cli_options *options, const cli_command *command, int argc, char *argv[],
                      char *message, size_t size)
{
  struct option names[COUNT + 1];
  char letters[2 * COUNT + 2];
  prepare(names, letters);
  /* NAN: not given, because zero is a valid choice */
  *options = (cli_options){.command = command,
                           .many.seed = NAN,
                           .search = {.ftol = NAN, .xtol = NAN},
                           .argc = argc,
                           .argv = argv};

  opterr = 0; /* messages are printed here, not by getopt */
  /* begins after the name of the subcommand; 0 resets getopt() after an earlier command line */
  optind = 0;
  int code;
  while ((code = getopt_long(argc - 1, argv + 1, letters, names, NULL)) != -1) {
    const option_entry *option = entry_of(code);
    if (!option)
      return complain(code, argv[optind], message, size);
    /* options of the same name may differ between commands */
    for (size_t i = 0; i < COUNT && !(option->commands & command->bit); i++)
      if (strcmp(table[i].name, option->name) == 0 && table[i].commands & command->bit)
        option = &table[i];
    if (!(option->commands & command->bit))
      return refuse(message, size, "option '--%s' has no meaning for 'gradyn %s'", option->name,
                    command->name);
    int status = store(options, option, optarg, message, size);
    if (status != CLI_DONE)
      return status;
  }
  optind++; /* argv[0] was the name of the subcommand */
  const int result = take_operands(options, argc, argv, message, size);
  return result == CLI_DONE ? agree(options, message, size) : result;
}

/* Copies the given fields of an owner's options. */
static void hand_over(const cli_options *options, option_owner owner, const void *from, void *to)
{
  static const size_t size[] = {[FLAG] = sizeof(bool),
                                [TIMES] = sizeof(int),
                                [TEXT] = sizeof(const char *),
                                /* CHOICE: lists have no single field */
                                [NUMBER] = sizeof(double),
                                [POSITIVE] = sizeof(double),
                                [LIMIT] = sizeof(double),
                                [WHOLE] = sizeof(long),
                                [FEW] = sizeof(int),
                                [CHOICE] = 0};
  /* other fields keep values of a study or a problem */
  for (size_t i = 0; i < COUNT; i++)
    if (options->given[i] && table[i].owner == owner)
      memcpy((char *)to + table[i].offset, (const char *)from + table[i].offset,
             size[table[i].kind]);
}

void cli_options_evaluation(const cli_options *options, gradyn_options *evaluation)
{
  hand_over(options, MARCHES, &options->evaluation, evaluation);
}

void cli_options_search(const cli_options *options, gradyn_search *search)
{
  hand_over(options, SEARCHES, &options->search, search);
}

void cli_options_clear(cli_options *options)
{
  free(options->choice);
  options->choice = NULL;
  options->choice_count = 0;
}

bool cli_options_at(size_t i, cli_option *option)
{
  if (i < COUNT)
    *option = (cli_option){table[i].name, table[i].argument, table[i].help,
                           table[i].kind != CHOICE ? table[i].letter : 0, table[i].commands};
  return i < COUNT;
}
