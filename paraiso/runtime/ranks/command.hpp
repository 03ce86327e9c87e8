// Command: what the driver of a divided instance asks of all ranks.
// Gives: Order, is_answered, Command, encode, decode_command, decode_numbers. Needs: Box, Bytes.
#pragma once

#include "paraiso/om/cells/box.hpp"
#include "paraiso/runtime/transport/transport.hpp"

namespace paraiso::runtime {

enum class Order : std::uint8_t {
  run,      // a kernel, some times in turn: answered by the rank's items of late reductions
  set,      // a Global to a value
  set_all,  // Globals to the values of a message that is sent next: number and bits in turn
  clear,    // a Local to 0
  look,     // for the first NaN of a Local: answered by its cell, or by nothing
  read,     // cells of a box of a Local: asked only of ranks that have some
  write,    // the same; ranks that have some are sent theirs next
  to_file,  // its cells of a Local, into a file whose name is sent next: answered by a SharedFile's
  keep,     // the state: answered by whether there was memory for it
  go_back,  // to the state that was kept
  busy,     // since when cuts moved: answered by BusySeconds
  prepare,  // a part of another division, whose text is sent next: answered by whether it can
  move,     // all cells to the parts that were prepared, which take the places of the present
  stay,     // without them
  end,      // nothing will be asked any more
};

/// An order that is answered without an answer of its own gets an empty message when it is done.
[[nodiscard]] constexpr bool is_answered(Order order) {
  return order != Order::set && order != Order::set_all && order != Order::write &&
         order != Order::stay && order != Order::end;
}

struct Command {
  Order order;
  std::int64_t number = 0;  // of a kernel or a static
  std::uint64_t bits = 0;   // of a value; how many times
  om::Box box;
};
[[nodiscard]] Bytes encode(const Command& command);
[[nodiscard]] Command decode_command(const Bytes& message);

/// Numbers as a message.
[[nodiscard]] Bytes encode(const std::vector<std::int64_t>& numbers);
[[nodiscard]] std::vector<std::int64_t> decode_numbers(const Bytes& message);

}  // namespace paraiso::runtime
