// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/SettingSections.h"

#include "core/base/IpNetwork.h"
#include "core/config/JsonReader.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace weir::config {
namespace {

template <typename T, typename U>
void assign(T& into, const std::optional<U>& value)
{
    if (value) {
        into = static_cast<T>(*value);
    }
}

// The one lenient key: files of older set-ups hold "60" or null here, and refusing them would take the plane down for
// a value that has a safe meaning.
void readCooldown(SectionReader& section, health::HealthSettings& settings)
{
    const JsonNode* node = section.find("cooldown_seconds");
    if (node == nullptr) {
        return;
    }
    if (node->kind == JsonKind::Number) {
        assign(settings.cooldownSeconds, section.number("cooldown_seconds"));
        return;
    }
    if (node->kind == JsonKind::String) {
        const std::size_t first = std::min(node->text.find_first_not_of(' '), node->text.size());
        const std::size_t last = node->text.find_last_not_of(' ');
        const std::optional<double> value = parseJsonNumber(std::string_view(node->text).substr(first, last - first + 1));
        if (value && !std::isnan(*value)) {
            settings.cooldownSeconds = *value;
            return;
        }
    }
    section.issues().warning(*node, section.pathOf("cooldown_seconds"), "lenient_cooldown", "not a number of seconds; 60 is used");
}

// The rules between two keys are broken by whichever of them the file holds.
std::string_view keyToBlame(const SectionReader& section, std::string_view field)
{
    if (section.find(field) == nullptr && field == "timeout_seconds") {
        return "interval_seconds";
    }
    if (section.find(field) == nullptr && field == "max_cooldown_seconds") {
        return "cooldown_seconds";
    }
    return field;
}

void checkHealthRules(SectionReader& section, const health::HealthSettings& settings)
{
    for (const Error& error : validate(settings)) {
        const bool aboutInterval = error.code == "timeout_exceeds_interval" && section.hasFailed("interval_seconds");
        if (aboutInterval || section.hasFailed(error.field)) {
            continue; // already said what is wrong there; the default that stands in breaks nothing by itself
        }
        const std::string_view key = keyToBlame(section, error.field);
        // "interval_seconds is -1; it must be …": path and value are shown beside the message, so the rule alone is left,
        // unless the position is another key's.
        std::string message = error.message;
        if (const std::size_t rule = message.find("; it "); key == error.field && rule != std::string::npos) {
            message.erase(0, rule + 5);
        }
        section.fail(key, error.code == "invalid_value" ? "out_of_range" : error.code, withoutFullStop(std::move(message)));
    }
}

void readHealthPath(SectionReader& section, health::HealthSettings& settings, const HealthUrlCheck& check)
{
    const std::optional<std::string> path = section.text("path");
    if (!path) {
        return;
    }
    if (!isRequestPath(*path)) {
        section.fail("path", "invalid_value", "must begin with '/' and hold printable ASCII without spaces or '#'");
        return;
    }
    // Any base does: here it is the path alone that is looked at. A refused one is not taken over, or every node that has no
    // path of its own would be reported for it.
    const Result<std::string> sent = check ? check("http://127.0.0.1", *path) : *path;
    if (sent) {
        settings.path = *path;
    } else {
        section.fail("path", sent.error().code, withoutFullStop(sent.error().message));
    }
}

std::optional<ListenAddress> readListen(SectionReader& section)
{
    const std::optional<std::string> text = section.text("listen");
    if (!text) {
        return std::nullopt;
    }
    const Result<ListenAddress> address = parseListenAddress(*text);
    if (!address) {
        section.fail("listen", address.error().code, address.error().message);
        return std::nullopt;
    }
    return *address;
}

void readTrustedProxies(SectionReader& section, GatewaySettings& gateway)
{
    const JsonNode* list = section.array("trusted_proxies");
    if (list == nullptr) {
        return;
    }
    for (std::size_t i = 0; i < list->items.size(); ++i) {
        const JsonNode& item = list->items[i];
        const std::string path = joinPath(section.pathOf("trusted_proxies"), i);
        if (item.kind != JsonKind::String) {
            section.issues().error(item, path, "wrong_type", wrongKind("a string (\"10.0.0.0/8\")", item));
        } else if (!IpNetwork::parse(item.text)) {
            section.issues().error(item, path, "invalid_value", "must be an address or a network in CIDR form (\"10.0.0.0/8\")");
        } else {
            gateway.trustedProxies.push_back(item.text);
        }
    }
}

TlsFiles readTls(SectionReader& section, const CertificateCheck& check)
{
    TlsFiles files;
    const JsonNode* node = section.object("tls");
    if (node == nullptr) {
        return files;
    }
    SectionReader tls(section.issues(), *node, section.pathOf("tls"), keys::listenerTls());
    files.certificate = tls.text("certificate").value_or("");
    files.key = tls.text("key").value_or("");
    if (files.certificate.empty() != files.key.empty()) {
        const std::string_view missing = files.key.empty() ? "key" : "certificate";
        tls.failMissing(missing, "must be given: certificate and key belong together");
    } else if (files.isSet() && check) {
        if (const Result<void> checked = check(files.certificate, files.key); !checked) {
            const Error& error = checked.error();
            tls.fail(error.field == "key" ? "key" : "certificate", error.code, withoutFullStop(error.message));
        }
    }
    return files;
}

void readGateway(SectionReader& section, Config& config, const ReadOptions& options)
{
    config.gatewayListen = readListen(section);
    if (const JsonNode* node = section.object("queue")) {
        SectionReader queue(section.issues(), *node, section.pathOf("queue"), keys::queue());
        assign(config.gateway.queueMax, queue.wholeWithin("max", 0, 1'000'000));
        assign(config.gateway.queueTimeoutSeconds, queue.seconds("timeout_seconds", false));
    }
    readTrustedProxies(section, config.gateway);
    assign(config.gateway.maxIdlePerNode, section.wholeWithin("max_idle_per_node", 0, 10'000));
    config.gateway.accessLog = section.text("access_log").value_or(std::string());
    if (const JsonNode* list = section.array("modules")) {
        if (options.modulesCheck) {
            options.modulesCheck(section.issues(), *list, section.pathOf("modules"));
        }
        config.gateway.modules = list->items.empty() ? nullptr : std::make_shared<const JsonNode>(*list);
    }
    config.gateway.tls = readTls(section, options.certificateCheck);
    assign(config.gateway.proxyProtocol, section.flag("proxy_protocol"));
}

} // namespace

bool isRequestPath(std::string_view path)
{
    return path.starts_with('/') && std::all_of(path.begin(), path.end(), [](char c) { return c > 0x20 && c < 0x7F && c != '#'; });
}

void readHealthCheck(SectionReader& root, Config& config, const HealthUrlCheck& check)
{
    const JsonNode* node = root.object("health_check");
    if (node == nullptr) {
        return;
    }
    SectionReader section(root.issues(), *node, root.pathOf("health_check"), keys::healthCheck());
    health::HealthSettings& settings = config.healthCheck;
    readHealthPath(section, settings, check);
    assign(settings.intervalSeconds, section.number("interval_seconds"));
    assign(settings.timeoutSeconds, section.number("timeout_seconds"));
    assign(settings.expectedStatuses, section.statuses("expected_statuses"));
    assign(settings.unhealthyThreshold, section.whole("unhealthy_threshold"));
    assign(settings.healthyThreshold, section.whole("healthy_threshold"));
    readCooldown(section, settings);
    assign(settings.cooldownMultiplier, section.number("cooldown_multiplier"));
    assign(settings.maxCooldownSeconds, section.number("max_cooldown_seconds"));
    assign(settings.ejectionMemorySeconds, section.number("ejection_memory_seconds"));
    assign(settings.maxEjectionPercent, section.number("max_ejection_percent"));
    assign(settings.flapTransitions, section.whole("flap_transitions"));
    assign(settings.flapWindowSeconds, section.number("flap_window_seconds"));
    checkHealthRules(section, settings);
    config.declaredHealthCheck = section.declared();
}

void readProbe(SectionReader& root, Config& config, std::size_t nodesElsewhere)
{
    const JsonNode* node = root.object("probe");
    if (node == nullptr) {
        return;
    }
    SectionReader section(root.issues(), *node, root.pathOf("probe"), keys::probe());
    static constexpr std::array<std::string_view, 3> kTransports{"auto", "qnam", "asio"};
    assign(config.probe.transport, section.choice("transport", kTransports));
    const JsonNode* limit = section.find("max_in_flight");
    if (limit == nullptr || (limit->kind == JsonKind::String && limit->text == "auto")) {
        return;
    }
    if (limit->kind != JsonKind::Number) {
        section.fail("max_in_flight", "wrong_type", "must be \"auto\" or a whole number");
        return;
    }
    const std::optional<std::int64_t> value = section.wholeWithin("max_in_flight", 1, 1'000'000);
    const health::HealthSettings& health = config.healthCheck;
    if (!value || !validate(health).empty()) {
        return;
    }
    // With every node dead each probe takes the whole timeout; fewer at once, and a round takes longer than the interval.
    const double nodes = static_cast<double>(config.nodes.size() + nodesElsewhere);
    const double needed = std::ceil(nodes * health.timeoutSeconds / health.intervalSeconds);
    if (static_cast<double>(*value) < needed) {
        section.fail("max_in_flight", "in_flight_too_small",
            "must be at least " + std::to_string(static_cast<std::int64_t>(needed))
                + " (nodes × timeout ÷ interval) to ask every node in time when all are dead");
        return;
    }
    config.probe.maxInFlight = static_cast<int>(*value);
}

void readScheduler(SectionReader& root, Config& config)
{
    const JsonNode* node = root.object("scheduler");
    if (node == nullptr) {
        return;
    }
    SectionReader section(root.issues(), *node, root.pathOf("scheduler"), keys::scheduler());
    assign(config.scheduler.reservations, section.flag("reservations"));
    assign(config.scheduler.reservationSettleSeconds, section.seconds("reservation_settle_seconds", true));
    assign(config.scheduler.reservationTtlSeconds, section.seconds("reservation_ttl_seconds", false));
    assign(config.scheduler.admitUnknownApps, section.flag("admit_unknown_apps"));
}

void readRegistration(SectionReader& root, Config& config)
{
    const JsonNode* node = root.object("registration");
    if (node == nullptr) {
        return;
    }
    SectionReader section(root.issues(), *node, root.pathOf("registration"), keys::registration());
    RegistrationSettings& settings = config.registration;
    assign(settings.heartbeatIntervalSeconds, section.seconds("heartbeat_interval_seconds", false));
    assign(settings.heartbeatTimeoutSeconds, section.seconds("heartbeat_timeout_seconds", false));
    const bool readable = !section.hasFailed("heartbeat_interval_seconds") && !section.hasFailed("heartbeat_timeout_seconds");
    if (readable && settings.heartbeatTimeoutSeconds <= settings.heartbeatIntervalSeconds) {
        const bool byTimeout = section.find("heartbeat_timeout_seconds") != nullptr;
        section.fail(byTimeout ? "heartbeat_timeout_seconds" : "heartbeat_interval_seconds", "timeout_within_interval",
            "the timeout must be longer than the interval, or every node is disconnected between two heartbeats");
    }
    const JsonNode* networks = section.array("probe_allowed_networks");
    for (std::size_t i = 0; networks != nullptr && i < networks->items.size(); ++i) {
        const JsonNode& item = networks->items[i];
        const std::string path = joinPath(section.pathOf("probe_allowed_networks"), i);
        const std::optional<IpNetwork> network = item.kind == JsonKind::String ? IpNetwork::parse(item.text) : std::nullopt;
        if (item.kind != JsonKind::String) {
            root.issues().error(item, path, "wrong_type", wrongKind("a string (\"10.0.0.0/8\")", item));
        } else if (!network) {
            root.issues().error(item, path, "invalid_value", "must be an address or a network such as \"10.0.0.0/8\" or \"fd00::/8\", with no bits set beyond its length");
        } else {
            settings.probeAllowedNetworks.push_back(*network);
        }
    }
}

void readListeners(SectionReader& root, Config& config, const ReadOptions& options)
{
    if (const JsonNode* node = root.object("gateway")) {
        SectionReader section(root.issues(), *node, root.pathOf("gateway"), keys::gateway());
        readGateway(section, config, options);
    }
    if (const JsonNode* node = root.object("admin")) {
        SectionReader section(root.issues(), *node, root.pathOf("admin"), keys::admin());
        config.adminListen = readListen(section);
        config.adminTls = readTls(section, options.certificateCheck);
        if (config.adminListen && config.adminListen == config.gatewayListen && config.adminListen->port != 0) {
            section.fail("listen", "duplicate_address", "gateway.listen is the same address");
        }
    }
}

void readStore(SectionReader& root)
{
    if (const JsonNode* node = root.object("store")) {
        SectionReader(root.issues(), *node, root.pathOf("store"), keys::store());
    }
}

void readLog(SectionReader& root, Config& config)
{
    const JsonNode* node = root.object("log");
    if (node == nullptr) {
        return;
    }
    SectionReader section(root.issues(), *node, root.pathOf("log"), keys::log());
    static constexpr std::array<std::string_view, 4> kLevels{"debug", "info", "warning", "error"};
    static constexpr std::array<std::string_view, 2> kFormats{"text", "json"};
    assign(config.log.level, section.choice("level", kLevels));
    assign(config.log.format, section.choice("format", kFormats));
}

} // namespace weir::config
