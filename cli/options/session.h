/* One run of a subcommand: the problem, its evaluator and the requested parameters. */
#ifndef GRADYN_CLI_SESSION_H
#define GRADYN_CLI_SESSION_H

#include <stdio.h>

#include <gradyn/evaluate.h>
#include <gradyn/problem.h>

#include "cli/options/options.h"

struct json_t;

typedef struct cli_session {
  const cli_options *options; /* borrowed; must outlive the session */
  char *requested;            /* name or path of the problem, owned */
  bool foreign;               /* `requested` is named by a study, not by the present command line */
  struct json_t *from;        /* contents of --from, owned; NULL: none */
  gradyn_registry *registry;  /* owned */
  const gradyn_problem *problem; /* entry of the registry, or with_cases; NULL: not found yet */
  gradyn_problem with_cases;     /* copy of the problem with `cases`; not set if cases is NULL */
  gradyn_cases *cases;           /* load cases of a file, owned; NULL: none */
  char *cases_file;              /* absolute path of the file of load cases, owned; NULL: none */
  char name[128];                /* name of the problem, as users type it; "": not found yet */
  gradyn_options evaluation;     /* options of the evaluator, complete after its creation */
  /* [setting_count], settings that were set; owned, names borrowed */
  gradyn_setting_choice *settings;
  size_t setting_count;
  gradyn_evaluator *evaluator;        /* owned; NULL: not created */
  size_t parameters, functionals;     /* counts, fixed parameters included */
  gradyn_parameter_info *param;       /* [parameters]; its texts belong to the evaluator */
  gradyn_functional_info *functional; /* [functionals]; its texts belong to the evaluator */
  double *rho;                        /* [parameters], in the units of the parameters */
  bool *vary;                         /* [parameters] true: free, false: fixed */
  double t_end;                       /* end time of a run at rho, s; NAN: build() fails there */
  /* s for which a run may continue after a request to end, see cli_interrupt_cancels() */
  double grace;
} cli_session;

/* Opens the registry and, for subcommands with an operand, the problem and its evaluator, with settings and
 * parameters of the command line. Prints the reason of a failure, and returns the exit status: CLI_DONE, or
 * that of cli_session_fail(). Close the session once in any case. options: borrowed. Do not move the session:
 * its evaluator points to grace and with_cases. */
int cli_session_open(cli_session *session, const cli_options *options);
/* Releases the members of a session, also after a failed cli_session_open(). *session itself stays; do not
 * close it twice. */
void cli_session_close(cli_session *session);

/* Sets session->t_end for the present rho; NAN if build() fails there. Returns CLI_DONE; CLI_FAILED, with the
 * reason printed, only if memory is exhausted. */
int cli_session_settle(cli_session *session);

/* Replaces the evaluator by one with the same parameters and functionals, which becomes owned by the session;
 * not NULL. Returns the former evaluator, which becomes owned by the caller. rho and vary stay; param,
 * functional and evaluation are read from the new evaluator. */
gradyn_evaluator *cli_session_exchange(cli_session *session, gradyn_evaluator *evaluator);

/* Replaces the evaluator by one whose signals have further knots, and which becomes owned by the session.
 * The knots are parameters after the present ones, free and with their initial values. Returns the former
 * evaluator, which becomes owned by the caller. Ends the program if memory is exhausted. */
gradyn_evaluator *cli_session_widen(cli_session *session, gradyn_evaluator *evaluator);

/* Reports a failure with a message, formatted as by printf, on standard error, and with --json as an object
 * on standard output. Returns cli_exit_status(status). The evaluator need not exist. Messages are cut off
 * after 4095 bytes. */
