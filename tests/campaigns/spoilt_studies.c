/* Spoilt study folders: bytes of any of their files changed, cut or removed. The commands that read
 * them never crash and never wait, and a search resumed from a spoilt journal has the result of the
 * undisturbed one or is refused.
 *
 * Usage: campaign_spoilt_studies [SECONDS [SEED]] */
#include "tests/campaigns/child.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#undef main

enum { PATIENCE = 60 /* s of one command */, ROOM = 1 << 20, FILES = 4 };
static const char *const names[FILES] = {"settings.json", "journal.jsonl", "history.csv",
                                         "result.json"};

typedef struct content {
  char bytes[ROOM];
  size_t size;
} content;

static uint64_t seed;

static void read_all(content study[])
{
  for (int i = 0; i < FILES; i++) {
    char path[64];
    (void)snprintf(path, sizeof path, "study/%s", names[i]);
    FILE *file = fopen(path, "rb");
    if (!file) {
      perror(path);
      exit(2);
    }
    study[i].size = fread(study[i].bytes, 1, ROOM, file);
    (void)fclose(file);
  }
}

static void write_one(const char *name, const char *bytes, size_t size)
{
  char path[64];
  (void)snprintf(path, sizeof path, "study/%s", name);
  (void)unlink(path);
  FILE *file = fopen(path, "wb");
  if (!file || fwrite(bytes, 1, size, file) != size || fclose(file) != 0) {
    perror(path);
    exit(2);
  }
}

/* Puts the study back with one file spoilt; returns its number. */
static int spoil(const content study[], char *bytes)
{
  const int which = (int)child_random(&seed, FILES);
  child_empty();
  if (mkdir("study", 0777) != 0) {
    perror("study");
    exit(2);
  }
  for (int i = 0; i < FILES; i++) {
    size_t size = study[i].size;
    memcpy(bytes, study[i].bytes, size);
    if (i == which && child_random(&seed, 4) == 0)
      size = (size_t)child_random(&seed, size);
    else if (i == which)
      for (uint64_t k = child_random(&seed, 6) + 1; k > 0; k--)
        bytes[child_random(&seed, size)] = (char)child_random(&seed, 256);
    write_one(names[i], bytes, size);
  }
  return which;
}

/* What a search printed, up to its time. */
static void essence(char *text)
{
  char *end = strstr(text, " evaluations, ");
  if (end)
    *end = '\0';
}

static void run(char *command, char *option, child_end *end)
{
  char *argv[] = {"gradyn", command, "study", option, NULL};
  child_run(option ? 4 : 3, argv, PATIENCE, end);
}

int main(int argc, char *argv[])
{
  const double seconds = argc > 1 ? strtod(argv[1], NULL) : 60;
  seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
  printf("seed %" PRIu64 "\n", seed);
  content *study = calloc(FILES, sizeof *study);
  char *bytes = calloc(1, ROOM);
  char *first[] = {"gradyn", "run",   "five-bar", "--method", "ali3p", "--step",
                   "5e-3",   "--out", "study",    "-q",       NULL};
  child_end whole, end;
  if (!study || !bytes)
    return 2;
  child_enter();
  child_run(10, first, PATIENCE, &whole);
  essence(whole.out);
  read_all(study);
  long count = 0, faults = 0, refused = 0;
  const time_t started = time(NULL);
  while (difftime(time(NULL), started) < seconds) {
    const int which = spoil(study, bytes);
    char *const commands[] = {"status", "studies", "resume"};
    for (int i = 0; i < 3; i++) {
      run(commands[i], i == 2 ? "-q" : NULL, &end);
      essence(end.out);
      bool bad = child_broken(&end) || end.late;
      if (i == 2 && which == 1 && end.status == whole.status && strcmp(end.out, whole.out) != 0)
        bad = true;
      refused += i == 2 && end.status != whole.status;
      if (bad) {
        printf("FAULT: %s of a study with a spoilt %s (number %ld): status %d\n%s%s\n", commands[i],
               names[which], count, end.status, end.out, end.err);
        faults++;
      }
      child_clear(&end);
    }
    count++;
  }
  printf("%ld studies: %ld not resumed, %ld faults\n", count, refused, faults);
  child_leave();
  child_clear(&whole);
  free(study);
  free(bytes);
  return faults > 0;
}
