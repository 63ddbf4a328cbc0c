import { Table } from '@mantine/core'
import type { ReactNode } from 'react'
import './stacked-table.css'

type StackedTableProps = { label: string; heads: readonly string[]; children: ReactNode }

/**
 * A short table, whose rows become sheets where there is no room for columns. The roles are written out because
 * browsers forget those of a table that is laid out as something else.
 */
export function StackedTable({ label, heads, children }: StackedTableProps) {
  return (
    <div className="stacked-table-frame">
      <Table bg="var(--panel-background)" className="stacked-table" role="table" aria-label={label}>
        <Table.Thead role="rowgroup">
          <Table.Tr role="row">
            {heads.map((head) => (
              <Table.Th key={head} role="columnheader">
                {head}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody role="rowgroup">{children}</Table.Tbody>
      </Table>
    </div>
  )
}

/** A row of it. */
export function StackedRow({ children }: { children: ReactNode }) {
  return <Table.Tr role="row">{children}</Table.Tr>
}

/** A value of a row under the head of its column; without one it needs no name, such as buttons. */
export function StackedCell({ head, children }: { head?: string; children: ReactNode }) {
  return (
    <Table.Td role="cell" data-bare={head === undefined || undefined}>
      {head !== undefined && (
        <span className="stacked-table-head" aria-hidden>
          {head}
        </span>
      )}
      {children}
    </Table.Td>
  )
}
