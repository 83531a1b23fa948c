/* Sizes of a model: typical changes of its states and data. Lengths are distances between neighbouring
 * points, independent of the mechanism's size and position. A zero value gets the size of its unit, with the
 * mass, length and time of the model as base units. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "adjoint/evaluator/sizes.h"
#include "core/equations/equations.h"
#include "dae/trajectory.h"

/* Powers of mass, length and time. */
typedef struct dimension {
  const char *name;
  int mass, length, time;
} dimension;

static const dimension known[] = {{"kg", 1, 0, 0},   {"m", 0, 1, 0},   {"s", 0, 0, 1},
                                  {"N", 1, 1, -2},   {"J", 1, 2, -2},  {"W", 1, 2, -3},
                                  {"Pa", 1, -1, -2}, {"Hz", 0, 0, -1}, {"rad", 0, 0, 0},
                                  {"1", 0, 0, 0},    {"deg", 0, 0, 0}};

/* Returns whether a number is zero except for round-off: a change by its own size would leave less than half
 * of the digits of results that depend on its usual size. */
static bool is_nothing(double value, double usual)
{
  return !(fabs(value) > sqrt(DBL_EPSILON) * usual);
}

/* --- units ------------------------------------------------------------------------------------- */

/* Finds the base or derived unit of this name; NULL: unknown. */
static const dimension *find_unit(const char *name, size_t length)
{
  for (size_t i = 0; i < GRADYN_COUNT(known); i++)
    if (strlen(known[i].name) == length && memcmp(known[i].name, name, length) == 0)
      return &known[i];
  return NULL;
}

/* Returns the size of a unit such as "kg m^2/s"; 0 if it is unknown. */
static double of_mechanism(const gradyn_sizes *s, const char *unit)
{
  int mass = 0, length = 0, time = 0, sign = 1;
  for (const char *p = unit; *p;) {
    size_t letters = strcspn(p, " */^");
    const dimension *d = find_unit(p, letters);
    /* a factor: letters and perhaps a power; after a slash in the denominator */
    long power = 1;
    p += letters;
    if (*p == '^') {
      char *end;
      power = strtol(p + 1, &end, 10);
      p = end;
    }
    /* unknown unit: no natural size */
    if (letters > 0 && !d)
      return 0;
    if (d) {
      mass += sign * (int)power * d->mass;
      length += sign * (int)power * d->length;
      time += sign * (int)power * d->time;
    }
    if (*p == '/')
      sign = -1;
    p += strspn(p, " */");
  }
  /* M^a L^b T^c with the mechanism's own M, L, T */
  return pow(s->mass, mass) * pow(s->length, length) * pow(s->time, time);
}

/* Returns the largest state with the unit; 0: none. */
static double of_equations(const gradyn_sizes *s, const char *unit)
{
  const gradyn_model *model = s->model;
  const int ny = model->ops->state_count(model);
  double most = 0;
  for (int i = 0; i < ny && *unit; i++) /* states without a unit need not be comparable */
    if (strcmp(model->ops->state_unit(model, i), unit) == 0)
      most = fmax(most, s->largest[i]);
  return most;
}

double gradyn_sizes_natural(const gradyn_sizes *s, const char *unit)
{
  return s->model->mech ? of_mechanism(s, unit) : of_equations(s, unit);
}

/* --- points ------------------------------------------------------------------------------------ */

/* Returns whether a name ends with a text. Names of data are paths: "crank.A.x" ends with ".x". */
static bool ends_with(const char *name, const char *end)
{
  size_t length = strlen(name), tail = strlen(end);
  return length > tail && strcmp(name + length - tail, end) == 0;
}

/* Returns whether datum k is a point's coordinate along an axis. */
static bool is_coordinate(const gradyn_model *model, int k, int axis)
{
  static const char *const end[] = {".x", ".y", ".z"};
  return k >= 0 && k < model->nx && strcmp(model->entry[k].unit, "m") == 0 &&
         ends_with(model->entry[k].name, end[axis]);
}

