#include "paraiso/runtime/backend/code_hash.hpp"

#include "paraiso/base/text.hpp"

namespace paraiso::runtime {

std::string code_hash(const std::string& source) {
  return paraiso::hex(fnv1a(without_comments(source)));
}

std::string generator_hash(const Backend& backend, const om::Machine& program,
                           const om::Kernel& kernel) {
  om::Machine alone = program;
  std::erase_if(alone.kernels, [&](const om::Kernel& k) { return k.name != kernel.name; });
  std::uint64_t hash = fnv1a("");
  const plan::Plan plan = backend.make_plan(alone, backend.usual_schedule(alone));
  for (const auto& file : backend.generate(plan, {}))
    hash = fnv1a(without_comments(file.text), hash);
  return paraiso::hex(hash);
}

}  // namespace paraiso::runtime
