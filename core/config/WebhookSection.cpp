// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/WebhookSection.h"

#include "core/base/Ids.h"
#include "core/config/WebAddress.h"
#include "core/journal/alarms/Alarm.h"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

namespace weir::config {
namespace {

constexpr std::size_t kMostWebhooks = 100;
constexpr std::array<std::string_view, 2> kSchemes{"http", "https"};
constexpr std::array<std::string_view, 2> kFormats{"webhook", "alertmanager"};

// A name is part of an address of the interface, so it has the form of an id.
std::string nameOf(SectionReader& entry, const std::set<std::string>& taken)
{
    static_cast<void>(entry.require("name"));
    const auto name = entry.text("name");
    if (!name) {
        return {};
    }
    if (auto checked = AppId::parse(*name, "name"); !checked) {
        std::string message = checked.error().message;
        if (message.starts_with("name ")) {
            message.erase(0, 5);
        }
        entry.fail("name", checked.error().code, withoutFullStop(std::move(message)));
        return {};
    }
    if (taken.contains(*name)) {
        entry.fail("name", "duplicate_id", "another webhook has this name");
        return {};
    }
    return *name;
}

std::string urlOf(SectionReader& entry)
{
    static_cast<void>(entry.require("url"));
    const auto url = entry.text("url");
    if (!url) {
        return {};
    }
    if (const std::string fault = webAddressFault(*url, kSchemes); !fault.empty()) {
        entry.fail("url", "invalid_url", fault);
        return {};
    }
    return *url;
}

std::vector<std::string> kindsOf(SectionReader& entry)
{
    std::vector<std::string> kinds;
    const JsonNode* list = entry.array("kinds");
    for (std::size_t i = 0; list != nullptr && i < list->items.size(); ++i) {
        const JsonNode& item = list->items[i];
        const std::string path = entry.pathOf("kinds") + "[" + std::to_string(i) + "]";
        if (item.kind != JsonKind::String) {
            entry.issues().error(item, path, "wrong_type", wrongKind("a string", item));
        } else if (!journal::alarmKindFromText(item.text)) {
            entry.issues().error(item, path, "invalid_value", "is no kind of alarm");
        } else if (std::find(kinds.begin(), kinds.end(), item.text) == kinds.end()) {
            kinds.push_back(item.text);
        }
    }
    return kinds;
}

} // namespace

void readWebhooks(SectionReader& root, Config& config)
{
    const JsonNode* list = root.array("webhooks");
    if (list == nullptr) {
        return;
    }
    if (list->items.size() > kMostWebhooks) {
        root.fail("webhooks", "out_of_range", "must hold at most 100 receivers");
        return;
    }
    std::set<std::string> taken;
    for (std::size_t i = 0; i < list->items.size(); ++i) {
        const JsonNode& item = list->items[i];
        const std::string path = root.pathOf("webhooks") + "[" + std::to_string(i) + "]";
        if (item.kind != JsonKind::Object) {
            root.issues().error(item, path, "wrong_type", wrongKind("an object", item));
            continue;
        }
        SectionReader entry(root.issues(), item, path, keys::webhook());
        WebhookEntry webhook;
        webhook.name = nameOf(entry, taken);
        webhook.url = urlOf(entry);
        webhook.format = entry.choice("format", kFormats).value_or(0) == 1 ? WebhookFormat::Alertmanager : WebhookFormat::Webhook;
        webhook.secret = entry.text("secret").value_or("");
        webhook.kinds = kindsOf(entry);
        if (!webhook.name.empty() && !webhook.url.empty()) {
            taken.insert(webhook.name);
            config.webhooks.push_back(std::move(webhook));
        }
    }
}

} // namespace weir::config
