// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/gateway/modules/Turn.h"

#include <algorithm>

namespace weir::gateway {

void Turn::reset()
{
    request = {};
    response = {};
    hasResponse = false;
    context.clear();
    requestEdits.clear();
    responseEdits.clear();
    target.clear();
    encoding = Encoding::Identity;
    compressionLevel = 0;
    app = {};
    cluster = {};
    node = {};
    now = {};
}

void HeadEdits::remove(std::string_view name)
{
    std::erase_if(added, [name](const auto& field) { return routing::equalsIgnoringAsciiCase(field.first, name); });
    const bool isKnown = std::any_of(
        removed.begin(), removed.end(), [name](const std::string& other) { return routing::equalsIgnoringAsciiCase(other, name); });
    if (!isKnown) {
        removed.emplace_back(name);
    }
}

void HeadEdits::set(std::string_view name, std::string_view value)
{
    remove(name);
    add(name, value);
}

Verdict Verdict::redirect(unsigned status, std::string location)
{
    ModuleReply reply;
    reply.status = status;
    reply.headers.emplace_back("Location", std::move(location));
    return {Kind::Redirect, std::move(reply)};
}

} // namespace weir::gateway
