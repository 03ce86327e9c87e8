#include "paraiso/runtime/ranks/command.hpp"

#include <cstring>

namespace paraiso::runtime {

Bytes encode(const std::vector<std::int64_t>& numbers) {
  Bytes message(numbers.size() * sizeof(std::int64_t));
  if (!numbers.empty()) std::memcpy(message.data(), numbers.data(), message.size());
  return message;
}

std::vector<std::int64_t> decode_numbers(const Bytes& message) {
  std::vector<std::int64_t> numbers(message.size() / sizeof(std::int64_t));
  if (!numbers.empty()) std::memcpy(numbers.data(), message.data(), message.size());
  return numbers;
}

Bytes encode(const Command& command) {
  std::vector<std::int64_t> numbers = {static_cast<std::int64_t>(command.order), command.number,
                                       static_cast<std::int64_t>(command.bits)};
  for (const om::Cell* corner : {&command.box.lower, &command.box.upper})
    numbers.insert(numbers.end(), corner->begin(), corner->end());
  return encode(numbers);
}

Command decode_command(const Bytes& message) {
  const std::vector<std::int64_t> numbers = decode_numbers(message);
  const auto corners = numbers.begin() + 3;
  const auto axes = (numbers.end() - corners) / 2;
  return {static_cast<Order>(numbers[0]), numbers[1], static_cast<std::uint64_t>(numbers[2]),
          om::Box{{corners, corners + axes}, {corners + axes, numbers.end()}}};
}

}  // namespace paraiso::runtime
