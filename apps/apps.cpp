#include "apps/apps.hpp"

#include "apps/heat/heat.hpp"
#include "apps/hello/hello.hpp"
#include "apps/hydro/hydro.hpp"
#include "apps/life/life.hpp"
#include "apps/wave/wave.hpp"

namespace paraiso::apps {

const std::vector<App>& built_in() {
  static const std::vector<App> all{hello(), life(), wave(), heat(), hydro()};
  return all;
}

}  // namespace paraiso::apps