/* Returns the number of axes of the point whose first coordinate is datum k, or 0 if no point begins there.
 * The coordinates of a point are consecutive data with the names .x, .y and, in space, .z, in metres. Only
 * names and units of data are known here, not the elements. */
static int axes_of(const gradyn_model *model, int k)
{
  if (!is_coordinate(model, k, 0) || !is_coordinate(model, k + 1, 1))
    return 0;
  return is_coordinate(model, k + 2, 2) ? 3 : 2;
}

/* Returns the index of the first coordinate of the point that contains datum k; -1: none. */
static int point_of(const gradyn_model *model, int k)
{
  for (int axis = 0; axis < 3; axis++)
    if (axes_of(model, k - axis) > axis)
      return k - axis;
  return -1;
}

/* Returns the initial distance of the points that start at data i and j, in the plane if one has no z; 0:
 * these are not two points. */
static double distance(const gradyn_sizes *s, int i, int j)
{
  const int first = axes_of(s->model, i), second = first > 0 ? axes_of(s->model, j) : 0;
  double sum = 0;
  for (int k = 0; k < (first < second ? first : second); k++)
    sum += (s->x[i + k] - s->x[j + k]) * (s->x[i + k] - s->x[j + k]);
  return sqrt(sum);
}

/* Returns the distance from a point to the nearest other one. Points at the same position, joined by a pin,
 * do not count. HUGE_VAL: none. */
static double nearest(const gradyn_sizes *s, int point)
{
  double least = HUGE_VAL;
  for (int k = 0; k < s->model->nx && axes_of(s->model, point) > 0; k++) {
    const double d = distance(s, point, k);
    if (d > 1e-6 * s->extent)
      least = fmin(least, d);
  }
  return least;
}

/* Sets the length to the smallest of these distances; for a single point, to the largest length among the
 * data. */
static void measure_length(gradyn_sizes *s)
{
  double longest = 0;
  s->length = HUGE_VAL;
  for (int i = 0; i < s->model->nx; i++)
    for (int j = 0; j < i && axes_of(s->model, i) > 0; j++)
      s->extent = fmax(s->extent, distance(s, i, j));
  for (int i = 0; i < s->model->nx; i++) {
    s->length = fmin(s->length, nearest(s, i));
    if (strcmp(s->model->entry[i].unit, "m") == 0)
      longest = fmax(longest, fabs(s->x[i]));
  }
  if (!isfinite(s->length))
    s->length = longest > 0 ? longest : 1;
}

/* Returns a typical change of the coordinates of a point. */
static double neighbourhood(const gradyn_sizes *s, int point)
{
  const double least = nearest(s, point);
  return isfinite(least) ? least : s->length;
}

/* Returns the largest |x_k| among data with this unit; 0 if there are none. */
static double largest_of_unit(const gradyn_sizes *s, const char *unit)
{
  double most = 0;
  for (int k = 0; k < s->model->nx; k++)
    if (strcmp(s->model->entry[k].unit, unit) == 0)
      most = fmax(most, fabs(s->x[k]));
  return most;
}

/* --- states ------------------------------------------------------------------------------------ */

/* Returns the largest value of the states from `first` onwards that have the unit of state i. */
static double largest_alike(const gradyn_sizes *s, int first, int count, int i)
{
  const gradyn_model *model = s->model;
  /* states of one kind have the same unit */
  const char *unit = model->ops->state_unit(model, i);
  double size = 0;
  for (int k = first; k < first + count; k++)
    if (strcmp(model->ops->state_unit(model, k), unit) == 0)
      size = fmax(size, s->largest[k]);
  return size;
}

/* Sizes of states. Coordinates: lengths, or 1 for directions. Velocities: the largest with this unit, at
 * least the size of the coordinate divided by the duration of the run. Accelerations: the largest with this
 * unit, at least the size of the velocity divided by the duration. Multipliers: the largest with this unit,
 * unless that is round-off of a mechanism without forces. */
