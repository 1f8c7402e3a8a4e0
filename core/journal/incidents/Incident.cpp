// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/journal/incidents/Incident.h"

#include "core/base/Ids.h"

#include <algorithm>
#include <array>

namespace weir::journal {
namespace {

constexpr std::array<std::string_view, 4> kStateNames{"open", "acknowledged", "resolved", "merged"};
constexpr std::array<std::string_view, 5> kRelationNames{"trigger", "joined", "context", "preceded_by", "in_window"};

template <typename Enum, std::size_t N>
std::optional<Enum> find(const std::array<std::string_view, N>& names, std::string_view text) noexcept
{
    const auto found = std::find(names.begin(), names.end(), text);
    return found == names.end() ? std::nullopt : std::optional(static_cast<Enum>(found - names.begin()));
}

bool isPlace(const std::string& pool)
{
    return !pool.empty() && pool != kUnassignedPool;
}

} // namespace

std::string_view toText(IncidentState state) noexcept
{
    return kStateNames[static_cast<std::size_t>(state)];
}

std::string_view toText(Relation relation) noexcept
{
    return kRelationNames[static_cast<std::size_t>(relation)];
}

std::optional<IncidentState> incidentStateFromText(std::string_view text) noexcept
{
    return find<IncidentState>(kStateNames, text);
}

std::optional<Relation> relationFromText(std::string_view text) noexcept
{
    return find<Relation>(kRelationNames, text);
}

bool touches(const Subject& a, const Subject& b)
{
    using Kind = Subject::Kind;
    if (a == b) {
        return true;
    }
    if (a.kind == Kind::Pool && b.kind != Kind::Pool) {
        return isPlace(a.id) && b.pool == a.id;
    }
    if (b.kind == Kind::Pool && a.kind != Kind::Pool) {
        return isPlace(b.id) && a.pool == b.id;
    }
    return false;
}

std::set<Subject> membersOf(const Incident& incident)
{
    std::set<Subject> members = incident.triggers;
    for (const Subject& subject : incident.triggers) {
        if (subject.kind != Subject::Kind::Pool && isPlace(subject.pool)) {
            members.insert({Subject::Kind::Pool, subject.pool, {}});
        }
    }
    return members;
}

} // namespace weir::journal
