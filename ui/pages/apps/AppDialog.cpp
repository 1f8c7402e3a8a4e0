// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/apps/AppDialog.h"

#include "ui/live/PageParts.h"
#include "ui/pages/apps/PreviewTableModel.h"
#include "ui/widgets/EmptyState.h"
#include "ui/widgets/GroupedHeader.h"
#include "ui/widgets/TableView.h"
#include "ui/widgets/TextLabel.h"

#include <QHBoxLayout>
#include <QPushButton>
#include <QVBoxLayout>
#include <iterator>

namespace weir::ui {

namespace {

constexpr int kWidth = 760;
constexpr int kTableHeight = 176;
constexpr int kMargin = 16;

} // namespace

AppDialog::AppDialog(FleetStore& store, const Theme& theme, const QString& name, QWidget* parent)
    : QDialog(parent)
    , m_store(store)
    , m_title(new TextLabel(theme, TextSize::Headline, 1, true, this))
    , m_lead(new TextLabel(theme, TextSize::Sub, 1, false, this))
    , m_form(new QVBoxLayout)
    , m_preview(new PreviewTableModel(this))
    , m_table(new TableView(theme, this))
    , m_note(new TextLabel(theme, TextSize::Body, 2, false, this))
    , m_cancel(new QPushButton(tr("Cancel"), this))
    , m_confirm(new QPushButton(this))
{
    setObjectName(name);
    setModal(true);
    setMinimumWidth(kWidth);
    m_lead->setWordWrap(true);
    m_note->setWordWrap(true);
    m_note->setObjectName(name + QStringLiteral(".note"));
    m_cancel->setObjectName(name + QStringLiteral(".cancel"));
    m_cancel->setAccessibleName(m_cancel->text());
    m_cancel->setDefault(true);
    m_confirm->setObjectName(name + QStringLiteral(".confirm"));
    m_confirm->setAutoDefault(false);
    m_form->setSpacing(8);
    buildTable(theme);
    m_table->setObjectName(name + QStringLiteral(".preview"));

    auto* body = new QVBoxLayout;
    body->setContentsMargins(kMargin, kMargin, kMargin, 12);
    body->setSpacing(8);
    body->addWidget(m_title);
    body->addWidget(m_lead);
    body->addSpacing(4);
    body->addLayout(m_form);
    body->addSpacing(4);
    body->addWidget(m_table, 1);
    auto* buttons = new QHBoxLayout;
    buttons->setContentsMargins(kMargin, 12, kMargin, 12);
    buttons->setSpacing(8);
    buttons->addWidget(m_note, 1);
    buttons->addWidget(m_cancel);
    buttons->addWidget(m_confirm);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(body, 1);
    layout->addWidget(new Rule(theme, Qt::Horizontal, Rule::Weight::Hair, this));
    layout->addLayout(buttons);

    connect(m_cancel, &QPushButton::clicked, this, &QDialog::reject);
    connect(m_confirm, &QPushButton::clicked, this, &QDialog::accept);
    connect(&store, &FleetStore::flushed, this, [this] {
        if (m_open == 0) {
            askNow();
        }
        updateConfirm();
    });
    connect(&store, &FleetStore::stateChanged, this, &AppDialog::updateConfirm);
    m_cancel->setFocus();
}

void AppDialog::buildTable(const Theme& theme)
{
    Q_UNUSED(theme);
    m_table->setModel(m_preview);
    m_table->setFixedRowHeight(metrics::kLogRow);
    m_table->setMinimumHeight(kTableHeight);
    m_table->setSelectionMode(QAbstractItemView::NoSelection);
    m_table->setFocusPolicy(Qt::TabFocus);
    m_table->setFrameShape(QFrame::StyledPanel);
    m_table->setAccessibleName(tr("How the apps would stand"));
    m_table->emptyState()->setText(tr("The control plane is asked."));
    GroupedHeader* header = m_table->groupedHeader();
    header->addGroup(tr("Available"), PreviewTableModel::AvailableBefore, PreviewTableModel::AvailableAfter);
    header->addGroup(tr("Free capacity"), PreviewTableModel::FreeBefore, PreviewTableModel::FreeAfter);
    header->addGroup(tr("Verdict"), PreviewTableModel::VerdictBefore, PreviewTableModel::VerdictAfter);
    header->setSectionsClickable(false);
    header->setSectionsMovable(false);
    header->setSortIndicatorShown(false);
    const int widths[PreviewTableModel::ColumnCount] = {104, 64, 64, 56, 72, 64, 144, 144};
    for (int column = 0; column < PreviewTableModel::ColumnCount; ++column) {
        m_table->setColumnWidth(column, widths[column]);
    }
    header->setStretchLastSection(true);
}

void AppDialog::setTexts(const QString& title, const QString& lead, const QString& confirm)
{
    setWindowTitle(tr("Weir – %1", "title of a dialog's window").arg(title));
    m_title->setText(title);
    m_lead->setText(lead);
    m_confirm->setText(confirm);
    m_confirm->setAccessibleName(confirm);
}

void AppDialog::ask(const QList<Question>& questions)
{
    if (questions != m_questions) {
        m_questions = questions;
        askNow();
    }
}

void AppDialog::askNow()
{
    const int round = ++m_round;
    m_open = m_questions.size();
    m_answers = QList<QList<AppImpactRow>>(m_open);
    m_refusal.clear();
    for (qsizetype i = 0; i < m_questions.size(); ++i) {
        const Question& question = m_questions.at(i);
        m_store.client().previewBinding(question.app, question.pool, question.allowFallback, this,
            [this, round, i](const tl::expected<BindingPreview, ClientError>& answer) { takeAnswer(round, i, answer); });
    }
}

void AppDialog::takeAnswer(int round, qsizetype question, const tl::expected<BindingPreview, ClientError>& answer)
{
    if (round != m_round) {
        return; // the form asks for something else by now
    }
    if (answer.has_value()) {
        m_answers[question] = answer->rows;
    } else {
        m_refusal = answer.error().message;
    }
    if (--m_open > 0) {
        return;
    }
    QList<AppImpactRow> rows;
    for (const QList<AppImpactRow>& part : std::as_const(m_answers)) {
        // A role that has nobody before nor after says nothing about this change.
        std::copy_if(part.begin(), part.end(), std::back_inserter(rows), [](const AppImpactRow& row) {
            return row.before.candidates > 0 || row.after.candidates > 0 || row.hasTraffic || row.before.verdict != row.after.verdict;
        });
    }
    m_table->emptyState()->setText(m_refusal.isEmpty() ? tr("No pool has nodes for these apps, before or after.") : m_refusal);
    m_preview->setRows(rows);
    updateConfirm();
}

void AppDialog::updateConfirm()
{
    QString reason;
    const AccessRole role = m_store.client().accessRole();
    if (m_store.isStale()) {
        reason = tr("Disconnected; changes are off until data is live.");
    } else if (role != AccessRole::Superadmin) {
        reason = role == AccessRole::Viewer ? tr("You are viewer; this needs superadmin.") : tr("You are operator; this needs superadmin.");
    } else {
        reason = m_refusal.isEmpty() ? obstacle() : m_refusal;
    }
    m_confirm->setEnabled(reason.isEmpty());
    m_confirm->setToolTip(reason);
    m_confirm->setAccessibleDescription(reason);
    m_note->setText(reason);
}

} // namespace weir::ui
