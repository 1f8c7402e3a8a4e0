// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/outcome/OutcomeRules.h"
#include "core/routing/condition/Condition.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace weir::outcome {

inline constexpr std::size_t kMaxRules = 32;
inline constexpr int kDefaultAfter = 3;
inline constexpr int kMaxAfter = 1000;

/// A configured rule (health.md "Outcome rules"): `after` answers of one node in a row for which `when` holds are a passive failure.
struct RuleSettings {
    std::string name;
    std::string when; ///< a condition of routing.md
    int after = kDefaultAfter;

    friend bool operator==(const RuleSettings&, const RuleSettings&) = default;
};

/// All that is set about outcomes.
struct OutcomeSettings {
    std::vector<std::pair<int, int>> passiveStatuses{{401, 401}, {500, 599}}; ///< ranges, both ends included
    std::vector<RuleSettings> rules;

    friend bool operator==(const OutcomeSettings&, const OutcomeSettings&) = default;
};

/// What is wrong with one rule of a list, and where in its condition.
struct RuleFault {
    std::size_t rule = 0;
    std::string member; ///< `name`, `when` or `after`; empty: the list itself
    std::string code;
    std::optional<routing::Place> place; ///< within `when`
    std::string message;                 ///< without a full stop
};

/// What a status of `passive_statuses` may be: "401" or "5xx", from 300 up; 1xx and 2xx are how a healthy node answers.
[[nodiscard]] std::optional<std::pair<int, int>> parsePassiveStatus(std::string_view text) noexcept;
[[nodiscard]] std::string passiveStatusText(const std::pair<int, int>& range);

/// Why a request counts against its node, as the Traffic verdict shows it (console.md).
enum class Bucket : std::uint8_t { None, Transport, Status, Semantic };

[[nodiscard]] std::string_view toText(Bucket bucket) noexcept;

/// What one answer is, whatever the node's past.
struct Judged {
    Classification classification = Classification::Clean; ///< of the built-in rule
    Bucket bucket = Bucket::None;
    std::uint32_t matched = 0; ///< bit i: rule i holds
};

/// The rules, compiled. Immutable: a reload makes another one.
class OutcomeBook {
public:
    OutcomeBook() = default;

    /// Everything that is wrong with the rules, or the book.
    [[nodiscard]] static tl::expected<OutcomeBook, std::vector<RuleFault>> compile(OutcomeSettings settings);

    /// `error` of the transport (see isTransportError), or an answer in `exchange`. Rules see answers only.
    /// `statuses`: those of the cluster, where it has its own.
    [[nodiscard]] Judged judge(const routing::Exchange& exchange, std::string_view error, const OutcomeRules* statuses = nullptr) const;

    [[nodiscard]] const OutcomeSettings& settings() const noexcept { return m_settings; }
    [[nodiscard]] const OutcomeRules& builtIn() const noexcept { return m_builtIn; }
    [[nodiscard]] const RuleSettings& rule(std::size_t index) const { return m_settings.rules[index]; }
    [[nodiscard]] std::size_t size() const noexcept { return m_conditions.size(); }
    /// Whether a rule looks at the answer's body: without one nobody needs to keep it.
    [[nodiscard]] bool needsBody() const noexcept { return m_needsBody; }

private:
    OutcomeSettings m_settings;
    OutcomeRules m_builtIn;
    std::vector<routing::Condition> m_conditions; ///< of the rules, in their order
    bool m_needsBody = false;
};

} // namespace weir::outcome
