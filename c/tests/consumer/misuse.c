/* misuse.c: makes the mistake that its argument names; a debug build of the
 * library must stop with an assertion.  "none" makes none. */
#include <string.h>

#include <fastgelu.h>

int main(int argc, char **argv) {
    static float a[64];
    const char *mistake = argc > 1 ? argv[1] : "";
    if (!strcmp(mistake, "null")) fastgelu_gelu_f32(1, NULL, a);
    else if (!strcmp(mistake, "null-result")) fastgelu_gelu_f32(1, a, NULL);
    else if (!strcmp(mistake, "shifted")) fastgelu_gelu_f32(8, a, a + 1);
    else if (!strcmp(mistake, "reversed")) fastgelu_gelu_f32_strided(8, a, 4, a + 7, -4);
    else if (!strcmp(mistake, "one-result")) fastgelu_gelu_f32_strided(8, a, 4, a + 9, 0);
    else if (!strcmp(mistake, "broadcast")) fastgelu_gelu_f32_strided(8, a + 7, 0, a, 4);
    else if (!strcmp(mistake, "crossing")) fastgelu_gelu_f32_strided(8, a, 8, a + 14, 12);
    else if (!strcmp(mistake, "none")) {
        fastgelu_gelu_f32(8, a, a);
        fastgelu_gelu_f32(8, a, a + 8);
        fastgelu_gelu_f32_strided(8, a, 8, a + 1, 8);
        fastgelu_gelu_f32_strided(8, a + 14, -8, a + 1, 8);
        fastgelu_gelu_f32_strided(8, a + 8, 0, a, 4);
        fastgelu_gelu_f32_strided(8, a, 8, a + 17, 12);
        fastgelu_gelu_f32_strided(1, a, 0, a + 1, 0);
        fastgelu_gelu_f32(0, NULL, NULL);
    } else return 2;
    return 0;
}
