#include <fmt/format.h>

#include <new>

#include "paraiso/base/error.hpp"
#include "paraiso/runtime/transport/transport.hpp"

namespace paraiso::runtime {

Failure failure_in_flight(int rank) {
  try {
    throw;
  } catch (const Abandoned& other) {
    return other.failure;
  } catch (const Error& error) {
    const auto& told = error.diagnostics();
    return {rank, told.front().message, told.size() > 1 ? told.back().message : ""};
  } catch (const std::bad_alloc&) {
    return {rank, "there is not enough memory", ""};
  } catch (const std::exception& error) {
    return {rank, error.what(), ""};
  }
}

std::string rank_name(int rank, const Transport& transport) {
  const std::string host = transport.host(rank);
  return fmt::format("rank {} of {}{}", rank, transport.ranks(), host.empty() ? "" : " on " + host);
}

Error error_of(const Failure& failure, const Transport& transport) {
  const Error error(rank_name(failure.rank, transport) + ": " + failure.message);
  return failure.hint.empty() ? error : error.with_hint(failure.hint);
}

}  // namespace paraiso::runtime
