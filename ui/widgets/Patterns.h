// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/client/Rows.h"

#include <QBrush>

class QPainter;
class QRect;

namespace weir::ui {

class Tokens;

/// Patterns that say a state without its colour. They start at the widget's 0,0, so that neighbours fit together.
namespace patterns {

/// 45° lines of `color`, `width` thick, one every `pitch` pixels across.
[[nodiscard]] QBrush diagonal(const QColor& color, int pitch, qreal width, qreal dpr);
[[nodiscard]] QBrush crossHatch(const QColor& color, int pitch, qreal width, qreal dpr);
/// Where nothing was recorded: lines over the whole height and an edge at both sides.
void paintGap(QPainter& painter, const QRect& rect, const Tokens& tokens);
/// One segment of a lane, with its word where that fits.
void paintLaneSegment(QPainter& painter, const QRect& rect, ProbeState state, const Tokens& tokens, const QString& word);

} // namespace patterns

} // namespace weir::ui
