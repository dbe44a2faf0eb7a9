// SPDX-License-Identifier: Apache-2.0
// StageParams: the arguments of any stage. It holds a copy of one plain struct of kernels/shared,
// which the stage's variants and fixtures know and everything between them passes on.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstring>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <typeinfo>

namespace alsbench {

class StageParams {
 public:
  template <class Params>
  requires(!std::same_as<Params, StageParams> && std::is_trivially_copyable_v<Params>)
      StageParams(const Params& params)  // NOLINT: stages pass their structs as they are
      : type_(&typeid(Params)) {
    static_assert(sizeof(Params) <= kMaxBytes);
    std::memcpy(bytes_.data(), &params, sizeof(Params));
  }

  template <class Params>
  bool holds() const {
    return *type_ == typeid(Params);
  }
  // Throws std::logic_error where it holds another struct: a defect of the caller.
  template <class Params>
  const Params& as() const {
    if (!holds<Params>())
      throw std::logic_error(std::string("stage parameters are ") + type_->name() + ", not " +
                             typeid(Params).name());
    return *reinterpret_cast<const Params*>(bytes_.data());
  }
  // The struct's bytes, as a kernel takes them.
  const void* data() const { return bytes_.data(); }

 private:
  static constexpr size_t kMaxBytes = 512;
  const std::type_info* type_;
  alignas(std::max_align_t) std::array<std::byte, kMaxBytes> bytes_{};
};

}  // namespace alsbench
