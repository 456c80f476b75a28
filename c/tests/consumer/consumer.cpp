// consumer.cpp: a C++ program that uses the installed library from several threads at once, from
// the first call on.  It exits with 1 if their results differ or are not those of the definition.
#include <fastgelu.h>

#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <thread>
#include <vector>

int main() {
    const std::size_t n = 10007, threads = 8;
    std::vector<double> x(n);
    for (std::size_t i = 0; i < n; i++) x[i] = (static_cast<double>(i) - 5003) / 500;

    // No call has been made before: the threads race to choose the instruction set, and two of
    // them change it meanwhile.
    std::vector<std::vector<double>> y(threads, std::vector<double>(n));
    std::vector<std::thread> running;
    for (std::size_t t = 0; t < threads; t++) {
        running.emplace_back([&, t] {
            for (int turn = 0; turn < 20; turn++) {
                if (t < 2) fastgelu_set_isa(turn % 2 ? "scalar" : nullptr);
                fastgelu_gelu_f64(n, x.data(), y[t].data());
            }
        });
    }
    for (auto &thread : running) thread.join();

    int failures = 0;
    for (std::size_t t = 1; t < threads; t++)
        failures += std::memcmp(y[t].data(), y[0].data(), n * sizeof(double)) != 0;
    for (std::size_t i = 0; i < n; i++) {
        const double want = x[i] * std::erfc(-x[i] / std::sqrt(2.0)) / 2;
        failures += !(std::fabs(y[0][i] - want) <= 1e-13 * std::fabs(want));
    }
    std::printf("fastgelu %s, %zu threads: %s\n", fastgelu_version(), threads,
                failures ? "FAILED" : "ok");
    return failures != 0;
}
