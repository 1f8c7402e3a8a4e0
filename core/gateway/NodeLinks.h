// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/gateway/FleetGate.h"
#include "core/gateway/Net.h"
#include "core/gateway/TlsClient.h"

#include <memory>
#include <string_view>
#include <vector>

namespace weir::gateway {

/// Who uses a connection to a node at the moment. Calls come on the io thread, never from inside the link's own calls.
class LinkOwner {
public:
    LinkOwner() = default;
    LinkOwner(const LinkOwner&) = delete;
    LinkOwner& operator=(const LinkOwner&) = delete;

    /// `failure`: empty when the connection stands; else a transport error of health.md, or `local` when it was never tried.
    virtual void linkConnected(std::string_view failure) = 0;
    virtual void linkReadable() = 0;
    virtual void linkWritable() = 0;

protected:
    ~LinkOwner() = default;
};

/// One connection to a node. Watched for its end even while it is kept for later.
class NodeLink final : public std::enable_shared_from_this<NodeLink>, private StreamOwner {
public:
    NodeLink(const Executor& executor, const std::shared_ptr<http::EdgePoll>& poll, TlsClient& tls, std::shared_ptr<GatewayNode> node);

    /// Resolves where needed, tries each address in turn; the owner is told. The owner sets the limit and closes.
    void connect(LinkOwner& owner);
    void setOwner(LinkOwner* owner) { m_owner = owner; }
    [[nodiscard]] Stream& stream() { return m_stream; }
    /// Tells the owner when there is something to read; does nothing while a watch is on.
    void watch() { m_stream.waitReadable(); }
    void waitWritable() { m_stream.waitWritable(); }
    void close();
    /// Gives it back for a later request, or closes it where `most` are kept already.
    void keep(std::size_t most, Instant now);

    [[nodiscard]] bool isKept() const { return m_isKept; }
    [[nodiscard]] Instant idleSince() const { return m_idleSince; }
    [[nodiscard]] const std::shared_ptr<GatewayNode>& node() const { return m_node; }
    /// Where it leads; the node's own may have changed since.
    [[nodiscard]] const NodeAddress& address() const { return m_address; }

    /// The kept connection of a node that was used last, now the owner's; null where there is none.
    [[nodiscard]] static std::shared_ptr<NodeLink> takeKept(GatewayNode& node, LinkOwner& owner);

private:
    enum class Phase : unsigned char { Connecting, Greeting, Open };

    void streamReadable() override;
    void streamWritable() override;
    [[nodiscard]] std::shared_ptr<void> hold() override { return shared_from_this(); }
    void connectNext();
    [[nodiscard]] ErrorCode beginConnect(const Tcp::endpoint& endpoint);
    void connectEnded(const ErrorCode& code);
    void beginTls();
    void continueTls();
    void tell(std::string_view failure);
    void idleEnded();

    TlsClient& m_tls;
    std::shared_ptr<GatewayNode> m_node;
    Executor m_executor;
    Stream m_stream;
    NodeAddress m_address;
    unsigned m_addresses = 0; ///< the node's when this was made
    Tcp::resolver m_resolver;
    std::vector<Tcp::endpoint> m_endpoints; ///< to be tried, the next at the end
    LinkOwner* m_owner = nullptr;
    Instant m_idleSince{};
    Phase m_phase = Phase::Connecting;
    bool m_isKept = false; ///< has carried a request before
};

} // namespace weir::gateway
