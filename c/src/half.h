/* half.h: float16 and bfloat16 in memory to float32 and back in portable C, for
 * processors without an instruction for it: exact on the way in, rounded once, to nearest
 * even, on the way out.  A NaN becomes quiet and keeps its sign and the top of
 * its payload, as the instructions do it. */
#ifndef FASTGELU_HALF_H
#define FASTGELU_HALF_H

#include "compiler.h"

FG_INLINE float half_to_float(const void *p) {
    uint16_t h;
    float a;
    memcpy(&h, p, sizeof h);
    uint32_t sign = (uint32_t)(h & 0x8000) << 16, size = h & 0x7fff, u;
    if (size > 0x7c00) /* NaN */
        u = 0x7fc00000u | size << 13;
    else if (size == 0x7c00) u = 0x7f800000u;
    else if (size >= 0x0400) u = (size << 13) + (112u << 23);
    else { /* subnormal: size * 2^-24 */ a = (float)size * 0x1p-24f;
        memcpy(&u, &a, sizeof u);
    }
    u |= sign;
    memcpy(&a, &u, sizeof a);
    return a;
}

FG_INLINE void float_to_half(void *p, float a) {
    uint32_t u, h;
    memcpy(&u, &a, sizeof u);
    uint32_t sign = u >> 16 & 0x8000, size = u & 0x7fffffffu;
    if (size > 0x7f800000u) /* NaN */
        h = 0x7e00 | (size >> 13 & 0x3ff);
    else if (size >= 0x477ff000u) /* from 65520 on: infinity */ h = 0x7c00;
    else if (size >= 0x38800000u) /* normal: rounded in the bits */
        h = (size - (112u << 23) + 0xfff + (size >> 13 & 1)) >> 13;
    else if (size >= 0x33000000u) {  /* subnormal: its bits are the multiple of 2^-24 that */
        memcpy(&a, &size, sizeof a); /* remains when the bits of 0.5 + a lose those of 0.5 */
        a += 0.5f;
        memcpy(&h, &a, sizeof h);
        h -= 0x3f000000u;
    } else h = 0;
    uint16_t out = (uint16_t)(sign | h);
    memcpy(p, &out, sizeof out);
}

FG_INLINE float bfloat_to_float(const void *p) {
    uint16_t h;
    float a;
    memcpy(&h, p, sizeof h);
    uint32_t u = (uint32_t)h << 16;
    memcpy(&a, &u, sizeof a);
    return a;
}

FG_INLINE void float_to_bfloat(void *p, float a) {
    uint32_t u;
    memcpy(&u, &a, sizeof u);
    if (a != a) u |= 0x00400000;
    else u += 0x7fff + (u >> 16 & 1);
    uint16_t out = (uint16_t)(u >> 16);
    memcpy(p, &out, sizeof out);
}

#endif
