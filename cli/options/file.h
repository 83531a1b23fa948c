/* Files that appear whole or not at all. What is written goes into a new file beside the final one,
 * which takes its place when everything has reached the disk:
 *
 *   cli_file file;
 *   gradyn_status status = cli_file_begin(&file, folder, "result.json");
 *   if (status == GRADYN_OK)
 *     fprintf(file.stream, ...);              failures to write show at the end
 *   status = cli_file_end(&file, status);     other than ok: file.message says why
 *
 * No file that stands in the folder is ever written to, and no link is followed: a name that
 * somebody else has put there, on purpose or not, is left alone or replaced by the new file. What is
 * open when the program ends early, by exit() or a signal, is removed. */
#ifndef GRADYN_CLI_FILE_H
#define GRADYN_CLI_FILE_H

#include <stdio.h>

#include <gradyn/status.h>

typedef struct cli_file {
  FILE *stream;           /* write here; NULL if it could not be begun */
  char *path, *temporary; /* the final name and the one until then, owned */
  char *buffer;           /* of the stream, owned */
  char message[512];      /* the reason of a failure */
  struct cli_file *next;  /* of those that are open */
} cli_file;

/* Bytes that go to and from files in one piece: with the library's 4 kB, calls of the system take as long as
 * the tables' numbers. */
enum { CLI_FILE_BUFFER = 1 << 16 };

/* Begins a file in a folder. GRADYN_IO: the reason is in message. End it in any case; it must not
 * move until then. */
gradyn_status cli_file_begin(cli_file *file, const char *folder, const char *name);

/* With status ok: everything to the disk, then under its final name; GRADYN_IO if that is not
 * possible. With any other status the file is removed and the status returned. */
gradyn_status cli_file_end(cli_file *file, gradyn_status status);

/* A signal handler: removes what is open and ends the program by the signal. */
void cli_file_leave(int number);

/* Opens a new file that will grow, to be closed by fclose(). A file or link of this name is removed
 * first. NULL: errno tells why. */
FILE *cli_file_grow(const char *path);

#endif
