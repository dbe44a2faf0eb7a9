// SPDX-License-Identifier: Apache-2.0
// A device that passes everything on, to the CPU with two threads unless another one is given:
// fakes override what they fake.
#pragma once

#include <memory>
#include <utility>

#include "harness/device/device.h"

namespace alsbench {

class ForwardingDevice : public Device {
 public:
  explicit ForwardingDevice(std::unique_ptr<Device> inner = open_cpu_device(2))
      : inner_(std::move(inner)) {}
  const DeviceTraits& traits() const override { return inner_->traits(); }
  void use() override { inner_->use(); }
  Buffer allocate(int64_t bytes) override { return inner_->allocate(bytes); }
  void upload(void* t, const void* s, int64_t n) override { inner_->upload(t, s, n); }
  void upload_async(void* t, const void* s, int64_t n, const Event* after) override {
    inner_->upload_async(t, s, n, after);
  }
  void download(void* t, const void* s, int64_t n) override { inner_->download(t, s, n); }
  void copy(void* t, const void* s, int64_t n) override { inner_->copy(t, s, n); }
  void fill(void* t, int byte, int64_t n) override { inner_->fill(t, byte, n); }
  void synchronize() override { inner_->synchronize(); }
  std::unique_ptr<RecordedWork> record(const std::function<void()>& work) override {
    return inner_->record(work);
  }
  std::unique_ptr<Executable> prepare(const Variant& v, const Config& c, const Shape& s) override {
    return inner_->prepare(v, c, s);
  }
  std::unique_ptr<Event> make_event() override { return inner_->make_event(); }
  Timing time(const std::function<void()>& work) override { return inner_->time(work); }
  Counted count(const std::function<void()>& prepare, const std::function<void()>& work) override {
    return inner_->count(prepare, work);
  }
  void flush_cache() override { inner_->flush_cache(); }
  void settle() override { inner_->settle(); }
  int64_t set_aside_bytes() const override { return inner_->set_aside_bytes(); }
  Digest digest(const Region& region) override { return inner_->digest(region); }
  void mirror(const ItemAxis& axis, int64_t about) override { inner_->mirror(axis, about); }
  std::optional<Trespass> find_trespass() override { return inner_->find_trespass(); }
  DeviceState state() const override { return inner_->state(); }
  void convert(void* t, Scalar type, const void* s, int64_t n, uint32_t* overflows) override {
    inner_->convert(t, type, s, n, overflows);
  }
  void add_up(int64_t* total, const int32_t* values, int64_t n) override {
    inner_->add_up(total, values, n);
  }
  void widen(void* t, const void* halves, int64_t n) override { inner_->widen(t, halves, n); }
  void find_largest(void* t, const FactorsView& s) override { inner_->find_largest(t, s); }
  void quantize(Scalar type, const QuantizeParams& p) override { inner_->quantize(type, p); }
  void carry_scales(const CarryScalesParams& p) override { inner_->carry_scales(p); }
  void share_largest(const ShareLargestParams& p) override { inner_->share_largest(p); }

 protected:
  const Device& inner() const { return *inner_; }

 private:
  void release(void*) noexcept override {}  // buffers are the inner device's
  int64_t unused_bytes() const override { return inner_->free_bytes(); }

  std::unique_ptr<Device> inner_;
};

}  // namespace alsbench
