// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/gateway/ClientFacts.h"
#include "core/gateway/HeadView.h"

#include <cstdint>
#include <random>
#include <string>
#include <string_view>

namespace weir::gateway {

/// Changes that modules make to a head before it is sent on.
struct HeadChanges {
    std::vector<std::string> removed;                          ///< names, whatever their case
    std::vector<std::pair<std::string, std::string>> added;    ///< after everything else
    std::string target;                                        ///< of a request; empty: as it came
    [[nodiscard]] bool removes(std::string_view name) const;
    void clear() ///< keeps the memory of the lists
    {
        removed.clear();
        added.clear();
        target.clear();
    }
};

struct RequestFrame {
    std::string_view basePath;    ///< of the node's URL, without a slash at its end
    std::string_view host;        ///< what the Host header says
    std::string_view realIp;      ///< see clientAddress()
    std::string_view traceparent; ///< made here; empty: the request has a good one
    const HeadChanges* changes = nullptr;
};

/// Appends the head that goes to the node: hop-by-hop fields and those that Connection names gone, `X-Forwarded-*`, `X-Real-Ip` and
/// `Forwarded` set (what untrusted peers said of them is dropped), one framing of the body.
void appendRequestHead(std::string& out, const RequestView& request, const ClientFacts& client, const RequestFrame& frame);

struct AnswerFrame {
    bool chunked = false;       ///< the body goes out in chunks
    bool hasLength = false;     ///< `length` is said
    std::uint64_t length = 0;
    bool closes = false;
    bool saysKeepAlive = false; ///< HTTP/1.0 clients have to be told
    std::string_view upgrade;   ///< of a 101
    const HeadChanges* changes = nullptr;
};

/// Appends the head that goes to the client.
void appendAnswerHead(std::string& out, const ResponseView& response, const AnswerFrame& frame);

/// Whether a traceparent can be passed on as it is (W3C Trace Context, version 00 or later).
[[nodiscard]] bool isTraceparent(std::string_view value);
/// A new one, sampled.
void makeTraceparent(std::string& into, std::mt19937_64& random);

} // namespace weir::gateway
