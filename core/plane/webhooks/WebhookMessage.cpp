// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plane/webhooks/WebhookMessage.h"

#include "core/plane/Traces.h"

#include <array>
#include <boost/json.hpp>
#include <openssl/evp.h>
#include <openssl/hmac.h>

namespace weir::plane {
namespace json = boost::json;
using journal::Alarm;
namespace {

constexpr std::size_t kFingerprintLength = 16;
constexpr auto kTestLasts = std::chrono::minutes(1);
/// What Alertmanager sends for "not over yet".
constexpr std::string_view kNoEnd = "0001-01-01T00:00:00Z";

json::object labelsOf(const Alarm& alarm)
{
    json::object labels{{"alertname", journal::toText(alarm.key.kind)}, {"severity", journal::toText(journal::firstSeverity(alarm.key.kind))}};
    const auto add = [&](std::string_view name, const std::string& value) {
        if (!value.empty()) {
            labels[name] = value;
        }
    };
    add("role", alarm.key.role);
    add("pool", alarm.key.poolId);
    add("app", alarm.key.appId);
    add("node", alarm.key.nodeId);
    add("address", alarm.key.address);
    return labels;
}

std::string fingerprintOf(const json::object& labels)
{
    return sha256Hex(json::serialize(labels)).substr(0, kFingerprintLength);
}

// {}:{alertname="pool_down", …}
std::string groupKeyOf(const json::object& labels)
{
    std::string key = "{}:{";
    for (const auto& [name, value] : labels) {
        key += (key.back() == '{' ? "" : ", ") + std::string(name) + "=" + json::serialize(value);
    }
    return key + "}";
}

std::string webhookBody(const config::WebhookEntry& receiver, const json::object& alert)
{
    const json::object& labels = alert.at("labels").as_object();
    return json::serialize(json::object{
        {"version", "4"},
        {"groupKey", groupKeyOf(labels)},
        {"truncatedAlerts", 0},
        {"status", alert.at("status")},
        {"receiver", receiver.name},
        {"groupLabels", labels},
        {"commonLabels", labels},
        {"commonAnnotations", alert.at("annotations")},
        {"externalURL", ""},
        {"alerts", json::array{alert}},
    });
}

// Alertmanager makes status and fingerprint itself, takes a firing alert without an end, and refuses an empty generatorURL.
std::string alertmanagerBody(const json::array& alerts)
{
    json::array posted;
    for (const json::value& one : alerts) {
        const json::object& alert = one.as_object();
        json::object object{{"labels", alert.at("labels")}, {"annotations", alert.at("annotations")}, {"startsAt", alert.at("startsAt")}};
        if (alert.at("endsAt") != json::value(kNoEnd)) {
            object["endsAt"] = alert.at("endsAt");
        }
        posted.emplace_back(std::move(object));
    }
    return json::serialize(posted);
}

} // namespace

json::object alertOf(const journal::AlarmNotice& notice)
{
    const Alarm& alarm = notice.alarm;
    json::object labels = labelsOf(alarm);
    json::object annotations{{"summary", alarm.latestExplanation.sentence}, {"severity", journal::toText(alarm.severity)}, {"count", std::to_string(alarm.count)},
        {"alarm", std::to_string(alarm.id)}};
    if (alarm.stoodFor > 0) {
        annotations["stoodFor"] = std::to_string(alarm.stoodFor);
    }
    const std::string fingerprint = fingerprintOf(labels);
    return {{"status", notice.firing ? "firing" : "resolved"}, {"labels", std::move(labels)}, {"annotations", std::move(annotations)}, {"startsAt", toRfc3339(alarm.firingSince)},
        {"endsAt", notice.firing ? std::string(kNoEnd) : toRfc3339(alarm.resolvedAt)}, {"generatorURL", ""}, {"fingerprint", fingerprint}};
}

json::object testAlert(WallTime now)
{
    json::object labels{{"alertname", "weir_test"}, {"severity", "warning"}};
    const std::string fingerprint = fingerprintOf(labels);
    return {{"status", "firing"}, {"labels", std::move(labels)}, {"annotations", json::object{{"summary", "A test from Weir. Nothing is wrong."}}}, {"startsAt", toRfc3339(now)},
        {"endsAt", toRfc3339(now + kTestLasts)}, {"generatorURL", ""}, {"fingerprint", fingerprint}};
}

probe::HttpPost messageFor(const config::WebhookEntry& receiver, const json::array& alerts, std::string_view deliveryId)
{
    probe::HttpPost post;
    post.url = receiver.url;
    post.body = receiver.format == config::WebhookFormat::Alertmanager ? alertmanagerBody(alerts) : webhookBody(receiver, alerts.at(0).as_object());
    post.headers = {{"Content-Type", "application/json"}, {"X-Weir-Delivery", std::string(deliveryId)}};
    if (!receiver.secret.empty()) {
        post.headers.emplace_back("X-Weir-Signature", signatureOf(receiver.secret, post.body));
    }
    return post;
}

std::string signatureOf(std::string_view secret, std::string_view body)
{
    std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
    unsigned int length = 0;
    const std::string text(body); // unsigned bytes of it are what the function wants
    ::HMAC(EVP_sha256(), secret.data(), static_cast<int>(secret.size()), reinterpret_cast<const unsigned char*>(text.data()), text.size(), digest.data(), &length);
    constexpr std::string_view kDigits = "0123456789abcdef";
    std::string result = "sha256=";
    for (unsigned int i = 0; i < length; ++i) {
        result += kDigits[digest[i] >> 4U];
        result += kDigits[digest[i] & 15U];
    }
    return result;
}

} // namespace weir::plane
