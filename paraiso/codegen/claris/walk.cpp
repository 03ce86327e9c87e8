#include "paraiso/codegen/claris/walk.hpp"

namespace paraiso::codegen::claris {
namespace {

using om::Overload;
using Exprs = std::vector<ExprPtr>;

Exprs operands(const CpuExpr& expr) {
  return std::visit(Overload{
                        [](const FillLanes& e) { return Exprs{e.value}; },
                        [](const CountLanes& e) { return Exprs{e.first}; },
                        [](const LoadLanes& e) { return Exprs{e.address}; },
                        [](const Neighbour& e) { return Exprs{e.address}; },
                        [](const TileBegin&) { return Exprs{}; },
                        [](const TileEnd&) { return Exprs{}; },
                        [](const TileSlant&) { return Exprs{}; },
                        [](const OneTile&) { return Exprs{}; },
                        [](const WindowRow& e) { return e.cell; },
                        [](const WindowLine& e) { return Exprs{e.row}; },
                        [](const TakeScratch&) { return Exprs{}; },
                        [](const FarFrom& e) {
                          return Exprs{e.array, e.distance};
                        },
                        [](const PartOfRow& e) {
                          return Exprs{e.begin, e.end};
                        },
                        [](const RowsAhead& e) {
                          return Exprs{e.cells, e.rows};
                        },
                        [](const RoundTo& e) { return Exprs{e.at}; },
                        [](const PartialsOf&) { return Exprs{}; },
                        [](const TooLargeToKeep&) { return Exprs{}; },
                    },
                    expr);
}

Parts parts(const CpuStatement& statement) {
  return std::visit(Overload{
                        [](const DeclareWindow&) { return Parts{}; },
                        [](const OpenScratch&) { return Parts{}; },
                        [](const ReserveScratch&) { return Parts{}; },
                        [](const DeclareRowEnds&) { return Parts{}; },
                        [](const DeclareEdges&) { return Parts{}; },
                        [](const FillEdges& s) {
                          return Parts{s.cell.value_or(Exprs{}), {}};
                        },
                        [](const VectorLoop& s) {
                          return Parts{{s.begin, s.end}, {&s.body}};
                        },
                        [](const StoreLanes& s) {
                          return Parts{{s.address, s.value}, {}};
                        },
                        [](const StreamingFence&) { return Parts{}; },
                        [](const Prefetch& s) {
                          return Parts{{s.cell}, {}};
                        },
                        [](const ReduceRow& s) {
                          return Parts{s.cell, {}};
                        },
                        [](const DeclareTiles&) { return Parts{}; },
                        [](const ForRegions& s) {
                          return Parts{{}, {&s.body}};
                        },
                        [](const ForTiles& s) {
                          return Parts{{}, {&s.body}};
                        },
                        [](const DeclarePartials&) { return Parts{}; },
                        [](const CombinePartials&) { return Parts{}; },
                        [](const CombineTogether&) { return Parts{}; },
                    },
                    statement);
}

Exprs operands(const DeviceExpr& expr) {
  return std::visit(Overload{
                        [](const Remainder& e) { return Exprs{e.value}; },
                        [](const Quotient& e) { return Exprs{e.value}; },
                        [](const PlaceOfPartial& e) { return e.indices; },
                        [](const auto&) { return Exprs{}; },
                    },
                    expr);
}

Parts parts(const DeviceStatement& statement) {
  return std::visit(Overload{
                        [](const ForThreads& s) {
                          Parts all{{}, {&s.body}};
                          for (const ThreadAxis& axis : s.axes)
                            all.exprs.insert(all.exprs.end(), {axis.begin, axis.end});
                          return all;
                        },
                        [](const Unroll&) { return Parts{}; },
                        [](const DeclareCells&) { return Parts{}; },
                        [](const LoadCells& s) {
                          return Parts{{s.to, s.from}, {}};
                        },
                        [](const StoreCells& s) {
                          return Parts{{s.to, s.from, s.count}, {}};
                        },
                        [](const StoreGhosts& s) {
                          Parts all{s.cell, {}};
                          all.exprs.push_back(s.at);
                          return all;
                        },
                        [](const DeclareShared&) { return Parts{}; },
                        [](const DeclareVariable& s) {
                          return Parts{{s.value}, {}};
                        },
                        [](const Barrier&) { return Parts{}; },
                        [](const FindSource& s) {
                          return Parts{{s.index}, {}};
                        },
                        [](const KeptSources&) { return Parts{}; },
                        [](const FillKept&) { return Parts{}; },
                        [](const ReturnIfStopped&) { return Parts{}; },
                        [](const GuardSteps& s) {
                          Parts times{{s.time}, {}};
                          times.exprs.insert(times.exprs.end(), s.next.begin(), s.next.end());
                          return times;
                        },
                        [](const CountStep& s) {
                          return s.time ? Parts{{s.time, s.next}, {}} : Parts{};
                        },
                        [](const FillGhosts& s) {
                          Parts values;
                          for (const GhostAxis& axis : s.axes)
                            for (const auto& value : {axis.lower.value, axis.upper.value})
                              if (value) values.exprs.push_back(value);
                          return values;
                        },
                    },
                    statement);
}

}  // namespace

std::vector<ExprPtr> operands(const Expr& expr) {
  return std::visit(Overload{
                        [](const Name&) { return Exprs{}; },
                        [](const Literal&) { return Exprs{}; },
                        [](const IndexLiteral&) { return Exprs{}; },
                        [](const IndexBinary& e) {
                          return Exprs{e.left, e.right};
                        },
                        [](const Operate& e) { return e.operands; },
                        [](const Convert& e) { return Exprs{e.value}; },
                        [](const Subscript& e) {
                          return Exprs{e.array, e.index};
                        },
                        [](const Call& e) { return e.arguments; },
                        [](const Choose& e) {
                          return Exprs{e.condition, e.yes, e.no};
                        },
                        [](const And& e) {
                          return Exprs{e.left, e.right};
                        },
                        [](const Within& e) {
                          return Exprs{e.at, e.begin, e.end};
                        },
                        [](const Smaller& e) {
                          return Exprs{e.left, e.right};
                        },
                        [](const Larger& e) {
                          return Exprs{e.left, e.right};
                        },
                        [](const GridSize&) { return Exprs{}; },
                        [](const WholeSize&) { return Exprs{}; },
                        [](const GridOrigin&) { return Exprs{}; },
                        [](const GridStride&) { return Exprs{}; },
                        [](const GridRow& e) { return e.cell; },
                        [](const HaloCell&) { return Exprs{}; },
                        [](const NearestCell&) { return Exprs{}; },
                        [](const Held&) { return Exprs{}; },
                        [](const Opaque&) { return Exprs{}; },
                        [](const CpuExpr& e) { return operands(e); },
                        [](const DeviceExpr& e) { return operands(e); },
                    },
                    expr.node);
}

Parts parts(const Statement& statement) {
  return std::visit(Overload{
                        [](const Declare& s) {
                          return Parts{{s.value}, {}};
                        },
                        [](const DeclarePointer& s) {
                          return Parts{{s.value}, {}};
                        },
                        [](const Assign& s) {
                          return Parts{{s.target, s.value}, {}};
                        },
                        [](const For& s) {
                          return Parts{{s.begin, s.end}, {&s.body}};
                        },
                        [](const If& s) {
                          return Parts{{s.condition}, {&s.body}};
                        },
                        [](const Evaluate& s) {
                          return Parts{{s.value}, {}};
                        },
                        [](const Return& s) {
                          return Parts{{s.value}, {}};
                        },
                        [](const Comment&) { return Parts{}; },
                        [](const CpuStatement& s) { return parts(s); },
                        [](const DeviceStatement& s) { return parts(s); },
                    },
                    statement.node);
}

}  // namespace paraiso::codegen::claris
