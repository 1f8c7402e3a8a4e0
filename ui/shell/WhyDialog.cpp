// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/WhyDialog.h"

#include "ui/live/PageParts.h"
#include "ui/live/Words.h"
#include "ui/shell/ExplainedNodeModel.h"
#include "ui/shell/ExplanationText.h"
#include "ui/widgets/EmptyState.h"
#include "ui/widgets/TableView.h"
#include "ui/widgets/TextLabel.h"

#include <QClipboard>
#include <QComboBox>
#include <QEvent>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>
#include <algorithm>

namespace weir::ui {

namespace {

constexpr int kMaxNeed = 1'000'000;
constexpr int kCaptionWidth = 150;

} // namespace

WhyDialog::WhyDialog(FleetStore& store, const TimeDisplay& times, const Theme& theme, QWidget* parent)
    : QDialog(parent)
    , m_store(store)
    , m_times(times)
    , m_appLabel(new QLabel(this))
    , m_roleLabel(new QLabel(this))
    , m_needLabel(new QLabel(this))
    , m_app(new QComboBox(this))
    , m_role(new QComboBox(this))
    , m_need(new QSpinBox(this))
    , m_ask(new QPushButton(this))
    , m_copy(new QPushButton(this))
    , m_close(new QPushButton(this))
    , m_note(new TextLabel(theme, TextSize::Body, 2, false, this))
    , m_headline(new TextLabel(theme, TextSize::Headline, 1, true, this))
    , m_facts(new FactGrid(theme, kCaptionWidth, this))
    , m_excludedTitle(new TextLabel(theme, TextSize::Body, 1, true, this))
    , m_table(new TableView(theme, this))
    , m_model(new ExplainedNodeModel(this))
{
    setObjectName(QStringLiteral("why.dialog"));
    resize(760, 560);
    build(theme);
    retranslate();
    connect(m_ask, &QPushButton::clicked, this, &WhyDialog::ask);
    connect(m_copy, &QPushButton::clicked, this, [this] { QGuiApplication::clipboard()->setText(markdown()); });
    connect(m_close, &QPushButton::clicked, this, &QDialog::close);
    connect(m_app, &QComboBox::editTextChanged, this, &WhyDialog::updateReady);
    connect(&store, &FleetStore::stateChanged, this, &WhyDialog::updateReady);
    updateReady();
}

void WhyDialog::build(const Theme& theme)
{
    m_app->setObjectName(QStringLiteral("why.app"));
    m_role->setObjectName(QStringLiteral("why.role"));
    m_need->setObjectName(QStringLiteral("why.need"));
    m_ask->setObjectName(QStringLiteral("why.ask"));
    m_copy->setObjectName(QStringLiteral("why.copy"));
    m_close->setObjectName(QStringLiteral("why.close"));
    m_headline->setObjectName(QStringLiteral("why.headline"));
    m_facts->setObjectName(QStringLiteral("why.facts"));
    m_table->setObjectName(QStringLiteral("why.nodes"));
    m_app->setEditable(true);
    m_app->setInsertPolicy(QComboBox::NoInsert);
    m_app->setMinimumWidth(200);
    m_need->setRange(1, kMaxNeed);
    for (const Role role : {Role::Origin, Role::Edge, Role::Worker}) {
        m_role->addItem(Words::role(role), static_cast<int>(role));
    }
    m_appLabel->setBuddy(m_app);
    m_roleLabel->setBuddy(m_role);
    m_needLabel->setBuddy(m_need);
    m_headline->setWordWrap(true);
    m_headline->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_table->setModel(m_model);
    m_table->setFixedRowHeight(metrics::kLogRow);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    const int widths[] = {110, 100, 130, 250};
    for (int column = 0; column < 4; ++column) {
        m_table->horizontalHeader()->resizeSection(column, widths[column]);
    }
    m_table->horizontalHeader()->setStretchLastSection(true);

    auto* form = new QHBoxLayout;
    form->setSpacing(8);
    for (QWidget* widget : {static_cast<QWidget*>(m_appLabel), static_cast<QWidget*>(m_app), static_cast<QWidget*>(m_roleLabel),
             static_cast<QWidget*>(m_role), static_cast<QWidget*>(m_needLabel), static_cast<QWidget*>(m_need)}) {
        form->addWidget(widget);
    }
    form->addStretch();
    form->addWidget(m_ask);
    auto* buttons = new QHBoxLayout;
    buttons->addWidget(m_note, 1);
    buttons->addWidget(m_copy);
    buttons->addWidget(m_close);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 16, 16, 12);
    layout->setSpacing(8);
    layout->addLayout(form);
    layout->addWidget(new Rule(theme, Qt::Horizontal, Rule::Weight::Hair, this));
    layout->addWidget(m_headline);
    layout->addWidget(m_facts);
    layout->addSpacing(4);
    layout->addWidget(m_excludedTitle);
    layout->addWidget(m_table, 1);
    layout->addLayout(buttons);
    m_ask->setDefault(true);
}

