// SPDX-License-Identifier: GPL-3.0-or-later
#include "FuzzProxyHeader.h"

#include "core/gateway/ProxyHeader.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

namespace weir::fuzz {
namespace {

using gateway::ProxyHeader;

// No header needs more than this; a longer beginning adds nothing but time.
constexpr std::size_t kMost = ProxyHeader::kMostV2 + 16;

void require(bool holds, const char* rule)
{
    if (!holds) {
        std::fprintf(stderr, "broken rule: %s\n", rule);
        std::abort();
    }
}

void checkOne(const ProxyHeader& header, std::size_t seen)
{
    require((header.step == ProxyHeader::Step::Failed) == !header.fault.empty(), "a header has a fault when it fails");
    require((header.step == ProxyHeader::Step::Done) == (header.length > 0), "a header has a length when it is done");
    require(header.length <= seen && header.length <= ProxyHeader::kMostV2, "a header is no longer than what was seen, or may be");
    require(
        header.source.has_value() == header.destination.has_value() || header.step == ProxyHeader::Step::Failed, "both addresses or none");
    require(header.step != ProxyHeader::Step::NeedMore || seen < ProxyHeader::kMostV2, "the longest header is either done or failed");
}

} // namespace

void checkProxyHeader(std::string_view bytes)
{
    bytes = bytes.substr(0, kMost);
    const ProxyHeader whole = gateway::readProxyHeader(bytes);
    checkOne(whole, bytes.size());
    ProxyHeader::Step before = ProxyHeader::Step::NeedMore;
    for (std::size_t seen = 0; seen <= bytes.size(); ++seen) {
        const ProxyHeader header = gateway::readProxyHeader(bytes.substr(0, seen));
        checkOne(header, seen);
        if (before != ProxyHeader::Step::NeedMore) {
            require(header.step == before, "more bytes change nothing once it is done or has failed");
        }
        if (header.step == ProxyHeader::Step::Done) {
            require(header.length == whole.length && header.source == whole.source && header.destination == whole.destination,
                "pieces mean the same as the whole");
            require(seen >= header.length, "it is not done before its end");
        }
        before = header.step;
    }
    require(before == whole.step, "pieces end as the whole does");
}

} // namespace weir::fuzz
