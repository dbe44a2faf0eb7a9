// SPDX-License-Identifier: Apache-2.0
#include "harness/model/accuracy.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace alsbench {
namespace {

struct Partial {
  double squares = 0, magnitudes = 0;
  int64_t cold = 0;
};

Partial partial_of(const Model& model, const Csr& test, int64_t begin, int64_t end) {
  Partial partial;
  for (int64_t user = begin; user < end; ++user)
    for (int64_t k = test.offsets[user]; k < test.offsets[user + 1]; ++k) {
      const int64_t item = test.indices[k];
      const double error = static_cast<double>(test.values[k]) - model.predict(user, item);
      partial.squares += error * error;
      partial.magnitudes += std::abs(error);
      partial.cold += model.is_cold(user, item) ? 1 : 0;
    }
  return partial;
}

}  // namespace

Accuracy accuracy_of(const Model& model, const Csr& test) {
  constexpr int64_t kRowsPerPart = 1024;
  std::vector<Partial> partials(static_cast<size_t>((test.rows + kRowsPerPart - 1) / kRowsPerPart));
  const auto parts = static_cast<int64_t>(partials.size());
#pragma omp parallel for schedule(dynamic, 1)  // cannot throw
  for (int64_t part = 0; part < parts; ++part)
    partials[static_cast<size_t>(part)] = partial_of(
        model, test, part * kRowsPerPart, std::min(test.rows, (part + 1) * kRowsPerPart));
  Partial sum;
  for (const Partial& partial : partials) {
    sum.squares += partial.squares;
    sum.magnitudes += partial.magnitudes;
    sum.cold += partial.cold;
  }
  const auto count = static_cast<double>(test.nnz());
  return {test.nnz(), sum.cold, std::sqrt(sum.squares / count), sum.magnitudes / count};
}

}  // namespace alsbench
