/* table_f64_exp.h: written by c/tools/fit_f64.py, not by hand. */
const struct fg_exp_f64 fg_exp_f64 = {
    .inverse = 0x1.71547652b82fep+4,
    .step_high = 0x1.62e42fefap-5, .step_low = 0x1.cf79abc9e3b3ap-44,
    .terms = {-0x1p+0, 0x1.0000000000001p-1, -0x1.5555555555556p-3, 0x1.55555554e9468p-5, -0x1.11111110e10a8p-7, 0x1.6c17ed4cc4834p-10, -0x1.a01b0c2edab7cp-13},
    .powers = {
    {0x1p+0, 0.0},
    {0x1.ea4afap-1, 0x1.52486cc2c7b9dp-28},
    {0x1.d5818ep-1, -0x1.822dbc6d12fd3p-28},
    {0x1.c199bep-1, -0x1.3d56b1eeef9a7p-28},
    {0x1.ae89f98p-1, 0x1.5ad3ad5e8734dp-29},
    {0x1.9c4918p-1, 0x1.51f8480e3e236p-28},
    {0x1.8ace54p-1, 0x1.15506dadd3e2bp-28},
    {0x1.7a1147p-1, 0x1.f580c36bea881p-28},
    {0x1.6a09e68p-1, -0x1.80c4336f74d05p-29},
    {0x1.5ab07ep-1, -0x1.5bd5eb539b67fp-28},
    {0x1.4bfdad8p-1, -0x1.64eaec715e343p-28},
    {0x1.3dea65p-1, -0x1.f6e5eee525f6fp-28},
    {0x1.306fe08p-1, 0x1.18db8a96f46adp-28},
    {0x1.2387a7p-1, -0x1.8a9dc7993e052p-29},
    {0x1.172b84p-1, -0x1.c15742919041cp-28},
    {0x1.0b5587p-1, -0x1.833b784eb3a37p-28},
    },
};
