/* Cost of distributing one task: numbers taken from a counter by one-sided MPI calls, as options/ranks.c
 * does it, by one process and by all at the same time. For builds with MPI.
 *
 * Usage: mpirun -n N bench_jobs_handout */
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>

enum { NUMBERS = 200000 };

/* Takes numbers until none is left; returns their count in this process. */
static long take(MPI_Win window)
{
  const int64_t one = 1;
  for (long mine = 0;; mine++) {
    int64_t number = 0;
    MPI_Fetch_and_op(&one, &number, MPI_INT64_T, 0, 0, MPI_SUM, window);
    MPI_Win_flush(0, window);
    if (number >= NUMBERS)
      return mine;
  }
}

/* Seconds from the first number to the last one, if processes 0 ... count - 1 take them. */
static double race(MPI_Win window, int64_t *counter, int rank, int count)
{
  if (rank == 0)
    *counter = 0;
  MPI_Barrier(MPI_COMM_WORLD);
  const double started = MPI_Wtime();
  if (rank < count)
    (void)take(window);
  MPI_Barrier(MPI_COMM_WORLD);
  return MPI_Wtime() - started;
}

int main(int argc, char *argv[])
{
  int rank = 0, size = 0;
  int64_t *counter = NULL;
  MPI_Win window;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Win_allocate(rank == 0 ? (MPI_Aint)sizeof *counter : 0, (int)sizeof *counter, MPI_INFO_NULL,
                   MPI_COMM_WORLD, &counter, &window);
  MPI_Win_lock_all(0, window);
  for (int count = 1; count <= size; count = count < size && 2 * count > size ? size : 2 * count) {
    const double seconds = race(window, counter, rank, count);
    if (rank == 0)
      printf("%d of %d processes take numbers: %.3f us each\n", count, size,
             1e6 * seconds / NUMBERS);
  }
  MPI_Win_unlock_all(window);
  MPI_Win_free(&window);
  MPI_Finalize();
  return 0;
}
