"""python3 setup.py build_ext --inplace, or pip install . (see docs/python.md)."""

from setuptools import setup

setup(cffi_modules=["build_extension.py:ffi"])
