// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/live/FleetStore.h"
#include "ui/moves/MoveText.h"

#include <QDialog>
#include <QPushButton>
#include <QTimer>

class QCheckBox;
class QLabel;
class QLineEdit;
class QScrollArea;
class QVBoxLayout;

namespace weir::ui {

class ImpactTable;
class TextLabel;
class TextLine;
class Theme;

/// A default button that does not look like an invitation: Enter and the focus are its, the accent is not.
class QuietButton : public QPushButton {
    Q_OBJECT

public:
    using QPushButton::QPushButton;

protected:
    void initStyleOption(QStyleOptionButton* option) const override;
};

/// Asks before a move of tier 2 or 3, and keeps its figures up to date while it is open. Cancel is the default, has the focus and is
/// Escape; the button that acts names verb, object and count. Tier 3 wants every consequence ticked, and a reason.
class MoveDialog : public QDialog {
    Q_OBJECT

public:
    static constexpr int kWidth = 760;
    static constexpr int kSettleMs = 1000; ///< the confirming button is off that long after a change

    MoveDialog(FleetStore& store, const Theme& theme, const QList<MoveItem>& items, const MoveImpact& impact, QWidget* parent);

    [[nodiscard]] QString reason() const;
    /// The figures that the person saw last; their token goes with the move.
    [[nodiscard]] const MoveImpact& impact() const { return m_impact; }
    /// A line of its own above the table: why it is open again.
    void setNote(const QString& note);

    bool eventFilter(QObject* watched, QEvent* event) override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void buildHead(QVBoxLayout& layout);
    void buildFoot(QVBoxLayout& layout);
    void refresh();
    /// True where it says something else now, and not only other free capacity.
    bool show(const MoveImpact& impact);
    void showConsequences();
    void updateConfirm();
    void applyMark();
    void fitTable();
    [[nodiscard]] QString lead() const;
    [[nodiscard]] QString whyNot() const;

    FleetStore& m_store;
    const Theme& m_theme;
    QList<MoveItem> m_items;
    MoveImpact m_impact;
    int m_tier = 2;
    bool m_asking = false;
    QList<Consequence> m_consequences;
    QList<QCheckBox*> m_ticks;
    QTimer m_settle;

    QLabel* m_mark;
    TextLabel* m_lead;
    TextLabel* m_note;
    ImpactTable* m_table;
    QScrollArea* m_scroll;
    QWidget* m_list;          ///< consequences
    QVBoxLayout* m_listLayout;
    QLabel* m_reasonCaption;
    QLineEdit* m_reason;
    TextLine* m_hint;
    QPushButton* m_cancel;
    QPushButton* m_confirm;
};

} // namespace weir::ui
