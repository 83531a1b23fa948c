/* Wrong declarations of attached points, bodies and joints are refused with a message that names the object,
 * the value and the requirement. */

#include "tests/mbs/refusal.h"
#include "tests/declare.h"

enum { G = REFUSAL_G, P = REFUSAL_P, Q = REFUSAL_Q };

/* --- points ----------------------------------------------------------------------------------- */

static void space_in_plane(gradyn_model *model)
{
  gradyn_point_3d(model, "S", 0, 0, 0);
}

static void gravity_in_plane(gradyn_model *model)
{
  gradyn_gravity_3d(model, 0, 0, -9.81);
}

static void velocity_in_plane(gradyn_model *model)
{
  gradyn_initial_velocity_3d(model, P, 0, 0, 1);
}

static void velocity_of_ground(gradyn_model *model)
{
  gradyn_initial_velocity(model, G, 1, 0);
}

static void velocity_of_attached(gradyn_model *model)
{
  gradyn_initial_velocity(model, gradyn_point_between(model, "half", P, Q, 0.5), 1, 0);
}

static void velocity_not_finite(gradyn_model *model)
{
  gradyn_initial_velocity(model, P, 1, NAN);
}

static void point_not_finite(gradyn_model *model)
{
  gradyn_point(model, "S", 0, INFINITY);
}

static void same_name(gradyn_model *model)
{
  gradyn_point(model, "P", 0, 0);
}

static void attached_to_attached(gradyn_model *model)
{
  gradyn_point_between(model, "quarter", gradyn_point_between(model, "half", P, Q, 0.5), Q, 0.5);
}

static void between_unknown(gradyn_model *model)
{
  gradyn_point_between(model, "half", P, 7, 0.5);
}

static void between_itself(gradyn_model *model)
{
  gradyn_point_between(model, "half", P, P, 0.5);
}

static void share_not_finite(gradyn_model *model)
{
  gradyn_point_between(model, "half", P, Q, NAN);
}

static void hold_attached(gradyn_model *model)
{
  gradyn_fix_initial_coordinate(model, gradyn_point_between(model, "half", P, Q, 0.5), GRADYN_X);
}

static void end_along_z(gradyn_model *model)
{
  gradyn_functional(
      model, &(gradyn_functional_spec){"height", gradyn_measure_point(model, "", P, 0, GRADYN_Z),
                                       .reduction = GRADYN_AT_END});
}

static const refusal points[] = {
    {space_in_plane, "S needs a spatial mechanism, but this one is planar"},
    {gravity_in_plane, "gravity needs a spatial mechanism, but this one is planar"},
    {velocity_in_plane, "an initial velocity needs a spatial mechanism, but this one is planar"},
    {velocity_of_ground, "G is a ground point: it cannot have a velocity of its own"},
    {velocity_of_attached, "half is attached to others: it cannot have a velocity of its own"},
    {velocity_not_finite, "the initial velocity of P has the component nan: it must be finite"},
    {point_not_finite, "S.y is inf: it must be a finite number"},
    {same_name, "two points are called P: names must differ"},
    {attached_to_attached, "quarter: the point half is attached to other points; attach to "
                           "those points instead"},
    {between_unknown, "half: point 7 has not been declared (there are 3)"},
    {between_itself, "half lies between P and the same point: it needs two"},
    {share_not_finite, "half.share is nan: it must be a finite number"},
    {hold_attached,
     "half is attached to other points; only coordinates of moving points can be fixed"},
    {end_along_z, "a measure without a name: axis 2 does not exist in this mechanism"}};

/* --- bodies and joints ------------------------------------------------------------------------ */

static void body_of_space(gradyn_model *model)
{
  declare_body_3d(model, "body", 1, INERTIA(1, 1, 1), NULL);
}

static void body_without_mass(gradyn_model *model)
{
  gradyn_body_spec spec = refusal_body();
  spec.mass = 0;
  gradyn_body(model, &spec);
}

static void body_without_inertia(gradyn_model *model)
{
  gradyn_body_spec spec = refusal_body();
  spec.inertia[2] = -0.5;
  gradyn_body(model, &spec);
}

