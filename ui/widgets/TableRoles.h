// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtGlobal>
#include <Qt>

namespace weir::ui {

/// What TableDelegate reads of a cell beside Qt::DisplayRole, Qt::TextAlignmentRole and Qt::ToolTipRole. All are optional.
enum TableRole {
    SecondaryRole = Qt::UserRole + 100, ///< QString after the text (8 pt, third level) or after a chip (9 pt, second level)
    TrailingRole,                       ///< QString at the right edge, second level; for cells that are left-aligned otherwise
    BoldRole,                           ///< bool
    TextLevelRole,                      ///< int 1, 2 or 3; 1 where absent
    ChipRole,                           ///< ChipSpec; drawn in place of the text
    ModifierRole,                       ///< int(IconName) after a chip: busy, shallow health, …
    IconRole,                           ///< int(IconName) before the text, second level
    IconToneRole,                       ///< int(Tone) for the icon instead: the mark of a reason
    ChangedAtRole,                      ///< qint64 of uiClockMs(): a mark at the left edge for 1.5 s
    StruckRole,                         ///< bool: the row is gone but its place is held
    LinkRole,                           ///< bool: the text is a link
    SentenceRole,                       ///< bool: elides at the end; ids elide in the middle
    DimmedRole,                         ///< bool: stale value
    PinLineRole,                        ///< bool: a stronger line below this row
    SortRole,                           ///< raw value to sort by
    IdRole                              ///< QString: stable id of the row
};

inline constexpr qint64 kChangeMarkMs = 1500;

/// Milliseconds of a steady clock, for marks that fade; only differences mean anything.
[[nodiscard]] qint64 uiClockMs();

} // namespace weir::ui
