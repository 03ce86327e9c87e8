// Command: what the driver of a divided instance asks of all ranks.
// Gives: Order, is_answered, Command, encode, decode_command, decode_numbers. Needs: Box, Bytes.
#pragma once

#include "paraiso/om/box.hpp"
#include "paraiso/runtime/transport/transport.hpp"

namespace paraiso::runtime {

enum class Order : std::uint8_t {
  run,      // a kernel
  set,      // a Global to a value
  clear,    // a Local to 0
  look,     // for the first NaN of a Local: answered by its cell, or by nothing
  read,     // cells of a box of a Local: asked only of ranks that have some
  write,    // the same; ranks that have some are sent theirs next
  keep,     // the state: answered by whether there was memory for it
  go_back,  // to the state that was kept
  end,      // nothing will be asked any more
};

/// An order that is answered without an answer of its own gets an empty message when it is done.
[[nodiscard]] constexpr bool is_answered(Order order) {
  return order != Order::set && order != Order::write && order != Order::end;
}

struct Command {
  Order order;
  std::int64_t number = 0;  // of a kernel or a static
  std::uint64_t bits = 0;   // of a value
  om::Box box;
};
[[nodiscard]] Bytes encode(const Command& command);
[[nodiscard]] Command decode_command(const Bytes& message);

/// Numbers as a message.
[[nodiscard]] Bytes encode(const std::vector<std::int64_t>& numbers);
[[nodiscard]] std::vector<std::int64_t> decode_numbers(const Bytes& message);

}  // namespace paraiso::runtime
