// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/widgets/GalleryPanel.h"

#include "ui/widgets/Chip.h"
#include "ui/widgets/ContextStrip.h"
#include "ui/widgets/EmptyState.h"
#include "ui/widgets/FacetButton.h"
#include "ui/widgets/GroupedHeader.h"
#include "ui/widgets/MessageBar.h"
#include "ui/widgets/SearchField.h"
#include "ui/widgets/StateLane.h"
#include "ui/widgets/TableRoles.h"
#include "ui/widgets/TableView.h"
#include "ui/widgets/TextLabel.h"
#include "ui/widgets/Tile.h"

#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QMenu>
#include <QPainter>
#include <QProgressBar>
#include <QPushButton>
#include <QRadioButton>
#include <QSpinBox>
#include <QStandardItemModel>
#include <QTabBar>

namespace weir::ui {

namespace {

QString text(const char* utf8)
{
    return QString::fromUtf8(utf8);
}

/// Chips side by side on the ground of a row, selected or not.
class ChipRow : public QWidget {
public:
    ChipRow(const Theme& theme, QList<ChipSpec> specs, bool selected, QWidget* parent)
        : QWidget(parent)
        , m_theme(theme)
        , m_specs(std::move(specs))
        , m_selected(selected)
    {
        setFixedHeight(28);
    }

protected:
    void paintEvent(QPaintEvent*) override
    {
        QPainter painter(this);
        const Tokens& t = m_theme.tokens();
        painter.fillRect(rect(), m_selected ? t.selection : t.base);
        int x = 6;
        for (const ChipSpec& spec : m_specs) {
            x = paintChip(painter, QRect(x, 0, 400, height()), spec, t, {m_selected, false}).right() + 6;
        }
    }

private:
    const Theme& m_theme;
    QList<ChipSpec> m_specs;
    bool m_selected;
};

QStandardItemModel* nodeModel(QObject* parent)
{
    auto* model = new QStandardItemModel(parent);
    model->setHorizontalHeaderLabels({text("Pool"), text("origins"), text("edges"), text("workers"), text("Verdict"), text("Traffic")});
    for (int column = 1; column < 4; ++column) {
        model->setHeaderData(column, Qt::Horizontal, int(Qt::AlignRight | Qt::AlignVCenter), Qt::TextAlignmentRole);
    }
    const PoolVerdict verdicts[] = {PoolVerdict::Ok, PoolVerdict::AtRisk, PoolVerdict::Exhausted, PoolVerdict::OutOfScheduling};
    const char* names[] = {"default", "pool-3", "a-pool-with-a-very-long-name-17", "unassigned"};
    for (int row = 0; row < 4; ++row) {
        QList<QStandardItem*> items;
        for (int column = 0; column < 6; ++column) {
            items.append(new QStandardItem);
        }
        items[0]->setText(text(names[row]));
        items[0]->setData(text("user 3"), SecondaryRole);
        items[0]->setData(row == 1, LinkRole);
        items[0]->setData(row == 0, PinLineRole);
        for (int column = 1; column < 4; ++column) {
            items[column]->setText(row == 3 ? text("–") : QString::number(row * 4 + column));
            items[column]->setData(int(Qt::AlignRight), Qt::TextAlignmentRole);
            items[column]->setData(row == 2, BoldRole);
        }
        items[4]->setData(QVariant::fromValue(chips::pool(verdicts[row])), ChipRole);
        items[5]->setData(QVariant::fromValue(chips::traffic(row == 1 ? Traffic::Failing : Traffic::Ok, 62)), ChipRole);
        items[5]->setData(text("80/131"), TrailingRole);
        model->appendRow(items);
    }
    return model;
}

} // namespace

GalleryPanel::GalleryPanel(const Theme& theme, QWidget* parent)
    : QWidget(parent)
    , m_theme(theme)
    , m_layout(new QVBoxLayout(this))
{
    m_layout->setContentsMargins(12, 6, 12, 6);
    m_layout->setSpacing(4);
    addCaption(text("State chips: normal, selected row, quiet verdicts"));
    const QList<ChipSpec> states{chips::probe(ProbeState::Online), chips::probe(ProbeState::Failing, 1, 2),
                                 chips::probe(ProbeState::Quarantined, 0, 0, 42), chips::probe(ProbeState::Offline),
                                 chips::probe(ProbeState::Draining), chips::probe(ProbeState::NoData)};
    m_layout->addWidget(new ChipRow(theme, states, false, this));
    m_layout->addWidget(new ChipRow(theme, states, true, this));
    m_layout->addWidget(new ChipRow(theme,
                                    {chips::traffic(Traffic::Ok), chips::traffic(Traffic::Idle), chips::pool(PoolVerdict::Unused),
                                     chips::pool(PoolVerdict::OutOfScheduling), chips::pool(PoolVerdict::Exhausted),
                                     chips::traffic(Traffic::NotMeasured)},
                                    false, this));
    addCaption(text("Lanes: online, failing, quarantined, offline, draining, no data, gap"));
    auto* lane = new StateLane(theme, this);
    const qint64 start = 1'796'000'000'000;
    const ProbeState order[] = {ProbeState::Online, ProbeState::Failing, ProbeState::Quarantined, ProbeState::Offline, ProbeState::Draining,
                                ProbeState::NoData};
    QList<LaneSegment> segments;
    for (int i = 0; i < 6; ++i) {
        segments.append({start + i * 500'000, start + (i + 1) * 500'000, order[i]});
    }
    lane->setSegments(segments, {{start + 3'000'000, start + 3'400'000}});
    lane->setWindow(start, start + 3'600'000);
    m_layout->addWidget(lane);
    addButtons();
    addBars();
    addTiles();
    addTables();
    m_layout->addStretch();
}

void GalleryPanel::addCaption(const QString& caption)
{
    auto* label = new TextLabel(m_theme, TextSize::Caption, 2, false, this);
    label->setText(caption);
    m_layout->addWidget(label);
}

void GalleryPanel::addRow(QList<QWidget*> widgets)
{
    auto* row = new QHBoxLayout;
    row->setSpacing(8);
    for (QWidget* widget : widgets) {
        row->addWidget(widget);
    }
    row->addStretch();
    m_layout->addLayout(row);
}

void GalleryPanel::addButtons()
{
    addCaption(text("Buttons: normal, checked, disabled, default, menu; facets; fields"));
    const Tokens& t = m_theme.tokens();
    auto* add = new QPushButton(icons::icon(IconName::Plus, t.text2, t.disabled), text("Add nodes…"), this);
    auto* follow = new QPushButton(text("Follow"), this);
    follow->setCheckable(true);
    follow->setChecked(true);
    auto* resolve = new QPushButton(text("Resolve…"), this);
    resolve->setEnabled(false);
    auto* save = new QPushButton(text("Save"), this);
    save->setDefault(true);
    auto* exporting = new QPushButton(text("Export"), this);
    exporting->setMenu(new QMenu(exporting));
    auto* role = new FacetButton(m_theme, text("Role"), this);
    role->setMenu(new QMenu(role));
    auto* problems = new FacetButton(m_theme, text("Problems only"), this);
    problems->setCount(6);
    addRow({add, follow, resolve, save, exporting, role, problems});
    auto* search = new SearchField(m_theme, this);
    search->setPlaceholderText(text("Filter pools and nodes"));
    search->setShortcutHint(text("Ctrl+F"));
    auto* combo = new QComboBox(this);
    combo->addItems({text("none"), text("pool")});
    auto* spin = new QSpinBox(this);
    auto* check = new QCheckBox(text("Check"), this);
    check->setChecked(true);
    auto* radio = new QRadioButton(text("Radio"), this);
    radio->setChecked(true);
    auto* bar = new QProgressBar(this);
    bar->setValue(60);
    bar->setTextVisible(false);
    addRow({search, combo, spin, check, new QCheckBox(text("Off"), this), radio, bar});
    auto* tabs = new QTabBar(this);
    tabs->addTab(text("Probe log (20)"));
    tabs->addTab(text("Settings"));
    tabs->addTab(text("Capacity"));
    tabs->setExpanding(false);
    m_layout->addWidget(tabs);
}

void GalleryPanel::addBars()
{
    addCaption(text("Message bar, stale strip, demo strip, profile strip"));
    auto* message = new MessageBar(m_theme, this);
    message->showMessage(MessageBar::Kind::Done, text("Moved 3 nodes to pool-7 from unassigned."), true);
    m_layout->addWidget(message);
    const std::tuple<ContextStrip::Kind, const char*, const char*, const char*> strips[] = {
        {ContextStrip::Kind::Stale, "", "Disconnected 21:30:08 — showing data as of then", "Re-sync (F5)"},
        {ContextStrip::Kind::Demo, "DEMO", "simulated fleet on this computer · nothing is saved · sim time 21:30:08 ×60", "Pause"},
        {ContextStrip::Kind::Profile, "PROD", "REMOTE · prod-east · superadmin · unlocked, relocks after 15 min idle", ""}};
    for (const auto& [kind, badge, sentence, action] : strips) {
        auto* strip = new ContextStrip(m_theme, this);
        strip->setContext(kind, text(badge), text(sentence), text(action));
        m_layout->addWidget(strip);
    }
}

void GalleryPanel::addTiles()
{
    addCaption(text("Tiles: met, at risk, no data"));
    auto* row = new QHBoxLayout;
    SparkData spark{{{0, 128}, {30, 126}, {60, 128}, {80, 127}}, 0, 100, 122};
    const TileFigures figures[] = {
        {text("126"), text("of 128"), text("target ≥ 122"), {}, chips::target(TargetWord::Met), false, spark},
        {text("7"), text("0 flaps"), text("target ≤ 8"), {}, chips::target(TargetWord::AtRisk), false, spark},
        {text("–"), {}, text("target 99.5 %"), text("No request has been seen yet."), chips::target(TargetWord::NoData), false, {}}};
    const char* titles[] = {"Workers healthy", "Ejections/h", "Request success 5 m"};
    for (int i = 0; i < 3; ++i) {
        auto* tile = new Tile(m_theme, this);
        tile->setTitle(text(titles[i]));
        tile->setFigures(figures[i]);
        row->addWidget(tile);
    }
    m_layout->addLayout(row);
}

void GalleryPanel::addTables()
{
    addCaption(text("Table: grouped header, selected row, target row; empty"));
    auto* table = new TableView(m_theme, this);
    table->setModel(nodeModel(table));
    table->groupedHeader()->addGroup(text("Available"), 1, 3);
    table->sortByColumn(0, Qt::AscendingOrder);
    const int widths[] = {150, 56, 54, 66, 158, 132};
    for (int column = 0; column < 6; ++column) {
        table->setColumnWidth(column, widths[column]);
    }
    table->selectRow(1);
    table->setTargetRow(2);
    table->setFixedHeight(44 + 4 * 28);
    m_layout->addWidget(table);
    auto* empty = new TableView(m_theme, this);
    empty->emptyState()->setText(text("0 of 128 match pool:x."), text("Clear filter"));
    empty->setModel(new QStandardItemModel(0, 3, empty));
    empty->setFixedHeight(84);
    m_layout->addWidget(empty);
}

} // namespace weir::ui
