// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/gateway/modules/Template.h"

#include <algorithm>
#include <array>

namespace weir::gateway {
namespace {

constexpr std::array<std::string_view, 10> kNames{
    "client", "host", "method", "path", "query", "target", "scheme", "app", "cluster", "node"};

bool isKnown(std::string_view name)
{
    return std::find(kNames.begin(), kNames.end(), name) != kNames.end() || (name.starts_with("context:") && name.size() > 8)
        || (name.starts_with("header:") && name.size() > 7);
}

// The part of the target before its query, of an absolute one too.
std::string_view rawPath(std::string_view target)
{
    target = target.substr(0, target.find('?'));
    if (const std::size_t scheme = target.find("://"); !target.starts_with('/') && scheme != std::string_view::npos) {
        const std::size_t slash = target.find('/', scheme + 3);
        return slash == std::string_view::npos ? std::string_view("/") : target.substr(slash);
    }
    return target;
}

std::string valueOf(std::string_view name, const Turn& turn)
{
    const routing::RequestView& request = turn.request;
    if (name == "client") {
        return request.client ? request.client->text() : std::string();
    }
    if (name == "host") {
        return std::string(request.host);
    }
    if (name == "method") {
        return std::string(request.method);
    }
    if (name == "path") {
        return std::string(rawPath(request.target));
    }
    if (name == "query") {
        return std::string(request.query);
    }
    if (name == "target") {
        return std::string(rawPath(request.target)) + (request.query.empty() ? "" : "?" + std::string(request.query));
    }
    if (name == "scheme") {
        return request.tls.isSecure ? "https" : "http";
    }
    if (name == "app" || name == "cluster" || name == "node") {
        return std::string(name == "app" ? turn.app : name == "cluster" ? turn.cluster : turn.node);
    }
    return name.starts_with("context:") ? std::string(turn.context.value(name.substr(8)).value_or(std::string_view{}))
                                        : std::string(request.headers.first(name.substr(7)));
}

} // namespace

std::optional<Template> Template::parse(std::string_view text, std::string& fault)
{
    Template result;
    std::string plain;
    const auto endPlain = [&] {
        if (!plain.empty()) {
            result.m_parts.push_back({false, std::exchange(plain, {})});
        }
    };
    for (std::size_t i = 0; i < text.size(); ++i) {
        const bool hasNext = i + 1 < text.size();
        if (text[i] == '$' && hasNext && text[i + 1] == '$') {
            plain += '$';
            ++i;
        } else if (text[i] == '$' && hasNext && text[i + 1] == '{') {
            const std::size_t end = text.find('}', i);
            const std::string name(text.substr(i + 2, end == std::string_view::npos ? end : end - i - 2));
            if (end == std::string_view::npos || !isKnown(name)) {
                fault = end == std::string_view::npos ? "a ${ has no }" : "there is no ${" + name + "}";
                return std::nullopt;
            }
            endPlain();
            result.m_parts.push_back({true, name});
            i = end;
        } else {
            plain += text[i];
        }
    }
    endPlain();
    return result;
}

std::string Template::fill(const Turn& turn) const
{
    std::string filled;
    for (const Part& part : m_parts) {
        if (!part.isName) {
            filled += part.text;
            continue;
        }
        for (const char c : valueOf(part.text, turn)) {
            if (static_cast<unsigned char>(c) >= 0x20 && c != 0x7f) {
                filled += c;
            }
        }
    }
    return filled;
}

} // namespace weir::gateway
