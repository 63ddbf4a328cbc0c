import { Table, UnstyledButton } from '@mantine/core'
import {
  type ColumnDef,
  rowSortingFeature,
  type SortingState,
  tableFeatures,
  type Updater,
  useTable,
} from '@tanstack/react-table'
import { useVirtualizer } from '@tanstack/react-virtual'
import { ArrowDown, ArrowUp, ArrowUpDown } from 'lucide-react'
import { useEffect, useRef } from 'react'
import './virtual-table.css'

/** The options of all tables. Rows come sorted from the server. */
export const tableOptions = tableFeatures({ rowSortingFeature })

// biome-ignore lint/suspicious/noExplicitAny: the values of a table's columns have different types
export type VirtualColumns<Row extends object> = ColumnDef<typeof tableOptions, Row, any>[]

type VirtualTableProps<Row extends object> = {
  label: string
  columns: VirtualColumns<Row>
  rows: Row[]
  /** The number of all rows, including those that are not loaded yet. */
  total: number
  rowId(row: Row): string
  sorting?: SortingState
  onSorting?(sorting: SortingState): void
  /** Called when the end of the loaded rows is near. */
  onEnd?(): void
  /** Columns of figures, aligned at their ends. */
  numeric?: readonly string[]
  heightPx?: number | string
  minWidthPx?: number
}

const ROW_PX = 41
/** Rows before the end at which the next page is requested. */
const PREFETCH_ROWS = 20
const NO_SORTING: SortingState = []

/**
 * A table of any length with only the visible rows in the DOM. One tall row above and one below replace the others, and
 * `aria-rowindex` numbers each row.
 */
export function VirtualTable<Row extends object>(props: VirtualTableProps<Row>) {
  const { label, columns, rows, total, rowId, sorting = NO_SORTING, onSorting, onEnd, numeric } = props
  const scroller = useRef<HTMLDivElement>(null)
  const table = useTable({
    features: tableOptions,
    columns,
    data: rows,
    getRowId: rowId,
    manualSorting: true,
    enableMultiSort: false,
    enableSortingRemoval: false,
    state: { sorting },
    onSortingChange: (update: Updater<SortingState>) =>
      onSorting?.(typeof update === 'function' ? update(sorting) : update),
  })
  const { rows: tableRows } = table.getRowModel()
  const virtualizer = useVirtualizer({
    count: tableRows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
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
          {table.getHeaderGroups().map((group) => (
            <Table.Tr key={group.id} aria-rowindex={1}>
              {group.headers.map((header) => (
                <Table.Th
                  key={header.id}
                  data-numeric={numeric?.includes(header.column.id) || undefined}
                  aria-sort={header.column.getCanSort() ? ariaSort(header.column.getIsSorted()) : undefined}
                >
                  {header.column.getCanSort() ? (
                    <UnstyledButton className="virtual-table-sort" onClick={header.column.getToggleSortingHandler()}>
                      <table.FlexRender header={header} />
                      <SortSign direction={header.column.getIsSorted()} />
                    </UnstyledButton>
                  ) : (
                    <table.FlexRender header={header} />
                  )}
                </Table.Th>
              ))}
            </Table.Tr>
          ))}
        </Table.Thead>
        <Table.Tbody>
          {abovePx > 0 && <Spacer heightPx={abovePx} columns={columns.length} />}
          {items.map(({ index }) => {
            const row = tableRows[index]
            return (
              <Table.Tr key={row.id} aria-rowindex={index + 2} h={ROW_PX}>
                {row.getAllCells().map((cell) => (
                  <Table.Td key={cell.id} data-numeric={numeric?.includes(cell.column.id) || undefined}>
                    <table.FlexRender cell={cell} />
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

function SortSign({ direction }: { direction: 'asc' | 'desc' | false }) {
  const Icon = direction === 'asc' ? ArrowUp : direction === 'desc' ? ArrowDown : ArrowUpDown
  return <Icon size={14} aria-hidden opacity={direction === false ? 0.4 : 1} />
}

function ariaSort(direction: 'asc' | 'desc' | false) {
  if (direction === false) return 'none'
  return direction === 'asc' ? 'ascending' : 'descending'
}
