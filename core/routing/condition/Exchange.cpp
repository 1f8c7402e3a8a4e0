// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/routing/condition/Exchange.h"

#include "core/routing/condition/PercentText.h"

namespace weir::routing {

TargetParts splitTarget(std::string_view target, std::string& scratch)
{
    TargetParts parts;
    std::string_view rest = target.substr(0, target.find('#'));
    if (const std::size_t scheme = rest.find("://"); !rest.starts_with('/') && scheme != std::string_view::npos) {
        rest.remove_prefix(scheme + 3);
        const std::size_t end = rest.find_first_of("/?");
        parts.authority = rest.substr(0, end);
        rest = end == std::string_view::npos ? std::string_view{} : rest.substr(end);
    }
    if (const std::size_t question = rest.find('?'); question != std::string_view::npos) {
        parts.query = rest.substr(question + 1);
        rest = rest.substr(0, question);
    }
    parts.path = rest;
    if (rest.find('%') != std::string_view::npos) {
        scratch.clear();
        appendPercentDecoded(rest, scratch);
        parts.path = scratch;
    }
    return parts;
}

} // namespace weir::routing
