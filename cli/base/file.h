/* Files of the command: nothing half done is left behind when it ends early, by exit() or a signal. */
#ifndef GRADYN_CLI_FILE_H
#define GRADYN_CLI_FILE_H

#include "core/files/file.h"

/* Knows the files that are open and removes them at an early end. */
extern const gradyn_file_keeper cli_file_keeper;

/* A signal handler: removes what is open and ends the program by the signal. */
void cli_file_leave(int number);

#endif
