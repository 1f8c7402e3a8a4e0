// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/client/EmbeddedDemoControl.h"

#include <QCoreApplication>
#include <QMetaObject>

namespace weir::ui {

namespace {

QString inWords(const char* text)
{
    return text[0] == '\0' ? QString() : QCoreApplication::translate("Demo", text);
}

} // namespace

EmbeddedDemoControl::EmbeddedDemoControl(demo::DemoFleet& demo, QObject* parent)
    : DemoControl(parent)
    , m_demo(demo)
{
    demo.setListener([this](const demo::DemoStatus&) { QMetaObject::invokeMethod(this, &DemoControl::changed, Qt::QueuedConnection); });
}

EmbeddedDemoControl::~EmbeddedDemoControl()
{
    m_demo.setListener({});
}

DemoView EmbeddedDemoControl::view() const
{
    const demo::DemoStatus status = m_demo.status();
    const demo::ScenarioState& state = status.state;
    DemoView view;
    for (const demo::ScenarioInfo& scenario : demo::scenarios()) {
        view.scenarios.append({QLatin1String(scenario.key), inWords(scenario.title)});
    }
    view.scenario = QString::fromStdString(status.scenario);
    view.speeds = QList<int>(demo::kDemoSpeeds.begin(), demo::kDemoSpeeds.end());
    view.speed = status.speed;
    view.paused = status.paused;
    for (const demo::ActState& act : state.acts) {
        view.acts.append({inWords(act.title), inWords(act.prompt), inWords(act.lesson), act.done});
    }
    view.act = static_cast<int>(state.act);
    view.refusal = QString::fromStdString(state.sentence);
    for (const demo::SwitchState& item : state.switches) {
        view.switches.append({QLatin1String(item.key), inWords(item.label), inWords(item.hint), item.on});
    }
    if (!state.acts.empty()) {
        const QString green = tr("%1 of %n node(s) green", nullptr, static_cast<int>(state.nodes)).arg(state.nodesGreen);
        if (!state.switches.empty()) {
            view.figures = state.asked == 0 ? green
                                            : tr("%1 requests · %2 failed, %3 of them inside a 200 · out %4 times, back %5 times")
                                                  .arg(QString::number(state.asked), QString::number(state.refused), QString::number(state.hidden),
                                                      QString::number(state.ejections), QString::number(state.revivals));
            return view;
        }
        view.figures = state.asked == 0 ? green
                                        : tr("%1 of %2 publishes refused · %3 · %4 of %5 apps served")
                                              .arg(QString::number(state.refused), QString::number(state.asked), green, QString::number(state.appsServed),
                                                  QString::number(state.apps));
    }
    return view;
}

void EmbeddedDemoControl::setPaused(bool paused)
{
    m_demo.setPaused(paused);
    emit changed();
}

void EmbeddedDemoControl::restart()
{
    m_demo.restart();
    emit changed();
}

void EmbeddedDemoControl::setSpeed(int speed)
{
    m_demo.setSpeed(speed);
    emit changed();
}

void EmbeddedDemoControl::skipAct()
{
    m_demo.skipAct();
}

void EmbeddedDemoControl::setSwitch(const QString& key, bool on)
{
    m_demo.setSwitch(key.toStdString(), on);
}

void EmbeddedDemoControl::whyAsked()
{
    m_demo.whyAsked();
}

void EmbeddedDemoControl::reportTaken()
{
    m_demo.reportTaken();
}

} // namespace weir::ui
