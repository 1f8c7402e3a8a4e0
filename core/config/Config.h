// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/Ids.h"
#include "core/base/IpNetwork.h"
#include "core/base/Log.h"
#include "core/base/NodeTls.h"
#include "core/base/Roles.h"
#include "core/config/ConfigIssue.h"
#include "core/config/JsonNode.h"
#include "core/config/ListenAddress.h"
#include "core/config/Position.h"
#include "core/health/HealthSettings.h"
#include "core/outcome/OutcomeBook.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace weir::config {

/// Which keys (snake case) an object of the file holds. The values beside it carry defaults where a key is missing; this
/// tells a declared value, which the file is asked to keep, from a default that it leaves to whoever changed it.
struct DeclaredKeys {
    std::vector<std::string_view> names; ///< literals, in the file's order

    [[nodiscard]] bool contains(std::string_view key) const { return std::find(names.begin(), names.end(), key) != names.end(); }

    friend bool operator==(const DeclaredKeys&, const DeclaredKeys&) = default;
};

struct UserEntry {
    UserId user;
    Position at;
};

struct PoolEntry {
    PoolId pool;
    std::string name; ///< empty: the id is shown
    bool canary = false;
    int minAvailable = 0; ///< 0: no alarm
    double capacityAlarmPercent = 10;
    DeclaredKeys declared;
    Position at;
};

struct NodeEntry {
    NodeId node;
    Role role = Role::Worker;
    std::string url; ///< where traffic goes; may be empty when healthUrl is set
    std::string healthUrl; ///< empty: probes go to `url`
    std::string healthPath; ///< empty: that of health_check
    std::vector<int> expectedStatuses; ///< empty: those of health_check
    std::string webrtcBaseUrl;
    std::string publishUrl;
    std::optional<PoolId> pool; ///< none: `pool-<owner>`, or `default` without an owner
    std::optional<UserId> owner;
    std::int64_t capacity = 1;
    int weight = 10;
    std::string region;
    std::string version;
    NodeTls tls;
    DeclaredKeys declared;
    Position at;
};

struct AppEntry {
    AppId app;
    std::optional<UserId> owner;
    DeclaredKeys declared;
    Position at;
};

struct BindingEntry {
    AppId app;
    PoolId pool;
    bool allowFallbackToDefault = false;
    DeclaredKeys declared;
    Position at;
};

struct SchedulerSettings {
    bool reservations = true;
    double reservationSettleSeconds = 2;
    double reservationTtlSeconds = 30;
    bool admitUnknownApps = true;

    friend bool operator==(const SchedulerSettings&, const SchedulerSettings&) = default;
};

/// Nodes that register and heartbeat (fleet.md, health.md).
struct RegistrationSettings {
    double heartbeatIntervalSeconds = 10; ///< what nodes are asked for
    double heartbeatTimeoutSeconds = 30;  ///< a node silent for this long is disconnected
    std::vector<IpNetwork> probeAllowedNetworks; ///< addresses that nodes bring must lie in one of them; empty: no such bound

    friend bool operator==(const RegistrationSettings&, const RegistrationSettings&) = default;
};

enum class ProbeTransportChoice : std::uint8_t { Auto, Qnam, Asio };

struct ProbeSettings {
    ProbeTransportChoice transport = ProbeTransportChoice::Auto;
    std::optional<int> maxInFlight; ///< none: `auto`

    friend bool operator==(const ProbeSettings&, const ProbeSettings&) = default;
};

/// Statuses from `first` to `last`, both included.
struct StatusRange {
    int first = 0;
    int last = 0;

    [[nodiscard]] bool contains(int status) const { return status >= first && status <= last; }

    friend bool operator==(const StatusRange&, const StatusRange&) = default;
};

/// A listener's certificate chain and key, PEM files; both empty: no TLS.
struct TlsFiles {
    std::string certificate;
    std::string key;

    [[nodiscard]] bool isSet() const { return !certificate.empty(); }
    friend bool operator==(const TlsFiles&, const TlsFiles&) = default;
};

/// `gateway`, but for its address.
struct GatewaySettings {
    std::int64_t queueMax = 1000; ///< requests that wait for a busy worker; 0: none does
    double queueTimeoutSeconds = 30;
    std::vector<std::string> trustedProxies; ///< addresses and networks in CIDR form
    int maxIdlePerNode = 32;
    std::string accessLog;                   ///< path of the file; empty: none is written
    std::shared_ptr<const JsonNode> modules; ///< the list as it stands in the file, checked; null: none
    TlsFiles tls;
    bool proxyProtocol = false; ///< every connection begins with a header of the PROXY protocol

    friend bool operator==(const GatewaySettings&, const GatewaySettings&) = default;
};

enum class WebhookFormat : std::uint8_t { Webhook, Alertmanager };

/// A receiver of alarms.
struct WebhookEntry {
    std::string name; ///< an id
    std::string url;
    WebhookFormat format = WebhookFormat::Webhook;
    std::string secret;             ///< empty: not signed
    std::vector<std::string> kinds; ///< empty: all

    friend bool operator==(const WebhookEntry&, const WebhookEntry&) = default;
};

enum class LogFormat : std::uint8_t { Text, Json };

struct LogSettings {
    LogLevel level = LogLevel::Info;
    LogFormat format = LogFormat::Text;

    friend bool operator==(const LogSettings&, const LogSettings&) = default;
};

/// How events become incidents.
struct IncidentSettings {
    double gapSeconds = 600;      ///< an event joins what it touches no later than this after its last event
    double lookBackSeconds = 900; ///< changes this long before an incident are shown with it

    friend bool operator==(const IncidentSettings&, const IncidentSettings&) = default;
};

/// How long the journal is kept: whichever comes first.
struct RetentionSettings {
    int eventsDays = 30;
    std::int64_t eventsBytes = 2'147'483'648; ///< of the whole database

    friend bool operator==(const RetentionSettings&, const RetentionSettings&) = default;
};

/// A configuration file that has passed every check. Default-constructed: what holds without a file.
struct Config {
    health::HealthSettings healthCheck;
    DeclaredKeys declaredHealthCheck; ///< administrators change these settings too
    ProbeSettings probe;
    std::vector<UserEntry> users;
    std::vector<PoolEntry> pools;
    std::vector<NodeEntry> nodes;
    std::vector<AppEntry> apps;
    std::vector<BindingEntry> bindings;
    SchedulerSettings scheduler;
    RegistrationSettings registration;
    std::vector<StatusRange> passiveStatuses{{401, 401}, {500, 599}}; ///< empty: no status ejects
    std::vector<outcome::RuleSettings> outcomeRules;
    bool declaresPassiveStatuses = false; ///< administrators change these two lists too
    bool declaresOutcomeRules = false;
    std::optional<ListenAddress> adminListen;
    std::optional<ListenAddress> gatewayListen;
    GatewaySettings gateway;
    TlsFiles adminTls;
    IncidentSettings incidents;
    RetentionSettings retention;
    std::vector<WebhookEntry> webhooks;
    double shutdownGraceSeconds = 30;
    LogSettings log;
    std::vector<ConfigIssue> warnings; ///< the file can be used all the same
};

} // namespace weir::config
