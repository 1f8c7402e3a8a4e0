// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/console/ScenarioSwitch.h"

#include <QProcess>
#include <cstdio>

namespace weir::console {

ScenarioSwitch::ScenarioSwitch(ui::DemoControl& control, const Options& options, QString program, QObject* parent)
    : QObject(parent)
    , m_options(options)
    , m_program(std::move(program))
{
    connect(&control, &ui::DemoControl::scenarioRequested, this, &ScenarioSwitch::start);
}

QStringList ScenarioSwitch::argumentsFor(const QString& scenario, const Options& options)
{
    QStringList arguments{QStringLiteral("--demo"), QStringLiteral("--scenario"), scenario};
    if (!options.theme.isEmpty()) {
        arguments += {QStringLiteral("--theme"), options.theme};
    }
    if (!options.language.isEmpty()) {
        arguments += {QStringLiteral("--language"), options.language};
    }
    return arguments;
}

void ScenarioSwitch::start(const QString& scenario)
{
    if (QProcess::startDetached(m_program, argumentsFor(scenario, m_options))) {
        emit started();
    } else {
        std::fprintf(stderr, "weir: %s cannot be started for scenario %s\n", qPrintable(m_program), qPrintable(scenario));
    }
}

} // namespace weir::console
