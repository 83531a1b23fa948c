/* The command in a process of its own, many times and fast: a fork of this program calls its main(). Output
 * and exit status are stored. */
#ifndef GRADYN_TESTS_CAMPAIGNS_COMMAND_CHILD_H
#define GRADYN_TESTS_CAMPAIGNS_COMMAND_CHILD_H

#include <stdbool.h>
#include <stdint.h>

/* main() of the command, which is compiled under this name into a campaign. */
int gradyn_main(int argc, char *argv[]);

typedef struct child_end {
  int status;      /* exit status; 128 and more: ended by a signal */
  bool late;       /* killed because it took too long */
  char *out, *err; /* what it printed, at most a million characters; owned */
} child_end;

/* Runs the command with argv [argc], ended by NULL, for at most that many seconds. Ends this program
 * if that is not possible at all. */
void child_run(int argc, char *argv[], unsigned seconds, child_end *end);
void child_clear(child_end *end);

/* Whether the command crashed, was stopped by a sanitizer or gave an exit status it does not have. */
bool child_broken(const child_end *end);

/* Random numbers below n > 0, from a seed that the campaign prints. */
uint64_t child_random(uint64_t *state, uint64_t n);

/* A temporary folder, which becomes the working one; removed by child_leave(). */
void child_enter(void);
void child_empty(void); /* removes what is in it */
void child_leave(void);

#endif
