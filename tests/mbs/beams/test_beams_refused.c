/* Wrong declarations of beams and of their functionals are refused with a message that names the object, the
 * value and the requirement. */

#include "tests/mbs/refusal.h"
#include <gradyn/functionals.h>

enum { P = REFUSAL_P, Q = REFUSAL_Q };

#define BEAM(case, change)                                                                         \
  static void case (gradyn_model * model)                                                          \
  {                                                                                                \
    gradyn_beam_spec spec = refusal_beam(P, Q);                                                    \
    change;                                                                                        \
    gradyn_beam(model, &spec);                                                                     \
  }

BEAM(beam_of_none, spec.to = 9)
BEAM(beam_without_elements, spec.elements = 0)
BEAM(beam_of_too_many, spec.elements = 2000000)
BEAM(beam_without_area, spec.section.area = -1e-4)
BEAM(beam_without_bending, spec.section.second_moment = 0)
BEAM(beam_without_modulus, spec.young = NAN)
BEAM(beam_without_density, spec.density = 0)
BEAM(beam_with_drive, spec.damping = -0.1)
BEAM(beam_with_reach, spec.section.reach = -0.1)
BEAM(beam_of_no_length, spec.to = P)
BEAM(beam_turning, spec.omega[2] = INFINITY)
BEAM(beam_tube, spec.section = gradyn_section_tube(0.1, 0.2))
BEAM(beam_long_name,
     spec.name = "another name of more than eighty characters, which leaves too little "
                 "room for those of nodes")

/* A case with a beam between P and Q. */
#define WITH_BEAM(case, use)                                                                       \
  static void case (gradyn_model * model)                                                          \
  {                                                                                                \
    gradyn_beam_spec spec = refusal_beam(P, Q);                                                    \
    int beam = gradyn_beam(model, &spec);                                                          \
    (void)beam;                                                                                    \
    use;                                                                                           \
  }

WITH_BEAM(clamp_no_node, gradyn_weld(model, "clamp", beam, 3, GRADYN_GROUND))
WITH_BEAM(node_of_none, gradyn_beam_node(model, beam + 1, 0))
WITH_BEAM(slope_of_none, gradyn_beam_slope(model, beam, -2))
WITH_BEAM(deflection_of_none,
          gradyn_functional(model, &(gradyn_functional_spec){
                                       "sag", gradyn_measure_deflection(model, "", -1),
                                       .reduction = GRADYN_AT_END}))
WITH_BEAM(deflection_never,
          gradyn_functional(model, &(gradyn_functional_spec){
                                       "sag", gradyn_measure_deflection(model, "", beam),
                                       .reduction = GRADYN_AT_TIME, .time = -0.5}))
WITH_BEAM(stress_nowhere,
          gradyn_functional(model, &(gradyn_functional_spec){
                                       "sigma",
                                       gradyn_measure_stress(model, "", beam, 4, GRADYN_STRETCHED),
                                       .reduction = GRADYN_AT_END}))
WITH_BEAM(stress_never,
          gradyn_functional(model, &(gradyn_functional_spec){
                                       "sigma",
                                       gradyn_measure_stress(model, "", beam, 0, GRADYN_STRETCHED),
                                       .reduction = GRADYN_AT_TIME, .time = NAN}))
WITH_BEAM(too_sharp,
          gradyn_functional(model, &(gradyn_functional_spec){
                                       "most",
                                       gradyn_measure_stress(model, "", beam, GRADYN_ALL_NODES,
                                                             GRADYN_EITHER_FIBRE),
                                       .reduction = GRADYN_SMOOTH_MAXIMUM, .scale = 1e6,
                                       .sharpness = 1000}))
WITH_BEAM(length_of_none,
          gradyn_functional(model, &(gradyn_functional_spec){
                                       "length", gradyn_measure_beam_length(model, "", 2),
                                       .reduction = GRADYN_AT_END}))

static const refusal beams[] = {
    {beam_of_none, "B: point 9 has not been declared (there are 3)"},
    {beam_without_elements, "B has 0 elements: it needs 1 to 1000000"},
    {beam_of_too_many, "B has 2000000 elements: it needs 1 to 1000000"},
    {beam_without_area, "B.area is -0.0001: it must be positive"},
    {beam_without_bending, "B.second_moment is 0: it must be positive"},
    {beam_without_modulus, "B.young is nan: it must be positive"},
    {beam_without_density, "B.density is 0: it must be positive"},
    {beam_with_drive, "B.damping is -0.1: it must not be negative"},
    {beam_with_reach, "B.reach is -0.1: it must not be negative"},
    {beam_of_no_length, "B.length is 0: it must be positive"},
    {beam_turning, "the initial velocity of B."},
    {beam_tube, "B.area is -0.0942478: it must be positive"},
    {beam_long_name,
     "the name another name of more than eighty charact... has 92 characters: at most "
     "80 are possible"},
    {clamp_no_node, "clamp: beam B has no node 3 (0 to 2)"},
    {node_of_none, "a node of a beam: beam 2 has not been declared (there are 1)"},
    {slope_of_none, "a slope of a beam: beam B has no node -2 (0 to 2)"},
    {deflection_of_none, "a measure without a name: beam -1 has not been declared (there are 1)"},
    {deflection_never, "functional sag: its time is -0.5 s; it must be a positive time of the run"},
    {stress_nowhere, "a measure without a name: beam B has no node 4 (0 to 2)"},
    {stress_never, "functional sigma: its time is nan s; it must be a positive time of the run"},
    {too_sharp, "most: the sharpness is 1000: it must be positive and at most 600"},
    {length_of_none, "a measure without a name: beam 2 has not been declared (there are 1)"}};

TEST(test_beams)
{
  refusal_check((int)GRADYN_COUNT(beams), beams);
}
