// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/DemoPanel.h"

#include "ui/live/PageParts.h"
#include "ui/widgets/Chip.h"
#include "ui/widgets/Icons.h"
#include "ui/widgets/TextLabel.h"

#include <QCheckBox>
#include <QComboBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QPainter>
#include <QPushButton>
#include <QSignalBlocker>
#include <QVBoxLayout>

namespace weir::ui {

namespace {

constexpr int kComboFrame = 48; ///< what a combo box needs beside its text

} // namespace

DemoPanel::DemoPanel(DemoControl& control, const Theme& theme, QWidget* parent)
    : QWidget(parent)
    , m_control(control)
    , m_theme(theme)
    , m_scenario(new QComboBox(this))
    , m_pause(new QPushButton(this))
    , m_restart(new QPushButton(this))
    , m_skip(new QPushButton(this))
    , m_speed(new QComboBox(this))
    , m_figures(new TextLine(theme, 2, this))
    , m_actRow(new QHBoxLayout)
    , m_switchRow(new QWidget(this))
    , m_switchCaption(new TextLine(theme, 2, m_switchRow))
    , m_sentence(new TextLabel(theme, TextSize::Body, 1, false, this))
{
    setObjectName(QStringLiteral("demo.panel"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    build();
    connectAll();
    retranslate();
}

void DemoPanel::build()
{
    m_scenario->setObjectName(QStringLiteral("demo.scenario"));
    m_pause->setObjectName(QStringLiteral("demo.pause"));
    m_restart->setObjectName(QStringLiteral("demo.restart"));
    m_skip->setObjectName(QStringLiteral("demo.skip"));
    m_speed->setObjectName(QStringLiteral("demo.speed"));
    m_sentence->setObjectName(QStringLiteral("demo.sentence"));
    m_sentence->setWordWrap(true);
    m_figures->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    for (QPushButton* button : {m_pause, m_restart, m_skip}) {
        button->setAutoDefault(false);
    }
    auto* tools = new QHBoxLayout;
    tools->setSpacing(metrics::kGap);
    for (QWidget* widget : {static_cast<QWidget*>(m_scenario), static_cast<QWidget*>(m_pause), static_cast<QWidget*>(m_restart), static_cast<QWidget*>(m_speed),
             static_cast<QWidget*>(m_skip)}) {
        tools->addWidget(widget);
    }
    tools->addWidget(m_figures, 1);
    m_actRow->setSpacing(12);
    m_actRow->addStretch(1);
    m_switchRow->setObjectName(QStringLiteral("demo.switches"));
    auto* switches = new QHBoxLayout(m_switchRow);
    switches->setContentsMargins(0, 0, 0, 0);
    switches->setSpacing(16);
    switches->addWidget(m_switchCaption);
    switches->addStretch(1);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(metrics::kPageMargin, 9, metrics::kPageMargin, 8);
    layout->setSpacing(6);
    layout->addLayout(tools);
    layout->addLayout(m_actRow);
    layout->addWidget(m_sentence);
    layout->addWidget(m_switchRow);
}

void DemoPanel::connectAll()
{
    connect(&m_control, &DemoControl::changed, this, &DemoPanel::refresh);
    connect(&m_theme, &Theme::changed, this, [this] {
        m_shown = {};
        refresh();
    });
    connect(m_pause, &QPushButton::clicked, this, [this] { m_control.setPaused(!m_control.view().paused); });
    connect(m_restart, &QPushButton::clicked, &m_control, &DemoControl::restart);
    connect(m_skip, &QPushButton::clicked, &m_control, &DemoControl::skipAct);
    connect(m_speed, &QComboBox::activated, this, [this](int index) { m_control.setSpeed(m_speed->itemData(index).toInt()); });
    connect(m_scenario, &QComboBox::activated, this, [this](int index) {
        const QString key = m_scenario->itemData(index).toString();
        if (key != m_control.view().scenario) {
            emit m_control.scenarioRequested(key);
        }
    });
}

void DemoPanel::retranslate()
{
    m_restart->setText(tr("Restart"));
    m_restart->setAccessibleName(tr("Restart the scenario"));
    m_restart->setToolTip(tr("Bring the fleet back to where the scenario began"));
    m_skip->setText(tr("Next act"));
    m_skip->setAccessibleName(tr("Go on to the next act"));
    m_scenario->setAccessibleName(tr("Scenario"));
    m_scenario->setToolTip(tr("Another scenario has another fleet: the demo starts again with it"));
    m_speed->setAccessibleName(tr("Speed of the demo"));
    m_switchCaption->setText(tr("Defences:"));
    setAccessibleName(tr("Demo"));
    m_shown = {};
    refresh();
}

void DemoPanel::refreshCombos(const DemoView& view)
{
    const QSignalBlocker quietScenario(m_scenario);
    const QSignalBlocker quietSpeed(m_speed);
    if (view.scenarios != m_shown.scenarios) {
        m_scenario->clear();
        int widest = 0;
        for (const DemoScenarioItem& item : view.scenarios) {
            m_scenario->addItem(item.title, item.key);
            widest = qMax(widest, fontMetrics().horizontalAdvance(item.title));
        }
        m_scenario->setMinimumWidth(widest + kComboFrame);
    }
    if (view.speeds != m_shown.speeds) {
        m_speed->clear();
        for (const int speed : view.speeds) {
            m_speed->addItem(tr("×%1", "speed").arg(speed), speed);
        }
    }
    m_scenario->setCurrentIndex(m_scenario->findData(view.scenario));
    m_speed->setCurrentIndex(m_speed->findData(view.speed));
}

void DemoPanel::refreshActs(const DemoView& view)
{
    while (m_acts.size() < view.acts.size()) {
        m_acts.append(new ChipLabel(m_theme, this));
        m_actRow->insertWidget(m_actRow->count() - 1, m_acts.last());
    }
    for (qsizetype i = 0; i < m_acts.size(); ++i) {
        m_acts.at(i)->setVisible(i < view.acts.size());
        if (i >= view.acts.size()) {
            continue;
        }
        const DemoActItem& act = view.acts.at(i);
        const bool current = i == view.act;
        ChipSpec spec;
        spec.mark = act.done ? IconName::MarkOnline : current ? IconName::Play : IconName::MarkIdle;
        spec.tone = act.done ? Tone::Online : Tone::Neutral;
        spec.text = tr("%1. %2", "number of the act, its title").arg(i + 1).arg(act.title);
        m_acts.at(i)->setSpec(spec);
        QFont font = this->font();
        font.setBold(current);
        m_acts.at(i)->setFont(font);
        m_acts.at(i)->setAccessibleName(act.done ? tr("%1, done").arg(spec.text) : current ? tr("%1, under way").arg(spec.text) : spec.text);
    }
}

void DemoPanel::refreshSwitches(const DemoView& view)
{
    auto* row = static_cast<QHBoxLayout*>(m_switchRow->layout());
    while (m_switches.size() < view.switches.size()) {
        auto* box = new QCheckBox(m_switchRow);
        connect(box, &QCheckBox::clicked, this, [this, box](bool on) { m_control.setSwitch(box->property("key").toString(), on); });
        row->insertWidget(row->count() - 1, box);
        m_switches.append(box);
    }
    for (qsizetype i = 0; i < m_switches.size(); ++i) {
        QCheckBox* box = m_switches.at(i);
        box->setVisible(i < view.switches.size());
        if (i >= view.switches.size()) {
            continue;
        }
        const DemoSwitchItem& item = view.switches.at(i);
        box->setObjectName(QStringLiteral("demo.switch.") + item.key);
        box->setProperty("key", item.key);
        box->setText(item.label);
        box->setToolTip(item.hint);
        box->setAccessibleDescription(item.hint);
        // Between a click and the next step of the demo the click counts.
        if (i >= m_shown.switches.size() || m_shown.switches.at(i).on != item.on) {
            box->setChecked(item.on);
        }
    }
    m_switchRow->setVisible(!view.switches.isEmpty());
}

QString DemoPanel::sentence(const DemoView& view) const
{
    if (view.acts.isEmpty()) {
        return tr("Free play: callers come and go, now and then a node fails, is ejected or drains. Everything may be tried.");
    }
    const auto count = static_cast<int>(view.acts.size());
    const int act = qMin(view.act, count - 1);
    const DemoActItem& current = view.acts.at(act);
    if (current.done) {
        return current.lesson;
    }
    // The lesson of the act before stands in front of what is asked now.
    const bool learnt = act > 0 && view.acts.at(act - 1).done;
    return learnt ? tr("%1 Now: %2", "lesson of the last act, what to do now").arg(view.acts.at(act - 1).lesson, current.prompt) : current.prompt;
}

void DemoPanel::refresh()
{
    const DemoView view = m_control.view();
    if (view == m_shown) {
        return;
    }
    refreshCombos(view);
    refreshActs(view);
    refreshSwitches(view);
    const Tokens& t = m_theme.tokens();
    m_pause->setText(view.paused ? tr("Start") : tr("Pause"));
    m_pause->setAccessibleName(view.paused ? tr("Go on with the scenario") : tr("Pause the scenario"));
    m_pause->setIcon(icons::icon(view.paused ? IconName::Play : IconName::Pause, t.text2, t.disabled));
    m_pause->setIconSize({metrics::kIcon, metrics::kIcon});
    const bool canSkip = view.act < static_cast<int>(view.acts.size()) - 1;
    m_skip->setVisible(!view.acts.isEmpty());
    m_skip->setEnabled(canSkip);
    m_skip->setToolTip(canSkip ? tr("Go on without this act's check mark") : tr("This is the last act."));
    m_figures->setText(view.figures);
    m_sentence->setText(sentence(view));
    m_shown = view;
}

void DemoPanel::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::LanguageChange) {
        retranslate();
    }
}

void DemoPanel::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    const Tokens& t = m_theme.tokens();
    painter.fillRect(rect(), t.window);
    painter.fillRect(QRect(0, 0, width(), 1), t.line2);
}

} // namespace weir::ui
