// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QIcon>
#include <QPixmap>

namespace weir::ui {

/// Every drawing the console has; the file is resources/icons/<name in kebab-case>.svg.
enum class IconName {
    None,
    // navigation, 16 grid
    Overview, Pools, Nodes, Apps, Routing, Incidents, Alarms, Audit, Settings,
    // marks of states and verdicts, 12 grid
    MarkOnline, MarkFailing, MarkQuarantined, MarkOffline, MarkDraining, MarkNoData, MarkIdle, MarkSlashed, MarkRefused,
    // badges and chart marks, 12 grid
    BadgeTriangle, BadgeDot, Move, Config, Fallback, Note,
    // actions, 12 grid
    Search, Chevron, Plus, Undo, Close, Pause, Play, Lock, Unlock, Reload, Info, Flask, LinkOut, Drain, Bell, Check, Grip, Filter,
    Disconnected, Server
};

namespace icons {

/// `name` in one colour at `size` device-independent pixels; cached. A glyph inside a filled shape is see-through.
[[nodiscard]] QPixmap pixmap(IconName name, const QColor& color, int size, qreal dpr);

/// An icon for buttons and menus that paints itself in `normal`, and in `disabled` where the control is.
[[nodiscard]] QIcon icon(IconName name, const QColor& normal, const QColor& disabled);

/// Forgets what was drawn in colours that are no longer in use.
void clearCache();

} // namespace icons

} // namespace weir::ui
