// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/live/MismatchBanner.h"

#include "ui/live/PermutedTableModel.h"
#include "ui/live/Words.h"
#include "ui/widgets/Icons.h"
#include "ui/widgets/LinkLabel.h"
#include "ui/widgets/TextLabel.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QPainter>
#include <algorithm>

namespace weir::ui {

namespace {

constexpr int kNamed = 3;
constexpr int kLeft = 13;

} // namespace

MismatchBanner::MismatchBanner(FleetStore& store, const Theme& theme, QWidget* parent)
    : QWidget(parent)
    , m_store(store)
    , m_theme(theme)
    , m_text(new TextLabel(theme, TextSize::Body, 1, false, this))
    , m_show(new LinkLabel(theme, {}, this))
    , m_why(new LinkLabel(theme, {}, this))
{
    setObjectName(QStringLiteral("mismatch"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    m_text->setObjectName(QStringLiteral("mismatch.text"));
    m_text->setElided(true);
    m_show->setObjectName(QStringLiteral("mismatch.show"));
    m_why->setObjectName(QStringLiteral("mismatch.why"));
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(kLeft + metrics::kIcon + 8, 0, 12, 0);
    layout->setSpacing(16);
    layout->addWidget(m_text, 1);
    layout->addWidget(m_show);
    layout->addWidget(m_why);
    connect(m_show, &LinkLabel::clicked, this, &MismatchBanner::resolutionRequested);
    connect(m_why, &LinkLabel::clicked, this, [this] { emit whyRequested(whyContext()); });
    connect(&store, &FleetStore::flushed, this, &MismatchBanner::refresh);
    connect(&store, &FleetStore::stateChanged, this, &MismatchBanner::refresh);
    connect(&theme, &Theme::changed, this, qOverload<>(&QWidget::update));
    m_show->setText(tr("Show resolution"));
    m_why->setText(tr("Why?"));
    hide();
    refresh();
}

void MismatchBanner::setWanted(bool wanted, int gapBelow)
{
    m_wanted = wanted;
    m_gap = gapBelow;
    layout()->setContentsMargins(kLeft + metrics::kIcon + 8, 0, 12, m_gap);
    updateGeometry();
    setVisible(m_wanted && !m_sentence.isEmpty());
}

QSize MismatchBanner::sizeHint() const
{
    return {400, metrics::fitted(metrics::kMessageBar, fontMetrics().height(), 18) + m_gap};
}

WhyContext MismatchBanner::starvedElsewhere() const
{
    WhyContext found;
    for (const AppRow& app : m_store.apps()) {
        const std::optional<Role> starved = Words::roleIn(app.why);
        if (app.verdict != AppVerdict::FailsClosed || !starved || (!found.app.isEmpty() && PermutedTableModel::naturalKey(found.app) < PermutedTableModel::naturalKey(app.id))) {
            continue;
        }
        const Role role = *starved;
        const bool elsewhere = std::any_of(m_store.pools().begin(), m_store.pools().end(), [&](const PoolRow& pool) {
            return pool.id != app.pool && !pool.isUnassigned() && pool.roles[static_cast<std::size_t>(role)].healthy > 0;
        });
        if (elsewhere) {
            found.app = app.id;
            found.pool = app.pool;
            found.role = role;
        }
    }
    return found;
}

WhyContext MismatchBanner::whyContext() const
{
    WhyContext context = starvedElsewhere();
    if (context.app.isEmpty()) {
        // Stranded nodes without a starved app: any app shows which rule leads past them.
        const QStringList apps = m_store.apps().keys();
        context.app = apps.isEmpty() ? QString() : *std::min_element(apps.begin(), apps.end());
    }
    return context;
}

// "2 apps fail closed: app-2, app-9. Healthy origins are elsewhere: 4 in default, 3 in pool-1."
QString MismatchBanner::starvedSentence() const
{
    const WhyContext first = starvedElsewhere();
    if (first.app.isEmpty()) {
        return {};
    }
    QStringList apps;
    for (const AppRow& app : m_store.apps()) {
        if (app.verdict == AppVerdict::FailsClosed) {
            apps.append(app.id);
        }
    }
    const auto byName = [](const QString& a, const QString& b) { return PermutedTableModel::naturalKey(a) < PermutedTableModel::naturalKey(b); };
    std::sort(apps.begin(), apps.end(), byName);
    QStringList places;
    QStringList pools = m_store.pools().keys();
    std::sort(pools.begin(), pools.end(), byName);
    for (const QString& id : std::as_const(pools)) {
        const PoolRow* pool = m_store.pool(id);
        const int healthy = pool->roles[static_cast<std::size_t>(first.role)].healthy;
        if (id != first.pool && !pool->isUnassigned() && healthy > 0 && places.size() < kNamed) {
            places.append(tr("%1 in %2", "number of nodes, pool").arg(healthy).arg(id));
        }
    }
    const QString shown = apps.size() > kNamed ? tr("%1 and %2 more", "names, number").arg(apps.mid(0, kNamed).join(QLatin1String(", "))).arg(apps.size() - kNamed)
                                               : apps.join(QLatin1String(", "));
    const QString list = places.join(QLatin1String(", "));
    const QString who = tr("%n app(s) fail(s) closed: %1.", nullptr, static_cast<int>(apps.size())).arg(shown);
    const QString where = first.role == Role::Origin ? tr("Healthy origins are elsewhere: %1.").arg(list)
        : first.role == Role::Edge                   ? tr("Healthy edges are elsewhere: %1.").arg(list)
                                                     : tr("Healthy workers are elsewhere: %1.").arg(list);
    return tr("%1 %2", "two sentences").arg(who, where);
}

void MismatchBanner::refresh()
{
    const FleetSummary& summary = m_store.summary();
    const bool live = m_store.isLoaded() && m_store.client().state() == ControlPlaneClient::State::Live;
    m_sentence.clear();
    if (live && summary.strandedNodes > 0 && !summary.strandedSentence.isEmpty()) {
        m_sentence = summary.strandedSentence;
    } else if (live) {
        m_sentence = starvedSentence();
    }
    m_tone = summary.appsStarved > 0 ? Tone::Offline : Tone::Failing;
    m_text->setText(m_sentence);
    setAccessibleName(m_sentence);
    setVisible(m_wanted && !m_sentence.isEmpty());
    update();
}

void MismatchBanner::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::LanguageChange) {
        m_show->setText(tr("Show resolution"));
        m_why->setText(tr("Why?"));
        refresh();
    }
}

void MismatchBanner::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    const Tokens& t = m_theme.tokens();
    const QColor color = t.fill(m_tone).fill;
    const int bottom = height() - m_gap;
    painter.fillRect(QRect(0, 0, width(), bottom), t.base);
    painter.fillRect(QRect(0, 0, width(), 1), t.line);
    painter.fillRect(QRect(0, bottom - 1, width(), 1), t.line);
    painter.fillRect(QRect(0, 0, metrics::kCurrentBar, bottom), color);
    const IconName mark = m_tone == Tone::Offline ? IconName::MarkOffline : IconName::MarkFailing;
    painter.drawPixmap(kLeft, (bottom - metrics::kIcon) / 2, icons::pixmap(mark, color, metrics::kIcon, devicePixelRatioF()));
}

} // namespace weir::ui
