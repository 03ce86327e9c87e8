#include "apps/apps.hpp"

#include "apps/acoustic/acoustic.hpp"
#include "apps/heat/heat.hpp"
#include "apps/hello/hello.hpp"
#include "apps/himeno/himeno.hpp"
#include "apps/hydro/hydro.hpp"
#include "apps/life/life.hpp"
#include "apps/mhd/mhd.hpp"
#include "apps/stencils/stencils.hpp"
#include "apps/wave/wave.hpp"

namespace paraiso::apps {

const std::vector<App>& built_in() {
  static const std::vector<App> all{hello(),    life(),   wave(), heat(),     hydro(),
                                    acoustic(), himeno(), mhd(),  training(), stencil()};
  return all;
}

}  // namespace paraiso::apps
