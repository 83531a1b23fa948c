/* Files of the command: temporary files are removed if it ends early, by exit() or a signal. */
#ifndef GRADYN_CLI_FILE_H
#define GRADYN_CLI_FILE_H

#include "core/files/file.h"

/* Tracks the open files of this process, not of its children, for their removal at an early end, also by
 * exit(). */
extern const gradyn_file_keeper cli_file_keeper;

/* Removes the temporary files of this process, and ends the program by the signal `number`. A signal
 * handler. */
void cli_file_leave(int number);

#endif
