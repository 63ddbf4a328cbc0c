import { Table, UnstyledButton } from '@mantine/core'
import { useVirtualizer } from '@tanstack/react-virtual'
import { ArrowDown, ArrowUp, ArrowUpDown } from 'lucide-react'
import { type ReactNode, useEffect, useRef } from 'react'
import './virtual-table.css'

type Order = 'asc' | 'desc'

/** A column of a table. */
export type Column<Row> = {
  id: string
  head: string
  cell(row: Row): ReactNode
  /** The order of the first click on the head. Without one, the column does not sort. */
  sort?: Order
  /** Set for figures, which are aligned at their ends. */
  isNumeric?: boolean
  /** Set for the column that takes the width that others leave, and cuts what is longer. */
  isFilling?: boolean
}

type VirtualTableProps<Row extends object> = {
  label: string
  columns: readonly Column<Row>[]
  /** The rows in their order; the server sorts. */
  rows: readonly Row[]
  /** The number of all rows, including rows that are not loaded yet. Default: the rows. */
  total?: number
  rowId(row: Row): string
  /** The id of the column by which the rows are sorted, and the order. */
  sortedBy?: string
  order?: Order
  onSort?(id: string, order: Order): void
  /** Called when the end of the loaded rows is near. */
  onEnd?(): void
  heightPx?: number | string
  minWidthPx?: number
  /** Height of a row; one line by default. */
  rowPx?: number
}

const ROW_PX = 41
/** Rows before the end at which the next page is requested. */
const PREFETCH_ROWS = 20

/**
 * A table of any length with only the visible rows in the DOM. One tall row above and one below replace the others, and
 * `aria-rowindex` numbers each row.
 */
export function VirtualTable<Row extends object>(props: VirtualTableProps<Row>) {
  const { label, columns, rows, total = rows.length, rowId, sortedBy, order, onSort, onEnd, rowPx = ROW_PX } = props
  const scroller = useRef<HTMLDivElement>(null)
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowPx,
    overscan: 12,
  })
  const items = virtualizer.getVirtualItems()
  const lastShown = items.at(-1)?.index ?? 0
  useEffect(() => {
    if (rows.length < total && lastShown >= rows.length - PREFETCH_ROWS) onEnd?.()
  }, [lastShown, rows.length, total, onEnd])

  const abovePx = items[0]?.start ?? 0
  const belowPx = virtualizer.getTotalSize() - (items.at(-1)?.end ?? 0)
  return (
    <section
      ref={scroller}
      className="virtual-table"
      style={{ maxHeight: props.heightPx ?? 560 }}
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region has to be reachable by keyboard
      tabIndex={0}
    >
      <Table
        aria-label={label}
        aria-rowcount={total + 1}
        stickyHeader
        highlightOnHover
        miw={props.minWidthPx}
        className="figures"
      >
        <Table.Thead>
          <Table.Tr aria-rowindex={1}>
            {columns.map((column) => (
              <ColumnHead
                key={column.id}
                column={column}
                order={column.id === sortedBy ? order : undefined}
                onSort={onSort}
              />
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {abovePx > 0 && <Spacer heightPx={abovePx} columns={columns.length} />}
          {items.map(({ index }) => {
            const row = rows[index]
            return (
              <Table.Tr key={rowId(row)} aria-rowindex={index + 2} h={rowPx}>
                {columns.map(({ id, cell, isNumeric, isFilling }) => (
                  <Table.Td key={id} data-numeric={isNumeric || undefined} data-filling={isFilling || undefined}>
                    {cell(row)}
                  </Table.Td>
                ))}
              </Table.Tr>
            )
          })}
          {belowPx > 0 && <Spacer heightPx={belowPx} columns={columns.length} />}
        </Table.Tbody>
      </Table>
    </section>
  )
}

function Spacer({ heightPx, columns }: { heightPx: number; columns: number }) {
  return (
    <tr aria-hidden style={{ height: heightPx }}>
      <td colSpan={columns} style={{ padding: 0 }} />
    </tr>
  )
}

type ColumnHeadProps<Row> = {
  column: Column<Row>
  /** The order of the table, if this column gives it. */
  order: Order | undefined
  onSort: ((id: string, order: Order) => void) | undefined
}

/** The head of a column, which sorts by it, and turns the order with a second click. */
function ColumnHead<Row>({ column: { id, head, sort, isNumeric }, order, onSort }: ColumnHeadProps<Row>) {
  const numeric = isNumeric || undefined
  if (sort === undefined) return <Table.Th data-numeric={numeric}>{head}</Table.Th>
  const next = order === undefined ? sort : order === 'asc' ? 'desc' : 'asc'
  const Icon = order === undefined ? ArrowUpDown : order === 'asc' ? ArrowUp : ArrowDown
  const ariaSort = order === undefined ? 'none' : order === 'asc' ? 'ascending' : 'descending'
  return (
    <Table.Th data-numeric={numeric} aria-sort={ariaSort}>
      <UnstyledButton className="virtual-table-sort" onClick={() => onSort?.(id, next)}>
        {head}
        <Icon size={14} aria-hidden opacity={order === undefined ? 0.4 : 1} />
      </UnstyledButton>
    </Table.Th>
  )
}
