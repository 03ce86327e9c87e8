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

Error error_of(const Failure& failure, const Transport& transport) {
  const std::string host = transport.host(failure.rank);
  const Error error(fmt::format("rank {} of {}{}: {}", failure.rank, transport.ranks(),
                                host.empty() ? "" : " on " + host, failure.message));
  return failure.hint.empty() ? error : error.with_hint(failure.hint);
}

}  // namespace paraiso::runtime
