// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/api/MetricSheet.h"

#include <limits>
#include <prometheus/metric_family.h>
#include <prometheus/text_serializer.h>
#include <sstream>
#include <unordered_map>

namespace weir::api {

struct MetricSheet::Families {
    std::vector<prometheus::MetricFamily> all;
    std::unordered_map<std::string, std::size_t> byName;

    prometheus::ClientMetric& add(std::string_view name, std::string_view help, prometheus::MetricType type, const Labels& labels)
    {
        const auto [at, isNew] = byName.emplace(name, all.size());
        if (isNew) {
            all.push_back({std::string(name), std::string(help), type, {}});
        }
        prometheus::ClientMetric& metric = all[at->second].metric.emplace_back();
        for (const auto& [key, value] : labels) {
            metric.label.push_back({key, value});
        }
        return metric;
    }
};

MetricSheet::MetricSheet()
    : m_families(std::make_unique<Families>())
{
}

MetricSheet::~MetricSheet() = default;

void MetricSheet::counter(std::string_view name, std::string_view help, double value, const Labels& labels)
{
    m_families->add(name, help, prometheus::MetricType::Counter, labels).counter.value = value;
}

void MetricSheet::gauge(std::string_view name, std::string_view help, double value, const Labels& labels)
{
    m_families->add(name, help, prometheus::MetricType::Gauge, labels).gauge.value = value;
}

void MetricSheet::histogram(std::string_view name, std::string_view help, const LatencyHistogram::Snapshot& value, const Labels& labels)
{
    prometheus::ClientMetric::Histogram& histogram = m_families->add(name, help, prometheus::MetricType::Histogram, labels).histogram;
    std::uint64_t below = 0;
    for (std::size_t i = 0; i < value.counts.size(); ++i) {
        below += value.counts[i];
        histogram.bucket.push_back({below, i < value.bounds.size() ? value.bounds[i] : std::numeric_limits<double>::infinity()});
    }
    histogram.sample_count = below;
    histogram.sample_sum = value.sum;
}

std::string MetricSheet::text() const
{
    std::ostringstream out;
    prometheus::TextSerializer().Serialize(out, m_families->all);
    return out.str();
}

} // namespace weir::api
