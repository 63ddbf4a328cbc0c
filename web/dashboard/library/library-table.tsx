import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { type Column, VirtualTable } from '../../ui/virtual-table.tsx'
import { Ago } from '../components/ago.tsx'
import { AnchorLink } from '../components/links.tsx'
import { paths } from '../components/paths.ts'
import type { LibraryEntry } from '../generated/types.gen.ts'
import { useFormat } from '../i18n/format.ts'
import { type LibrarySearch, SORTS, sharedTitles } from './library-search.ts'
import { SelectBox, type Selection } from './library-selection.tsx'
import { PublicationBadge } from './publication-state.tsx'

type LibraryTableProps = {
  entries: LibraryEntry[]
  total: number
  search: LibrarySearch
  onChange(part: LibrarySearch): void
  onEnd(): void
  /** Undefined for operators who change nothing. */
  selection?: Selection
}

/** A library as a table. */
export function LibraryTable({ entries, total, search, onChange, onEnd, selection }: LibraryTableProps) {
  const { t } = useTranslation()
  const columns = useLibraryColumns(sharedTitles(entries), selection)
  const sort = search.sort ?? 'created'
  return (
    <VirtualTable
      label={t('workspace.library')}
      columns={columns}
      rows={entries}
      total={total}
      rowId={(entry) => entry.id}
      sortedBy={sort}
      order={search.order ?? (sort === 'title' ? 'asc' : 'desc')}
      onSort={(id, order) => onChange({ sort: SORTS.find((known) => known === id), order })}
      onEnd={onEnd}
      heightPx="max(360px, calc(100dvh - 380px))"
      minWidthPx={720}
    />
  )
}

/** Returns the columns of a library. The ids of sortable columns are the server's names of the orders. */
function useLibraryColumns(
  isShared: (entry: LibraryEntry) => boolean,
  selection: Selection | undefined,
): Column<LibraryEntry>[] {
  const { t } = useTranslation()
  const format = useFormat()
  const select: Column<LibraryEntry>[] =
    selection === undefined
      ? []
      : [
          {
            id: 'select',
            head: t('selection.column'),
            cell: (entry) => <SelectBox entry={entry} selection={selection} />,
          },
        ]
  return [
    ...select,
    {
      id: 'title',
      head: t('field.title'),
      sort: 'asc',
      cell: (entry) => (
        <Text size="sm" maw={{ base: 150, sm: 380 }} truncate>
          <AnchorLink to={paths.publication} params={{ publicationId: entry.id }} size="sm">
            {entry.title}
          </AnchorLink>
          {isShared(entry) && (
            <Text span size="xs" c="dimmed" ml="xs">
              {entry.slug}
            </Text>
          )}
        </Text>
      ),
    },
    { id: 'state', head: t('field.state'), sort: 'asc', cell: (entry) => <PublicationBadge publication={entry} /> },
    {
      id: 'pages',
      head: t('library.pages'),
      sort: 'desc',
      isNumeric: true,
      cell: (entry) => pagesOf(entry, format.count),
    },
    { id: 'views', head: t('figures.views'), sort: 'desc', isNumeric: true, cell: ({ views }) => format.count(views) },
    { id: 'size', head: t('facts.size'), sort: 'desc', isNumeric: true, cell: ({ size }) => format.bytes(size) },
    { id: 'created', head: t('field.created'), sort: 'desc', cell: (entry) => format.dateTime(entry.created_at) },
    { id: 'updated', head: t('field.updated'), sort: 'desc', cell: (entry) => <Ago time={entry.updated_at} /> },
  ]
}

/** Returns the number of pages, and of the rendered ones while rendering. */
function pagesOf({ pages_ready: ready, page_count: all, status }: LibraryEntry, format: (count: number) => string) {
  return status === 'failed' || ready === all ? format(all) : `${format(ready)} / ${format(all)}`
}
