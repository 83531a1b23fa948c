/* Sizes for gradyn_check(): how much the states and data of a model typically change. Lengths are distances
 * between neighbouring points, whatever the mechanism's own size and wherever it stands; what is zero
 * gets the size that its unit has when the model's own mass, length and time are the units. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "adjoint/check/check.h"
#include "core/equations/equations.h"

/* Powers of mass, length and time. */
typedef struct dimension {
  const char *name;
  int mass, length, time;
} dimension;

static const dimension known[] = {{"kg", 1, 0, 0},   {"m", 0, 1, 0},   {"s", 0, 0, 1},
                                  {"N", 1, 1, -2},   {"J", 1, 2, -2},  {"W", 1, 2, -3},
                                  {"Pa", 1, -1, -2}, {"Hz", 0, 0, -1}, {"rad", 0, 0, 0},
                                  {"1", 0, 0, 0},    {"deg", 0, 0, 0}};

/* What a mechanism measures with: kg, m, s. */
typedef struct measures {
  const gradyn_checking *c;
  double mass, length, time;
  double extent; /* m, the largest distance between points */
} measures;

/* Whether a number is meant to be zero, and has become what it is by round-off: moved by itself it leaves
 * less than half of the digits of what depends on its usual size. */
static bool is_nothing(double value, double usual)
{
  return !(fabs(value) > sqrt(DBL_EPSILON) * usual);
}

/* --- units ------------------------------------------------------------------------------------ */

/* The base or derived unit of this name; NULL: none that is known. */
static const dimension *find_unit(const char *name, size_t length)
{
  for (size_t i = 0; i < GRADYN_COUNT(known); i++)
    if (strlen(known[i].name) == length && memcmp(known[i].name, name, length) == 0)
      return &known[i];
  return NULL;
}

