// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/widgets/FleetVerdict.h"
#include "ui/widgets/Theme.h"

#include <QWidget>

namespace weir::ui {

/// The largest text of the console: mark, verdict, and what else is true below it. 72 high.
class VerdictBlock : public QWidget {
    Q_OBJECT

public:
    explicit VerdictBlock(const Theme& theme, QWidget* parent = nullptr);

    void setVerdict(const FleetVerdict& verdict);
    [[nodiscard]] const FleetVerdict& verdict() const { return m_verdict; }
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override { return {200, sizeHint().height()}; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    [[nodiscard]] QFont headlineFont(int width) const;

    const Theme& m_theme;
    FleetVerdict m_verdict;
};

} // namespace weir::ui
