/* The command many times within one process, for campaigns in which a process for each run is too slow; its
 * output goes into files. The process is a child: if it crashes or waits, another one continues. */
#ifndef GRADYN_TESTS_CAMPAIGNS_COMMAND_INSIDE_H
#define GRADYN_TESTS_CAMPAIGNS_COMMAND_INSIDE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One trial of a campaign, by number; true: a fault, which it has told by inside_tell(). */
typedef bool (*inside_trial)(uint64_t number, void *user);

typedef struct inside_campaign {
  inside_trial trial;
  void *user;
  uint64_t first, count; /* numbers of trials */
  double seconds;        /* after which no trial begins */
  unsigned deadline;     /* s of one command */
} inside_campaign;

/* Does the trials; returns the number of faults, crashes, sanitizers' findings and endless commands
 * among them, which have been told with their numbers. *done: of trials. */
long inside_run(const inside_campaign *campaign, uint64_t *done);

/* Memory [size] full of zeros that trials leave behind, whatever happens to them. */
void *inside_share(size_t size);

/* Within a trial: runs the command with argv [argc], and returns its exit status; *out and *err are what it
 * printed, until the next call. */
int inside_command(int argc, char *const argv[], const char **out, const char **err);

/* Within a trial: says something to whoever looks on. */
void inside_tell(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
