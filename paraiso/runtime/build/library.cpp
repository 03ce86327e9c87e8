#include "paraiso/runtime/build/library.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <cstring>
#include <functional>

#include "paraiso/base/error.hpp"
#include "paraiso/plan/dispatch/loop_thresholds.hpp"
#include "paraiso/runtime/build/cache.hpp"
#include "paraiso/runtime/system/file.hpp"
#include "paraiso/runtime/system/memory.hpp"
#include "paraiso/support/threads.hpp"

namespace paraiso::runtime {

void keep_openmp_loaded() {
  for (const char* name : {"libgomp.so.1", "libomp.so.5"})
    if (void* handle = dlopen(name, RTLD_NOW | RTLD_NOLOAD | RTLD_NODELETE)) dlclose(handle);
}

namespace {

/// Invariant: `self_` is an instance of `library_`'s plugin, which stays loaded as long as it
/// lives.
class PluginInstance : public Instance {
 public:
  PluginInstance(std::shared_ptr<const Library::Loaded> library, std::vector<std::int64_t> size,
                 const std::function<void*(const codegen::Plugin&)>& create,
                 const std::optional<plan::Dispatch>& dispatch, const plan::Thresholds& loops)
      : library_(std::move(library)), size_(std::move(size)), strides_(size_.size()) {
    self_ = told([&] { return create(plugin()); });
    if (self_ == nullptr)
      throw Error(fmt::format("a grid of {} cells needs {} of memory, and the system gives no more",
                              size_text(size_), bytes_text(plugin().bytes(size_.data()))));
    plugin().strides(self_, strides_.data());
    for (const auto& [name, value] : loops) plugin().set_threshold(self_, name.c_str(), value);
    if (!dispatch) return;
    for (const plan::Version& version : dispatch->versions)
      plugin().set_threshold(self_, version.threshold.c_str(), version.least);
  }
  ~PluginInstance() override { plugin().destroy(self_); }

  [[nodiscard]] const om::Machine& machine() const override { return library_->machine; }
  [[nodiscard]] const std::vector<std::int64_t>& size() const override { return size_; }

  void run(std::string_view name) override {
    const auto& kernel = find_kernel(machine(), name);
    answered([&] { plugin().run(self_, static_cast<int>(&kernel - machine().kernels.data())); });
  }

  void share(int parts, const std::function<void(int)>& work) override {
    if (parts < 2 || plugin().share == nullptr) return Instance::share(parts, work);
    auto* const context = const_cast<void*>(static_cast<const void*>(&work));
    plugin().share(
        parts,
        [](void* of, int part) { (*static_cast<const std::function<void(int)>*>(of))(part); },
        context);
  }
  void finish() override {
    if (library_->device != nullptr) answered([&] { library_->device->finish(self_); });
  }
  std::optional<StepsTaken> take_steps(std::string_view name, std::int64_t count,
                                       double until) override {
    if (library_->device == nullptr || library_->device->take_steps == nullptr) return std::nullopt;
    const auto number = static_cast<int>(&find_kernel(machine(), name) - machine().kernels.data());
    int stop = 0;
    const std::int64_t calls =
        answered([&] { return library_->device->take_steps(self_, number, count, until, &stop); });
    if (calls < 0) return std::nullopt;
    return StepsTaken{calls, stop == 2, stop == 3};
  }

  [[nodiscard]] std::int64_t graph_launches() const override {
    const auto* const device = library_->device;
    return device != nullptr && device->graph_launches ? device->graph_launches(self_) : 0;
  }

  [[nodiscard]] std::string comparisons() override {
    return plugin().comparisons == nullptr ? "" : plugin().comparisons(self_);
  }

