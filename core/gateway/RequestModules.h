// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/gateway/ClientFacts.h"
#include "core/gateway/HeadView.h"
#include "core/gateway/HeadWriter.h"
#include "core/gateway/modules/ModuleChain.h"
#include "core/http/Message.h"

#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace weir::gateway {

/// The modules' side of one request: what they are shown, and what they made of it. Without modules nothing is done. Io thread only.
class RequestModules {
public:
    /// A request begins; its views must live until the next one does. `address`: the client's, see clientAddress().
    void begin(std::shared_ptr<ModuleChain> chain, const RequestView& request, const ClientFacts& client, std::string_view address);

    [[nodiscard]] bool isOn() const { return m_chain != nullptr; }
    /// Null without modules.
    [[nodiscard]] Turn* turn() const { return m_chain ? m_turn.get() : nullptr; }

    [[nodiscard]] Verdict run(Point point) { return m_chain ? m_chain->run(point, *m_turn) : Verdict::goOn(); }
    /// Into `changes`: what the modules want of the head that goes to the node.
    void changeRequest(HeadChanges& changes) const;
    /// ReadResponse on a node's answer; into `changes` what they want of its head.
    [[nodiscard]] Verdict readAnswer(const ResponseView& answer, HeadChanges& changes);
    /// ReadResponse on an answer of the gateway's own: changes it, or puts another in its place.
    void readOwn(http::Response& response);

    /// Point::Accept: whether a connection of this address is closed at once.
    [[nodiscard]] static bool closesAtAccept(ModuleChain& chain, std::string_view peer);
    /// Point::Handshake: the same, once its TLS stands.
    [[nodiscard]] static bool closesAtHandshake(ModuleChain& chain, const ClientFacts& client);
    /// Point::Finish: the connection has ended; what the modules say does not matter.
    static void finish(ModuleChain& chain, const ClientFacts& client);

    [[nodiscard]] static http::Response responseOf(ModuleReply reply);

private:
    std::shared_ptr<ModuleChain> m_chain; ///< as it was when the request began
    std::unique_ptr<Turn> m_turn; ///< used for each request of the client in turn
    std::string m_peerText;       ///< of m_peer
    std::optional<IpAddress> m_peer;
    std::string m_path; ///< decoded, where there was something to decode
};

} // namespace weir::gateway
