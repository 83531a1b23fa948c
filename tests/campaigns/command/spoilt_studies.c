/* Damaged study folders: bytes of any of their files changed, cut or removed. The commands that read them
 * must never crash and never wait. A search resumed from a damaged journal must have the result of the
 * undamaged study, or be refused.
 *
 * Usage: campaign_spoilt_studies [SECONDS [SEED [COUNT [FIRST]]]]. A long run is campaign_spoilt_studies
 * 7200 1 100000 (half an hour of a core with sanitizers); number 1234 of it alone is
 * campaign_spoilt_studies 60 1 1 1234. */
#include "tests/campaigns/command/child.h"
#include "tests/campaigns/command/inside.h"
#include "tests/support.h"

#include <ftw.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#undef main

enum { PATIENCE = 60 /* s of one command */, FILES = 24, STUDIES = 5, NAME = 96 };

typedef struct content {
  char name[NAME]; /* within the folder */
  char *bytes;     /* owned */
  size_t size;
} content;

typedef struct study {
  char *const *command; /* command that makes the study, ended by NULL */
  content file[FILES];
  size_t count;
  int status;    /* of that command */
  char *essence; /* of what it printed; owned */
} study;

static char *const search[] = {"gradyn", "run",   "five-bar", "--method", "ali3p",
                               "--step", "5e-3",  "--t-end",  "0.1",      "--samples",
                               "9",      "--out", "study",    "-q",       NULL};
static char *const starts[] = {
    "gradyn",  "run",   "five-bar",  "--method", "ali3p",    "--step", "5e-3",
    "--t-end", "0.1",   "--samples", "9",        "--starts", "3",      "--max-evaluations",
    "6",       "--out", "study",     "-q",       NULL};
static char *const points[] = {"gradyn",    "sweep",  "five-bar",  "--method",   "ali3p",
                               "--step",    "5e-3",   "--t-end",   "0.1",        "--over",
                               "Ls1=1:3:4", "--over", "Ls2=1:3:3", "--gradient", "--out",
                               "study",     "-q",     NULL};

static char *const front[] = {
    "gradyn",  "pareto", "five-bar",     "--method",  "ali3p",    "--step", "5e-3",
    "--t-end", "0.1",    "--objectives", "psi1,psi2", "--points", "2",      "--max-evaluations",
    "9",       "--out",  "study",        "-q",        NULL};

static char *const rounds[] = {
    "gradyn", "run", "van-der-pol-time", "--refine-controls", "1", "--out", "study", "-q", NULL};

/* Counts of damaged studies that were resumed to the same result, and that were refused; kept if a child
 * crashes. */
typedef struct score {
  long resumed, refused;
} score;

typedef struct campaign {
  study study[STUDIES];
  uint64_t seed;
  score *score;
} campaign;

_Noreturn static void give_up(const char *what)
{
  perror(what);
  exit(2);
}

/* --- Studies ------------------------------------------------------------------------------------ */

static study *gathering; /* nftw() passes nothing on */

static int gather_one(const char *path, const struct stat *about, int kind, struct FTW *at)
{
  (void)at;
  if (kind != FTW_F || strcmp(path, "study/report.html") == 0)
    return 0;
  content *file = &gathering->file[gathering->count++];
  FILE *stream = fopen(path, "rb");
  file->size = (size_t)about->st_size;
  file->bytes = malloc(file->size + 1);
  (void)snprintf(file->name, sizeof file->name, "%s", path);
  if (gathering->count > FILES || !stream || !file->bytes ||
      fread(file->bytes, 1, file->size, stream) != file->size)
    give_up(path);
  (void)fclose(stream);
  return 0;
}

static void write_file(const char *name, const char *bytes, size_t size)
{
  (void)unlink(name);
  FILE *stream = fopen(name, "wb");
  if (!stream || fwrite(bytes, 1, size, stream) != size || fclose(stream) != 0)
    give_up(name);
}

/* Writes the study's files again, with file `which` damaged. */
static void restore(const study *s, size_t which, uint64_t *random)
{
  child_empty();
  if (mkdir("study", 0777) != 0 || mkdir("study/starts", 0777) != 0 ||
      mkdir("study/points", 0777) != 0 || mkdir("study/front", 0777) != 0)
    give_up("study");
  for (size_t i = 0; i < s->count; i++) {
    const content *file = &s->file[i];
    if (i != which) {
      write_file(file->name, file->bytes, file->size);
      continue;
    }
    const uint64_t kind = child_random(random, 8);
    FREED char *bytes = malloc(file->size + 1);
    if (!bytes)
      give_up("malloc");
    memcpy(bytes, file->bytes, file->size);
    const size_t size = kind < 2 ? (size_t)child_random(random, file->size + 1) : file->size;
    if (kind > 2)
      for (uint64_t k = child_random(random, 6) + 1; size > 0 && k > 0; k--)
        bytes[child_random(random, size)] = (char)child_random(random, 256);
    if (kind != 2)
      write_file(file->name, bytes, size);
  }
}

