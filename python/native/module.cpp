// SPDX-License-Identifier: Apache-2.0
#include "python/native/module.h"

#include <nanobind/stl/string.h>

#include <new>

#include "base/error.h"
#include "harness/device/device.h"
#include "harness/files/host_memory.h"
#include "kernels/cpu/blas.h"
#include "kernels/cpu/tiles/tiles.h"
#include "python/native/working.h"

namespace nb = nanobind;

namespace alsbench::python {

void bind_errors(nb::module_& module) {
  // Exceptions that are registered later are asked first.
  const nb::module_ errors = nb::module_::import_("alsbench.errors");
  const auto translate = [](const std::exception_ptr& error, void* type) {
    try {
      std::rethrow_exception(error);
    } catch (const UsageError& usage) {
      PyErr_SetString(static_cast<PyObject*>(type), usage.what());
    } catch (const ObjectionError& objection) {
      PyErr_SetString(static_cast<PyObject*>(type), objection.what());
    }
  };
  nb::register_exception_translator(translate,
                                    nb::object(errors.attr("UsageError")).release().ptr());
  nb::register_exception_translator(
      [](const std::exception_ptr& error, void* type) {
        try {
          std::rethrow_exception(error);
        } catch (const EnvironmentError& environment) {
          PyErr_SetString(static_cast<PyObject*>(type), environment.what());
        }
      },
      nb::object(errors.attr("MachineError")).release().ptr());
  nb::register_exception_translator([](const std::exception_ptr& error, void*) {
    try {
      std::rethrow_exception(error);
    } catch (const OutOfMemoryError& memory) {
      PyErr_SetString(PyExc_MemoryError, memory.what());
    } catch (const std::bad_alloc& memory) {
      PyErr_SetString(PyExc_MemoryError, host_memory_text(memory));
    } catch (const NonFiniteError& number) {
      PyErr_SetString(PyExc_FloatingPointError, number.what());
    }
  });
  static_cast<void>(module);
}

}  // namespace alsbench::python

NB_MODULE(_native, module) {
  namespace python = alsbench::python;
  module.doc() = "The harness's interface to Python; alsbench has the public names.";
  python::bind_errors(module);
  python::bind_working(module);
  python::bind_ratings(module);
  python::bind_model(module);
  python::bind_training(module);
  module.def("open_blas", [] { alsbench::blas(); });
  module.def("cuda_devices", [] { return alsbench::cuda_device_count(); });
  module.def("has_tiles",
             [] { return alsbench::tile_support(alsbench::TileElement::int8).kernels != nullptr; });
}
