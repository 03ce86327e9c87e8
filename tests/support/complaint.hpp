// complaint: what goes wrong, as text. Gives: complaint. Needs: the C++ standard library.
#pragma once

#include <stdexcept>
#include <string>

namespace paraiso::test {

/// The text of the std::runtime_error, an Error or another one, that `act` throws.
template <class Act>
std::string complaint(Act&& act) {
  try {
    act();
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "nothing is wrong";
}

}  // namespace paraiso::test
