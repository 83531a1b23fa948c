/* Iterate history of a search. When its memory is full, every second iterate is deleted and the distance
 * between kept iterates is doubled. The memory therefore does not grow with the search. */
#include "optim/segments/iterates.h"

#include <stdlib.h>
#include <string.h>

/* a slider in the report can distinguish as many */
enum { MOST_POINTS = 48 };

/* Adds an iterate; it is omitted if memory is lacking. */
static void keep(gradyn_iterates *course, size_t width, long iteration, const double rho[])
{
  if (course->rho == NULL) {
    course->width = width;
    course->rho = calloc((MOST_POINTS + 1) * width, sizeof *course->rho);
    course->iteration = calloc(MOST_POINTS + 1, sizeof *course->iteration);
  }
  if (course->rho == NULL || course->iteration == NULL)
    return;
  memcpy(course->rho + course->count * width, rho, width * sizeof *rho);
  course->iteration[course->count++] = iteration;
}

/* Keeps every second iterate. */
static void thin(gradyn_iterates *course)
{
  const size_t count = (course->count + 1) / 2, width = course->width;
  for (size_t i = 1; i < count; i++) {
    course->iteration[i] = course->iteration[2 * i];
    memcpy(course->rho + i * width, course->rho + 2 * i * width, width * sizeof *course->rho);
  }
  course->count = count;
}

void gradyn_iterates_arrive(gradyn_iterates_kept *kept, size_t width, const double rho[])
{
  const long iteration = kept->arrivals++;
  if (kept->stride == 0)
    kept->stride = 1;
  if (iteration % kept->stride == 0 && kept->course.count == MOST_POINTS) {
    thin(&kept->course);
    kept->stride *= 2;
  }
  if (iteration % kept->stride == 0)
    keep(&kept->course, width, iteration, rho);
}

void gradyn_iterates_end(gradyn_iterates_kept *kept, size_t width, const double start[],
                         const double last[], gradyn_iterates *out)
{
  gradyn_iterates *course = &kept->course;
  if (course->count == 0)
    keep(course, width, 0, start);
  if (course->count > 0 &&
      memcmp(course->rho + (course->count - 1) * width, last, width * sizeof *last) != 0)
    keep(course, width, kept->arrivals > 0 ? kept->arrivals : 1, last);
  *out = *course;
  *course = (gradyn_iterates){0};
}

void gradyn_iterates_clear(gradyn_iterates_kept *kept)
{
  free(kept->course.iteration);
  free(kept->course.rho);
  *kept = (gradyn_iterates_kept){0};
}
