/* A simulated schedule: efficiency of a number of ranks when a counter distributes tasks one at a time, and
 * its saturation. Searches have as many evaluations as those of a real study had; nothing is computed.
 *
 * Each rank asks for a task, waits for the counter, works, asks again. The counter serves one request after
 * the other, in `serve` seconds each. A network with asynchronous progress serves at any time. Otherwise
 * requests wait until rank 0, which also works, ends an evaluation, unless it serves requests in between.
 *
 * Usage: bench_jobs_schedule STUDY/starts.csv EVALUATION_MS [SERVE_US [LATENCY_US [TASKS]]] > schedule.csv
 * Columns: ranks, then the efficiency (work done / ranks x time until the last has ended) of searches and
 * of single evaluations, each for a counter that serves at any time and for one between evaluations. */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Durations of tasks, drawn from measured ones. */
typedef struct sample {
  double *seconds; /* [count] */
  size_t count;
  double evaluation; /* s, the mean one */
} sample;

typedef struct setup {
  double serve, latency; /* s */
  size_t tasks;
  bool attended; /* the counter is served by rank 0 between evaluations */
} setup;

/* --- What was measured ------------------------------------------------------------------------ */

static void give_up(const char *what)
{
  fprintf(stderr, "%s\n", what);
  exit(1);
}

/* Column of starts.csv whose heading begins with the text. */
static int column(const char *heading, const char *name)
{
  int at = 0;
  const char *found = strstr(heading, name);
  if (found == NULL)
    give_up("this is no starts.csv");
  for (const char *c = heading; c < found; c++)
    at += *c == ',';
  return at;
}

static double cell(const char *line, int at)
{
  for (; at > 0; at--) {
    line += strcspn(line, ",");
    line += *line == ',';
  }
  return strtod(line, NULL);
}

static sample read_starts(const char *file, double evaluation)
{
  FILE *stream = fopen(file, "r");
  char line[65536];
  sample all = {.seconds = calloc(1000000, sizeof(double)), .evaluation = evaluation};
  if (stream == NULL || all.seconds == NULL || fgets(line, sizeof line, stream) == NULL)
    give_up("the table of starts cannot be read");
  const int number = column(line, "evaluations");
  while (all.count < 1000000 && fgets(line, sizeof line, stream) != NULL)
    all.seconds[all.count++] = evaluation * cell(line, number);
  (void)fclose(stream);
  if (all.count == 0)
    give_up("the table of starts is empty");
  return all;
}

/* --- Simulation ------------------------------------------------------------------------------- */

/* Ranks by the time at which their request arrives: a heap. */
typedef struct queue {
  double *time; /* [size] */
  uint32_t *rank;
  size_t size;
} queue;

static void swap(queue *q, size_t a, size_t b)
{
  const double time = q->time[a];
  const uint32_t rank = q->rank[a];
  q->time[a] = q->time[b];
  q->rank[a] = q->rank[b];
  q->time[b] = time;
  q->rank[b] = rank;
}

/* Changes the time of the first entry of the queue. */
static void delay_first(queue *q, double time)
{
  q->time[0] = time;
  for (size_t i = 0;;) {
    size_t least = i;
    for (size_t child = 2 * i + 1; child <= 2 * i + 2 && child < q->size; child++)
      if (q->time[child] < q->time[least])
        least = child;
    if (least == i)
      return;
    swap(q, i, least);
    i = least;
  }
}

/* Time at which rank 0 serves a request: at the end of its current evaluation, unless it is waiting. */
static double attention(double time, double began, double ends, double evaluation)
{
  if (time <= began || time >= ends)
    return time;
  return fmin(ends, began + ceil((time - began) / evaluation) * evaluation);
}

static double uniform(uint64_t *state)
{
  *state ^= *state << 13;
  *state ^= *state >> 7;
  *state ^= *state << 17;
  return (double)(*state >> 11) * 0x1p-53;
}

/* Efficiency of a number of ranks; tasks are single evaluations if there is no sample of searches. */
static double simulate(const sample *all, bool searches, setup s, size_t ranks)
{
  queue q = {calloc(ranks, sizeof *q.time), calloc(ranks, sizeof *q.rank), ranks};
  uint64_t state = 0x9e3779b97f4a7c15u;
  double free_at = 0, work = 0, last = 0, began = 0,
         ends = 0; /* start and end of the task of rank 0 */
  if (q.time == NULL || q.rank == NULL)
    give_up("out of memory");
  for (size_t i = 0; i < ranks; i++) {
    q.time[i] = s.latency;
    q.rank[i] = (uint32_t)i;
  }
  for (size_t task = 0; task < s.tasks; task++) {
    double asked = q.time[0];
    if (s.attended && q.rank[0] != 0)
      asked = attention(asked, began, ends, all->evaluation);
    free_at = fmax(free_at, asked) + s.serve;
    const double seconds = searches ? all->seconds[(size_t)(uniform(&state) * (double)all->count)]
                                    : all->evaluation * (0.5 + uniform(&state));
    const double start = free_at + s.latency;
    if (q.rank[0] == 0) {
      began = start;
      ends = start + seconds;
    }
    work += seconds;
    last = fmax(last, start + seconds);
    delay_first(&q, start + seconds + s.latency);
  }
  free(q.time);
  free(q.rank);
  return work / ((double)ranks * last);
}

static double argument(int argc, char *argv[], int i, double usual)
{
  return argc > i ? strtod(argv[i], NULL) : usual;
}

int main(int argc, char *argv[])
{
  if (argc < 3)
    give_up("usage: bench_jobs_schedule STUDY/starts.csv EVALUATION_MS [SERVE_US [LATENCY_US "
            "[TASKS]]]");
  const sample all = read_starts(argv[1], 1e-3 * strtod(argv[2], NULL));
  double mean = 0;
  for (size_t i = 0; i < all.count; i++)
    mean += all.seconds[i] / (double)all.count;
  setup s = {.serve = 1e-6 * argument(argc, argv, 3, 1),
             .latency = 1e-6 * argument(argc, argv, 4, 2),
             .tasks = (size_t)argument(argc, argv, 5, 1e5)};
  fprintf(stderr,
          "%zu tasks; searches of %.4g s, evaluations of %.4g s; a number is handed out in %g us\n",
          s.tasks, mean, all.evaluation, 1e6 * s.serve);
  printf("ranks,searches,searches attended,evaluations,evaluations attended\n");
  for (int i = 0; i <= 40; i++) { /* eight to a decade */
    const double ranks = floor(pow(10, 0.125 * i));
    printf("%.0f", ranks);
    for (int k = 0; k < 4; k++) {
      s.attended = k % 2 == 1;
      printf(",%.5f", simulate(&all, k < 2, s, (size_t)ranks));
    }
    printf("\n");
  }
  free(all.seconds);
  return 0;
}
