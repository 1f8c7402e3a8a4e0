// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plane/ExplanationJson.h"

#include <boost/json.hpp>
#include <cmath>

namespace weir::plane {
namespace json = boost::json;
namespace {

// Seconds to the millisecond: enough for people and monitors, and readable.
double rounded(double seconds)
{
    return std::round(seconds * 1000) / 1000;
}

json::object toJson(const fleet::ExplainedNode& node)
{
    json::object object{{"nodeId", node.id}, {"poolId", node.pool}, {"reason", fleet::toText(node.reason)}, {"detail", node.detail}, {"free", node.free},
        {"capacity", node.capacity}, {"pending", node.pending}};
    json::array also;
    for (const fleet::Reason reason : node.also) {
        also.emplace_back(fleet::toText(reason));
    }
    object["also"] = std::move(also);
    if (node.remainingSeconds) {
        object["remainingSeconds"] = rounded(*node.remainingSeconds);
    }
    if (node.earliestReturnSeconds) {
        object["earliestReturnSeconds"] = rounded(*node.earliestReturnSeconds);
    }
    if (node.heartbeatAgeSeconds) {
        object["heartbeatAgeSeconds"] = rounded(*node.heartbeatAgeSeconds);
    }
    if (!node.cause.empty()) {
        object["cause"] = node.cause;
    }
    return object;
}

json::object toJson(const fleet::ExplainedStage& stage)
{
    json::object excluded;
    for (const auto& [reason, count] : stage.excluded) {
        excluded[fleet::toText(reason)] = count;
    }
    return {{"poolId", stage.pool}, {"considered", stage.considered}, {"candidates", stage.candidates}, {"excluded", std::move(excluded)}};
}

template <typename Items>
json::array arrayOf(const Items& items)
{
    json::array array;
    for (const auto& item : items) {
        array.emplace_back(toJson(item));
    }
    return array;
}

} // namespace

json::object explanationJson(const fleet::Explanation& record, bool own)
{
    json::object object{
        {"revision", record.revision},
        {"at", toRfc3339(record.at)},
        {"preview", record.preview},
        {"request", json::object{{"role", toText(record.role)}, {"appId", record.app}, {"need", record.need}, {"endpoint", toText(record.endpoint)}}},
        {"resolution", json::object{{"poolId", record.pool}, {"because", fleet::toText(record.because)}, {"owner", record.owner}, {"fallbackAllowed", record.fallbackAllowed},
                           {"fallbackWhy", record.fallbackWhy}}},
        {"stages", arrayOf(record.stages)},
        {"nodes", arrayOf(record.nodes)},
        {"ranking", arrayOf(record.ranking)},
        {"code", fleet::toText(record.code)},
        {"fallback", record.fallback},
        {"sentence", own ? record.ownSentence : record.sentence},
    };
    object["chosen"] = record.chosen.empty() ? json::value(nullptr) : json::value(record.chosen);
    if (!own) {
        json::object elsewhere;
        for (const auto& [pool, count] : record.elsewhere) {
            elsewhere[pool] = count;
        }
        object["elsewhere"] = std::move(elsewhere);
        json::array steps;
        for (const fleet::NextStep& step : record.nextSteps) {
            steps.emplace_back(json::object{{"code", step.code}, {"text", step.text}, {"gained", step.gained}});
        }
        object["nextSteps"] = std::move(steps);
    }
    return object;
}

} // namespace weir::plane
