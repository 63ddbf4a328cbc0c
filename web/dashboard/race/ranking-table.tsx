import { Badge, Group, Text } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import type { TFunction } from 'i18next'
import { type ReactNode, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { type VirtualColumns, VirtualTable } from '../../ui/virtual-table.tsx'
import type { RankingEntry } from '../api/races.ts'
import { type Format, useFormat } from '../i18n/format.ts'
import { gapWords, rankedSec, stageWords } from './entry-words.ts'

type RankingTableProps = {
  entries: RankingEntry[]
  /** True to show places within the category. */
  isOfCategory: boolean
  /** Renders a name, such as with a link to the track. */
  nameOf(entry: RankingEntry): ReactNode
}

/** Below this width, the most important columns come first, and the others are left out. */
const NARROW = '(max-width: 48em)'
const NARROW_COLUMNS = ['rank', 'name', 'gap', 'stage', 'toGo']

/** The runners in their order, with gaps and what is still to go. */
export function RankingTable({ entries, isOfCategory, nameOf }: RankingTableProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const isNarrow = useMediaQuery(NARROW, false, { getInitialValueInEffect: false })
  const columns = useMemo(() => {
    const all = columnsOf({ t, format, isOfCategory, nameOf })
    return isNarrow ? NARROW_COLUMNS.flatMap((id) => all.find((column) => column.id === id) ?? []) : all
  }, [t, format, isOfCategory, nameOf, isNarrow])
  return (
    <VirtualTable
      label={t('race.ranking')}
      columns={columns}
      rows={entries}
      total={entries.length}
      rowId={({ bib, track_id, name }) => track_id ?? `${bib} ${name}`}
      numeric={['rank', 'time', 'gap', 'toGo']}
      heightPx="max(420px, calc(100dvh - 330px))"
      minWidthPx={isNarrow ? undefined : 760}
    />
  )
}

type Look = Omit<RankingTableProps, 'entries'> & { t: TFunction; format: Format }

function columnsOf({ t, format, isOfCategory, nameOf }: Look): VirtualColumns<RankingEntry> {
  const still = { enableSorting: false } as const
  return [
    {
      ...still,
      id: 'rank',
      header: t('race.rank'),
      accessorFn: ({ rank, category_rank }) => (isOfCategory ? category_rank : rank) ?? '–',
    },
    { ...still, id: 'bib', header: t('race.bib'), accessorFn: ({ bib }) => bib ?? '–' },
    { ...still, id: 'name', header: t('field.name'), cell: ({ row: { original } }) => nameOf(original) },
    { ...still, id: 'category', header: t('race.category'), accessorFn: ({ category }) => category ?? '–' },
    {
      ...still,
      id: 'stage',
      header: t('race.lastCheckpoint'),
      cell: ({ row: { original } }) => <Stage entry={original} />,
    },
    {
      ...still,
      id: 'time',
      header: t('race.time'),
      accessorFn: (entry) => {
        const sec = rankedSec(entry)
        return sec === null ? '–' : format.duration(sec)
      },
    },
    { ...still, id: 'gap', header: t('race.gap'), accessorFn: (entry) => gapWords(entry, format) },
    {
      ...still,
      id: 'toGo',
      header: t('race.toGo'),
      accessorFn: ({ state, status, distance_to_go_m }) =>
        state === 'running' && status === null ? format.distance(distance_to_go_m) : '–',
    },
  ]
}

function Stage({ entry }: { entry: RankingEntry }) {
  const { t } = useTranslation()
  const format = useFormat()
  return (
    <Group gap={6} wrap="nowrap">
      <Text span size="sm" c={entry.state === 'not-started' || entry.status !== null ? 'dimmed' : undefined}>
        {stageWords(entry, t)}
      </Text>
      {entry.off_course_m !== null && entry.state === 'running' && (
        <Badge color="orange" variant="light" size="sm" tt="none">
          {t('race.offCourse', { distance: format.distance(entry.off_course_m) })}
        </Badge>
      )}
    </Group>
  )
}
