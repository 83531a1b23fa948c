"""What build() declares. Written by generate.py from the public headers: do not edit."""

from __future__ import annotations

from typing import Any, Literal, Mapping, Sequence, TypedDict, Union

from ._c import ffi, lib
from ._handing import (
    WRONG,
    Data,
    Function,
    Handing,
    Id,
    Number,
    Numbers,
    Section,
    equal,
    flag,
    one_of,
)

Axis = Literal["x", "y", "z"]
AXIS = {"x": lib.GRADYN_X, "y": lib.GRADYN_Y, "z": lib.GRADYN_Z}
Direction = Literal["falling", "rising", "either"]
DIRECTION = {"falling": lib.GRADYN_FALLING, "rising": lib.GRADYN_RISING, "either": lib.GRADYN_EITHER}
Fibre = Literal["stretched", "shortened"]
FIBRE = {"stretched": lib.GRADYN_STRETCHED, "shortened": lib.GRADYN_SHORTENED}
FrictionLaw = Literal["brown-mcphee", "lugre", "gonthier"]
FRICTION_LAW = {
    "brown-mcphee": lib.GRADYN_BROWN_MCPHEE,
    "lugre": lib.GRADYN_LUGRE,
    "gonthier": lib.GRADYN_GONTHIER,
}
JointKind = Literal[
    "fixed",
    "revolute",
    "prismatic",
    "cylindrical",
    "screw",
    "spherical",
    "universal",
    "planar",
    "point-on-line",
    "point-on-plane",
    "constant-length",
]
JOINT_KIND = {
    "fixed": lib.GRADYN_FIXED,
    "revolute": lib.GRADYN_REVOLUTE,
    "prismatic": lib.GRADYN_PRISMATIC,
    "cylindrical": lib.GRADYN_CYLINDRICAL,
    "screw": lib.GRADYN_SCREW,
    "spherical": lib.GRADYN_SPHERICAL,
    "universal": lib.GRADYN_UNIVERSAL,
    "planar": lib.GRADYN_PLANAR,
    "point-on-line": lib.GRADYN_POINT_ON_LINE,
    "point-on-plane": lib.GRADYN_POINT_ON_PLANE,
    "constant-length": lib.GRADYN_CONSTANT_LENGTH,
}
SignalKind = Literal["piecewise-constant", "piecewise-linear", "cubic-spline"]
SIGNAL_KIND = {
    "piecewise-constant": lib.GRADYN_PIECEWISE_CONSTANT,
    "piecewise-linear": lib.GRADYN_PIECEWISE_LINEAR,
    "cubic-spline": lib.GRADYN_CUBIC_SPLINE,
}


class VariableId(Id):
    """The number of a variable in its model."""

    __slots__ = ()


class PointId(VariableId):
    """The number of a point in its model."""

    __slots__ = ()


class SlopeId(PointId):
    """The number of a slope in its model."""

    __slots__ = ()


class CoordinateId(VariableId):
    """The number of a coordinate in its model."""

    __slots__ = ()


class StateId(VariableId):
    """The number of a state in its model."""

    __slots__ = ()


class BodyId(Id):
    """The number of a body in its model."""

    __slots__ = ()


class FrameId(Id):
    """The number of a frame in its model."""

    __slots__ = ()


class JointId(Id):
    """The number of a joint in its model."""

    __slots__ = ()


class BeamId(Id):
    """The number of a beam in its model."""

    __slots__ = ()


class ConstraintId(Id):
    """The number of a constraint in its model."""

    __slots__ = ()


class ForceId(Id):
    """The number of a force in its model."""

    __slots__ = ()


class MeasureId(Id):
    """The number of a measure in its model."""

    __slots__ = ()


class SignalId(Id):
    """The number of a signal in its model."""

    __slots__ = ()


class FunctionalId(Id):
    """The number of a functional in its model."""

    __slots__ = ()


class EventId(Id):
    """The number of an event in its model."""

    __slots__ = ()


class ModeId(Id):
    """The number of a mode in its model."""

    __slots__ = ()



Component = tuple[VariableId, Axis]
Transfer = tuple[Component, Union[Component, None], Number]


SIGNAL_SPEC = ffi.typeof("gradyn_signal_spec *")
SWITCHED_SIGNAL_SPEC = ffi.typeof("gradyn_switched_signal_spec *")
CUSTOM_FUNCTIONAL_SPEC = ffi.typeof("gradyn_custom_functional_spec *")
BEAM_SPEC = ffi.typeof("gradyn_beam_spec *")
ROD_SPEC = ffi.typeof("gradyn_rod_spec *")
BODY_SPEC = ffi.typeof("gradyn_body_spec *")
BUSHING_SPEC = ffi.typeof("gradyn_bushing_spec *")
LAW = ffi.typeof("gradyn_law *")
CUSTOM_CONSTRAINT_SPEC = ffi.typeof("gradyn_custom_constraint_spec *")
SPRING_SPEC = ffi.typeof("gradyn_spring_spec *")
ATTRACTION_SPEC = ffi.typeof("gradyn_attraction_spec *")
FORCE_SPEC = ffi.typeof("gradyn_force_spec *")
TORQUE_SPEC = ffi.typeof("gradyn_torque_spec *")
CUSTOM_FORCE_SPEC = ffi.typeof("gradyn_custom_force_spec *")
FRAME_SPEC = ffi.typeof("gradyn_frame_spec *")
JOINT_SPEC = ffi.typeof("gradyn_joint_spec *")
PLACE_SPEC = ffi.typeof("gradyn_place_spec *")
WHEEL_SPEC = ffi.typeof("gradyn_wheel_spec *")
JOINT_SPRING_SPEC = ffi.typeof("gradyn_joint_spring_spec *")
JOINT_STOP_SPEC = ffi.typeof("gradyn_joint_stop_spec *")
CONTROLLER_STATE_SPEC = ffi.typeof("gradyn_controller_state_spec *")
PID_SPEC = ffi.typeof("gradyn_pid_spec *")
FEEDBACK_SPEC = ffi.typeof("gradyn_feedback_spec *")
EQUATIONS_SPEC = ffi.typeof("gradyn_equations_spec *")
BOUNCE_SPEC = ffi.typeof("gradyn_bounce_spec *")
WHEN_SPEC = ffi.typeof("gradyn_when_spec *")
RESET_SPEC = ffi.typeof("gradyn_reset_spec *")
PHASE_SPEC = ffi.typeof("gradyn_phase_spec *")
JOINT_FRICTION_SPEC = ffi.typeof("gradyn_joint_friction_spec *")
MEASURE_FORMULA_SPEC = ffi.typeof("gradyn_measure_formula_spec *")
TYRE_SPEC = ffi.typeof("gradyn_tyre_spec *")


class CustomFunctionalSpecTerms(TypedDict, total=False):
    """Members of CustomFunctionalSpec."""

    name: str
    unit: str
    integrand: Function
    terminal: Function
    data: Data
    instant: float
    points: Sequence[VariableId]
    reads_accelerations: bool
    reads_multipliers: bool
    reads_positions_only: bool
    reads: Sequence[VariableId]


CustomFunctionalSpec = Union[Function, CustomFunctionalSpecTerms]


class LawTerms(TypedDict, total=False):
    """value + rate t + acceleration t^2/2 + amplitude sin(frequency t + phase) (+ a cubic-spline signal).
    All of them are data.
    """

    value: Number
    rate: Number
    acceleration: Number
    amplitude: Number
    frequency: Number
    phase: Number
    signal: SignalId


Law = Union[Number, LawTerms]


class CustomConstraintSpecTerms(TypedDict, total=False):
    """Members of CustomConstraintSpec."""

    name: str
    points: Sequence[VariableId]
    fn: Function
    data: Data


CustomConstraintSpec = Union[Function, CustomConstraintSpecTerms]


def _signal_spec(
    m: Any,
    s: Any,
    name: str,
    unit: str,
    kind: SignalKind,
    *,
    knots: Union[Numbers, None] = None,
    t_start: Number = 0,
    t_end: Number = 0,
    times: Union[Numbers, None] = None,
) -> None:
    s.name = m.text(name)
    s.unit = m.text(unit)
    s.kind = SIGNAL_KIND[kind]
    if knots is not None:
        s.knots = m.scalars(knots)
    s.t_start = t_start
    s.t_end = t_end
    if times is not None:
        s.times = m.scalars(times)
    s.count = m.count({"knots": knots, "times": times})


def _switched_signal_spec(
    m: Any,
    s: Any,
    name: str,
    unit: str,
    *,
    levels: Union[Numbers, None] = None,
    times: Union[Numbers, None] = None,
) -> None:
    s.name = m.text(name)
    s.unit = m.text(unit)
    if levels is not None:
        s.levels = m.scalars(levels)
    if times is not None:
        s.times = m.scalars(times)
    s.count = m.count({"levels": levels})


def _custom_functional_spec(
    m: Any,
    s: Any,
    name: str,
    unit: str,
    *,
    integrand: Union[Function, None] = None,
    terminal: Union[Function, None] = None,
    data: Union[Data, None] = None,
    instant: float = 0,
    points: Union[Sequence[VariableId], None] = None,
    reads_accelerations: bool = False,
    reads_multipliers: bool = False,
    reads_positions_only: bool = False,
    reads: Union[Sequence[VariableId], None] = None,
) -> None:
    s.name = m.text(name)
    s.unit = m.text(unit)
    if integrand is not None:
        s.integrand = m.callback("gradyn_functional_fn", "integrand", integrand, data)
    if terminal is not None:
        s.terminal = m.callback("gradyn_functional_fn", "terminal", terminal, data)
    if data is not None:
        s.data = m.data(data)
    s.instant = instant
    if points is not None:
        s.points = m.several(points, VariableId)
    s.reads_accelerations = flag(reads_accelerations)
    s.reads_multipliers = flag(reads_multipliers)
    s.reads_positions_only = flag(reads_positions_only)
    if reads is not None:
        s.reads = m.several(reads, VariableId)
    s.user = m.handle_of(name, {"integrand": integrand, "terminal": terminal}, data)
    s.data_count = m.count({"data": data})
    s.point_count = m.count({"points": points})
    s.read_count = m.count({"reads": reads})


def _beam_spec(
    m: Any,
    s: Any,
    name: str,
    from_: PointId,
    to: PointId,
    elements: int,
    *,
    section: Union[Section, None] = None,
    young: Number = 0,
    density: Number = 0,
    damping: Number = 0,
    linear: bool = False,
    velocity: Numbers = (),
    omega: Numbers = (),
) -> None:
    s.name = m.text(name)
    setattr(s, "from", m.number_of(from_, PointId))
    s.to = m.number_of(to, PointId)
    s.elements = elements
    if section is not None:
        s.section = m.section_of(section)
    s.young = young
    s.density = density
    s.damping = damping
    s.linear = flag(linear)
    if len(velocity):
        s.velocity = m.inline(velocity, 3)
    if len(omega):
        s.omega = m.inline(omega, 3)


def _rod_spec(
    m: Any,
    s: Any,
    name: str,
    from_: PointId,
    to: PointId,
    *,
    length: Number = 0,
    mass: Number = 0,
    com: Union[Number, None] = None,
    inertia: Union[Number, None] = None,
) -> None:
    s.name = m.text(name)
    setattr(s, "from", m.number_of(from_, PointId))
    s.to = m.number_of(to, PointId)
    s.length = length
    s.mass = mass
    if com is not None:
        s.com = com
        s.own_inertia = True
    if inertia is not None:
        s.inertia = inertia
        s.own_inertia = True
    equal(com is None, inertia is None, "com and inertia")


def _body_spec(
    m: Any,
    s: Any,
    name: str,
    *,
    centre: Numbers = (),
    mass: Number = 0,
    inertia: Numbers = (),
    velocity: Numbers = (),
    omega: Numbers = (),
) -> None:
    s.name = m.text(name)
    if len(centre):
        s.centre = m.inline(centre, 3)
    s.mass = mass
    if len(inertia):
        s.inertia = m.inline(inertia, 6)
    if len(velocity):
        s.velocity = m.inline(velocity, 3)
    if len(omega):
        s.omega = m.inline(omega, 3)


def _bushing_spec(
    m: Any,
    s: Any,
    name: str,
    body_a: BodyId,
    body_b: BodyId,
    *,
    position: Numbers = (),
    stiffness: Numbers = (),
    damping: Numbers = (),
    torsion: Numbers = (),
    torsion_damping: Numbers = (),
) -> None:
    s.name = m.text(name)
    s.body_a = m.number_of(body_a, BodyId)
    s.body_b = m.number_of(body_b, BodyId)
    if len(position):
        s.position = m.inline(position, 3)
    if len(stiffness):
        s.stiffness = m.inline(stiffness, 3)
    if len(damping):
        s.damping = m.inline(damping, 3)
    if len(torsion):
        s.torsion = m.inline(torsion, 3)
    if len(torsion_damping):
        s.torsion_damping = m.inline(torsion_damping, 3)


def _law(
    m: Any,
    s: Any,
    *,
    value: Number = 0,
    rate: Number = 0,
    acceleration: Number = 0,
    amplitude: Number = 0,
    frequency: Number = 0,
    phase: Number = 0,
    signal: Union[SignalId, None] = None,
) -> None:
    s.value = value
    s.rate = rate
    s.acceleration = acceleration
    s.amplitude = amplitude
    s.frequency = frequency
    s.phase = phase
    if signal is not None:
        s.signal = m.number_of(signal, SignalId)
        s.has_signal = True


def _custom_constraint_spec(
    m: Any,
    s: Any,
    name: str,
    *,
    points: Union[Sequence[VariableId], None] = None,
    fn: Union[Function, None] = None,
    data: Union[Data, None] = None,
) -> None:
    s.name = m.text(name)
    if points is not None:
        s.points = m.several(points, VariableId)
    if fn is not None:
        s.fn = m.callback("gradyn_constraint_fn", "fn", fn, data)
    if data is not None:
        s.data = m.data(data)
    s.user = m.handle_of(name, {"fn": fn}, data)
    s.data_count = m.count({"data": data})
    s.point_count = m.count({"points": points})


def _spring_spec(
    m: Any,
    s: Any,
    name: str,
    from_: PointId,
    to: PointId,
    *,
    k: Number = 0,
    c: Number = 0,
    free_length: Number = 0,
    force: Number = 0,
    signal: Union[SignalId, None] = None,
) -> None:
    s.name = m.text(name)
    setattr(s, "from", m.number_of(from_, PointId))
    s.to = m.number_of(to, PointId)
    s.k = k
    s.c = c
    s.free_length = free_length
    s.force = force
    if signal is not None:
        s.signal = m.number_of(signal, SignalId)
        s.has_signal = True


def _attraction_spec(
    m: Any,
    s: Any,
    name: str,
    from_: PointId,
    to: PointId,
    *,
    strength: Number = 0,
    core: Number = 0,
) -> None:
    s.name = m.text(name)
    setattr(s, "from", m.number_of(from_, PointId))
    s.to = m.number_of(to, PointId)
    s.strength = strength
    s.core = core


def _force_spec(
    m: Any,
    s: Any,
    name: str,
    point: PointId,
    *,
    fx: Number = 0,
    fy: Number = 0,
    signal: Union[SignalId, None] = None,
    fz: Number = 0,
) -> None:
    s.name = m.text(name)
    s.point = m.number_of(point, PointId)
    s.fx = fx
    s.fy = fy
    if signal is not None:
        s.signal = m.number_of(signal, SignalId)
        s.has_signal = True
    s.fz = fz


def _torque_spec(
    m: Any,
    s: Any,
    name: str,
    from_: PointId,
    to: PointId,
    *,
    torque: Number = 0,
    c: Number = 0,
    signal: Union[SignalId, None] = None,
) -> None:
    s.name = m.text(name)
    setattr(s, "from", m.number_of(from_, PointId))
    s.to = m.number_of(to, PointId)
    s.torque = torque
    s.c = c
    if signal is not None:
        s.signal = m.number_of(signal, SignalId)
        s.has_signal = True


def _custom_force_spec(
    m: Any,
    s: Any,
    name: str,
    *,
    points: Union[Sequence[VariableId], None] = None,
    fn: Union[Function, None] = None,
    data: Union[Data, None] = None,
    reads: Union[Sequence[str], None] = None,
) -> None:
    s.name = m.text(name)
    if points is not None:
        s.points = m.several(points, VariableId)
    if fn is not None:
        s.fn = m.callback("gradyn_force_fn", "fn", fn, data)
    if data is not None:
        s.data = m.data(data)
    if reads is not None:
        s.reads = m.texts(reads)
    s.user = m.handle_of(name, {"fn": fn}, data)
    s.data_count = m.count({"data": data})
    s.point_count = m.count({"points": points})
    s.read_count = m.count({"reads": reads})


def _frame_spec(
    m: Any,
    s: Any,
    name: str,
    body: BodyId,
    *,
    origin: Numbers = (),
    axis: Numbers = (),
    side: Numbers = (),
    along: Union[Axis, None] = None,
) -> None:
    s.name = m.text(name)
    s.body = m.number_of(body, BodyId)
    if len(origin):
        s.origin = m.inline(origin, 3)
    if len(axis):
        s.axis = m.inline(axis, 3)
    if len(side):
        s.side = m.inline(side, 3)
    if along is not None:
        s.along = AXIS[along]
        s.aligned = True


def _joint_spec(
    m: Any,
    s: Any,
    name: str,
    kind: JointKind,
    a: FrameId,
    b: FrameId,
    *,
    pitch: Number = 0,
    cut: bool = False,
) -> None:
    s.name = m.text(name)
    s.kind = JOINT_KIND[kind]
    s.a = m.number_of(a, FrameId)
    s.b = m.number_of(b, FrameId)
    s.pitch = pitch
    s.cut = flag(cut)


def _place_spec(
    m: Any,
    s: Any,
    name: str,
    kind: JointKind,
    body_a: BodyId,
    body_b: BodyId,
    *,
    position: Numbers = (),
    axis: Numbers = (),
    side: Numbers = (),
    axis_b: Numbers = (),
    pitch: Number = 0,
    cut: bool = False,
) -> None:
    s.name = m.text(name)
    s.kind = JOINT_KIND[kind]
    s.body_a = m.number_of(body_a, BodyId)
    s.body_b = m.number_of(body_b, BodyId)
    if len(position):
        s.position = m.inline(position, 3)
    if len(axis):
        s.axis = m.inline(axis, 3)
    if len(side):
        s.side = m.inline(side, 3)
    if len(axis_b):
        s.axis_b = m.inline(axis_b, 3)
    s.pitch = pitch
    s.cut = flag(cut)


def _wheel_spec(m: Any, s: Any, name: str, wheel: FrameId, ground: FrameId, *, radius: Number = 0) -> None:
    s.name = m.text(name)
    s.wheel = m.number_of(wheel, FrameId)
    s.ground = m.number_of(ground, FrameId)
    s.radius = radius


