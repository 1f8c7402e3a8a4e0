// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plane/incidents/IncidentJson.h"

#include "core/journal/incidents/IncidentTimeline.h"

#include <boost/json.hpp>

namespace weir::plane {
namespace json = boost::json;
using journal::Incident;
using journal::IncidentRow;
namespace {

std::int64_t msOf(WallTime time)
{
    return time.time_since_epoch().count();
}

WallTime timeOf(std::int64_t ms)
{
    return WallTime(std::chrono::milliseconds(ms));
}

json::value optionalMs(const std::optional<WallTime>& time)
{
    return time ? json::value(msOf(*time)) : json::value(nullptr);
}

// Reads members that may be missing: a body of an older version has fewer.
class Members {
public:
    explicit Members(const json::object& object)
        : m_object(object)
    {
    }

    [[nodiscard]] std::int64_t number(std::string_view key) const
    {
        const json::value* value = m_object.if_contains(key);
        boost::system::error_code error;
        return value != nullptr && value->is_number() ? value->to_number<std::int64_t>(error) : 0;
    }
    [[nodiscard]] std::uint64_t count(std::string_view key) const { return static_cast<std::uint64_t>(std::max<std::int64_t>(number(key), 0)); }
    [[nodiscard]] WallTime time(std::string_view key) const { return timeOf(number(key)); }
    [[nodiscard]] std::optional<WallTime> optionalTime(std::string_view key) const
    {
        const json::value* value = m_object.if_contains(key);
        return value != nullptr && value->is_number() ? std::optional(time(key)) : std::nullopt;
    }
    [[nodiscard]] std::string text(std::string_view key) const
    {
        const json::value* value = m_object.if_contains(key);
        return value != nullptr && value->is_string() ? std::string(value->get_string()) : std::string();
    }
    [[nodiscard]] bool flag(std::string_view key) const
    {
        const json::value* value = m_object.if_contains(key);
        return value != nullptr && value->is_bool() && value->get_bool();
    }
    [[nodiscard]] const json::array& array(std::string_view key) const
    {
        static const json::array none;
        const json::value* value = m_object.if_contains(key);
        return value != nullptr && value->is_array() ? value->get_array() : none;
    }
    [[nodiscard]] const json::object* object(std::string_view key) const
    {
        const json::value* value = m_object.if_contains(key);
        return value != nullptr ? value->if_object() : nullptr;
    }
    template <typename Take>
    void each(std::string_view key, Take take) const
    {
        for (const json::value& item : array(key)) {
            if (const json::object* one = item.if_object()) {
                take(Members(*one));
            }
        }
    }

private:
    const json::object& m_object;
};

template <typename Texts>
json::array textsOf(const Texts& texts)
{
    json::array list;
    for (const auto& text : texts) {
        list.emplace_back(text);
    }
    return list;
}

json::array subjectsOf(const Incident& incident)
{
    json::array list;
    for (const journal::Subject& subject : incident.triggers) {
        list.emplace_back(json::object{{"kind", static_cast<int>(subject.kind)}, {"id", subject.id}, {"pool", subject.pool}});
    }
    return list;
}

json::array appsOf(const Incident& incident)
{
    json::array list;
    for (const auto& [id, app] : incident.apps) {
        list.emplace_back(json::object{{"id", id}, {"refusals", app.refusals}, {"fallbacks", app.fallbacks}, {"first", msOf(app.first)}, {"last", msOf(app.last)}, {"role", app.role},
            {"pool", app.poolId}});
    }
    return list;
}

json::array nodesOf(const Incident& incident)
{
    json::array list;
    for (const auto& [id, node] : incident.nodes) {
        list.emplace_back(json::object{{"id", id}, {"ejections", node.ejections}, {"probeOutages", node.probeOutages}, {"undone", node.undone}, {"outMs", node.outMs},
            {"firstOut", msOf(node.firstOut)}, {"lastOut", msOf(node.lastOut)}, {"out", node.out}, {"outcome", node.outcome}, {"pool", node.poolId}});
    }
    return list;
}

json::array notesOf(const Incident& incident)
{
    json::array list;
    for (const journal::IncidentNote& note : incident.notes) {
        list.emplace_back(json::object{{"at", msOf(note.at)}, {"written", msOf(note.written)}, {"author", note.author}, {"text", note.text}});
    }
    return list;
}

json::value evidenceOf(const Incident& incident)
{
    if (!incident.evidence) {
        return nullptr;
    }
    const journal::RefusalEvidence& e = *incident.evidence;
    return json::object{{"role", e.role}, {"pool", e.poolId}, {"poolNodes", e.poolNodes}, {"poolApps", e.poolApps}, {"unboundApps", e.unboundApps}, {"elsewherePool", e.elsewherePool},
        {"elsewhere", e.elsewhere}, {"funnel", e.funnel}};
}

void readLists(const Members& body, Incident& incident)
{
    body.each("triggers", [&](const Members& one) {
        const auto kind = static_cast<journal::Subject::Kind>(std::min<std::uint64_t>(one.count("kind"), 2));
        incident.triggers.insert({kind, one.text("id"), one.text("pool")});
    });
    body.each("apps", [&](const Members& one) {
        incident.apps[one.text("id")] = {one.count("refusals"), one.count("fallbacks"), one.time("first"), one.time("last"), one.text("role"), one.text("pool")};
    });
    body.each("nodes", [&](const Members& one) {
        incident.nodes[one.text("id")] = {one.count("ejections"), one.count("probeOutages"), one.count("undone"), one.number("outMs"), one.time("firstOut"), one.time("lastOut"),
            one.flag("out"), one.text("outcome"), one.text("pool")};
    });
    body.each("notes", [&](const Members& one) { incident.notes.push_back({one.time("at"), one.time("written"), one.text("author"), one.text("text")}); });
    for (const json::value& value : body.array("bad")) {
        incident.bad.emplace(value.is_string() ? std::string(value.get_string()) : std::string());
    }
    for (const json::value& value : body.array("alarms")) {
        incident.alarms.emplace(value.is_string() ? std::string(value.get_string()) : std::string());
    }
    for (const json::value& value : body.array("aliases")) {
        incident.aliases.push_back(value.is_int64() ? value.get_int64() : 0);
    }
}

void readObjects(const Members& body, Incident& incident)
{
    if (const json::object* object = body.object("evidence")) {
        const Members e(*object);
        incident.evidence = journal::RefusalEvidence{e.text("role"), e.text("pool"), static_cast<std::uint32_t>(e.count("poolNodes")), static_cast<std::uint32_t>(e.count("poolApps")),
            static_cast<std::uint32_t>(e.count("unboundApps")), e.text("elsewherePool"), static_cast<std::uint32_t>(e.count("elsewhere")), e.text("funnel")};
    }
    if (const json::object* object = body.object("move")) {
        const Members move(*object);
        incident.move = journal::MoveBefore{move.time("at"), move.text("node"), move.text("from"), move.text("to"), move.text("actor")};
    }
    if (const json::object* object = body.object("similar")) {
        const Members similar(*object);
        incident.similar = journal::Similar{similar.number("number"), similar.count("matching"), similar.count("members")};
    }
}

Result<json::value> parsed(const std::string& text)
{
    boost::system::error_code error;
    json::value value = json::parse(text, error);
    if (error || !value.is_object()) {
        return fail("store_failed", "An incident in the store cannot be read: its text is no JSON object.");
    }
    return value;
}

} // namespace

store::IncidentRecord recordOf(const Incident& i)
{
    json::object body{{"lastEvent", msOf(i.lastEvent)}, {"settled", msOf(i.settled)}, {"detected", optionalMs(i.detected)}, {"openedSeq", i.openedSeq}, {"lastSeq", i.lastSeq},
        {"acknowledgedBy", i.acknowledgedBy}, {"acknowledgedAt", optionalMs(i.acknowledgedAt)}, {"resolvedBy", i.resolvedBy}, {"resolveReason", i.resolveReason},
        {"headline", i.frozenHeadline}, {"aliases", textsOf(i.aliases)}, {"reopened", i.reopened}, {"triggers", subjectsOf(i)}, {"bad", textsOf(i.bad)}, {"events", i.events},
        {"triggerEvents", i.triggerEvents}, {"refusals", i.refusals}, {"fallbacks", i.fallbacks}, {"ejections", i.ejections}, {"apps", appsOf(i)}, {"nodes", nodesOf(i)},
        {"alarms", textsOf(i.alarms)}, {"evidence", evidenceOf(i)}, {"notes", notesOf(i)}};
    if (i.move) {
        body["move"] = {{"at", msOf(i.move->at)}, {"node", i.move->nodeId}, {"from", i.move->from}, {"to", i.move->to}, {"actor", i.move->actor}};
    }
    if (i.similar) {
        body["similar"] = {{"number", i.similar->number}, {"matching", i.similar->matching}, {"members", i.similar->members}};
    }
    return {i.number, std::string(toText(i.state)), i.severity, i.started, i.ended, i.mergedInto, json::serialize(body)};
}

Result<Incident> incidentOf(const store::IncidentRecord& record)
{
    const auto value = parsed(record.body);
    const auto state = journal::incidentStateFromText(record.state);
    if (!value || !state) {
        return fail("store_failed", "Incident " + std::to_string(record.number) + " in the store cannot be read.");
    }
    const Members body(value->get_object());
    Incident i;
    i.number = record.number;
    i.state = *state;
    i.severity = record.severity;
    i.started = record.started;
    i.ended = record.ended;
    i.mergedInto = record.mergedInto;
    i.lastEvent = body.time("lastEvent");
    i.settled = body.time("settled");
    i.detected = body.optionalTime("detected");
    i.openedSeq = body.number("openedSeq");
    i.lastSeq = body.number("lastSeq");
    i.acknowledgedBy = body.text("acknowledgedBy");
    i.acknowledgedAt = body.optionalTime("acknowledgedAt");
    i.resolvedBy = body.text("resolvedBy");
    i.resolveReason = body.text("resolveReason");
    i.frozenHeadline = body.text("headline");
    i.reopened = body.count("reopened");
    i.events = body.count("events");
    i.triggerEvents = body.count("triggerEvents");
    i.refusals = body.count("refusals");
    i.fallbacks = body.count("fallbacks");
    i.ejections = body.count("ejections");
    i.hasRows = false;
    readLists(body, i);
    readObjects(body, i);
    return i;
}

store::IncidentRowRecord recordOf(std::int64_t incident, const IncidentRow& r)
{
    const json::object body{{"firstAt", msOf(r.firstAt)}, {"lastAt", msOf(r.lastAt)}, {"kind", toText(r.kind)}, {"severity", toText(r.severity)}, {"relation", toText(r.relation)},
        {"nodeId", r.nodeId}, {"poolId", r.poolId}, {"appId", r.appId}, {"role", r.role}, {"actor", r.actor}, {"events", r.events}, {"facts", r.facts}, {"cycles", r.cycles},
        {"lastOut", msOf(r.lastOut)}, {"sentence", r.sentence}, {"why", r.why}, {"fold", r.fold}};
    return {incident, r.firstSeq, r.lastSeq, journal::isKeyMoment(r), json::serialize(body)};
}

Result<IncidentRow> rowOf(const store::IncidentRowRecord& record)
{
    const auto value = parsed(record.body);
    if (!value) {
        return tl::unexpected(value.error());
    }
    const Members body(value->get_object());
    const auto kind = journal::eventKindFromText(body.text("kind"));
    const auto severity = journal::severityFromText(body.text("severity"));
    const auto relation = journal::relationFromText(body.text("relation"));
    if (!kind || !severity || !relation) {
        return fail("store_failed", "A line of incident " + std::to_string(record.incident) + " in the store cannot be read.");
    }
    return IncidentRow{record.firstSeq, record.lastSeq, body.time("firstAt"), body.time("lastAt"), *kind, *severity, *relation, body.text("nodeId"), body.text("poolId"),
        body.text("appId"), body.text("role"), body.text("actor"), body.count("events"), body.count("facts"), body.count("cycles"), body.time("lastOut"), body.text("sentence"),
        body.text("why"), body.text("fold")};
}

} // namespace weir::plane
