/* Tasks in processes, so that a crash in the code of a user ends one process only.
 *
 * The processes share a board in memory that fork() does not copy. A process that dies is replaced. Its
 * task is given up, because it may be the cause. Processes also end if their parent has died. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "optim/jobs/pool_board.h"

/* Returns the number of threads of this process; 1 if the system does not report it. */
static size_t count_threads(void)
{
  struct stat about;
  /* this directory has one subdirectory per thread; its number of links is their number plus two, for its
   * name and its own "." */
  return stat("/proc/self/task", &about) == 0 && about.st_nlink > 3 ? (size_t)about.st_nlink - 2
                                                                    : 1;
}

/* Fails if this process has other threads: their locks would remain locked forever in a child of fork().
 * Threads of libraries that end when a process forks, such as those of OpenBLAS, are harmless. A first fork
 * is therefore made before threads count. */
static gradyn_status check_threads(gradyn_message *message)
{
  const struct timespec pause = {0, 1000000};
  if (count_threads() == 1)
    return GRADYN_OK;
  const pid_t child = fork();
  if (child == 0)
    _exit(0);
  while (child > 0 && waitpid(child, NULL, 0) < 0 && errno == EINTR)
    ;
  /* a thread that has ended is still counted for a short time: wait 0.1 s at most */
  for (int i = 0; i < 100 && count_threads() > 1; i++)
    (void)nanosleep(&pause, NULL);
  const size_t others = count_threads() - 1;
  if (others == 0)
    return GRADYN_OK;
  return gradyn_fail(message, GRADYN_UNSUPPORTED,
                     "jobs: processes are made by fork(), which is not possible in a program with "
                     "%zu other thread%s. Use threads, or a separate program.",
                     others, others > 1 ? "s" : "");
}

/* Makes a process. Returns -1 if that fails. */
static pid_t make_process(const gradyn_pool *pool, gradyn_board *b, size_t number)
{
  const pid_t parent = getpid();
  const pid_t child = fork();
  if (child == 0) {
    gradyn_worker worker = {.pool = pool,
                            .board = b,
                            .complaint = &b->complaint,
                            .asks = true,
                            .parent = parent,
                            .number = number};
    gradyn_worker_live(&worker, (int)getpid()); /* process ids fit into an int */
    _exit(0); /* _exit(): the exit handlers of the caller are not for this process */
  }
  return child;
}

/* Gives up the task of a dead process. Returns false if the process had no task. */
static bool give_up(const gradyn_pool *pool, gradyn_board *b, pid_t dead, int how,
                    gradyn_message *message)
{
  bool found = false;
  for (size_t task = 0; task < pool->tasks; task++) {
    int state = (int)dead; /* compare and swap: only a task that this process had taken is marked */
    if (!atomic_compare_exchange_strong(&b->task[task], &state, GRADYN_TASK_LOST))
      continue;
    found = true;
    gradyn_message_add(message, "the process at task %zu died%s%s", task,
                       WIFSIGNALED(how) ? ": " : "",
                       WIFSIGNALED(how) ? strsignal(WTERMSIG(how)) : "");
  }
  return found;
}

/* Waits until all processes have ended, and replaces those that die. *died: one of them has died. */
static void watch(const gradyn_pool *pool, gradyn_board *b, pid_t pid[], size_t jobs, bool *died,
                  gradyn_message *message)
{
  for (size_t alive = jobs; alive > 0;) {
    alive = 0;
    for (size_t i = 0; i < jobs; i++) {
      int how = 0;
      if (pid[i] <= 0)
        continue;
      alive++;
      if (waitpid(pid[i], &how, WNOHANG) != pid[i])
        continue;
      const bool badly = !WIFEXITED(how) || WEXITSTATUS(how) != 0;
      /* only a process that died during a task is replaced; one that dies at once would be replaced
       * forever */
      *died |= badly;
      const bool replace = badly && give_up(pool, b, pid[i], how, message);
      pid[i] = replace ? make_process(pool, b, i) : -1;
    }
    gradyn_board_poll(pool, b);
  }
}

/* Returns memory that is shared with children of fork(), or MAP_FAILED. */
static void *share(size_t size)
{
  const int rights = PROT_READ | PROT_WRITE;
#ifdef MAP_ANONYMOUS
  return mmap(NULL, size, rights, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
#else
  FILE *file = tmpfile();
  if (file == NULL)
    return MAP_FAILED;
  void *memory = ftruncate(fileno(file), (off_t)size) == 0
                     ? mmap(NULL, size, rights, MAP_SHARED, fileno(file), 0)
                     : MAP_FAILED;
  (void)fclose(file); /* the mapping remains */
  return memory;
#endif
}

gradyn_status gradyn_pool_by_processes(const gradyn_pool *pool, gradyn_message *message)
{
  /* more processes than tasks would be idle */
  const size_t jobs = pool->workers->jobs < pool->tasks ? pool->workers->jobs : pool->tasks;
  const size_t size = gradyn_board_size(pool);
  GRADYN_TRY(check_threads(message));
  pid_t *pid = calloc(jobs + 1, sizeof *pid);
  gradyn_board *b = share(size);
  bool died = false;
  size_t made = 0;
  if (pid == NULL || b == MAP_FAILED) {
    free(pid);
    return gradyn_fail(message, GRADYN_NO_MEMORY, "out of memory for %zu tasks", pool->tasks);
  }
  /* fewer processes than requested are no failure: the work takes longer */
  for (size_t i = 0; i < jobs; i++) {
    pid[i] = make_process(pool, b, i);
    made += pid[i] > 0;
  }
  gradyn_status status = GRADYN_OK;
  /* no process at all is a failure */
  if (made == 0 && jobs > 0)
    status = gradyn_fail(message, GRADYN_NO_MEMORY, "processes: none can be created; %s",
                         strerror(errno));
  watch(pool, b, pid, jobs, &died, message);
  /* reports of workers come before the death of a process */
  if (status == GRADYN_OK && atomic_load(&b->stop))
    status = GRADYN_INTERRUPTED;
  else if (status == GRADYN_OK && died)
    status = GRADYN_CALLBACK;
  status = gradyn_complaint_conclude(&b->complaint, status, message);
  (void)munmap(b, size);
  free(pid);
  return status;
}
