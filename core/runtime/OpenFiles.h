// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace weir::runtime {

/// Raises this process's soft limit of open files to the hard one: a prober of 10,000 nodes needs some 4,000 sockets when all
/// of them are silent, and many systems start programs with 1,024. Once, before a Runtime is made. Nothing happens where it is
/// not allowed.
void raiseOpenFileLimit();

} // namespace weir::runtime
