// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/LatencyHistogram.h"

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace weir::api {

/// What one scrape of /metrics gets. Series of one name belong together whatever the order they are written in; help and type
/// are those of the first. Never a node or an app as a label, but for `weir_node_up`: the number of series must not grow with
/// the fleet.
class MetricSheet {
public:
    using Labels = std::vector<std::pair<std::string, std::string>>;

    MetricSheet();
    MetricSheet(const MetricSheet&) = delete;
    MetricSheet& operator=(const MetricSheet&) = delete;
    ~MetricSheet();

    /// Counters end in `_total`, and only grow while the program runs.
    void counter(std::string_view name, std::string_view help, double value, const Labels& labels = {});
    void gauge(std::string_view name, std::string_view help, double value, const Labels& labels = {});
    /// Names end in `_seconds`.
    void histogram(std::string_view name, std::string_view help, const LatencyHistogram::Snapshot& value, const Labels& labels = {});

    /// Prometheus text format 0.0.4.
    [[nodiscard]] std::string text() const;

private:
    struct Families;
    std::unique_ptr<Families> m_families;
};

} // namespace weir::api
