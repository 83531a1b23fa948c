/* The table of all warnings: one entry per code. Names, texts, JSON, Python and docs/warnings.md follow from
 * it. */
#include "core/base/warnings.h"

static const gradyn_warning_kind kinds[] = {
    [GRADYN_WARNING_STEPS_SUBDIVIDED] =
        {"steps-subdivided", "The equations of a fixed step had no solution.",
         "[{subject}: |]{value} of {limit} steps were divided or moved, because their equations "
         "have no solution. Results may be less accurate",
         "Use a shorter step", "Use a shorter step."},
    [GRADYN_WARNING_ADJOINT_GROWTH] =
        {"adjoint-growth", "Derivatives grow within a few fixed steps, which do not resolve them.",
         "[{subject}: |]the steps are too long for derivatives: disturbances grow by a factor of "
         "{value:.1e} after t = {t} s",
         "Use steps of {suggestion:.1g} s",
         "Use the suggested step, or a method with error control."},
    [GRADYN_WARNING_SLIP_JUMP] =
        {"slip-jump",
         "The slip velocity in a joint with friction changes by several transition velocities "
         "within one step.",
         "the steps are too long for {subject}: at t = {t} s its slip changes within a step by "
         "{value:.2g} times the transition velocity. Sticking may be missed",
         "Use steps of {suggestion:.1g} s",
         "Use the suggested step, or a method with error control."},
    [GRADYN_WARNING_SLIP_EXIT] =
        {"slip-exit",
         "A slip velocity rises from rest beyond the transition velocity in steps that are too "
         "long for derivatives.",
         "the steps are too long for derivatives where the slip of {subject} leaves its transition "
         "velocity at t = {t} s. Disturbances are multiplied by {value:.2g} too much",
         "Use steps of {suggestion:.1g} s",
         "Use the suggested step, or a method with error control."},
    [GRADYN_WARNING_UNDECLARED_DISCONTINUITY] =
        {"undeclared-discontinuity",
         "The equations jump as states move, and no event is declared there.",
         "[{subject}: |]the equations jump near t = {t:.6g} s[, and {count} times from there on|] "
         "as states move, and no event is declared there. Gradients lack the change of the time of "
         "the jump",
         "Declare an event there, or replace the jump by a steep continuous change",
         "Declare an event at the jump, or replace the jump by a steep continuous change."},
    [GRADYN_WARNING_ILL_DETERMINED] =
        {"ill-determined",
         "Disturbances grow so much that errors of the steps change a functional.",
         "functional {subject} is not determined: disturbances grow, and errors of the steps may "
         "change it by {value:.0e} of its size",
         "[Shorten the run, or tighten the tolerance to {suggestion:.0e}|No tolerance suffices, "
         "since round-off alone has this effect: shorten the run]",
         "Shorten the run. Tighten the tolerance if the warning suggests one."},
    [GRADYN_WARNING_GRADIENT_ACCURACY] =
        {"gradient-accuracy",
         "The estimated error of a derivative exceeds the requested tolerance.",
         "[the derivative of {subject} is|the derivatives are] exact to about {value:.0e}[ "
         "{unit}|] only; {limit:.0e}[ {unit}|] was asked for[. {count} functionals miss it|]",
         "[Use steps of {suggestion:.1g} s|Tighten the tolerance, or relax rtol_sens]",
         "Use the suggested step. With error control, tighten rtol, or relax rtol_sens."},
    [GRADYN_WARNING_MOMENTUM_BALANCE] =
        {"momentum-balance", "Matrices and forces of the mechanism contradict each other.",
         "{subject} at t = {t:.6g} s: the jump of momentum differs from the sum of the impulses by "
         "{value:.1e} of their terms[ ({count} times)|]",
         "Run 'gradyn check', which names the element",
         "Run `gradyn check`, which names the element."},
    [GRADYN_WARNING_IMPACT_ENERGY] =
        {"impact-energy", "Restitution and the constraints after an impact contradict each other.",
         "{subject} at t = {t:.6g} s: the impact gains {value:.3g} J without a drive[ ({count} "
         "times)|]. Restitution contradicts the constraints that begin with the impact",
         "", "Reduce the restitution, or let the constraints begin at another event."},
    [GRADYN_WARNING_ADHESIVE_IMPACT] =
        {"adhesive-impact", "The impulse of a contact has the sign of a pull.",
         "{subject} at t = {t:.6g} s: the impulse of the contact is tensile, {value:.3g} N s[ "
         "({count} times)|]",
         "", "Check the guard of the contact, and the constraints that are new after the impact."},
    [GRADYN_WARNING_UNRESOLVED_BOUNCE] =
        {"unresolved-bounce", "A guard leaves zero at the start of its mode and returns at once.",
         "{subject} at t = {t:.6g} s: the guard leaves zero at a rate of {value:.1e} and returns "
         "before it is distinguishable from zero[ ({count} times)|]",
         "The run omits this event",
         "If the rebound velocity is small, let the event lead to a mode without bounces."},
    [GRADYN_WARNING_KINK] =
        {"kink", "The integrand of a functional has a kink, where its derivative is one-sided.",
         "the derivative of functional {subject} is exact to about {value:.0e}[ {unit}|] only: the "
         "integrand has a kink near t = {t:.4g} s",
         "", "Declare an event at the kink, or smooth the integrand."},
    [GRADYN_WARNING_EVENT_HAS_NO_EFFECT] =
        {"event-has-no-effect", "An event has no effect, and no functional refers to it.",
         "event {subject} has no effect: it changes neither the state nor the mode, does not end "
         "the run, and no functional is evaluated at it",
         "Give the event an effect, or remove it", "Give the event an effect, or remove it."},
    [GRADYN_WARNING_DISCRETISATION] =
        {"discretisation",
         "With shorter steps or a tighter tolerance, the objective or a constraint at the optimum "
         "changes.",
         "the result is not exact to its tolerances: with a smaller error of the run, {subject} "
         "changes by {value:.2g} times its tolerance",
         "A step, or rtol, of {suggestion:.3g} suffices",
         "Use the suggested step or rtol, and search again from the result."},
    [GRADYN_WARNING_DIRECT_ADJOINT_MISMATCH] =
        {"direct-adjoint-mismatch", "The adjoint and the direct sensitivity differ.",
         "the adjoint gradient and a direct sweep differ by {value:.1e}, in {subject} along a "
         "random direction: one of them is wrong",
         "Run 'gradyn check'", "Run `gradyn check`, which names the faulty derivative."},
    [GRADYN_WARNING_SMOOTH_MAXIMUM] =
        {"smooth-maximum", "A smooth maximum satisfies a bound that the exact maximum exceeds.",
         "{subject} reaches {value:.4g}[ {unit}|] at t = {t:.4g} s, its limit is {limit:.6g}[ "
         "{unit}|]: the smooth maximum lies below the exact one",
         "Use an exact maximum, or more sharpness", "Use an exact maximum, or more sharpness."},
    [GRADYN_WARNING_CONTROL_OVERSHOOT] =
        {"control-overshoot", "A spline exceeds the bounds of its knots between them.",
         "between its knots signal {subject} reaches {value:.4g}[ {unit}|], beyond its bound "
         "{limit:.6g}[ {unit}|]",
         "", "Use a piecewise linear signal, more knots, or a path constraint on the signal."},
    [GRADYN_WARNING_PATH_UNCHECKED] =
        {"path-unchecked",
         "The search ended before it checked the path constraints between their time points.",
         "path constraints were evaluated at {value} time points only", "Resume the search",
         "Resume the search, or simulate the point."},
    [GRADYN_WARNING_VALUE_ACCURACY] =
        {"value-accuracy", "The estimated error of a functional exceeds the tolerance.",
         "functional {subject} is exact to about {value:.0e} only; {limit:.0e} was asked for",
         "Tighten the tolerance", "Tighten the tolerance."},
    [GRADYN_WARNING_ACCURACY_UNKNOWN] =
        {"accuracy-unknown", "The second run, from which the error is estimated, fails.",
         "the error is unknown, because the run with other steps or tolerances fails: {subject}",
         "", "Use shorter steps or another tolerance, or see the message of the failed run."},
    [GRADYN_WARNING_ENERGY_DRIFT] =
        {"energy-drift", "The energy should be constant, but changes with the errors of the steps.",
         "[{subject}: |]the energy, which should be constant, drifts by {value:.2g} J; {limit:.1g} "
         "J was accepted",
         "[Use steps of {suggestion:.1g} s|Tighten the tolerance]",
         "Use the suggested step. With error control, tighten the tolerance."},
    [GRADYN_WARNING_SIMULTANEOUS_EVENTS] =
        {"simultaneous-events", "Derivatives depend on the order of two events at one time.",
         "{subject} at t = {t:.6g} s: another event occurs at the same time. Derivatives do not "
         "exist, because they depend on the order of the two",
         "Move one of them, or start elsewhere", "Move one of the events, or start elsewhere."},
    [GRADYN_WARNING_OTHER_EVENTS] =
        {"other-events",
         "The perturbed runs of a difference have another event sequence than the run itself.",
         "the perturbed run for differences by {subject} has another event sequence, so its "
         "difference quotients are no derivatives",
         "Use adjoint or direct sensitivities", "Use adjoint or direct sensitivities."},
    [GRADYN_WARNING_DIFFERENCE_NOISE] =
        {"difference-noise", "Errors of the runs are a large part of a difference.",
         "differences are uncertain: for {subject}, by {value:.1e} of its largest derivative[, and "
         "{count} functionals are uncertain|]",
         "Use adjoint or direct sensitivities", "Use adjoint or direct sensitivities."},
    [GRADYN_WARNING_UNSTABLE_AT_REST] =
        {"unstable-at-rest", "Steps that suit the motion are unstable for states at rest.",
         "the steps suit the motion, but are unstable for derivatives of fast states at rest",
         "Use radau or idas", "Use the method radau or idas."},
    [GRADYN_WARNING_EARLIER_VERSION] =
        {"earlier-version",
         "An earlier version wrote the journal. It stored a warning as text only, without its "
         "numbers.",
         "{subject}", "", "Simulate the point again, which gives the warnings of this version."},
    [GRADYN_WARNING_TOO_FEW_DATA] =
        {"too-few-data", "Fits have fewer data than free parameters.",
         "the fits have {value} data for {limit} free parameters; that is too few to determine "
         "them",
         "Add data or priors, or fix parameters", "Add data or priors, or fix parameters."},
    [GRADYN_WARNING_PARAMETER_UNSEEN] =
        {"parameter-unseen", "No datum of the fits depends on a free parameter.",
         "no datum depends on parameter {subject}, whose value {value}[ {unit}|] is arbitrary",
         "Add data that depend on it, or fix it",
         "Add data that depend on the parameter, or fix the parameter."},
    [GRADYN_WARNING_EVENT_AT_START] = {
        "event-at-start",
        "The guard of an event, a function of time alone, is zero where its mode begins.",
        "event {subject} does not happen at t = {t:.6g} s[ ({count} times)|]: its guard, a "
        "function of "
        "time, is zero where its mode begins",
        "Use a later time, or put its effect into the initial state",
        "Use a later time, or put the effect of the event into the initial state."}};

const gradyn_warning_kind *gradyn_warning_find(int code)
{
  return code > 0 && (size_t)code < sizeof kinds / sizeof *kinds ? &kinds[code] : NULL;
}

gradyn_warning_info gradyn_warning_describe(gradyn_warning_code code)
{
  const gradyn_warning_kind *kind = gradyn_warning_find((int)code);
  return kind ? (gradyn_warning_info){kind->name, kind->cause, kind->remedy}
              : (gradyn_warning_info){"unknown", "", ""};
}