  [[nodiscard]] FieldView field(om::StaticId id) override {
    return view(id, answered([&] { return plugin().field(self_, number(id)); }));
  }
  [[nodiscard]] FieldView look(om::StaticId id) override {
    if (library_->device == nullptr) return field(id);
    const void* const cells = answered([&] { return library_->device->look(self_, number(id)); });
    return view(id, const_cast<void*>(cells));
  }
  void free_copy(om::StaticId id) override {
    if (library_->device != nullptr)
      answered([&] { library_->device->free_copy(self_, number(id)); });
  }
  [[nodiscard]] std::optional<FoundCell> first_nan(om::StaticId id) override {
    const bool has = library_->device == nullptr ||
                     answered([&] { return library_->device->has_nan(self_, number(id)); });
    return has ? Instance::first_nan(id) : std::nullopt;
  }
  void keep() override {
    keeps_there_ = library_->device != nullptr &&
                   answered([&] { return library_->device->keep_fields(self_); });
    if (!keeps_there_) return Instance::keep();
    kept_scalars_.clear();
    for (const om::StaticId id : globals()) kept_scalars_.push_back(scalar(id));
  }
  void go_back() override {
    if (!keeps_there_) return Instance::go_back();
    answered([&] { library_->device->restore_fields(self_); });
    auto kept = kept_scalars_.begin();
    for (const om::StaticId id : globals()) set_scalar(id, *kept++);
  }
  [[nodiscard]] om::Constant scalar(om::StaticId id) const override {
    const void* const at = answered([&] { return address(id); });
    return om::with_element(element(id), [&](auto t) {
      std::memcpy(&t, at, sizeof t);
      return om::Constant(t);
    });
  }
  void set_scalar(om::StaticId id, om::Constant value) override {
    check_scalar(machine(), id, value);
    void* const at = answered([&] { return address(id); });
    om::with_element(element(id), [&](auto t) {
      t = value.as<decltype(t)>();
      std::memcpy(at, &t, sizeof t);
    });
  }

 private:
  /// What a device's layer complains of is an Error like any other.
  template <class Call>
  static auto told(const Call& call) -> decltype(call()) {
    try {
      return call();
    } catch (const std::runtime_error& error) {
      throw Error(error.what());
    }
  }
  /// The same, where a program is there that may have failed: its schedule and its sources are
  /// kept.
  template <class Call>
  auto answered(const Call& call) const -> decltype(call()) {
    try {
      return told(call);
    } catch (const Error& error) {
      if (library_->device == nullptr) throw;
      throw DeviceFailed(error.with_note({}, kept()));
    }
  }
  [[nodiscard]] std::string kept() const {
    try {
      const auto folder = Cache(library_->folder.parent_path()).keep(library_->folder);
      const auto schedule = folder / "schedule.txt";
      write_file(schedule, library_->schedule_text);
      return fmt::format("its schedule, {}, is kept in `{}`, and the sources are kept in `{}`",
                         library_->schedule_hash, schedule.string(), folder.string());
    } catch (const Error&) {  // a full disk
      return fmt::format("its schedule is {}, and its sources are in `{}`", library_->schedule_hash,
                         library_->folder.string());
    }
  }
  [[nodiscard]] const codegen::Plugin& plugin() const { return *library_->plugin; }
  [[nodiscard]] static int number(om::StaticId id) { return static_cast<int>(id.index); }
  [[nodiscard]] om::Element element(om::StaticId id) const { return machine().at(id).type.element; }
  [[nodiscard]] FieldView view(om::StaticId id, void* cells) const {
    return {element(id), cells, size_, strides_};
  }
  [[nodiscard]] void* address(om::StaticId id) const { return plugin().scalar(self_, number(id)); }
  [[nodiscard]] std::vector<om::StaticId> globals() const {
    std::vector<om::StaticId> found;
    for (std::size_t i = 0; i < machine().statics.size(); ++i)
      if (!machine().statics[i].type.is_local()) found.push_back(om::StaticId(i));
    return found;
  }

