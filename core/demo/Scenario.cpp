// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/demo/Scenario.h"

#include <QtGlobal>
#include <algorithm>
#include <array>

namespace weir::demo {
namespace {

constexpr std::array kScenarios{
    ScenarioInfo{"free", QT_TRANSLATE_NOOP("Demo", "Free play")},
    ScenarioInfo{"a", QT_TRANSLATE_NOOP("Demo", "A: green but broken")},
    ScenarioInfo{"b", QT_TRANSLATE_NOOP("Demo", "B: all green, nothing chosen")},
};

} // namespace

std::span<const ScenarioInfo> scenarios()
{
    return kScenarios;
}

std::string scenarioNames()
{
    std::string names;
    for (const ScenarioInfo& scenario : kScenarios) {
        names += (names.empty() ? "" : ", ") + std::string(scenario.key);
    }
    return names;
}

bool isScenario(std::string_view key)
{
    return std::any_of(kScenarios.begin(), kScenarios.end(), [key](const ScenarioInfo& scenario) { return scenario.key == key; });
}

} // namespace weir::demo
