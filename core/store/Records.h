// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/Clock.h"
#include "core/base/NodeTls.h"
#include "core/journal/HealthySeries.h"
#include "core/journal/alarms/Alarm.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace weir::store {

// What is kept for good, as plain values. Text is UTF-8, empty means "none" unless said otherwise, and empty stays empty.

struct UserRecord {
    std::string id;
    std::string name;
    friend bool operator==(const UserRecord&, const UserRecord&) = default;
};

struct PoolRecord {
    std::string id;
    std::string name;
    bool canary = false;
    std::optional<int> minAvailable;            ///< nothing: no bound is set
    std::optional<double> capacityAlarmPercent; ///< nothing: the default; 0: off
    friend bool operator==(const PoolRecord&, const PoolRecord&) = default;
};

struct NodeRecord {
    std::string id;
    std::string role;
    std::string owner;
    std::string pool = "default"; ///< stored as empty or missing: read as `default`
    bool isStatic = false;
    std::string url;
    std::string healthUrl;
    std::string healthPath;
    std::vector<int> expectedStatuses; ///< empty: those of the settings
    std::string webrtcBaseUrl;
    std::string publishUrl;
    int capacity = 1;
    int weight = 1;
    std::string region;
    std::string version;
    std::string secretHash;
    bool draining = false;
    std::string drainReason;
    std::string drainedBy;
    WallTime poolSince{};
    std::string movedBy;
    WallTime createdAt{};
    bool declared = false;                ///< the configuration file names it
    std::vector<std::string> adminFields; ///< declared fields that an administrator changed since the file gave them
    std::string fileFields;               ///< JSON object: each declared field as the file last gave it
    std::string diskSerial;               ///< of the machine that registered under this credential first; empty: not bound yet
    bool disabled = false;                ///< its registrations are refused
    std::string licence;                  ///< the licence that made it; empty: a superadmin did
    std::string abrNegotiationAddr;       ///< as the node said it
    WallTime registeredAt{};              ///< for the first time; the epoch: never
    NodeTls tls;
    friend bool operator==(const NodeRecord&, const NodeRecord&) = default;
};

/// A declared node that an administrator deleted: it stays deleted until the file drops it.
struct TombstoneRecord {
    std::string nodeId;
    friend bool operator==(const TombstoneRecord&, const TombstoneRecord&) = default;
};

/// Lets a user's own machines make their own nodes. The code is never stored.
struct LicenceRecord {
    std::string id;
    std::string codeHash; ///< SHA-256, hexadecimal
    std::string owner;
    std::string role;
    std::string pool;     ///< empty: the owner's
    int nodes = 1;        ///< machines that may use it
    std::optional<WallTime> expires;
    WallTime createdAt{};
    friend bool operator==(const LicenceRecord&, const LicenceRecord&) = default;
};

struct AppRecord {
    std::string id;
    std::string owner;
    bool declared = false;
    friend bool operator==(const AppRecord&, const AppRecord&) = default;
};

struct BindingRecord {
    std::string app;
    std::string pool = "default"; ///< stored as empty or missing: read as `default`
    bool allowFallback = false;
    bool declared = false;
    friend bool operator==(const BindingRecord&, const BindingRecord&) = default;
};

struct TokenRecord {
    std::string name;
    std::string sha256; ///< of the token, hexadecimal; the token itself is never stored
    std::string role;
    std::vector<std::string> apps;
    std::optional<WallTime> expires;
    WallTime createdAt{};
    bool revoked = false;
    friend bool operator==(const TokenRecord&, const TokenRecord&) = default;
};

struct SettingRecord {
    std::string key;
    std::string json;
    std::string changedBy;
    WallTime changedAt{};
    friend bool operator==(const SettingRecord&, const SettingRecord&) = default;
};

struct AcknowledgementRecord {
    std::uint64_t alarmId = 0;
    std::string actor;
    WallTime at{};
    friend bool operator==(const AcknowledgementRecord&, const AcknowledgementRecord&) = default;
};

/// Alarms that meet every member that is not empty are not delivered until then.
struct SilenceRecord {
    std::string id;
    std::string kind;
    std::string role;
    std::string pool;
    std::string app;
    std::string node;
    WallTime until{};
    std::string reason;
    std::string createdBy;
    WallTime createdAt{};
    friend bool operator==(const SilenceRecord&, const SilenceRecord&) = default;
};

/// A notice about an alarm on its way to one receiver.
struct WebhookRecord {
    std::uint64_t id = 0; ///< grows; the order in which a receiver hears of things
    std::string receiver;
    std::uint64_t alarmId = 0;
    bool firing = true;
    std::string alert; ///< JSON text
    WallTime queuedAt{};
    friend bool operator==(const WebhookRecord&, const WebhookRecord&) = default;
};

/// One change by a person or a token to one thing; `before` and `after` are JSON text.
struct AuditRow {
    std::int64_t id = 0; ///< given when it is written; grows by one
    WallTime at{};
    std::string actor; ///< `token:<name>` or `local:<login>`
    std::string from;  ///< the address it came from
    std::string action;
    std::string target;
    std::string before;
    std::string after;
    std::string reason;
    std::string outcome;
    std::string requestId;
    std::string source; ///< drag, dialog, api, undo, …
    std::string previousHash{}; ///< of the row before; with `hash` given when it is written (journal::AuditChain)
    std::string hash{};
    friend bool operator==(const AuditRow&, const AuditRow&) = default;
};

/// A configuration file that was loaded, so that it can be loaded again.
struct ConfigVersion {
    std::int64_t version = 0;
    WallTime at{};
    std::string by;
    std::string note; ///< where it came from
    std::string text;
    friend bool operator==(const ConfigVersion&, const ConfigVersion&) = default;
};

/// All that a start needs, as of one moment; each list in the order of its ids.
struct Snapshot {
    std::vector<UserRecord> users;
    std::vector<PoolRecord> pools;
    std::vector<NodeRecord> nodes;
    std::vector<TombstoneRecord> tombstones;
    std::vector<AppRecord> apps;
    std::vector<BindingRecord> bindings;
    std::vector<TokenRecord> tokens;
    std::vector<SettingRecord> settings;
    std::vector<LicenceRecord> licences;
    std::vector<journal::Alarm> alarms; ///< open and lately resolved; acknowledgements apart
    std::vector<AcknowledgementRecord> acknowledgements;
    std::vector<SilenceRecord> silences;
    std::vector<WebhookRecord> webhooks; ///< not delivered yet
    std::vector<journal::SeriesChange> latestPoints; ///< the last stored point of each series
    std::optional<WallTime> lastAlive;               ///< nothing: never run before
    std::int64_t lastSeq = 0;
};

} // namespace weir::store
