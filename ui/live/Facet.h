// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QMap>
#include <QObject>
#include <QSet>
#include <functional>

namespace weir::ui {

class FacetButton;

/// A drop-down of values to tick, each with the number of rows that have it. Nothing ticked means everything.
class Facet : public QObject {
    Q_OBJECT

public:
    /// Value → rows; asked each time the menu opens.
    using Counts = std::function<QMap<QString, int>()>;
    using Label = std::function<QString(const QString& value)>;

    Facet(FacetButton& button, Counts counts, Label label);

    [[nodiscard]] const QSet<QString>& chosen() const { return m_chosen; }
    void setChosen(const QSet<QString>& chosen);

signals:
    void changed();

private:
    void fill();

    FacetButton& m_button;
    Counts m_counts;
    Label m_label;
    QSet<QString> m_chosen;
};

} // namespace weir::ui