def _joint_spring_spec(
    m: Any,
    s: Any,
    name: str,
    coordinate: CoordinateId,
    *,
    k: Number = 0,
    c: Number = 0,
    free: Number = 0,
    effort: Number = 0,
    signal: Union[SignalId, None] = None,
) -> None:
    s.name = m.text(name)
    s.coordinate = m.number_of(coordinate, CoordinateId)
    s.k = k
    s.c = c
    s.free = free
    s.effort = effort
    if signal is not None:
        s.signal = m.number_of(signal, SignalId)
        s.has_signal = True


def _joint_stop_spec(
    m: Any,
    s: Any,
    name: str,
    coordinate: CoordinateId,
    *,
    lower: Number = 0,
    upper: Number = 0,
    k: Number = 0,
    c: Number = 0,
    width: Number = 0,
) -> None:
    s.name = m.text(name)
    s.coordinate = m.number_of(coordinate, CoordinateId)
    s.lower = lower
    s.upper = upper
    s.k = k
    s.c = c
    s.width = width


def _controller_state_spec(
    m: Any,
    s: Any,
    name: str,
    unit: str,
    *,
    initial: Number = 0,
    size: float = 0,
) -> None:
    s.name = m.text(name)
    s.unit = m.text(unit)
    s.initial = initial
    s.size = size


def _pid_spec(
    m: Any,
    s: Any,
    name: str,
    coordinate: CoordinateId,
    *,
    measured: Union[CoordinateId, None] = None,
    kp: Number = 0,
    ki: Number = 0,
    kd: Number = 0,
    target: Number = 0,
    signal: Union[SignalId, None] = None,
    filter_time: Union[Number, None] = None,
    limit: Union[Number, None] = None,
    initial: Number = 0,
    initial_filter: Number = 0,
) -> None:
    s.name = m.text(name)
    s.coordinate = m.number_of(coordinate, CoordinateId)
    if measured is not None:
        s.measured = m.number_of(measured, CoordinateId)
        s.measures_other = True
    s.kp = kp
    s.ki = ki
    s.kd = kd
    s.target = target
    if signal is not None:
        s.signal = m.number_of(signal, SignalId)
        s.has_signal = True
    if filter_time is not None:
        s.filter_time = filter_time
        s.filtered = True
    if limit is not None:
        s.limit = limit
        s.limited = True
    s.initial = initial
    s.initial_filter = initial_filter


def _feedback_spec(
    m: Any,
    s: Any,
    name: str,
    coordinate: CoordinateId,
    *,
    of: Union[Sequence[VariableId], None] = None,
    gain: Union[Numbers, None] = None,
    rate_gain: Union[Numbers, None] = None,
    target: Union[Numbers, None] = None,
    offset: Number = 0,
    signal: Union[SignalId, None] = None,
    limit: Union[Number, None] = None,
) -> None:
    s.name = m.text(name)
    s.coordinate = m.number_of(coordinate, CoordinateId)
    if of is not None:
        s.of = m.several(of, VariableId)
    if gain is not None:
        s.gain = m.scalars(gain)
    if rate_gain is not None:
        s.rate_gain = m.scalars(rate_gain)
    if target is not None:
        s.target = m.scalars(target)
    s.offset = offset
    if signal is not None:
        s.signal = m.number_of(signal, SignalId)
        s.has_signal = True
    if limit is not None:
        s.limit = limit
        s.limited = True
    s.count = m.count({"of": of, "gain": gain, "rate_gain": rate_gain, "target": target})


def _equations_spec(
    m: Any,
    s: Any,
    *,
    residual: Union[Function, None] = None,
    data: Union[Data, None] = None,
    atol: Union[Sequence[float], None] = None,
    size: Union[Sequence[float], None] = None,
) -> None:
    if residual is not None:
        s.residual = m.callback("gradyn_residual_fn", "residual", residual, data)
    if data is not None:
        s.data = m.data(data)
    if atol is not None:
        s.atol = m.doubles(atol)
    if size is not None:
        s.size = m.doubles(size)
    s.user = m.handle_of("equations", {"residual": residual}, data)
    s.data_count = m.count({"data": data})


def _bounce_spec(
    m: Any,
    s: Any,
    name: str,
    *,
    point: Union[PointId, None] = None,
    axis: Union[Axis, None] = None,
    level: Union[Law, None] = None,
    below: bool = False,
    gap: Union[CustomConstraintSpec, None] = None,
    restitution: Number = 0,
    kept: Union[Sequence[Component], None] = None,
    mode: Union[ModeId, None] = None,
) -> None:
    s.name = m.text(name)
    if point is not None:
        s.point = m.number_of(point, PointId)
    if axis is not None:
        s.axis = AXIS[axis]
    if level is not None:
        s.level = m.given_law(level)[0]
    s.below = flag(below)
    if gap is not None:
        s.gap = m.given_custom_constraint_spec(gap)
    s.restitution = restitution
    if kept is not None:
        s.kept = m.components(kept)
    if mode is not None:
        s.mode = m.number_of(mode, ModeId)
    s.kept_count = m.count({"kept": kept})


def _when_spec(
    m: Any,
    s: Any,
    name: str,
    *,
    guard: Union[CustomFunctionalSpec, None] = None,
    direction: Union[Direction, None] = None,
    invariant: bool = False,
    armed: Union[CustomFunctionalSpec, None] = None,
    map: Union[Sequence[Transfer], None] = None,
    mode: Union[ModeId, None] = None,
) -> None:
    s.name = m.text(name)
    if guard is not None:
        s.guard = m.given_custom_functional_spec(guard)[0]
    if direction is not None:
        s.direction = DIRECTION[direction]
    s.invariant = flag(invariant)
    if armed is not None:
        s.armed = m.given_custom_functional_spec(armed)[0]
    if map is not None:
        s.map = m.transfers(map)
    if mode is not None:
        s.mode = m.number_of(mode, ModeId)
    s.map_count = m.count({"map": map})


def _reset_spec(
    m: Any,
    s: Any,
    name: str,
    *,
    guard: Union[CustomFunctionalSpec, None] = None,
    direction: Union[Direction, None] = None,
    invariant: bool = False,
    armed: Union[CustomFunctionalSpec, None] = None,
    set: Union[Sequence[Component], None] = None,
    reset: Union[CustomFunctionalSpec, None] = None,
    map: Union[Sequence[Transfer], None] = None,
    mode: Union[ModeId, None] = None,
) -> None:
    s.name = m.text(name)
    if guard is not None:
        s.guard = m.given_custom_functional_spec(guard)[0]
    if direction is not None:
        s.direction = DIRECTION[direction]
    s.invariant = flag(invariant)
    if armed is not None:
        s.armed = m.given_custom_functional_spec(armed)[0]
    if set is not None:
        s.set = m.components(set)
    m.values = m.count({"set": set})
    if reset is not None:
        s.reset = m.given_custom_functional_spec(reset)[0]
    m.values = 1
    if map is not None:
        s.map = m.transfers(map)
    if mode is not None:
        s.mode = m.number_of(mode, ModeId)
    s.map_count = m.count({"map": map})
    s.set_count = m.count({"set": set})


def _phase_spec(
    m: Any,
    s: Any,
    name: str,
    mode: ModeId,
    *,
    start: Number = 0,
    duration: Number = 0,
    next: Union[ModeId, None] = None,
    map: Union[Sequence[Transfer], None] = None,
) -> None:
    s.name = m.text(name)
    s.mode = m.number_of(mode, ModeId)
    s.start = start
    s.duration = duration
    if next is not None:
        s.next = m.number_of(next, ModeId)
    if map is not None:
        s.map = m.transfers(map)
    s.map_count = m.count({"map": map})


def _joint_friction_spec(
    m: Any,
    s: Any,
    name: str,
    joint: JointId,
    law: FrictionLaw,
    *,
    still: Number = 0,
    kinetic: Number = 0,
    transition: Number = 0,
    viscous: Number = 0,
    smoothing: Number = 0,
    pressure: Number = 0,
    radius: Number = 0,
    thrust_radius: Number = 0,
    length: Number = 0,
    offset: Number = 0,
    width: Number = 0,
    stiffness: Number = 0,
    damping: Number = 0,
    dwell: Number = 0,
) -> None:
    s.name = m.text(name)
    s.joint = m.number_of(joint, JointId)
    s.law = FRICTION_LAW[law]
    s.still = still
    s.kinetic = kinetic
    s.transition = transition
    s.viscous = viscous
    s.smoothing = smoothing
    s.pressure = pressure
    s.radius = radius
    s.thrust_radius = thrust_radius
    s.length = length
    s.offset = offset
    s.width = width
    s.stiffness = stiffness
    s.damping = damping
    s.dwell = dwell


def _measure_formula_spec(
    m: Any,
    s: Any,
    name: str,
    unit: str,
    *,
    formula: Union[Function, None] = None,
    of: Union[Sequence[MeasureId], None] = None,
    data: Union[Data, None] = None,
    points: Union[Sequence[VariableId], None] = None,
    reads_accelerations: bool = False,
) -> None:
    s.name = m.text(name)
    s.unit = m.text(unit)
    if formula is not None:
        s.formula = m.callback("gradyn_measure_fn", "formula", formula, data)
    if of is not None:
        s.of = m.several(of, MeasureId)
    if data is not None:
        s.data = m.data(data)
    if points is not None:
        s.points = m.several(points, VariableId)
    s.reads_accelerations = flag(reads_accelerations)
    s.user = m.handle_of(name, {"formula": formula}, data)
    s.count = m.count({"of": of})
    s.data_count = m.count({"data": data})
    s.point_count = m.count({"points": points})


def _tyre_spec(
    m: Any,
    s: Any,
    name: str,
    wheel: FrameId,
    ground: FrameId,
    *,
    radius: Number = 0,
    stiffness: Number = 0,
    damping: Number = 0,
    rebound: Number = 0,
    critical: Numbers = (),
    friction: Numbers = (),
    relaxation: Numbers = (),
    smoothing: Number = 0,
    slow: Number = 0,
) -> None:
    s.name = m.text(name)
    s.wheel = m.number_of(wheel, FrameId)
    s.ground = m.number_of(ground, FrameId)
    s.radius = radius
    s.stiffness = stiffness
    s.damping = damping
    s.rebound = rebound
    if len(critical):
        s.critical = m.inline(critical, 2)
    if len(friction):
        s.friction = m.inline(friction, 2)
    if len(relaxation):
        s.relaxation = m.inline(relaxation, 2)
    s.smoothing = smoothing
    s.slow = slow


