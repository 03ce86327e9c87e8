// json_text: JSON as the command writes it. Gives: json_text.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace paraiso::cli {

/// Paths and quoted messages may hold bytes that are no UTF-8: these are replaced.
[[nodiscard]] inline std::string json_text(const nlohmann::ordered_json& json, int indent = 2) {
  return json.dump(indent, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

}  // namespace paraiso::cli
