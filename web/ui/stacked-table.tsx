import { Table } from '@mantine/core'
import type { ReactNode } from 'react'
import './stacked-table.css'

type StackedTableProps = { label: string; heads: readonly string[]; children: ReactNode }

/**
 * A short table, whose rows become lists of labelled values without room for columns. The roles are explicit because
 * browsers drop those of a table with another layout.
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

/** A row of a stacked table. */
export function StackedRow({ children }: { children: ReactNode }) {
  return <Table.Tr role="row">{children}</Table.Tr>
}

/** A value with the head of its column; buttons have no head. */
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
