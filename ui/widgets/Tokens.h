// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/client/Rows.h"

#include <QColor>

namespace weir::ui {

/// What a mark or chip says; the colour for it comes from the current table at the moment of painting.
enum class Tone { Online, Failing, Quarantined, Offline, Draining, NoData, Neutral };

/// Fill of a chip or lane and the colour of what is written on it.
struct StateFill {
    QColor fill;
    QColor label;
};

/// The one colour table, a set for light and one for dark. Nothing else in the console names a colour.
class Tokens {
public:
    [[nodiscard]] static const Tokens& light();
    [[nodiscard]] static const Tokens& dark();

    bool isDark = false;
    QColor base;          ///< tables, cards, fields, chart ground
    QColor window;        ///< window, nav, headers, footers, drawer
    QColor text;          ///< main text
    QColor text2;         ///< secondary text, icons, marks, threshold line
    QColor text3;         ///< captions, axis text, "–", stale values
    QColor disabled;      ///< disabled controls only
    QColor line;          ///< hairlines, chart grid
    QColor line2;         ///< pane and splitter edges, button outline
    QColor line3;         ///< outline of fields and check boxes, axis, gap hatch, scroll thumb
    QColor accent;
    QColor onAccent;
    QColor link;
    QColor selection;
    QColor hover;
    QColor target;        ///< drop target
    QColor button;
    QColor popup;         ///< drag badge, menus, tooltips
    QColor staleStrip;
    QColor skeleton;
    QColor ink;           ///< profile block in the context strip
    QColor onInk;
    QColor scrim;
    QColor bandMinMax;
    QColor errStatus;
    QColor errSemantic;

    [[nodiscard]] StateFill fill(ProbeState state) const;
    /// Neutral has no fill of its own: its mark is text3 and its label text.
    [[nodiscard]] StateFill fill(Tone tone) const;

    /// Captions and "–": the third level, or the second one where a selected row would leave the third under 4.5:1.
    [[nodiscard]] QColor thirdLevel(bool selected) const { return selected && isDark ? text2 : text3; }

private:
    std::array<StateFill, 6> m_states;
};

[[nodiscard]] constexpr Tone toneOf(ProbeState state) { return static_cast<Tone>(state); }

enum class Density { Compact, Normal, Large };

/// Sizes in device-independent pixels. Those that hold text are least values: see fitted().
namespace metrics {
inline constexpr int kPageMargin = 12;
inline constexpr int kOverviewMargin = 16;
inline constexpr int kGap = 8;
inline constexpr int kIconGap = 6;
inline constexpr int kCellPadding = 8;
inline constexpr int kChipCellLeft = 3;
inline constexpr int kChipCellRight = 2;
inline constexpr int kLogRow = 24;
inline constexpr int kHeader = 28;
inline constexpr int kGroupedHeader = 44;
inline constexpr int kFooter = 24;
inline constexpr int kControl = 26;
inline constexpr int kToolRowControl = 20;
inline constexpr int kNavItem = 32;
inline constexpr int kContextStrip = 24;
inline constexpr int kMenuRow = 32;
inline constexpr int kStatusBar = 24;
inline constexpr int kTitleRow = 40;
inline constexpr int kToolRow = 36;
inline constexpr int kMessageBar = 36;
inline constexpr int kCardHead = 32;
inline constexpr int kRadius = 3;
inline constexpr int kCardRadius = 4;
inline constexpr int kFocusRing = 2;
inline constexpr int kCurrentBar = 3;
inline constexpr int kIcon = 12;
inline constexpr int kNavIcon = 16;
inline constexpr int kVerdictIcon = 24;
inline constexpr int kDialogIcon = 28;
inline constexpr int kChip = 18;
inline constexpr int kChipLeft = 5;
inline constexpr int kChipRight = 7;
inline constexpr int kChipIconGap = 5;
inline constexpr int kScrollBar = 10;

/// Height of a table row: 22, 28 or 44, more where the font needs it.
[[nodiscard]] int rowHeight(Density density, int fontHeight);
/// A least height, widened for a font that needs more (`padding` above and below together).
[[nodiscard]] constexpr int fitted(int least, int fontHeight, int padding = 4)
{
    return least > fontHeight + padding ? least : fontHeight + padding;
}
} // namespace metrics

} // namespace weir::ui
