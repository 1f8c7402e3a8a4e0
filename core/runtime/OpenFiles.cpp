// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/runtime/OpenFiles.h"

#include <sys/resource.h>

namespace weir::runtime {

void raiseOpenFileLimit()
{
    rlimit limit{};
    if (::getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < limit.rlim_max) {
        limit.rlim_cur = limit.rlim_max;
        (void)::setrlimit(RLIMIT_NOFILE, &limit);
    }
}

} // namespace weir::runtime
