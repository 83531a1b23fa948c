/* gradyn: gradient-based optimal design and control of constrained dynamic systems. Includes all public
 * headers; a problem file needs only this one. */
#ifndef GRADYN_GRADYN_H
#define GRADYN_GRADYN_H

#include <gradyn/control.h>
#include <gradyn/covariance.h>
#include <gradyn/dae.h>
#include <gradyn/draw.h>
#include <gradyn/evaluate.h>
#include <gradyn/extremes.h>
#include <gradyn/events.h>
#include <gradyn/friction.h>
#include <gradyn/joints.h>
#include <gradyn/limits.h>
#include <gradyn/look.h>
#include <gradyn/mbs.h>
#include <gradyn/measure.h>
#include <gradyn/model.h>
#include <gradyn/numbers.h>
#include <gradyn/objective.h>
#include <gradyn/optimise.h>
#include <gradyn/orbit.h>
#include <gradyn/problem.h>
#include <gradyn/regulator.h>
#include <gradyn/report.h>
#include <gradyn/saltation.h>
#include <gradyn/sensitivities.h>
#include <gradyn/statics.h>
#include <gradyn/status.h>
#include <gradyn/study.h>
#include <gradyn/tgmath.h>
#include <gradyn/tyre.h>
#include <gradyn/version.h>
#include <gradyn/warnings.h>

#endif
