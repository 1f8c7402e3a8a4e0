// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/live/ReasonDialog.h"

#include "ui/widgets/Theme.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

namespace weir::ui {

ReasonDialog::ReasonDialog(const Texts& texts, bool reasonRequired, QWidget* parent)
    : QDialog(parent)
    , m_required(reasonRequired)
    , m_layout(new QVBoxLayout(this))
    , m_facts(new QLabel(texts.facts, this))
    , m_reason(new QLineEdit(this))
    , m_confirm(new QPushButton(texts.confirm, this))
{
    setObjectName(QStringLiteral("reason.dialog"));
    setWindowTitle(texts.title);
    setModal(true);
    setMinimumWidth(460);
    auto* lead = new QLabel(texts.lead, this);
    lead->setFont(scaledFont(font(), TextSize::Sub));
    lead->setWordWrap(true);
    m_facts->setWordWrap(true);
    m_facts->setVisible(!texts.facts.isEmpty());
    auto* caption = new QLabel(reasonRequired ? tr("&Reason (required)") : tr("&Reason (optional)"), this);
    caption->setBuddy(m_reason);
    m_reason->setObjectName(QStringLiteral("reason.text"));
    m_reason->setAccessibleName(tr("Reason"));
    m_reason->setMaxLength(200);
    auto* cancel = new QPushButton(tr("Cancel"), this);
    cancel->setObjectName(QStringLiteral("reason.cancel"));
    cancel->setAccessibleName(cancel->text());
    cancel->setDefault(true);
    m_confirm->setObjectName(QStringLiteral("reason.confirm"));
    m_confirm->setAccessibleName(texts.confirm);
    m_confirm->setAutoDefault(false);

    auto* buttons = new QHBoxLayout;
    buttons->addStretch();
    buttons->addWidget(cancel);
    buttons->addWidget(m_confirm);
    m_layout->setContentsMargins(16, 16, 16, 12);
    m_layout->setSpacing(8);
    m_layout->addWidget(lead);
    m_layout->addWidget(m_facts);
    m_layout->addSpacing(4);
    m_layout->addWidget(caption);
    m_layout->addWidget(m_reason);
    m_layout->addSpacing(8);
    m_layout->addLayout(buttons);

    connect(m_reason, &QLineEdit::textChanged, this, &ReasonDialog::updateConfirm);
    m_reason->installEventFilter(this);
    connect(cancel, &QPushButton::clicked, this, &QDialog::reject);
    connect(m_confirm, &QPushButton::clicked, this, &QDialog::accept);
    updateConfirm();
    m_reason->setFocus();
}

QString ReasonDialog::reason() const
{
    return m_reason->text().trimmed();
}

void ReasonDialog::setFacts(const QString& facts)
{
    m_facts->setText(facts);
    m_facts->setVisible(!facts.isEmpty());
}

void ReasonDialog::addField(const QString& caption, QWidget* field)
{
    auto* label = new QLabel(caption, this);
    label->setBuddy(field);
    field->setAccessibleName(QString(caption).remove(QLatin1Char('&')));
    const int at = m_layout->indexOf(m_facts) + 1;
    m_layout->insertSpacing(at, 4);
    m_layout->insertWidget(at + 1, label);
    m_layout->insertWidget(at + 2, field);
    setTabOrder(field, m_reason);
}

bool ReasonDialog::eventFilter(QObject* watched, QEvent* event)
{
    // Enter belongs to the person who is typing: with a reason it confirms, without one it does nothing, not even what the default
    // button (Cancel) would do.
    if (watched == m_reason && event->type() == QEvent::KeyPress) {
        const int key = static_cast<QKeyEvent*>(event)->key();
        if (key == Qt::Key_Return || key == Qt::Key_Enter) {
            if (m_confirm->isEnabled()) {
                accept();
            }
            return true;
        }
    }
    return QDialog::eventFilter(watched, event);
}

void ReasonDialog::updateConfirm()
{
    const bool ready = !m_required || !reason().isEmpty();
    m_confirm->setEnabled(ready);
    m_confirm->setToolTip(ready ? QString() : tr("A reason is required"));
}

} // namespace weir::ui
