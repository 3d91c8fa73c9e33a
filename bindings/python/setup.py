"""Adds the library to the wheel: $QUEVEDO_WHEEL_LIBRARY, if it is set. tools/build-python sets it.

Without it the wheel is for every platform, and uses the system's libquevedo.

SPDX-License-Identifier: MIT
"""
import os
import re
import shutil
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py
from setuptools.dist import Distribution
from wheel.bdist_wheel import bdist_wheel

LIBRARY = os.environ.get("QUEVEDO_WHEEL_LIBRARY", "")
HERE = Path(__file__).resolve().parent


def version() -> str:
    """That of the library: its header in a source tree, or the file VERSION of a source package."""
    header = HERE.parent.parent / "include" / "quevedo.h"
    if (HERE / "VERSION").exists():
        return (HERE / "VERSION").read_text().strip()
    found = re.search(r'#define QV_VERSION "(.*)"', header.read_text())
    assert found, header
    return found.group(1)


class BuildWithLibrary(build_py):
    def run(self) -> None:
        super().run()
        if LIBRARY:
            target = Path(self.build_lib, "quevedo")
            target.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(LIBRARY, target / "libquevedo.so.0")


class WheelForPlatform(bdist_wheel):
    def finalize_options(self) -> None:
        super().finalize_options()
        self.root_is_pure = not LIBRARY

    def get_tag(self) -> "tuple[str, str, str]":
        # The library is called through ctypes, so any Python 3 can use it.
        return "py3", "none", super().get_tag()[2]


class Platform(Distribution):
    def has_ext_modules(self) -> bool:
        return bool(LIBRARY)


setup(
    version=version(),
    distclass=Platform,
    cmdclass={"build_py": BuildWithLibrary, "bdist_wheel": WheelForPlatform},
)
