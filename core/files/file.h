/* Files that appear whole or not at all. What is written goes into a new file beside the final one,
 * which takes its place when everything has reached the disk:
 *
 *   gradyn_file file;
 *   GRADYN_TRY(gradyn_file_begin(&file, folder, "result.json", NULL));
 *   fprintf(file.stream, ...);                failures to write show at the end
 *   return gradyn_file_end(&file, GRADYN_OK); other than ok: file.message says why
 *
 * No file that stands in the folder is ever written to, and no link is followed: a name that
 * somebody else has put there, on purpose or not, is left alone or replaced by the new file. */
#ifndef GRADYN_CORE_FILE_H
#define GRADYN_CORE_FILE_H

#include <stdio.h>

#include "core/base/message.h"

typedef struct gradyn_file gradyn_file;

/* Told of files that are begun and not yet ended, so that a program that ends early can remove them. While
 * one is made and told of, the thread's signals wait. */
typedef struct gradyn_file_keeper {
  void (*begun)(gradyn_file *file);
  void (*ended)(gradyn_file *file);
} gradyn_file_keeper;

struct gradyn_file {
  FILE *stream;           /* write here; NULL if it could not be begun */
  char *path, *temporary; /* the final name and the one until then, owned */
  char *buffer;           /* of the stream, owned */
  const gradyn_file_keeper *keeper;
  gradyn_file *next; /* the keeper's */
  char message[512]; /* the reason of a failure */
};

/* Bytes that go to and from files in one piece: with the library's 4 kB, calls of the system take as long as
 * the tables' numbers. */
enum { GRADYN_FILE_BUFFER = 1 << 16 };

/* Begins a file in a folder; keeper (borrowed) may be NULL. GRADYN_IO, GRADYN_NO_MEMORY: the reason is in
 * message, and in errno, and there is nothing to end. One that has been begun must not move until its end. */
gradyn_status gradyn_file_begin(gradyn_file *file, const char *folder, const char *name,
                                const gradyn_file_keeper *keeper);

/* With status ok: everything to the disk, then under its final name; GRADYN_IO if that is not
 * possible. With any other status the file is removed and the status returned. */
gradyn_status gradyn_file_end(gradyn_file *file, gradyn_status status);

/* Opens a new file that will grow, to be closed by fclose(). A file or link of this name is removed
 * first. NULL: errno tells why. */
FILE *gradyn_file_grow(const char *path);

#endif
