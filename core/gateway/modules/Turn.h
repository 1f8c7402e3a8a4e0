// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/Clock.h"
#include "core/routing/condition/Exchange.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace weir::gateway {

/// Where a request is when modules are asked (gateway.md "Modules").
enum class Point : std::uint8_t {
    Accept,         ///< a client has connected
    Handshake,      ///< and its TLS stands
    BeforeLocation, ///< the head is read
    FoundProduct,   ///< the app is known
    AfterLocation,  ///< and the cluster
    Forward,        ///< a node is picked; each try
    ReadResponse,   ///< the answer's head is read, or the gateway is about to answer itself
    RequestFinish,  ///< the request is over
    Finish,         ///< the client's connection ends
};

inline constexpr std::size_t kPointCount = 9;

/// Changes of a head before it is sent on. Conditions go on to see it as it came.
struct HeadEdits {
    std::vector<std::string> removed;                       ///< names, whatever their case
    std::vector<std::pair<std::string, std::string>> added; ///< behind everything else

    void set(std::string_view name, std::string_view value);
    void add(std::string_view name, std::string_view value) { added.emplace_back(name, value); }
    void remove(std::string_view name);
    void clear()
    {
        removed.clear();
        added.clear();
    }
};

/// An answer that a module gives itself.
struct ModuleReply {
    unsigned status = 200;
    std::string contentType; ///< empty: no body
    std::string body;
    std::vector<std::pair<std::string, std::string>> headers;
};

/// How a body is to be packed on its way to the client.
enum class Encoding : std::uint8_t { Identity, Gzip, Brotli };

/// One request on its way through the modules. What it points to belongs to the gateway and lives until RequestFinish.
struct Turn {
    routing::RequestView request;
    routing::ResponseView response; ///< from ReadResponse on
    bool hasResponse = false;
    routing::Context context;

    HeadEdits requestEdits;
    HeadEdits responseEdits;
    std::string target;                     ///< what the node is asked for instead; empty: as it came
    Encoding encoding = Encoding::Identity; ///< of the answer; the gateway then drops its length
    int compressionLevel = 0;

    std::string_view app;
    std::string_view cluster;
    std::string_view node;
    Instant now{};

    /// For the next request; keeps the memory of the lists.
    void reset();
    [[nodiscard]] routing::Exchange exchange() const { return {&request, hasResponse ? &response : nullptr}; }
};

/// What a module wants. The first one that does not let a request go on ends the round of its point.
struct Verdict {
    enum class Kind : std::uint8_t {
        GoOn,
        Respond,  ///< with `reply`, which still passes ReadResponse
        Redirect, ///< the same with a Location
        Close,    ///< without a byte
        Finish,   ///< no further module at this point, and the connection ends behind the answer
    };

    Kind kind = Kind::GoOn;
    ModuleReply reply{};

    [[nodiscard]] static Verdict goOn() { return {}; }
    [[nodiscard]] static Verdict close() { return {Kind::Close, {}}; }
    [[nodiscard]] static Verdict respond(ModuleReply reply) { return {Kind::Respond, std::move(reply)}; }
    [[nodiscard]] static Verdict redirect(unsigned status, std::string location);
};

} // namespace weir::gateway
