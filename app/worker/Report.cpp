// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/worker/Report.h"

#include <array>
#include <charconv>
#include <cmath>

namespace weir::worker {
namespace {

std::string freeText(double gb)
{
    std::array<char, 64> text{};
    const auto end = std::to_chars(text.data(), text.data() + text.size(), std::floor(gb * 10) / 10, std::chars_format::fixed, 1).ptr;
    return {text.data(), end};
}

std::string depsText(const Settings& settings, const Findings& findings)
{
    // Names are a-z, 0-9, _ and -: nothing to escape.
    std::string text = "{";
    for (std::size_t i = 0; i < settings.deps.size(); ++i) {
        text += (i == 0 ? "\"" : ",\"") + settings.deps[i].name + (findings.depsUp[i] ? "\":true" : "\":false");
    }
    return text + "}";
}

std::string downText(const Settings& settings, const Findings& findings)
{
    std::string names;
    for (std::size_t i = 0; i < settings.deps.size(); ++i) {
        if (!findings.depsUp[i]) {
            names += (names.empty() ? "" : ",") + settings.deps[i].name;
        }
    }
    return names;
}

} // namespace

std::string watermarkText(double gb)
{
    std::array<char, 64> buffer{};
    const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), gb, std::chars_format::fixed).ptr;
    std::string text(buffer.data(), end);
    return text.find('.') == std::string::npos ? text + ".0" : text;
}

Report report(const Settings& settings, const Findings& findings)
{
    if (!findings.ready) {
        return {503, "starting", {}, "{\"status\":\"starting\"}"};
    }
    const bool diskChecked = settings.minFreeGb > 0;
    const bool diskShort = diskChecked && (!findings.freeGb || *findings.freeGb < settings.minFreeGb);
    const std::string down = settings.checkDeps ? downText(settings, findings) : std::string();
    std::string reason;
    if (diskShort) {
        reason = findings.freeGb ? "disk_free_below_" + watermarkText(settings.minFreeGb) + "g" : "disk_unreadable";
    }
    if (!down.empty()) {
        reason += (reason.empty() ? "dep_down:" : ";dep_down:") + down;
    }
    const bool fine = reason.empty();
    std::string body = fine ? "{\"status\":\"ok\"" : "{\"status\":\"degraded\",\"reason\":\"" + reason + "\"";
    // A degraded answer shows the figures that its reason speaks of; an ok one all that was looked at.
    if (findings.freeGb && (diskShort || (fine && diskChecked))) {
        body += ",\"disk_free_gb\":" + freeText(*findings.freeGb);
    }
    if (!down.empty() || (fine && settings.checkDeps)) {
        body += ",\"deps\":" + depsText(settings, findings);
    }
    return {fine ? 200U : 503U, fine ? "ok" : "degraded", reason, body + "}"};
}

} // namespace weir::worker
