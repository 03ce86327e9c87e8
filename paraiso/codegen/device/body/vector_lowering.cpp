#include "paraiso/codegen/device/body/vector_lowering.hpp"

#include <algorithm>

#include "paraiso/codegen/claris/walk.hpp"
#include "paraiso/codegen/device/body/frame.hpp"

namespace paraiso::codegen {

using namespace claris;
using plan::Term;
using plan::VectorRow;

namespace {

constexpr const char* kLane = "lane";

}  // namespace

VectorLowering::VectorLowering(const StageOfKernel& of)
    : CellLowering(of),
      vector_(plan::vector_of(of.group)),
      rows_(plan::vector_rows(of.stage, vector_)),
      loaded_(rows_.size()) {
  for (const VectorRow& row : rows_)
    cells_.push_back(names_.unique(array_of(row.of) + "_cells" + offset_suffix(row.of.offset)));
}

Block VectorLowering::cells() {
  Block all, stored;
  for (const Statement& statement : run()) {
    const auto& value = std::get<Declare>(statement.node);
    make_cells(*value.element, value.name, value.value, all);
  }
  for (std::size_t o = 0; o < stage_.outputs.size(); ++o) {
    const plan::Output& output = stage_.outputs[o];
    const om::Element element = output.array.element;
    const std::string made = names_.unique(targets()[o] + "_made");
    make_cells(element, made, root(output.root), all);
    stored.push_back({DeviceStatement{StoreCells{
        element, vector_, beside(stage_.behind(output.root), plus(name(targets()[o]), name("at"))),
        name(made), minus(end_of(group_.box, 0), name(first_cell(0)))}}});
  }
  std::ranges::move(stored, std::back_inserter(all));
  return all;
}

void VectorLowering::make_cells(om::Element element, const std::string& made, const ExprPtr& value,
                                Block& block) {
  for (std::size_t r = 0; r < rows_.size(); ++r)
    if (!loaded_[r] && mentions(*value, [&](const Expr& expr) {
          const auto* variable = std::get_if<Name>(&expr.node);
          return variable && variable->text == cells_[r];
        })) {
      load(r, block);
      loaded_[r] = true;
    }
  block.push_back({DeviceStatement{DeclareCells{element, made, vector_}}});
  block.push_back({DeviceStatement{Unroll{vector_}}});
  block.push_back({For{
      kLane, integer(0), integer(vector_), {{Assign{subscript(name(made), name(kLane)), value}}}}});
}

void VectorLowering::load(std::size_t r, Block& block) const {
  const VectorRow& row = rows_[r];
  const std::string array = array_of(row.of);
  const om::Element element = graph_.type(row.of.value).element;
  block.push_back({DeviceStatement{DeclareCells{element, cells_[r], row.vectors * vector_}}});
  for (int v = 0; v < row.vectors; ++v) {
    om::Offset from = row.of.offset;
    from[0] = row.first + v * vector_;
    block.push_back(
        {DeviceStatement{LoadCells{element, vector_, plus(name(cells_[r]), integer(v * vector_)),
                                   beside(from, plus(name(array), name("at")))}}});
  }
}

ExprPtr VectorLowering::declared(const std::string& variable) const {
  return subscript(name(variable), name(kLane));
}

ExprPtr VectorLowering::read(const Term& term) {
  const auto row = std::ranges::find_if(rows_, [&](const VectorRow& one) { return one.has(term); });
  return subscript(name(cells_[row - rows_.begin()]),
                   plus(name(kLane), integer(term.offset[0] - row->first)));
}

ExprPtr VectorLowering::index(int axis, std::int32_t offset) {
  if (axis > 0) return CellLowering::index(axis, offset);
  return plus(plus(name(first_cell(0)), name(kLane)), integer(offset));
}

}  // namespace paraiso::codegen
