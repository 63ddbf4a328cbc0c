import { Badge, Group, NativeSelect, SegmentedControl, Text } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { rankedPassing } from '../../../src/tracks/race/runner-state.ts'
import { type Column, VirtualTable } from '../../ui/virtual-table.tsx'
import type { Ranking, RankingEntry } from '../generated/types.gen.ts'
import { useFormat } from '../i18n/format.ts'
import { categoriesOf, gapWords, isAstray, rankedSec, sourceWords, stageWords } from './entry-words.ts'
import './results.css'

export type RankingTableProps = {
  entries: RankingEntry[]
  /** True to show places within the category. */
  isOfCategory: boolean
  /** Renders a name, such as with a link to the track. */
  nameOf(entry: RankingEntry): ReactNode
}

/** Below this width, place, name and time take the width of the screen, and a second line has the rest. */
const NARROW = '(max-width: 48em)'
const TWO_LINES_PX = 58
/** Stands for a figure that there is not. */
const NONE = '–'

/** The runners in their order, with gaps and remaining distances. */
export function RankingTable({ entries, isOfCategory, nameOf }: RankingTableProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const hasList = entries.some(({ bib }) => bib !== null)
  const isNarrow = useMediaQuery(NARROW, false, { getInitialValueInEffect: false })
  const all: Column<RankingEntry>[] = [
    {
      id: 'rank',
      head: t('race.rank'),
      isNumeric: true,
      cell: ({ rank, category_rank }) => (isOfCategory ? category_rank : rank) ?? NONE,
    },
    { id: 'bib', head: t('race.bib'), cell: ({ bib }) => bib ?? NONE },
    { id: 'name', head: t('field.name'), cell: nameOf },
    { id: 'category', head: t('race.category'), cell: ({ category }) => category ?? NONE },
    {
      id: 'stage',
      head: t('race.lastCheckpoint'),
      cell: (entry) => <Stage entry={entry} isUnlisted={hasList && entry.bib === null} />,
    },
    {
      id: 'time',
      head: t('race.time'),
      isNumeric: true,
      cell: (entry) => {
        const sec = rankedSec(entry)
        const last = rankedPassing(entry)
        const source = last === undefined ? undefined : sourceWords(last, t, format)
        if (sec === null) return NONE
        return [format.duration(sec), source].filter(Boolean).join(' · ')
      },
    },
    { id: 'gap', head: t('race.gap'), isNumeric: true, cell: (entry) => gapWords(entry, format) },
    {
      id: 'toGo',
      head: t('race.toGo'),
      isNumeric: true,
      cell: ({ state, status, distance_to_go_m }) =>
        state === 'running' && status === null ? format.distance(distance_to_go_m) : NONE,
    },
  ]
  return (
    <VirtualTable
      label={t('race.ranking')}
      columns={isNarrow ? inTwoLines(all) : all}
      rowPx={isNarrow ? TWO_LINES_PX : undefined}
      rows={entries}
      rowId={({ bib, track_id, name }) => track_id ?? `${bib} ${name}`}
      heightPx="max(420px, calc(100dvh - 330px))"
      minWidthPx={isNarrow ? undefined : 760}
    />
  )
}

/** Puts last checkpoint and gap below name and time, and the remaining distance beside the checkpoint. */
function inTwoLines(columns: Column<RankingEntry>[]): Column<RankingEntry>[] {
  const [rank, name, stage, time, gap, toGo] = ['rank', 'name', 'stage', 'time', 'gap', 'toGo'].map(
    (wanted) => columns.find(({ id }) => id === wanted)!,
  )
  const below = (first: Column<RankingEntry>, rest: Column<RankingEntry>[]) => (entry: RankingEntry) => (
    <>
      <div className="cut">{first.cell(entry)}</div>
      <Group gap={6} wrap="nowrap" fz="xs" c="dimmed" justify={first.isNumeric ? 'end' : undefined}>
        {rest.map(({ id, cell }) => {
          const content = cell(entry)
          // A long name of a checkpoint gives way to the figures beside it.
          return (
            content !== NONE && (
              <span key={id} className={id === 'stage' ? 'cut' : 'whole'}>
                {content}
              </span>
            )
          )
        })}
      </Group>
    </>
  )
  // The distance along the course is unknown off it, and the badge needs all of the line.
  const onCourseToGo = { ...toGo, cell: (entry: RankingEntry) => (isAstray(entry) ? NONE : toGo.cell(entry)) }
  const shortStage = {
    ...stage,
    cell: (entry: RankingEntry) => (isAstray(entry) ? <OffCourse meters={entry.off_course_m} /> : stage.cell(entry)),
  }
  return [
    rank,
    { ...name, isFilling: true, cell: below(name, [shortStage, onCourseToGo]) },
    { ...time, cell: below(time, [gap]) },
  ]
}

