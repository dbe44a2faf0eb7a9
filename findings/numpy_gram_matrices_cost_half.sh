#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# a.T @ a is half of the arithmetic of a.T @ b in numpy, even where b is a copy of a, so a rate from 2 m n k may be above the peak.
#
# Versions: numpy 2.4.6 with its OpenBLAS, Linux x86_64.
# Behaviour: where both sides of a product are one matrix and its transpose, by address, shape and strides, numpy calls
#   BLAS's syrk, which computes a triangle, and copies it to the other. dot, matmul, tensordot, cov, einsum with optimize=True
#   and each product of a stack do so. A copy, a weighted side and a slice with a step are gemm. Bits may differ: in FP32 those of
#   gemm were not symmetric here.
# Likely guess: the time depends on shapes and types. A product of a matrix with itself is then a usual way to measure GEMM, or
#   the baseline of a kernel that forms Gram matrices, and weights on one side seem to cost as much as the whole product did.
#   Right: give both sides memory of their own to measure GEMM, and say which of the two a figure is.
# Output seen: a.T @ a syrk, np.dot syrk, matmul of a stack syrk, tensordot syrk, np.cov syrk, einsum optimized syrk, a view syrk,
#   a copy gemm, weighted gemm, every second column gemm; 20,000 x 512 in FP32 on one thread: 82 GFLOP/s by syrk, 55 by gemm
#
# Needs gcc; run by hand. numpy is installed into a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/python" -m pip install --quiet --disable-pip-version-check numpy==2.4.6
cat >"$folder/noting.c" <<'C'
// Notes which product numpy calls, and passes the call on to numpy's OpenBLAS.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <string.h>
static char path[4096];
static int find(struct dl_phdr_info* info, size_t size, void* data) {
  (void)size, (void)data;
  if (strstr(info->dlpi_name, "openblas")) snprintf(path, sizeof path, "%s", info->dlpi_name);
  return 0;
}
static void* noted(const char* symbol, const char* name) {
  dl_iterate_phdr(find, NULL);
  FILE* file = fopen("called", "a");
  fprintf(file, "%s\n", name);
  fclose(file);
  return dlsym(dlopen(path, RTLD_NOLOAD | RTLD_LAZY), symbol);
}
#define GEMM(SYMBOL, T)                                                                                              \
  void SYMBOL(int order, int a_side, int b_side, long m, long n, long k, T alpha, const T* a, long lda, const T* b, \
              long ldb, T beta, T* c, long ldc) {                                                                    \
    void (*call)(int, int, int, long, long, long, T, const T*, long, const T*, long, T, T*, long) = noted(#SYMBOL, "gemm"); \
    call(order, a_side, b_side, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);                                       \
  }
#define SYRK(SYMBOL, T)                                                                                              \
  void SYMBOL(int order, int triangle, int side, long n, long k, T alpha, const T* a, long lda, T beta, T* c, long ldc) { \
    void (*call)(int, int, int, long, long, T, const T*, long, T, T*, long) = noted(#SYMBOL, "syrk");                \
    call(order, triangle, side, n, k, alpha, a, lda, beta, c, ldc);                                                  \
  }
GEMM(scipy_cblas_sgemm64_, float)
GEMM(scipy_cblas_dgemm64_, double)
SYRK(scipy_cblas_ssyrk64_, float)
SYRK(scipy_cblas_dsyrk64_, double)
C
gcc -shared -fPIC -O1 -o "$folder/noting.so" "$folder/noting.c"
cat >"$folder/products.py" <<'PY'
"""Prints by which of BLAS's products numpy forms Gram matrices; then its rates, which are not judged."""

import os
import sys
import time

import numpy as np

a = np.random.default_rng(1).standard_normal((2000, 128)).astype(np.float32)
copy, stack = a.copy(), a.reshape(4, 500, 128)
products = {
    "a.T @ a": lambda: a.T @ a,
    "np.dot": lambda: np.dot(a.T, a),
    "matmul of a stack": lambda: np.matmul(stack.transpose(0, 2, 1), stack),
    "tensordot": lambda: np.tensordot(a, a, axes=(0, 0)),
    "np.cov": lambda: np.cov(a, rowvar=False),
    "einsum optimized": lambda: np.einsum("ij,ik->jk", a, a, optimize=True),
    "a view": lambda: a.T @ a.view(),
    "a copy": lambda: a.T @ copy,
    "weighted": lambda: (2 * a).T @ a,
    "every second column": lambda: a[:, ::2].T @ a[:, ::2],
}
seen = []
for name, product in products.items():
    if os.path.exists("called"):
        os.remove("called")
    product()
    seen.append(f"{name} {' '.join(sorted(set(open('called').read().split())))}")
seen = ", ".join(seen)
print(seen)

large = np.random.default_rng(1).standard_normal((20000, 512)).astype(np.float32)
other = large.copy()
for name, right in (("syrk", large), ("gemm", other)):
    seconds = []
    for _ in range(5):
        start = time.perf_counter()
        large.T @ right
        seconds.append(time.perf_counter() - start)
    print(f"20,000 x 512, {name}: {2 * large.size * 512 / min(seconds) / 1e9:.0f} GFLOP/s of 2 m n k")

expected = (
    "a.T @ a syrk, np.dot syrk, matmul of a stack syrk, tensordot syrk, np.cov syrk, einsum optimized syrk, a view syrk, "
    "a copy gemm, weighted gemm, every second column gemm"
)
if seen != expected:
    sys.exit(f"changed: expected {expected}")
PY
cd "$folder"
OPENBLAS_NUM_THREADS=1 LD_PRELOAD="$folder/noting.so" venv/bin/python products.py
