#include "paraiso/runtime/output/output.hpp"

#include <fmt/format.h>
#include <algorithm>

#include "paraiso/base/axis_name.hpp"
#include "paraiso/base/error.hpp"
#include "paraiso/base/text.hpp"
#include "paraiso/runtime/fields/parameters.hpp"
#include "paraiso/runtime/fields/state.hpp"
#include "paraiso/runtime/output/hdf5.hpp"
#include "paraiso/runtime/system/file.hpp"
#include "paraiso/runtime/system/memory.hpp"

namespace paraiso::runtime {
namespace {

double time_of(const Instance& instance, std::int64_t step) {
  auto id = instance.machine().find_role(om::StaticRole::time);
  return id ? instance.scalar(*id).to_double() : static_cast<double>(step);
}

void write_provenance(Hdf5File& file, const Instance& instance, std::int64_t step,
                      const Record& record) {
  const auto& machine = instance.machine();
  file.write_attribute("paraiso_version", std::string(kVersion));
  file.write_attribute("machine", machine.name);
  file.write_attribute("command", record.command);
  file.write_attribute("numbers", record.numbers);
  file.write_attribute("backend", record.backend);
  file.write_attribute("compiler", record.compiler);
  file.write_attribute("program_hash", program_hash(machine, record));
  file.write_attribute("choices", record.choices.text());
  file.write_attribute("schedule_hash", record.schedule_hash);
  std::string parameters;
  for (const auto& name : parameter_names(machine))
    parameters += name + "=" + instance.scalar(*machine.find_static(name)).text() + "\n";
  file.write_attribute("parameters", parameters);
  file.write_attribute("step", step);
  file.write_attribute("time", time_of(instance, step));
}

/// `count` numbers, some at a time: in one dimension there are as many as cells of a field.
template <class F>
void write_numbers(Hdf5File& file, const std::string& name, std::int64_t count, F&& number) {
  file.make_field(name, om::Element::f64, {count});
  std::vector<double> some;
  for (const om::Box& slab : slabs_of({count}, sizeof(double))) {
    some.clear();
    for (std::int64_t i = slab.lower[0]; i < slab.upper[0]; ++i) some.push_back(number(i));
    FieldView view;
    view.data = some.data();
    view.size = {std::ssize(some)};
    view.strides = {1};
    file.write_cells(name, view, slab.lower);
  }
}

void write_coordinates(Hdf5File& file, const Instance& instance) {
  file.make_group("coordinates");
  for (int axis = 0; axis < instance.machine().dimension; ++axis) {
    const auto [lower, upper] = extent(instance, axis);
    const auto cells = instance.size()[static_cast<std::size_t>(axis)];
    const double first = lower, width = (upper - lower) / static_cast<double>(cells);
    const std::string name = std::string("coordinates/") + axis_name(axis);
    write_numbers(file, name + "_edges", cells + 1,
                  [&](std::int64_t i) { return first + static_cast<double>(i) * width; });
    write_numbers(file, name + "_centres", cells,
                  [&](std::int64_t i) { return first + (static_cast<double>(i) + 0.5) * width; });
  }
}

/// Calls visit(view, lower) for the whole field, or for slabs of a divided one, one at a time;
/// what it changes is kept if `changes`.
template <class F>
void each_slab(Instance& instance, om::StaticId id, bool changes, F&& visit) {
  const om::Cell& size = instance.size();
  if (!instance.is_divided()) {
    visit(changes ? instance.field(id) : instance.look(id), om::Cell(size.size(), 0));
    return instance.free_copy(id);
  }
  FieldView view;
  view.element = instance.machine().at(id).type.element;
  std::vector<char> cells;
  for (const om::Box& slab : slabs_of(size, om::size_of(view.element))) {
    cells.resize(slab.cell_count() * om::size_of(view.element));
    if (!changes) instance.read(id, slab, cells.data());
    view.data = cells.data();
    view.size = om::minus(slab.upper, slab.lower);
    view.strides = {1};
    for (std::size_t a = 1; a < size.size(); ++a)
      view.strides.push_back(view.strides[a - 1] * view.size[a - 1]);
    visit(view, slab.lower);
    if (changes) instance.write(id, slab, cells.data());
  }
}

/// Where a file is written, and the name that it will have.
struct FilePlace {
  const std::filesystem::path &now, &then;
};

void write_field(Hdf5File& file, const FilePlace& place, const std::string& name,
                 Instance& instance, om::StaticId id) {
  file.make_field(name, instance.machine().at(id).type.element, instance.size());
  if (instance.is_divided())
    if (const auto written = instance.write_to_file(id, place.now, file.place_of(name))) {
      if (written->error != 0) fail_to_write(place.then, written->error, written->rank);
      return;
    }
  each_slab(instance, id, false, [&](const FieldView& view, const om::Cell& lower) {
    file.write_cells(name, view, lower);
  });
}

void write_statics(Hdf5File& file, const FilePlace& place, Instance& instance) {
  const auto& statics = instance.machine().statics;
  file.make_group("fields");
  file.make_group("scalars");
  for (std::size_t i = 0; i < statics.size(); ++i) {
    const om::StaticId id(i);
    if (statics[i].type.is_local())
      write_field(file, place, "fields/" + statics[i].name, instance, id);
    else
      file.write_scalar("scalars/" + statics[i].name, instance.scalar(id));
  }
}

/// The dataset for a field: in `/fields` or at the root; empty if there is none.
std::string dataset_for(const Hdf5File& file, const std::string& name) {
  if (file.has("/fields/" + name)) return "/fields/" + name;
  return file.has("/" + name) ? "/" + name : "";
}

void check_dataset(const Hdf5File& file, const std::filesystem::path& path,
                   const std::string& dataset, const om::Static& field, const Instance& instance) {
  const auto size = file.size(dataset);
  if (size.empty())
    throw Error(fmt::format("`{}` in `{}` is a single number, the grid has {} cells", dataset,
                            path.string(), size_text(instance.size())));
  if (size != instance.size())
    throw Error(fmt::format("`{}` in `{}` has {} cells, the grid has {}", dataset, path.string(),
                            size_text(size), size_text(instance.size())));
  if (!file.holds(dataset, field.type.element))
    throw Error(fmt::format("`{}` in `{}` has no elements that a field of {} can hold", dataset,
                            path.string(), om::name(field.type.element)));
}

/// Generated code relies on bools being 0 or 1.
void check_truths(const FieldView& view, const std::filesystem::path& path,
                  const std::string& dataset) {
  for_each_row(view, [&](const char* row, std::size_t bytes) {
    if (!std::all_of(row, row + bytes, [](char cell) { return cell == 0 || cell == 1; }))
      throw Error(fmt::format("`{}` in `{}` has numbers other than 0 and 1, for a field of bool",
                              dataset, path.string()));
  });
}

/// XDMF's names of an element: kind and bytes.
std::string xdmf_number(om::Element element) {
  const char* kind = om::is_float(element)             ? "Float"
                     : element == om::Element::boolean ? "UChar"
                                                       : "Int";
  return fmt::format("NumberType=\"{}\" Precision=\"{}\"", kind, om::size_of(element));
}

std::string xdmf_attribute(const om::Static& field, const std::string& cells,
                           const std::string& file) {
  return fmt::format(
      "        <Attribute Name=\"{0}\" AttributeType=\"Scalar\" Center=\"Cell\">\n"
      "          <DataItem Dimensions=\"{1}\" {2} Format=\"HDF\">{3}:/fields/{0}</DataItem>\n"
      "        </Attribute>\n",
      field.name, cells, xdmf_number(field.type.element), file);
}

/// The grid slowest axis first, for XDMF; a 1-D grid becomes a strip of height one.
struct XdmfGrid {
  std::string cells, nodes, origin, spacing;
  int axes = 2;
};

XdmfGrid xdmf_grid(const Instance& instance) {
  auto size = instance.size();
  std::vector<double> origin, spacing;
  for (int axis = 0; axis < instance.machine().dimension; ++axis) {
    const auto [lower, upper] = extent(instance, axis);
    origin.push_back(lower);
    spacing.push_back((upper - lower) / static_cast<double>(size[static_cast<std::size_t>(axis)]));
  }
  if (size.size() == 1) {
    size.push_back(1);
    origin.push_back(0);
    spacing.push_back(spacing[0] * static_cast<double>(size[0]) / 20);
  }
  XdmfGrid grid;
  grid.axes = static_cast<int>(size.size());
  for (auto a = size.size(); a-- > 0;) {
    const char* gap = a > 0 ? " " : "";
    grid.cells += fmt::format("{}{}", size[a], gap);
    grid.nodes += fmt::format("{}{}", size[a] + 1, gap);
    grid.origin += fmt::format("{}{}", origin[a], gap);
    grid.spacing += fmt::format("{}{}", spacing[a], gap);
  }
  return grid;
}

std::string xdmf_snapshot(const Instance& instance, const XdmfGrid& grid,
                          const SnapshotInfo& snapshot) {
  auto text = fmt::format(
      "      <Grid Name=\"step {0}\" GridType=\"Uniform\">\n"
      "        <Time Value=\"{1}\"/>\n"
      "        <Topology TopologyType=\"{2}DCoRectMesh\" Dimensions=\"{3}\"/>\n"
      "        <Geometry GeometryType=\"{4}\">\n"
      "          <DataItem Dimensions=\"{2}\" NumberType=\"Float\" Precision=\"8\" "
      "Format=\"XML\">{5}</DataItem>\n"
      "          <DataItem Dimensions=\"{2}\" NumberType=\"Float\" Precision=\"8\" "
      "Format=\"XML\">{6}</DataItem>\n"
      "        </Geometry>\n",
      snapshot.step, snapshot.time, grid.axes, grid.nodes,
      grid.axes == 3 ? "ORIGIN_DXDYDZ" : "ORIGIN_DXDY", grid.origin, grid.spacing);
  for (const auto& s : instance.machine().statics)
    if (s.type.is_local()) text += xdmf_attribute(s, grid.cells, snapshot.path.filename().string());
  return text + "      </Grid>\n";
}

}  // namespace

void write_snapshot(const std::filesystem::path& path, Instance& instance, std::int64_t step,
                    const Record& record) {
  AtomicFile place(path);
  Hdf5File file(place.temporary(), Hdf5File::Mode::create, path);
  write_provenance(file, instance, step, record);
  write_coordinates(file, instance);
  write_statics(file, {place.temporary(), path}, instance);
  file.close();
  place.commit();
}

std::vector<std::string> load_fields(const std::filesystem::path& path, Instance& instance) {
  const Hdf5File file(path, Hdf5File::Mode::read, path);
  const auto& statics = instance.machine().statics;
  std::vector<std::pair<om::StaticId, std::string>> found;
  for (std::size_t i = 0; i < statics.size(); ++i) {
    if (!statics[i].type.is_local()) continue;
    const auto dataset = dataset_for(file, statics[i].name);
    if (dataset.empty()) continue;
    check_dataset(file, path, dataset, statics[i], instance);
    found.emplace_back(om::StaticId(i), dataset);
  }
  if (found.empty())
    throw Error(fmt::format("`{}` has no dataset named like a field of machine `{}`", path.string(),
                            instance.machine().name));
  std::vector<std::string> names;
  for (const auto& field : found) {
    const om::StaticId id = field.first;
    const std::string& dataset = field.second;
    each_slab(instance, id, true, [&](const FieldView& view, const om::Cell& lower) {
      if (!file.read_cells(dataset, view, lower))
        throw Error(fmt::format("`{}` in `{}` has numbers beyond the range of {}, for field `{}`",
                                dataset, path.string(), om::name(view.element),
                                instance.machine().at(id).name));
      if (view.element == om::Element::boolean) check_truths(view, path, dataset);
    });
    names.push_back(instance.machine().at(id).name);
  }
  return names;
}

SnapshotInfo read_snapshot_info(const std::filesystem::path& path) {
  const Hdf5File file(path, Hdf5File::Mode::read, path);
  const auto hash = file.text_attribute("program_hash");
  const auto step = file.number_attribute("step"), time = file.number_attribute("time");
  if (!hash || !step || !time || !(std::abs(*step) < 9e18))
    throw Error(fmt::format("`{}` is not a snapshot of Paraiso", path.string()));
  return {path, static_cast<std::int64_t>(*step), *time, *hash};
}

void write_xdmf(const std::filesystem::path& path, const Instance& instance,
                const std::vector<SnapshotInfo>& snapshots) {
  if (instance.machine().dimension > 3)
    throw Error(fmt::format("XDMF has no grids of {} dimensions", instance.machine().dimension));
  std::string text =
      "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n"
      "<Xdmf Version=\"2.0\">\n"
      "  <Domain>\n"
      "    <Grid Name=\"" +
      instance.machine().name + "\" GridType=\"Collection\" CollectionType=\"Temporal\">\n";
  const auto grid = xdmf_grid(instance);
  for (const auto& snapshot : snapshots) text += xdmf_snapshot(instance, grid, snapshot);
  write_file(path, text + "    </Grid>\n  </Domain>\n</Xdmf>\n");
}

}  // namespace paraiso::runtime
