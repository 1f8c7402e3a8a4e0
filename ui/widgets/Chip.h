// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/client/Rows.h"
#include "ui/widgets/Icons.h"
#include "ui/widgets/Tokens.h"

#include <QMetaType>
#include <QWidget>

class QPainter;

namespace weir::ui {

class Theme;

/// A state or verdict as mark and word. Only what needs a person is `filled`; the rest is a small mark and plain text.
/// It names a tone and no colour, so that a model may keep it across a change of theme.
struct ChipSpec {
    IconName mark = IconName::None;
    QString text;
    Tone tone = Tone::Neutral;
    bool filled = false;

    [[nodiscard]] bool isEmpty() const { return mark == IconName::None && text.isEmpty(); }
    bool operator==(const ChipSpec&) const = default;
};

/// How a target is kept.
enum class TargetWord { Met, AtRisk, Missed, NoData };

namespace chips {

/// The Probe column. `failures`/`threshold` word "Failing 1/2"; `remainingS` ≥ 0 words "Quarantined 42 s".
[[nodiscard]] ChipSpec probe(ProbeState state, int failures = 0, int threshold = 0, qint64 remainingS = -1);
/// The Probe column of a row at `nowMonoMs` of the plane's clock; says "awaits a probe" where a quarantine has run out.
[[nodiscard]] ChipSpec probe(const NodeRow& row, qint64 nowMonoMs);
[[nodiscard]] ChipSpec pool(PoolVerdict verdict, int available = 1);
[[nodiscard]] ChipSpec pool(const PoolRow& row);
/// The Traffic column; `failedPercent` is worded for Degraded and Failing.
[[nodiscard]] ChipSpec traffic(Traffic traffic, int failedPercent = 0);
[[nodiscard]] ChipSpec traffic(const NodeRow& row);
/// "for 5 apps", "Out of scheduling", …; `blockedBy` is the code of the first failing filter.
[[nodiscard]] ChipSpec schedulable(Schedulable schedulable, int apps, const QString& blockedBy);
[[nodiscard]] ChipSpec app(AppVerdict verdict);
[[nodiscard]] ChipSpec severity(Severity severity);
[[nodiscard]] ChipSpec target(TargetWord word);
/// A word for the code of a scheduling filter ("no_capacity" → "no capacity"); an unknown code is shown as it is.
[[nodiscard]] QString filterWord(const QString& code);
/// Share of failed requests in percent, rounded, at least 1 where any failed; 0 without requests.
[[nodiscard]] int failedPercent(const NodeRow& row);

} // namespace chips

struct ChipFlags {
    bool selected = false; ///< on a selected row: outline, and a ring for the quiet online disc
    bool dimmed = false;   ///< stale data
};

/// Width a chip needs; it never elides.
[[nodiscard]] int chipWidth(const ChipSpec& spec, const QFontMetrics& metrics);
[[nodiscard]] int chipHeight(const QFontMetrics& metrics);

/// Paints the chip at the left of `rect`, centred vertically, in the painter's font. Returns the rectangle it took.
QRect paintChip(QPainter& painter, const QRect& rect, const ChipSpec& spec, const Tokens& tokens, ChipFlags flags = {});

/// A chip as a widget, outside tables.
class ChipLabel : public QWidget {
    Q_OBJECT

public:
    explicit ChipLabel(const Theme& theme, QWidget* parent = nullptr);

    void setSpec(const ChipSpec& spec);
    [[nodiscard]] const ChipSpec& spec() const { return m_spec; }
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    const Theme& m_theme;
    ChipSpec m_spec;
};

} // namespace weir::ui

Q_DECLARE_METATYPE(weir::ui::ChipSpec)
