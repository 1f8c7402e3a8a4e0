// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/config/Config.h"
#include "core/plane/Command.h"
#include "core/plane/NodeCommands.h"
#include "core/plane/NodeSessions.h"
#include "core/plane/StoreThread.h"
#include "core/plane/StoredBook.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace weir::plane {

/// `POST /v1/nodes/register`. What is not given stays as it is recorded.
struct Registration {
    std::optional<std::string> nodeSecret; ///< this or `licenceCode`
    std::optional<std::string> licenceCode;
    std::optional<std::string> nodeType;
    std::optional<std::string> diskSerial;
    std::optional<std::string> version;
    std::optional<std::string> region;
    std::optional<std::string> webrtcBaseUrl;
    std::optional<std::string> publishUrl;
    std::optional<std::string> abrNegotiationAddr;
    std::optional<std::string> url;
    std::optional<std::string> healthUrl;
    std::optional<std::int64_t> capacity;
    /// Pools that the message claimed, as `poolId=pool-7`; recorded and ignored.
    std::vector<std::string> poolClaims;
};

struct Registered {
    std::string nodeId;
    std::string sessionToken;
    double heartbeatIntervalSeconds = 10;
};

struct ReportedStream {
    std::string app;
    std::string stream;
};

/// One heartbeat as it was sent.
struct HeartbeatReport {
    std::string bootId;
    std::uint64_t seq = 0;
    std::int64_t capacity = 0;
    std::int64_t used = 0;
    std::optional<std::uint64_t> seenPlacement;
    std::optional<std::vector<ReportedStream>> streams; ///< unset: nothing is said of streams
};

/// Nodes that come by themselves: registration, sessions, heartbeats (fleet.md, api.md "Nodes"), and what a superadmin does with their
/// credentials. Registrations are answered on the store thread; heartbeats go to the live fleet directly and write nothing.
class Registrar {
public:
    /// Takes an event that may come often; the flow folds it.
    using Note = std::function<void(journal::Event)>;

    Registrar(StoreThread& store, live::LiveFleet& fleet, StoredBook& book, const Clock& clock, NodeCommands::ProbeHooks hooks, NodeCommands::AddressCheck check, Note note);

    /// `registration` of the configuration, from the next registration on. Any thread.
    void setSettings(const config::RegistrationSettings& settings);

    /// Errors: `bad_credential`, `disabled`, `licence_exhausted`, `licence_expired`, `disk_serial_mismatch`, `role_mismatch`,
    /// `url_not_allowed`, `missing_field` (a licence needs a `diskSerial`), `store_failed`.
    void enrol(Registration registration, std::string address, Done<Registered> done);

    /// False: an older or repeated heartbeat, ignored. Errors: `unknown_session`, `session_replaced`.
    [[nodiscard]] Result<bool> heartbeat(const std::string& nodeId, std::string_view token, const HeartbeatReport& report, const std::string& address);
    /// The node's session ends and it is disconnected at once. Errors as heartbeat().
    [[nodiscard]] Result<void> leave(const std::string& nodeId, std::string_view token, const std::string& address);
    /// For a heartbeat whose body breaks a rule: the error to answer, that of the session before that of the body, which is recorded.
    [[nodiscard]] Error refuseHeartbeat(const std::string& nodeId, std::string_view token, const std::string& address, const Error& error);

    // What superadmins do with the credential of a node that registers. Errors: `unknown_node`, `static_node`.

    /// A new secret, shown this once; the old one is bad from then on, a running session goes on.
    void rotateSecret(const std::string& nodeId, Actor actor, Done<std::string> done);
    /// The next registration may come from another machine.
    void clearSerial(const std::string& nodeId, Actor actor, Done<void> done);
    /// Disabled: registrations are refused, the session ends, the node is disconnected at once.
    void setDisabled(const std::string& nodeId, bool disabled, Actor actor, Done<void> done);

private:
    struct Settings {
        double heartbeatIntervalSeconds = 10;
        std::vector<IpNetwork> networks;
    };
    struct Outcome; // what planning one registration found

    Result<Plan> planEnrol(const Registration& registration, const std::string& address, const fleet::Fleet& fleet, const CommandTime& time, Outcome& outcome);
    void addChange(Plan& plan, const store::NodeRecord& record, const std::string& address, const CommandTime& time, const Outcome& outcome);
    Result<store::NodeRecord> recordOf(const Registration& registration, const fleet::Fleet& fleet, const CommandTime& time, Outcome& outcome);
    Result<store::NodeRecord> recordOfLicence(const Registration& registration, const fleet::Fleet& fleet, const CommandTime& time, Outcome& outcome);
    Result<void> takeFields(const Registration& registration, const fleet::Fleet& fleet, store::NodeRecord& record) const;
    void changeCredential(const std::string& nodeId, std::string action, Actor actor, std::function<void(store::NodeRecord&)> change, std::function<void(NodeSessions::Key)> after,
        Done<void> done);
    Result<NodeSessions::Key> keyOf(const std::string& nodeId) const;
    Error refusalOf(const std::string& nodeId, NodeSessions::Standing standing, const NodeSessions::Key& key, const std::string& address);
    void noteRefusal(const std::string& nodeId, const std::string& address, const Error& error, const std::string& currentAddress = {});
    void noteClaims(const Registration& registration, const store::NodeRecord& record, const std::string& address);

    StoreThread& m_store;
    live::LiveFleet& m_fleet;
    StoredBook& m_book;
    const Clock& m_clock;
    NodeCommands::ProbeHooks m_hooks;
    NodeCommands::AddressCheck m_checkAddress;
    Note m_note;
    NodeSessions m_sessions;
    std::shared_ptr<const Settings> m_settings; ///< swapped whole; std::atomic_load and _store
};

} // namespace weir::plane
