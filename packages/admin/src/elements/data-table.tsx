// A table of records. On narrow screens, each record becomes a block of labelled lines, so nothing scrolls sideways. The ARIA
// roles are explicit, because browsers drop the implicit ones when the display property changes.

import { VisuallyHidden } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './data-table.module.css';

export interface Column<Row> {
  readonly header: string;
  readonly cell: (row: Row) => ReactNode;
  /** The column that names the row. */
  readonly isName?: boolean;
  /** Whether the column contains actions, which need no label. */
  readonly isAction?: boolean;
}

interface DataTableProps<Row> {
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
}

export function DataTable<Row>({ label, columns, rows, keyOf }: DataTableProps<Row>) {
  return (
    <div className={classes.frame}>
      <table className={classes.table} aria-label={label} role="table">
        <thead role="rowgroup">
          <tr role="row">
            {columns.map(({ header, isAction }) => (
              <th key={header} scope="col" role="columnheader">
                {isAction === true ? <VisuallyHidden>{header}</VisuallyHidden> : header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {rows.map((row) => (
            <tr key={keyOf(row)} role="row">
              {columns.map((column) => (
                <Cell key={column.header} column={column} row={row} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Cell<Row>({ column, row }: { readonly column: Column<Row>; readonly row: Row }) {
  if (column.isName === true) {
    return (
      <th scope="row" role="rowheader" className={classes.name}>
        {column.cell(row)}
      </th>
    );
  }
  return (
    <td role="cell" className={column.isAction === true ? classes.action : classes.value} data-label={column.header}>
      {column.cell(row)}
    </td>
  );
}
