// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/ConfigKeys.h"

#include <cstddef>
#include <utility>

namespace weir::config {
namespace keys {
namespace {

constexpr KeySpec kRoot[] = {{"health_check"}, {"probe"}, {"users"}, {"pools"}, {"nodes"}, {"apps"}, {"bindings"}, {"scheduler"},
    {"registration"}, {"outcome_rules"}, {"passive_statuses"}, {"gateway"}, {"admin"}, {"routing", false},
    {"webhooks"}, {"incidents"}, {"retention"}, {"shutdown_grace_seconds"}, {"store"}, {"log"}};
constexpr KeySpec kHealthCheck[] = {{"path"}, {"interval_seconds"}, {"timeout_seconds"}, {"expected_statuses"}, {"unhealthy_threshold"},
    {"healthy_threshold"}, {"cooldown_seconds"}, {"cooldown_multiplier"}, {"max_cooldown_seconds"}, {"ejection_memory_seconds"},
    {"max_ejection_percent"}, {"flap_transitions"}, {"flap_window_seconds"}};
constexpr KeySpec kProbe[] = {{"transport"}, {"max_in_flight"}};
constexpr KeySpec kPool[] = {{"pool"}, {"name"}, {"canary"}, {"min_available"}, {"capacity_alarm_percent"}};
constexpr KeySpec kNode[] = {{"node"}, {"role"}, {"url"}, {"health_url"}, {"health_path"}, {"expected_statuses"}, {"webrtc_base_url"},
    {"publish_url"}, {"pool"}, {"owner"}, {"capacity"}, {"weight"}, {"region"}, {"version"}, {"tls"}};
constexpr KeySpec kNodeTls[] = {{"ca"}, {"server_name"}, {"verify"}};
constexpr KeySpec kApp[] = {{"app"}, {"owner"}};
constexpr KeySpec kBinding[] = {{"app"}, {"pool"}, {"allow_fallback_to_default"}};
constexpr KeySpec kScheduler[] = {{"reservations"}, {"reservation_settle_seconds"}, {"reservation_ttl_seconds"}, {"admit_unknown_apps"}};
constexpr KeySpec kRegistration[] = {{"heartbeat_interval_seconds"}, {"heartbeat_timeout_seconds"}, {"probe_allowed_networks"}};
constexpr KeySpec kIncidents[] = {{"gap_seconds"}, {"look_back_seconds"}};
constexpr KeySpec kRetention[] = {{"events_days"}, {"events_bytes"}};
constexpr KeySpec kOutcomeRule[] = {{"name"}, {"when"}, {"after"}};
constexpr KeySpec kGateway[] = {{"listen"}, {"queue"}, {"access_log"}, {"trusted_proxies"}, {"proxy_protocol"},
    {"tls"}, {"max_idle_per_node"}, {"modules"}};
constexpr KeySpec kQueue[] = {{"max"}, {"timeout_seconds"}};
constexpr KeySpec kAdmin[] = {{"listen"}, {"tls"}};
constexpr KeySpec kWebhook[] = {{"name"}, {"url"}, {"format"}, {"secret"}, {"kinds"}};
constexpr KeySpec kListenerTls[] = {{"certificate"}, {"key"}};
constexpr KeySpec kStore[] = {{"url", false}};
constexpr KeySpec kLog[] = {{"level"}, {"format"}};

} // namespace

std::span<const KeySpec> root() noexcept { return kRoot; }
std::span<const KeySpec> healthCheck() noexcept { return kHealthCheck; }
std::span<const KeySpec> probe() noexcept { return kProbe; }
std::span<const KeySpec> pool() noexcept { return kPool; }
std::span<const KeySpec> node() noexcept { return kNode; }
std::span<const KeySpec> nodeTls() noexcept { return kNodeTls; }
std::span<const KeySpec> app() noexcept { return kApp; }
std::span<const KeySpec> binding() noexcept { return kBinding; }
std::span<const KeySpec> scheduler() noexcept { return kScheduler; }
std::span<const KeySpec> registration() noexcept { return kRegistration; }
std::span<const KeySpec> incidents() noexcept { return kIncidents; }
std::span<const KeySpec> retention() noexcept { return kRetention; }
std::span<const KeySpec> outcomeRule() noexcept { return kOutcomeRule; }
std::span<const KeySpec> gateway() noexcept { return kGateway; }
std::span<const KeySpec> queue() noexcept { return kQueue; }
std::span<const KeySpec> admin() noexcept { return kAdmin; }
std::span<const KeySpec> listenerTls() noexcept { return kListenerTls; }
std::span<const KeySpec> webhook() noexcept { return kWebhook; }
std::span<const KeySpec> store() noexcept { return kStore; }
std::span<const KeySpec> log() noexcept { return kLog; }

} // namespace keys

std::vector<KnownKey> knownKeys()
{
    const std::pair<std::string_view, std::span<const KeySpec>> sections[] = {{"health_check", keys::healthCheck()},
        {"probe", keys::probe()}, {"pools[]", keys::pool()}, {"nodes[]", keys::node()}, {"apps[]", keys::app()}, {"bindings[]", keys::binding()},
        {"scheduler", keys::scheduler()}, {"outcome_rules[]", keys::outcomeRule()}, {"registration", keys::registration()}, {"gateway", keys::gateway()}, {"admin", keys::admin()}, {"webhooks[]", keys::webhook()},
        {"incidents", keys::incidents()}, {"retention", keys::retention()}, {"store", keys::store()}, {"log", keys::log()}};
    std::vector<KnownKey> all;
    for (const KeySpec& key : keys::root()) {
        const std::size_t own = all.size();
        all.push_back({std::string(key.name), key.served});
        for (const auto& [name, members] : sections) {
            if (name != key.name && name != std::string(key.name) + "[]") {
                continue;
            }
            all[own].served = false; // unless something in it is
            for (const KeySpec& member : members) {
                all[own].served = all[own].served || member.served;
                const std::string path = std::string(name) + "." + std::string(member.name);
                all.push_back({path, member.served});
                const auto inside = path == "admin.tls" || path == "gateway.tls" ? keys::listenerTls()
                    : path == "gateway.queue"                                        ? keys::queue()
                    : path == "nodes[].tls"                                          ? keys::nodeTls()
                                                                                     : std::span<const KeySpec>();
                for (const KeySpec& inner : inside) {
                    all.push_back({path + "." + std::string(inner.name), inner.served});
                }
            }
        }
    }
    return all;
}

} // namespace weir::config
