import { Table } from '@mantine/core'
import type { ReactNode } from 'react'
import './stacked-table.css'

type StackedColumn<Row> = {
  head: string
  cell(row: Row): ReactNode
  /** Set for buttons, which need no head beside them. */
  isBare?: boolean
}

type StackedTableProps<Row> = {
  label: string
  columns: readonly StackedColumn<Row>[]
  rows: readonly Row[]
  rowId(row: Row): string | number
}

/**
 * A short table, whose rows become lists of labelled values without room for columns. The roles are explicit because
 * browsers drop the roles of a table with another layout.
 */
export function StackedTable<Row>({ label, columns, rows, rowId }: StackedTableProps<Row>) {
  return (
    <div className="stacked-table-frame">
      <Table bg="var(--panel-background)" className="stacked-table" role="table" aria-label={label}>
        <Table.Thead role="rowgroup">
          <Table.Tr role="row">
            {columns.map(({ head }) => (
              <Table.Th key={head} role="columnheader">
                {head}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody role="rowgroup">
          {rows.map((row) => (
            <Table.Tr key={rowId(row)} role="row">
              {columns.map(({ head, cell, isBare }) => (
                <Table.Td key={head} role="cell" data-bare={isBare}>
                  {!isBare && (
                    <span className="stacked-table-head" aria-hidden>
                      {head}
                    </span>
                  )}
                  {cell(row)}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  )
}
