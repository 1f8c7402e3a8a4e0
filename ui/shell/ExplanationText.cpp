// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/ExplanationText.h"

#include "ui/widgets/Chip.h"

namespace weir::ui {

namespace {

/// A cell of a Markdown table: a bar would end it.
QString cell(QString text)
{
    return text.replace(QLatin1Char('|'), QLatin1String("\\|"));
}

QString words(const QStringList& codes)
{
    QStringList list;
    for (const QString& code : codes) {
        list.append(chips::filterWord(code));
    }
    return list.join(QLatin1String(", "));
}

} // namespace

QString ExplanationText::resolution(const ExplanationView& view)
{
    QString text;
    if (view.because == QLatin1String("binding")) {
        text = tr("%1 → %2, because a binding names it.").arg(view.app, view.pool);
    } else if (view.because == QLatin1String("owner")) {
        text = tr("%1 → %2, because its owner is %3.").arg(view.app, view.pool, view.owner);
    } else {
        text = tr("%1 → %2, because it has neither a binding nor a known owner.").arg(view.app, view.pool);
    }
    const QString fallback = view.fallbackAllowed ? tr("Fallback to default: allowed") : tr("Fallback to default: off");
    return view.fallbackWhy.isEmpty() ? tr("%1 %2.", "resolution, fallback").arg(text, fallback)
                                      : tr("%1 %2 (%3).", "resolution, fallback, why").arg(text, fallback, view.fallbackWhy);
}

bool ExplanationText::addsUp(const ExplainedStage& stage)
{
    int sum = stage.candidates;
    for (const auto& [code, count] : stage.excluded) {
        sum += count;
    }
    return sum == stage.considered;
}

QString ExplanationText::stage(const ExplainedStage& stage)
{
    QString text = tr("%1: %2 considered = %n candidate(s)", nullptr, stage.candidates).arg(stage.pool).arg(stage.considered);
    for (const auto& [code, count] : stage.excluded) {
        text += tr(" + %1 %2", "one term of a sum: count, what they are").arg(count).arg(chips::filterWord(code));
    }
    return addsUp(stage) ? text : tr("%1 (the figures of the control plane do not add up)").arg(text);
}

QString ExplanationText::elsewhere(const ExplanationView& view)
{
    QStringList parts;
    for (const auto& [pool, count] : view.elsewhere) {
        parts.append(tr("%1: %2", "pool: healthy nodes").arg(pool).arg(count));
    }
    return parts.isEmpty() ? tr("none") : parts.join(QStringLiteral(" · "));
}

QString ExplanationText::markdown(const ExplanationView& view, const QString& at)
{
    QString text = tr("# Why (not) chosen: %1, role %2, needs %3").arg(view.app, view.role).arg(view.need) + QStringLiteral("\n\n");
    text += tr("Dry run at %1: nothing sent, no alarm, no counter.").arg(at) + QStringLiteral("\n\n");
    text += QStringLiteral("**%1**\n\n").arg(view.sentence);
    text += QStringLiteral("## %1\n\n%2\n\n").arg(tr("Resolution"), resolution(view));
    text += QStringLiteral("## %1\n\n").arg(tr("Stages"));
    for (const ExplainedStage& step : view.stages) {
        text += QStringLiteral("- %1\n").arg(stage(step));
    }
    if (!view.nodes.isEmpty()) {
        text += QStringLiteral("\n## %1\n\n| %2 | %3 | %4 | %5 | %6 |\n|---|---|---|---|---|\n")
                    .arg(tr("Excluded"), tr("Node"), tr("Pool"), tr("Reason"), tr("Detail"), tr("Also"));
        for (const ExplainedNode& node : view.nodes) {
            text += QStringLiteral("| %1 | %2 | %3 | %4 | %5 |\n").arg(cell(node.id), cell(node.pool), cell(node.reason), cell(node.detail), cell(words(node.also)));
        }
    }
    if (!view.ranking.isEmpty()) {
        text += QStringLiteral("\n## %1\n\n| %2 | %3 | %4 |\n|---|---:|---:|\n").arg(tr("Ranking"), tr("Node"), tr("Free"), tr("Pending"));
        for (const ExplainedNode& node : view.ranking) {
            text += QStringLiteral("| %1 | %2 | %3 |\n").arg(cell(node.id)).arg(node.free).arg(node.pending);
        }
    }
    text += QStringLiteral("\n## %1\n\n%2\n").arg(tr("Healthy nodes of the role elsewhere"), elsewhere(view));
    if (!view.nextSteps.isEmpty()) {
        text += QStringLiteral("\n## %1\n\n").arg(tr("Single changes that would help"));
        for (const ExplainedStep& step : view.nextSteps) {
            text += QStringLiteral("- %1\n").arg(step.text);
        }
    }
    return text;
}

} // namespace weir::ui
