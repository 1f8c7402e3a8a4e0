// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QString>
#include <QStringList>
#include <optional>

namespace weir::ui {

/// Where somebody has been: pages and what was selected on them. Sorting and filtering never enter it.
class PageHistory {
public:
    struct Place {
        QString page;
        QStringList selection;

        friend bool operator==(const Place&, const Place&) = default;
    };

    static constexpr qsizetype kMost = 100;

    /// Notes where we are now; forgets what lay ahead. The same page with a selection replaces itself without one.
    void visit(const Place& place);
    [[nodiscard]] std::optional<Place> back();
    [[nodiscard]] std::optional<Place> forward();
    [[nodiscard]] bool canGoBack() const { return m_at > 0; }
    [[nodiscard]] bool canGoForward() const { return m_at + 1 < m_places.size(); }

private:
    QList<Place> m_places;
    qsizetype m_at = -1;
};

} // namespace weir::ui
