// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/journal/incidents/IncidentReport.h"

#include "core/journal/incidents/IncidentText.h"
#include "core/journal/incidents/IncidentTimeline.h"

#include <algorithm>
#include <iterator>

namespace weir::journal {
namespace {

constexpr std::size_t kMostMoments = 30;
constexpr std::size_t kMostNames = 50;

// What others wrote stays text: it neither ends a table's cell nor becomes markup.
std::string escaped(std::string_view text)
{
    std::string out;
    for (const char c : text) {
        if (c == '\n' || c == '\r') {
            out += ' ';
        } else if (c == '<') {
            out += "&lt;";
        } else {
            if (c == '|' || c == '\\' || c == '*' || c == '_' || c == '[' || c == '`') {
                out += '\\';
            }
            out += c;
        }
    }
    return out;
}

// Backticks of our own sentences stay.
std::string ownSentence(std::string_view text)
{
    std::string out;
    for (const char c : text) {
        out += c == '\n' ? std::string(" ") : c == '|' ? std::string("\\|") : c == '<' ? std::string("&lt;") : std::string(1, c);
    }
    return out;
}

std::string timeText(WallTime time)
{
    const std::string text = toRfc3339(time);
    return text.substr(0, 10) + " " + text.substr(11, 8);
}

class Report {
public:
    Report(const Incident& incident, const ReportInput& input)
        : m_incident(incident)
        , m_input(input)
    {
    }

    std::string text()
    {
        addHead();
        addFacts();
        addImpact();
        addTimeline();
        addContributing();
        addFunnel();
        addSeries();
        addNotes();
        line("## What went well\n");
        line("## What to change\n");
        line("## Follow-ups\n\n- [ ] \n");
        line("---\n\nMade by Weir " + m_input.version + " at " + timeText(m_input.now) + " UTC. All times are UTC; `#` numbers are events of the journal.");
        return std::move(m_text);
    }

private:
    void line(const std::string& text) { m_text += text + "\n"; }
    void row(const std::string& name, const std::string& value) { line("| " + name + " | " + value + " |"); }
    [[nodiscard]] std::string person(const std::string& actor) const { return m_input.blameless ? "a person on duty" : escaped(personOf(actor)); }
    [[nodiscard]] std::string rowLine(const IncidentRow& row) const
    {
        std::string text = rowText(row);
        if (m_input.blameless && !row.actor.empty()) {
            for (const std::string_view name : {std::string_view(row.actor), personOf(row.actor)}) {
                for (std::size_t at = text.find(name); at != std::string::npos; at = text.find(name, at + 1)) {
                    text.replace(at, name.size(), "a person on duty");
                }
            }
        }
        return ownSentence(text);
    }

    void addHead()
    {
        line("# Incident " + std::to_string(m_incident.number) + "\n");
        line(ownSentence(headlineOf(m_incident, m_input.now)) + "\n");
    }

    void addFacts()
    {
        const Incident& i = m_incident;
        line("| Fact | Value |\n| --- | --- |");
        row("Severity", severityText(i.severity));
        std::string state(toText(i.state));
        state += i.acknowledgedAt ? (i.state == IncidentState::Acknowledged ? " by " : ", acknowledged by ") + person(i.acknowledgedBy) + " at " + timeText(*i.acknowledgedAt) : std::string();
        state += i.ended && !i.resolvedBy.empty() ? ", resolved by " + person(i.resolvedBy) + ": " + escaped(i.resolveReason) : std::string();
        row("State", state);
        row("Started", timeText(i.started));
        row("Detected", i.detected ? timeText(*i.detected) + " (+" + durationText(*i.detected - i.started) + ")" : std::string("no alarm"));
        row("Ended", i.ended ? timeText(*i.ended) : std::string("not yet"));
        row("Duration", durationText(i.ended.value_or(m_input.now) - i.started));
        if (m_input.lowest) {
            row("Lowest healthy", std::to_string(m_input.lowest->healthy) + "/" + std::to_string(m_input.lowest->total));
        }
        row("Apps affected", groupedNumber(i.apps.size()));
        row("Requests refused", groupedNumber(i.refusals));
        row("Placed by fallback", groupedNumber(i.fallbacks));
        row("Times a node went out", groupedNumber(i.ejections));
        row("Events", groupedNumber(i.events));
        if (i.similar) {
            row("Similar to", "incident " + std::to_string(i.similar->number) + " (" + std::to_string(i.similar->matching) + " of " + std::to_string(i.similar->members) + " scope members)");
        }
        line("");
    }