/* Copies the printed text up to the computing time. */
static char *essence(const char *text)
{
  char *copy = strdup(text);
  if (!copy)
    give_up("strdup");
  char *end = strstr(copy, " s\nresults in ");
  if (end) { /* "..., 0.01 s" */
    while (end > copy && *end != ',')
      end--;
    *end = '\0';
  }
  return copy;
}

static bool make(uint64_t number, void *user)
{
  campaign *c = user;
  study *s = &c->study[number];
  const char *out, *err;
  int count = 0;
  while (s->command[count])
    count++;
  child_empty();
  const int status = inside_command(count, s->command, &out, &err);
  FREED char *text = essence(out);
  write_file("essence", text, strlen(text));
  return status != 0;
}

/* Makes a study in a child process and reads its files. */
static void prepare(campaign *c, size_t which, char *const *command)
{
  study *s = gathering = &c->study[which];
  uint64_t done;
  struct stat about;
  s->command = command;
  if (inside_run(&(inside_campaign){.trial = make,
                                    .user = c,
                                    .first = which,
                                    .count = 1,
                                    .seconds = 60,
                                    .deadline = PATIENCE},
                 &done) != 0)
    exit(2);
  if (nftw("study", gather_one, 16, FTW_PHYS) != 0 || stat("essence", &about) != 0)
    give_up("study");
  FILE *stream = fopen("essence", "rb");
  s->essence = calloc(1, (size_t)about.st_size + 1);
  if (!stream || !s->essence || fread(s->essence, 1, (size_t)about.st_size, stream) == 0)
    give_up("essence");
  (void)fclose(stream);
}

/* --- Trials ------------------------------------------------------------------------------------- */

/* Returns whether a resumed study has a wrong result. If settings.json is damaged, other results are
 * permitted. */
static bool is_wrong(const study *s, size_t which, int status, const char *out)
{
  if (status != s->status || strcmp(s->file[which].name, "study/settings.json") == 0)
    return false;
  FREED char *text = essence(out);
  return strcmp(text, s->essence) != 0;
}

static bool is_broken(int status, const char *err)
{
  return (status > 2 && status != 130) || strstr(err, "Sanitizer") || strstr(err, "runtime error:");
}

static bool trial(uint64_t number, void *user)
{
  static char *const commands[][4] = {{"gradyn", "status", "study", NULL},
                                      {"gradyn", "studies", ".", NULL},
                                      {"gradyn", "report", "study", NULL},
                                      {"gradyn", "resume", "study", "-q"}};
  campaign *c = user;
  const study *s = &c->study[number % STUDIES];
  uint64_t random = c->seed * 0x9e3779b97f4a7c15U + number * 0xbf58476d1ce4e5b9U + 1;
  for (int i = 0; i < 8; i++)
    (void)child_random(&random, 2);
  const size_t which = (size_t)child_random(&random, s->count);
  restore(s, which, &random);
  for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
    const char *out, *err;
    const bool resumes = i == 3;
    const int status = inside_command(resumes ? 4 : 3, commands[i], &out, &err);
    if (is_broken(status, err) || (resumes && is_wrong(s, which, status, out))) {
      inside_tell("%s is spoilt: status %d\n", s->file[which].name, status);
      return true;
    }
    c->score->resumed += resumes && status == s->status;
    c->score->refused += resumes && status != s->status;
  }
  return false;
}

int main(int argc, char *argv[])
{
  static char *const *const commands[STUDIES] = {search, starts, points, front, rounds};
  campaign c = {.seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1};
  uint64_t done = 0;
  c.score = inside_share(sizeof *c.score);
  child_enter();
  for (size_t i = 0; i < STUDIES; i++)
    prepare(&c, i, commands[i]);
  const long faults = inside_run(
      &(inside_campaign){.trial = trial,
                         .user = &c,
                         .first = argc > 4 ? strtoull(argv[4], NULL, 10) : 0,
                         .count = argc > 3 ? strtoull(argv[3], NULL, 10) : UINT64_MAX / 2,
                         .seconds = argc > 1 ? strtod(argv[1], NULL) : 60,
                         .deadline = PATIENCE},
      &done);
  printf("seed %" PRIu64 ": %" PRIu64 " studies, %ld resumed, %ld refused, %ld faults\n", c.seed,
         done, c.score->resumed, c.score->refused, faults);
  child_leave();
  for (size_t i = 0; i < STUDIES; i++) {
    free(c.study[i].essence);
    for (size_t k = 0; k < c.study[i].count; k++)
      free(c.study[i].file[k].bytes);
  }
  return faults > 0;
}