static void size_states(gradyn_sizes *s)
{
  const gradyn_mech *mech = s->model->mech;
  int n = mech->n, m = mech->m;
  /* m, m/s, m/s^2, and N or N m */
  double *size = s->size, t_end = s->time;
  for (int i = 0; i < n; i++) {
    const double v = largest_alike(s, n, n, n + i), a = largest_alike(s, 2 * n, n, 2 * n + i);
    const int point = point_of(s->model, mech->q0[i]);
    size[i] = point >= 0 ? neighbourhood(s, point) : fmax(1, largest_alike(s, 0, n, i));
    /* at rest: the rate that changes the coordinate by its size during the run */
    size[n + i] = fmax(v, size[i] / t_end);
    size[2 * n + i] = fmax(a, size[n + i] / t_end);
  }
  for (int i = 3 * n; i < 3 * n + m; i++) {
    double lam = largest_alike(s, 3 * n, m, i);
    double unit = of_mechanism(s, s->model->ops->state_unit(s->model, i));
    size[i] = !is_nothing(lam, unit) ? lam : unit > 0 ? unit : 1;
  }
}

/* --- data -------------------------------------------------------------------------------------- */

/* Returns a suitable change of a datum. */
static double size_of_datum(const gradyn_sizes *s, int k)
{
  const char *unit = s->model->entry[k].unit;
  const int point = point_of(s->model, k);
  if (point >= 0)
    return neighbourhood(s, point);
  /* of a time, the duration of the run; otherwise the size of the unit or, if the unit is unknown, the
   * largest datum with it */
  double usual = strcmp(unit, "s") == 0 ? s->time : of_mechanism(s, unit);
  if (usual == 0 || !isfinite(usual))
    usual = largest_of_unit(s, unit);
  usual = usual > 0 ? usual : 1;
  return is_nothing(s->x[k], usual) ? usual : fabs(s->x[k]);
}

/* Sets the sizes of general equations. States have the size of their largest value, data that of their own
 * value or of others with the same unit. */
static void size_equations(gradyn_sizes *s)
{
  const gradyn_equations_model *e = s->model->equations;
  const int ny = s->model->ops->state_count(s->model);
  for (int i = 0; i < ny; i++) {
    double size = s->largest[i] > 0 ? s->largest[i] : largest_alike(s, 0, ny, i);
    s->size[i] = size > 0 ? size : 1;
  }
  for (int k = 0; k < s->model->nx; k++) {
    double alike = largest_of_unit(s, s->model->entry[k].unit);
    s->x_size[k] = s->x[k] != 0 ? fabs(s->x[k]) : alike > 0 ? alike : 1;
  }
  /* an initial value of zero changes by the size of its state */
  for (int i = 0; i < ny; i++)
    if (!e->unknown[i].algebraic && s->x[e->unknown[i].datum] == 0)
      s->x_size[e->unknown[i].datum] = s->size[i];
}

/* Measures mass, length and time of the mechanism, from which units get their sizes. */
static void measure(gradyn_sizes *s)
{
  s->time = s->x[s->model->t_end];
  measure_length(s);
  s->mass = largest_of_unit(s, "kg");
  /* bodies may be given by densities */
  s->mass = s->mass > 0 ? s->mass : largest_of_unit(s, "kg/m^3") * pow(s->length, 3);
  s->mass = s->mass > 0 ? s->mass : 1;
}

void gradyn_sizes_fill(gradyn_sizes *s)
{
  if (!s->model->mech) {
    size_equations(s);
    return;
  }
  measure(s);
  size_states(s);
  for (int k = 0; k < s->model->nx; k++)
    s->x_size[k] = size_of_datum(s, k);
  /* guesses of initial velocities may all be zero: use the velocities of the motion */
  for (int i = 0; i < s->model->mech->n; i++)
    s->x_size[s->model->mech->v0[i]] = s->size[s->model->mech->n + i];
}

void gradyn_sizes_follow(gradyn_sizes *s, const gradyn_trajectory *run, double *y)
{
  const int ny = s->model->ops->state_count(s->model);
  for (size_t k = 0; k < gradyn_trajectory_read(run).steps; k++) {
    gradyn_trajectory_step(run, k, y);
    for (int i = 0; i < ny; i++)
      s->largest[i] = fmax(s->largest[i], fabs(y[i]));
  }
}
