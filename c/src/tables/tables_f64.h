/* tables_f64.h: written by c/tools/fit_f64.py, not by hand. */
#include "table_f64_exp.h"
#include "table_f64_gelu.h"
#include "table_f64_gelu_grad.h"
#include "table_f64_gelu_tanh.h"
#include "table_f64_gelu_tanh_grad.h"
