// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QObject>
#include <QString>

namespace weir::ui {

struct DemoScenarioItem {
    QString key;
    QString title;
    friend bool operator==(const DemoScenarioItem&, const DemoScenarioItem&) = default;
};

/// One act in words; the lesson counts once it is done.
struct DemoActItem {
    QString title;
    QString prompt;
    QString lesson;
    bool done = false;
    friend bool operator==(const DemoActItem&, const DemoActItem&) = default;
};

/// Something that the viewer may switch while the scenario goes on.
struct DemoSwitchItem {
    QString key;
    QString label;
    QString hint;
    bool on = false;
    friend bool operator==(const DemoSwitchItem&, const DemoSwitchItem&) = default;
};

/// What the demo's panel shows.
struct DemoView {
    QList<DemoScenarioItem> scenarios;
    QString scenario;          ///< key of the one that is played
    QList<int> speeds;
    int speed = 1;
    bool paused = false;
    QList<DemoActItem> acts;   ///< empty: free play
    int act = 0;               ///< under way; acts.size(): all over
    QList<DemoSwitchItem> switches;
    QString figures;           ///< "28 of 28 publishes refused · 14 of 14 nodes green", or empty
    QString refusal;           ///< sentence of the last refusal
    friend bool operator==(const DemoView&, const DemoView&) = default;
};

/// The demo as the console's panel steers it. UI thread only; commands take effect soon, changed() tells.
class DemoControl : public QObject {
    Q_OBJECT

public:
    using QObject::QObject;

    [[nodiscard]] virtual DemoView view() const = 0;
    virtual void setPaused(bool paused) = 0;
    virtual void restart() = 0;
    virtual void setSpeed(int speed) = 0;
    virtual void skipAct() = 0;
    /// A key of DemoView::switches.
    virtual void setSwitch(const QString& key, bool on) = 0;
    /// "Why (not) chosen?" was opened.
    virtual void whyAsked() = 0;
    /// The report of an incident was saved or copied.
    virtual void reportTaken() = 0;

signals:
    void changed();
    /// Another scenario has another fleet: the program starts again with it.
    void scenarioRequested(const QString& key);
};

} // namespace weir::ui
