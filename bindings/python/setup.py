"""What pyproject.toml cannot say: with the library in the package, a wheel is for one platform.

It holds no code for an interpreter, so it serves all versions of Python.
"""

from pathlib import Path

from setuptools import Distribution, setup

try:
    from setuptools.command.bdist_wheel import bdist_wheel
except ImportError:  # setuptools before 70.1
    from wheel.bdist_wheel import bdist_wheel

HAS_LIBRARY = any(Path(__file__).with_name("overpasskit").glob("liboverpasskit.so*"))


class Binary(Distribution):
    def has_ext_modules(self):
        return HAS_LIBRARY


class Wheel(bdist_wheel):
    def get_tag(self):
        _, _, platform = super().get_tag()
        return "py3", "none", platform


setup(distclass=Binary, cmdclass={"bdist_wheel": Wheel})
