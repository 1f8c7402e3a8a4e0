// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/moves/MoveFlow.h"

#include <QDialog>

class QPushButton;

namespace weir::ui {

class LiveTable;
class NodeTableModel;
class SearchField;
class TableColumns;
class TableView;
class TextLine;

/// Add nodes… to a pool: the nodes of all other pools, to filter and select, with what the move would do below.
class NodePickDialog : public QDialog {
    Q_OBJECT

public:
    NodePickDialog(MoveFlow& flow, const QString& pool, QWidget* parent);

    [[nodiscard]] QStringList nodes() const;

    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void buildLayout();
    void connectAll();
    void applyFilter();
    void askImpact();
    void updateConfirm();

    MoveFlow& m_flow;
    QString m_pool;
    NodeTableModel* m_model;
    TableView* m_view;
    LiveTable* m_live;
    TableColumns* m_columns;
    SearchField* m_search;
    TextLine* m_error;
    TextLine* m_impact;
    QPushButton* m_cancel;
    QPushButton* m_confirm;
    ImpactLine m_line;
    int m_question = 0; ///< the answer to an older one is late
};

} // namespace weir::ui
