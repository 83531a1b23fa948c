/* A block on a belt that moves, tied to the wall by a spring: it sticks until the spring pulls harder than
 * friction holds, slides back, and sticks again where it comes to rest on the belt. Coulomb's law with two
 * coefficients; the place where it sticks is captured. */
#include <gradyn/gradyn.h>

enum { MASS, STIFFNESS, STILL, KINETIC, SPEED, START };

static const gradyn_param params[] = {
    [MASS] = {"mass", "kg", .init = 1, .lower = 0.1, .upper = 10},
    [STIFFNESS] = {"stiffness", "N/m", .init = 20, .lower = 1, .upper = 200},
    [STILL] = {"still", "", .init = 0.5, .lower = 0.1, .upper = 1},
    [KINETIC] = {"kinetic", "", .init = 0.3, .lower = 0.05, .upper = 1},
    [SPEED] = {"speed", "m/s", .init = 0.2, .lower = 0.01, .upper = 2},
    [START] = {"start", "m", .init = 0.1, GRADYN_UNBOUNDED, .role = GRADYN_INITIAL_STATE},
};

static const gradyn_setting settings[] = {
    {"slips", "number of slips and sticks with functionals of their times", .init = 2,
     .upper = 100},
    {"sliding", "1: the block slides at the start; 0: it sticks", .upper = 1},
};

static const double g = 9.81; /* m/s^2 */

enum { GRIP, TABLE }; /* the constraints' numbers */

/* The two faces of Coulomb's cone: how much more friction could hold. */
static gradyn_status forwards(const gradyn_at *at, gradyn_scalar *value)
{
  *value = -at->data[0] * at->lam[TABLE] + at->lam[GRIP];
  return GRADYN_OK;
}

/* How far the grip is from the face of the cone that lets it slip back. */
static gradyn_status backwards(const gradyn_at *at, gradyn_scalar *value)
{
  *value = -at->data[0] * at->lam[TABLE] - at->lam[GRIP];
  return GRADYN_OK;
}

/* How much faster than the belt. */
static gradyn_status slip(const gradyn_at *at, gradyn_scalar *value)
{
  *value = at->vel[0] - at->data[0];
  return GRADYN_OK;
}

/* Of the block. */
static gradyn_status place(const gradyn_at *at, gradyn_scalar *value)
{
  *value = at->pos[0];
  return GRADYN_OK;
}

/* The events of a slide with friction in one direction. */
typedef struct slide {
  const char *slips, *sticks, *friction;
  gradyn_functional_fn face;
  gradyn_direction direction; /* in which the slip comes to zero */
  int sign;                   /* of the friction */
} slide;

static const slide behind = {"slips", "sticks", "friction", forwards, GRADYN_RISING, 1};
static const slide ahead = {"slips_ahead", "sticks_ahead", "friction_ahead",
                            backwards,     GRADYN_FALLING, -1};

/* Slips when a face of the cone is reached, slides, and sticks where it is at rest on the belt. Returns the
 * number of the first event, which the other one follows. */
static int add_slide(gradyn_model *mbs, const gradyn_scalar rho[], int block, int stick, int mode,
                     const slide *way)
{
  const gradyn_datum still = {"still", "", rho[STILL]}, speed = {"speed", "m/s", rho[SPEED]};
  /* leaves where the spring pulls more than still friction holds */
  gradyn_in_mode(mbs, stick);
  int slips = gradyn_when(
      mbs, &(gradyn_when_spec){.name = way->slips,
                               .guard = {.terminal = way->face, .data = &still, .data_count = 1},
                               .invariant = true,
                               .mode = mode});
  /* friction against the slip; sticks again where the slip's rate passes zero */
  gradyn_in_mode(mbs, mode);
  gradyn_force(mbs, &(gradyn_force_spec){.name = way->friction,
                                         .point = block,
                                         .fx = way->sign * rho[KINETIC] * rho[MASS] * g});
  gradyn_when(mbs, &(gradyn_when_spec){.name = way->sticks,
                                       .guard = {.terminal = slip, .data = &speed, .data_count = 1},
                                       .direction = way->direction,
                                       .invariant = true,
                                       .mode = stick});
  return slips;
}

/* What is of interest of the motion. */
static void tell(gradyn_model *mbs, int block, int slips)
{
  int times = gradyn_setting_value(mbs, "slips");
  /* where the block is at the end, how fast, and how far it strays */
  gradyn_end_position(mbs, "x", block, GRADYN_X);
  gradyn_end_velocity(mbs, "v", block, GRADYN_X);
  gradyn_track_position(mbs, "path", block, 0, 0);
  if (times == 0)
    return;
  /* and of one slip: its begin, its end, the place of the end */
  gradyn_event_time(mbs, "slip", slips, times);
  gradyn_event_time(mbs, "stick", slips + 1, times);
  gradyn_after_event(mbs, &(gradyn_custom_functional_spec){"place", "m", .terminal = place},
                     slips + 1, times);
}

static gradyn_status build(gradyn_model *mbs, const gradyn_scalar rho[])
{
  bool sliding = gradyn_setting_value(mbs, "sliding"); /* modes: the first is that of the start */
  int mode[3] = {0};
  /* [0] sticks, [1] slides behind the belt, [2] ahead of it */
  mode[sliding] = gradyn_mode(mbs, sliding ? "slide" : "stick");
  mode[!sliding] = gradyn_mode(mbs, sliding ? "stick" : "slide");
  mode[2] = gradyn_mode(mbs, "slide_ahead");
  int block = gradyn_point(mbs, "block", rho[START], 0);
  int wall = gradyn_ground_point(mbs, "wall", -5, 0);
  /* carried by the belt at the start */
  gradyn_initial_velocity(mbs, block, rho[SPEED], 0);
  gradyn_point_mass(mbs, "block", block, rho[MASS]);
  gradyn_gravity(mbs, 0, -g);
  gradyn_spring(
      mbs, &(gradyn_spring_spec){"spring", wall, block, .k = rho[STIFFNESS], .free_length = 5});
  /* sticking: x = start + speed t, from wherever it sticks */
  gradyn_in_mode(mbs, mode[0]);
  int grip = gradyn_coordinate(mbs, "grip", block, GRADYN_X,
                               &(gradyn_law){.value = rho[START], .rate = rho[SPEED]});
  gradyn_capture_constraint(mbs, grip);
  gradyn_in_mode(mbs, GRADYN_EVERY_MODE);
  /* no way up or down */
  gradyn_coordinate(mbs, "table", block, GRADYN_Y, &(gradyn_law){.value = 0});
  gradyn_draw_trace(mbs, block);
  /* slower than the belt, or faster */
  int slips = add_slide(mbs, rho, block, mode[0], mode[1], &behind);
  (void)add_slide(mbs, rho, block, mode[0], mode[2], &ahead);
  gradyn_in_mode(mbs, GRADYN_EVERY_MODE);
  tell(mbs, block, slips);
  return gradyn_built(mbs);
}

GRADYN_PROBLEM(stick_slip, .summary = "Block on a belt that sticks and slips", .params = params,
               .settings = settings, .setting_count = GRADYN_COUNT(settings), .build = build,
               .t_end = 6.0, .rtol = 1e-10);
