// SPDX-License-Identifier: Apache-2.0
#include "harness/custom/buffers.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numbers>
#include <numeric>

#include "base/error.h"
#include "variants/core/expression.h"

namespace alsbench::custom {
namespace {

constexpr int kNanByte = 0xFF;
constexpr int kIntegerByte = 0xA5;  // integers have no NaN, and 0xFF is -1, a common result

// The i-th number of a stream in [0, 1): a counter through the finaliser of splitmix64.
// https://prng.di.unimi.it/splitmix64.c
double uniform(uint64_t stream, int64_t i) {
  uint64_t z = stream + (static_cast<uint64_t>(i) + 1) * 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return static_cast<double>((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

// Box and Muller's.
double normal(uint64_t stream, int64_t i) {
  const double radius = std::sqrt(-2 * std::log1p(-uniform(stream, 2 * i)));
  return radius * std::cos(2 * std::numbers::pi * uniform(stream, 2 * i + 1));
}

// Symmetric numbers in [-1, 1) and n on the diagonal, which is more than the rest of a row adds
// up to.
double positive_definite(uint64_t stream, int64_t i, int64_t n) {
  const int64_t matrix = i / (n * n), row = i / n % n, column = i % n;
  if (row == column) return static_cast<double>(n);
  const int64_t mirrored = matrix * n * n + std::max(row, column) * n + std::min(row, column);
  return 2 * uniform(stream, mirrored) - 1;
}

// The number that an argument's text stands for, in the first bytes.
uint64_t scalar_bytes(const Argument& argument, const Config& sizes) {
  const std::string& text = argument.value->text;
  uint64_t bytes = 0;
  if (!write_whole(&bytes, argument.type, text))
    write_element(&bytes, 0, argument.type, Expression(text).value(sizes));
  return bytes;
}

void require_free(const Device& device, const Argument& argument, const Config& sizes,
                  int64_t bytes) {
  if (const int64_t free = device.free_bytes(); bytes > free)
    throw OutOfMemoryError(
        fmt::format("out of device memory: '{}' takes {} bytes with {}, and {} are free; give "
                    "smaller sizes by --size, or in 'problems'",
                    argument.name, bytes, sizes.text(), free));
}

}  // namespace

Buffers::Buffers(Device& device, const KernelFile& file, const Config& sizes)
    : device_(device), file_(file), sizes_(sizes), slots_(file.arguments.size()) {
  for (size_t i = 0; i < slots_.size(); ++i) {
    Slot& slot = slots_[i];
    slot.argument = &file.arguments[i];
    if (!slot.argument->is_buffer()) continue;
    slot.extents = extents_of(*slot.argument, sizes);
    slot.elements =
        std::accumulate(slot.extents.begin(), slot.extents.end(), int64_t{1}, std::multiplies<>());
    slot.bytes = slot.elements * size_of(slot.argument->type);
    const bool is_kept = slot.argument->use == Use::inout;
    require_free(device, *slot.argument, sizes, slot.bytes * (is_kept ? 2 : 1));
    slot.buffer = device.allocate(slot.bytes);
    if (is_kept) slot.first = device.allocate(slot.bytes);
  }
}

void Buffers::draw(uint64_t seed) {
  for (const Slot& slot : slots_) {
    if (!slot.argument->is_buffer() || !slot.argument->is_read()) continue;
    const std::string content = content_of(slot, seed);
    device_.upload(slot.input().data(), content.data(), slot.bytes);
  }
  restore();
}

void Buffers::copy_inputs(const Buffers& other) {
  for (size_t i = 0; i < slots_.size(); ++i) {
    const Slot& slot = slots_[i];
    if (!slot.argument->is_buffer() || !slot.argument->is_read()) continue;
    std::string content(static_cast<size_t>(slot.bytes), '\0');
    other.device_.download(content.data(), other.slots_[i].input().data(), slot.bytes);
    device_.upload(slot.input().data(), content.data(), slot.bytes);
  }
  restore();
}

std::string Buffers::content_of(const Slot& slot, uint64_t seed) const {
  const Argument& argument = *slot.argument;
  if (argument.fill == Fill::npy)
    return read_npy(file_.folder / argument.file, argument.type, slot.extents);
  std::string content(static_cast<size_t>(slot.bytes), '\0');
  const auto place = static_cast<uint64_t>(&slot - slots_.data());
  const uint64_t stream = (seed * 64 * 64 + place) << 20;
  const uint64_t constant = argument.fill == Fill::constant ? scalar_bytes(argument, Config()) : 0;
  const double width = argument.high - argument.low;
  const int64_t n = slot.extents.back();
  const auto value = [&](int64_t i) {
    switch (*argument.fill) {
      case Fill::uniform:
        if (is_floating(argument.type)) return argument.low + width * uniform(stream, i);
        return std::floor(argument.low + (width + 1) * uniform(stream, i));
      case Fill::normal:
        return normal(stream, i);
      case Fill::positive_definite:
        return positive_definite(stream, i, n);
      default:
        return 0.0;
    }
  };
  const int64_t size = size_of(argument.type);
#pragma omp parallel for schedule(static)  // cannot throw
  for (int64_t i = 0; i < slot.elements; ++i)
    if (argument.fill == Fill::constant)
      std::memcpy(content.data() + i * size, &constant, static_cast<size_t>(size));
    else
      write_element(content.data(), i, argument.type, value(i));
  return content;
}

void Buffers::restore() {
  for (const Slot& slot : slots_)
    if (slot.first) device_.copy(slot.buffer.data(), slot.first.data(), slot.bytes);
}

void Buffers::poison() {
  for (const Slot& slot : slots_)
    if (slot.argument->is_buffer() && slot.argument->use == Use::output)
      device_.fill(slot.buffer.data(), is_floating(slot.argument->type) ? kNanByte : kIntegerByte,
                   slot.bytes);
}

KernelArguments Buffers::arguments() const {
  KernelArguments arguments;
  for (const Slot& slot : slots_) {
    if (slot.argument->is_buffer()) {
      arguments.add<void*>(slot.buffer.data());
      continue;
    }
    arguments.add(scalar_bytes(*slot.argument, sizes_));
  }
  return arguments;
}

Output Buffers::output(size_t index) const {
  const Slot& slot = slots_[index];
  std::string bytes(static_cast<size_t>(slot.bytes), '\0');
  device_.download(bytes.data(), slot.buffer.data(), slot.bytes);
  return output_of(bytes, slot.argument->type);
}

// Items of numbers that are drawn alike may change places. So may rows and columns of a positive
// definite matrix, if they do so together.
void Buffers::add_axes(const Slot& slot, std::vector<InputAxis>& axes) const {
  const Argument& argument = *slot.argument;
  const int64_t item = size_of(argument.type), n = slot.extents.back();
  const int draw = static_cast<int>(&slot - slots_.data());
  void* const data = slot.input().data();
  if (argument.fill == Fill::uniform || argument.fill == Fill::normal)
    axes.push_back({{data, slot.elements, item}, draw, 0});
  if (argument.fill != Fill::positive_definite) return;
  const int64_t matrices = slot.elements / (n * n);
  axes.push_back({{data, n, n * item, matrices, n * n * item}, draw, 1});
  axes.push_back({{data, n, item, matrices * n, n * item}, draw, n});
}

Operands Buffers::operands() const {
  Operands all;
  for (const Slot& slot : slots_) {
    if (!slot.argument->is_buffer()) continue;
    const bool written = slot.argument->is_written();
    (written ? all.outputs : all.inputs)
        .push_back(region_of(slot.argument->name.c_str(), slot.buffer));
    // Where the right outputs are saved, the inputs they are of stay.
    if (slot.argument->is_read() && !file_.reference.empty()) add_axes(slot, all.axes);
  }
  return all;
}

}  // namespace alsbench::custom
