#!/usr/bin/env bash
# Makes a root directory with a Python that is linked to musl, not glibc, where musllinux wheels run:
#
#   tools/musl_root.sh x86_64|aarch64 DIRECTORY
#
# musl and the sources of Python, zlib and libffi are Debian's; zig's clang (`pip install ziglang`) compiles them; NumPy
# and pytest are PyPI's wheels.  The python3 that runs this must be of the same version as Debian's, which is what
# CPython asks of a cross-build.  Ten minutes.
set -euo pipefail
. "$(dirname "$0")/private_apt.sh"
architecture=$1
root=$(realpath -m "$2")
host=$architecture-linux-musl
build_python=$(command -v python3)
version=$(python3 -c 'import sys; print("%d.%d" % sys.version_info[:2])')
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

declare -A debian=([x86_64]=amd64 [aarch64]=arm64)
# NumPy's wheels bring libraries with relative relocations (RELR), which musl knows from 1.2.4 on.
"$(dirname "$0")/sysroot.sh" "${debian[$architecture]}" "$root" trixie musl
mkdir -p "$root/lib"
ln -sf "../usr/lib/$host/libc.so" "$root/lib/ld-musl-$architecture.so.1"

cd "$scratch"
private_apt "$scratch/apt" "${debian[$architecture]}" "$debian_release" deb-src
private_apt_get source --tar-only "python$version" zlib libffi
for archive in *.orig.tar.*; do
    tar -xf "$archive"
done

zig="$build_python -m ziglang"
# -nostdinc: or zig, asked by CPython, names the headers of this system.
export CC="$zig cc -target $host -nostdinc" AR="$zig ar" RANLIB="$zig ranlib" READELF=/usr/bin/readelf
# -fPIC: without it the program gets copies of libc's variables, and the two environ part.
export CFLAGS="-O2 -g0 -fPIC -Wno-date-time"
export CPPFLAGS="-I$scratch/libraries/include" LDFLAGS="-dynamic -L$scratch/libraries/lib"
mkdir -p libraries/{include,lib}
(
    cd zlib-*
    CHOST=$host ./configure --static
    make libz.a
    cp zlib.h zconf.h ../libraries/include
    cp libz.a ../libraries/lib
)
(
    cd libffi-*
    ./configure --host="$host" --prefix="$scratch/libraries" --disable-docs --disable-exec-static-tramp \
        --disable-multi-os-directory --disable-shared --with-pic
    make install
)
(
    cd Python-*
    # The build's name is not this system's: by it CPython knows musl.  Then what only a run could find out.
    ./configure --build="$(uname -m)-build-linux-musl" --host="$host" --with-build-python="$build_python" \
        --prefix="$root/usr" --disable-test-modules --without-ensurepip \
        ac_cv_file__dev_ptmx=yes ac_cv_file__dev_ptc=no ac_cv_buggy_getaddrinfo=no
    make "-j$(nproc)"
    make install
)
python3 -m pip install --quiet --only-binary=:all: --target "$root/usr/lib/python$version/site-packages" \
    --python-version "$version" --platform "musllinux_1_1_$architecture" --platform "musllinux_1_2_$architecture" \
    hypothesis mpmath numpy pytest
