// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/client/DemoControl.h"

#include <QWidget>

class QCheckBox;
class QComboBox;
class QHBoxLayout;
class QPushButton;

namespace weir::ui {

class ChipLabel;
class TextLabel;
class TextLine;
class Theme;

/// Steers the demo: scenario, acts with their check marks, Start/Pause, Restart, speed, and the sentence of the act under way.
class DemoPanel : public QWidget {
    Q_OBJECT

public:
    DemoPanel(DemoControl& control, const Theme& theme, QWidget* parent = nullptr);

protected:
    void paintEvent(QPaintEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void build();
    void connectAll();
    void refresh();
    void refreshActs(const DemoView& view);
    void refreshCombos(const DemoView& view);
    void refreshSwitches(const DemoView& view);
    [[nodiscard]] QString sentence(const DemoView& view) const;
    void retranslate();

    DemoControl& m_control;
    const Theme& m_theme;
    QComboBox* m_scenario;
    QPushButton* m_pause;
    QPushButton* m_restart;
    QPushButton* m_skip;
    QComboBox* m_speed;
    TextLine* m_figures;
    QHBoxLayout* m_actRow;
    QList<ChipLabel*> m_acts;
    QWidget* m_switchRow;
    TextLine* m_switchCaption;
    QList<QCheckBox*> m_switches;
    TextLabel* m_sentence;
    DemoView m_shown;
};

} // namespace weir::ui
