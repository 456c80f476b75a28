/* ffn.c: the feed-forward block of a transformer on the C API of fastgelu,
 *
 *     y = gelu(x * W1 + b1) * W2 + b2
 *
 * with the sizes of a small BERT and weights made up on the spot.  Prints how
 * long the products and the biased GELU took, and how far float is from double. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <fastgelu.h>

enum { TOKENS = 64, MODEL = 384, HIDDEN = 4 * MODEL };

/* A value in [-scale, scale) for the i-th of a sequence, the same everywhere. */
static float noise(size_t i, float scale) {
    uint32_t u = (uint32_t)i * 2654435769u;
    u = (u ^ u >> 15) * 2246822519u;
    return scale * ((float)(u >> 8) * 0x1p-23f - 1);
}

static float *make_array(size_t n, float scale) {
    float *a = malloc(n * sizeof *a);
    if (!a) exit(EXIT_FAILURE);
    for (size_t i = 0; i < n; i++) a[i] = noise(i, scale);
    return a;
}

/* y (rows, outs) = x (rows, ins) * w (ins, outs), plus bias (outs) if there is one */
static void product(size_t rows, size_t ins, size_t outs, const float *x, const float *w,
                    const float *bias, float *y) {
    for (size_t r = 0; r < rows; r++, x += ins, y += outs) {
        for (size_t o = 0; o < outs; o++) y[o] = bias ? bias[o] : 0;
        for (size_t i = 0; i < ins; i++) {
            for (size_t o = 0; o < outs; o++) y[o] += x[i] * w[i * outs + o];
        }
    }
}

/* The largest difference of y from the same block computed in double. */
static double largest_error(const float *x, const float *w1, const float *b1, const float *w2,
                            const float *b2, const float *y) {
    static double hidden[HIDDEN], out[MODEL];
    double largest = 0;
    for (size_t t = 0; t < TOKENS; t++, x += MODEL, y += MODEL) {
        for (size_t h = 0; h < HIDDEN; h++) hidden[h] = b1[h];
        for (size_t i = 0; i < MODEL; i++) {
            for (size_t h = 0; h < HIDDEN; h++) hidden[h] += (double)x[i] * w1[i * HIDDEN + h];
        }
        fastgelu_gelu_f64(HIDDEN, hidden, hidden);
        for (size_t o = 0; o < MODEL; o++) out[o] = b2[o];
        for (size_t h = 0; h < HIDDEN; h++) {
            for (size_t o = 0; o < MODEL; o++) out[o] += hidden[h] * w2[h * MODEL + o];
        }
        for (size_t o = 0; o < MODEL; o++) {
            const double error = out[o] < y[o] ? y[o] - out[o] : out[o] - y[o];
            if (error > largest) largest = error;
        }
    }
    return largest;
}

static double seconds(void) {
    struct timespec now;
    timespec_get(&now, TIME_UTC);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

int main(void) {
    float *x = make_array(TOKENS * MODEL, 1.7f), *y = make_array(TOKENS * MODEL, 0);
    float *w1 = make_array(MODEL * HIDDEN, 0.1f), *b1 = make_array(HIDDEN, 0.5f);
    float *w2 = make_array(HIDDEN * MODEL, 0.1f), *b2 = make_array(MODEL, 0.5f);
    float *hidden = make_array(TOKENS * HIDDEN, 0);

    const double start = seconds();
    product(TOKENS, MODEL, HIDDEN, x, w1, NULL, hidden);
    const double before = seconds();
    for (size_t t = 0; t < TOKENS; t++) { /* in place: hidden = gelu(hidden + b1) */
        float *row = hidden + t * HIDDEN;
        fastgelu_bias_gelu_f32(HIDDEN, row, b1, row);
    }
    const double after = seconds();
    product(TOKENS, HIDDEN, MODEL, hidden, w2, b2, y);
    const double end = seconds();

    printf("fastgelu %s on %s\n", fastgelu_version(), fastgelu_isa());
    printf("%d tokens, %d -> %d -> %d\n", TOKENS, MODEL, HIDDEN, MODEL);
    printf("products %.2f ms, bias and gelu %.3f ms\n", 1e3 * (before - start + end - after),
           1e3 * (after - before));
    printf("y[0] = %.5f %.5f %.5f ...\n", y[0], y[1], y[2]);
    printf("largest difference from double: %.1e\n", largest_error(x, w1, b1, w2, b2, y));

    free(x), free(y), free(w1), free(b1), free(w2), free(b2), free(hidden);
    return 0;
}