    void addImpact()
    {
        line("## Impact\n");
        if (m_incident.apps.empty()) {
            line("No app was refused or fell back in this incident.\n");
            return;
        }
        line("| App | Role | Pool | Refused | Fell back | From | To | For |\n| --- | --- | --- | --- | --- | --- | --- | --- |");
        std::size_t shown = 0;
        for (const auto& [app, impact] : m_incident.apps) {
            if (++shown > kMostNames) {
                line("\nand " + std::to_string(m_incident.apps.size() - kMostNames) + " more apps.");
                break;
            }
            line("| " + escaped(app) + " | " + impact.role + " | " + escaped(impact.poolId) + " | " + groupedNumber(impact.refusals) + " | " + groupedNumber(impact.fallbacks) + " | "
                + timeText(impact.first) + " | " + timeText(impact.last) + " | " + durationText(impact.last - impact.first) + " |");
        }
        line("");
    }

    void addTimeline()
    {
        line("## Timeline\n\n| UTC | Event | What | How it belongs here |\n| --- | --- | --- | --- |");
        for (const IncidentRow& row : keyMomentsOf(m_input.rows)) {
            const std::string ids = "#" + std::to_string(row.firstSeq) + (row.lastSeq != row.firstSeq ? "–" + std::to_string(row.lastSeq) : "");
            line("| " + timeText(row.firstAt) + " | " + ids + " | " + rowLine(row) + " | " + std::string(toText(row.relation)) + " |");
        }
        line("");
    }

    void addContributing()
    {
        line("## Contributing facts\n\nWhat was changed in the time before the first event; that it came before does not mean that it is the reason.\n");
        bool any = false;
        for (const IncidentRow& row : m_input.rows) {
            if (row.relation == Relation::PrecededBy) {
                line("- " + timeText(row.firstAt) + " (#" + std::to_string(row.firstSeq) + "): " + rowLine(row));
                any = true;
            }
        }
        line(any ? "" : "Nothing that touches the scope.\n");
    }

    void addFunnel()
    {
        if (!m_incident.evidence) {
            return;
        }
        const RefusalEvidence& evidence = *m_incident.evidence;
        line("## Why nothing was chosen at the first failure\n");
        line(ownSentence(evidence.funnel.empty() ? "No " + evidence.role + " in " + evidence.poolId + "." : evidence.funnel) + "\n");
        row("Step", "Result");
        line("| --- | --- |");
        row("Apps that resolve to `" + evidence.poolId + "`", groupedNumber(evidence.poolApps) + " (" + groupedNumber(evidence.unboundApps) + " without a binding or an owner)");
        row("Nodes of the role " + evidence.role + " there", groupedNumber(evidence.poolNodes));
        row("Available where no app resolves to", evidence.elsewhere == 0 ? std::string("0") : groupedNumber(evidence.elsewhere) + " in `" + evidence.elsewherePool + "`");
        line("");
    }

    void addSeries()
    {
        for (const ReportSeries& series : m_input.series) {
            const std::string name = series.key.poolId.empty() ? "the whole fleet" : series.key.poolId + (series.key.role.empty() ? "" : ", " + series.key.role);
            line("## Healthy workers: " + name + "\n\n| UTC | Healthy | Total |\n| --- | --- | --- |");
            for (const SeriesPoint& point : series.points) {
                line("| " + timeText(point.at) + " | " + (point.known ? std::to_string(point.healthy) : "unknown") + " | " + (point.known ? std::to_string(point.total) : "unknown") + " |");
            }
            line("");
        }
    }

    void addNotes()
    {
        line("## Notes\n");
        for (const IncidentNote& note : m_incident.notes) {
            line("- " + timeText(note.at) + ", " + person(note.author) + ": " + escaped(note.text));
        }
        line(m_incident.notes.empty() ? "None.\n" : "");
    }

    const Incident& m_incident;
    const ReportInput& m_input;
    std::string m_text;
};

} // namespace

std::vector<IncidentRow> keyMomentsOf(const std::vector<IncidentRow>& rows)
{
    std::vector<IncidentRow> moments;
    std::copy_if(rows.begin(), rows.end(), std::back_inserter(moments), isKeyMoment);
    if (moments.size() > kMostMoments) {
        moments.erase(moments.begin() + kMostMoments / 2, moments.end() - kMostMoments / 2);
    }
    return moments;
}

std::string reportOf(const Incident& incident, const ReportInput& input)
{
    return Report(incident, input).text();
}

} // namespace weir::journal
