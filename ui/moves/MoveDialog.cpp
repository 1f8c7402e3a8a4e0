// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/moves/MoveDialog.h"

#include "ui/live/PageParts.h"
#include "ui/live/Words.h"
#include "ui/moves/ImpactTable.h"
#include "ui/widgets/Icons.h"
#include "ui/widgets/TextLabel.h"

#include <QCheckBox>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPainter>
#include <QScrollArea>
#include <QScrollBar>
#include <QStyleOptionButton>
#include <QVBoxLayout>
#include <algorithm>

namespace weir::ui {

namespace {

constexpr int kMargin = 16;
constexpr int kTableAtMost = 320;

/// What is agreed to: another number of apps is another consequence, but streams come and go while one reads.
QStringList identities(const QList<Consequence>& all)
{
    QStringList ids;
    for (const Consequence& one : all) {
        ids.append(one.key == QLatin1String("streams") ? one.key : one.key + one.text);
    }
    return ids;
}

QString bullet(const Consequence& one)
{
    return QStringLiteral("• %1").arg(one.text);
}

} // namespace

void QuietButton::initStyleOption(QStyleOptionButton* option) const
{
    QPushButton::initStyleOption(option);
    option->features &= ~QStyleOptionButton::DefaultButton;
    if (hasFocus()) {
        option->state |= QStyle::State_KeyboardFocusChange; // what Enter does has to be seen, however the dialog came
    }
}

MoveDialog::MoveDialog(FleetStore& store, const Theme& theme, const QList<MoveItem>& items, const MoveImpact& impact, QWidget* parent)
    : QDialog(parent)
    , m_store(store)
    , m_theme(theme)
    , m_items(items)
    , m_mark(new QLabel(this))
    , m_lead(new TextLabel(theme, TextSize::Sub, 1, false, this))
    , m_note(new TextLabel(theme, TextSize::Body, 1, true, this))
    , m_table(new ImpactTable(theme))
    , m_scroll(new QScrollArea(this))
    , m_list(new QWidget(this))
    , m_listLayout(new QVBoxLayout(m_list))
    , m_reasonCaption(new QLabel(this))
    , m_reason(new QLineEdit(this))
    , m_hint(new TextLine(theme, 2, this))
    , m_cancel(new QuietButton(tr("Cancel"), this))
    , m_confirm(new QPushButton(MoveText::command(items), this))
{
    setObjectName(QStringLiteral("move.dialog"));
    setWindowTitle(tr("Weir – Move nodes"));
    setModal(true);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->setSizeConstraint(QLayout::SetFixedSize);
    buildHead(*layout);
    buildFoot(*layout);
    m_settle.setSingleShot(true);
    m_settle.setInterval(kSettleMs);
    connect(&m_settle, &QTimer::timeout, this, &MoveDialog::updateConfirm);
    connect(&store, &FleetStore::flushed, this, &MoveDialog::refresh);
    connect(&store, &FleetStore::stateChanged, this, &MoveDialog::updateConfirm);
    connect(&theme, &Theme::changed, this, &MoveDialog::applyMark);
    show(impact);
    m_cancel->setFocus(Qt::TabFocusReason);
}

void MoveDialog::buildHead(QVBoxLayout& layout)
{
    auto* title = new TextLabel(m_theme, TextSize::Title, 1, true, this);
    title->setObjectName(QStringLiteral("move.title"));
    title->setText(MoveText::command(m_items));
    auto* from = new TextLabel(m_theme, TextSize::Body, 2, false, this);
    QStringList sources;
    const QStringList pools = MoveText::sourcesOf(m_items);
    for (const QString& pool : pools) {
        sources.append(MoveText::poolWithOwner(m_store, pool));
    }
    const QString target = MoveText::targetOf(m_items);
    from->setText(tr("%1 from %2 to %3", "nodes, pools, pool")
                      .arg(MoveText::names(MoveText::nodesOf(m_items)), MoveText::names(sources),
                          target.isEmpty() ? tr("where they were") : MoveText::poolWithOwner(m_store, target)));
    from->setElided(true);
    auto* texts = new QVBoxLayout;
    texts->setSpacing(2);
    texts->addWidget(title);
    texts->addWidget(from);
    auto* head = new QHBoxLayout;
    head->setSpacing(12);
    head->addWidget(m_mark, 0, Qt::AlignVCenter);
    head->addLayout(texts, 1);
    m_lead->setObjectName(QStringLiteral("move.lead"));
    m_lead->setWordWrap(true);
    m_note->setObjectName(QStringLiteral("move.note"));
    m_note->setWordWrap(true);
    m_note->hide();
    m_scroll->setWidget(m_table);
    m_scroll->setWidgetResizable(true);
    m_scroll->setMinimumWidth(kWidth - 2 * kMargin); // the dialog is as large as what it holds
    m_scroll->setFrameShape(QFrame::NoFrame);
    m_scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_scroll->setFocusPolicy(Qt::StrongFocus);
    m_listLayout->setContentsMargins(0, 0, 0, 0);
    m_listLayout->setSpacing(10);
    m_reason->setObjectName(QStringLiteral("move.reason"));
    m_reason->setMaxLength(200);
    m_reason->installEventFilter(this);
    m_reasonCaption->setBuddy(m_reason);
    auto* reason = new QHBoxLayout;
    reason->setSpacing(18);
    reason->addWidget(m_reasonCaption);
    reason->addWidget(m_reason, 1);
    auto* body = new QVBoxLayout;
    body->setContentsMargins(kMargin, 14, kMargin, 14);
    body->setSpacing(12);
    body->addLayout(head);
    body->addWidget(m_note);
    body->addWidget(m_lead);
    body->addWidget(m_scroll);
    body->addSpacing(4);
    body->addWidget(m_list);
    body->addSpacing(2);
    body->addLayout(reason);
    layout.addLayout(body);
}

void MoveDialog::buildFoot(QVBoxLayout& layout)
{
    m_cancel->setObjectName(QStringLiteral("move.cancel"));
    m_cancel->setAccessibleName(m_cancel->text());
    m_cancel->setDefault(true);
    m_confirm->setObjectName(QStringLiteral("move.confirm"));
    m_confirm->setAccessibleName(m_confirm->text());
    m_confirm->setAutoDefault(false);
    m_hint->setObjectName(QStringLiteral("move.hint"));
    auto* buttons = new QHBoxLayout;
    buttons->setContentsMargins(kMargin, 12, kMargin, 12);
    buttons->setSpacing(metrics::kGap);
    buttons->addWidget(m_hint, 1);
    buttons->addWidget(m_cancel);
    buttons->addWidget(m_confirm);
    layout.addWidget(new Rule(m_theme, Qt::Horizontal, Rule::Weight::Hair, this));
    layout.addLayout(buttons);
    connect(m_reason, &QLineEdit::textChanged, this, &MoveDialog::updateConfirm);
    connect(m_cancel, &QPushButton::clicked, this, &QDialog::reject);
    connect(m_confirm, &QPushButton::clicked, this, &QDialog::accept);
}

QString MoveDialog::reason() const
{
    return m_reason->text().trimmed();
}

void MoveDialog::setNote(const QString& note)
{
    m_note->setText(note);
    m_note->setVisible(!note.isEmpty());
    m_settle.start();
    updateConfirm();
}

void MoveDialog::refresh()
{
    if (m_asking) {
        return;
    }
    m_asking = true;
    m_store.client().previewMoves(m_items, this, [this](const tl::expected<MoveImpact, ClientError>& impact) {
        m_asking = false;
        if (!impact) {
            // The node was moved or is gone: sending would be refused in the same words.
            setNote(impact.error().message);
            m_impact.movedNodes = 0;
            updateConfirm();
        } else if (*impact != m_impact) {
            if (show(*impact)) {
                m_settle.start();
            }
            updateConfirm();
        }
    });
}

bool MoveDialog::show(const MoveImpact& impact)
{
    const int tier = m_tier;
    const QStringList consequences = identities(m_consequences);
    m_impact = impact;
    m_tier = qMax(2, MoveText::tier(impact, m_items, m_store));
    m_lead->setText(lead());
    const bool rowsChanged = m_table->setRows(MoveText::rows(impact, m_items, m_store));
    showConsequences();
    m_reasonCaption->setText(m_tier >= 3 ? tr("&Reason (required)") : tr("&Reason (optional)"));
    m_reason->setAccessibleName(m_tier >= 3 ? tr("Reason, required") : tr("Reason, optional"));
    applyMark();
    fitTable();
    updateConfirm();
    return rowsChanged || tier != m_tier || consequences != identities(m_consequences);
}

QString MoveDialog::lead() const
{
    const ImpactLine line = MoveText::line(m_impact, m_items, m_store);
    QString first = line.text;
    first[0] = first.at(0).toUpper();
    qint64 running = m_impact.streams;
    if (running == 0) {
        for (const MoveItem& item : m_items) {
            const NodeRow* row = m_store.node(item.node);
            running += row != nullptr ? row->inFlight : 0;
        }
    }
    return running == 0 ? tr("%1.", "a sentence").arg(first)
                        : tr("%1. %n stream(s) are on the moved nodes.", "a sentence; streams", static_cast<int>(running)).arg(first);
}

void MoveDialog::showConsequences()
{
    const QList<Consequence> now = MoveText::consequences(m_impact, m_items, m_store);
    if (!now.isEmpty() && identities(now) == identities(m_consequences) && m_ticks.isEmpty() == (m_tier < 3)) {
        for (int i = 0; i < now.size(); ++i) {
            if (m_tier < 3) {
                static_cast<QLabel*>(m_listLayout->itemAt(i)->widget())->setText(bullet(now.at(i)));
            } else {
                m_ticks.at(i)->setText(now.at(i).text);
                m_ticks.at(i)->setAccessibleName(now.at(i).text);
            }
        }
        m_consequences = now;
        return;
    }
    QHash<QString, bool> ticked;
    for (qsizetype i = 0; i < m_ticks.size(); ++i) {
        ticked.insert(identities(m_consequences).at(i), m_ticks.at(i)->isChecked());
    }
    m_ticks.clear();
    while (QLayoutItem* item = m_listLayout->takeAt(0)) {
        if (item->widget() != nullptr) {
            item->widget()->hide();
            item->widget()->deleteLater();
        }
        delete item;
    }
    m_consequences = now;
    for (const Consequence& one : now) {
        if (m_tier < 3) {
            auto* label = new TextLabel(m_theme, TextSize::Body, 1, false, m_list);
            label->setText(bullet(one));
            label->setWordWrap(true);
            m_listLayout->addWidget(label);
            label->show();
            continue;
        }
        auto* tick = new QCheckBox(one.text, m_list);
        tick->setObjectName(QStringLiteral("move.consequence"));
        tick->setAccessibleName(one.text);
        tick->setChecked(ticked.value(identities({one}).first())); // another number is another consequence
        connect(tick, &QCheckBox::toggled, this, &MoveDialog::updateConfirm);
        m_ticks.append(tick);
        m_listLayout->addWidget(tick);
        tick->show(); // an open dialog would show it only a turn later, and size itself without it
    }
    m_list->setVisible(!now.isEmpty());
}

QString MoveDialog::whyNot() const
{
    if (m_store.isStale()) {
        return tr("Disconnected; moves are off until data is live.");
    }
    if (m_impact.movedNodes == 0) {
        return tr("This move is no longer possible.");
    }
    if (m_tier >= 3 && std::any_of(m_ticks.begin(), m_ticks.end(), [](const QCheckBox* tick) { return !tick->isChecked(); })) {
        return tr("Tick every consequence to enable the move.");
    }
    if (m_tier >= 3 && reason().isEmpty()) {
        return tr("Give a reason to enable the move.");
    }
    return m_settle.isActive() ? tr("The figures have just changed.") : QString();
}

void MoveDialog::updateConfirm()
{
    const QString why = whyNot();
    m_confirm->setEnabled(why.isEmpty());
    m_confirm->setToolTip(why);
    m_confirm->setAccessibleDescription(why);
    m_hint->setText(why);
}

void MoveDialog::applyMark()
{
    const Tone tone = m_tier >= 3 ? Tone::Offline : Tone::Failing;
    const IconName icon = m_tier >= 3 ? IconName::MarkOffline : IconName::MarkFailing;
    m_mark->setPixmap(icons::pixmap(icon, m_theme.tokens().fill(tone).fill, metrics::kDialogIcon, devicePixelRatioF()));
    update();
}

void MoveDialog::fitTable()
{
    const int wanted = m_table->sizeHint().height();
    m_table->setMinimumHeight(wanted);
    m_scroll->setFixedHeight(qMin(wanted, kTableAtMost));
}

bool MoveDialog::eventFilter(QObject* watched, QEvent* event)
{
    // Enter ends typing; it must not reach a button, not even Cancel.
    if (watched == m_reason && event->type() == QEvent::KeyPress) {
        const int key = static_cast<QKeyEvent*>(event)->key();
        return key == Qt::Key_Return || key == Qt::Key_Enter;
    }
    return QDialog::eventFilter(watched, event);
}

void MoveDialog::paintEvent(QPaintEvent*)
{
    QPainter(this).fillRect(rect(), m_theme.tokens().window);
}

} // namespace weir::ui
