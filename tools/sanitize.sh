#!/usr/bin/env bash
# Builds the package with the address and undefined-behaviour sanitizers into the Python
# environment that is active, and runs pytest there with the arguments given: all Python tests by
# default, which takes long.  gcc, Linux.  It should be an environment made for this, with what
# pyproject.toml asks for to build and to test.
set -euo pipefail
cd "$(dirname "$0")/.."
sanitizers="-fsanitize=address,undefined"
build=$(mktemp -d)
trap 'rm -rf "$build"' EXIT
# A copy, so that no object file of this build is taken for one of an ordinary build.
mkdir "$build/c"
cp -r c/src c/include "$build/c"
cp -r src setup.py pyproject.toml README.md LICENSE "$build"
rm -f "$build"/src/fastgelu/*.so
CC=gcc LDFLAGS="$sanitizers" \
    CFLAGS="-O1 -g -fno-omit-frame-pointer $sanitizers -fno-sanitize-recover=undefined" \
    pip install --no-deps --no-build-isolation --force-reinstall "$build"
# The interpreter is not built this way, so its libraries come first.  Python and NumPy keep memory
# until the end: what counts as a leak cannot be told.  A test that starts processes would start
# them under the sanitizers too; those that measure time measure nothing.
export LD_PRELOAD="$(gcc -print-file-name=libasan.so):$(gcc -print-file-name=libubsan.so)"
export ASAN_OPTIONS=detect_leaks=0 UBSAN_OPTIONS=print_stacktrace=1
python -m fastgelu check
pytest -m "not timing and not build and not subprocess" "$@"
