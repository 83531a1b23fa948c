/* One run of a subcommand: the problem, its evaluator and the requested parameters. */
#ifndef GRADYN_CLI_SESSION_H
#define GRADYN_CLI_SESSION_H

#include <stdio.h>

#include <gradyn/evaluate.h>
#include <gradyn/problem.h>

#include "cli/options/options.h"

struct json_t;

typedef struct cli_session {
  const cli_options *options; /* borrowed */
  char *requested;            /* name or path of the problem, owned */
  bool foreign;               /* named by a study, not by a command line */
  struct json_t *from;        /* contents of --from, owned; NULL: none */
  gradyn_registry *registry;
  const gradyn_problem *problem;
  gradyn_problem with_cases;       /* the problem with the load cases of a file */
  gradyn_cases *cases;             /* of this file, owned; NULL: none */
  char *cases_file;                /* its absolute path, owned; NULL: none */
  char name[128];                  /* of the problem, as users type it */
  gradyn_options evaluation;       /* of the evaluator, complete after its creation */
  gradyn_setting_choice *settings; /* [setting_count], those that were set */
  size_t setting_count;
  gradyn_evaluator *evaluator;
  size_t parameters, functionals;
  gradyn_parameter_info *param;       /* [parameters] */
  gradyn_functional_info *functional; /* [functionals] */
  double *rho;                        /* [parameters], in the units of the parameters */
  bool *vary;                         /* [parameters] true: free, false: fixed */
  double t_end;                       /* of a run at rho, s; NAN: build() fails there */
  /* s for which a run may continue after a request to end, see cli_interrupt_cancels() */
  double grace;
} cli_session;

/* Opens the registry and, for subcommands with a problem, the problem and its evaluator, with settings and
 * parameters of the command line. Prints the reason of a failure, and returns the exit status. Close the
 * session in any case. options: borrowed. */
int cli_session_open(cli_session *session, const cli_options *options);
/* Releases a session, also one whose opening has failed. */
void cli_session_close(cli_session *session);

/* Sets session->t_end for the present rho; NAN if build() fails there. Returns the exit status: a failure,
 * with the reason printed, only if memory is exhausted. */
int cli_session_settle(cli_session *session);

/* Replaces the evaluator by one with the same parameters and functionals, which becomes owned by the
 * session. Returns the former evaluator, which becomes owned by the caller. Values and choices of
 * parameters stay. */
gradyn_evaluator *cli_session_exchange(cli_session *session, gradyn_evaluator *evaluator);

/* As cli_session_exchange(), for an evaluator whose signals have further knots. These are parameters after
 * the others, free and with their initial values. */
gradyn_evaluator *cli_session_widen(cli_session *session, gradyn_evaluator *evaluator);

/* Reports a failure with a message, formatted as by printf, on standard error, and with --json as an object
 * on standard output. Returns the exit status. */
int cli_session_fail(const cli_session *session, gradyn_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* As cli_session_fail(), with the message of the evaluator. */
int cli_session_refuse(const cli_session *session, gradyn_status status);

/* Prints the warnings about the evaluator's last result to standard error, also with -q. */
void cli_session_warn(const gradyn_evaluator *evaluator);

/* Prints a note, formatted as by printf, to standard error, unless -q is given. */
void cli_session_note(const cli_session *session, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Writes file `name` in the folder of --out, which must be given and is created if it is missing.
 * fill(file, about) writes its contents. Prints the reason of a failure, and returns the exit status. */
int cli_session_keep(const cli_session *session, const char *name,
                     void (*fill)(FILE *file, void *about), void *about);

/* Applies the settings of the command line, before the evaluator is created. Prints the reason of a
 * failure, and returns the exit status. */
int cli_assign_settings(cli_session *session);
/* Applies values, fixed and free parameters of the command line, after the evaluator was created. Prints
 * the reason of a failure, and returns the exit status. */
int cli_assign_parameters(cli_session *session);

/* Subcommands, one file each, of the forms `work` and `run` of cli_command. They return the exit status. */
int cli_list(const cli_session *session);
int cli_info(const cli_session *session);
int cli_simulate(const cli_options *options);
int cli_gradient(const cli_options *options);
int cli_check(const cli_session *session);
int cli_equilibrium(const cli_session *session);
int cli_linearise(const cli_session *session);
int cli_steps(const cli_options *options);
int cli_run(const cli_options *options);
int cli_resume(const cli_options *options);
int cli_sweep(const cli_options *options);
int cli_pareto(const cli_options *options);
int cli_list_events(const cli_session *session);
int cli_orbit(const cli_session *session);
int cli_lqr(const cli_session *session);
int cli_status(const cli_options *options);
int cli_studies(const cli_options *options);

int cli_help(const cli_options *options);
int cli_migrate(const cli_options *options);

/* Prints the usage of the program to a file. */
void cli_help_usage(FILE *file);
/* Prints the help of a command to standard output. */
void cli_help_command(const cli_command *command);

/* Returns subcommand 0, 1, ...; NULL: there is none. In main.c, as the next function. */
const cli_command *cli_command_at(size_t i);
/* Returns the subcommand with this name; NULL: there is none. */
const cli_command *cli_command_find(const char *name);
/* `gradyn report`, a subcommand as those above. */
int cli_make_report(const cli_options *options);

#endif
