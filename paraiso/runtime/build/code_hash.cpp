#include "paraiso/runtime/build/code_hash.hpp"

#include "paraiso/base/text.hpp"
#include "paraiso/codegen/cpu/openmp.hpp"
#include "paraiso/plan/make/make_plan.hpp"
#include "paraiso/plan/search/default_schedule.hpp"

namespace paraiso::runtime {

std::string code_hash(const std::string& source) {
  return paraiso::hex(fnv1a(without_comments(source)));
}

std::string generator_hash(const om::Machine& program, const om::Kernel& kernel) {
  om::Machine alone = program;
  std::erase_if(alone.kernels, [&](const om::Kernel& k) { return k.name != kernel.name; });
  std::uint64_t hash = fnv1a("");
  for (const auto& file :
       codegen::generate_openmp(plan::make_plan(alone, plan::default_schedule(alone))))
    hash = fnv1a(without_comments(file.text), hash);
  return paraiso::hex(hash);
}

}  // namespace paraiso::runtime
