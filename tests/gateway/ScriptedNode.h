// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <list>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace weir::gateway::test {

/// A node's end of one connection: blocking, no wait longer than ten seconds.
class NodeSocket {
public:
    explicit NodeSocket(int fd) : m_fd(fd) {}
    ~NodeSocket();
    NodeSocket(const NodeSocket&) = delete;
    NodeSocket& operator=(const NodeSocket&) = delete;

    /// The next head with its empty line; empty when the connection has ended.
    std::string readHead();
    /// Exactly this many bytes, fewer at the end.
    std::string read(std::size_t count);
    /// Until `end` has come; with it.
    std::string readTo(std::string_view end);
    bool send(std::string_view bytes);
    /// The rest of a request whose head this is: by Content-Length.
    std::string readBody(const std::string& head);
    /// Whether the gateway ends the connection within ten seconds.
    bool isEnded();
    void endSending();
    void abort();

private:
    bool fill();

    int m_fd;
    std::string m_buffer;
};

/// A node that does what its script says: called once for each connection, on a thread of its own. The connection ends with the call.
class ScriptedNode {
public:
    using Script = std::function<void(NodeSocket&)>;

    explicit ScriptedNode(Script script);
    ~ScriptedNode();
    ScriptedNode(const ScriptedNode&) = delete;
    ScriptedNode& operator=(const ScriptedNode&) = delete;

    [[nodiscard]] std::uint16_t port() const { return m_port; }
    [[nodiscard]] std::string url() const { return "http://127.0.0.1:" + std::to_string(m_port); }
    [[nodiscard]] int connections() const { return m_connections; }

    /// Answers every request of every connection with this.
    [[nodiscard]] static Script answering(std::string response);

private:
    int m_listener;
    std::uint16_t m_port = 0;
    Script m_script;
    std::atomic<int> m_connections = 0;
    std::atomic<bool> m_isStopping = false;
    std::thread m_acceptor;
    std::mutex m_mutex;
    struct Served {
        std::thread thread;
        std::atomic<bool> isOver = false;
    };
    std::list<Served> m_served; ///< of the accepting thread
    std::vector<int> m_open;
};

/// A port on loopback that nobody listens on.
[[nodiscard]] std::uint16_t unusedPort();

/// Value of a header of a head, case ignored; empty when it is not there.
[[nodiscard]] std::string headerOf(const std::string& head, std::string name);
[[nodiscard]] int countOf(const std::string& text, std::string_view part);

} // namespace weir::gateway::test
