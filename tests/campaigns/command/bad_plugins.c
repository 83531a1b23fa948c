/* Damaged shared objects: truncated files, changed bytes, pipes, folders, links without a target. The command
 * still lists the other problems, and refuses or accepts this one; it never crashes and never waits.
 *
 * Usage: bad_plugins GOOD.so [SECONDS [SEED [FOLDER]]]; objects that show a fault are kept in FOLDER. */
#include "tests/campaigns/command/child.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#undef main

enum { PATIENCE = 30 /* s of one command */, KINDS = 6 };

static uint64_t seed;

/* Options that sanitizers read from these functions. Crashes of changed code are handled by the command
 * itself. Sanitizers still report errors of memory, with the caller. */
__attribute__((visibility("default"))) const char *__asan_default_options(void);
__attribute__((visibility("default"))) const char *__ubsan_default_options(void);

const char *__ubsan_default_options(void)
{
  return "print_stacktrace=1";
}

const char *__asan_default_options(void)
{
  return "handle_segv=0:handle_sigbus=0:handle_sigill=0:handle_sigfpe=0:handle_abort=0";
}

static unsigned char *read_file(const char *path, size_t *size)
{
  FILE *file = fopen(path, "rb");
  unsigned char *bytes = malloc(1 << 20);
  if (!file || !bytes) {
    perror(path);
    exit(2);
  }
  *size = fread(bytes, 1, 1 << 20, file);
  (void)fclose(file);
  return bytes;
}

static void write_file(const char *path, const unsigned char *bytes, size_t size)
{
  FILE *file = fopen(path, "wb");
  if (!file || fwrite(bytes, 1, size, file) != size || fclose(file) != 0) {
    perror(path);
    exit(2);
  }
}

/* Changes up to 16 bytes before offset `limit`; half of the changes affect a single bit. */
static void change(unsigned char *bytes, size_t limit)
{
  const uint64_t count = 1 + child_random(&seed, 16);
  for (uint64_t i = 0; i < count; i++) {
    unsigned char *byte = &bytes[child_random(&seed, limit)];
    if (child_random(&seed, 2))
      *byte = (unsigned char)(*byte ^ 1U << child_random(&seed, 8));
    else
      *byte = (unsigned char)child_random(&seed, 256);
  }
}

/* Puts a damaged object into the folder and returns the kind of damage. */
static const char *spoil(const unsigned char *good, size_t size, unsigned char *bytes)
{
  memcpy(bytes, good, size);
  switch (child_random(&seed, 40)) {
  case 0:
    return mkfifo("folder/bad.so", 0600) == 0 ? "pipe" : "?";
  case 1:
    return mkdir("folder/bad.so", 0700) == 0 ? "folder" : "?";
  case 2:
    return symlink("nowhere", "folder/bad.so") == 0 ? "link to nothing" : "?";
  case 3:
    return symlink("bad.so", "folder/bad.so") == 0 ? "link to itself" : "?";
  case 4:
    return symlink("/dev/zero", "folder/bad.so") == 0 ? "device" : "?";
  default:
    break;
  }
  switch (child_random(&seed, 4)) {
  case 0:
    write_file("folder/bad.so", bytes, child_random(&seed, size));
    return "cut off";
  case 1:
    change(bytes, 1024); /* headers of the file and of its segments */
    break;
  case 2:
    change(bytes, size < 4096 ? size : 4096);
    break;
  default:
    change(bytes, size);
  }
  write_file("folder/bad.so", bytes, size);
  return "changed bytes";
}

static void keep(const char *folder, long number)
{
  char path[4096];
  struct stat about;
  size_t size;
  if (!folder || lstat("folder/bad.so", &about) != 0 || !S_ISREG(about.st_mode))
    return;
  unsigned char *bytes = read_file("folder/bad.so", &size);
  (void)snprintf(path, sizeof path, "%s/bad-%ld.so", folder, number);
  write_file(path, bytes, size);
  free(bytes);
}

static long crashed,
    endless; /* number of runs in which functions of the object crash, or do not end */

/* Returns whether the damaged object is the cause: its code has crashed, as the command reports, or a
 * sanitizer objects to data of the object, such as invalid addresses or truth values. */
static bool own_fault(const char *err)
{
  return strstr(err, "the program has crashed while it ") || strstr(err, "(folder/bad.so+") ||
         strstr(err, "not a valid value for type '_Bool'");
}

/* Runs the command, which itself must survive. A child process that loads the object may crash, which the
 * command reports. Changed code that is called later may crash, too, or never end. */
static bool attempt(char *argv[], const char *kind, long number)
{
  child_end end;
  int argc = 0;
  while (argv[argc])
    argc++;
  child_run(argc, argv, PATIENCE, &end);
  const bool list = strcmp(argv[1], "list") == 0;
  const bool told = own_fault(end.err);
  const bool loops = !list && end.late && strcmp(kind, "changed bytes") == 0;
  const bool bad = !told && !loops &&
                   (child_broken(&end) || end.late || (list && end.status != 0) ||
                    (list && !strstr(end.out, "five-bar")));
  crashed += told;
  endless += loops;
  if (bad)
    printf("FAULT %ld (%s): gradyn %s: status %d\n  out: %.100s\n  err: %.500s\n", number, kind,
           argv[1], end.status, end.out, end.err);
  child_clear(&end);
  return !bad;
}

int main(int argc, char *argv[])
{
  if (argc < 2) {
    fprintf(stderr, "usage: bad_plugins GOOD.so [SECONDS [SEED]]\n");
    return 2;
  }
  const double seconds = argc > 2 ? atof(argv[2]) : 60;
  const uint64_t given = argc > 3 ? strtoull(argv[3], NULL, 10) : 1;
  char *folder = argc > 4 ? realpath(argv[4], NULL) : NULL;
  const time_t begin = time(NULL);
  size_t size;
  unsigned char *good = read_file(argv[1], &size), *bytes = malloc(size);
  long objects = 0, faults = 0;
  seed = given * 2862933555777941757U + 1;
  child_enter();
  (void)setenv("GRADYN_PATH", "folder", 1);
  while (difftime(time(NULL), begin) < seconds && bytes) {
    child_empty();
    (void)mkdir("folder", 0700);
    const char *kind = spoil(good, size, bytes);
    objects++;
    bool good_end = attempt((char *[]){"gradyn", "list", NULL}, kind, objects);
    good_end = attempt((char *[]){"gradyn", "info", "folder/bad.so", NULL}, kind, objects) &&
               good_end;
    if (!good_end)
      keep(folder, objects);
    faults += !good_end;
  }
  child_leave();
  free(folder);
  free(good);
  free(bytes);
  printf(
      "seed %llu: %ld spoilt objects, %ld crashed in their own code, %ld did not end, %ld faults\n",
      (unsigned long long)given, objects, crashed, endless, faults);
  return faults > 0;
}
