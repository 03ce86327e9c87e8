// hdf5: the part of HDF5's C interface that Paraiso uses, with errors as Error and handles that
// close themselves. Gives: Hdf5Handle, Hdf5Quiet, Hdf5File. Needs: libhdf5. For this folder only.
#pragma once

#include <hdf5.h>

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "paraiso/runtime/fields/instance.hpp"

namespace paraiso::runtime {

/// Invariant: a valid HDF5 identifier, closed by `Close` at the end; or none, after a move.
template <herr_t (*Close)(hid_t)>
class Hdf5Handle {
 public:
  explicit Hdf5Handle(hid_t id = -1) : id_(id) {}
  Hdf5Handle(Hdf5Handle&& other) noexcept : id_(other.id_) { other.id_ = -1; }
  Hdf5Handle& operator=(Hdf5Handle&& other) noexcept {
    std::swap(id_, other.id_);
    return *this;
  }
  ~Hdf5Handle() {
    if (id_ >= 0) Close(id_);
  }
  [[nodiscard]] hid_t get() const { return id_; }
  [[nodiscard]] bool valid() const { return id_ >= 0; }
  /// Closes now; false if that fails.
  [[nodiscard]] bool close() {
    const hid_t id = id_;
    id_ = -1;
    return id < 0 || Close(id) >= 0;
  }

 private:
  hid_t id_;
};

using Hdf5Space = Hdf5Handle<H5Sclose>;
using Hdf5Type = Hdf5Handle<H5Tclose>;
using Hdf5Set = Hdf5Handle<H5Dclose>;
using Hdf5Group = Hdf5Handle<H5Gclose>;
using Hdf5Attribute = Hdf5Handle<H5Aclose>;
using Hdf5List = Hdf5Handle<H5Pclose>;

/// While one lives, HDF5 prints no errors of its own.
class Hdf5Quiet {
 public:
  Hdf5Quiet();
  Hdf5Quiet(const Hdf5Quiet&) = delete;
  Hdf5Quiet& operator=(const Hdf5Quiet&) = delete;
  ~Hdf5Quiet();

 private:
  H5E_auto2_t function_ = nullptr;
  void* data_ = nullptr;
};

/// A file that is open for writing (a new one) or reading. Every failure throws Error: what was
/// attempted, the file's name for messages, and HDF5's own innermost reason.
class Hdf5File {
 public:
  enum class Mode { create, read };
  /// `shown` is the path that messages name.
  Hdf5File(const std::filesystem::path& path, Mode mode, std::filesystem::path shown);

  void make_group(const std::string& name);
  void write_field(const std::string& name, const FieldView& view);
  void make_field(const std::string& name, om::Element element,
                  const std::vector<std::int64_t>& size);
  /// Where in the file the first cell of a field is; the others follow without gaps.
  [[nodiscard]] std::int64_t place_of(const std::string& name) const;
  /// The cells of a field, or of a part of it that begins at `lower`.
  void write_cells(const std::string& name, const FieldView& view,
                   const std::vector<std::int64_t>& lower);
  void write_scalar(const std::string& name, om::Constant value);
  // On the root.
  void write_attribute(const std::string& name, const std::string& text);
  void write_attribute(const std::string& name, std::int64_t number);
  void write_attribute(const std::string& name, double number);

  [[nodiscard]] bool has(const std::string& name) const;
  /// Sizes of a dataset, axis 0 (the fastest) first.
  [[nodiscard]] std::vector<std::int64_t> size(const std::string& name) const;
  /// True if its elements are of the kind of `element`: floats, or integers (bool among them).
  [[nodiscard]] bool holds(const std::string& name, om::Element element) const;
  /// The cells of a dataset from `lower` on, as many as the view has. False if a number is beyond
  /// the range of the field's element.
  [[nodiscard]] bool read_cells(const std::string& name, const FieldView& view,
                                const std::vector<std::int64_t>& lower) const;
  [[nodiscard]] std::optional<std::string> text_attribute(const std::string& name) const;
  [[nodiscard]] std::optional<double> number_attribute(const std::string& name) const;

  /// Closes a file that was written; only then is it complete. Failed writes are reported here:
  /// HDF5 itself must not know of them (see hdf5_sink.hpp).
  void close();

 private:
  [[noreturn]] void fail(const std::string& what) const;
  /// The handle of `id`; fails if HDF5 did.
  template <class Handle>
  [[nodiscard]] Handle good(hid_t id, const char* what) const {
    if (id < 0) fail(what);
    return Handle(id);
  }
  void must(herr_t result, const char* what) const {
    if (result < 0) fail(what);
  }
  void write_attribute(const std::string& name, hid_t file_type, hid_t memory_type,
                       const void* value);
  [[nodiscard]] Hdf5Set open_set(const std::string& name) const;
  /// How datasets are made: without the time, so that the same content is the same bytes.
  [[nodiscard]] Hdf5List timeless() const;

  Hdf5Quiet quiet_;
  std::filesystem::path shown_;
  Hdf5Handle<H5Fclose> file_;
};

}  // namespace paraiso::runtime