int cli_session_fail(const cli_session *session, gradyn_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Reports a failure, with the message of session->evaluator, which must exist, on standard error, and with
 * --json as an object on standard output. Returns cli_exit_status(status). */
int cli_session_refuse(const cli_session *session, gradyn_status status);

/* Prints the warnings about the evaluator's last result to standard error, one line each with its code Wnn,
 * also with -q. */
void cli_session_warn(const gradyn_evaluator *evaluator);
/* Prints a note, formatted as by printf, to standard error, unless -q is given. A note changes no exit
 * status; it is cut off after 4095 bytes. */
void cli_session_note(const cli_session *session, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Writes file `name` in the folder of --out, which must be given and is created if it is missing; its parents
 * must exist. fill(file, about) writes its contents, and need not check for failed writes. An existing file
 * is replaced only if all is written. Prints the reason of a failure, and returns the exit status. */
int cli_session_keep(const cli_session *session, const char *name,
                     void (*fill)(FILE *file, void *about), void *about);
/* Applies the settings of --from and then of --set to session->settings, before the evaluator is created.
 * Names that are no settings are left for cli_assign_parameters(). Prints the reason of a failure, and
 * returns the exit status: CLI_DONE or CLI_USAGE. */
int cli_assign_settings(cli_session *session);
/* Applies parameters of --from, of --warm, and then of --set, --fix and --free, to rho and vary, after the
 * evaluator was created. A value outside its bounds is a failure for `gradyn run` only, otherwise a note.
 * Prints the reason of a failure, and returns the exit status; rho and vary may then be changed in part. */
int cli_assign_parameters(cli_session *session);
/* --- Subcommands: functions `work` and `run` of cli_command ----------------------------------- */
/* `gradyn list`: prints the problems. Returns the exit status. */
int cli_list(const cli_session *session);
/* `gradyn info`: prints the contents of a problem, without a simulation. Returns the exit status. */
int cli_info(const cli_session *session);
/* `gradyn simulate`: simulates, prints the functionals, writes a trajectory. Returns the exit status. */
int cli_simulate(const cli_options *options);
/* `gradyn gradient`: derivatives of all functionals by parameters or data. Returns the exit status. */
int cli_gradient(const cli_options *options);
/* `gradyn check`: compares derivatives with differences. A wrong one: CLI_FAILED. Returns the exit status. */
int cli_check(const cli_session *session);
/* `gradyn equilibrium`: an equilibrium of the model, and its stability. Returns the exit status. */
int cli_equilibrium(const cli_session *session);
/* `gradyn linearise`: A, B and modes about an equilibrium or a motion. Returns the exit status. */
int cli_linearise(const cli_session *session);
/* `gradyn steps`: accuracy of values and gradients of a fixed-step method. Returns the exit status. */
int cli_steps(const cli_options *options);
/* `gradyn run`: one search, or several from a grid of starts; writes a study. Returns the exit status. */
int cli_run(const cli_options *options);
/* `gradyn resume`: repeats the command line of a study, with additional options. Returns the exit status. */
int cli_resume(const cli_options *options);
/* `gradyn sweep`: values, and gradients if requested, at many points. Returns the exit status. */
int cli_sweep(const cli_options *options);
/* `gradyn pareto`: a front between two functionals. Returns the exit status. */
int cli_pareto(const cli_options *options);
/* `gradyn profile`: profile likelihoods of parameters. Returns the exit status. */
int cli_profile(const cli_options *options);
/* `gradyn uncertainty`: statistics of functionals for uncertain numbers. Returns the exit status. */
int cli_uncertainty(const cli_options *options);
/* `gradyn events`: events of a motion, growth of disturbances at them. Returns the exit status. */
int cli_list_events(const cli_session *session);
/* `gradyn orbit`: a periodic motion, its multipliers, and their derivatives. Returns the exit status. */
int cli_orbit(const cli_session *session);
/* `gradyn lqr`: gains, over time, of a regulator about a motion. Returns the exit status. */
int cli_lqr(const cli_session *session);
/* `gradyn filter`: estimates of the state along a run from data. Returns the exit status. */
int cli_filter(const cli_options *options);
/* `gradyn doe`: optimal times of measurements. Returns the exit status. */
int cli_doe_command(const cli_options *options);
/* `gradyn status`: the progress of a study, also while it is running. Returns the exit status. */
int cli_status(const cli_options *options);
/* `gradyn studies`: a line for each study of a folder. Returns the exit status. */
int cli_studies(const cli_options *options);
/* `gradyn help`: prints the entry of a name, or searches the entries. Returns the exit status. */
int cli_help(const cli_options *options);
/* `gradyn migrate`: becomes the process of migrate.py. Returns the exit status, only if this fails. */
int cli_migrate(const cli_options *options);
/* Prints the usage of the program to an open file, which is not closed. */
void cli_help_usage(FILE *file);
/* Prints the help of a command to standard output. */
void cli_help_command(const cli_command *command);
/* Returns subcommand i, counted from 0; NULL: there is none. The entry is static. */
const cli_command *cli_command_at(size_t i);
/* Returns the subcommand with exactly this name; NULL: there is none. The entry is static. */
const cli_command *cli_command_find(const char *name);
/* `gradyn report`: writes or compares reports of studies. Returns the exit status. */
int cli_make_report(const cli_options *options);
#endif