/* The size of one of such a unit, "kg m^2/s"; 0 if it is not known. */
static double natural(const measures *w, const char *unit)
{
  int mass = 0, length = 0, time = 0, sign = 1;
  for (const char *p = unit; *p;) {
    size_t letters = strcspn(p, " */^");
    const dimension *d = find_unit(p, letters);
    /* a factor: letters and perhaps a power; behind a slash in the denominator */
    long power = 1;
    p += letters;
    if (*p == '^') {
      char *end;
      power = strtol(p + 1, &end, 10);
      p = end;
    }
    /* not one of ours: no natural size */
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
  return pow(w->mass, mass) * pow(w->length, length) * pow(w->time, time);
}

/* --- points ----------------------------------------------------------------------------------- */

/* Names of data are paths: "crank.A.x" ends with ".x". */
static bool ends_with(const char *name, const char *end)
{
  size_t length = strlen(name), tail = strlen(end);
  return length > tail && strcmp(name + length - tail, end) == 0;
}

/* Whether datum k is the axis-th coordinate of a point. */
static bool is_coordinate(const gradyn_model *model, int k, int axis)
{
  static const char *const end[] = {".x", ".y", ".z"};
  return k >= 0 && k < model->nx && strcmp(model->entry[k].unit, "m") == 0 &&
         ends_with(model->entry[k].name, end[axis]);
}

/* Axes of the point whose first coordinate is datum k: .x and .y in metres one after the other, and .z in
 * space; 0: none begins there. The check sees names and units, no elements. */
static int axes_of(const gradyn_model *model, int k)
{
  if (!is_coordinate(model, k, 0) || !is_coordinate(model, k + 1, 1))
    return 0;
  return is_coordinate(model, k + 2, 2) ? 3 : 2;
}

/* The first coordinate of the point that datum k is one of; -1: it is none. */
static int point_of(const gradyn_model *model, int k)
{
  for (int axis = 0; axis < 3; axis++)
    if (axes_of(model, k - axis) > axis)
      return k - axis;
  return -1;
}

/* Between the points from data i and j on where they stand initially, in the plane of both if one has no z;
 * 0: these are no two points. */
static double distance(const gradyn_checking *c, int i, int j)
{
  const int first = axes_of(c->model, i), second = first > 0 ? axes_of(c->model, j) : 0;
  double sum = 0;
  for (int k = 0; k < (first < second ? first : second); k++)
    sum += (c->x[i + k] - c->x[j + k]) * (c->x[i + k] - c->x[j + k]);
  return sqrt(sum);
}

/* From the point to the nearest other one; those in one place, which a pin holds together, do not count.
 * HUGE_VAL: there is none. */
static double nearest(const measures *w, int point)
{
  double least = HUGE_VAL;
  for (int k = 0; k < w->c->nx; k++) {
    const double d = distance(w->c, point, k);
    if (d > 1e-6 * w->extent)
      least = fmin(least, d);
  }
  return least;
}

/* The least of such distances; of a single point whatever length there is. */
static void measure_length(measures *w)
{
  const gradyn_checking *c = w->c;
  double longest = 0;
  w->length = HUGE_VAL;
  for (int i = 0; i < c->nx; i++)
    for (int j = 0; j < i; j++)
      w->extent = fmax(w->extent, distance(c, i, j));
  for (int i = 0; i < c->nx; i++) {
    w->length = fmin(w->length, nearest(w, i));
    if (strcmp(c->model->entry[i].unit, "m") == 0)
      longest = fmax(longest, fabs(c->x[i]));
  }
  if (!isfinite(w->length))
    w->length = longest > 0 ? longest : 1;
}

/* What the coordinates of a point change by. */
static double neighbourhood(const measures *w, int point)
{
  const double least = nearest(w, point);
  return isfinite(least) ? least : w->length;
}

/* The largest |x_k| among data with this unit; 0 if there are none. */
static double largest_of_unit(const gradyn_checking *c, const char *unit)
{
  double most = 0;
  for (int k = 0; k < c->nx; k++)
    if (strcmp(c->model->entry[k].unit, unit) == 0)
      most = fmax(most, fabs(c->x[k]));
  return most;
}

/* --- states ----------------------------------------------------------------------------------- */

/* The largest value of the states from `first` that have the unit of state i. */
static double largest_alike(const gradyn_checking *c, int first, int count, int i)
{
  const gradyn_model *model = c->model;
  /* of one kind among first..first + count */
  const char *unit = model->ops->state_unit(model, i);
  double size = 0;
  for (int k = first; k < first + count; k++)
    if (strcmp(model->ops->state_unit(model, k), unit) == 0)
      size = fmax(size, c->largest[k]);
  return size;
}

/* Coordinates: lengths, or of directions 1; velocities and accelerations: the largest of their kind,
 * or what would move by that much during the run; multipliers: the largest of their kind, unless that is
 * the round-off of a mechanism without forces. */
static void size_states(gradyn_checking *c, const measures *w)
{
  const gradyn_mech *mech = c->model->mech;
  int n = mech->n, m = mech->m;
  /* m, m/s, m/s^2, and N or N m */
  double *size = c->size, t_end = w->time;
  for (int i = 0; i < n; i++) {
    const double v = largest_alike(c, n, n, n + i), a = largest_alike(c, 2 * n, n, 2 * n + i);
    const int point = point_of(c->model, mech->q0[i]);
    size[i] = point >= 0 ? neighbourhood(w, point) : fmax(1, largest_alike(c, 0, n, i));
    /* at rest: what would move by its size during the run */
    size[n + i] = fmax(v, size[i] / t_end);
    size[2 * n + i] = fmax(a, size[n + i] / t_end);
  }
  for (int i = 3 * n; i < 3 * n + m; i++) {
    double lam = largest_alike(c, 3 * n, m, i);
    double unit = natural(w, c->model->ops->state_unit(c->model, i));
    size[i] = !is_nothing(lam, unit) ? lam : unit > 0 ? unit : 1;
  }
}

/* --- data ------------------------------------------------------------------------------------- */

/* How much a datum may usefully be moved. */
static double size_of_datum(const measures *w, int k)
{
  const gradyn_checking *c = w->c;
  const char *unit = c->model->entry[k].unit;
  const int point = point_of(c->model, k);
  if (point >= 0)
    return neighbourhood(w, point);
  /* times by the run, others by their unit; unknown units by the largest that has it */
  double usual = strcmp(unit, "s") == 0 ? w->time : natural(w, unit);
  if (usual == 0 || !isfinite(usual))
    usual = largest_of_unit(c, unit);
  usual = usual > 0 ? usual : 1;
  return is_nothing(c->x[k], usual) ? usual : fabs(c->x[k]);
}

/* General equations: states by what they reach, data by themselves or by others of the same
 * unit. */
static void size_equations(gradyn_checking *c)
{
  const gradyn_equations_model *e = c->model->equations;
  for (int i = 0; i < c->ny; i++) {
    double size = c->largest[i] > 0 ? c->largest[i] : largest_alike(c, 0, c->ny, i);
    c->size[i] = size > 0 ? size : 1;
  }
  for (int k = 0; k < c->nx; k++) {
    double alike = largest_of_unit(c, c->model->entry[k].unit);
    c->x_size[k] = c->x[k] != 0 ? fabs(c->x[k]) : alike > 0 ? alike : 1;
  }
  /* an initial value of zero changes by what its state reaches */
  for (int i = 0; i < c->ny; i++)
    if (!e->unknown[i].algebraic && c->x[e->unknown[i].datum] == 0)
      c->x_size[e->unknown[i].datum] = c->size[i];
}

/* Sizes of states and data: steps of differences are shares of them. */
void gradyn_check_sizes(gradyn_checking *c)
{
  if (!c->model->mech) {
    size_equations(c);
    return;
  }
  /* M, L and T of the mechanism, from which units get their sizes */
  measures w = {.c = c, .time = c->x[c->model->t_end]};
  measure_length(&w);
  w.mass = largest_of_unit(c, "kg");
  /* bodies may be given by densities */
  w.mass = w.mass > 0 ? w.mass : largest_of_unit(c, "kg/m^3") * pow(w.length, 3);
  w.mass = w.mass > 0 ? w.mass : 1;
  size_states(c, &w);
  for (int k = 0; k < c->nx; k++)
    c->x_size[k] = size_of_datum(&w, k);
  /* approximate initial velocities may all be zero: by those of the motion */
  for (int i = 0; i < c->model->mech->n; i++)
    c->x_size[c->model->mech->v0[i]] = c->size[c->model->mech->n + i];
}
