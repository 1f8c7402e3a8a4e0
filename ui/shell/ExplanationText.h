// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/client/Rows.h"

#include <QCoreApplication>

namespace weir::ui {

/// The record of one dry run in words.
class ExplanationText {
    Q_DECLARE_TR_FUNCTIONS(ExplanationText)

public:
    /// "app-9 → pool-3, because a binding names it. Fallback to default: off (…)."
    [[nodiscard]] static QString resolution(const ExplanationView& view);
    /// "pool-3: 11 considered = 0 candidates + 6 other role + 3 unhealthy + 2 quarantined"; the figures add up.
    [[nodiscard]] static QString stage(const ExplainedStage& stage);
    /// The same as the sum of its terms; false would be a fault of the plane and is said so.
    [[nodiscard]] static bool addsUp(const ExplainedStage& stage);
    [[nodiscard]] static QString elsewhere(const ExplanationView& view);
    [[nodiscard]] static QString markdown(const ExplanationView& view, const QString& at);
};

} // namespace weir::ui
