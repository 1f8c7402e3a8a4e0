// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/live/PageParts.h"
#include "ui/widgets/FleetVerdict.h"
#include "ui/widgets/TextLabel.h"

namespace weir::ui {

/// Title row of a page: its name, and at the right the sentence about the fleet.
class PageHeader : public QWidget {
    Q_OBJECT

public:
    explicit PageHeader(const Theme& theme, QWidget* parent = nullptr);

    void setTitle(const QString& title);
    void setVerdict(const FleetVerdict& verdict);
    [[nodiscard]] QString sentence() const { return m_sentence->text(); }

private:
    void applyMark();

    const Theme& m_theme;
    TextLabel* m_title;
    QLabel* m_mark;
    TextLine* m_sentence;
    FleetVerdict::Level m_level = FleetVerdict::Level::Unknown;
};

/// What the bar at the bottom says; texts left empty are not shown.
struct StatusFigures {
    enum class Connection { Connecting, Live, Paused, Stale };

    Connection connection = Connection::Connecting;
    QString connectionText;
    QString healthy;
    QString unschedulable;
    QString config;
    QString notice;
    QString selected;
    QString asOf;
};

/// The bar at the bottom of the window.
class StatusLine : public QWidget {
    Q_OBJECT

public:
    explicit StatusLine(const Theme& theme, QWidget* parent = nullptr);

    void setFigures(const StatusFigures& figures);
    [[nodiscard]] const StatusFigures& figures() const { return m_figures; }
    /// A menu entry's explanation, in place of the notice while it lasts.
    void setTip(const QString& tip);
    [[nodiscard]] QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    const Theme& m_theme;
    StatusFigures m_figures;
    QString m_tip;
};

} // namespace weir::ui
