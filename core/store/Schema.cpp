// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/Schema.h"

#include "core/store/AuditTable.h"
#include "core/store/SqliteDialect.h"

using namespace Qt::StringLiterals;

namespace weir::store {
namespace {

Migration firstVersion()
{
    return {1,
            {
                u"CREATE TABLE users (id TEXT PRIMARY KEY, name TEXT NOT NULL)"_s,
                u"CREATE TABLE pools (id TEXT PRIMARY KEY, name TEXT NOT NULL, canary INTEGER NOT NULL, min_available INTEGER, "
                "capacity_alarm_percent DOUBLE PRECISION)"_s,
                u"CREATE TABLE nodes (id TEXT PRIMARY KEY, role TEXT NOT NULL, owner TEXT NOT NULL, pool TEXT, is_static INTEGER NOT NULL, "
                "url TEXT NOT NULL, health_url TEXT NOT NULL, health_path TEXT NOT NULL, expected_statuses TEXT NOT NULL, "
                "webrtc_base_url TEXT NOT NULL, publish_url TEXT NOT NULL, capacity INTEGER NOT NULL, weight INTEGER NOT NULL, "
                "region TEXT NOT NULL, version TEXT NOT NULL, secret_hash TEXT NOT NULL, draining INTEGER NOT NULL, "
                "drain_reason TEXT NOT NULL, drained_by TEXT NOT NULL, pool_since BIGINT NOT NULL, moved_by TEXT NOT NULL, "
                "created_at BIGINT NOT NULL, declared INTEGER NOT NULL, admin_fields TEXT NOT NULL, file_fields TEXT NOT NULL)"_s,
                u"CREATE TABLE tombstones (node_id TEXT PRIMARY KEY)"_s,
                u"CREATE TABLE apps (id TEXT PRIMARY KEY, owner TEXT NOT NULL, declared INTEGER NOT NULL)"_s,
                u"CREATE TABLE bindings (app TEXT PRIMARY KEY, pool TEXT, allow_fallback INTEGER NOT NULL, declared INTEGER NOT NULL)"_s,
                u"CREATE TABLE tokens (name TEXT PRIMARY KEY, sha256 TEXT NOT NULL, role TEXT NOT NULL, apps TEXT NOT NULL, expires BIGINT, "
                "created_at BIGINT NOT NULL, revoked INTEGER NOT NULL)"_s,
                u"CREATE TABLE settings (id TEXT PRIMARY KEY, json TEXT NOT NULL, changed_by TEXT NOT NULL, changed_at BIGINT NOT NULL)"_s,
                u"CREATE TABLE marks (id TEXT PRIMARY KEY, at BIGINT NOT NULL)"_s,
                u"CREATE TABLE events (seq %1, at BIGINT NOT NULL, kind TEXT NOT NULL, severity TEXT NOT NULL, node_id TEXT NOT NULL, "
                "pool_id TEXT NOT NULL, app_id TEXT NOT NULL, role TEXT NOT NULL, actor TEXT NOT NULL, sentence TEXT NOT NULL, "
                "detail TEXT NOT NULL)"_s.arg(dialect::rowNumber()),
                // Stands for indexes by time and by node, which would halve the rate of the journal.
                u"CREATE TABLE event_blocks (block %1, min_at BIGINT NOT NULL, max_at BIGINT NOT NULL, "
                "nodes %2 NOT NULL)"_s.arg(dialect::rowNumber(), dialect::bytes()),
                u"CREATE TABLE series (pool_id TEXT NOT NULL, role TEXT NOT NULL, at BIGINT NOT NULL, healthy INTEGER NOT NULL, "
                "total INTEGER NOT NULL, known INTEGER NOT NULL, PRIMARY KEY (pool_id, role, at))"_s,
                u"CREATE TABLE audit (id %1, at BIGINT NOT NULL, actor TEXT NOT NULL, origin TEXT NOT NULL, action TEXT NOT NULL, "
                "target TEXT NOT NULL, value_before TEXT NOT NULL, value_after TEXT NOT NULL, reason TEXT NOT NULL, outcome TEXT NOT NULL, "
                "request_id TEXT NOT NULL, source TEXT NOT NULL)"_s.arg(dialect::rowNumber()),
            }};
}

// The audit's chain, over what was written before there was one, and the configurations that were loaded.
Migration auditChain()
{
    return {2,
            {
                u"ALTER TABLE audit ADD COLUMN previous_hash TEXT NOT NULL DEFAULT ''"_s,
                u"ALTER TABLE audit ADD COLUMN hash TEXT NOT NULL DEFAULT ''"_s,
                u"CREATE TABLE audit_marks (id TEXT PRIMARY KEY, row_id BIGINT NOT NULL, hash TEXT NOT NULL)"_s,
                u"CREATE TABLE config_versions (version %1, at BIGINT NOT NULL, loaded_by TEXT NOT NULL, note TEXT NOT NULL, "
                "text TEXT NOT NULL)"_s.arg(dialect::rowNumber()),
            },
            chainExistingRows};
}

// What registration needs: machines bound to their credentials, and licences.
Migration registration(int version)
{
    return {version,
            {
                u"ALTER TABLE nodes ADD COLUMN disk_serial TEXT NOT NULL DEFAULT ''"_s,
                u"ALTER TABLE nodes ADD COLUMN disabled INTEGER NOT NULL DEFAULT 0"_s,
                u"ALTER TABLE nodes ADD COLUMN licence TEXT NOT NULL DEFAULT ''"_s,
                u"ALTER TABLE nodes ADD COLUMN abr_negotiation_addr TEXT NOT NULL DEFAULT ''"_s,
                u"ALTER TABLE nodes ADD COLUMN registered_at BIGINT NOT NULL DEFAULT 0"_s,
                u"CREATE TABLE licences (id TEXT PRIMARY KEY, code_hash TEXT NOT NULL, owner TEXT NOT NULL, role TEXT NOT NULL, "
                "pool TEXT NOT NULL, nodes INTEGER NOT NULL, expires BIGINT, created_at BIGINT NOT NULL)"_s,
            }};
}

Migration incidents()
{
    return {4,
            {
                u"CREATE TABLE incidents (number BIGINT PRIMARY KEY, state TEXT NOT NULL, severity INTEGER NOT NULL, started BIGINT NOT NULL, "
                "ended BIGINT, merged_into BIGINT NOT NULL, body TEXT NOT NULL)"_s,
                u"CREATE TABLE incident_rows (incident BIGINT NOT NULL, first_seq BIGINT NOT NULL, last_seq BIGINT NOT NULL, "
                "is_key INTEGER NOT NULL, body TEXT NOT NULL, PRIMARY KEY (incident, first_seq))"_s,
            }};
}

Migration alarms()
{
    return {5,
            {
                u"CREATE TABLE alarms (id BIGINT PRIMARY KEY, kind TEXT NOT NULL, role TEXT NOT NULL, pool_id TEXT NOT NULL, app_id TEXT NOT NULL, "
                "node_id TEXT NOT NULL, address TEXT NOT NULL, severity TEXT NOT NULL, state TEXT NOT NULL, occurrences BIGINT NOT NULL, "
                "folded BIGINT NOT NULL, first_at BIGINT NOT NULL, last_at BIGINT NOT NULL, resolved_at BIGINT NOT NULL, previous BIGINT NOT NULL, "
                "counted_in BIGINT NOT NULL, stood_for BIGINT NOT NULL, delivery INTEGER NOT NULL, first_sentence TEXT NOT NULL, "
                "first_detail TEXT NOT NULL, latest_at BIGINT NOT NULL, latest_sentence TEXT NOT NULL, latest_detail TEXT NOT NULL, since_at BIGINT NOT NULL)"_s,
                u"CREATE TABLE alarm_acknowledgements (alarm_id BIGINT PRIMARY KEY, actor TEXT NOT NULL, at BIGINT NOT NULL)"_s,
                u"CREATE TABLE silences (id TEXT PRIMARY KEY, kind TEXT NOT NULL, role TEXT NOT NULL, pool_id TEXT NOT NULL, app_id TEXT NOT NULL, "
                "node_id TEXT NOT NULL, until_at BIGINT NOT NULL, reason TEXT NOT NULL, created_by TEXT NOT NULL, created_at BIGINT NOT NULL)"_s,
                u"CREATE TABLE webhook_queue (id BIGINT PRIMARY KEY, receiver TEXT NOT NULL, alarm_id BIGINT NOT NULL, firing INTEGER NOT NULL, "
                "alert TEXT NOT NULL, queued_at BIGINT NOT NULL)"_s,
            }};
}

// How nodes that are spoken to by https prove who they are.
Migration nodeTls()
{
    return {6,
            {
                u"ALTER TABLE nodes ADD COLUMN tls_ca TEXT NOT NULL DEFAULT ''"_s,
                u"ALTER TABLE nodes ADD COLUMN tls_server_name TEXT NOT NULL DEFAULT ''"_s,
                u"ALTER TABLE nodes ADD COLUMN tls_verify INTEGER NOT NULL DEFAULT 1"_s,
            }};
}

// Which incident an alarm belongs to.
Migration alarmIncidents()
{
    return {7, {u"ALTER TABLE alarms ADD COLUMN incident BIGINT NOT NULL DEFAULT 0"_s}};
}

} // namespace

std::vector<Migration> migrations()
{
    return {firstVersion(), auditChain(), registration(3), incidents(), alarms(), nodeTls(), alarmIncidents()};
}

} // namespace weir::store