function Stage({ entry, isUnlisted }: { entry: RankingEntry; isUnlisted: boolean }) {
  const { t } = useTranslation()
  return (
    <Group gap={6} wrap="nowrap">
      <Text
        span
        size="sm"
        className="cut"
        c={entry.state === 'not-started' || entry.status !== null ? 'dimmed' : undefined}
      >
        {stageWords(entry, t)}
      </Text>
      {isAstray(entry) && <OffCourse meters={entry.off_course_m} />}
      {isUnlisted && (
        <Badge color="gray" variant="light" size="sm" tt="none" className="whole">
          {t('race.unlisted')}
        </Badge>
      )}
    </Group>
  )
}

function OffCourse({ meters }: { meters: number }) {
  const { t } = useTranslation()
  const format = useFormat()
  return (
    <Badge color="orange" variant="light" size="sm" tt="none" className="whole">
      {t('race.offCourse', { distance: format.distance(meters) })}
    </Badge>
  )
}

/** The runners with their gaps, or with all of their passing times. */
export type ResultsView = 'ranking' | 'passings'

/** Switches between the two views of one ranking. */
export function ViewSwitch({ view, onView }: { view: ResultsView; onView(view: ResultsView): void }) {
  const { t } = useTranslation()
  return (
    <Group className="unprinted">
      <SegmentedControl
        size="xs"
        aria-label={t('race.viewLabel')}
        value={view}
        onChange={onView}
        data={[
          { value: 'ranking', label: t('race.ranking') },
          { value: 'passings', label: t('race.passings') },
        ]}
      />
    </Group>
  )
}

type RankingBarProps = {
  ranking: Ranking
  category: string | undefined
  onCategory(category: string | undefined): void
  /** Further controls, such as a download. */
  children?: ReactNode
}

/** The line above a ranking: how many are where, as of when, and the choice of a category. */
export function RankingBar({ ranking, category, onCategory, children }: RankingBarProps) {
  const { t, i18n } = useTranslation()
  const format = useFormat()
  const categories = categoriesOf(ranking, i18n.language)
  const count = (state: string) =>
    ranking.entries.filter((entry) => entry.status === null && entry.state === state).length
  const counts = [
    t('race.countFinished', { count: count('finished'), figure: format.count(count('finished')) }),
    t('race.countRunning', { count: count('running'), figure: format.count(count('running')) }),
    t('race.countNotStarted', { count: count('not-started'), figure: format.count(count('not-started')) }),
  ]
  return (
    <Group justify="space-between" gap="sm">
      <Text size="sm" className="figures">
        {counts.join(' · ')}{' '}
        <Text span inherit c="dimmed">
          {ranking.race_starts_at !== null && `· ${t(`race.timesFrom.${ranking.time_basis}`)} `}·{' '}
          {ranking.is_complete ? t('race.asOf', { time: format.time(ranking.as_of) }) : t('race.computing')}
        </Text>
      </Text>
      <Group gap="sm" className="unprinted">
        {categories.length > 0 && (
          <NativeSelect
            size="sm"
            aria-label={t('race.category')}
            value={category ?? ''}
            onChange={({ currentTarget: { value } }) => onCategory(value === '' ? undefined : value)}
            data={[
              { value: '', label: t('race.allCategories') },
              ...categories.map((one) => ({ value: one, label: one })),
            ]}
          />
        )}
        {children}
      </Group>
    </Group>
  )
}
