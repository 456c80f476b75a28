"""The benchmarks of fastgelu, for airspeed velocity."""
