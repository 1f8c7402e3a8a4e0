// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/PageHistory.h"

namespace weir::ui {

void PageHistory::visit(const Place& place)
{
    if (m_at >= 0 && m_places.at(m_at) == place) {
        return;
    }
    if (m_at >= 0 && m_places.at(m_at).page == place.page && (m_places.at(m_at).selection.isEmpty() || place.selection.isEmpty())) {
        m_places[m_at] = place;
        return;
    }
    m_places = m_places.first(m_at + 1);
    m_places.append(place);
    if (m_places.size() > kMost) {
        m_places.removeFirst();
    }
    m_at = m_places.size() - 1;
}

std::optional<PageHistory::Place> PageHistory::back()
{
    if (!canGoBack()) {
        return std::nullopt;
    }
    return m_places.at(--m_at);
}

std::optional<PageHistory::Place> PageHistory::forward()
{
    if (!canGoForward()) {
        return std::nullopt;
    }
    return m_places.at(++m_at);
}

} // namespace weir::ui
