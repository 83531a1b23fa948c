/* Files that appear completely or not at all. Data are written to a new file beside the final one. It
 * replaces the final one when all data are on the disk:
 *
 *   gradyn_file file;
 *   GRADYN_TRY(gradyn_file_begin(&file, folder, "result.json", NULL));
 *   fprintf(file.stream, ...);                failed writes are reported at the end
 *   return gradyn_file_end(&file, GRADYN_OK); on failure file.message has the reason
 *
 * An existing file in the folder is never written to, and no link is followed. If another process has
 * created a file or link with the final name, the new file replaces it. */
#ifndef GRADYN_CORE_FILE_H
#define GRADYN_CORE_FILE_H

#include <stdio.h>

#include "core/base/message.h"

typedef struct gradyn_file gradyn_file;

/* Callbacks for files that are begun and not yet ended, so that a program that ends early can remove them.
 * Signals of the thread are blocked while a file is created and begun() is called, but not during ended(). */
typedef struct gradyn_file_keeper {
  void (*begun)(gradyn_file *file);
  void (*ended)(gradyn_file *file);
} gradyn_file_keeper;

struct gradyn_file {
  FILE *stream;           /* write here; NULL: the file could not be created */
  char *path, *temporary; /* final and temporary name, owned */
  char *buffer;           /* buffer of the stream, owned */
  const gradyn_file_keeper *keeper;
  gradyn_file *next; /* owned by the keeper */
  char message[512]; /* reason of a failure */
};

/* Bytes per read and write. With the 4 kB of the C library, system calls take as long as the conversion of
 * the numbers. */
enum { GRADYN_FILE_BUFFER = 1 << 16 };

/* Begins a file in a folder, which must exist; folder and name are copied, keeper is borrowed until the end
 * and may be NULL. GRADYN_IO, GRADYN_NO_MEMORY: message and errno have the reason, and gradyn_file_end() must
 * not be called. After success, the struct must not move until its end. */
gradyn_status gradyn_file_begin(gradyn_file *file, const char *folder, const char *name,
                                const gradyn_file_keeper *keeper);

/* Ends a file, and frees what the struct owns. status ok: synchronises it and gives it the final name;
 * GRADYN_IO with a message if this fails, and the file is removed. Any other status: removes the file and
 * returns the status. message stays. */
gradyn_status gradyn_file_end(gradyn_file *file, gradyn_status status);

/* Opens a new file that will grow, for writing. A file or link of this name is removed first. Returns the
 * stream, to be closed by fclose(); NULL: errno has the reason. */
FILE *gradyn_file_grow(const char *path);

#endif
