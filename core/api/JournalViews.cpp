// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/api/JournalViews.h"

#include <boost/json.hpp>

namespace weir::api {
namespace json = boost::json;

json::object toJson(const journal::Event& event)
{
    boost::system::error_code error;
    json::value detail = json::parse(event.detail.empty() ? "{}" : event.detail, error);
    if (error || !detail.is_object()) {
        detail = json::object{};
    }
    return {{"seq", event.seq}, {"at", toRfc3339(event.at)}, {"kind", journal::toText(event.kind)}, {"severity", journal::toText(event.severity)}, {"nodeId", event.nodeId},
        {"poolId", event.poolId}, {"appId", event.appId}, {"role", event.role}, {"actor", event.actor}, {"sentence", event.sentence}, {"detail", std::move(detail)}};
}

json::object pageOfEvents(const std::vector<journal::Event>& events, std::size_t limit)
{
    const std::size_t count = std::min(limit, events.size());
    json::array items;
    items.reserve(count);
    for (std::size_t i = 0; i < count; ++i) {
        items.emplace_back(toJson(events[i]));
    }
    json::value next = nullptr;
    if (events.size() > count && count > 0) {
        next = std::to_string(events[count - 1].seq);
    }
    return {{"items", std::move(items)}, {"next", std::move(next)}};
}

json::array toJson(const std::vector<journal::SeriesPoint>& points)
{
    json::array list;
    list.reserve(points.size());
    for (const journal::SeriesPoint& point : points) {
        const auto figure = [&](int value) { return point.known ? json::value(value) : json::value(nullptr); };
        list.emplace_back(json::object{{"at", toRfc3339(point.at)}, {"healthy", figure(point.healthy)}, {"total", figure(point.total)}});
    }
    return list;
}

} // namespace weir::api
