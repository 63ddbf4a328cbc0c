import { Group, Paper, Text } from '@mantine/core'
import { useElementSize, useMergedRef } from '@mantine/hooks'
import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Column, VirtualTable } from '../../ui/virtual-table.tsx'
import { Ago } from '../components/ago.tsx'
import { AnchorLink } from '../components/links.tsx'
import { paths } from '../components/paths.ts'
import type { LibraryEntry } from '../generated/types.gen.ts'
import { useFormat } from '../i18n/format.ts'
import { type LibrarySearch, SORTS, sharedTitles } from './library-search.ts'
import { SelectBox, type Selection } from './library-selection.tsx'
import { PageImage } from './page-images.tsx'
import { isRendering, PublicationBadge, RenderingProgress } from './publication-state.tsx'
import './library-grid.css'

type LibraryGridProps = { entries: LibraryEntry[]; total: number; onEnd(): void; selection?: Selection }

const CARD_PX = 340
const GAP_PX = 16
const MIN_CARD_WIDTH_PX = 200
/** On a phone, so that two fit next to each other. */
const MIN_NARROW_CARD_WIDTH_PX = 150
const NARROW_WIDTH_PX = 480
/** Rows before the end at which the next page is requested. */
const PREFETCH_ROWS = 3

/** A library as covers, with only those near the window in the DOM. Each has its position in the whole list. */
export function LibraryGrid({ entries, total, onEnd, selection }: LibraryGridProps) {
  const { t } = useTranslation()
  const { ref: measured, width } = useElementSize<HTMLUListElement>()
  const list = useRef<HTMLUListElement>(null)
  const ref = useMergedRef(measured, list)
  const [topPx, setTopPx] = useState(0)
  const leastPx = width < NARROW_WIDTH_PX ? MIN_NARROW_CARD_WIDTH_PX : MIN_CARD_WIDTH_PX
  const columns = Math.max(1, Math.floor((width + GAP_PX) / (leastPx + GAP_PX)))
  const rows = Math.ceil(entries.length / columns)
  const isShared = sharedTitles(entries)
  useLayoutEffect(() => {
    const top = list.current === null ? 0 : Math.round(list.current.getBoundingClientRect().top + window.scrollY)
    if (Math.abs(top - topPx) > 1) setTopPx(top)
  })
  const virtualizer = useWindowVirtualizer({
    count: rows,
    estimateSize: () => CARD_PX + GAP_PX,
    overscan: 2,
    scrollMargin: topPx,
  })
  const items = virtualizer.getVirtualItems()
  const lastRow = items.at(-1)?.index ?? 0
  useEffect(() => {
    if (entries.length < total && lastRow >= rows - PREFETCH_ROWS) onEnd()
  }, [lastRow, rows, entries.length, total, onEnd])

  const shown = items.flatMap(({ index, start }) =>
    entries.slice(index * columns, (index + 1) * columns).map((entry, column) => ({
      entry,
      at: index * columns + column,
      top: start - topPx,
      column,
    })),
  )
  const cardWidth = (width - (columns - 1) * GAP_PX) / columns
  return (
    <ul
      ref={ref}
      className="library-grid"
      aria-label={t('workspace.library')}
      style={{ height: rows * (CARD_PX + GAP_PX) }}
    >
      {width > 0 &&
        shown.map(({ entry, at, top, column }) => (
          <li
            key={entry.id}
            aria-setsize={total}
            aria-posinset={at + 1}
            style={{
              width: cardWidth,
              height: CARD_PX,
              transform: `translate(${column * (cardWidth + GAP_PX)}px, ${top}px)`,
            }}
          >
            <LibraryCard entry={entry} hasSlug={isShared(entry)} selection={selection} />
          </li>
        ))}
    </ul>
  )
}

/** `hasSlug` shows the slug of a publication whose title says too little. */
type LibraryCardProps = { entry: LibraryEntry; hasSlug: boolean; selection?: Selection }

/** A publication as a card with its cover. */
function LibraryCard({ entry, hasSlug, selection }: LibraryCardProps) {
  const { t } = useTranslation()
  const format = useFormat()
  return (
    <Paper withBorder className="library-card" bg="var(--panel-background)">
      <div className="library-card-cover" aria-hidden>
        <PageImage address={entry.cover} alt="" isThere={entry.pages_ready > 0} />
      </div>
      {selection !== undefined && (
        <div className="library-card-select">
          <SelectBox entry={entry} selection={selection} />
        </div>
      )}
      <div className="library-card-text">
        <AnchorLink
          to={paths.publication}
          params={{ publicationId: entry.id }}
          className="library-card-link"
          size="sm"
          fw={600}
          lineClamp={hasSlug ? 1 : 2}
          style={{ overflowWrap: 'anywhere' }}
        >
          {entry.title}
        </AnchorLink>
        {hasSlug && (
          <Text size="xs" c="dimmed" truncate>
            {entry.slug}
          </Text>
        )}
        {isRendering(entry) ? (
          <RenderingProgress publication={entry} />
        ) : (
          <Text size="xs" c="dimmed" className="figures">
            {t('publication.pages', { count: entry.page_count, figure: format.count(entry.page_count) })}
            {' · '}
            {t('publication.views', { count: entry.views, figure: format.count(entry.views) })}
          </Text>
        )}
        <Group justify="space-between" gap="0 8px">
          <PublicationBadge publication={entry} />
          <Text size="xs" c="dimmed">
            {format.date(entry.created_at)}
          </Text>
        </Group>
      </div>
    </Paper>
  )
}

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