void WhyDialog::retranslate()
{
    setWindowTitle(tr("Why (not) chosen?"));
    m_appLabel->setText(tr("&App"));
    m_roleLabel->setText(tr("&Role"));
    m_needLabel->setText(tr("&Needs"));
    m_app->setAccessibleName(tr("App"));
    m_role->setAccessibleName(tr("Role"));
    m_need->setAccessibleName(tr("Capacity needed"));
    m_ask->setText(tr("As&k"));
    m_ask->setAccessibleName(tr("Ask the scheduler"));
    m_copy->setText(tr("&Copy as Markdown"));
    m_copy->setAccessibleName(tr("Copy as Markdown"));
    m_close->setText(tr("Close"));
    m_close->setAccessibleName(m_close->text());
    m_note->setText(tr("Dry run: nothing sent, no alarm, no counter"));
    m_excludedTitle->setText(tr("Nodes: candidates in their order, then who was excluded and why"));
    m_table->setAccessibleName(tr("Nodes of this decision"));
    m_table->emptyState()->setText(tr("The answer names no node."));
    if (m_hasAnswer) {
        showAnswer(m_view);
    } else {
        m_headline->setText(tr("Choose an app and a role, then ask."));
    }
}

void WhyDialog::changeEvent(QEvent* event)
{
    QDialog::changeEvent(event);
    if (event->type() == QEvent::LanguageChange) {
        retranslate();
    }
}

QString WhyDialog::appFor(const WhyContext& context) const
{
    if (!context.app.isEmpty()) {
        return context.app;
    }
    // The app that suffers in this pool, else any that resolves to it, else any that suffers.
    const QList<StarvedApp>& starved = m_store.summary().starved;
    for (const StarvedApp& app : starved) {
        if (app.pool == context.pool) {
            return app.app;
        }
    }
    QString resolving;
    for (const AppRow& app : m_store.apps()) {
        if (app.pool == context.pool && (resolving.isEmpty() || app.id < resolving)) {
            resolving = app.id;
        }
    }
    return resolving.isEmpty() && !starved.isEmpty() && context.pool.isEmpty() ? starved.first().app : resolving;
}

void WhyDialog::fillApps(const WhyContext& context)
{
    QStringList apps = m_store.apps().keys();
    std::sort(apps.begin(), apps.end());
    m_app->clear();
    m_app->addItems(apps);
    m_app->setEditText(appFor(context));
}

void WhyDialog::setContext(const WhyContext& context)
{
    m_focusNode = context.node;
    fillApps(context);
    m_role->setCurrentIndex(isScheduled(context.role) ? static_cast<int>(context.role) : 0);
    updateReady();
    if (m_ask->isEnabled()) {
        ask();
    } else {
        m_app->setFocus();
    }
}

void WhyDialog::updateReady()
{
    const bool stale = m_store.isStale();
    const bool named = !m_app->currentText().trimmed().isEmpty();
    m_ask->setEnabled(!stale && named);
    m_ask->setToolTip(stale ? tr("Disconnected; nobody can be asked until data is live.") : named ? QString() : tr("Name an app first."));
    m_copy->setEnabled(m_hasAnswer);
    m_copy->setToolTip(m_hasAnswer ? QString() : tr("There is no answer to copy yet."));
}

void WhyDialog::ask()
{
    const QString app = m_app->currentText().trimmed();
    const auto role = static_cast<Role>(m_role->currentData().toInt());
    m_store.client().explain(app, role, m_need->value(), this, [this](const tl::expected<ExplanationView, ClientError>& result) {
        if (result.has_value()) {
            showAnswer(*result);
        } else {
            showError(result.error().message);
        }
    });
}

void WhyDialog::showError(const QString& text)
{
    m_hasAnswer = false;
    m_headline->setText(text);
    m_facts->truncate(0);
    m_model->setExplanation({});
    updateReady();
}

void WhyDialog::showAnswer(const ExplanationView& view)
{
    m_view = view;
    m_hasAnswer = true;
    m_headline->setText(view.sentence);
    int line = 0;
    m_facts->setFact(line++, tr("Resolution"), ExplanationText::resolution(view));
    for (const ExplainedStage& stage : view.stages) {
        m_facts->setFact(line, line == 1 ? tr("Stages") : QString(), ExplanationText::stage(stage));
        ++line;
    }
    const QString result = view.chosen.isEmpty() ? tr("nothing (%1)").arg(view.code)
        : view.fallback                          ? tr("%1, by fallback to default").arg(view.chosen)
                                                 : view.chosen;
    m_facts->setFact(line++, tr("Chosen"), result);
    m_facts->setFact(line++, tr("Healthy elsewhere"), ExplanationText::elsewhere(view));
    for (qsizetype i = 0; i < view.nextSteps.size(); ++i) {
        m_facts->setFact(line++, i == 0 ? tr("Would help") : QString(), view.nextSteps.at(i).text);
    }
    m_facts->truncate(line);
    m_model->setExplanation(view);
    const int row = m_model->rowOf(m_focusNode);
    if (row >= 0) {
        m_table->selectRow(row);
    }
    updateReady();
}

QString WhyDialog::markdown() const
{
    return ExplanationText::markdown(m_view, m_times.iso(m_view.atMs != 0 ? m_view.atMs : m_store.nowWallMs()));
}

} // namespace weir::ui
