# The C functions of fastgelu for cimport.  Written by tools/write_cython.py.
from libc.stdint cimport uint16_t

cdef void gelu_f16(size_t n, const uint16_t *x, uint16_t *y) noexcept nogil
cdef void gelu_f32(size_t n, const float *x, float *y) noexcept nogil
cdef void gelu_f64(size_t n, const double *x, double *y) noexcept nogil
cdef void gelu_bf16(size_t n, const uint16_t *x, uint16_t *y) noexcept nogil
cdef void gelu_tanh_f16(size_t n, const uint16_t *x, uint16_t *y) noexcept nogil
cdef void gelu_tanh_f32(size_t n, const float *x, float *y) noexcept nogil
cdef void gelu_tanh_f64(size_t n, const double *x, double *y) noexcept nogil
cdef void gelu_tanh_bf16(size_t n, const uint16_t *x, uint16_t *y) noexcept nogil
cdef void gelu_grad_f16(size_t n, const uint16_t *x, uint16_t *y) noexcept nogil
cdef void gelu_grad_f32(size_t n, const float *x, float *y) noexcept nogil
cdef void gelu_grad_f64(size_t n, const double *x, double *y) noexcept nogil
cdef void gelu_grad_bf16(size_t n, const uint16_t *x, uint16_t *y) noexcept nogil
cdef void gelu_tanh_grad_f16(size_t n, const uint16_t *x, uint16_t *y) noexcept nogil
cdef void gelu_tanh_grad_f32(size_t n, const float *x, float *y) noexcept nogil
cdef void gelu_tanh_grad_f64(size_t n, const double *x, double *y) noexcept nogil
cdef void gelu_tanh_grad_bf16(size_t n, const uint16_t *x, uint16_t *y) noexcept nogil
cdef void quick_gelu_f16(size_t n, const uint16_t *x, uint16_t *y) noexcept nogil
cdef void quick_gelu_f32(size_t n, const float *x, float *y) noexcept nogil
cdef void quick_gelu_f64(size_t n, const double *x, double *y) noexcept nogil
cdef void quick_gelu_bf16(size_t n, const uint16_t *x, uint16_t *y) noexcept nogil
cdef void quick_gelu_grad_f16(size_t n, const uint16_t *x, uint16_t *y) noexcept nogil
cdef void quick_gelu_grad_f32(size_t n, const float *x, float *y) noexcept nogil
cdef void quick_gelu_grad_f64(size_t n, const double *x, double *y) noexcept nogil
cdef void quick_gelu_grad_bf16(size_t n, const uint16_t *x, uint16_t *y) noexcept nogil
cdef void silu_f16(size_t n, const uint16_t *x, uint16_t *y) noexcept nogil
cdef void silu_f32(size_t n, const float *x, float *y) noexcept nogil
cdef void silu_f64(size_t n, const double *x, double *y) noexcept nogil
cdef void silu_bf16(size_t n, const uint16_t *x, uint16_t *y) noexcept nogil
cdef void silu_grad_f16(size_t n, const uint16_t *x, uint16_t *y) noexcept nogil
cdef void silu_grad_f32(size_t n, const float *x, float *y) noexcept nogil
cdef void silu_grad_f64(size_t n, const double *x, double *y) noexcept nogil
cdef void silu_grad_bf16(size_t n, const uint16_t *x, uint16_t *y) noexcept nogil
cdef void sigmoid_f16(size_t n, const uint16_t *x, uint16_t *y) noexcept nogil
cdef void sigmoid_f32(size_t n, const float *x, float *y) noexcept nogil
cdef void sigmoid_f64(size_t n, const double *x, double *y) noexcept nogil
cdef void sigmoid_bf16(size_t n, const uint16_t *x, uint16_t *y) noexcept nogil
cdef void sigmoid_grad_f16(size_t n, const uint16_t *x, uint16_t *y) noexcept nogil
cdef void sigmoid_grad_f32(size_t n, const float *x, float *y) noexcept nogil
cdef void sigmoid_grad_f64(size_t n, const double *x, double *y) noexcept nogil
cdef void sigmoid_grad_bf16(size_t n, const uint16_t *x, uint16_t *y) noexcept nogil
cdef void normal_cdf_f16(size_t n, const uint16_t *x, uint16_t *y) noexcept nogil
cdef void normal_cdf_f32(size_t n, const float *x, float *y) noexcept nogil
cdef void normal_cdf_f64(size_t n, const double *x, double *y) noexcept nogil
cdef void normal_cdf_bf16(size_t n, const uint16_t *x, uint16_t *y) noexcept nogil
cdef void normal_cdf_grad_f16(size_t n, const uint16_t *x, uint16_t *y) noexcept nogil
cdef void normal_cdf_grad_f32(size_t n, const float *x, float *y) noexcept nogil
cdef void normal_cdf_grad_f64(size_t n, const double *x, double *y) noexcept nogil
cdef void normal_cdf_grad_bf16(size_t n, const uint16_t *x, uint16_t *y) noexcept nogil
cdef void relu_f16(size_t n, const uint16_t *x, uint16_t *y) noexcept nogil
cdef void relu_f32(size_t n, const float *x, float *y) noexcept nogil
cdef void relu_f64(size_t n, const double *x, double *y) noexcept nogil
cdef void relu_bf16(size_t n, const uint16_t *x, uint16_t *y) noexcept nogil
cdef void relu_grad_f16(size_t n, const uint16_t *x, uint16_t *y) noexcept nogil
cdef void relu_grad_f32(size_t n, const float *x, float *y) noexcept nogil
cdef void relu_grad_f64(size_t n, const double *x, double *y) noexcept nogil
cdef void relu_grad_bf16(size_t n, const uint16_t *x, uint16_t *y) noexcept nogil
cdef void leaky_relu_f16(size_t n, const uint16_t *x, const uint16_t *negative_slope, uint16_t *y) noexcept nogil
cdef void leaky_relu_f32(size_t n, const float *x, const float *negative_slope, float *y) noexcept nogil
cdef void leaky_relu_f64(size_t n, const double *x, const double *negative_slope, double *y) noexcept nogil
cdef void leaky_relu_bf16(size_t n, const uint16_t *x, const uint16_t *negative_slope, uint16_t *y) noexcept nogil
cdef void leaky_relu_grad_f16(size_t n, const uint16_t *x, const uint16_t *negative_slope, uint16_t *y) noexcept nogil
cdef void leaky_relu_grad_f32(size_t n, const float *x, const float *negative_slope, float *y) noexcept nogil
cdef void leaky_relu_grad_f64(size_t n, const double *x, const double *negative_slope, double *y) noexcept nogil
cdef void leaky_relu_grad_bf16(size_t n, const uint16_t *x, const uint16_t *negative_slope, uint16_t *y) noexcept nogil
cdef void elu_f16(size_t n, const uint16_t *x, const uint16_t *alpha, uint16_t *y) noexcept nogil
cdef void elu_f32(size_t n, const float *x, const float *alpha, float *y) noexcept nogil
cdef void elu_f64(size_t n, const double *x, const double *alpha, double *y) noexcept nogil
cdef void elu_bf16(size_t n, const uint16_t *x, const uint16_t *alpha, uint16_t *y) noexcept nogil
cdef void elu_grad_f16(size_t n, const uint16_t *x, const uint16_t *alpha, uint16_t *y) noexcept nogil
cdef void elu_grad_f32(size_t n, const float *x, const float *alpha, float *y) noexcept nogil
cdef void elu_grad_f64(size_t n, const double *x, const double *alpha, double *y) noexcept nogil
cdef void elu_grad_bf16(size_t n, const uint16_t *x, const uint16_t *alpha, uint16_t *y) noexcept nogil
cdef void bias_gelu_f16(size_t n, const uint16_t *x, const uint16_t *bias, uint16_t *y) noexcept nogil
cdef void bias_gelu_f32(size_t n, const float *x, const float *bias, float *y) noexcept nogil
cdef void bias_gelu_f64(size_t n, const double *x, const double *bias, double *y) noexcept nogil
cdef void bias_gelu_bf16(size_t n, const uint16_t *x, const uint16_t *bias, uint16_t *y) noexcept nogil
cdef void bias_gelu_tanh_f16(size_t n, const uint16_t *x, const uint16_t *bias, uint16_t *y) noexcept nogil
cdef void bias_gelu_tanh_f32(size_t n, const float *x, const float *bias, float *y) noexcept nogil
cdef void bias_gelu_tanh_f64(size_t n, const double *x, const double *bias, double *y) noexcept nogil
cdef void bias_gelu_tanh_bf16(size_t n, const uint16_t *x, const uint16_t *bias, uint16_t *y) noexcept nogil
cdef void gelu_backward_f16(size_t n, const uint16_t *dy, const uint16_t *x, uint16_t *dx) noexcept nogil
cdef void gelu_backward_f32(size_t n, const float *dy, const float *x, float *dx) noexcept nogil
cdef void gelu_backward_f64(size_t n, const double *dy, const double *x, double *dx) noexcept nogil
cdef void gelu_backward_bf16(size_t n, const uint16_t *dy, const uint16_t *x, uint16_t *dx) noexcept nogil
cdef void gelu_tanh_backward_f16(size_t n, const uint16_t *dy, const uint16_t *x, uint16_t *dx) noexcept nogil
cdef void gelu_tanh_backward_f32(size_t n, const float *dy, const float *x, float *dx) noexcept nogil
cdef void gelu_tanh_backward_f64(size_t n, const double *dy, const double *x, double *dx) noexcept nogil
cdef void gelu_tanh_backward_bf16(size_t n, const uint16_t *dy, const uint16_t *x, uint16_t *dx) noexcept nogil
cdef void quick_gelu_backward_f16(size_t n, const uint16_t *dy, const uint16_t *x, uint16_t *dx) noexcept nogil
cdef void quick_gelu_backward_f32(size_t n, const float *dy, const float *x, float *dx) noexcept nogil
cdef void quick_gelu_backward_f64(size_t n, const double *dy, const double *x, double *dx) noexcept nogil
cdef void quick_gelu_backward_bf16(size_t n, const uint16_t *dy, const uint16_t *x, uint16_t *dx) noexcept nogil
cdef void silu_backward_f16(size_t n, const uint16_t *dy, const uint16_t *x, uint16_t *dx) noexcept nogil
cdef void silu_backward_f32(size_t n, const float *dy, const float *x, float *dx) noexcept nogil
cdef void silu_backward_f64(size_t n, const double *dy, const double *x, double *dx) noexcept nogil
cdef void silu_backward_bf16(size_t n, const uint16_t *dy, const uint16_t *x, uint16_t *dx) noexcept nogil
cdef void geglu_f16(size_t n, const uint16_t *gate, const uint16_t *up, uint16_t *y) noexcept nogil
cdef void geglu_f32(size_t n, const float *gate, const float *up, float *y) noexcept nogil
cdef void geglu_f64(size_t n, const double *gate, const double *up, double *y) noexcept nogil
cdef void geglu_bf16(size_t n, const uint16_t *gate, const uint16_t *up, uint16_t *y) noexcept nogil
cdef void geglu_tanh_f16(size_t n, const uint16_t *gate, const uint16_t *up, uint16_t *y) noexcept nogil
cdef void geglu_tanh_f32(size_t n, const float *gate, const float *up, float *y) noexcept nogil
cdef void geglu_tanh_f64(size_t n, const double *gate, const double *up, double *y) noexcept nogil
cdef void geglu_tanh_bf16(size_t n, const uint16_t *gate, const uint16_t *up, uint16_t *y) noexcept nogil
cdef void swiglu_f16(size_t n, const uint16_t *gate, const uint16_t *up, uint16_t *y) noexcept nogil
cdef void swiglu_f32(size_t n, const float *gate, const float *up, float *y) noexcept nogil
cdef void swiglu_f64(size_t n, const double *gate, const double *up, double *y) noexcept nogil
cdef void swiglu_bf16(size_t n, const uint16_t *gate, const uint16_t *up, uint16_t *y) noexcept nogil
cdef void reglu_f16(size_t n, const uint16_t *gate, const uint16_t *up, uint16_t *y) noexcept nogil
cdef void reglu_f32(size_t n, const float *gate, const float *up, float *y) noexcept nogil
cdef void reglu_f64(size_t n, const double *gate, const double *up, double *y) noexcept nogil
cdef void reglu_bf16(size_t n, const uint16_t *gate, const uint16_t *up, uint16_t *y) noexcept nogil
cdef void glu_f16(size_t n, const uint16_t *gate, const uint16_t *up, uint16_t *y) noexcept nogil
cdef void glu_f32(size_t n, const float *gate, const float *up, float *y) noexcept nogil
cdef void glu_f64(size_t n, const double *gate, const double *up, double *y) noexcept nogil
cdef void glu_bf16(size_t n, const uint16_t *gate, const uint16_t *up, uint16_t *y) noexcept nogil
cdef void geglu_backward_f16(size_t n, const uint16_t *dy, const uint16_t *gate, const uint16_t *up, uint16_t *dgate, uint16_t *dup) noexcept nogil
cdef void geglu_backward_f32(size_t n, const float *dy, const float *gate, const float *up, float *dgate, float *dup) noexcept nogil
cdef void geglu_backward_f64(size_t n, const double *dy, const double *gate, const double *up, double *dgate, double *dup) noexcept nogil
cdef void geglu_backward_bf16(size_t n, const uint16_t *dy, const uint16_t *gate, const uint16_t *up, uint16_t *dgate, uint16_t *dup) noexcept nogil
cdef void geglu_tanh_backward_f16(size_t n, const uint16_t *dy, const uint16_t *gate, const uint16_t *up, uint16_t *dgate, uint16_t *dup) noexcept nogil
cdef void geglu_tanh_backward_f32(size_t n, const float *dy, const float *gate, const float *up, float *dgate, float *dup) noexcept nogil
cdef void geglu_tanh_backward_f64(size_t n, const double *dy, const double *gate, const double *up, double *dgate, double *dup) noexcept nogil
cdef void geglu_tanh_backward_bf16(size_t n, const uint16_t *dy, const uint16_t *gate, const uint16_t *up, uint16_t *dgate, uint16_t *dup) noexcept nogil
cdef void swiglu_backward_f16(size_t n, const uint16_t *dy, const uint16_t *gate, const uint16_t *up, uint16_t *dgate, uint16_t *dup) noexcept nogil
cdef void swiglu_backward_f32(size_t n, const float *dy, const float *gate, const float *up, float *dgate, float *dup) noexcept nogil
cdef void swiglu_backward_f64(size_t n, const double *dy, const double *gate, const double *up, double *dgate, double *dup) noexcept nogil
cdef void swiglu_backward_bf16(size_t n, const uint16_t *dy, const uint16_t *gate, const uint16_t *up, uint16_t *dgate, uint16_t *dup) noexcept nogil
cdef void reglu_backward_f16(size_t n, const uint16_t *dy, const uint16_t *gate, const uint16_t *up, uint16_t *dgate, uint16_t *dup) noexcept nogil
cdef void reglu_backward_f32(size_t n, const float *dy, const float *gate, const float *up, float *dgate, float *dup) noexcept nogil
cdef void reglu_backward_f64(size_t n, const double *dy, const double *gate, const double *up, double *dgate, double *dup) noexcept nogil
cdef void reglu_backward_bf16(size_t n, const uint16_t *dy, const uint16_t *gate, const uint16_t *up, uint16_t *dgate, uint16_t *dup) noexcept nogil
cdef void glu_backward_f16(size_t n, const uint16_t *dy, const uint16_t *gate, const uint16_t *up, uint16_t *dgate, uint16_t *dup) noexcept nogil
cdef void glu_backward_f32(size_t n, const float *dy, const float *gate, const float *up, float *dgate, float *dup) noexcept nogil
cdef void glu_backward_f64(size_t n, const double *dy, const double *gate, const double *up, double *dgate, double *dup) noexcept nogil
cdef void glu_backward_bf16(size_t n, const uint16_t *dy, const uint16_t *gate, const uint16_t *up, uint16_t *dgate, uint16_t *dup) noexcept nogil
cdef void gelu_f16_strided(size_t n, const uint16_t *x, ptrdiff_t x_stride, uint16_t *y, ptrdiff_t y_stride) noexcept nogil
cdef void gelu_f32_strided(size_t n, const float *x, ptrdiff_t x_stride, float *y, ptrdiff_t y_stride) noexcept nogil
cdef void gelu_f64_strided(size_t n, const double *x, ptrdiff_t x_stride, double *y, ptrdiff_t y_stride) noexcept nogil
cdef void gelu_bf16_strided(size_t n, const uint16_t *x, ptrdiff_t x_stride, uint16_t *y, ptrdiff_t y_stride) noexcept nogil
cdef void gelu_tanh_f16_strided(size_t n, const uint16_t *x, ptrdiff_t x_stride, uint16_t *y, ptrdiff_t y_stride) noexcept nogil
cdef void gelu_tanh_f32_strided(size_t n, const float *x, ptrdiff_t x_stride, float *y, ptrdiff_t y_stride) noexcept nogil
cdef void gelu_tanh_f64_strided(size_t n, const double *x, ptrdiff_t x_stride, double *y, ptrdiff_t y_stride) noexcept nogil
cdef void gelu_tanh_bf16_strided(size_t n, const uint16_t *x, ptrdiff_t x_stride, uint16_t *y, ptrdiff_t y_stride) noexcept nogil
cdef void gelu_grad_f16_strided(size_t n, const uint16_t *x, ptrdiff_t x_stride, uint16_t *y, ptrdiff_t y_stride) noexcept nogil
cdef void gelu_grad_f32_strided(size_t n, const float *x, ptrdiff_t x_stride, float *y, ptrdiff_t y_stride) noexcept nogil
cdef void gelu_grad_f64_strided(size_t n, const double *x, ptrdiff_t x_stride, double *y, ptrdiff_t y_stride) noexcept nogil
cdef void gelu_grad_bf16_strided(size_t n, const uint16_t *x, ptrdiff_t x_stride, uint16_t *y, ptrdiff_t y_stride) noexcept nogil
cdef void gelu_tanh_grad_f16_strided(size_t n, const uint16_t *x, ptrdiff_t x_stride, uint16_t *y, ptrdiff_t y_stride) noexcept nogil
cdef void gelu_tanh_grad_f32_strided(size_t n, const float *x, ptrdiff_t x_stride, float *y, ptrdiff_t y_stride) noexcept nogil
cdef void gelu_tanh_grad_f64_strided(size_t n, const double *x, ptrdiff_t x_stride, double *y, ptrdiff_t y_stride) noexcept nogil
cdef void gelu_tanh_grad_bf16_strided(size_t n, const uint16_t *x, ptrdiff_t x_stride, uint16_t *y, ptrdiff_t y_stride) noexcept nogil
cdef void quick_gelu_f16_strided(size_t n, const uint16_t *x, ptrdiff_t x_stride, uint16_t *y, ptrdiff_t y_stride) noexcept nogil
cdef void quick_gelu_f32_strided(size_t n, const float *x, ptrdiff_t x_stride, float *y, ptrdiff_t y_stride) noexcept nogil
cdef void quick_gelu_f64_strided(size_t n, const double *x, ptrdiff_t x_stride, double *y, ptrdiff_t y_stride) noexcept nogil
cdef void quick_gelu_bf16_strided(size_t n, const uint16_t *x, ptrdiff_t x_stride, uint16_t *y, ptrdiff_t y_stride) noexcept nogil
cdef void quick_gelu_grad_f16_strided(size_t n, const uint16_t *x, ptrdiff_t x_stride, uint16_t *y, ptrdiff_t y_stride) noexcept nogil
cdef void quick_gelu_grad_f32_strided(size_t n, const float *x, ptrdiff_t x_stride, float *y, ptrdiff_t y_stride) noexcept nogil
cdef void quick_gelu_grad_f64_strided(size_t n, const double *x, ptrdiff_t x_stride, double *y, ptrdiff_t y_stride) noexcept nogil
cdef void quick_gelu_grad_bf16_strided(size_t n, const uint16_t *x, ptrdiff_t x_stride, uint16_t *y, ptrdiff_t y_stride) noexcept nogil
cdef void silu_f16_strided(size_t n, const uint16_t *x, ptrdiff_t x_stride, uint16_t *y, ptrdiff_t y_stride) noexcept nogil
cdef void silu_f32_strided(size_t n, const float *x, ptrdiff_t x_stride, float *y, ptrdiff_t y_stride) noexcept nogil
cdef void silu_f64_strided(size_t n, const double *x, ptrdiff_t x_stride, double *y, ptrdiff_t y_stride) noexcept nogil
cdef void silu_bf16_strided(size_t n, const uint16_t *x, ptrdiff_t x_stride, uint16_t *y, ptrdiff_t y_stride) noexcept nogil
cdef void silu_grad_f16_strided(size_t n, const uint16_t *x, ptrdiff_t x_stride, uint16_t *y, ptrdiff_t y_stride) noexcept nogil
cdef void silu_grad_f32_strided(size_t n, const float *x, ptrdiff_t x_stride, float *y, ptrdiff_t y_stride) noexcept nogil
cdef void silu_grad_f64_strided(size_t n, const double *x, ptrdiff_t x_stride, double *y, ptrdiff_t y_stride) noexcept nogil
cdef void silu_grad_bf16_strided(size_t n, const uint16_t *x, ptrdiff_t x_stride, uint16_t *y, ptrdiff_t y_stride) noexcept nogil
cdef void sigmoid_f16_strided(size_t n, const uint16_t *x, ptrdiff_t x_stride, uint16_t *y, ptrdiff_t y_stride) noexcept nogil
cdef void sigmoid_f32_strided(size_t n, const float *x, ptrdiff_t x_stride, float *y, ptrdiff_t y_stride) noexcept nogil
cdef void sigmoid_f64_strided(size_t n, const double *x, ptrdiff_t x_stride, double *y, ptrdiff_t y_stride) noexcept nogil
cdef void sigmoid_bf16_strided(size_t n, const uint16_t *x, ptrdiff_t x_stride, uint16_t *y, ptrdiff_t y_stride) noexcept nogil
cdef void sigmoid_grad_f16_strided(size_t n, const uint16_t *x, ptrdiff_t x_stride, uint16_t *y, ptrdiff_t y_stride) noexcept nogil
cdef void sigmoid_grad_f32_strided(size_t n, const float *x, ptrdiff_t x_stride, float *y, ptrdiff_t y_stride) noexcept nogil
cdef void sigmoid_grad_f64_strided(size_t n, const double *x, ptrdiff_t x_stride, double *y, ptrdiff_t y_stride) noexcept nogil
cdef void sigmoid_grad_bf16_strided(size_t n, const uint16_t *x, ptrdiff_t x_stride, uint16_t *y, ptrdiff_t y_stride) noexcept nogil
cdef void normal_cdf_f16_strided(size_t n, const uint16_t *x, ptrdiff_t x_stride, uint16_t *y, ptrdiff_t y_stride) noexcept nogil
cdef void normal_cdf_f32_strided(size_t n, const float *x, ptrdiff_t x_stride, float *y, ptrdiff_t y_stride) noexcept nogil
cdef void normal_cdf_f64_strided(size_t n, const double *x, ptrdiff_t x_stride, double *y, ptrdiff_t y_stride) noexcept nogil
cdef void normal_cdf_bf16_strided(size_t n, const uint16_t *x, ptrdiff_t x_stride, uint16_t *y, ptrdiff_t y_stride) noexcept nogil
cdef void normal_cdf_grad_f16_strided(size_t n, const uint16_t *x, ptrdiff_t x_stride, uint16_t *y, ptrdiff_t y_stride) noexcept nogil
cdef void normal_cdf_grad_f32_strided(size_t n, const float *x, ptrdiff_t x_stride, float *y, ptrdiff_t y_stride) noexcept nogil
cdef void normal_cdf_grad_f64_strided(size_t n, const double *x, ptrdiff_t x_stride, double *y, ptrdiff_t y_stride) noexcept nogil
cdef void normal_cdf_grad_bf16_strided(size_t n, const uint16_t *x, ptrdiff_t x_stride, uint16_t *y, ptrdiff_t y_stride) noexcept nogil
cdef void relu_f16_strided(size_t n, const uint16_t *x, ptrdiff_t x_stride, uint16_t *y, ptrdiff_t y_stride) noexcept nogil
cdef void relu_f32_strided(size_t n, const float *x, ptrdiff_t x_stride, float *y, ptrdiff_t y_stride) noexcept nogil
cdef void relu_f64_strided(size_t n, const double *x, ptrdiff_t x_stride, double *y, ptrdiff_t y_stride) noexcept nogil
cdef void relu_bf16_strided(size_t n, const uint16_t *x, ptrdiff_t x_stride, uint16_t *y, ptrdiff_t y_stride) noexcept nogil
cdef void relu_grad_f16_strided(size_t n, const uint16_t *x, ptrdiff_t x_stride, uint16_t *y, ptrdiff_t y_stride) noexcept nogil
cdef void relu_grad_f32_strided(size_t n, const float *x, ptrdiff_t x_stride, float *y, ptrdiff_t y_stride) noexcept nogil
cdef void relu_grad_f64_strided(size_t n, const double *x, ptrdiff_t x_stride, double *y, ptrdiff_t y_stride) noexcept nogil
cdef void relu_grad_bf16_strided(size_t n, const uint16_t *x, ptrdiff_t x_stride, uint16_t *y, ptrdiff_t y_stride) noexcept nogil
cdef void leaky_relu_f16_strided(size_t n, const uint16_t *x, ptrdiff_t x_stride, const uint16_t *negative_slope, ptrdiff_t negative_slope_stride, uint16_t *y, ptrdiff_t y_stride) noexcept nogil
cdef void leaky_relu_f32_strided(size_t n, const float *x, ptrdiff_t x_stride, const float *negative_slope, ptrdiff_t negative_slope_stride, float *y, ptrdiff_t y_stride) noexcept nogil
cdef void leaky_relu_f64_strided(size_t n, const double *x, ptrdiff_t x_stride, const double *negative_slope, ptrdiff_t negative_slope_stride, double *y, ptrdiff_t y_stride) noexcept nogil
cdef void leaky_relu_bf16_strided(size_t n, const uint16_t *x, ptrdiff_t x_stride, const uint16_t *negative_slope, ptrdiff_t negative_slope_stride, uint16_t *y, ptrdiff_t y_stride) noexcept nogil
cdef void leaky_relu_grad_f16_strided(size_t n, const uint16_t *x, ptrdiff_t x_stride, const uint16_t *negative_slope, ptrdiff_t negative_slope_stride, uint16_t *y, ptrdiff_t y_stride) noexcept nogil
cdef void leaky_relu_grad_f32_strided(size_t n, const float *x, ptrdiff_t x_stride, const float *negative_slope, ptrdiff_t negative_slope_stride, float *y, ptrdiff_t y_stride) noexcept nogil
cdef void leaky_relu_grad_f64_strided(size_t n, const double *x, ptrdiff_t x_stride, const double *negative_slope, ptrdiff_t negative_slope_stride, double *y, ptrdiff_t y_stride) noexcept nogil
cdef void leaky_relu_grad_bf16_strided(size_t n, const uint16_t *x, ptrdiff_t x_stride, const uint16_t *negative_slope, ptrdiff_t negative_slope_stride, uint16_t *y, ptrdiff_t y_stride) noexcept nogil
cdef void elu_f16_strided(size_t n, const uint16_t *x, ptrdiff_t x_stride, const uint16_t *alpha, ptrdiff_t alpha_stride, uint16_t *y, ptrdiff_t y_stride) noexcept nogil
cdef void elu_f32_strided(size_t n, const float *x, ptrdiff_t x_stride, const float *alpha, ptrdiff_t alpha_stride, float *y, ptrdiff_t y_stride) noexcept nogil
cdef void elu_f64_strided(size_t n, const double *x, ptrdiff_t x_stride, const double *alpha, ptrdiff_t alpha_stride, double *y, ptrdiff_t y_stride) noexcept nogil
cdef void elu_bf16_strided(size_t n, const uint16_t *x, ptrdiff_t x_stride, const uint16_t *alpha, ptrdiff_t alpha_stride, uint16_t *y, ptrdiff_t y_stride) noexcept nogil
cdef void elu_grad_f16_strided(size_t n, const uint16_t *x, ptrdiff_t x_stride, const uint16_t *alpha, ptrdiff_t alpha_stride, uint16_t *y, ptrdiff_t y_stride) noexcept nogil
cdef void elu_grad_f32_strided(size_t n, const float *x, ptrdiff_t x_stride, const float *alpha, ptrdiff_t alpha_stride, float *y, ptrdiff_t y_stride) noexcept nogil
cdef void elu_grad_f64_strided(size_t n, const double *x, ptrdiff_t x_stride, const double *alpha, ptrdiff_t alpha_stride, double *y, ptrdiff_t y_stride) noexcept nogil
cdef void elu_grad_bf16_strided(size_t n, const uint16_t *x, ptrdiff_t x_stride, const uint16_t *alpha, ptrdiff_t alpha_stride, uint16_t *y, ptrdiff_t y_stride) noexcept nogil
cdef void bias_gelu_f16_strided(size_t n, const uint16_t *x, ptrdiff_t x_stride, const uint16_t *bias, ptrdiff_t bias_stride, uint16_t *y, ptrdiff_t y_stride) noexcept nogil
cdef void bias_gelu_f32_strided(size_t n, const float *x, ptrdiff_t x_stride, const float *bias, ptrdiff_t bias_stride, float *y, ptrdiff_t y_stride) noexcept nogil
cdef void bias_gelu_f64_strided(size_t n, const double *x, ptrdiff_t x_stride, const double *bias, ptrdiff_t bias_stride, double *y, ptrdiff_t y_stride) noexcept nogil
cdef void bias_gelu_bf16_strided(size_t n, const uint16_t *x, ptrdiff_t x_stride, const uint16_t *bias, ptrdiff_t bias_stride, uint16_t *y, ptrdiff_t y_stride) noexcept nogil
cdef void bias_gelu_tanh_f16_strided(size_t n, const uint16_t *x, ptrdiff_t x_stride, const uint16_t *bias, ptrdiff_t bias_stride, uint16_t *y, ptrdiff_t y_stride) noexcept nogil
cdef void bias_gelu_tanh_f32_strided(size_t n, const float *x, ptrdiff_t x_stride, const float *bias, ptrdiff_t bias_stride, float *y, ptrdiff_t y_stride) noexcept nogil
cdef void bias_gelu_tanh_f64_strided(size_t n, const double *x, ptrdiff_t x_stride, const double *bias, ptrdiff_t bias_stride, double *y, ptrdiff_t y_stride) noexcept nogil
cdef void bias_gelu_tanh_bf16_strided(size_t n, const uint16_t *x, ptrdiff_t x_stride, const uint16_t *bias, ptrdiff_t bias_stride, uint16_t *y, ptrdiff_t y_stride) noexcept nogil
cdef void gelu_backward_f16_strided(size_t n, const uint16_t *dy, ptrdiff_t dy_stride, const uint16_t *x, ptrdiff_t x_stride, uint16_t *dx, ptrdiff_t dx_stride) noexcept nogil
cdef void gelu_backward_f32_strided(size_t n, const float *dy, ptrdiff_t dy_stride, const float *x, ptrdiff_t x_stride, float *dx, ptrdiff_t dx_stride) noexcept nogil
cdef void gelu_backward_f64_strided(size_t n, const double *dy, ptrdiff_t dy_stride, const double *x, ptrdiff_t x_stride, double *dx, ptrdiff_t dx_stride) noexcept nogil
cdef void gelu_backward_bf16_strided(size_t n, const uint16_t *dy, ptrdiff_t dy_stride, const uint16_t *x, ptrdiff_t x_stride, uint16_t *dx, ptrdiff_t dx_stride) noexcept nogil
cdef void gelu_tanh_backward_f16_strided(size_t n, const uint16_t *dy, ptrdiff_t dy_stride, const uint16_t *x, ptrdiff_t x_stride, uint16_t *dx, ptrdiff_t dx_stride) noexcept nogil
cdef void gelu_tanh_backward_f32_strided(size_t n, const float *dy, ptrdiff_t dy_stride, const float *x, ptrdiff_t x_stride, float *dx, ptrdiff_t dx_stride) noexcept nogil
cdef void gelu_tanh_backward_f64_strided(size_t n, const double *dy, ptrdiff_t dy_stride, const double *x, ptrdiff_t x_stride, double *dx, ptrdiff_t dx_stride) noexcept nogil
cdef void gelu_tanh_backward_bf16_strided(size_t n, const uint16_t *dy, ptrdiff_t dy_stride, const uint16_t *x, ptrdiff_t x_stride, uint16_t *dx, ptrdiff_t dx_stride) noexcept nogil
cdef void quick_gelu_backward_f16_strided(size_t n, const uint16_t *dy, ptrdiff_t dy_stride, const uint16_t *x, ptrdiff_t x_stride, uint16_t *dx, ptrdiff_t dx_stride) noexcept nogil
cdef void quick_gelu_backward_f32_strided(size_t n, const float *dy, ptrdiff_t dy_stride, const float *x, ptrdiff_t x_stride, float *dx, ptrdiff_t dx_stride) noexcept nogil
cdef void quick_gelu_backward_f64_strided(size_t n, const double *dy, ptrdiff_t dy_stride, const double *x, ptrdiff_t x_stride, double *dx, ptrdiff_t dx_stride) noexcept nogil
cdef void quick_gelu_backward_bf16_strided(size_t n, const uint16_t *dy, ptrdiff_t dy_stride, const uint16_t *x, ptrdiff_t x_stride, uint16_t *dx, ptrdiff_t dx_stride) noexcept nogil
cdef void silu_backward_f16_strided(size_t n, const uint16_t *dy, ptrdiff_t dy_stride, const uint16_t *x, ptrdiff_t x_stride, uint16_t *dx, ptrdiff_t dx_stride) noexcept nogil
cdef void silu_backward_f32_strided(size_t n, const float *dy, ptrdiff_t dy_stride, const float *x, ptrdiff_t x_stride, float *dx, ptrdiff_t dx_stride) noexcept nogil
cdef void silu_backward_f64_strided(size_t n, const double *dy, ptrdiff_t dy_stride, const double *x, ptrdiff_t x_stride, double *dx, ptrdiff_t dx_stride) noexcept nogil
cdef void silu_backward_bf16_strided(size_t n, const uint16_t *dy, ptrdiff_t dy_stride, const uint16_t *x, ptrdiff_t x_stride, uint16_t *dx, ptrdiff_t dx_stride) noexcept nogil
cdef void geglu_f16_strided(size_t n, const uint16_t *gate, ptrdiff_t gate_stride, const uint16_t *up, ptrdiff_t up_stride, uint16_t *y, ptrdiff_t y_stride) noexcept nogil
cdef void geglu_f32_strided(size_t n, const float *gate, ptrdiff_t gate_stride, const float *up, ptrdiff_t up_stride, float *y, ptrdiff_t y_stride) noexcept nogil
cdef void geglu_f64_strided(size_t n, const double *gate, ptrdiff_t gate_stride, const double *up, ptrdiff_t up_stride, double *y, ptrdiff_t y_stride) noexcept nogil
cdef void geglu_bf16_strided(size_t n, const uint16_t *gate, ptrdiff_t gate_stride, const uint16_t *up, ptrdiff_t up_stride, uint16_t *y, ptrdiff_t y_stride) noexcept nogil
cdef void geglu_tanh_f16_strided(size_t n, const uint16_t *gate, ptrdiff_t gate_stride, const uint16_t *up, ptrdiff_t up_stride, uint16_t *y, ptrdiff_t y_stride) noexcept nogil
cdef void geglu_tanh_f32_strided(size_t n, const float *gate, ptrdiff_t gate_stride, const float *up, ptrdiff_t up_stride, float *y, ptrdiff_t y_stride) noexcept nogil
cdef void geglu_tanh_f64_strided(size_t n, const double *gate, ptrdiff_t gate_stride, const double *up, ptrdiff_t up_stride, double *y, ptrdiff_t y_stride) noexcept nogil
cdef void geglu_tanh_bf16_strided(size_t n, const uint16_t *gate, ptrdiff_t gate_stride, const uint16_t *up, ptrdiff_t up_stride, uint16_t *y, ptrdiff_t y_stride) noexcept nogil
cdef void swiglu_f16_strided(size_t n, const uint16_t *gate, ptrdiff_t gate_stride, const uint16_t *up, ptrdiff_t up_stride, uint16_t *y, ptrdiff_t y_stride) noexcept nogil
cdef void swiglu_f32_strided(size_t n, const float *gate, ptrdiff_t gate_stride, const float *up, ptrdiff_t up_stride, float *y, ptrdiff_t y_stride) noexcept nogil
cdef void swiglu_f64_strided(size_t n, const double *gate, ptrdiff_t gate_stride, const double *up, ptrdiff_t up_stride, double *y, ptrdiff_t y_stride) noexcept nogil
cdef void swiglu_bf16_strided(size_t n, const uint16_t *gate, ptrdiff_t gate_stride, const uint16_t *up, ptrdiff_t up_stride, uint16_t *y, ptrdiff_t y_stride) noexcept nogil
cdef void reglu_f16_strided(size_t n, const uint16_t *gate, ptrdiff_t gate_stride, const uint16_t *up, ptrdiff_t up_stride, uint16_t *y, ptrdiff_t y_stride) noexcept nogil
cdef void reglu_f32_strided(size_t n, const float *gate, ptrdiff_t gate_stride, const float *up, ptrdiff_t up_stride, float *y, ptrdiff_t y_stride) noexcept nogil
cdef void reglu_f64_strided(size_t n, const double *gate, ptrdiff_t gate_stride, const double *up, ptrdiff_t up_stride, double *y, ptrdiff_t y_stride) noexcept nogil
cdef void reglu_bf16_strided(size_t n, const uint16_t *gate, ptrdiff_t gate_stride, const uint16_t *up, ptrdiff_t up_stride, uint16_t *y, ptrdiff_t y_stride) noexcept nogil
cdef void glu_f16_strided(size_t n, const uint16_t *gate, ptrdiff_t gate_stride, const uint16_t *up, ptrdiff_t up_stride, uint16_t *y, ptrdiff_t y_stride) noexcept nogil
cdef void glu_f32_strided(size_t n, const float *gate, ptrdiff_t gate_stride, const float *up, ptrdiff_t up_stride, float *y, ptrdiff_t y_stride) noexcept nogil
cdef void glu_f64_strided(size_t n, const double *gate, ptrdiff_t gate_stride, const double *up, ptrdiff_t up_stride, double *y, ptrdiff_t y_stride) noexcept nogil
cdef void glu_bf16_strided(size_t n, const uint16_t *gate, ptrdiff_t gate_stride, const uint16_t *up, ptrdiff_t up_stride, uint16_t *y, ptrdiff_t y_stride) noexcept nogil
cdef void geglu_backward_f16_strided(size_t n, const uint16_t *dy, ptrdiff_t dy_stride, const uint16_t *gate, ptrdiff_t gate_stride, const uint16_t *up, ptrdiff_t up_stride, uint16_t *dgate, ptrdiff_t dgate_stride, uint16_t *dup, ptrdiff_t dup_stride) noexcept nogil
cdef void geglu_backward_f32_strided(size_t n, const float *dy, ptrdiff_t dy_stride, const float *gate, ptrdiff_t gate_stride, const float *up, ptrdiff_t up_stride, float *dgate, ptrdiff_t dgate_stride, float *dup, ptrdiff_t dup_stride) noexcept nogil
cdef void geglu_backward_f64_strided(size_t n, const double *dy, ptrdiff_t dy_stride, const double *gate, ptrdiff_t gate_stride, const double *up, ptrdiff_t up_stride, double *dgate, ptrdiff_t dgate_stride, double *dup, ptrdiff_t dup_stride) noexcept nogil
cdef void geglu_backward_bf16_strided(size_t n, const uint16_t *dy, ptrdiff_t dy_stride, const uint16_t *gate, ptrdiff_t gate_stride, const uint16_t *up, ptrdiff_t up_stride, uint16_t *dgate, ptrdiff_t dgate_stride, uint16_t *dup, ptrdiff_t dup_stride) noexcept nogil
cdef void geglu_tanh_backward_f16_strided(size_t n, const uint16_t *dy, ptrdiff_t dy_stride, const uint16_t *gate, ptrdiff_t gate_stride, const uint16_t *up, ptrdiff_t up_stride, uint16_t *dgate, ptrdiff_t dgate_stride, uint16_t *dup, ptrdiff_t dup_stride) noexcept nogil
cdef void geglu_tanh_backward_f32_strided(size_t n, const float *dy, ptrdiff_t dy_stride, const float *gate, ptrdiff_t gate_stride, const float *up, ptrdiff_t up_stride, float *dgate, ptrdiff_t dgate_stride, float *dup, ptrdiff_t dup_stride) noexcept nogil
cdef void geglu_tanh_backward_f64_strided(size_t n, const double *dy, ptrdiff_t dy_stride, const double *gate, ptrdiff_t gate_stride, const double *up, ptrdiff_t up_stride, double *dgate, ptrdiff_t dgate_stride, double *dup, ptrdiff_t dup_stride) noexcept nogil
cdef void geglu_tanh_backward_bf16_strided(size_t n, const uint16_t *dy, ptrdiff_t dy_stride, const uint16_t *gate, ptrdiff_t gate_stride, const uint16_t *up, ptrdiff_t up_stride, uint16_t *dgate, ptrdiff_t dgate_stride, uint16_t *dup, ptrdiff_t dup_stride) noexcept nogil
cdef void swiglu_backward_f16_strided(size_t n, const uint16_t *dy, ptrdiff_t dy_stride, const uint16_t *gate, ptrdiff_t gate_stride, const uint16_t *up, ptrdiff_t up_stride, uint16_t *dgate, ptrdiff_t dgate_stride, uint16_t *dup, ptrdiff_t dup_stride) noexcept nogil
cdef void swiglu_backward_f32_strided(size_t n, const float *dy, ptrdiff_t dy_stride, const float *gate, ptrdiff_t gate_stride, const float *up, ptrdiff_t up_stride, float *dgate, ptrdiff_t dgate_stride, float *dup, ptrdiff_t dup_stride) noexcept nogil
cdef void swiglu_backward_f64_strided(size_t n, const double *dy, ptrdiff_t dy_stride, const double *gate, ptrdiff_t gate_stride, const double *up, ptrdiff_t up_stride, double *dgate, ptrdiff_t dgate_stride, double *dup, ptrdiff_t dup_stride) noexcept nogil
cdef void swiglu_backward_bf16_strided(size_t n, const uint16_t *dy, ptrdiff_t dy_stride, const uint16_t *gate, ptrdiff_t gate_stride, const uint16_t *up, ptrdiff_t up_stride, uint16_t *dgate, ptrdiff_t dgate_stride, uint16_t *dup, ptrdiff_t dup_stride) noexcept nogil
cdef void reglu_backward_f16_strided(size_t n, const uint16_t *dy, ptrdiff_t dy_stride, const uint16_t *gate, ptrdiff_t gate_stride, const uint16_t *up, ptrdiff_t up_stride, uint16_t *dgate, ptrdiff_t dgate_stride, uint16_t *dup, ptrdiff_t dup_stride) noexcept nogil
cdef void reglu_backward_f32_strided(size_t n, const float *dy, ptrdiff_t dy_stride, const float *gate, ptrdiff_t gate_stride, const float *up, ptrdiff_t up_stride, float *dgate, ptrdiff_t dgate_stride, float *dup, ptrdiff_t dup_stride) noexcept nogil
cdef void reglu_backward_f64_strided(size_t n, const double *dy, ptrdiff_t dy_stride, const double *gate, ptrdiff_t gate_stride, const double *up, ptrdiff_t up_stride, double *dgate, ptrdiff_t dgate_stride, double *dup, ptrdiff_t dup_stride) noexcept nogil
cdef void reglu_backward_bf16_strided(size_t n, const uint16_t *dy, ptrdiff_t dy_stride, const uint16_t *gate, ptrdiff_t gate_stride, const uint16_t *up, ptrdiff_t up_stride, uint16_t *dgate, ptrdiff_t dgate_stride, uint16_t *dup, ptrdiff_t dup_stride) noexcept nogil
cdef void glu_backward_f16_strided(size_t n, const uint16_t *dy, ptrdiff_t dy_stride, const uint16_t *gate, ptrdiff_t gate_stride, const uint16_t *up, ptrdiff_t up_stride, uint16_t *dgate, ptrdiff_t dgate_stride, uint16_t *dup, ptrdiff_t dup_stride) noexcept nogil
cdef void glu_backward_f32_strided(size_t n, const float *dy, ptrdiff_t dy_stride, const float *gate, ptrdiff_t gate_stride, const float *up, ptrdiff_t up_stride, float *dgate, ptrdiff_t dgate_stride, float *dup, ptrdiff_t dup_stride) noexcept nogil
cdef void glu_backward_f64_strided(size_t n, const double *dy, ptrdiff_t dy_stride, const double *gate, ptrdiff_t gate_stride, const double *up, ptrdiff_t up_stride, double *dgate, ptrdiff_t dgate_stride, double *dup, ptrdiff_t dup_stride) noexcept nogil
cdef void glu_backward_bf16_strided(size_t n, const uint16_t *dy, ptrdiff_t dy_stride, const uint16_t *gate, ptrdiff_t gate_stride, const uint16_t *up, ptrdiff_t up_stride, uint16_t *dgate, ptrdiff_t dgate_stride, uint16_t *dup, ptrdiff_t dup_stride) noexcept nogil
cdef uint16_t gelu_f16_scalar(uint16_t x) noexcept nogil
cdef float gelu_f32_scalar(float x) noexcept nogil
cdef double gelu_f64_scalar(double x) noexcept nogil
cdef uint16_t gelu_bf16_scalar(uint16_t x) noexcept nogil
cdef uint16_t gelu_tanh_f16_scalar(uint16_t x) noexcept nogil
cdef float gelu_tanh_f32_scalar(float x) noexcept nogil
cdef double gelu_tanh_f64_scalar(double x) noexcept nogil
cdef uint16_t gelu_tanh_bf16_scalar(uint16_t x) noexcept nogil
cdef uint16_t gelu_grad_f16_scalar(uint16_t x) noexcept nogil
cdef float gelu_grad_f32_scalar(float x) noexcept nogil
cdef double gelu_grad_f64_scalar(double x) noexcept nogil
cdef uint16_t gelu_grad_bf16_scalar(uint16_t x) noexcept nogil
cdef uint16_t gelu_tanh_grad_f16_scalar(uint16_t x) noexcept nogil
cdef float gelu_tanh_grad_f32_scalar(float x) noexcept nogil
cdef double gelu_tanh_grad_f64_scalar(double x) noexcept nogil
cdef uint16_t gelu_tanh_grad_bf16_scalar(uint16_t x) noexcept nogil
cdef uint16_t quick_gelu_f16_scalar(uint16_t x) noexcept nogil
cdef float quick_gelu_f32_scalar(float x) noexcept nogil
cdef double quick_gelu_f64_scalar(double x) noexcept nogil
cdef uint16_t quick_gelu_bf16_scalar(uint16_t x) noexcept nogil
cdef uint16_t quick_gelu_grad_f16_scalar(uint16_t x) noexcept nogil
cdef float quick_gelu_grad_f32_scalar(float x) noexcept nogil
cdef double quick_gelu_grad_f64_scalar(double x) noexcept nogil
cdef uint16_t quick_gelu_grad_bf16_scalar(uint16_t x) noexcept nogil
cdef uint16_t silu_f16_scalar(uint16_t x) noexcept nogil
cdef float silu_f32_scalar(float x) noexcept nogil
cdef double silu_f64_scalar(double x) noexcept nogil
cdef uint16_t silu_bf16_scalar(uint16_t x) noexcept nogil
cdef uint16_t silu_grad_f16_scalar(uint16_t x) noexcept nogil
cdef float silu_grad_f32_scalar(float x) noexcept nogil
cdef double silu_grad_f64_scalar(double x) noexcept nogil
cdef uint16_t silu_grad_bf16_scalar(uint16_t x) noexcept nogil
cdef uint16_t sigmoid_f16_scalar(uint16_t x) noexcept nogil
cdef float sigmoid_f32_scalar(float x) noexcept nogil
cdef double sigmoid_f64_scalar(double x) noexcept nogil
cdef uint16_t sigmoid_bf16_scalar(uint16_t x) noexcept nogil
cdef uint16_t sigmoid_grad_f16_scalar(uint16_t x) noexcept nogil
cdef float sigmoid_grad_f32_scalar(float x) noexcept nogil
cdef double sigmoid_grad_f64_scalar(double x) noexcept nogil
cdef uint16_t sigmoid_grad_bf16_scalar(uint16_t x) noexcept nogil
cdef uint16_t normal_cdf_f16_scalar(uint16_t x) noexcept nogil
cdef float normal_cdf_f32_scalar(float x) noexcept nogil
cdef double normal_cdf_f64_scalar(double x) noexcept nogil
cdef uint16_t normal_cdf_bf16_scalar(uint16_t x) noexcept nogil
cdef uint16_t normal_cdf_grad_f16_scalar(uint16_t x) noexcept nogil
cdef float normal_cdf_grad_f32_scalar(float x) noexcept nogil
cdef double normal_cdf_grad_f64_scalar(double x) noexcept nogil
cdef uint16_t normal_cdf_grad_bf16_scalar(uint16_t x) noexcept nogil
cdef uint16_t relu_f16_scalar(uint16_t x) noexcept nogil
cdef float relu_f32_scalar(float x) noexcept nogil
cdef double relu_f64_scalar(double x) noexcept nogil
cdef uint16_t relu_bf16_scalar(uint16_t x) noexcept nogil
cdef uint16_t relu_grad_f16_scalar(uint16_t x) noexcept nogil
cdef float relu_grad_f32_scalar(float x) noexcept nogil
cdef double relu_grad_f64_scalar(double x) noexcept nogil
cdef uint16_t relu_grad_bf16_scalar(uint16_t x) noexcept nogil
cdef uint16_t leaky_relu_f16_scalar(uint16_t x, uint16_t negative_slope) noexcept nogil
cdef float leaky_relu_f32_scalar(float x, float negative_slope) noexcept nogil
cdef double leaky_relu_f64_scalar(double x, double negative_slope) noexcept nogil
cdef uint16_t leaky_relu_bf16_scalar(uint16_t x, uint16_t negative_slope) noexcept nogil
cdef uint16_t leaky_relu_grad_f16_scalar(uint16_t x, uint16_t negative_slope) noexcept nogil
cdef float leaky_relu_grad_f32_scalar(float x, float negative_slope) noexcept nogil
cdef double leaky_relu_grad_f64_scalar(double x, double negative_slope) noexcept nogil
cdef uint16_t leaky_relu_grad_bf16_scalar(uint16_t x, uint16_t negative_slope) noexcept nogil
cdef uint16_t elu_f16_scalar(uint16_t x, uint16_t alpha) noexcept nogil
cdef float elu_f32_scalar(float x, float alpha) noexcept nogil
cdef double elu_f64_scalar(double x, double alpha) noexcept nogil
cdef uint16_t elu_bf16_scalar(uint16_t x, uint16_t alpha) noexcept nogil
cdef uint16_t elu_grad_f16_scalar(uint16_t x, uint16_t alpha) noexcept nogil
cdef float elu_grad_f32_scalar(float x, float alpha) noexcept nogil
cdef double elu_grad_f64_scalar(double x, double alpha) noexcept nogil
cdef uint16_t elu_grad_bf16_scalar(uint16_t x, uint16_t alpha) noexcept nogil
cdef uint16_t bias_gelu_f16_scalar(uint16_t x, uint16_t bias) noexcept nogil
cdef float bias_gelu_f32_scalar(float x, float bias) noexcept nogil
cdef double bias_gelu_f64_scalar(double x, double bias) noexcept nogil
cdef uint16_t bias_gelu_bf16_scalar(uint16_t x, uint16_t bias) noexcept nogil
cdef uint16_t bias_gelu_tanh_f16_scalar(uint16_t x, uint16_t bias) noexcept nogil
cdef float bias_gelu_tanh_f32_scalar(float x, float bias) noexcept nogil
cdef double bias_gelu_tanh_f64_scalar(double x, double bias) noexcept nogil
cdef uint16_t bias_gelu_tanh_bf16_scalar(uint16_t x, uint16_t bias) noexcept nogil
cdef uint16_t gelu_backward_f16_scalar(uint16_t dy, uint16_t x) noexcept nogil
cdef float gelu_backward_f32_scalar(float dy, float x) noexcept nogil
cdef double gelu_backward_f64_scalar(double dy, double x) noexcept nogil
cdef uint16_t gelu_backward_bf16_scalar(uint16_t dy, uint16_t x) noexcept nogil
cdef uint16_t gelu_tanh_backward_f16_scalar(uint16_t dy, uint16_t x) noexcept nogil
cdef float gelu_tanh_backward_f32_scalar(float dy, float x) noexcept nogil
cdef double gelu_tanh_backward_f64_scalar(double dy, double x) noexcept nogil
cdef uint16_t gelu_tanh_backward_bf16_scalar(uint16_t dy, uint16_t x) noexcept nogil
cdef uint16_t quick_gelu_backward_f16_scalar(uint16_t dy, uint16_t x) noexcept nogil
cdef float quick_gelu_backward_f32_scalar(float dy, float x) noexcept nogil
cdef double quick_gelu_backward_f64_scalar(double dy, double x) noexcept nogil
cdef uint16_t quick_gelu_backward_bf16_scalar(uint16_t dy, uint16_t x) noexcept nogil
cdef uint16_t silu_backward_f16_scalar(uint16_t dy, uint16_t x) noexcept nogil
cdef float silu_backward_f32_scalar(float dy, float x) noexcept nogil
cdef double silu_backward_f64_scalar(double dy, double x) noexcept nogil
cdef uint16_t silu_backward_bf16_scalar(uint16_t dy, uint16_t x) noexcept nogil
cdef uint16_t geglu_f16_scalar(uint16_t gate, uint16_t up) noexcept nogil
cdef float geglu_f32_scalar(float gate, float up) noexcept nogil
cdef double geglu_f64_scalar(double gate, double up) noexcept nogil
cdef uint16_t geglu_bf16_scalar(uint16_t gate, uint16_t up) noexcept nogil
cdef uint16_t geglu_tanh_f16_scalar(uint16_t gate, uint16_t up) noexcept nogil
cdef float geglu_tanh_f32_scalar(float gate, float up) noexcept nogil
cdef double geglu_tanh_f64_scalar(double gate, double up) noexcept nogil
cdef uint16_t geglu_tanh_bf16_scalar(uint16_t gate, uint16_t up) noexcept nogil
cdef uint16_t swiglu_f16_scalar(uint16_t gate, uint16_t up) noexcept nogil
cdef float swiglu_f32_scalar(float gate, float up) noexcept nogil
cdef double swiglu_f64_scalar(double gate, double up) noexcept nogil
cdef uint16_t swiglu_bf16_scalar(uint16_t gate, uint16_t up) noexcept nogil
cdef uint16_t reglu_f16_scalar(uint16_t gate, uint16_t up) noexcept nogil
cdef float reglu_f32_scalar(float gate, float up) noexcept nogil
cdef double reglu_f64_scalar(double gate, double up) noexcept nogil
cdef uint16_t reglu_bf16_scalar(uint16_t gate, uint16_t up) noexcept nogil
cdef uint16_t glu_f16_scalar(uint16_t gate, uint16_t up) noexcept nogil
cdef float glu_f32_scalar(float gate, float up) noexcept nogil
cdef double glu_f64_scalar(double gate, double up) noexcept nogil
cdef uint16_t glu_bf16_scalar(uint16_t gate, uint16_t up) noexcept nogil
