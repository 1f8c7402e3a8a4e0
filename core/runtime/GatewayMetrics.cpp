// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/runtime/GatewayMetrics.h"

#include <array>
#include <atomic>

namespace weir::runtime {
namespace {

constexpr double kMicrosecondsPerSecond = 1e6;
constexpr std::array<const char*, 6> kClasses{"none", "1xx", "2xx", "3xx", "4xx", "5xx"};

double now(const std::atomic<std::uint64_t>& figure)
{
    return static_cast<double>(figure.load(std::memory_order_relaxed));
}

LatencyHistogram::Snapshot latencyOf(const gateway::ClusterCounters& cluster)
{
    LatencyHistogram::Snapshot snapshot;
    Duration bound = gateway::ClusterCounters::kFirstBound;
    for (std::size_t i = 0; i < gateway::ClusterCounters::kBuckets; ++i, bound *= 2) {
        if (i + 1 < gateway::ClusterCounters::kBuckets) {
            snapshot.bounds.push_back(toSeconds(bound)); // the last bucket has none
        }
        snapshot.counts.push_back(cluster.latencies[i].load(std::memory_order_relaxed));
    }
    snapshot.sum = now(cluster.latencyMicroseconds) / kMicrosecondsPerSecond;
    return snapshot;
}

void writeCluster(api::MetricSheet& sheet, const std::string& name, const gateway::ClusterCounters& cluster)
{
    const api::MetricSheet::Labels labels{{"cluster", name}};
    for (std::size_t i = 0; i < kClasses.size(); ++i) {
        sheet.counter("weir_gateway_requests_total", "Requests by cluster and class of the answer's status; none: the client left before there was one.",
            now(cluster.requests[i]), {{"cluster", name}, {"status", kClasses[i]}});
    }
    sheet.histogram("weir_gateway_request_seconds", "Time of one request, from its head to the last byte of the answer.", latencyOf(cluster), labels);
    sheet.counter("weir_gateway_tries_total", "Times that a request was sent to a node.", now(cluster.tries), labels);
    sheet.counter("weir_gateway_retries_total", "Tries after the first one of a request.", now(cluster.retries), labels);
    sheet.counter("weir_gateway_node_failures_total", "Tries that counted against their node.", now(cluster.nodeFailures), labels);
    sheet.gauge("weir_gateway_queue_length", "Requests that wait for a busy node.", now(cluster.waiting), labels);
    sheet.counter("weir_gateway_queued_total", "Requests that had to wait.", now(cluster.waited), labels);
    sheet.counter("weir_gateway_queue_wait_seconds_total", "Time that requests waited.", now(cluster.waitMicroseconds) / kMicrosecondsPerSecond, labels);
    sheet.counter("weir_gateway_queue_refused_total", "Requests that the line refused.", now(cluster.queueFull), {{"cluster", name}, {"reason", "full"}});
    sheet.counter("weir_gateway_queue_refused_total", "", now(cluster.queueTimeouts), {{"cluster", name}, {"reason", "timeout"}});
}

} // namespace

void writeGateway(api::MetricSheet& sheet, const gateway::Gateway& gateway, const gateway::AccessLog* accessLog)
{
    const gateway::GatewayCounters& all = gateway.counters();
    sheet.gauge("weir_gateway_connections", "Connections of clients now.", now(all.connections));
    sheet.counter("weir_gateway_connections_accepted_total", "Connections that were accepted.", now(all.accepted));
    sheet.counter("weir_gateway_bad_requests_total", "Requests refused because they were not proper HTTP.", now(all.refusedHeads));
    sheet.counter("weir_gateway_clients_left_total", "Clients that left before their answer was complete.", now(all.clientsLeft));
    sheet.counter("weir_gateway_tls_handshakes_total", "Handshakes of clients by how they ended.", now(all.handshakes), {{"result", "ok"}});
    sheet.counter("weir_gateway_tls_handshakes_total", "", now(all.failedHandshakes), {{"result", "failed"}});
    sheet.counter("weir_gateway_proxy_headers_refused_total", "Connections without a proper header of the PROXY protocol, where one is asked for.",
        now(all.refusedProxyHeaders));
    sheet.counter("weir_gateway_received_bytes_total", "Bytes of clients.", now(all.bytesIn));
    sheet.counter("weir_gateway_sent_bytes_total", "Bytes to clients.", now(all.bytesOut));
    for (const auto& [name, cluster] : gateway.clusterCounters()) {
        writeCluster(sheet, name, *cluster);
    }
    for (const auto& [key, value] : gateway.moduleCounters()) {
        sheet.counter("weir_gateway_module_events_total", "What the modules did, those of one kind together.", static_cast<double>(value),
            {{"module", key.first}, {"event", key.second}});
    }
    if (accessLog != nullptr) {
        constexpr const char* kLines = "weir_gateway_access_log_lines_total";
        sheet.counter(kLines, "Lines of the access log; dropped: the disk did not take them in time.", static_cast<double>(accessLog->written()), {{"result", "written"}});
        sheet.counter(kLines, "", static_cast<double>(accessLog->dropped()), {{"result", "dropped"}});
        sheet.counter("weir_gateway_access_log_rotations_total", "Times that the access log was rotated for its size.", static_cast<double>(accessLog->rotated()));
    }
}

} // namespace weir::runtime