static void body_not_finite(gradyn_model *model)
{
  gradyn_body_spec spec = refusal_body();
  spec.omega[2] = NAN;
  gradyn_body(model, &spec);
}

static void body_without_place(gradyn_model *model)
{
  gradyn_body_spec spec = refusal_body();
  spec.centre[1] = NAN;
  gradyn_body(model, &spec);
}

static void unknown_body(gradyn_model *model)
{
  gradyn_body_point(model, 0, "A", 0, 0);
}

static void point_in_space(gradyn_model *model)
{
  gradyn_body_spec spec = refusal_body();
  gradyn_body_point_3d(model, gradyn_body(model, &spec), "A", 0, 0, 0);
}

static void point_not_on_body(gradyn_model *model)
{
  gradyn_body_spec spec = refusal_body();
  gradyn_body_point(model, gradyn_body(model, &spec), "A", NAN, 0);
}

static void centre_of_none(gradyn_model *model)
{
  gradyn_body_centre(model, -1);
}

static void long_name(gradyn_model *model)
{
  gradyn_body_spec spec = refusal_body();
  spec.name = "a name of a hundred characters, which is more than there is room for together with "
              "those of base vectors";
  gradyn_body(model, &spec);
}

static void pin_on_ground(gradyn_model *model)
{
  gradyn_pin(model, "pin", G, gradyn_ground_point(model, "H", 1, 1));
}

static void pin_on_attached_ground(gradyn_model *model)
{
  int H = gradyn_ground_point(model, "H", 1, 1);
  gradyn_pin(model, "pin", G, gradyn_point_between(model, "half", G, H, 0.5));
}

static void pin_to_itself(gradyn_model *model)
{
  gradyn_pin(model, "pin", P, P);
}

static void pin_to_unknown(gradyn_model *model)
{
  gradyn_pin(model, "pin", P, -3);
}

static void weld_to_none(gradyn_model *model)
{
  gradyn_beam_spec spec = refusal_beam(P, Q);
  gradyn_weld(model, "weld", gradyn_beam(model, &spec), 0, 0);
}

static void weld_of_none(gradyn_model *model)
{
  gradyn_body_spec spec = refusal_body();
  gradyn_weld(model, "weld", 1, 0, gradyn_body(model, &spec));
}

static void weld_to_itself(gradyn_model *model)
{
  gradyn_beam_spec spec = refusal_beam(P, Q);
  int beam = gradyn_beam(model, &spec);
  gradyn_weld_beams(model, "weld", beam, 1, beam, 1);
}

static const refusal bodies[] = {
    {body_of_space, "body needs a spatial mechanism, but this one is planar"},
    {body_without_mass, "body.mass is 0 kg: it must be positive"},
    {body_without_inertia, "body.inertia[2] is -0.5 kg m^2: it must be positive in the plane"},
    {body_not_finite, "the initial velocity of body.e1 has the component nan: it must be finite"},
    {body_without_place, "body.y is nan: it must be a finite number"},
    {unknown_body, "A: no body is given"},
    {point_in_space, "A needs a spatial mechanism, but this one is planar"},
    {point_not_on_body, "A.local_x is nan: it must be a finite number"},
    {centre_of_none, "the centre of a body: body -1 has not been declared (there are 0)"},
    {long_name, "the name a name of a hundred characters, which is... has 104 characters: at most "
                "80 are possible"},
    {pin_on_ground, "pin joins two ground points"},
    {pin_on_attached_ground, "pin joins two ground points"},
    {pin_to_itself, "pin.x joins the point P with itself"},
    {pin_to_unknown, "pin: point -3 has not been declared (there are 3)"},
    {weld_to_none, "weld: no body is given"},
    {weld_of_none, "weld: beam 1 has not been declared (there are 0)"},
    {weld_to_itself, "weld.slope.x joins the point B.slope1 with itself"}};

TEST(test_points)
{
  refusal_check((int)GRADYN_COUNT(points), points);
}

TEST(test_bodies)
{
  refusal_check((int)GRADYN_COUNT(bodies), bodies);
}
