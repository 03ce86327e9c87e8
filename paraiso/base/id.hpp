// Id: an index that knows what it indexes, so that a value is never taken for a static.
// Gives: Id<Tag>. Needs: nothing.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>

namespace paraiso {

template <class Tag>
struct Id {
  std::uint32_t index = UINT32_MAX;

  constexpr Id() = default;
  constexpr explicit Id(std::size_t i) : index(static_cast<std::uint32_t>(i)) {}
  [[nodiscard]] constexpr bool valid() const { return index != UINT32_MAX; }
  friend constexpr auto operator<=>(const Id&, const Id&) = default;
};

}  // namespace paraiso

template <class Tag>
struct std::hash<paraiso::Id<Tag>> {
  std::size_t operator()(paraiso::Id<Tag> id) const noexcept { return id.index; }
};
