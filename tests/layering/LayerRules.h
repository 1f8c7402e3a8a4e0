// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QMap>
#include <QString>
#include <QStringList>

namespace weir::layering {

/// Path from the top of the tree → text of the file.
using Sources = QMap<QString, QString>;

/// What the sources under core/, ui/ and app/ include against the rules of the tree, one sentence each with path and
/// line; empty when all is well. Other paths are ignored.
[[nodiscard]] QStringList violations(const Sources& sources);

} // namespace weir::layering
