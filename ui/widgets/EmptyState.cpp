// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/EmptyState.h"

#include "ui/widgets/LinkLabel.h"

#include <QLabel>
#include <QVBoxLayout>

namespace weir::ui {

EmptyState::EmptyState(const Theme& theme, QWidget* parent)
    : QWidget(parent)
    , m_sentence(new QLabel(this))
    , m_action(new LinkLabel(theme, {}, this))
{
    m_sentence->setWordWrap(true);
    m_sentence->setAlignment(Qt::AlignCenter);
    m_sentence->setTextFormat(Qt::PlainText);
    m_action->hide();
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(12, 4, 12, 4);
    layout->setSpacing(2);
    layout->addStretch();
    layout->addWidget(m_sentence);
    layout->addWidget(m_action, 0, Qt::AlignHCenter);
    layout->addStretch();
    connect(m_action, &LinkLabel::clicked, this, &EmptyState::actionTriggered);
}

void EmptyState::setText(const QString& sentence, const QString& action)
{
    m_sentence->setText(sentence);
    setAccessibleName(sentence);
    m_action->setText(action);
    m_action->setVisible(!action.isEmpty());
    m_action->updateGeometry();
}

QString EmptyState::sentence() const
{
    return m_sentence->text();
}

} // namespace weir::ui
