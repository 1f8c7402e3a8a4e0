// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/apps/AppFilter.h"

#include "ui/live/NodeFilter.h"

#include <algorithm>

namespace weir::ui {

void AppFilter::setText(const QString& text)
{
    words = NodeFilter::folded(text).split(QLatin1Char(' '), Qt::SkipEmptyParts);
}

bool AppFilter::accepts(const AppRow& app, const AppStanding& standing) const
{
    if (problemsOnly && standing.kind == AppStandingKind::Ok) {
        return false;
    }
    const auto lets = [](const QSet<QString>& chosen, const QString& value) { return chosen.isEmpty() || chosen.contains(value); };
    if (!lets(resolutions, resolutionKey(app.resolution)) || !lets(pools, app.pool) || !lets(owners, app.owner)) {
        return false;
    }
    if (words.isEmpty()) {
        return true;
    }
    const QString text = NodeFilter::folded(app.id + QLatin1Char('\n') + app.owner + QLatin1Char('\n') + app.pool);
    return std::all_of(words.begin(), words.end(), [&text](const QString& word) { return text.contains(word); });
}

QString AppFilter::resolutionKey(Resolution resolution)
{
    return resolution == Resolution::Binding ? QStringLiteral("binding") : resolution == Resolution::Owner ? QStringLiteral("owner") : QStringLiteral("default");
}

QString AppFilter::resolutionLabel(const QString& key)
{
    return AppWords::resolution(key == QLatin1String("binding") ? Resolution::Binding : key == QLatin1String("owner") ? Resolution::Owner : Resolution::Default);
}

} // namespace weir::ui
