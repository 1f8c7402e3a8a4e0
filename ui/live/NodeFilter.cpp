// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/live/NodeFilter.h"

#include "ui/live/Words.h"

#include <algorithm>

namespace weir::ui {

namespace {

const QStringList& knownKeys()
{
    static const QStringList keys{QStringLiteral("node"), QStringLiteral("pool"), QStringLiteral("role"), QStringLiteral("state"),
        QStringLiteral("probe"), QStringLiteral("owner"), QStringLiteral("version"), QStringLiteral("region"), QStringLiteral("is")};
    return keys;
}

/// Edit distance, to guess which key was meant.
int distance(const QString& a, const QString& b)
{
    std::vector<int> row(static_cast<std::size_t>(b.size()) + 1);
    for (std::size_t j = 0; j < row.size(); ++j) {
        row[j] = static_cast<int>(j);
    }
    for (qsizetype i = 1; i <= a.size(); ++i) {
        int diagonal = row[0];
        row[0] = static_cast<int>(i);
        for (qsizetype j = 1; j <= b.size(); ++j) {
            const auto at = static_cast<std::size_t>(j);
            const int replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
            diagonal = row[at];
            row[at] = std::min({replaced, row[at] + 1, row[at - 1] + 1});
        }
    }
    return row.back();
}

bool isWord(const QString& word, const NodeRow& row, qint64 nowMonoMs)
{
    if (word == QLatin1String("disagree")) {
        return Words::disagrees(row);
    }
    if (word == QLatin1String("problem")) {
        return Words::severity(row, nowMonoMs) > 0;
    }
    if (word == QLatin1String("busy")) {
        return row.inFlight > 0;
    }
    return NodeFilter::stateKey(row, nowMonoMs) == word;
}

} // namespace

QString NodeFilter::folded(const QString& text)
{
    return text.normalized(QString::NormalizationForm_KC).toCaseFolded();
}

QStringList NodeFilter::stateKeys()
{
    return {QStringLiteral("online"), QStringLiteral("failing"), QStringLiteral("quarantined"), QStringLiteral("offline"), QStringLiteral("draining"),
        QStringLiteral("no-data")};
}

QString NodeFilter::stateKey(const NodeRow& row, qint64 nowMonoMs)
{
    return stateKeys().at(static_cast<int>(row.probeState(nowMonoMs)));
}

bool NodeFilter::isEmpty() const
{
    return m_terms.isEmpty() && roles.isEmpty() && pools.isEmpty() && states.isEmpty() && owners.isEmpty() && versions.isEmpty() && !problemsOnly
        && !disagreementOnly;
}

QStringList NodeFilter::bareWords() const
{
    QStringList words;
    for (const Term& term : m_terms) {
        if (!term.key.isEmpty() || term.negated || term.values.size() != 1) {
            return {};
        }
        words.append(term.values.first());
    }
    return words;
}

QString NodeFilter::setText(const QString& text)
{
    QList<Term> terms;
    const QStringList parts = text.split(QLatin1Char(' '), Qt::SkipEmptyParts);
    for (QString part : parts) {
        Term term;
        if (part.size() > 1 && part.startsWith(QLatin1Char('-'))) {
            term.negated = true;
            part.remove(0, 1);
        }
        const qsizetype colon = part.indexOf(QLatin1Char(':'));
        if (colon > 0) {
            term.key = folded(part.left(colon));
            part.remove(0, colon + 1);
            if (!knownKeys().contains(term.key)) {
                const auto nearest = std::min_element(knownKeys().begin(), knownKeys().end(),
                    [&term](const QString& a, const QString& b) { return distance(term.key, a) < distance(term.key, b); });
                return tr("unknown key %1, did you mean %2? Previous result stays.").arg(term.key, *nearest);
            }
        }
        term.values = folded(part).split(QLatin1Char('|'), Qt::SkipEmptyParts);
        if (!term.values.isEmpty()) {
            terms.append(term);
        }
    }
    m_terms = terms;
    m_text = text;
    return {};
}

bool NodeFilter::matches(const Term& term, const NodeRow& row, qint64 nowMonoMs)
{
    const auto any = [&term](const QString& text) {
        const QString value = folded(text);
        return std::any_of(term.values.begin(), term.values.end(), [&value](const QString& wanted) { return value == wanted; });
    };
    if (term.key == QLatin1String("node")) { return any(row.id); }
    if (term.key == QLatin1String("pool")) { return any(row.pool); }
    if (term.key == QLatin1String("role")) { return any(Words::role(row.role)); }
    if (term.key == QLatin1String("owner")) { return any(row.owner); }
    if (term.key == QLatin1String("version")) { return any(row.version); }
    if (term.key == QLatin1String("region")) { return any(row.region); }
    if (term.key == QLatin1String("state") || term.key == QLatin1String("probe")) { return any(stateKey(row, nowMonoMs)); }
    if (term.key == QLatin1String("is")) {
        return std::any_of(term.values.begin(), term.values.end(), [&](const QString& word) { return isWord(word, row, nowMonoMs); });
    }
    const QString visible = folded(row.id + QLatin1Char('\n') + row.pool + QLatin1Char('\n') + Words::role(row.role) + QLatin1Char('\n') + row.owner
        + QLatin1Char('\n') + row.version + QLatin1Char('\n') + Words::probe(row, nowMonoMs) + QLatin1Char('\n') + Words::traffic(row));
    return std::any_of(term.values.begin(), term.values.end(), [&visible](const QString& wanted) { return visible.contains(wanted); });
}

bool NodeFilter::accepts(const NodeRow& row, qint64 nowMonoMs) const
{
    const auto in = [](const QSet<QString>& wanted, const QString& value) { return wanted.isEmpty() || wanted.contains(value); };
    if (!in(pools, row.pool) || !in(roles, Words::role(row.role)) || !in(owners, row.owner) || !in(versions, row.version)) {
        return false;
    }
    if (!states.isEmpty() && !states.contains(stateKey(row, nowMonoMs))) {
        return false;
    }
    if ((problemsOnly && Words::severity(row, nowMonoMs) == 0) || (disagreementOnly && !Words::disagrees(row))) {
        return false;
    }
    return std::all_of(m_terms.begin(), m_terms.end(), [&](const Term& term) { return matches(term, row, nowMonoMs) != term.negated; });
}

} // namespace weir::ui
