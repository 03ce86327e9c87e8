// Access: whether a tuning database may be changed. Gives: Access. Needs: nothing.
#pragma once

namespace paraiso::tune {

enum class Access { write, read };

}  // namespace paraiso::tune
