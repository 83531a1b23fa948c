/* A block on a moving belt, connected to a wall by a spring. It sticks until the spring force exceeds
 * static friction, slides back, and sticks again when its slip velocity vanishes. Friction follows
 * Coulomb's law with two coefficients. The position of sticking is latched at the event. */
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

enum { GRIP = 1, TABLE, BLOCK = 1 }; /* ids of the constraints, and of the first point */

/* Reserve of static friction on a face of Coulomb's cone. When it vanishes, the block becomes slower than
 * the belt. */
static gradyn_status forwards(const gradyn_at *at, gradyn_scalar *value)
{
  *value = -at->data[0] * at->lam[TABLE] + at->lam[GRIP];
  return GRADYN_OK;
}

/* Reserve of static friction on the other face. When it vanishes, the block becomes faster than the belt. */
static gradyn_status backwards(const gradyn_at *at, gradyn_scalar *value)
{
  *value = -at->data[0] * at->lam[TABLE] - at->lam[GRIP];
  return GRADYN_OK;
}

/* Slip velocity: the velocity of the block relative to the belt. */
static gradyn_status slip(const gradyn_at *at, gradyn_scalar *value)
{
  *value = at->vel[2 * BLOCK] - at->data[0];
  return GRADYN_OK;
}

/* Position of the block. */
static gradyn_status place(const gradyn_at *at, gradyn_scalar *value)
{
  *value = at->pos[2 * BLOCK];
  return GRADYN_OK;
}

/* Events and friction of sliding in one direction. */
typedef struct slide {
  const char *slips, *sticks, *friction;
  gradyn_functional_fn face;
  gradyn_direction direction; /* direction in which the slip velocity passes zero */
  int sign;                   /* sign of the friction force */
} slide;

static const slide behind = {"slips", "sticks", "friction", forwards, GRADYN_RISING, 1};
static const slide ahead = {"slips_ahead", "sticks_ahead", "friction_ahead",
                            backwards,     GRADYN_FALLING, -1};

/* Declares the slip at a face of the cone, the sliding friction, and the return to sticking when the slip
 * velocity vanishes. Returns the number of the first of the two events. */
static int add_slide(gradyn_model *mbs, const gradyn_scalar rho[], int block, int stick, int mode,
                     const slide *way)
{
  const gradyn_datum still = {"still", "", rho[STILL]}, speed = {"speed", "m/s", rho[SPEED]};
  /* begins sliding when the spring force exceeds static friction */
  int slips = gradyn_event(
      mbs, &(gradyn_event_spec){.name = way->slips,
                                .guard = {.terminal = way->face, .data = &still, .data_count = 1},
                                .invariant = true,
                                .mode = mode});
  gradyn_event_set_modes(mbs, slips, gradyn_modes_of(stick));
  /* friction acts against the slip; sticking begins when the slip velocity passes zero */
  gradyn_force_set_modes(
      mbs,
      gradyn_force(mbs, &(gradyn_force_spec){.name = way->friction,
                                             .point = block,
                                             .fx = way->sign * rho[KINETIC] * rho[MASS] * g}),
      gradyn_modes_of(mode));
  gradyn_event_set_modes(
      mbs,
      gradyn_event(
          mbs, &(gradyn_event_spec){.name = way->sticks,
                                    .guard = {.terminal = slip, .data = &speed, .data_count = 1},
                                    .direction = way->direction,
                                    .invariant = true,
                                    .mode = stick}),
      gradyn_modes_of(mode));
  return slips;
}

/* Declares the functionals of the motion. */
static void tell(gradyn_model *mbs, int block, int slips)
{
  int times = gradyn_setting_value(mbs, "slips");
  /* final position and velocity, and the largest excursion */
  gradyn_functional(
      mbs, &(gradyn_functional_spec){"x", gradyn_measure_point(mbs, "", block, 0, GRADYN_X),
                                     .reduction = GRADYN_AT_END});
  gradyn_functional(
      mbs, &(gradyn_functional_spec){"v", gradyn_measure_point(mbs, "", block, 1, GRADYN_X),
                                     .reduction = GRADYN_AT_END});
  gradyn_functional(mbs, &(gradyn_functional_spec){
                             "path", gradyn_measure_point(mbs, "", block, 0, GRADYN_ALL_AXES),
                             .reduction = GRADYN_SQUARE_INTEGRAL});
  if (times == 0)
    return;
  /* times at which a slip starts and ends, and the position at its end */
  gradyn_event_time(mbs, "slip", slips, times);
  gradyn_event_time(mbs, "stick", slips + 1, times);
  gradyn_functional(
      mbs,
      &(gradyn_functional_spec){
          "place",
          gradyn_measure_custom(
              mbs, &(gradyn_custom_measure_spec){"place", "m", .formula = place, .hidden = true}),
          .reduction = GRADYN_AFTER_EVENT, .event = slips + 1, .occurrence = times});
}

static gradyn_status build(gradyn_model *mbs, const gradyn_scalar rho[])
{
  /* the mode that is declared first is that of the start */
  bool sliding = gradyn_setting_value(mbs, "sliding");
  int mode[3] = {0};
  /* mode[0]: sticks; mode[1]: slides slower than the belt; mode[2]: faster */
  mode[sliding] = gradyn_mode(mbs, sliding ? "slide" : "stick");
  mode[!sliding] = gradyn_mode(mbs, sliding ? "stick" : "slide");
  mode[2] = gradyn_mode(mbs, "slide_ahead");
  int block = gradyn_point(mbs, "block", rho[START], 0);
  int wall = gradyn_ground_point(mbs, "wall", -5, 0);
  /* starts with the velocity of the belt */
  gradyn_initial_velocity(mbs, block, rho[SPEED], 0);
  gradyn_point_mass(mbs, "block", block, rho[MASS]);
  gradyn_gravity(mbs, 0, -g);
  gradyn_spring(
      mbs, &(gradyn_spring_spec){"spring", wall, block, .k = rho[STIFFNESS], .free_length = 5});
  /* sticking: x = start + speed t, where start is latched at the event */
  int grip = gradyn_coordinate(mbs, "grip", block, GRADYN_X,
                               &(gradyn_time_function){.value = rho[START], .rate = rho[SPEED]});
  gradyn_constraint_set_modes(mbs, grip, gradyn_modes_of(mode[0]));
  gradyn_latch_constraint(mbs, grip);
  /* no vertical motion */
  gradyn_coordinate(mbs, "table", block, GRADYN_Y, &(gradyn_time_function){.value = 0});
  gradyn_draw_trace(mbs, block);
  /* sliding slower than the belt, and faster */
  int slips = add_slide(mbs, rho, block, mode[0], mode[1], &behind);
  (void)add_slide(mbs, rho, block, mode[0], mode[2], &ahead);
  tell(mbs, block, slips);
  return gradyn_build_status(mbs);
}

GRADYN_PROBLEM(stick_slip, .summary = "Block on a belt that sticks and slips", .params = params,
               .settings = settings, .setting_count = GRADYN_COUNT(settings), .build = build,
               .t_end = 6.0, .rtol = 1e-10);
