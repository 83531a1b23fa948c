/* The command line: one table of options serves parsing and help. */
#ifndef GRADYN_CLI_OPTIONS_H
#define GRADYN_CLI_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Exit statuses of the command; 1: the computation failed. */
enum { CLI_DONE = 0, CLI_FAILED = 1, CLI_USAGE = 2, CLI_INTERRUPTED = 130 };

/* Subcommands as bits, to say which options they take. */
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
  CLI_OUT_REPORT = CLI_SIMULATE | CLI_GRADIENT | CLI_STEPS,      /* a report with --out only */
  CLI_STUDY = CLI_SIMULATE | CLI_GRADIENT | CLI_RUN | CLI_STEPS, /* they may leave a report */
  CLI_MODEL = CLI_INFO | CLI_SIMULATE | CLI_GRADIENT | CLI_CHECK | CLI_RUN | CLI_STEPS | CLI_SWEEP |
              CLI_PARETO | CLI_REST | CLI_EVENTS | CLI_ORBIT | CLI_LQR,
  CLI_ANY = CLI_LIST | CLI_MODEL | CLI_RESUME | CLI_STATUS | CLI_STUDIES | CLI_REPORT
};

typedef struct cli_options cli_options;

typedef struct cli_command {
  const char *name;
  unsigned bit;
  const char *operand; /* "PROBLEM", "STUDY"; NULL: none */
  const char *summary; /* one line */
  const char *details; /* paragraphs for --help, each line at most 80 characters */
  const char *example;
  int (*run)(const cli_options *options); /* returns the exit status */
} cli_command;

/* --set, --fix, --free and --over in the order given. */
typedef struct cli_choice {
  char kind;        /* 's', 'x', 'f', 'o' */
  const char *text; /* "NAME=VALUE" or "NAME"; borrowed from argv */
} cli_choice;

/* What was asked for. Texts are borrowed from argv; NULL and 0: not given. */
struct cli_options {
  const cli_command *command;
  const char *problem; /* name or path; of a command for studies the folder */
  const char *method, *sensitivity, *integrator, *algorithm, *objective, *out, *durability, *shard,
      *from, *about, *covariance, *Q, *Qf, *R;
  char *const *study; /* [study_count], of `gradyn report`; borrowed from argv */
  size_t study_count;
  cli_choice *choice; /* [choice_count], owned */
  size_t choice_count;
  double step, rtol, atol, rtol_sens, t_end, baumgarte;
  double penalty, projection_penalty, memory, perturbation;
  double quadrature, integrator_parameter; /* NAN: not given, as 0 is a choice */
  double ftol, xtol;                       /* NAN: not given, as 0 is a choice: off */
  double optimality, max_seconds;
  double max_iterations, max_steps, samples, order; /* whole numbers */
  double verbose;                                   /* times -v was given */
  bool no_report, open;
  bool staggered, all_data, no_scaling, refine, json, csv, saltation, fixed_period, quiet, force,
      help, version;
  char **argv; /* [argc], the whole command line, for the record of a study */
  int argc;
  /* studies of many searches or points, and going on with them */
  const char *coordinates; /* of `gradyn events` and `gradyn orbit` */
  const char *section;     /* of `gradyn orbit`, with */
  double returns;          /* whole number */
  const char *objectives, *between;
  double starts, screen, jobs, points; /* whole numbers */
  double seed;                         /* NAN: not given */
  double spread;                       /* in scales */
  double evaluation_seconds;
  bool from_best, with_gradient;
  bool resume; /* `out` holds a study that is to go on; no option, set by the command resume */
};

/* Fills options from the arguments that follow the subcommand, argv[2] on. On CLI_USAGE the reason
 * is in message [size]. Free with cli_options_clear() in any case. */
int cli_options_parse(cli_options *options, const cli_command *command, int argc, char *argv[],
                      char *message, size_t size);
void cli_options_clear(cli_options *options);

/* A number in full, finite, nothing behind it; false otherwise. */
bool cli_parse_number(const char *text, double *value);

/* Prints the options of a subcommand, aligned. */
void cli_options_help(const cli_command *command, FILE *file);

#endif
