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

/* Opens the registry and, for subcommands with a problem, the problem and its evaluator. Prints the reason
 * of a failure and returns the exit status. The caller closes the session in any case. */
int cli_session_open(cli_session *session, const cli_options *options);
/* Releases a session at any stage of its opening. */
void cli_session_close(cli_session *session);

/* Finds t_end for the present rho. Prints the reason of a failure, exhausted memory, and returns the exit
 * status. */
int cli_session_settle(cli_session *session);

/* Replaces the evaluator by another one with the same parameters and functionals, which the session then
 * owns. Returns the former one, which the caller then owns. Choices for parameters stay. */
gradyn_evaluator *cli_session_exchange(cli_session *session, gradyn_evaluator *evaluator);

/* The same if the signals of the problem have more knots. These are additional parameters after the others,
 * free and at their initial values. */
gradyn_evaluator *cli_session_widen(cli_session *session, gradyn_evaluator *evaluator);

/* Reports a failure on standard error, with --json also as an object on standard output. Returns the exit
 * status. */
int cli_session_fail(const cli_session *session, gradyn_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Reports the last failure of the evaluator; returns the exit status. */
int cli_session_refuse(const cli_session *session, gradyn_status status);

/* Prints warnings of the evaluator's last result to standard error, also with -q. */
void cli_session_warn(const gradyn_evaluator *evaluator);

/* Prints a note to standard error, unless -q. */
void cli_session_note(const cli_session *session, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Writes a file into the folder of --out, which must be given and is created if it is missing, by fill()
 * with `about`. Prints the reason of a failure and returns the exit status. */
int cli_session_keep(const cli_session *session, const char *name,
                     void (*fill)(FILE *file, void *about), void *about);

/* Apply the choices: settings before the evaluator is created, parameters (values, fix, free) afterwards.
 * Both return the exit status. In assign.c. */
int cli_assign_settings(cli_session *session);
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

/* Print the usage of the program to a file, and the help of a command to standard output. */
void cli_help_usage(FILE *file);
void cli_help_command(const cli_command *command);

/* The subcommand of an index or of a name; NULL: none. In main.c. */
const cli_command *cli_command_at(size_t i);
const cli_command *cli_command_find(const char *name);
/* `gradyn report`, a subcommand as those above. */
int cli_make_report(const cli_options *options);

#endif
