// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/gateway/GatewayWorld.h"
#include "tests/gateway/ScriptedNode.h"

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace weir::gateway::test {

/// Hosts are apps, and the first part of the path is how patient the cluster is: `normal`, `slow` (an answer's head within 50 ms), `stall`
/// (a body's next byte within 50 ms). The clusters' names are `<app>.<patience>`.
[[nodiscard]] std::unique_ptr<Router> makeAbuseRouter();
/// What the gateway must be told for it.
[[nodiscard]] GatewayOptions abuseOptions();

/// One client and its nodes, which break requests in every way there is, one after another: `lane1` with a node that does what the path
/// says, `lane1-dead` whose node refuses connections, `lane1-tls` whose node is asked by TLS and does not speak it. Lanes do not share
/// nodes, so that each knows what its own must count.
class AbuseLane {
public:
    AbuseLane(GatewayWorld& world, int number);
    AbuseLane(const AbuseLane&) = delete;
    AbuseLane& operator=(const AbuseLane&) = delete;

    /// Plays about `count` further requests; empty, or what went otherwise than it must. One thread.
    [[nodiscard]] std::string play(int count);
    [[nodiscard]] int played() const { return m_played; }
    /// Failures that its nodes must have counted so far.
    [[nodiscard]] int failures() const { return m_failures; }

private:
    struct Fault;
    static const std::vector<Fault>& faults();

    void serve(NodeSocket& socket);
    void serveTls(NodeSocket& socket);
    void waitFor(int number) const;

    std::string playOne(const Fault& fault);
    std::string settle(const Fault& fault, NodeHandle node);
    NodeHandle addNode(const std::string& app, const std::string& url);
    [[nodiscard]] std::uint64_t counted();
    [[nodiscard]] std::string request(const Fault& fault, int number, std::string_view more = {}) const;
    [[nodiscard]] std::string leave(const Fault& fault);
    [[nodiscard]] std::string leaveTheLine(const Fault& fault);

    GatewayWorld& m_world;
    std::string m_app;
    std::atomic<int> m_seen = 0; ///< number of the last request that reached the node
    std::atomic<int> m_go = 0;   ///< up to which the node may go on
    std::atomic<int> m_tlsTurns = 0;
    ScriptedNode m_node;
    ScriptedNode m_tlsNode;
    NodeHandle m_handle;
    NodeHandle m_dead;
    NodeHandle m_tls;
    int m_number = 0;
    int m_round = 0;
    int m_played = 0;
    int m_failures = 0;
    std::size_t m_next = 0;
};

} // namespace weir::gateway::test
