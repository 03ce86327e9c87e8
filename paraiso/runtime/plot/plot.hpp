// plot: a PNG of a field: a curve in 1-D, a picture with a colour bar in 2-D, the middle plane in
// more. Gives: write_plot, PlotOptions. Needs: canvas, colour, Instance.
#pragma once

#include <filesystem>
#include <optional>
#include <string_view>

#include "paraiso/runtime/fields/instance.hpp"
#include "paraiso/runtime/fields/record.hpp"

namespace paraiso::runtime {

struct PlotOptions {
  std::optional<double> minimum, maximum;  // of the colour bar; else the field's own
  int pixels = 900;  // approximately, of the longer side of the picture itself
  Record record;     // stored in the file as text
};

/// `field` names a Local static (Error with the nearest if there is none such). Cells that are not
/// finite are grey.
void write_plot(const std::filesystem::path& path, Instance& instance, std::string_view field,
                std::int64_t step, const PlotOptions& options = {});

}  // namespace paraiso::runtime