KINDS: Mapping[str, Mapping[str, str]] = {
    "minimise": {"functional": "the number of a functional"},
    "minimise_weighted": {"functional": "the number of a functional", "weight": "a number"},
    "maximise": {"functional": "the number of a functional"},
    "maximise_weighted": {"functional": "the number of a functional", "weight": "a number"},
    "minimise_largest": {"functional": "the number of a functional"},
    "require_equal": {
        "functional": "the number of a functional",
        "value": "a number",
        "tolerance": "a number",
    },
    "require_at_most": {
        "functional": "the number of a functional",
        "value": "a number",
        "tolerance": "a number",
    },
    "require_at_least": {
        "functional": "the number of a functional",
        "value": "a number",
        "tolerance": "a number",
    },
    "end_time": {"t_end": "a number"},
    "guess": {"state": "a text", "values": "real numbers"},
    "signal": {
        "name": "a text",
        "unit": "a text",
        "kind": one_of(SIGNAL_KIND),
        "knots": "numbers",
        "t_start": "a number",
        "t_end": "a number",
        "times": "numbers",
    },
    "switched_signal": {"name": "a text", "unit": "a text", "levels": "numbers", "times": "numbers"},
    "custom_functional": {
        "name": "a text",
        "unit": "a text",
        "integrand": "a function",
        "terminal": "a function",
        "data": "data",
        "instant": "a number",
        "points": "numbers of variables",
        "reads_accelerations": "True or False",
        "reads_multipliers": "True or False",
        "reads_positions_only": "True or False",
        "reads": "numbers of variables",
    },
    "number": {"name": "a text", "unit": "a text", "value": "a number"},
    "effort": {"name": "a text", "signal": "the number of a signal"},
    "final_time": {"name": "a text"},
    "smooth_maximum": {
        "name": "a text",
        "unit": "a text",
        "integrand": "a function",
        "terminal": "a function",
        "data": "data",
        "instant": "a number",
        "points": "numbers of variables",
        "reads_accelerations": "True or False",
        "reads_multipliers": "True or False",
        "reads_positions_only": "True or False",
        "reads": "numbers of variables",
        "sharpness": "a number",
    },
    "maximum": {
        "name": "a text",
        "unit": "a text",
        "integrand": "a function",
        "terminal": "a function",
        "data": "data",
        "instant": "a number",
        "points": "numbers of variables",
        "reads_accelerations": "True or False",
        "reads_multipliers": "True or False",
        "reads_positions_only": "True or False",
        "reads": "numbers of variables",
    },
    "ground_point": {"name": "a text", "x": "a number", "y": "a number"},
    "point": {"name": "a text", "x": "a number", "y": "a number"},
    "initial_velocity": {"point": "the number of a point", "vx": "a number", "vy": "a number"},
    "ground_point_3d": {"name": "a text", "x": "a number", "y": "a number", "z": "a number"},
    "point_3d": {"name": "a text", "x": "a number", "y": "a number", "z": "a number"},
    "initial_velocity_3d": {
        "point": "the number of a point",
        "vx": "a number",
        "vy": "a number",
        "vz": "a number",
    },
    "point_between": {
        "name": "a text",
        "from_": "the number of a point",
        "to": "the number of a point",
        "share": "a number",
    },
    "hold_coordinate": {"point": "the number of a point", "axis": one_of(AXIS)},
    "hold_distance": {
        "name": "a text",
        "from_": "the number of a point",
        "to": "the number of a point",
        "value": "a number",
        "rate": "a number",
    },
    "hold_angle": {
        "name": "a text",
        "from_": "the number of a point",
        "to": "the number of a point",
        "value": "a number",
        "rate": "a number",
    },
    "start_in_equilibrium": {},
    "beam": {
        "name": "a text",
        "from_": "the number of a point",
        "to": "the number of a point",
        "elements": "an integer",
        "section": "a section",
        "young": "a number",
        "density": "a number",
        "damping": "a number",
        "linear": "True or False",
        "velocity": "3 numbers",
        "omega": "3 numbers",
    },
    "beam_node": {"beam": "the number of a beam", "node": "an integer"},
    "beam_slope": {"beam": "the number of a beam", "node": "an integer"},
    "weld": {
        "name": "a text",
        "beam": "the number of a beam",
        "node": "an integer",
        "body": "the number of a body",
    },
    "weld_beams": {
        "name": "a text",
        "beam_a": "the number of a beam",
        "node_a": "an integer",
        "beam_b": "the number of a beam",
        "node_b": "an integer",
    },
    "clamp": {"name": "a text", "beam": "the number of a beam", "node": "an integer"},
    "rod": {
        "name": "a text",
        "from_": "the number of a point",
        "to": "the number of a point",
        "length": "a number",
        "mass": "a number",
        "com": "a number",
        "inertia": "a number",
    },
    "point_mass": {"name": "a text", "point": "the number of a point", "mass": "a number"},
    "gravity": {"gx": "a number", "gy": "a number"},
    "gravity_3d": {"gx": "a number", "gy": "a number", "gz": "a number"},
    "body": {
        "name": "a text",
        "centre": "3 numbers",
        "mass": "a number",
        "inertia": "6 numbers",
        "velocity": "3 numbers",
        "omega": "3 numbers",
    },
    "body_3d": {
        "name": "a text",
        "centre": "3 numbers",
        "mass": "a number",
        "inertia": "6 numbers",
        "velocity": "3 numbers",
        "omega": "3 numbers",
    },
    "body_centre": {"body": "the number of a body"},
    "body_axis": {"body": "the number of a body", "axis": one_of(AXIS)},
    "body_point": {"body": "the number of a body", "name": "a text", "x": "a number", "y": "a number"},
    "body_point_3d": {
        "body": "the number of a body",
        "name": "a text",
        "x": "a number",
        "y": "a number",
        "z": "a number",
    },
    "bushing": {
        "name": "a text",
        "body_a": "the number of a body",
        "body_b": "the number of a body",
        "position": "3 numbers",
        "stiffness": "3 numbers",
        "damping": "3 numbers",
        "torsion": "3 numbers",
        "torsion_damping": "3 numbers",
    },
    "pin": {"name": "a text", "a": "the number of a point", "b": "the number of a point"},
    "distance": {
        "name": "a text",
        "from_": "the number of a point",
        "to": "the number of a point",
        "law": "a number or a mapping of a law's terms",
    },
    "coordinate": {
        "name": "a text",
        "point": "the number of a point",
        "axis": one_of(AXIS),
        "law": "a number or a mapping of a law's terms",
    },
    "angle": {
        "name": "a text",
        "from_": "the number of a point",
        "to": "the number of a point",
        "law": "a number or a mapping of a law's terms",
    },
    "custom_constraint": {
        "name": "a text",
        "points": "numbers of variables",
        "fn": "a function",
        "data": "data",
    },
    "custom_rolling": {
        "name": "a text",
        "points": "numbers of variables",
        "fn": "a function",
        "data": "data",
    },
    "spring": {
        "name": "a text",
        "from_": "the number of a point",
        "to": "the number of a point",
        "k": "a number",
        "c": "a number",
        "free_length": "a number",
        "force": "a number",
        "signal": "the number of a signal",
    },
    "dashpot": {
        "name": "a text",
        "a": "the number of a point",
        "b": "the number of a point",
        "c": "a number",
    },
    "attraction": {
        "name": "a text",
        "from_": "the number of a point",
        "to": "the number of a point",
        "strength": "a number",
        "core": "a number",
    },
    "force": {
        "name": "a text",
        "point": "the number of a point",
        "fx": "a number",
        "fy": "a number",
        "signal": "the number of a signal",
        "fz": "a number",
    },
    "torque": {
        "name": "a text",
        "from_": "the number of a point",
        "to": "the number of a point",
        "torque": "a number",
        "c": "a number",
        "signal": "the number of a signal",
    },
    "custom_force": {
        "name": "a text",
        "points": "numbers of variables",
        "fn": "a function",
        "data": "data",
        "reads": "texts",
    },
    "track_position": {"name": "a text", "point": "the number of a point", "x": "a number", "y": "a number"},
    "track_velocity": {"name": "a text", "point": "the number of a point", "x": "a number", "y": "a number"},
    "track_acceleration": {
        "name": "a text",
        "point": "the number of a point",
        "x": "a number",
        "y": "a number",
    },
    "track_position_3d": {
        "name": "a text",
        "point": "the number of a point",
        "x": "a number",
        "y": "a number",
        "z": "a number",
    },
    "track_velocity_3d": {
        "name": "a text",
        "point": "the number of a point",
        "x": "a number",
        "y": "a number",
        "z": "a number",
    },
    "track_acceleration_3d": {
        "name": "a text",
        "point": "the number of a point",
        "x": "a number",
        "y": "a number",
        "z": "a number",
    },
    "end_position": {"name": "a text", "point": "the number of a point", "axis": one_of(AXIS)},
    "end_velocity": {"name": "a text", "point": "the number of a point", "axis": one_of(AXIS)},
    "rotation": {"name": "a text", "from_": "the number of a point", "to": "the number of a point"},
    "end_angular_velocity": {
        "name": "a text",
        "from_": "the number of a point",
        "to": "the number of a point",
    },
    "reaction": {"name": "a text", "constraint": "the number of a constraint"},
    "deflection": {"name": "a text", "beam": "the number of a beam", "instant": "a number"},
    "stress": {
        "name": "a text",
        "beam": "the number of a beam",
        "node": "an integer",
        "side": one_of(FIBRE),
        "instant": "a number",
    },
    "largest_stress": {
        "name": "a text",
        "beam": "the number of a beam",
        "allowed": "a number",
        "sharpness": "a number",
    },
    "beam_length": {"name": "a text", "beam": "the number of a beam"},
    "mass": {"name": "a text"},
    "end_energy": {"name": "a text"},
    "frame": {
        "name": "a text",
        "body": "the number of a body",
        "origin": "3 numbers",
        "axis": "3 numbers",
        "side": "3 numbers",
        "along": one_of(AXIS),
    },
    "bar_frame": {"name": "a text", "from_": "the number of a point", "to": "the number of a point"},
    "frame_point": {"frame": "the number of a frame"},
    "joint": {
        "name": "a text",
        "kind": one_of(JOINT_KIND),
        "a": "the number of a frame",
        "b": "the number of a frame",
        "pitch": "a number",
        "cut": "True or False",
    },
    "joint_at": {
        "name": "a text",
        "kind": one_of(JOINT_KIND),
        "body_a": "the number of a body",
        "body_b": "the number of a body",
        "position": "3 numbers",
        "axis": "3 numbers",
        "side": "3 numbers",
        "axis_b": "3 numbers",
        "pitch": "a number",
        "cut": "True or False",
    },
    "knife_edge": {
        "name": "a text",
        "frame": "the number of a frame",
        "axis": one_of(AXIS),
        "point": "the number of a point",
        "speed": "a number or a mapping of a law's terms",
    },
    "wheel": {
        "name": "a text",
        "wheel": "the number of a frame",
        "ground": "the number of a frame",
        "radius": "a number",
    },
    "joint_angle": {"joint": "the number of a joint"},
    "joint_slide": {"joint": "the number of a joint"},
    "joint_slide_along": {"joint": "the number of a joint", "axis": one_of(AXIS)},
    "frame_angle": {"name": "a text", "a": "the number of a frame", "b": "the number of a frame"},
    "frame_slide": {"name": "a text", "a": "the number of a frame", "b": "the number of a frame"},
    "drive_joint": {
        "name": "a text",
        "coordinate": "the number of a coordinate",
        "law": "a number or a mapping of a law's terms",
    },
    "hold_joint": {
        "name": "a text",
        "coordinate": "the number of a coordinate",
        "value": "a number",
        "rate": "a number",
    },
    "gear": {
        "name": "a text",
        "first": "the number of a coordinate",
        "second": "the number of a coordinate",
        "ratio": "a number",
    },
    "joint_spring": {
        "name": "a text",
        "coordinate": "the number of a coordinate",
        "k": "a number",
        "c": "a number",
        "free": "a number",
        "effort": "a number",
        "signal": "the number of a signal",
    },
    "joint_stop": {
        "name": "a text",
        "coordinate": "the number of a coordinate",
        "lower": "a number",
        "upper": "a number",
        "k": "a number",
        "c": "a number",
        "width": "a number",
    },
    "controller_state": {"name": "a text", "unit": "a text", "initial": "a number", "size": "a number"},
    "pid": {
        "name": "a text",
        "coordinate": "the number of a coordinate",
        "measured": "the number of a coordinate",
        "kp": "a number",
        "ki": "a number",
        "kd": "a number",
        "target": "a number",
        "signal": "the number of a signal",
        "filter_time": "a number",
        "limit": "a number",
        "initial": "a number",
        "initial_filter": "a number",
    },
    "feedback": {
        "name": "a text",
        "coordinate": "the number of a coordinate",
        "of": "numbers of variables",
        "gain": "numbers",
        "rate_gain": "numbers",
        "target": "numbers",
        "offset": "a number",
        "signal": "the number of a signal",
        "limit": "a number",
    },
    "state": {"name": "a text", "unit": "a text", "initial": "a number"},
    "algebraic": {"name": "a text", "unit": "a text", "guess": "a number"},
    "equations": {"residual": "a function", "data": "data", "atol": "real numbers", "size": "real numbers"},
    "draw_box": {"body": "the number of a body", "x": "a number", "y": "a number", "z": "a number"},
    "draw_cylinder": {
        "body": "the number of a body",
        "axis": one_of(AXIS),
        "radius": "a number",
        "length": "a number",
    },
    "draw_trace": {"point": "the number of a point"},
    "draw_colour": {"name": "a text", "rgb": "an integer"},
    "mode": {"name": "a text"},
    "in_mode": {"mode": "the number of a mode"},
    "in_modes": {"modes": "numbers of modes"},
    "capture_constraint": {"constraint": "the number of a constraint"},
    "bounce": {
        "name": "a text",
        "point": "the number of a point",
        "axis": one_of(AXIS),
        "level": "a number or a mapping of a law's terms",
        "below": "True or False",
        "gap": "a function or a mapping",
        "restitution": "a number",
        "kept": "components",
        "mode": "the number of a mode",
    },
    "when": {
        "name": "a text",
        "guard": "a function or a mapping",
        "direction": one_of(DIRECTION),
        "invariant": "True or False",
        "armed": "a function or a mapping",
        "map": "transfers",
        "mode": "the number of a mode",
    },
    "reset": {
        "name": "a text",
        "guard": "a function or a mapping",
        "direction": one_of(DIRECTION),
        "invariant": "True or False",
        "armed": "a function or a mapping",
        "set": "components",
        "reset": "a function or a mapping",
        "map": "transfers",
        "mode": "the number of a mode",
    },
    "end_at_event": {"event": "the number of an event", "which": "an integer"},
    "phase": {
        "name": "a text",
        "mode": "the number of a mode",
        "start": "a number",
        "duration": "a number",
        "next": "the number of a mode",
        "map": "transfers",
    },
    "event_time": {"name": "a text", "event": "the number of an event", "which": "an integer"},
    "event_impulse": {"name": "a text", "event": "the number of an event", "which": "an integer"},
    "before_event": {
        "name": "a text",
        "unit": "a text",
        "integrand": "a function",
        "terminal": "a function",
        "data": "data",
        "instant": "a number",
        "points": "numbers of variables",
        "reads_accelerations": "True or False",
        "reads_multipliers": "True or False",
        "reads_positions_only": "True or False",
        "reads": "numbers of variables",
        "event": "the number of an event",
        "which": "an integer",
    },
    "after_event": {
        "name": "a text",
        "unit": "a text",
        "integrand": "a function",
        "terminal": "a function",
        "data": "data",
        "instant": "a number",
        "points": "numbers of variables",
        "reads_accelerations": "True or False",
        "reads_multipliers": "True or False",
        "reads_positions_only": "True or False",
        "reads": "numbers of variables",
        "event": "the number of an event",
        "which": "an integer",
    },
    "joint_friction": {
        "name": "a text",
        "joint": "the number of a joint",
        "law": one_of(FRICTION_LAW),
        "still": "a number",
        "kinetic": "a number",
        "transition": "a number",
        "viscous": "a number",
        "smoothing": "a number",
        "pressure": "a number",
        "radius": "a number",
        "thrust_radius": "a number",
        "length": "a number",
        "offset": "a number",
        "width": "a number",
        "stiffness": "a number",
        "damping": "a number",
        "dwell": "a number",
    },
    "limit": {
        "name": "a text",
        "unit": "a text",
        "integrand": "a function",
        "terminal": "a function",
        "data": "data",
        "instant": "a number",
        "points": "numbers of variables",
        "reads_accelerations": "True or False",
        "reads_multipliers": "True or False",
        "reads_positions_only": "True or False",
        "reads": "numbers of variables",
        "lower": "a number",
        "upper": "a number",
        "tolerance": "a number",
    },
    "limit_measure": {
        "name": "a text",
        "measure": "the number of a measure",
        "lower": "a number",
        "upper": "a number",
        "tolerance": "a number",
    },
    "limit_signal": {
        "name": "a text",
        "signal": "the number of a signal",
        "lower": "a number",
        "upper": "a number",
        "tolerance": "a number",
    },
    "measure_joint": {"name": "a text", "coordinate": "the number of a coordinate", "order": "an integer"},
    "measure_point": {
        "name": "a text",
        "point": "the number of a point",
        "order": "an integer",
        "axis": one_of(AXIS),
    },
    "measure_rotation_rate": {"name": "a text", "body": "the number of a body", "axis": one_of(AXIS)},
    "measure_joint_force": {"name": "a text", "joint": "the number of a joint", "axis": one_of(AXIS)},
    "measure_joint_torque": {"name": "a text", "joint": "the number of a joint", "axis": one_of(AXIS)},
    "measure_effort": {"name": "a text", "force": "a text"},
    "measure_power": {"name": "a text", "force": "a text"},
    "measure_state": {"name": "a text", "state": "the number of a state", "order": "an integer"},
    "measure_multiplier": {"name": "a text", "constraint": "the number of a constraint"},
    "measure_drive": {"name": "a text", "constraint": "the number of a constraint"},
    "measure_magnitude": {"name": "a text", "measures": "numbers of measures", "smoothing": "a number"},
    "measure_formula": {
        "name": "a text",
        "unit": "a text",
        "formula": "a function",
        "of": "numbers of measures",
        "data": "data",
        "points": "numbers of variables",
        "reads_accelerations": "True or False",
    },
    "track_measure": {"name": "a text", "measure": "the number of a measure", "target": "a number"},
    "integral_of_measure": {"name": "a text", "measure": "the number of a measure"},
    "mean_square_of_measure": {"name": "a text", "measure": "the number of a measure"},
    "measure_at": {"name": "a text", "measure": "the number of a measure", "instant": "a number"},
    "largest_measure": {
        "name": "a text",
        "measure": "the number of a measure",
        "allowed": "a number",
        "sharpness": "a number",
    },
    "peak_measure": {
        "name": "a text",
        "measure": "the number of a measure",
        "allowed": "a number",
        "sharpness": "a number",
    },
    "maximum_of_measure": {"name": "a text", "measure": "the number of a measure", "allowed": "a number"},
    "maximum_of_magnitude": {"name": "a text", "measure": "the number of a measure", "allowed": "a number"},
    "tyre": {
        "name": "a text",
        "wheel": "the number of a frame",
        "ground": "the number of a frame",
        "radius": "a number",
        "stiffness": "a number",
        "damping": "a number",
        "rebound": "a number",
        "critical": "2 numbers",
        "friction": "2 numbers",
        "relaxation": "2 numbers",
        "smoothing": "a number",
        "slow": "a number",
    },
}


