# from fastgelu cimport gelu_f32: the functions of fastgelu.h, without their prefix.
from fastgelu._fastgelu cimport *
