// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/live/Facet.h"

#include "ui/widgets/FacetButton.h"

#include <QMenu>

namespace weir::ui {

Facet::Facet(FacetButton& button, Counts counts, Label label)
    : QObject(&button)
    , m_button(button)
    , m_counts(std::move(counts))
    , m_label(std::move(label))
{
    auto* menu = new QMenu(&button);
    button.setMenu(menu);
    connect(menu, &QMenu::aboutToShow, this, &Facet::fill);
}

void Facet::setChosen(const QSet<QString>& chosen)
{
    if (m_chosen != chosen) {
        m_chosen = chosen;
        m_button.setActive(!chosen.isEmpty());
        emit changed();
    }
}

void Facet::fill()
{
    QMenu* menu = m_button.menu();
    menu->clear();
    QMap<QString, int> counts = m_counts();
    for (const QString& value : std::as_const(m_chosen)) {
        counts.insert(value, counts.value(value)); // stays untickable when its last row is gone
    }
    for (auto it = counts.cbegin(); it != counts.cend(); ++it) {
        const QString value = it.key();
        QAction* action = menu->addAction(tr("%1  (%2)", "value, number of rows").arg(m_label(value)).arg(it.value()));
        action->setCheckable(true);
        action->setChecked(m_chosen.contains(value));
        connect(action, &QAction::toggled, this, [this, value](bool on) {
            QSet<QString> chosen = m_chosen;
            if (on) {
                chosen.insert(value);
            } else {
                chosen.remove(value);
            }
            setChosen(chosen);
        });
    }
    menu->addSeparator();
    QAction* all = menu->addAction(tr("All"));
    all->setEnabled(!m_chosen.isEmpty());
    connect(all, &QAction::triggered, this, [this] { setChosen({}); });
}

} // namespace weir::ui