class Declarations(Handing):
    """Everything that build() can declare."""

    kinds = KINDS

    def given_custom_functional_spec(self, value: Any) -> Any:
        """A custom_functional_spec by its terms, or by its terminal alone."""
        s = self.new(CUSTOM_FUNCTIONAL_SPEC)
        given: dict[str, Any] = {"name": "", "unit": ""}
        given.update(value if isinstance(value, Mapping) else {"terminal": value})
        _custom_functional_spec(self, s, **given)
        return self.kept(s)

    def given_law(self, value: Any) -> Any:
        """A law by its terms, or by its value alone."""
        s = self.new(LAW)
        given: dict[str, Any] = {}
        given.update(value if isinstance(value, Mapping) else {"value": value})
        _law(self, s, **given)
        return self.kept(s)

    def given_custom_constraint_spec(self, value: Any) -> Any:
        """A custom_constraint_spec by its terms, or by its fn alone."""
        s = self.new(CUSTOM_CONSTRAINT_SPEC)
        given: dict[str, Any] = {"name": ""}
        given.update(value if isinstance(value, Mapping) else {"fn": value})
        _custom_constraint_spec(self, s, **given)
        return self.kept(s)

    def minimise(self, functional: FunctionalId) -> None:
        """Adds it to the objective."""
        try:
            self.lib.gradyn_minimise(self.c, self.number_of(functional, FunctionalId))
        except WRONG as error:
            raise self.misdeclared("minimise", locals(), error) from None

    def minimise_weighted(self, functional: FunctionalId, weight: float) -> None:
        """Adds weight times it to the objective."""
        try:
            self.lib.gradyn_minimise_weighted(self.c, self.number_of(functional, FunctionalId), weight)
        except WRONG as error:
            raise self.misdeclared("minimise_weighted", locals(), error) from None

    def maximise(self, functional: FunctionalId) -> None:
        """The same for what is to become large: the objective, which is minimised, has minus it, or
        -weight times it.
        """
        try:
            self.lib.gradyn_maximise(self.c, self.number_of(functional, FunctionalId))
        except WRONG as error:
            raise self.misdeclared("maximise", locals(), error) from None

    def maximise_weighted(self, functional: FunctionalId, weight: float) -> None:
        """The same for what is to become large: the objective, which is minimised, has minus it, or
        -weight times it.
        """
        try:
            self.lib.gradyn_maximise_weighted(self.c, self.number_of(functional, FunctionalId), weight)
        except WRONG as error:
            raise self.misdeclared("maximise_weighted", locals(), error) from None

    def minimise_largest(self, functional: FunctionalId) -> None:
        """The objective is the largest of all functionals named so (minimax)."""
        try:
            self.lib.gradyn_minimise_largest(self.c, self.number_of(functional, FunctionalId))
        except WRONG as error:
            raise self.misdeclared("minimise_largest", locals(), error) from None

    def require_equal(self, functional: FunctionalId, value: float, tolerance: float) -> None:
        """Constraints; tolerance and value in the functional's unit."""
        try:
            self.lib.gradyn_require_equal(self.c, self.number_of(functional, FunctionalId), value, tolerance)
        except WRONG as error:
            raise self.misdeclared("require_equal", locals(), error) from None

    def require_at_most(self, functional: FunctionalId, value: float, tolerance: float) -> None:
        """Constraints; tolerance and value in the functional's unit."""
        try:
            self.lib.gradyn_require_at_most(
                self.c,
                self.number_of(functional, FunctionalId),
                value,
                tolerance,
            )
        except WRONG as error:
            raise self.misdeclared("require_at_most", locals(), error) from None

    def require_at_least(self, functional: FunctionalId, value: float, tolerance: float) -> None:
        """Constraints; tolerance and value in the functional's unit."""
        try:
            self.lib.gradyn_require_at_least(
                self.c,
                self.number_of(functional, FunctionalId),
                value,
                tolerance,
            )
        except WRONG as error:
            raise self.misdeclared("require_at_least", locals(), error) from None

    def end_time(self, t_end: Number) -> None:
        """Makes the end time a number of build(), for example rho[T] in a time-optimal problem; s. Without
        it the problem's t_end holds. Signals declared without an end of their own follow it.
        """
        try:
            self.lib.gradyn_end_time(self.c, t_end)
        except WRONG as error:
            raise self.misdeclared("end_time", locals(), error) from None

    def guess(self, state: str, values: Sequence[float]) -> None:
        """A guess of a state over time, for searches in segments (gradyn_search.segments): values [count],
        in its unit, at instants of equal distances behind the start, the last one at the end, with
        straight lines in between; a single one tells where the state is to end. A state has the name of
        its column in trajectories. Where a simulation fails, or has left the guess by ten times its
        size, the rest of the motion begins on the straight line to the next of the values; elsewhere it
        begins as simulated. States without a guess stay as they are there, rates of positions follow
        from those. Those of the first build() count; what does not exist, or is not finite, is a build
        error.
        """
        try:
            self.lib.gradyn_guess(self.c, self.text(state), self.doubles(values), len(values))
        except WRONG as error:
            raise self.misdeclared("guess", locals(), error) from None

    def signal(
        self,
        name: str,
        unit: str,
        kind: SignalKind,
        *,
        knots: Union[Numbers, None] = None,
        t_start: Number = 0,
        t_end: Number = 0,
        times: Union[Numbers, None] = None,
    ) -> SignalId:
        """Declares a signal and returns its number. Before its start and after its end a signal keeps its
        first and last value.

        name: its data are called name.knot[0], ..., and name.time[0], ... if it has times
        knots: copied
        t_start: time of the first knot, s
        t_end: time of the last knot, s; 0: the end time of the run
        times: s, increasing, copied: when knots are, of a piecewise constant signal when each value
            begins (the first one holds before its time, too); None: at equal distances from t_start to
            t_end, which go without if there are times. They are data, and may be parameters: rho[T] / 3
            moves with an end time rho[T]
        """
        try:
            s = self.new(SIGNAL_SPEC)
            _signal_spec(self, s, name, unit, kind, knots=knots, t_start=t_start, t_end=t_end, times=times)
            number = self.lib.gradyn_signal(self.c, s)
            return SignalId(number, self.token)
        except WRONG as error:
            raise self.misdeclared("signal", locals(), error) from None

    def switched_signal(
        self,
        name: str,
        unit: str,
        *,
        levels: Union[Numbers, None] = None,
        times: Union[Numbers, None] = None,
    ) -> SignalId:
        """A signal that jumps from level to level at times of your own, which may be parameters. Levels
        follow each other in the order of time, whatever that of the times is. Declares such a signal
        and returns its number, as signal() does.

        name: its data are called name.time[0], ... and name.knot[0], ...
        levels: copied
        times: s, copied
        """
        try:
            s = self.new(SWITCHED_SIGNAL_SPEC)
            _switched_signal_spec(self, s, name, unit, levels=levels, times=times)
            number = self.lib.gradyn_switched_signal(self.c, s)
            return SignalId(number, self.token)
        except WRONG as error:
            raise self.misdeclared("switched_signal", locals(), error) from None

    def custom_functional(
        self,
        name: str,
        unit: str,
        *,
        integrand: Union[Function, None] = None,
        terminal: Union[Function, None] = None,
        data: Union[Data, None] = None,
        instant: float = 0,
        points: Union[Sequence[VariableId], None] = None,
        reads_accelerations: bool = False,
        reads_multipliers: bool = False,
        reads_positions_only: bool = False,
        reads: Union[Sequence[VariableId], None] = None,
    ) -> FunctionalId:
        """A functional written by the user, differentiated by complex step.

        integrand: g(t, state, data); None if there is none
        terminal: w(t, state, data) at the end time; None if there is none
        data: its own numbers; may be None
        instant: time at which `terminal` is taken, s; 0: the end. At an event or where something jumps
            the motion before counts. Steps of a fixed length must end there, if no signal jumps and there
            are no events; build() must not set the end time then
        points: each once; copied
        reads_accelerations: Of those also accelerations, and all multipliers; without, at.acc and at.lam
            are NAN.
        reads_multipliers: Of those also accelerations, and all multipliers; without, at.acc and at.lam
            are NAN.
        reads_positions_only: at.vel is NAN too, which spares some methods work
        reads: copied
        """
        try:
            s = self.new(CUSTOM_FUNCTIONAL_SPEC)
            _custom_functional_spec(
                self,
                s,
                name,
                unit,
                integrand=integrand,
                terminal=terminal,
                data=data,
                instant=instant,
                points=points,
                reads_accelerations=reads_accelerations,
                reads_multipliers=reads_multipliers,
                reads_positions_only=reads_positions_only,
                reads=reads,
            )
            number = self.lib.gradyn_custom_functional(self.c, s)
            return FunctionalId(number, self.token)
        except WRONG as error:
            raise self.misdeclared("custom_functional", locals(), error) from None

    def number(self, name: str, unit: str, value: Number) -> FunctionalId:
        """A number, in the unit given, that build() computes from the parameters, such as a length that is
        to stay below a limit. The search knows it and its derivatives without a simulation, and
        simulates no design that violates a bound of it by far.
        """
        try:
            number = self.lib.gradyn_number(self.c, self.text(name), self.text(unit), value)
            return FunctionalId(number, self.token)
        except WRONG as error:
            raise self.misdeclared("number", locals(), error) from None

    def effort(self, name: str, signal: SignalId) -> FunctionalId:
        """Control effort: integral of the squared signal."""
        try:
            number = self.lib.gradyn_effort(self.c, self.text(name), self.number_of(signal, SignalId))
            return FunctionalId(number, self.token)
        except WRONG as error:
            raise self.misdeclared("effort", locals(), error) from None

    def final_time(self, name: str) -> FunctionalId:
        """The end time itself, s."""
        try:
            number = self.lib.gradyn_final_time(self.c, self.text(name))
            return FunctionalId(number, self.token)
        except WRONG as error:
            raise self.misdeclared("final_time", locals(), error) from None

    def smooth_maximum(
        self,
        name: str,
        unit: str,
        sharpness: float,
        *,
        integrand: Union[Function, None] = None,
        terminal: Union[Function, None] = None,
        data: Union[Data, None] = None,
        instant: float = 0,
        points: Union[Sequence[VariableId], None] = None,
        reads_accelerations: bool = False,
        reads_multipliers: bool = False,
        reads_positions_only: bool = False,
        reads: Union[Sequence[VariableId], None] = None,
    ) -> FunctionalId:
        """Kreisselmeier-Steinhauser maximum over time of a user's g(t, state, data): a smooth measure
        (1/sharpness) ln( (1/T) integral of exp(sharpness g) dt ), from below max g. It is evaluated
        relative to g at the start, from which g may grow by at most 700/sharpness.

        integrand: g(t, state, data); None if there is none
        terminal: w(t, state, data) at the end time; None if there is none
        data: its own numbers; may be None
        instant: time at which `terminal` is taken, s; 0: the end. At an event or where something jumps
            the motion before counts. Steps of a fixed length must end there, if no signal jumps and there
            are no events; build() must not set the end time then
        points: each once; copied
        reads_accelerations: Of those also accelerations, and all multipliers; without, at.acc and at.lam
            are NAN.
        reads_multipliers: Of those also accelerations, and all multipliers; without, at.acc and at.lam
            are NAN.
        reads_positions_only: at.vel is NAN too, which spares some methods work
        reads: copied
        """
        try:
            s = self.new(CUSTOM_FUNCTIONAL_SPEC)
            _custom_functional_spec(
                self,
                s,
                name,
                unit,
                integrand=integrand,
                terminal=terminal,
                data=data,
                instant=instant,
                points=points,
                reads_accelerations=reads_accelerations,
                reads_multipliers=reads_multipliers,
                reads_positions_only=reads_positions_only,
                reads=reads,
            )
            number = self.lib.gradyn_smooth_maximum(self.c, s, sharpness)
            return FunctionalId(number, self.token)
        except WRONG as error:
            raise self.misdeclared("smooth_maximum", locals(), error) from None

    def maximum(
        self,
        name: str,
        unit: str,
        *,
        integrand: Union[Function, None] = None,
        terminal: Union[Function, None] = None,
        data: Union[Data, None] = None,
        instant: float = 0,
        points: Union[Sequence[VariableId], None] = None,
        reads_accelerations: bool = False,
        reads_multipliers: bool = False,
        reads_positions_only: bool = False,
        reads: Union[Sequence[VariableId], None] = None,
    ) -> FunctionalId:
        """The largest value over time of a user's g(t, state, data), given as .integrand: exact, between
        steps too, with the derivative at the instant where it is. At an end of the run, at an event or
        at a signal's knot the larger side counts, and its time moves as the event or the knot does.
        Where two places are as high (extremes() tells) it is that of one of them.

        integrand: g(t, state, data); None if there is none
        terminal: w(t, state, data) at the end time; None if there is none
        data: its own numbers; may be None
        instant: time at which `terminal` is taken, s; 0: the end. At an event or where something jumps
            the motion before counts. Steps of a fixed length must end there, if no signal jumps and there
            are no events; build() must not set the end time then
        points: each once; copied
        reads_accelerations: Of those also accelerations, and all multipliers; without, at.acc and at.lam
            are NAN.
        reads_multipliers: Of those also accelerations, and all multipliers; without, at.acc and at.lam
            are NAN.
        reads_positions_only: at.vel is NAN too, which spares some methods work
        reads: copied
        """
        try:
            s = self.new(CUSTOM_FUNCTIONAL_SPEC)
            _custom_functional_spec(
                self,
                s,
                name,
                unit,
                integrand=integrand,
                terminal=terminal,
                data=data,
                instant=instant,
                points=points,
                reads_accelerations=reads_accelerations,
                reads_multipliers=reads_multipliers,
                reads_positions_only=reads_positions_only,
                reads=reads,
            )
            number = self.lib.gradyn_maximum(self.c, s)
            return FunctionalId(number, self.token)
        except WRONG as error:
            raise self.misdeclared("maximum", locals(), error) from None

    def ground_point(self, name: str, x: Number, y: Number) -> PointId:
        """A point fixed to the ground at (x, y), m. Returns its number. Data: name.x, name.y."""
        try:
            number = self.lib.gradyn_ground_point(self.c, self.text(name), x, y)
            return PointId(number, self.token)
        except WRONG as error:
            raise self.misdeclared("ground_point", locals(), error) from None

    def point(self, name: str, x: Number, y: Number) -> PointId:
        """A moving point with an approximate initial position, m; at rest. Data: name.x, name.y, name.vx,
        name.vy. The initial position is the one nearest to all these that satisfies the constraints and
        everything that is held.
        """
        try:
            number = self.lib.gradyn_point(self.c, self.text(name), x, y)
            return PointId(number, self.token)
        except WRONG as error:
            raise self.misdeclared("point", locals(), error) from None

    def initial_velocity(self, point: PointId, vx: Number, vy: Number) -> None:
        """Gives a moving point an approximate initial velocity, m/s."""
        try:
            self.lib.gradyn_initial_velocity(self.c, self.number_of(point, PointId), vx, vy)
        except WRONG as error:
            raise self.misdeclared("initial_velocity", locals(), error) from None

    def ground_point_3d(self, name: str, x: Number, y: Number, z: Number) -> PointId:
        """The same in space: positions in m, velocities in m/s."""
        try:
            number = self.lib.gradyn_ground_point_3d(self.c, self.text(name), x, y, z)
            return PointId(number, self.token)
        except WRONG as error:
            raise self.misdeclared("ground_point_3d", locals(), error) from None

    def point_3d(self, name: str, x: Number, y: Number, z: Number) -> PointId:
        """The same in space: positions in m, velocities in m/s."""
        try:
            number = self.lib.gradyn_point_3d(self.c, self.text(name), x, y, z)
            return PointId(number, self.token)
        except WRONG as error:
            raise self.misdeclared("point_3d", locals(), error) from None

    def initial_velocity_3d(self, point: PointId, vx: Number, vy: Number, vz: Number) -> None:
        """The same in space: positions in m, velocities in m/s."""
        try:
            self.lib.gradyn_initial_velocity_3d(self.c, self.number_of(point, PointId), vx, vy, vz)
        except WRONG as error:
            raise self.misdeclared("initial_velocity_3d", locals(), error) from None

    def point_between(self, name: str, from_: PointId, to: PointId, share: Number) -> PointId:
        """A point on the line through two points, at from + share (to - from), for example along a rod.
        Neither may itself be attached. Data: name.share.
        """
        try:
            number = self.lib.gradyn_point_between(
                self.c,
                self.text(name),
                self.number_of(from_, PointId),
                self.number_of(to, PointId),
                share,
            )
            return PointId(number, self.token)
        except WRONG as error:
            raise self.misdeclared("point_between", locals(), error) from None

    def hold_coordinate(self, point: PointId, axis: Axis) -> None:
        """Holds a coordinate of a point, with its initial velocity, at the values given with the point."""
        try:
            self.lib.gradyn_hold_coordinate(self.c, self.number_of(point, PointId), AXIS[axis])
        except WRONG as error:
            raise self.misdeclared("hold_coordinate", locals(), error) from None

    def hold_distance(self, name: str, from_: PointId, to: PointId, value: Number, rate: Number) -> None:
        """Holds the distance of two points (m) and its rate (m/s). Data: name.value, name.rate."""
        try:
            self.lib.gradyn_hold_distance(
                self.c,
                self.text(name),
                self.number_of(from_, PointId),
                self.number_of(to, PointId),
                value,
                rate,
            )
        except WRONG as error:
            raise self.misdeclared("hold_distance", locals(), error) from None

    def hold_angle(self, name: str, from_: PointId, to: PointId, value: Number, rate: Number) -> None:
        """Holds the direction from one point to another (rad) and its rate (rad/s)."""
        try:
            self.lib.gradyn_hold_angle(
                self.c,
                self.text(name),
                self.number_of(from_, PointId),
                self.number_of(to, PointId),
                value,
                rate,
            )
        except WRONG as error:
            raise self.misdeclared("hold_angle", locals(), error) from None

    def start_in_equilibrium(self) -> None:
        """The mechanism starts in static equilibrium: the initial position is not the one nearest to the
        points as given but an equilibrium, stable unless they are one already, to which it falls from
        there under the forces, signals and laws of motion at the initial time. It starts at rest (laws
        that move at once leave no choice); what is held, and initial velocities, do not count.
        """
        try:
            self.lib.gradyn_start_in_equilibrium(self.c)
        except WRONG as error:
            raise self.misdeclared("start_in_equilibrium", locals(), error) from None

    def beam(
        self,
        name: str,
        from_: PointId,
        to: PointId,
        elements: int,
        *,
        section: Union[Section, None] = None,
        young: Number = 0,
        density: Number = 0,
        damping: Number = 0,
        linear: bool = False,
        velocity: Numbers = (),
        omega: Numbers = (),
    ) -> BeamId:
        """A straight flexible beam between two points (of any kind: sharing a point is a pin), divided
        into elements of the absolute nodal coordinate formulation without shear; Ebrahimi et al.
        (2018), section 5.1. Data: name.length, young, area, second_moment, damping, density, reach; of
        its nodes name.1.x, ... and of its slopes name.slope0.x, ... Returns the number of the beam.

        elements: >= 1
        section: see <gradyn/section.h>
        young: Pa
        density: kg/m^3
        damping: structural (Kelvin-Voigt): viscosity over modulus, s
        linear: the simple force for small strains, eq. (34), which conserves no energy, instead of the
            one of the full strain and curvature, eq. (32)
        velocity: initial, of the line through `from`, m/s: inner nodes move like a
        omega: rigid body with velocity at `from` and this rate of turn, rad/s; the two points have
            initial velocities of their own
        """
        try:
            s = self.new(BEAM_SPEC)
            _beam_spec(
                self,
                s,
                name,
                from_,
                to,
                elements,
                section=section,
                young=young,
                density=density,
                damping=damping,
                linear=linear,
                velocity=velocity,
                omega=omega,
            )
            number = self.lib.gradyn_beam(self.c, s)
            return BeamId(number, self.token)
        except WRONG as error:
            raise self.misdeclared("beam", locals(), error) from None

    def beam_node(self, beam: BeamId, node: int) -> PointId:
        """The point that is a node, and the direction that is its slope dr/dx; nodes 0 to elements."""
        try:
            number = self.lib.gradyn_beam_node(self.c, self.number_of(beam, BeamId), node)
            return PointId(number, self.token)
        except WRONG as error:
            raise self.misdeclared("beam_node", locals(), error) from None

    def beam_slope(self, beam: BeamId, node: int) -> SlopeId:
        """The point that is a node, and the direction that is its slope dr/dx; nodes 0 to elements."""
        try:
            number = self.lib.gradyn_beam_slope(self.c, self.number_of(beam, BeamId), node)
            return SlopeId(number, self.token)
        except WRONG as error:
            raise self.misdeclared("beam_slope", locals(), error) from None

    def weld(self, name: str, beam: BeamId, node: int, body: BodyId) -> None:
        """Weld: a node of a beam keeps its place in a body, and its slope its direction there, normal to
        n1 and n2 (in the plane n1). Twist is not transmitted: the beams have none. Ebrahimi et al.
        (2018), eq. (42), hold the length of the slope as well, hence no axial strain where the beam is
        held; here the beam stretches freely. Constraints: name.n1, name.n2, whose multipliers are the
        bending moment, N m; data: name.n1.local_x, ...
        """
        try:
            self.lib.gradyn_weld(
                self.c,
                self.text(name),
                self.number_of(beam, BeamId),
                node,
                self.number_of(body, BodyId),
            )
        except WRONG as error:
            raise self.misdeclared("weld", locals(), error) from None

    def weld_beams(self, name: str, beam_a: BeamId, node_a: int, beam_b: BeamId, node_b: int) -> None:
        """Weld of two beams: the nodes coincide, the slopes keep their angle (constraint name.slope, datum
        name.cosine), or, if they are in line, stay equal or opposite, with one axial strain.
        """
        try:
            self.lib.gradyn_weld_beams(
                self.c,
                self.text(name),
                self.number_of(beam_a, BeamId),
                node_a,
                self.number_of(beam_b, BeamId),
                node_b,
            )
        except WRONG as error:
            raise self.misdeclared("weld_beams", locals(), error) from None

    def clamp(self, name: str, beam: BeamId, node: int) -> None:
        """A node of a beam keeps its initial place and direction, as if welded to the ground. Data:
        name.n1.x, ...
        """
        try:
            self.lib.gradyn_clamp(self.c, self.text(name), self.number_of(beam, BeamId), node)
        except WRONG as error:
            raise self.misdeclared("clamp", locals(), error) from None

    def rod(
        self,
        name: str,
        from_: PointId,
        to: PointId,
        *,
        length: Number = 0,
        mass: Number = 0,
        com: Union[Number, None] = None,
        inertia: Union[Number, None] = None,
    ) -> ConstraintId:
        """A rigid bar between two points. Uniform unless own_inertia is set. Data: name.length, name.mass,
        name.com, name.inertia (four independent numbers). Returns the number of the rod's constraint,
        (|r|^2/L - L)/2 = 0, whose multiplier is the axial force, N, positive in tension.

        length: m, > 0; 0: the initial distance of its points
        mass: kg, >= 0
        com: distance of the centre of mass from `from` along the bar, m
        inertia: about the centre of mass, kg m^2, >= 0
        """
        try:
            s = self.new(ROD_SPEC)
            _rod_spec(self, s, name, from_, to, length=length, mass=mass, com=com, inertia=inertia)
            number = self.lib.gradyn_rod(self.c, s)
            return ConstraintId(number, self.token)
        except WRONG as error:
            raise self.misdeclared("rod", locals(), error) from None

    def point_mass(self, name: str, point: PointId, mass: Number) -> None:
        """A mass at a point, kg. Data: name.mass."""
        try:
            self.lib.gradyn_point_mass(self.c, self.text(name), self.number_of(point, PointId), mass)
        except WRONG as error:
            raise self.misdeclared("point_mass", locals(), error) from None

    def gravity(self, gx: Number, gy: Number) -> None:
        """Uniform gravity, m/s^2. Data: gravity.x, gravity.y. Once per model."""
        try:
            self.lib.gradyn_gravity(self.c, gx, gy)
        except WRONG as error:
            raise self.misdeclared("gravity", locals(), error) from None

    def gravity_3d(self, gx: Number, gy: Number, gz: Number) -> None:
        """Uniform gravity, m/s^2. Data: gravity.x, gravity.y. Once per model."""
        try:
            self.lib.gradyn_gravity_3d(self.c, gx, gy, gz)
        except WRONG as error:
            raise self.misdeclared("gravity_3d", locals(), error) from None

    def body(
        self,
        name: str,
        *,
        centre: Numbers = (),
        mass: Number = 0,
        inertia: Numbers = (),
        velocity: Numbers = (),
        omega: Numbers = (),
    ) -> BodyId:
        """A rigid body: centre of mass and base vectors, which are parallel to the axes at the initial
        time. Data: name.mass, name.inertia (plane) or name.inertia_xx, ... (space); name.x, ... and
        name.vx, ... of the centre; name.e1.x, ... of the base vectors. Return the number of the body.
        What resists no rotation about some axis is no body: a slender bar is a rod (its points can
        carry others: gradyn_point_between), a particle a point with a point mass.

        centre: initial position of the centre of mass, m
        mass: kg, > 0
        inertia: tensor about the centre at the initial time: xx, yy, zz, xy, xz, yz, kg m^2; positive
            definite. In the plane zz only.
        velocity: initial, of the centre, m/s
        omega: initial, rad/s; in the plane omega[2] only
        """
        try:
            s = self.new(BODY_SPEC)
            _body_spec(
                self,
                s,
                name,
                centre=centre,
                mass=mass,
                inertia=inertia,
                velocity=velocity,
                omega=omega,
            )
            number = self.lib.gradyn_body(self.c, s)
            return BodyId(number, self.token)
        except WRONG as error:
            raise self.misdeclared("body", locals(), error) from None

    def body_3d(
        self,
        name: str,
        *,
        centre: Numbers = (),
        mass: Number = 0,
        inertia: Numbers = (),
        velocity: Numbers = (),
        omega: Numbers = (),
    ) -> BodyId:
        """A rigid body: centre of mass and base vectors, which are parallel to the axes at the initial
        time. Data: name.mass, name.inertia (plane) or name.inertia_xx, ... (space); name.x, ... and
        name.vx, ... of the centre; name.e1.x, ... of the base vectors. Return the number of the body.
        What resists no rotation about some axis is no body: a slender bar is a rod (its points can
        carry others: gradyn_point_between), a particle a point with a point mass.

        centre: initial position of the centre of mass, m
        mass: kg, > 0
        inertia: tensor about the centre at the initial time: xx, yy, zz, xy, xz, yz, kg m^2; positive
            definite. In the plane zz only.
        velocity: initial, of the centre, m/s
        omega: initial, rad/s; in the plane omega[2] only
        """
        try:
            s = self.new(BODY_SPEC)
            _body_spec(
                self,
                s,
                name,
                centre=centre,
                mass=mass,
                inertia=inertia,
                velocity=velocity,
                omega=omega,
            )
            number = self.lib.gradyn_body_3d(self.c, s)
            return BodyId(number, self.token)
        except WRONG as error:
            raise self.misdeclared("body_3d", locals(), error) from None

    def body_centre(self, body: BodyId) -> PointId:
        """The point that is its centre of mass."""
        try:
            number = self.lib.gradyn_body_centre(self.c, self.number_of(body, BodyId))
            return PointId(number, self.token)
        except WRONG as error:
            raise self.misdeclared("body_centre", locals(), error) from None

    def body_axis(self, body: BodyId, axis: Axis) -> VariableId:
        """A base vector of a body, which starts along `axis` of the ground and turns with the body, in
        [1]. What users' functions list like a point: at.pos, at.vel and at.acc have it and its rates.
        """
        try:
            number = self.lib.gradyn_body_axis(self.c, self.number_of(body, BodyId), AXIS[axis])
            return VariableId(number, self.token)
        except WRONG as error:
            raise self.misdeclared("body_axis", locals(), error) from None

    def body_point(self, body: BodyId, name: str, x: Number, y: Number) -> PointId:
        """A point fixed to a body, given by its position at the initial time, m; it can be used like any
        other point, without a joint. Data: name.local_x, ...
        """
        try:
            number = self.lib.gradyn_body_point(self.c, self.number_of(body, BodyId), self.text(name), x, y)
            return PointId(number, self.token)
        except WRONG as error:
            raise self.misdeclared("body_point", locals(), error) from None

    def body_point_3d(self, body: BodyId, name: str, x: Number, y: Number, z: Number) -> PointId:
        """A point fixed to a body, given by its position at the initial time, m; it can be used like any
        other point, without a joint. Data: name.local_x, ...
        """
        try:
            number = self.lib.gradyn_body_point_3d(
                self.c,
                self.number_of(body, BodyId),
                self.text(name),
                x,
                y,
                z,
            )
            return PointId(number, self.token)
        except WRONG as error:
            raise self.misdeclared("body_point_3d", locals(), error) from None

    def bushing(
        self,
        name: str,
        body_a: BodyId,
        body_b: BodyId,
        *,
        position: Numbers = (),
        stiffness: Numbers = (),
        damping: Numbers = (),
        torsion: Numbers = (),
        torsion_damping: Numbers = (),
    ) -> None:
        """A bushing at a place of two bodies, given by its position at the initial time, where it is at
        rest. Its axes x, y, z are fixed to body a and are those of the ground at the initial time. With
        the displacement d of b's place from a's along these axes, and the rotation of b relative to a
        about them, theta (sines of angles; b's base vectors are those of a at the initial time), force
        on b = -(stiffness d + damping d') along each axis, torque on b = -(torsion theta +
        torsion_damping theta') about each axis, and the opposite on a, in the form that loses no energy
        to anything but damping. In the plane x and y of displacements, z of rotations. Adds a bushing;
        the spec is copied. Data: name.stiffness_x, .., name.damping_x, .., name.torsion_x, ..,
        name.torsion_damping_x, .. of the axes it has, and name.a.local_x, .., name.b.local_x, .. of its
        places in the bodies.

        position: at the initial time, m
        stiffness: N/m, >= 0
        damping: N s/m, >= 0
        torsion: N m/rad, >= 0
        torsion_damping: N m s/rad, >= 0
        """
        try:
            s = self.new(BUSHING_SPEC)
            _bushing_spec(
                self,
                s,
                name,
                body_a,
                body_b,
                position=position,
                stiffness=stiffness,
                damping=damping,
                torsion=torsion,
                torsion_damping=torsion_damping,
            )
            self.lib.gradyn_bushing(self.c, s)
        except WRONG as error:
            raise self.misdeclared("bushing", locals(), error) from None

    def pin(self, name: str, a: PointId, b: PointId) -> ConstraintId:
        """Pin (spherical joint): two points coincide. Returns the number of the constraint along x; those
        along y and z follow. Their multipliers are the force that b exerts on a, N.
        """
        try:
            number = self.lib.gradyn_pin(
                self.c,
                self.text(name),
                self.number_of(a, PointId),
                self.number_of(b, PointId),
            )
            return ConstraintId(number, self.token)
        except WRONG as error:
            raise self.misdeclared("pin", locals(), error) from None

    def distance(self, name: str, from_: PointId, to: PointId, law: Law) -> ConstraintId:
        """|r_to - r_from| = law(t), law > 0, m."""
        try:
            number = self.lib.gradyn_distance(
                self.c,
                self.text(name),
                self.number_of(from_, PointId),
                self.number_of(to, PointId),
                self.given_law(law),
            )
            return ConstraintId(number, self.token)
        except WRONG as error:
            raise self.misdeclared("distance", locals(), error) from None

    def coordinate(self, name: str, point: PointId, axis: Axis, law: Law) -> ConstraintId:
        """One coordinate of a point = law(t), m."""
        try:
            number = self.lib.gradyn_coordinate(
                self.c,
                self.text(name),
                self.number_of(point, PointId),
                AXIS[axis],
                self.given_law(law),
            )
            return ConstraintId(number, self.token)
        except WRONG as error:
            raise self.misdeclared("coordinate", locals(), error) from None

    def angle(self, name: str, from_: PointId, to: PointId, law: Law) -> ConstraintId:
        """Direction from one point to another, counter-clockwise from the x axis = law(t), rad. The
        multiplier is minus the force of the drive on `to`, N, to the left across the line;
        measure_drive() has the torque.
        """
        try:
            number = self.lib.gradyn_angle(
                self.c,
                self.text(name),
                self.number_of(from_, PointId),
                self.number_of(to, PointId),
                self.given_law(law),
            )
            return ConstraintId(number, self.token)
        except WRONG as error:
            raise self.misdeclared("angle", locals(), error) from None

    def custom_constraint(
        self,
        name: str,
        *,
        points: Union[Sequence[VariableId], None] = None,
        fn: Union[Function, None] = None,
        data: Union[Data, None] = None,
    ) -> ConstraintId:
        """Adds such a constraint; returns its number.

        points: those whose coordinates it uses; at.pos etc. hold only these, in this order
        """
        try:
            s = self.new(CUSTOM_CONSTRAINT_SPEC)
            _custom_constraint_spec(self, s, name, points=points, fn=fn, data=data)
            number = self.lib.gradyn_custom_constraint(self.c, s)
            return ConstraintId(number, self.token)
        except WRONG as error:
            raise self.misdeclared("custom_constraint", locals(), error) from None

    def custom_rolling(
        self,
        name: str,
        *,
        points: Union[Sequence[VariableId], None] = None,
        fn: Union[Function, None] = None,
        data: Union[Data, None] = None,
    ) -> ConstraintId:
        """The same of velocities alone, psi(t, pos, vel) = 0, linear in vel and the rate of no phi, as of
        what rolls: order 1 gives psi, order 2 its time derivative, and order 0 is not asked for. The
        methods variational and kinematic refuse it. Returns its number.

        points: those whose coordinates it uses; at.pos etc. hold only these, in this order
        """
        try:
            s = self.new(CUSTOM_CONSTRAINT_SPEC)
            _custom_constraint_spec(self, s, name, points=points, fn=fn, data=data)
            number = self.lib.gradyn_custom_rolling(self.c, s)
            return ConstraintId(number, self.token)
        except WRONG as error:
            raise self.misdeclared("custom_rolling", locals(), error) from None

    def spring(
        self,
        name: str,
        from_: PointId,
        to: PointId,
        *,
        k: Number = 0,
        c: Number = 0,
        free_length: Number = 0,
        force: Number = 0,
        signal: Union[SignalId, None] = None,
    ) -> None:
        """Spring, damper and actuator along the line of two points: tension k (s - free_length) + c s' +
        force (+ signal). Adds a spring; the spec is copied.

        k: stiffness, N/m
        c: damping, N s/m
        free_length: m
        force: constant tension, N
        signal: added tension, N
        """
        try:
            s = self.new(SPRING_SPEC)
            _spring_spec(
                self,
                s,
                name,
                from_,
                to,
                k=k,
                c=c,
                free_length=free_length,
                force=force,
                signal=signal,
            )
            self.lib.gradyn_spring(self.c, s)
        except WRONG as error:
            raise self.misdeclared("spring", locals(), error) from None

    def dashpot(self, name: str, a: PointId, b: PointId, c: Number) -> None:
        """A dashpot between two points that resists their relative velocity in every direction alike, -c
        (r_b' - r_a'); Ebrahimi et al. (2018), eq. (43). Data: name.damping, N s/m.
        """
        try:
            self.lib.gradyn_dashpot(
                self.c,
                self.text(name),
                self.number_of(a, PointId),
                self.number_of(b, PointId),
                c,
            )
        except WRONG as error:
            raise self.misdeclared("dashpot", locals(), error) from None

    def attraction(
        self,
        name: str,
        from_: PointId,
        to: PointId,
        *,
        strength: Number = 0,
        core: Number = 0,
    ) -> None:
        """Attraction of two points along their line by the inverse square of their distance s, of masses
        (strength = G m_a m_b), or of charges (negative: they repel each other): strength s/(s^2 +
        core^2)^(3/2), potential energy -strength/sqrt(s^2 + core^2). A core radius above zero bounds it
        where points come near each other; without, a run in which they meet fails with "non-finite".
        Data: name.strength, name.core. Adds an attraction; the spec is copied.

        strength: N m^2
        core: m, not negative
        """
        try:
            s = self.new(ATTRACTION_SPEC)
            _attraction_spec(self, s, name, from_, to, strength=strength, core=core)
            self.lib.gradyn_attraction(self.c, s)
        except WRONG as error:
            raise self.misdeclared("attraction", locals(), error) from None

    def force(
        self,
        name: str,
        point: PointId,
        *,
        fx: Number = 0,
        fy: Number = 0,
        signal: Union[SignalId, None] = None,
        fz: Number = 0,
    ) -> None:
        """A force on a point: (fx, fy, fz), multiplied by the signal if there is one. N. fz: in space
        only. Adds a force; the spec is copied.
        """
        try:
            s = self.new(FORCE_SPEC)
            _force_spec(self, s, name, point, fx=fx, fy=fy, signal=signal, fz=fz)
            self.lib.gradyn_force(self.c, s)
        except WRONG as error:
            raise self.misdeclared("force", locals(), error) from None

    def torque(
        self,
        name: str,
        from_: PointId,
        to: PointId,
        *,
        torque: Number = 0,
        c: Number = 0,
        signal: Union[SignalId, None] = None,
    ) -> None:
        """A torque on the bar between two points, counter-clockwise, multiplied by the signal if there is
        one; plus viscous friction -c omega. N m. Adds a torque; the spec is copied.

        torque: N m
        c: N m s
        """
        try:
            s = self.new(TORQUE_SPEC)
            _torque_spec(self, s, name, from_, to, torque=torque, c=c, signal=signal)
            self.lib.gradyn_torque(self.c, s)
        except WRONG as error:
            raise self.misdeclared("torque", locals(), error) from None

    def custom_force(
        self,
        name: str,
        *,
        points: Union[Sequence[VariableId], None] = None,
        fn: Union[Function, None] = None,
        data: Union[Data, None] = None,
        reads: Union[Sequence[str], None] = None,
    ) -> None:
        """Adds such a force; the spec is copied.

        points: each once, at most CUSTOM_POINTS: at.pos and at.vel hold only these, in this order
        reads: names of the constraints whose multipliers it reads: at.lam holds these, in this order
        """
        try:
            s = self.new(CUSTOM_FORCE_SPEC)
            _custom_force_spec(self, s, name, points=points, fn=fn, data=data, reads=reads)
            self.lib.gradyn_custom_force(self.c, s)
        except WRONG as error:
            raise self.misdeclared("custom_force", locals(), error) from None

    def track_position(self, name: str, point: PointId, x: Number, y: Number) -> FunctionalId:
        """Integral of |r - (x, y)|^2, |r' - (x, y)|^2, |r'' - (x, y)|^2 of a point. Data: name.x, name.y."""
        try:
            number = self.lib.gradyn_track_position(
                self.c,
                self.text(name),
                self.number_of(point, PointId),
                x,
                y,
            )
            return FunctionalId(number, self.token)
        except WRONG as error:
            raise self.misdeclared("track_position", locals(), error) from None

    def track_velocity(self, name: str, point: PointId, x: Number, y: Number) -> FunctionalId:
        """Integral of |r - (x, y)|^2, |r' - (x, y)|^2, |r'' - (x, y)|^2 of a point. Data: name.x, name.y."""
        try:
            number = self.lib.gradyn_track_velocity(
                self.c,
                self.text(name),
                self.number_of(point, PointId),
                x,
                y,
            )
            return FunctionalId(number, self.token)
        except WRONG as error:
            raise self.misdeclared("track_velocity", locals(), error) from None

    def track_acceleration(self, name: str, point: PointId, x: Number, y: Number) -> FunctionalId:
        """Integral of |r - (x, y)|^2, |r' - (x, y)|^2, |r'' - (x, y)|^2 of a point. Data: name.x, name.y."""
        try:
            number = self.lib.gradyn_track_acceleration(
                self.c,
                self.text(name),
                self.number_of(point, PointId),
                x,
                y,
            )
            return FunctionalId(number, self.token)
        except WRONG as error:
            raise self.misdeclared("track_acceleration", locals(), error) from None

    def track_position_3d(self, name: str, point: PointId, x: Number, y: Number, z: Number) -> FunctionalId:
        """The same in space: x, y, z in m, m/s, m/s^2."""
        try:
            number = self.lib.gradyn_track_position_3d(
                self.c,
                self.text(name),
                self.number_of(point, PointId),
                x,
                y,
                z,
            )
            return FunctionalId(number, self.token)
        except WRONG as error:
            raise self.misdeclared("track_position_3d", locals(), error) from None

    def track_velocity_3d(self, name: str, point: PointId, x: Number, y: Number, z: Number) -> FunctionalId:
        """The same in space: x, y, z in m, m/s, m/s^2."""
        try:
            number = self.lib.gradyn_track_velocity_3d(
                self.c,
                self.text(name),
                self.number_of(point, PointId),
                x,
                y,
                z,
            )
            return FunctionalId(number, self.token)
        except WRONG as error:
            raise self.misdeclared("track_velocity_3d", locals(), error) from None

    def track_acceleration_3d(
        self,
        name: str,
        point: PointId,
        x: Number,
        y: Number,
        z: Number,
    ) -> FunctionalId:
        """The same in space: x, y, z in m, m/s, m/s^2."""
        try:
            number = self.lib.gradyn_track_acceleration_3d(
                self.c,
                self.text(name),
                self.number_of(point, PointId),
                x,
                y,
                z,
            )
            return FunctionalId(number, self.token)
        except WRONG as error:
            raise self.misdeclared("track_acceleration_3d", locals(), error) from None

    def end_position(self, name: str, point: PointId, axis: Axis) -> FunctionalId:
        """A coordinate, or velocity, of a point at the end time."""
        try:
            number = self.lib.gradyn_end_position(
                self.c,
                self.text(name),
                self.number_of(point, PointId),
                AXIS[axis],
            )
            return FunctionalId(number, self.token)
        except WRONG as error:
            raise self.misdeclared("end_position", locals(), error) from None

    def end_velocity(self, name: str, point: PointId, axis: Axis) -> FunctionalId:
        """A coordinate, or velocity, of a point at the end time."""
        try:
            number = self.lib.gradyn_end_velocity(
                self.c,
                self.text(name),
                self.number_of(point, PointId),
                AXIS[axis],
            )
            return FunctionalId(number, self.token)
        except WRONG as error:
            raise self.misdeclared("end_velocity", locals(), error) from None

    def rotation(self, name: str, from_: PointId, to: PointId) -> FunctionalId:
        """Rotation of the line from one point to another over the run, rad: integral of omega."""
        try:
            number = self.lib.gradyn_rotation(
                self.c,
                self.text(name),
                self.number_of(from_, PointId),
                self.number_of(to, PointId),
            )
            return FunctionalId(number, self.token)
        except WRONG as error:
            raise self.misdeclared("rotation", locals(), error) from None

    def end_angular_velocity(self, name: str, from_: PointId, to: PointId) -> FunctionalId:
        """Angular velocity of that line at the end time, rad/s."""
        try:
            number = self.lib.gradyn_end_angular_velocity(
                self.c,
                self.text(name),
                self.number_of(from_, PointId),
                self.number_of(to, PointId),
            )
            return FunctionalId(number, self.token)
        except WRONG as error:
            raise self.misdeclared("end_angular_velocity", locals(), error) from None

    def reaction(self, name: str, constraint: ConstraintId) -> FunctionalId:
        """Integral of the squared multiplier of a constraint."""
        try:
            number = self.lib.gradyn_reaction(
                self.c,
                self.text(name),
                self.number_of(constraint, ConstraintId),
            )
            return FunctionalId(number, self.token)
        except WRONG as error:
            raise self.misdeclared("reaction", locals(), error) from None

    def deflection(self, name: str, beam: BeamId, instant: float) -> FunctionalId:
        """Deflection of the last node of a beam from the tangent at its first, m: in the plane positive to
        the left of the tangent, in space a distance, which has no derivative where it is zero. At a
        time of the run, s; 0: at its end.
        """
        try:
            number = self.lib.gradyn_deflection(
                self.c,
                self.text(name),
                self.number_of(beam, BeamId),
                instant,
            )
            return FunctionalId(number, self.token)
        except WRONG as error:
            raise self.misdeclared("deflection", locals(), error) from None

    def stress(self, name: str, beam: BeamId, node: int, side: Fibre, instant: float) -> FunctionalId:
        """Axial stress of a beam at a node, in the fibre that bending stretches or shortens most, E (eps
        +- reach kappa), Pa; time as above.
        """
        try:
            number = self.lib.gradyn_stress(
                self.c,
                self.text(name),
                self.number_of(beam, BeamId),
                node,
                FIBRE[side],
                instant,
            )
            return FunctionalId(number, self.token)
        except WRONG as error:
            raise self.misdeclared("stress", locals(), error) from None

    def largest_stress(self, name: str, beam: BeamId, allowed: Number, sharpness: float) -> FunctionalId:
        """Kreisselmeier-Steinhauser maximum of the magnitude of the axial stress over the allowed one (1:
        just allowed), over all nodes, fibres and the run: (1/sharpness) ln( (1/T) integral of the sum
        of exp(sharpness |stress|/allowed) dt ), sharpness at most 600. Data: name.allowed, Pa.
        """
        try:
            number = self.lib.gradyn_largest_stress(
                self.c,
                self.text(name),
                self.number_of(beam, BeamId),
                allowed,
                sharpness,
            )
            return FunctionalId(number, self.token)
        except WRONG as error:
            raise self.misdeclared("largest_stress", locals(), error) from None

    def beam_length(self, name: str, beam: BeamId) -> FunctionalId:
        """Undeformed length of a beam, m; mass of the whole mechanism, kg."""
        try:
            number = self.lib.gradyn_beam_length(self.c, self.text(name), self.number_of(beam, BeamId))
            return FunctionalId(number, self.token)
        except WRONG as error:
            raise self.misdeclared("beam_length", locals(), error) from None

    def mass(self, name: str) -> FunctionalId:
        """Undeformed length of a beam, m; mass of the whole mechanism, kg."""
        try:
            number = self.lib.gradyn_mass(self.c, self.text(name))
            return FunctionalId(number, self.token)
        except WRONG as error:
            raise self.misdeclared("mass", locals(), error) from None

    def end_energy(self, name: str) -> FunctionalId:
        """Kinetic plus potential energy at the end time, J. Potentials are those of gravity and of what
        deforms: springs, bushings, attractions, stops, beams. Forces, torques, tensions and efforts,
        constant ones too, store nothing: energy changes by the work that they do.
        """
        try:
            number = self.lib.gradyn_end_energy(self.c, self.text(name))
            return FunctionalId(number, self.token)
        except WRONG as error:
            raise self.misdeclared("end_energy", locals(), error) from None

    def frame(
        self,
        name: str,
        body: BodyId,
        *,
        origin: Numbers = (),
        axis: Numbers = (),
        side: Numbers = (),
        along: Union[Axis, None] = None,
    ) -> FrameId:
        """A point and directions fixed to a body or to the ground, given by where they are at the initial
        time. In space they are x, y and z, the axis of joints; in the plane the one direction x, along
        which sliders slide (joints turn about the normal of the plane). Returns the number of the
        frame. Data: of a body's, name.local_x, .. of the origin and name.axis_x.local_x, .. of the
        directions that joints use; of the ground's, name.x, .. and name.axis_x.x, ..

        body: or GROUND
        origin: m
        axis: in space the direction of z, in the plane of x; of any length but zero. Only joints that
            need no direction do without
        side: in space, where x points: what of it is normal to the axis; {0}: x is any normal
        along: the ground, and z (in the plane x) is this one
        """
        try:
            s = self.new(FRAME_SPEC)
            _frame_spec(self, s, name, body, origin=origin, axis=axis, side=side, along=along)
            number = self.lib.gradyn_frame(self.c, s)
            return FrameId(number, self.token)
        except WRONG as error:
            raise self.misdeclared("frame", locals(), error) from None

    def bar_frame(self, name: str, from_: PointId, to: PointId) -> FrameId:
        """The frame of a bar: its origin is the point `from`, its direction (in the plane x, in space z,
        the only one) points from there to `to`; neither may be attached to others. Data:
        name.per_length, 1/m, over the initial distance.
        """
        try:
            number = self.lib.gradyn_bar_frame(
                self.c,
                self.text(name),
                self.number_of(from_, PointId),
                self.number_of(to, PointId),
            )
            return FrameId(number, self.token)
        except WRONG as error:
            raise self.misdeclared("bar_frame", locals(), error) from None

    def frame_point(self, frame: FrameId) -> PointId:
        """The point that is the origin of a frame."""
        try:
            number = self.lib.gradyn_frame_point(self.c, self.number_of(frame, FrameId))
            return PointId(number, self.token)
        except WRONG as error:
            raise self.misdeclared("frame_point", locals(), error) from None

    def joint(
        self,
        name: str,
        kind: JointKind,
        a: FrameId,
        b: FrameId,
        *,
        pitch: Number = 0,
        cut: bool = False,
    ) -> JointId:
        """A joint between two frames. The initial positions may be approximate, but axes that are to
        coincide must be less than a right angle apart. A bar may be b of joints that only need its
        origin, and of revolute, cylindrical, planar: it stays normal to z of a (a and b of a revolute
        joint may be exchanged). Equations that shared points make superfluous are left out. Returns the
        number of the joint. Its constraints are name.x, name.y, name.z (origins coincide: multipliers
        are the force of b on a along the axes of the ground, N), name.along_x, .. (the origin of b has
        no component along that direction of a: minus the force on b along it, N) and name.xy, .. (a
        direction of a is normal to one of b; N m).

        a: frames
        b: frames
        pitch: of a screw, right-handed if positive, m a turn; datum name.thread.ratio, m/rad
        cut: in joint coordinates it places no body but closes a loop, as constraints
        """
        try:
            s = self.new(JOINT_SPEC)
            _joint_spec(self, s, name, kind, a, b, pitch=pitch, cut=cut)
            number = self.lib.gradyn_joint(self.c, s)
            return JointId(number, self.token)
        except WRONG as error:
            raise self.misdeclared("joint", locals(), error) from None

    def joint_at(
        self,
        name: str,
        kind: JointKind,
        body_a: BodyId,
        body_b: BodyId,
        *,
        position: Numbers = (),
        axis: Numbers = (),
        side: Numbers = (),
        axis_b: Numbers = (),
        pitch: Number = 0,
        cut: bool = False,
    ) -> JointId:
        """A joint between two bodies at a place where both frames coincide at the initial time. Declares
        the frames name.a and name.b and the joint; returns the number of the joint.

        body_a: or GROUND
        body_b: or GROUND
        position: m
        axis: revolute and fixed joints in the plane may leave it out: x
        side: revolute and fixed joints in the plane may leave it out: x
        axis_b: of the universal joint, normal to the other one
        cut: as of gradyn_joint_spec
        """
        try:
            s = self.new(PLACE_SPEC)
            _place_spec(
                self,
                s,
                name,
                kind,
                body_a,
                body_b,
                position=position,
                axis=axis,
                side=side,
                axis_b=axis_b,
                pitch=pitch,
                cut=cut,
            )
            number = self.lib.gradyn_joint_at(self.c, s)
            return JointId(number, self.token)
        except WRONG as error:
            raise self.misdeclared("joint_at", locals(), error) from None

    def knife_edge(self, name: str, frame: FrameId, axis: Axis, point: PointId, speed: Law) -> ConstraintId:
        """A knife edge (skate, blade, the sideways hold of a wheel): a point that moves has no velocity
        along direction `axis` of a frame, which may be that of another body or of the ground; or the
        velocity speed(t), m/s. In the plane x is the direction of the frame and y is across it. It
        holds velocities and no places: where the point has come to depends on its way. Returns the
        number of the constraint, whose multiplier is minus the force on the point along the direction,
        N. The methods variational and kinematic refuse it.
        """
        try:
            number = self.lib.gradyn_knife_edge(
                self.c,
                self.text(name),
                self.number_of(frame, FrameId),
                AXIS[axis],
                self.number_of(point, PointId),
                self.given_law(speed),
            )
            return ConstraintId(number, self.token)
        except WRONG as error:
            raise self.misdeclared("knife_edge", locals(), error) from None

    def wheel(self, name: str, wheel: FrameId, ground: FrameId, *, radius: Number = 0) -> ConstraintId:
        """A wheel: a thin disc that touches a plane of the ground with its lowest point and rolls there
        without slipping. It may lean, but not lie flat. Returns the number of the constraint
        name.contact, whose multiplier is minus the force of the ground along z, N; name.roll_x and
        name.roll_y follow, of velocities alone, with minus the forces along x and y. Datum:
        name.radius. Methods that march it: those of knife_edge().

        wheel: of a body: its origin is the centre, its axis z the axle
        ground: of the ground: the plane is that of x and y, the wheel is where z points
        radius: m, > 0
        """
        try:
            s = self.new(WHEEL_SPEC)
            _wheel_spec(self, s, name, wheel, ground, radius=radius)
            number = self.lib.gradyn_wheel(self.c, s)
            return ConstraintId(number, self.token)
        except WRONG as error:
            raise self.misdeclared("wheel", locals(), error) from None

    def joint_angle(self, joint: JointId) -> CoordinateId:
        """The angle of a joint from x of a to x of b (of a universal joint to z of b) about z of a, rad:
        it goes on over any number of turns and starts between -pi and pi. Of revolute, cylindrical,
        screw, planar and universal joints. Returns the number of the coordinate, called joint.angle.
        """
        try:
            number = self.lib.gradyn_joint_angle(self.c, self.number_of(joint, JointId))
            return CoordinateId(number, self.token)
        except WRONG as error:
            raise self.misdeclared("joint_angle", locals(), error) from None

    def joint_slide(self, joint: JointId) -> CoordinateId:
        """The distance of b's origin from a's along z of a (in the plane x of a), m: of prismatic,
        cylindrical, screw and point-on-line joints; the coordinate joint.slide.
        """
        try:
            number = self.lib.gradyn_joint_slide(self.c, self.number_of(joint, JointId))
            return CoordinateId(number, self.token)
        except WRONG as error:
            raise self.misdeclared("joint_slide", locals(), error) from None

    def joint_slide_along(self, joint: JointId, axis: Axis) -> CoordinateId:
        """The distance along x or y of a, of planar and point-on-plane joints; joint.slide_x,
        joint.slide_y.
        """
        try:
            number = self.lib.gradyn_joint_slide_along(self.c, self.number_of(joint, JointId), AXIS[axis])
            return CoordinateId(number, self.token)
        except WRONG as error:
            raise self.misdeclared("joint_slide_along", locals(), error) from None

    def frame_angle(self, name: str, a: FrameId, b: FrameId) -> CoordinateId:
        """The same between any two frames, whatever joins them. The angle is that of the part of x of b
        (of a bar in space: its direction) that is normal to z of a; that part must not vanish.
        """
        try:
            number = self.lib.gradyn_frame_angle(
                self.c,
                self.text(name),
                self.number_of(a, FrameId),
                self.number_of(b, FrameId),
            )
            return CoordinateId(number, self.token)
        except WRONG as error:
            raise self.misdeclared("frame_angle", locals(), error) from None

    def frame_slide(self, name: str, a: FrameId, b: FrameId) -> CoordinateId:
        """The same between any two frames, whatever joins them. The angle is that of the part of x of b
        (of a bar in space: its direction) that is normal to z of a; that part must not vanish.
        """
        try:
            number = self.lib.gradyn_frame_slide(
                self.c,
                self.text(name),
                self.number_of(a, FrameId),
                self.number_of(b, FrameId),
            )
            return CoordinateId(number, self.token)
        except WRONG as error:
            raise self.misdeclared("frame_slide", locals(), error) from None

    def drive_joint(self, name: str, coordinate: CoordinateId, law: Law) -> ConstraintId:
        """coordinate = law(t). Returns the number of the constraint, whose multiplier is minus the torque,
        N m, or force, N, of the drive on b.
        """
        try:
            number = self.lib.gradyn_drive_joint(
                self.c,
                self.text(name),
                self.number_of(coordinate, CoordinateId),
                self.given_law(law),
            )
            return ConstraintId(number, self.token)
        except WRONG as error:
            raise self.misdeclared("drive_joint", locals(), error) from None

    def hold_joint(self, name: str, coordinate: CoordinateId, value: Number, rate: Number) -> None:
        """Holds the coordinate, m or rad, and its rate when the initial state is solved. Data: name.value,
        name.rate.
        """
        try:
            self.lib.gradyn_hold_joint(
                self.c,
                self.text(name),
                self.number_of(coordinate, CoordinateId),
                value,
                rate,
            )
        except WRONG as error:
            raise self.misdeclared("hold_joint", locals(), error) from None

    def gear(self, name: str, first: CoordinateId, second: CoordinateId, ratio: Number) -> ConstraintId:
        """Gear, rack: second = ratio first + offset, the offset being the initial one. Returns the number
        of the constraint, whose multiplier is minus the torque or force on the second coordinate. Data:
        name.ratio, name.offset.
        """
        try:
            number = self.lib.gradyn_gear(
                self.c,
                self.text(name),
                self.number_of(first, CoordinateId),
                self.number_of(second, CoordinateId),
                ratio,
            )
            return ConstraintId(number, self.token)
        except WRONG as error:
            raise self.misdeclared("gear", locals(), error) from None

    def joint_spring(
        self,
        name: str,
        coordinate: CoordinateId,
        *,
        k: Number = 0,
        c: Number = 0,
        free: Number = 0,
        effort: Number = 0,
        signal: Union[SignalId, None] = None,
    ) -> None:
        """Spring, damper and actuator on a coordinate: the torque (N m) or force (N) -k (coordinate -
        free) - c rate + effort (+ signal) of a on b. Adds it; the spec is copied. Data: name.stiffness,
        name.damping, name.free, name.effort.

        k: N m/rad or N/m
        c: N m s/rad or N s/m
        free: rad or m
        effort: N m or N
        signal: added effort
        """
        try:
            s = self.new(JOINT_SPRING_SPEC)
            _joint_spring_spec(self, s, name, coordinate, k=k, c=c, free=free, effort=effort, signal=signal)
            self.lib.gradyn_joint_spring(self.c, s)
        except WRONG as error:
            raise self.misdeclared("joint_spring", locals(), error) from None

    def joint_stop(
        self,
        name: str,
        coordinate: CoordinateId,
        *,
        lower: Number = 0,
        upper: Number = 0,
        k: Number = 0,
        c: Number = 0,
        width: Number = 0,
    ) -> None:
        """Stops: beyond the limits the torque or force -(k r + c r' rate) with the smooth depth r = (p +
        sqrt(p^2 + width^2))/2 of p = coordinate - upper, and its slope r'; the same below the lower
        limit. At a limit r is width/2, and well inside width^2/(4 |p|). Adds it; the spec is copied.
        Data: name.lower, name.upper, name.stiffness, name.damping, name.width.

        lower: rad or m, lower < upper
        upper: rad or m, lower < upper
        k: N m/rad or N/m, > 0
        c: N m s/rad or N s/m, >= 0
        width: rad or m, > 0
        """
        try:
            s = self.new(JOINT_STOP_SPEC)
            _joint_stop_spec(self, s, name, coordinate, lower=lower, upper=upper, k=k, c=c, width=width)
            self.lib.gradyn_joint_stop(self.c, s)
        except WRONG as error:
            raise self.misdeclared("joint_stop", locals(), error) from None

    def controller_state(self, name: str, unit: str, *, initial: Number = 0, size: float = 0) -> StateId:
        """A number z with z' = f(t, positions, velocities, z, data), such as a controller's memory. It is
        the velocity of a coordinate of unit inertia: a custom force on it is f. In custom functions,
        the first component at.vel[axes * number] is z, at.acc[..] is z', and at.pos[..] the integral of
        z since the start. Columns: name, name.rate, name.integral. Returns its number, for points[] of
        custom functions. Data: name.integral, 0, and name.initial.

        unit: of z; None: none
        initial: z at the start, in that unit
        size: how large z usually is, in that unit, for tolerances; 0: 1
        """
        try:
            s = self.new(CONTROLLER_STATE_SPEC)
            _controller_state_spec(self, s, name, unit, initial=initial, size=size)
            number = self.lib.gradyn_controller_state(self.c, s)
            return StateId(number, self.token)
        except WRONG as error:
            raise self.misdeclared("controller_state", locals(), error) from None

    def pid(
        self,
        name: str,
        coordinate: CoordinateId,
        *,
        measured: Union[CoordinateId, None] = None,
        kp: Number = 0,
        ki: Number = 0,
        kd: Number = 0,
        target: Number = 0,
        signal: Union[SignalId, None] = None,
        filter_time: Union[Number, None] = None,
        limit: Union[Number, None] = None,
        initial: Number = 0,
        initial_filter: Number = 0,
    ) -> ForceId:
        """A PID controller: with the error e = target (+ signal) - measured coordinate it acts with u = kp
        e + ki z + kd d, z' = e, on a coordinate, N m or N of a on b. d is minus the rate of the
        measured coordinate or, filtered, d = (e - w)/T with w' = d, that is s/(T s + 1) applied to e.
        Limited, it acts with L tanh(u/L) in place of u, and z goes on growing beyond the limit. Adds
        it; the spec is copied. Data: name.kp, .ki, .kd, .target, .filter_time, .limit (the last two
        only if used), and those of the states name.error_integral (z) and name.filtered_error (w).

        coordinate: on which it acts
        measured: that one
        kp: u per e
        ki: u per e and s
        kd: u per rate of e
        target: rad or m
        signal: added to the target
        filter_time: T, s, > 0
        limit: L, N m or N, > 0
        initial: z at the start, rad s or m s
        initial_filter: w at the start, rad or m
        """
        try:
            s = self.new(PID_SPEC)
            _pid_spec(
                self,
                s,
                name,
                coordinate,
                measured=measured,
                kp=kp,
                ki=ki,
                kd=kd,
                target=target,
                signal=signal,
                filter_time=filter_time,
                limit=limit,
                initial=initial,
                initial_filter=initial_filter,
            )
            number = self.lib.gradyn_pid(self.c, s)
            return ForceId(number, self.token)
        except WRONG as error:
            raise self.misdeclared("pid", locals(), error) from None

    def feedback(
        self,
        name: str,
        coordinate: CoordinateId,
        *,
        of: Union[Sequence[VariableId], None] = None,
        gain: Union[Numbers, None] = None,
        rate_gain: Union[Numbers, None] = None,
        target: Union[Numbers, None] = None,
        offset: Number = 0,
        signal: Union[SignalId, None] = None,
        limit: Union[Number, None] = None,
    ) -> ForceId:
        """State feedback: u = offset (+ signal) + sum of gain_i (target_i - x_i) - rate_gain_i x_i' over
        joint coordinates and first-order states, of which x_i is z and x_i' its rate of no use
        (rate_gain_i must be 0). Limited like a PID controller. Adds it; the spec is copied. Data:
        name.offset, name.gain[i], name.rate_gain[i], name.target[i], and name.limit if used.

        coordinate: on which it acts
        of: the coordinates and states x_i
        gain: u per x_i
        rate_gain: u per x_i'; None: zero
        target: [count]; None: zero
        offset: N m or N
        signal: added u
        limit: N m or N, > 0
        """
        try:
            s = self.new(FEEDBACK_SPEC)
            _feedback_spec(
                self,
                s,
                name,
                coordinate,
                of=of,
                gain=gain,
                rate_gain=rate_gain,
                target=target,
                offset=offset,
                signal=signal,
                limit=limit,
            )
            number = self.lib.gradyn_feedback(self.c, s)
            return ForceId(number, self.token)
        except WRONG as error:
            raise self.misdeclared("feedback", locals(), error) from None

    def state(self, name: str, unit: str, initial: Number) -> StateId:
        """Declares a differential state with its initial value (a datum "name.initial"), in its unit;
        returns its number. The matrix dF/dy' of the differential states may be singular, as in electric
        circuits, if it is constant and the index is 1: combinations of states that no rate moves are
        found from the equations, so that of their initial values only the other combinations count.
        Only the methods radau and idas take such a matrix.
        """
        try:
            number = self.lib.gradyn_state(self.c, self.text(name), self.text(unit), initial)
            return StateId(number, self.token)
        except WRONG as error:
            raise self.misdeclared("state", locals(), error) from None

    def algebraic(self, name: str, unit: str, guess: float) -> StateId:
        """Declares an algebraic state with a guess of its initial value, in its unit; returns its number.
        Its rate must not be used by the equations.
        """
        try:
            number = self.lib.gradyn_algebraic(self.c, self.text(name), self.text(unit), guess)
            return StateId(number, self.token)
        except WRONG as error:
            raise self.misdeclared("algebraic", locals(), error) from None

    def equations(
        self,
        *,
        residual: Union[Function, None] = None,
        data: Union[Data, None] = None,
        atol: Union[Sequence[float], None] = None,
        size: Union[Sequence[float], None] = None,
    ) -> None:
        """Gives the equations of the declared states, one residual per state. Once per model.

        residual: differentiated by complex step
        data: copied; named "name" without a prefix
        atol: absolute tolerances; None: the run's, or, if it has none, rtol/100 of what each state
            reaches
        size: natural sizes: what a state's errors and zeros are measured by, with tolerances of rtol/100
            of it; 0: found from values and rates at the start, no less than 1/1000 of the largest of the
            unit, which states that are fewer by nature need not be. None: all are found
        """
        try:
            s = self.new(EQUATIONS_SPEC)
            _equations_spec(self, s, residual=residual, data=data, atol=atol, size=size)
            self.lib.gradyn_equations(self.c, s)
        except WRONG as error:
            raise self.misdeclared("equations", locals(), error) from None

    def draw_box(self, body: BodyId, x: float, y: float, z: float) -> None:
        """Draws a body as a box about its centre of mass, with sides x, y, z along its base vectors, m; in
        the plane z is not used.
        """
        try:
            self.lib.gradyn_draw_box(self.c, self.number_of(body, BodyId), x, y, z)
        except WRONG as error:
            raise self.misdeclared("draw_box", locals(), error) from None

    def draw_cylinder(self, body: BodyId, axis: Axis, radius: float, length: float) -> None:
        """Draws a body as a cylinder about its centre of mass, m; in the plane along "z" only: a disc."""
        try:
            self.lib.gradyn_draw_cylinder(self.c, self.number_of(body, BodyId), AXIS[axis], radius, length)
        except WRONG as error:
            raise self.misdeclared("draw_cylinder", locals(), error) from None

    def draw_trace(self, point: PointId) -> None:
        """Draws the path of a point."""
        try:
            self.lib.gradyn_draw_trace(self.c, self.number_of(point, PointId))
        except WRONG as error:
            raise self.misdeclared("draw_trace", locals(), error) from None

    def draw_colour(self, name: str, rgb: int) -> None:
        """Gives what has this name (a rod, spring, body, beam, ...) a colour, 0xrrggbb."""
        try:
            self.lib.gradyn_draw_colour(self.c, self.text(name), rgb)
        except WRONG as error:
            raise self.misdeclared("draw_colour", locals(), error) from None

    def mode(self, name: str) -> ModeId:
        """A mode: constraints, forces and events that hold together, over the same points. A run starts in
        the mode that is declared first. Returns its number, from 1 on.
        """
        try:
            number = self.lib.gradyn_mode(self.c, self.text(name))
            return ModeId(number, self.token)
        except WRONG as error:
            raise self.misdeclared("mode", locals(), error) from None

    def in_mode(self, mode: ModeId) -> None:
        """From here on constraints, forces and events that are declared belong to one mode only, or to
        several, until told otherwise. Bodies and masses, what is held at the start, and functionals
        belong to all. In other modes a constraint has the multiplier zero; the constraints of a mode do
        not depend on each other.
        """
        try:
            self.lib.gradyn_in_mode(self.c, self.number_of(mode, ModeId))
        except WRONG as error:
            raise self.misdeclared("in_mode", locals(), error) from None

    def in_modes(self, modes: Sequence[ModeId]) -> None:
        """From here on constraints, forces and events that are declared belong to one mode only, or to
        several, until told otherwise. Bodies and masses, what is held at the start, and functionals
        belong to all. In other modes a constraint has the multiplier zero; the constraints of a mode do
        not depend on each other.
        """
        try:
            self.lib.gradyn_in_modes(self.c, self.several(modes, ModeId), len(modes))
        except WRONG as error:
            raise self.misdeclared("in_modes", locals(), error) from None

    def capture_constraint(self, constraint: ConstraintId) -> None:
        """A constraint, by its number, that holds what it finds: where an event leads into one of its
        modes, or has a map, the value of its function just behind the event is captured and held from
        then on, as of a foot that sticks where it lands. Before the first such event it holds what it
        says.
        """
        try:
            self.lib.gradyn_capture_constraint(self.c, self.number_of(constraint, ConstraintId))
        except WRONG as error:
            raise self.misdeclared("capture_constraint", locals(), error) from None

    def bounce(
        self,
        name: str,
        *,
        point: Union[PointId, None] = None,
        axis: Union[Axis, None] = None,
        level: Union[Law, None] = None,
        below: bool = False,
        gap: Union[CustomConstraintSpec, None] = None,
        restitution: Number = 0,
        kept: Union[Sequence[Component], None] = None,
        mode: Union[ModeId, None] = None,
    ) -> EventId:
        """A wall that a point bounces off: the gap between them stays positive, and when it closes its
        rate turns from approach to restitution times it. The gap is that of one coordinate and a level,
        or the user's. Adds a wall; the spec is copied. Returns the number of the event. Data:
        name.value, ... of the level, those of the gap, and name.restitution.

        level: of the wall along the axis, m; it may move
        below: the point stays below the level; otherwise above it
        gap: A gap of the user's own instead, positive as long as the wall is free, in position, velocity
            and acceleration form as of a constraint. None: that of the coordinate. Its name is not used.
        restitution: share of the rate of approach that comes back, > 0; or 0 with a mode
        kept: copied
        mode: behind the impact, which its constraints take part in; SAME_MODE
        """
        try:
            s = self.new(BOUNCE_SPEC)
            _bounce_spec(
                self,
                s,
                name,
                point=point,
                axis=axis,
                level=level,
                below=below,
                gap=gap,
                restitution=restitution,
                kept=kept,
                mode=mode,
            )
            number = self.lib.gradyn_bounce(self.c, s)
            return EventId(number, self.token)
        except WRONG as error:
            raise self.misdeclared("bounce", locals(), error) from None

    def when(
        self,
        name: str,
        *,
        guard: Union[CustomFunctionalSpec, None] = None,
        direction: Union[Direction, None] = None,
        invariant: bool = False,
        armed: Union[CustomFunctionalSpec, None] = None,
        map: Union[Sequence[Transfer], None] = None,
        mode: Union[ModeId, None] = None,
    ) -> EventId:
        """An event at a zero of the user's function, of a mechanism or of general equations. What happens,
        in this order: the map, which relabels or shifts coordinates; the mode changes; velocities jump
        as constraints of the new mode need it, with impulses of these constraints alone, as the masses
        have it. Positions have to satisfy those constraints then: at the zero of the guard, or as they
        did before. In general equations the map is all that happens; what is to be different behind an
        event can be told by a state of rate zero, which the map sets. Adds an event; the spec is
        copied. Returns its number. A guard that is zero, or beyond it, where its mode begins has to
        come back first, unless it is an invariant. Data: those of the guard as name.x, of the condition
        as name.armed.x, and name.map[0], ...

        guard: .terminal is the guard; of the others only .data, .user and what it reads count.
            Accelerations and multipliers are those of the equations of motion at the positions and
            velocities.
        direction: in which the guard passes zero
        invariant: What the guard is. False: a crossing, as of an apex or a clock, which waits, where it
            is beyond zero as its mode begins, until it has come back. True: an invariant, as a face of
            Coulomb's cone, a force that can only push, or the sense of a slip; its modes last only while
            it is on the side that it falls (or rises) from. A run in which one is beyond zero where its
            mode begins fails with "event". It has one direction and no condition. Walls are invariants
            all of them.
        armed: Likewise; the event happens only where this is positive. .terminal None: wherever the guard
            is zero.
        map: copied; coordinates that are no `to` stay
        mode: behind the event; SAME_MODE
        """
        try:
            s = self.new(WHEN_SPEC)
            _when_spec(
                self,
                s,
                name,
                guard=guard,
                direction=direction,
                invariant=invariant,
                armed=armed,
                map=map,
                mode=mode,
            )
            number = self.lib.gradyn_when(self.c, s)
            return EventId(number, self.token)
        except WRONG as error:
            raise self.misdeclared("when", locals(), error) from None

    def reset(
        self,
        name: str,
        *,
        guard: Union[CustomFunctionalSpec, None] = None,
        direction: Union[Direction, None] = None,
        invariant: bool = False,
        armed: Union[CustomFunctionalSpec, None] = None,
        set: Union[Sequence[Component], None] = None,
        reset: Union[CustomFunctionalSpec, None] = None,
        map: Union[Sequence[Transfer], None] = None,
        mode: Union[ModeId, None] = None,
    ) -> EventId:
        """An event behind which velocities are what the user's formula makes of the state before: a
        thruster's pulse, a law of impact whose restitution depends on the approach, a gear that
        engages, the impact of a walker in closed form. What happens, in this order: the formula reads
        the state before; the map; the mode changes; the velocities that are set become what the formula
        says, exactly, and all others follow as the masses have it: by impulses along the velocities
        that are set, which are whatever it takes, and by those of the constraints behind the event. Set
        no more velocities than those constraints leave free: values that they do not allow are refused
        with "event" and the name of the velocity. Kinetic energy is the user's. Of general equations
        the formula gives differential states; no others change, but by the map. Adds such an event; the
        spec is copied. Returns its number. Data: those of when(), and the formula's as name.reset.x.
        The impulse of the event is what sets them.

        guard: this,
        armed: up to here, as of when()
        set: copied; at least one
        reset: .terminal is the formula: it fills value[set_count], in m/s (of states in their units), in
            the order of .set, and is differentiated by complex step. Of the other members only .data,
            .user and what it reads count. It sees the state before the event: time, positions and
            velocities, or differential states, and signals. Accelerations, multipliers and algebraic
            states are NAN.
        map: copied, as of when(); what it makes of velocities that are set does not count
        mode: behind the event; SAME_MODE
        """
        try:
            s = self.new(RESET_SPEC)
            _reset_spec(
                self,
                s,
                name,
                guard=guard,
                direction=direction,
                invariant=invariant,
                armed=armed,
                set=set,
                reset=reset,
                map=map,
                mode=mode,
            )
            number = self.lib.gradyn_reset(self.c, s)
            return EventId(number, self.token)
        except WRONG as error:
            raise self.misdeclared("reset", locals(), error) from None

    def end_at_event(self, event: EventId, which: int) -> None:
        """Has the run end with an event, when that happens for the which-th time (1: the first): behind
        it, with what it does. Functionals at the end see the state there, before_event() tells that
        before; integrals end there, and the time is final_time(). Where several events may end the run
        the first one does. The end time of the problem is how long a run may last: one that has not
        ended by then fails with "event".
        """
        try:
            self.lib.gradyn_end_at_event(self.c, self.number_of(event, EventId), which)
        except WRONG as error:
            raise self.misdeclared("end_at_event", locals(), error) from None

    def phase(
        self,
        name: str,
        mode: ModeId,
        *,
        start: Number = 0,
        duration: Number = 0,
        next: Union[ModeId, None] = None,
        map: Union[Sequence[Transfer], None] = None,
    ) -> complex:
        """A mode that holds from a time on for a while. What is declared in it is its dynamics and its
        controls; its end is an event, with a map and the mode behind it, whose constraints may make an
        impact. Adds a phase; the spec is copied. Returns when it ends, s: the start of the next one,
        which so depends on all durations before. Data: name.end and name.map[0], ..., or the end time.

        name: of the event at its end, "push"
        mode: in which it is looked at: the phase's own, or EVERY_MODE
        start: s, 0 or what the phase before has returned
        duration: s, > 0; a parameter needs a lower bound above 0
        next: the mode behind it, or END
        map: copied, as of when()
        """
        try:
            s = self.new(PHASE_SPEC)
            _phase_spec(self, s, name, mode, start=start, duration=duration, next=next, map=map)
            value: complex = self.lib.gradyn_phase(self.c, s)
            return value
        except WRONG as error:
            raise self.misdeclared("phase", locals(), error) from None

    def event_time(self, name: str, event: EventId, which: int) -> FunctionalId:
        """Time of an event, s; which: 1 for the first time that it happens, and so on. A run in which it
        does not happen so often fails with "event".
        """
        try:
            number = self.lib.gradyn_event_time(
                self.c,
                self.text(name),
                self.number_of(event, EventId),
                which,
            )
            return FunctionalId(number, self.token)
        except WRONG as error:
            raise self.misdeclared("event_time", locals(), error) from None

    def event_impulse(self, name: str, event: EventId, which: int) -> FunctionalId:
        """Impulse, N s: of the wall; without one of the new constraint, with the sign of its multiplier,
        or of what sets velocities; of several the root of the sum of squares.
        """
        try:
            number = self.lib.gradyn_event_impulse(
                self.c,
                self.text(name),
                self.number_of(event, EventId),
                which,
            )
            return FunctionalId(number, self.token)
        except WRONG as error:
            raise self.misdeclared("event_impulse", locals(), error) from None

    def before_event(
        self,
        name: str,
        unit: str,
        event: EventId,
        which: int,
        *,
        integrand: Union[Function, None] = None,
        terminal: Union[Function, None] = None,
        data: Union[Data, None] = None,
        instant: float = 0,
        points: Union[Sequence[VariableId], None] = None,
        reads_accelerations: bool = False,
        reads_multipliers: bool = False,
        reads_positions_only: bool = False,
        reads: Union[Sequence[VariableId], None] = None,
    ) -> FunctionalId:
        """A functional's `terminal` part, taken just before an event, or just after it.

        integrand: g(t, state, data); None if there is none
        terminal: w(t, state, data) at the end time; None if there is none
        data: its own numbers; may be None
        instant: time at which `terminal` is taken, s; 0: the end. At an event or where something jumps
            the motion before counts. Steps of a fixed length must end there, if no signal jumps and there
            are no events; build() must not set the end time then
        points: each once; copied
        reads_accelerations: Of those also accelerations, and all multipliers; without, at.acc and at.lam
            are NAN.
        reads_multipliers: Of those also accelerations, and all multipliers; without, at.acc and at.lam
            are NAN.
        reads_positions_only: at.vel is NAN too, which spares some methods work
        reads: copied
        """
        try:
            s = self.new(CUSTOM_FUNCTIONAL_SPEC)
            _custom_functional_spec(
                self,
                s,
                name,
                unit,
                integrand=integrand,
                terminal=terminal,
                data=data,
                instant=instant,
                points=points,
                reads_accelerations=reads_accelerations,
                reads_multipliers=reads_multipliers,
                reads_positions_only=reads_positions_only,
                reads=reads,
            )
            number = self.lib.gradyn_before_event(self.c, s, self.number_of(event, EventId), which)
            return FunctionalId(number, self.token)
        except WRONG as error:
            raise self.misdeclared("before_event", locals(), error) from None

    def after_event(
        self,
        name: str,
        unit: str,
        event: EventId,
        which: int,
        *,
        integrand: Union[Function, None] = None,
        terminal: Union[Function, None] = None,
        data: Union[Data, None] = None,
        instant: float = 0,
        points: Union[Sequence[VariableId], None] = None,
        reads_accelerations: bool = False,
        reads_multipliers: bool = False,
        reads_positions_only: bool = False,
        reads: Union[Sequence[VariableId], None] = None,
    ) -> FunctionalId:
        """A functional's `terminal` part, taken just before an event, or just after it.

        integrand: g(t, state, data); None if there is none
        terminal: w(t, state, data) at the end time; None if there is none
        data: its own numbers; may be None
        instant: time at which `terminal` is taken, s; 0: the end. At an event or where something jumps
            the motion before counts. Steps of a fixed length must end there, if no signal jumps and there
            are no events; build() must not set the end time then
        points: each once; copied
        reads_accelerations: Of those also accelerations, and all multipliers; without, at.acc and at.lam
            are NAN.
        reads_multipliers: Of those also accelerations, and all multipliers; without, at.acc and at.lam
            are NAN.
        reads_positions_only: at.vel is NAN too, which spares some methods work
        reads: copied
        """
        try:
            s = self.new(CUSTOM_FUNCTIONAL_SPEC)
            _custom_functional_spec(
                self,
                s,
                name,
                unit,
                integrand=integrand,
                terminal=terminal,
                data=data,
                instant=instant,
                points=points,
                reads_accelerations=reads_accelerations,
                reads_multipliers=reads_multipliers,
                reads_positions_only=reads_positions_only,
                reads=reads,
            )
            number = self.lib.gradyn_after_event(self.c, s, self.number_of(event, EventId), which)
            return FunctionalId(number, self.token)
        except WRONG as error:
            raise self.misdeclared("after_event", locals(), error) from None

    def joint_friction(
        self,
        name: str,
        joint: JointId,
        law: FrictionLaw,
        *,
        still: Number = 0,
        kinetic: Number = 0,
        transition: Number = 0,
        viscous: Number = 0,
        smoothing: Number = 0,
        pressure: Number = 0,
        radius: Number = 0,
        thrust_radius: Number = 0,
        length: Number = 0,
        offset: Number = 0,
        width: Number = 0,
        stiffness: Number = 0,
        damping: Number = 0,
        dwell: Number = 0,
    ) -> ForceId:
        """Friction in a joint. It resists slip with coefficient times normal force (+ viscous v), the
        normal force following from the multipliers of the joint: revolute a journal of `radius` and, in
        space, a collar that bears the thrust along the axis cylindrical the same journal, turning and
        sliding: the slip is a vector prismatic a slider that bears forces at its two ends and, in
        space, moments about its axis at its sides planar, point-on-plane a flat contact: the slip is a
        vector point-on-line a runner In the plane: revolute, prismatic, point-on-line. Absolute values
        of forces F are sqrt(F^2 + smoothing^2). In space b cannot be a bar, unless the contact is flat.
        Not with the method `variational`. Adds it; the spec is copied. Data: name.still, .kinetic,
        .transition, .viscous, .smoothing and those of the others that the joint and the law use;
        bristles are the states name.bristle (.bristle_x, .bristle_y) and Gonthier's name.dwell_state.
        Returns its number among the forces.

        still: coefficients of friction, >= 0
        kinetic: coefficients of friction, >= 0
        transition: m/s, > 0: 1e-3 to 1e-2 are usual
        viscous: N s/m, >= 0, of the slip
        smoothing: N, > 0: a small part of the loads
        pressure: factor of journals' loads; 0: 1
        radius: of revolute and cylindrical joints, m, > 0
        thrust_radius: of revolute joints in space, m; 0: radius
        length: m, between the ends that bear moments; 0: none are borne
        offset: m, of the first end from b's origin along the axis; for both ends alike: -length/2
        width: of prismatic joints in space, m, between their sides; 0: no such moment
        stiffness: of bristles, coefficient per deflection, 1/m, > 0
        damping: of bristles, coefficient per rate, s/m, > 0
        dwell: Gonthier's: time constant of growing adhesion, s, > 0
        """
        try:
            s = self.new(JOINT_FRICTION_SPEC)
            _joint_friction_spec(
                self,
                s,
                name,
                joint,
                law,
                still=still,
                kinetic=kinetic,
                transition=transition,
                viscous=viscous,
                smoothing=smoothing,
                pressure=pressure,
                radius=radius,
                thrust_radius=thrust_radius,
                length=length,
                offset=offset,
                width=width,
                stiffness=stiffness,
                damping=damping,
                dwell=dwell,
            )
            number = self.lib.gradyn_joint_friction(self.c, s)
            return ForceId(number, self.token)
        except WRONG as error:
            raise self.misdeclared("joint_friction", locals(), error) from None

    def limit(
        self,
        name: str,
        unit: str,
        lower: Number,
        upper: Number,
        tolerance: float,
        *,
        integrand: Union[Function, None] = None,
        terminal: Union[Function, None] = None,
        data: Union[Data, None] = None,
        instant: float = 0,
        points: Union[Sequence[VariableId], None] = None,
        reads_accelerations: bool = False,
        reads_multipliers: bool = False,
        reads_positions_only: bool = False,
        reads: Union[Sequence[VariableId], None] = None,
    ) -> FunctionalId:
        """Limits g(t, state, data), given as .integrand as of smooth_maximum(). Either bound may be
        infinite: there is none then; bounds may depend on parameters. tolerance > 0, in the unit of g:
        what may be exceeded unnoticed. Declares for an upper bound the functional name.over, the
        largest value over the run of g - upper, and for a lower one name.under, that of lower - g: the
        limit is kept where they are at most 0. They are exact as maximum() is. Data: those of the spec,
        name.lower, name.upper. Returns the number of the first of the functionals.

        integrand: g(t, state, data); None if there is none
        terminal: w(t, state, data) at the end time; None if there is none
        data: its own numbers; may be None
        instant: time at which `terminal` is taken, s; 0: the end. At an event or where something jumps
            the motion before counts. Steps of a fixed length must end there, if no signal jumps and there
            are no events; build() must not set the end time then
        points: each once; copied
        reads_accelerations: Of those also accelerations, and all multipliers; without, at.acc and at.lam
            are NAN.
        reads_multipliers: Of those also accelerations, and all multipliers; without, at.acc and at.lam
            are NAN.
        reads_positions_only: at.vel is NAN too, which spares some methods work
        reads: copied
        """
        try:
            s = self.new(CUSTOM_FUNCTIONAL_SPEC)
            _custom_functional_spec(
                self,
                s,
                name,
                unit,
                integrand=integrand,
                terminal=terminal,
                data=data,
                instant=instant,
                points=points,
                reads_accelerations=reads_accelerations,
                reads_multipliers=reads_multipliers,
                reads_positions_only=reads_positions_only,
                reads=reads,
            )
            number = self.lib.gradyn_limit(self.c, s, lower, upper, tolerance)
            return FunctionalId(number, self.token)
        except WRONG as error:
            raise self.misdeclared("limit", locals(), error) from None

    def limit_measure(
        self,
        name: str,
        measure: MeasureId,
        lower: Number,
        upper: Number,
        tolerance: float,
    ) -> FunctionalId:
        """The same of a measure of a mechanism; numbers in its unit."""
        try:
            number = self.lib.gradyn_limit_measure(
                self.c,
                self.text(name),
                self.number_of(measure, MeasureId),
                lower,
                upper,
                tolerance,
            )
            return FunctionalId(number, self.token)
        except WRONG as error:
            raise self.misdeclared("limit_measure", locals(), error) from None

    def limit_signal(
        self,
        name: str,
        signal: SignalId,
        lower: Number,
        upper: Number,
        tolerance: float,
    ) -> FunctionalId:
        """The same of a signal, in its unit: held at its knots, which is all of it where it is constant or
        linear between them.
        """
        try:
            number = self.lib.gradyn_limit_signal(
                self.c,
                self.text(name),
                self.number_of(signal, SignalId),
                lower,
                upper,
                tolerance,
            )
            return FunctionalId(number, self.token)
        except WRONG as error:
            raise self.misdeclared("limit_signal", locals(), error) from None

    def measure_joint(self, name: str, coordinate: CoordinateId, order: int) -> MeasureId:
        """A joint coordinate (order 0, rad or m), its rate (1) or acceleration (2)."""
        try:
            number = self.lib.gradyn_measure_joint(
                self.c,
                self.text(name),
                self.number_of(coordinate, CoordinateId),
                order,
            )
            return MeasureId(number, self.token)
        except WRONG as error:
            raise self.misdeclared("measure_joint", locals(), error) from None

    def measure_point(self, name: str, point: PointId, order: int, axis: Axis) -> MeasureId:
        """A component of a point's position (order 0), velocity (1) or acceleration (2)."""
        try:
            number = self.lib.gradyn_measure_point(
                self.c,
                self.text(name),
                self.number_of(point, PointId),
                order,
                AXIS[axis],
            )
            return MeasureId(number, self.token)
        except WRONG as error:
            raise self.misdeclared("measure_point", locals(), error) from None

    def measure_rotation_rate(self, name: str, body: BodyId, axis: Axis) -> MeasureId:
        """The angular velocity of a body about an axis of the ground, rad/s; in the plane about "z"."""
        try:
            number = self.lib.gradyn_measure_rotation_rate(
                self.c,
                self.text(name),
                self.number_of(body, BodyId),
                AXIS[axis],
            )
            return MeasureId(number, self.token)
        except WRONG as error:
            raise self.misdeclared("measure_rotation_rate", locals(), error) from None

    def measure_joint_force(self, name: str, joint: JointId, axis: Axis) -> MeasureId:
        """What goes through a joint from a to b: the component along x, y or z of frame a of the force on
        b, N, or of the torque on b about its origin, N m, drives, gears, springs and stops on the
        joint's own coordinates included. In the plane forces along x and y, torques about z. Not of
        constant lengths, and no forces where the origins are one point.
        """
        try:
            number = self.lib.gradyn_measure_joint_force(
                self.c,
                self.text(name),
                self.number_of(joint, JointId),
                AXIS[axis],
            )
            return MeasureId(number, self.token)
        except WRONG as error:
            raise self.misdeclared("measure_joint_force", locals(), error) from None

    def measure_joint_torque(self, name: str, joint: JointId, axis: Axis) -> MeasureId:
        """What goes through a joint from a to b: the component along x, y or z of frame a of the force on
        b, N, or of the torque on b about its origin, N m, drives, gears, springs and stops on the
        joint's own coordinates included. In the plane forces along x and y, torques about z. Not of
        constant lengths, and no forces where the origins are one point.
        """
        try:
            number = self.lib.gradyn_measure_joint_torque(
                self.c,
                self.text(name),
                self.number_of(joint, JointId),
                AXIS[axis],
            )
            return MeasureId(number, self.token)
        except WRONG as error:
            raise self.misdeclared("measure_joint_torque", locals(), error) from None

    def measure_effort(self, name: str, force: str) -> MeasureId:
        """What the force called `force`, which has been declared before, does: its effort on the joint
        coordinate that it acts on (first), N or N m; its power on all that it acts on, W, first-order
        states aside.
        """
        try:
            number = self.lib.gradyn_measure_effort(self.c, self.text(name), self.text(force))
            return MeasureId(number, self.token)
        except WRONG as error:
            raise self.misdeclared("measure_effort", locals(), error) from None

    def measure_power(self, name: str, force: str) -> MeasureId:
        """What the force called `force`, which has been declared before, does: its effort on the joint
        coordinate that it acts on (first), N or N m; its power on all that it acts on, W, first-order
        states aside.
        """
        try:
            number = self.lib.gradyn_measure_power(self.c, self.text(name), self.text(force))
            return MeasureId(number, self.token)
        except WRONG as error:
            raise self.misdeclared("measure_power", locals(), error) from None

    def measure_state(self, name: str, state: StateId, order: int) -> MeasureId:
        """A first-order state (order 0) or its rate (1)."""
        try:
            number = self.lib.gradyn_measure_state(
                self.c,
                self.text(name),
                self.number_of(state, StateId),
                order,
            )
            return MeasureId(number, self.token)
        except WRONG as error:
            raise self.misdeclared("measure_state", locals(), error) from None

    def measure_multiplier(self, name: str, constraint: ConstraintId) -> MeasureId:
        """The multiplier of a constraint."""
        try:
            number = self.lib.gradyn_measure_multiplier(
                self.c,
                self.text(name),
                self.number_of(constraint, ConstraintId),
            )
            return MeasureId(number, self.token)
        except WRONG as error:
            raise self.misdeclared("measure_multiplier", locals(), error) from None

    def measure_drive(self, name: str, constraint: ConstraintId) -> MeasureId:
        """What a drive does: of a constraint of drive_joint(), angle(), distance() or coordinate() the
        torque, N m, or force, N, in the direction in which its law grows: on b, on the bar counter-
        clockwise, apart, on the point. Times the rate of the law it is the power of the drive.
        """
        try:
            number = self.lib.gradyn_measure_drive(
                self.c,
                self.text(name),
                self.number_of(constraint, ConstraintId),
            )
            return MeasureId(number, self.token)
        except WRONG as error:
            raise self.misdeclared("measure_drive", locals(), error) from None

    def measure_magnitude(self, name: str, measures: Sequence[MeasureId], smoothing: Number) -> MeasureId:
        """The magnitude of one to four measures of the same unit that have been declared before, such as a
        force's components: sqrt(sum of squares + smoothing^2) - smoothing, with smoothing >= 0 in that
        unit. If it is 0, there is a kink where all of them are zero, and the derivative is taken as 0.
        Datum: name.smoothing.
        """
        try:
            number = self.lib.gradyn_measure_magnitude(
                self.c,
                self.text(name),
                self.several(measures, MeasureId),
                len(measures),
                smoothing,
            )
            return MeasureId(number, self.token)
        except WRONG as error:
            raise self.misdeclared("measure_magnitude", locals(), error) from None

    def measure_formula(
        self,
        name: str,
        unit: str,
        *,
        formula: Union[Function, None] = None,
        of: Union[Sequence[MeasureId], None] = None,
        data: Union[Data, None] = None,
        points: Union[Sequence[VariableId], None] = None,
        reads_accelerations: bool = False,
    ) -> MeasureId:
        """A measure by a formula; the spec is copied. Data: name.<datum>.

        of: measures declared before, at most 4
        data: its own numbers; may be None
        points: each once, at most CUSTOM_POINTS
        """
        try:
            s = self.new(MEASURE_FORMULA_SPEC)
            _measure_formula_spec(
                self,
                s,
                name,
                unit,
                formula=formula,
                of=of,
                data=data,
                points=points,
                reads_accelerations=reads_accelerations,
            )
            number = self.lib.gradyn_measure_formula(self.c, s)
            return MeasureId(number, self.token)
        except WRONG as error:
            raise self.misdeclared("measure_formula", locals(), error) from None

    def track_measure(self, name: str, measure: MeasureId, target: Number) -> FunctionalId:
        """Integral of (measure - target)^2. Data: name.target, in the unit of the measure."""
        try:
            number = self.lib.gradyn_track_measure(
                self.c,
                self.text(name),
                self.number_of(measure, MeasureId),
                target,
            )
            return FunctionalId(number, self.token)
        except WRONG as error:
            raise self.misdeclared("track_measure", locals(), error) from None

    def integral_of_measure(self, name: str, measure: MeasureId) -> FunctionalId:
        """Integral of the measure."""
        try:
            number = self.lib.gradyn_integral_of_measure(
                self.c,
                self.text(name),
                self.number_of(measure, MeasureId),
            )
            return FunctionalId(number, self.token)
        except WRONG as error:
            raise self.misdeclared("integral_of_measure", locals(), error) from None

    def mean_square_of_measure(self, name: str, measure: MeasureId) -> FunctionalId:
        """Integral of its square over the run, divided by the end time."""
        try:
            number = self.lib.gradyn_mean_square_of_measure(
                self.c,
                self.text(name),
                self.number_of(measure, MeasureId),
            )
            return FunctionalId(number, self.token)
        except WRONG as error:
            raise self.misdeclared("mean_square_of_measure", locals(), error) from None

    def measure_at(self, name: str, measure: MeasureId, instant: float) -> FunctionalId:
        """The measure at a time of the run, s; 0: at its end. Steps of a fixed length have to end there."""
        try:
            number = self.lib.gradyn_measure_at(
                self.c,
                self.text(name),
                self.number_of(measure, MeasureId),
                instant,
            )
            return FunctionalId(number, self.token)
        except WRONG as error:
            raise self.misdeclared("measure_at", locals(), error) from None

    def largest_measure(
        self,
        name: str,
        measure: MeasureId,
        allowed: Number,
        sharpness: float,
    ) -> FunctionalId:
        """Kreisselmeier-Steinhauser maximum over the run of measure/allowed (1: just allowed), which has
        no unit; `allowed` is in that of the measure, sharpness at most 600; a negative `allowed` limits
        from below. The second takes the magnitude, allowed > 0. Data: name.allowed.
        """
        try:
            number = self.lib.gradyn_largest_measure(
                self.c,
                self.text(name),
                self.number_of(measure, MeasureId),
                allowed,
                sharpness,
            )
            return FunctionalId(number, self.token)
        except WRONG as error:
            raise self.misdeclared("largest_measure", locals(), error) from None

    def peak_measure(self, name: str, measure: MeasureId, allowed: Number, sharpness: float) -> FunctionalId:
        """Kreisselmeier-Steinhauser maximum over the run of measure/allowed (1: just allowed), which has
        no unit; `allowed` is in that of the measure, sharpness at most 600; a negative `allowed` limits
        from below. The second takes the magnitude, allowed > 0. Data: name.allowed.
        """
        try:
            number = self.lib.gradyn_peak_measure(
                self.c,
                self.text(name),
                self.number_of(measure, MeasureId),
                allowed,
                sharpness,
            )
            return FunctionalId(number, self.token)
        except WRONG as error:
            raise self.misdeclared("peak_measure", locals(), error) from None

    def maximum_of_measure(self, name: str, measure: MeasureId, allowed: Number) -> FunctionalId:
        """The largest value over the run of measure/allowed, and of its magnitude over it, as maximum()
        has it: exact, where the two above lie below. `allowed` is in the unit of the measure. Data:
        name.allowed.
        """
        try:
            number = self.lib.gradyn_maximum_of_measure(
                self.c,
                self.text(name),
                self.number_of(measure, MeasureId),
                allowed,
            )
            return FunctionalId(number, self.token)
        except WRONG as error:
            raise self.misdeclared("maximum_of_measure", locals(), error) from None

    def maximum_of_magnitude(self, name: str, measure: MeasureId, allowed: Number) -> FunctionalId:
        """The largest value over the run of measure/allowed, and of its magnitude over it, as maximum()
        has it: exact, where the two above lie below. `allowed` is in the unit of the measure. Data:
        name.allowed.
        """
        try:
            number = self.lib.gradyn_maximum_of_magnitude(
                self.c,
                self.text(name),
                self.number_of(measure, MeasureId),
                allowed,
            )
            return FunctionalId(number, self.token)
        except WRONG as error:
            raise self.misdeclared("maximum_of_magnitude", locals(), error) from None

    def tyre(
        self,
        name: str,
        wheel: FrameId,
        ground: FrameId,
        *,
        radius: Number = 0,
        stiffness: Number = 0,
        damping: Number = 0,
        rebound: Number = 0,
        critical: Numbers = (),
        friction: Numbers = (),
        relaxation: Numbers = (),
        smoothing: Number = 0,
        slow: Number = 0,
    ) -> ForceId:
        """A tyre: a thin disc that stands on a plane of the ground with a spring and a damper along its
        radius and is held there by friction. Pairs are along the way it rolls, ahead, and across that,
        aside. With the velocity v of the disc where it meets the plane, the speed V of that place, the
        radial force P >= 0 and the sine s of the angle between axle and normal, N = P/s is the force of
        the ground along its normal, and relaxation y' + |V| y = v, eta = y/critical, T = -friction N
        eta/(1 + |eta|^4)^(1/4) are its slips and the forces ahead and aside: linear until eta is near
        1, and never above friction N. Returns its number among the forces. Data: name.radius,
        .stiffness, .damping, .rebound, .critical_ahead, .critical_aside, .friction_ahead, ..,
        .relaxation_ahead, .., .smoothing, .slow; first-order states: name.slip_ahead and
        name.slip_aside, 0 at the start.

        wheel: of a body: its origin is the centre, its axis z the axle
        ground: of the ground: the plane is that of x and y, the wheel is where z points
        radius: m, > 0, where it bears nothing
        stiffness: N/m, > 0, along the radius
        damping: N s/m, >= 0, while it is being pressed in
        rebound: N s/m, >= 0, while it springs back
        critical: slips, > 0, at which linear forces would reach the limit
        friction: coefficients of friction, >= 0
        relaxation: m, > 0: the way on which slips come about
        smoothing: N, > 0, a small part of the loads: up to there the spring sets in
        slow: m/s, > 0, a small part of the speeds: up to there |V| is smooth
        """
        try:
            s = self.new(TYRE_SPEC)
            _tyre_spec(
                self,
                s,
                name,
                wheel,
                ground,
                radius=radius,
                stiffness=stiffness,
                damping=damping,
                rebound=rebound,
                critical=critical,
                friction=friction,
                relaxation=relaxation,
                smoothing=smoothing,
                slow=slow,
            )
            number = self.lib.gradyn_tyre(self.c, s)
            return ForceId(number, self.token)
        except WRONG as error:
            raise self.misdeclared("tyre", locals(), error) from None
