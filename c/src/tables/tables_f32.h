/* tables_f32.h: written by c/tools/fit_f32.py, not by hand. */
#include "table_f32_gelu.h"
#include "table_f32_gelu_grad.h"
#include "table_f32_gelu_tanh.h"
#include "table_f32_gelu_tanh_grad.h"
