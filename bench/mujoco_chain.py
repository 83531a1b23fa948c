#!/usr/bin/env python3
"""A chain of eight uniform links, let go from the horizontal, for 1 s: processor time to have its tip to 5e-7 m by
MuJoCo's RK4, with the longest steps of 1/(40 k) s that do, and by bench_chain_tip, in turn.

Usage: mujoco_chain.py BENCH_CHAIN_TIP [ROUNDS], with MuJoCo among Python's modules."""
import subprocess
import sys
import time

import mujoco
import numpy

LINKS, LENGTH, MASS, WANTED = 8, 1.0, 2.0, 5e-7


def chain() -> mujoco.MjModel:
    length, mass = LENGTH / LINKS, MASS / LINKS
    across = mass * length**2 / 12
    text = '<mujoco><option gravity="0 0 -9.81" integrator="RK4">'
    text += '<flag contact="disable" constraint="disable"/></option><worldbody>'
    for k in range(LINKS):
        text += f'<body pos="{length if k else 0} 0 0"><joint type="hinge" axis="0 -1 0"/>'
        text += f'<inertial pos="{length / 2} 0 0" mass="{mass}" diaginertia="1e-9 {across} {across}"/>'
    text += f'<site name="tip" pos="{length} 0 0"/>' + "</body>" * LINKS + "</worldbody></mujoco>"
    return mujoco.MjModel.from_xml_string(text)


MODEL = chain()
STATE = mujoco.MjData(MODEL)


def march(steps: int) -> tuple[numpy.ndarray, float]:
    """The position of the tip, and the processor time."""
    MODEL.opt.timestep = 1 / steps
    mujoco.mj_resetData(MODEL, STATE)
    began = time.process_time()
    mujoco.mj_step(MODEL, STATE, nstep=steps)
    took = time.process_time() - began
    mujoco.mj_forward(MODEL, STATE)
    return STATE.site_xpos[0][[0, 2]].copy(), took


if __name__ == "__main__":
    right, _ = march(64000)
    steps = 40
    while abs(march(steps)[0] - right).max() > WANTED:
        steps += 40
    off = abs(march(steps)[0] - right).max()
    for _ in range(int(sys.argv[2]) if len(sys.argv) > 2 else 5):
        took = numpy.median([march(steps)[1] for _ in range(31)])
        print(f"MuJoCo {mujoco.__version__}: {steps} steps, {off:.1e} m off, {1e3 * took:.3f} ms")
        for coordinates in ("joint", "natural"):
            print(subprocess.run([sys.argv[1], coordinates], capture_output=True, text=True, check=True).stdout, end="")
