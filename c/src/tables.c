/* tables.c: the coefficient tables of every function. */
#include "tables.h"

#include "tables/tables_f32.h"
#include "tables/tables_f64.h"
#include "tables/tables_half.h"
