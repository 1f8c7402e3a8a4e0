// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/pages/apps/AppStanding.h"

#include <QSet>

namespace weir::ui {

/// What the Apps page shows. Empty sets let everything through.
struct AppFilter {
    QStringList words;       ///< folded; all must stand in id, owner or pool
    QSet<QString> resolutions; ///< keys of resolutionKey()
    QSet<QString> pools;
    QSet<QString> owners;
    bool problemsOnly = false;

    [[nodiscard]] bool isEmpty() const { return words.isEmpty() && resolutions.isEmpty() && pools.isEmpty() && owners.isEmpty() && !problemsOnly; }
    [[nodiscard]] bool accepts(const AppRow& app, const AppStanding& standing) const;
    void setText(const QString& text);

    /// Stable names of the settings: "binding", "owner", "default".
    [[nodiscard]] static QString resolutionKey(Resolution resolution);
    [[nodiscard]] static QString resolutionLabel(const QString& key);
};

} // namespace weir::ui
