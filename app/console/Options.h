// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/config/ListenAddress.h"
#include "ui/client/Rows.h"

#include <QSize>
#include <QString>
#include <QStringList>
#include <optional>

namespace weir::console {

/// The command line of `weir` (architecture.md).
struct Options {
    bool demo = false;
    QString scenario = QStringLiteral("free");
    QString dataDir;
    QString configFile;
    std::optional<config::ListenAddress> adminListen;
    std::optional<config::ListenAddress> gatewayListen;
    ui::AccessRole role = ui::AccessRole::Superadmin;
    QString screenshot;
    QString page;
    double afterSeconds = 2;
    QSize size{1280, 800};
    QString theme;
    QString language;
    QString help;    ///< not empty: print it and end
    QString error;   ///< not empty: usage
};

[[nodiscard]] Options readOptions(const QStringList& arguments);

} // namespace weir::console
