#!/usr/bin/env bash
# Compiles the C library for platforms that are not here, warnings as errors, by zig's clang (pip install ziglang),
# which brings their headers.  MSVC cannot be had that way: the last one is clang for Windows that, once past the
# system's headers, calls itself MSVC and not GNU C, and so takes the branches that MSVC takes.
set -euo pipefail
cd "$(dirname "$0")/.."
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

flags=(-std=c11 -O1 -ffp-contract=off -Wall -Wextra -Werror -Ic/src -Ic/include)
wide=(-mxsave -mavx2 -mfma -mf16c -mavx512f -mavx512bw -mavx512dq -mavx512vl) # MSVC takes any intrinsic anywhere
cat >"$scratch/msvc.h" <<'EOF'
#include <fenv.h>
#include <float.h>
#include <immintrin.h>
#include <intrin.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <windows.h>
#undef __GNUC__
#undef __clang__
#undef __forceinline
#undef far
#undef near
#define _MSC_VER 1940
#define _M_X64 100
#define __INTRIN_H // or clang would declare its intrinsics again, as MSVC has them
void __cpuidex(int registers[4], int leaf, int subleaf);
EOF
msvc=(-include "$scratch/msvc.h" -fms-extensions -Wno-unknown-pragmas "${wide[@]}")

compile() {
    local name=$1
    shift
    for file in c/src/*.c; do
        python3 -m ziglang cc "${flags[@]}" "$@" -c "$file" -o "$scratch/out.o"
    done
    echo "compiled for $name"
}
for target in aarch64-macos x86_64-macos aarch64-windows-gnu x86_64-windows-gnu \
    riscv64-linux-gnu powerpc64le-linux-gnu s390x-linux-gnu; do
    compile "$target" -target "$target"
done
compile "MSVC's branches" -target x86_64-windows-gnu "${msvc[@]}"