  std::shared_ptr<const Library::Loaded> library_;
  std::vector<std::int64_t> size_, strides_;
  void* self_ = nullptr;
  bool keeps_there_ = false;  // on the device: all fields, and here the scalars
  std::vector<om::Constant> kept_scalars_;
};

}  // namespace

Library::Loaded::~Loaded() {
  if (handle_ != nullptr) dlclose(handle_);
}

void Library::Loaded::load(const std::filesystem::path& file, const std::string& class_name) {
  handle_ = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle_ == nullptr) throw Error(fmt::format("can't load `{}`: {}", file.string(), dlerror()));
  keep_openmp_loaded();
  const auto symbol = "paraiso_plugin_" + class_name;
  using Entry = const void* (*)();
  auto entry = reinterpret_cast<Entry>(dlsym(handle_, symbol.c_str()));
  if (entry == nullptr)
    throw Error(
        fmt::format("`{}` is not a library of Paraiso: it has no `{}`", file.string(), symbol));
  plugin = static_cast<const codegen::Plugin*>(entry());
  if (plugin->version != codegen::kPluginVersion)
    throw Error(fmt::format("`{}` has plugin interface {}, and this program has {}", file.string(),
                            plugin->version, codegen::kPluginVersion));
  const auto of_device = "paraiso_device_" + class_name;
  if (auto more = reinterpret_cast<Entry>(dlsym(handle_, of_device.c_str())))
    device = static_cast<const codegen::DevicePlugin*>(more());
}

Library::Library(std::shared_ptr<const Loaded> loaded)
    : loaded_(std::move(loaded)), dispatch_(loaded_->dispatch) {}

Library Library::with_thresholds(const plan::Thresholds& tuning) const {
  Library other = *this;
  auto [loops, versions] = plan::of_loops_and_versions(tuning, machine());
  if (loaded_->device != nullptr) versions.merge(loops);
  if (dispatch_)
    other.dispatch_ = plan::tuned(*dispatch_, versions);
  else if (!versions.empty())
    throw Error(fmt::format("`{}` has no versions, and so no threshold `{}`", machine().name,
                            versions.begin()->first));
  for (const auto& [name, value] : loops) other.loops_[name] = value;
  return other;
}

const std::optional<plan::Dispatch>& Library::dispatch() const { return dispatch_; }

std::unique_ptr<Instance> Library::instance(std::vector<std::int64_t> size, Sharing sharing) const {
  check_size(machine().dimension, size);
  require_memory(size, [&](const auto& s) { return bytes(s); });
  const double least = sharing == Sharing::always ? 0 : paraiso_support::least_shared;
  const auto create = [&](const codegen::Plugin& plugin) {
    return plugin.create(size.data(), loaded_->threads, least);
  };
  return std::make_unique<PluginInstance>(loaded_, size, create, dispatch_, loops_);
}

std::unique_ptr<Instance> Library::part(const paraiso_support::Place& place, int threads,
                                        Sharing sharing) const {
  if (loaded_->plugin->create_part == nullptr)
    throw Error("code of this back end computes whole grids only");
  const double least = sharing == Sharing::always ? 0 : paraiso_support::least_shared;
  const std::vector<std::int64_t> size(place.size, place.size + machine().dimension);
  const auto create = [&](const codegen::Plugin& plugin) {
    return plugin.create_part(&place, threads, least);
  };
  return std::make_unique<PluginInstance>(loaded_, size, create, dispatch_, loops_);
}

const std::vector<std::vector<om::Want>>& Library::part_wants() const {
  return loaded_->part_wants;
}

bool Library::receives(std::size_t kernel) const { return loaded_->overlapped[kernel]; }

double Library::bytes(const std::vector<std::int64_t>& size) const {
  check_size(machine().dimension, size);
  return loaded_->plugin->bytes(size.data());
}

const om::Machine& Library::machine() const { return loaded_->machine; }
const std::string& Library::source() const { return loaded_->source; }
double Library::compile_seconds() const { return loaded_->compile_seconds; }
const std::filesystem::path& Library::folder() const { return loaded_->folder; }
const std::string& Library::schedule_hash() const { return loaded_->schedule_hash; }
const std::string& Library::compiler_version() const { return loaded_->compiler_version; }
int Library::threads() const { return loaded_->threads; }

}  // namespace paraiso::runtime
