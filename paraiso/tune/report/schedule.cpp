// Schedule: the champion and the default in words, as `show --plan` prints them.
#include "paraiso/tune/report/sections.hpp"

namespace paraiso::tune {

Section schedule_section(const ReportRun& run) {
  if (!run.contest) return {"Schedules", note(kNoContest)};
  return {"Schedules", paragraph("The best:") + preformatted(run.contest->best.plan) +
                           paragraph("The default:") + preformatted(run.contest->start.plan)};
}

}  // namespace paraiso::tune
