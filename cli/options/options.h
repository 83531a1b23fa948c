/* The command line. One table of options serves parsing, help, completion, simulations and searches. */
#ifndef GRADYN_CLI_OPTIONS_H
#define GRADYN_CLI_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

#include <gradyn/gradyn.h>

#include "cli/base/report.h"

enum { CLI_OPTIONS_MOST = 96 }; /* largest number of options in the table */
/* Subcommands as bits, which determine their options. */
enum {
  CLI_LIST = 1,
  CLI_INFO = 2,
  CLI_SIMULATE = 4,
  CLI_GRADIENT = 8,
  CLI_CHECK = 16,
  CLI_RUN = 32,
  CLI_STEPS = 64,
  CLI_RESUME = 128,
  CLI_SWEEP = 256,
  CLI_STATUS = 512,
  CLI_STUDIES = 1024,
  CLI_REPORT = 2048,
  CLI_PARETO = 4096,
  CLI_EQUILIBRIUM = 8192,
  CLI_LINEARISE = 16384,
  CLI_REST = CLI_EQUILIBRIUM | CLI_LINEARISE,
  CLI_EVENTS = 32768,
  CLI_ORBIT = 65536,
  CLI_LQR = 131072,
  CLI_HELP = 262144,
  CLI_MIGRATE = 524288,
  CLI_FIT = 1048576, /* with CLI_RUN */
  CLI_PROFILE = 2097152,
  CLI_UNCERTAINTY = 4194304,
  CLI_FILTER = 8388608,
  CLI_DOE = 16777216,
  CLI_OUT_REPORT = CLI_SIMULATE | CLI_GRADIENT | CLI_STEPS | CLI_FILTER | CLI_DOE,
  CLI_STUDY = CLI_OUT_REPORT | CLI_RUN,     /* may write a report, the former with --out only */
  CLI_POINTS = CLI_SWEEP | CLI_UNCERTAINTY, /* evaluations at many points */
  CLI_MODEL = CLI_INFO | CLI_STUDY | CLI_CHECK | CLI_POINTS | CLI_PARETO | CLI_PROFILE | CLI_REST |
              CLI_EVENTS | CLI_ORBIT | CLI_LQR,
  CLI_ANY = CLI_LIST | CLI_MODEL | CLI_RESUME | CLI_STATUS | CLI_STUDIES | CLI_REPORT | CLI_HELP
};

typedef struct cli_options cli_options;
struct cli_session;

typedef struct cli_command {
  const char *name;
  unsigned bit;
  const char *operand; /* "PROBLEM", "STUDY"; NULL: none */
  const char *summary; /* one line */
  const char *details; /* paragraphs for --help, each line at most 80 characters */
  const char *example;
  /* Runs the command: work with the problem open, or run without. Returns the exit status. */
  int (*work)(const struct cli_session *session);
  int (*run)(const cli_options *options);
} cli_command;

/* --set, --fix, --free and --over in the order given. */
typedef struct cli_choice {
  char kind;        /* 's', 'x', 'f', 'o' */
  const char *text; /* "NAME=VALUE" or "NAME"; borrowed from argv */
} cli_choice;

/* Options of printing. */
typedef struct cli_print {
  bool json, csv, quiet, help, version;
  int verbose;                    /* count of -v */
  bool search, dry_run, comments; /* `gradyn help`: search; the others: `gradyn migrate` */
  unsigned renamed;               /* old names of options that were used, by bits */
} cli_print;

/* The folder of results. Members are named as their options. */
typedef struct cli_folder {
  const char *durability, *warm; /* "each", "second", "never"; a study */
  bool no_report, open, force;
  bool from_best; /* resume: begin a new search */
  bool costates;  /* gradient: write costates to a file in the folder */
} cli_folder;

/* Several searches, points or measurements. Numbers 0: not given. */
typedef struct cli_many {
  long starts, screen, jobs, points, candidates, measurements;
  double seed;                   /* NAN: not given */
  double spread;                 /* in scales of the parameters */
  const char *shard;             /* "K/N" */
  const char *cases, *criterion; /* file of load cases; letter of `gradyn doe` */
  bool gradient, random, indices, fixed_times;
} cli_many;

typedef struct cli_return { /* options of `gradyn orbit` */
  const char *section;
  long times; /* occurrences of the section per period */
  bool fixed_period;
} cli_return;
typedef struct cli_weights { /* of `gradyn lqr` and `filter`, then objectives of `gradyn pareto` */
  const char *Q, *Qf, *R, *initial, *noise, *added;
} cli_weights;
typedef struct cli_front {
  const char *objectives, *second_at_most;
} cli_front;
/* The command line. Texts are borrowed from argv; NULL and 0: not given. */
struct cli_options {
  const cli_command *command;
  const char *problem; /* name or path; for commands on studies the folder */
  /* [study_count], operands of `gradyn report`, `help`, `migrate`, `profile` after the problem; borrowed */
  char *const *study;
  size_t study_count;
  cli_choice *choice; /* [choice_count], owned */
  size_t choice_count;
  unsigned char given[CLI_OPTIONS_MOST]; /* which entries of the table of options were given */
  gradyn_options evaluation;             /* only given values; see cli_options_evaluation() */
  gradyn_search search;                  /* the same; ftol, xtol NAN: not given, as 0 is a choice */
  double baumgarte, max_seconds;         /* 1/s; s */
  const char *out, *from, *file, *about, *covariance; /* file: of --problem */
  const char *preferred; /* coordinates of `gradyn events`, `gradyn orbit` and `gradyn lqr` */
  long samples;
  bool all_data, refine, saltation;
  const cli_options *resume; /* of `gradyn resume`, which repeats a command line; NULL: none */
  cli_folder folder;
  cli_many many;
  cli_return orbit;
  cli_weights weights;
  cli_front front;
  cli_print print;
  char **argv; /* [argc], the whole command line, for the record of a study */
  int argc;
};

/* Fills *options, for a command, from argv [argc], from entry 2 on, borrowed. Returns CLI_DONE, or
 * CLI_USAGE with the reason in message [size]. Clear in any case. */
int cli_options_parse(cli_options *options, const cli_command *command, int argc, char *argv[],
                      char *message, size_t size);
/* Prints to standard error a line for each old name of an option that was used, with its present name. */
void cli_options_note_renamed(const cli_options *options);
/* Frees the list of choices; may be repeated. */
void cli_options_clear(cli_options *options);
/* Overwrites *evaluation with given values, except --baumgarte. Its texts are borrowed from argv. */
void cli_options_evaluation(const cli_options *options, gradyn_options *evaluation);
/* Overwrites *search with values that were given, except --max-seconds. Its texts are borrowed from argv. */
void cli_options_search(const cli_options *options, gradyn_search *search);
/* Sets *value to the finite number that is the whole text. Returns false, *value undefined, for others. */
bool cli_parse_number(const char *text, double *value);

#endif
