// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/moves/MoveFlow.h"

#include <QAbstractTableModel>
#include <QDialog>
#include <QHash>

class QPushButton;

namespace weir::ui {

class SearchField;
class TableView;
class TextLine;

/// Pools to choose from, `default` first and `unassigned` last, each with what the move would do. Lines are asked for by rows shown.
class PoolChoiceModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { Pool, Impact, ColumnCount };

    PoolChoiceModel(MoveFlow& flow, const QStringList& nodes, QObject* parent);

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

    /// Pools whose name or owner holds `text`.
    void setText(const QString& text);
    void setNodes(const QStringList& nodes);
    [[nodiscard]] QString poolAt(int row) const { return m_pools.value(row); }
    [[nodiscard]] bool canChoose(int row) const;
    /// The row that typing means: the pool named so, else the first one that begins so, else the first possible one. -1: none.
    [[nodiscard]] int bestRow() const;
    /// Asks again for the lines of these rows, where they are older than the last change.
    void ask(int first, int last);
    void changed() { m_asked.clear(); }

private:
    MoveFlow& m_flow;
    QStringList m_nodes;
    QString m_text;
    QStringList m_pools;
    QHash<QString, ImpactLine> m_lines;
    QSet<QString> m_asked;
};

/// Ctrl+M: type a pool's name, see what the move would do, Enter.
class PoolPickDialog : public QDialog {
    Q_OBJECT

public:
    PoolPickDialog(MoveFlow& flow, const QStringList& nodes, QWidget* parent);

    [[nodiscard]] QString pool() const;
    /// Those that still exist.
    [[nodiscard]] const QStringList& nodes() const { return m_nodes; }

    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void buildLayout();
    void connectAll();
    void typed();
    void askVisible();
    void updateConfirm();
    void dropGone(const FleetDelta& delta);

    MoveFlow& m_flow;
    QStringList m_nodes;
    PoolChoiceModel* m_model;
    SearchField* m_search;
    TableView* m_view;
    TextLine* m_hint;
    QPushButton* m_cancel;
    QPushButton* m_confirm;
};

} // namespace weir::ui
