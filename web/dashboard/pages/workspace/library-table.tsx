import type { SortingState } from '@tanstack/react-table'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { VirtualTable } from '../../../ui/virtual-table.tsx'
import type { LibraryEntry } from '../../api/publications.ts'
import { useLibraryColumns } from './library-columns.tsx'
import { type LibrarySearch, SORTS } from './library-search.ts'

type LibraryTableProps = {
  entries: LibraryEntry[]
  total: number
  search: LibrarySearch
  onChange(part: LibrarySearch): void
  onEnd(): void
}

const NUMERIC = ['page_count', 'views', 'size']

/** A library as a table. */
export function LibraryTable({ entries, total, search, onChange, onEnd }: LibraryTableProps) {
  const { t } = useTranslation()
  const columns = useLibraryColumns()
  const sort = search.sort ?? 'created'
  const order = search.order ?? (sort === 'title' ? 'asc' : 'desc')
  const sorting = useMemo<SortingState>(() => [{ id: sort, desc: order === 'desc' }], [sort, order])
  return (
    <VirtualTable
      label={t('workspace.library')}
      columns={columns}
      rows={entries}
      total={total}
      rowId={(entry) => entry.id}
      sorting={sorting}
      onSorting={([first]) =>
        first !== undefined &&
        onChange({ sort: SORTS.find((known) => known === first.id), order: first.desc ? 'desc' : 'asc' })
      }
      onEnd={onEnd}
      numeric={NUMERIC}
      heightPx="max(360px, calc(100dvh - 380px))"
      minWidthPx={900}
    />
  )
}
