// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/client/Rows.h"

#include <QCoreApplication>
#include <QSet>
#include <QStringList>

namespace weir::ui {

/// Which nodes a table shows: a text of words and `key:value` terms, the facets, and two switches. A space means and, `|` inside a value
/// means or, `-` in front means not. Case, width and compatibility forms of letters do not matter.
class NodeFilter {
    Q_DECLARE_TR_FUNCTIONS(NodeFilter)

public:
    QSet<QString> roles;
    QSet<QString> pools;
    QSet<QString> states;   ///< keys of stateKey()
    QSet<QString> owners;
    QSet<QString> versions;
    bool problemsOnly = false;
    bool disagreementOnly = false;

    /// Takes a text over; on an unknown key the text before stays in force and the answer says what is wrong. Empty: all is well.
    [[nodiscard]] QString setText(const QString& text);
    [[nodiscard]] const QString& text() const { return m_text; }
    [[nodiscard]] bool isEmpty() const;
    /// The words of a text that has no keys and no negation, folded; else nothing. Pools are looked up by these.
    [[nodiscard]] QStringList bareWords() const;
    [[nodiscard]] bool accepts(const NodeRow& row, qint64 nowMonoMs) const;

    /// "online", "failing", "quarantined", "offline", "draining", "no-data": one key a state, for facets and `state:`.
    [[nodiscard]] static QString stateKey(const NodeRow& row, qint64 nowMonoMs);
    [[nodiscard]] static QStringList stateKeys();
    /// Letters as the filter compares them.
    [[nodiscard]] static QString folded(const QString& text);

private:
    struct Term {
        QString key; ///< empty: a bare word
        QStringList values;
        bool negated = false;
    };

    [[nodiscard]] static bool matches(const Term& term, const NodeRow& row, qint64 nowMonoMs);

    QString m_text;
    QList<Term> m_terms;
};

} // namespace weir::ui
