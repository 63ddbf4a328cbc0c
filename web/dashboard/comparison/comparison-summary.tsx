import { List, Stack, Table, Text, Title } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../i18n/format.ts'
import { SplitName, SplitsTable } from '../tracks/splits.tsx'
import { gapWord } from './comparison-bands.ts'
import type { ComparedSplit } from './gap-over-distance.ts'
import { LETTERS, type Side, SideMark } from './sides.tsx'
import type { Compared, Comparison } from './use-comparison.ts'

/** The leads that are told one by one. */
const MAX_LEADS = 6

type SummaryProps = { pair: readonly [Compared, Compared]; comparison: Comparison; isByClock: boolean }

/** Tells in words who is ahead, where and by how much: all that the chart shows. */
export function ComparisonSummary({ pair, comparison, isByClock }: SummaryProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const { gap, leads } = comparison
  const nameOf = (side: Side) =>
    `${LETTERS[side]} (${format.trackName(pair[side].track.name, pair[side].track.start_ts)})`
  const { common } = gap
  if (common === undefined || common.toM === common.fromM) return <Text>{t('comparison.nothingCommon')}</Text>
  const lastStep = gap.gapSec.findLastIndex((sec) => sec !== null)
  const lastSec = gap.gapSec[lastStep]!
  const at = format.distance(common.toM)
  const greatest = [...leads].sort((one, other) => other.mostSec - one.mostSec).slice(0, MAX_LEADS)
  const told = leads.filter((lead) => greatest.includes(lead))
  return (
    <Stack gap={6} component="section" aria-label={t('comparison.summary')}>
      <Text size="lg" fw={600} className="figures" style={{ overflowWrap: 'anywhere' }}>
        {Math.round(lastSec) === 0
          ? t('comparison.level', { at })
          : t('comparison.isAhead', {
              name: nameOf(lastSec > 0 ? 0 : 1),
              gap: format.duration(Math.abs(lastSec)),
              at,
            })}
      </Text>
      <Text size="sm" c="dimmed">
        {t(comparison.isAlongCourse ? 'comparison.alongCourse' : 'comparison.byDistance')}{' '}
        {t(isByClock ? 'comparison.countedByClock' : 'comparison.countedFromStarts')}
      </Text>
      {leads.length > MAX_LEADS && (
        <Text size="sm">
          {t('comparison.leadChanges', { count: leads.length - 1, figure: format.count(leads.length - 1) })}
        </Text>
      )}
      {leads.length > 1 && (
        <List size="sm" className="figures">
          {told.map(({ side, fromM, toM, mostSec, mostAtM }) => (
            <List.Item key={fromM}>
              {t('comparison.lead', {
                name: LETTERS[side],
                from: format.distance(fromM),
                to: format.distance(toM),
                most: format.duration(mostSec),
                at: format.distance(mostAtM),
              })}
            </List.Item>
          ))}
        </List>
      )}
      <Notes pair={pair} comparison={comparison} />
    </Stack>
  )
}

function Notes({ pair, comparison }: Omit<SummaryProps, 'isByClock'>) {
  const { t } = useTranslation()
  const [first, second] = pair
  const { gap } = comparison
  const sides = [0, 1] as const
  const withoutAltitude = sides.filter((side) => pair[side].series.extremes.max_altitude_m === undefined)
  const isWithin = (meters: number) => gap.common !== undefined && meters > gap.common.fromM && meters < gap.common.toM
  const notes = [
    ...sides
      .filter((side) => pair[side].track.state !== 'stopped')
      .map((side) => t('comparison.underWay', { name: LETTERS[side] })),
    ...(first.track.activity_type === second.track.activity_type
      ? []
      : [
          t('comparison.otherActivity', {
            first: t(`activity.${first.track.activity_type}`),
            second: t(`activity.${second.track.activity_type}`),
          }),
        ]),
    ...(withoutAltitude.length === 2
      ? [t('comparison.noAltitudes')]
      : withoutAltitude.map((side) => t('comparison.noAltitude', { name: LETTERS[side] }))),
    ...(gap.gapSec.some((sec, step) => sec === null && isWithin(gap.meters[step])) ? [t('comparison.offCourse')] : []),
  ]
  if (notes.length === 0) return null
  return (
    <Stack gap={2}>
      {notes.map((note) => (
        <Text key={note} size="sm" c="dimmed">
          {note}
        </Text>
      ))}
    </Stack>
  )
}

type ComparedSplitsProps = {
  splits: readonly ComparedSplit[]
  /** The place of the cursor along the way; undefined without one. */
  cursorM: number | undefined
  /** A split was chosen. */
  onPick(split: ComparedSplit): void
}

/** The kilometers or miles of two tracks side by side: who was faster on each, and who is ahead at its end. */
export function ComparedSplits({ splits, cursorM, onPick }: ComparedSplitsProps) {
  const { t } = useTranslation()
  const format = useFormat()
  if (splits.length === 0) return null
  const time = (sec: number | null) => (sec === null ? '–' : format.duration(sec))
  const gap = (sec: number | null) => (sec === null ? '–' : gapWord(sec, format))
  return (
    <SplitsTable
      className="compared-splits"
      heading={
        <Title order={3} size="h4" mb="sm">
          {t('splits.title')}
        </Title>
      }
      columns={
        <>
          <Table.Th>
            <SideMark side={0} />
          </Table.Th>
          <Table.Th>
            <SideMark side={1} />
          </Table.Th>
          <Table.Th>{t('comparison.faster')}</Table.Th>
          <Table.Th>{t('comparison.ahead')}</Table.Th>
        </>
      }
    >
      {splits.map((split) => {
        const name = format.number(split.toM / format.units.metersPerFar)
        const isAtCursor = cursorM !== undefined && cursorM > split.fromM && cursorM <= split.toM
        return (
          <Table.Tr key={split.toM} onClick={() => onPick(split)} data-at-cursor={isAtCursor || undefined}>
            <SplitName
              label={t('comparison.showSplit', { place: `${name} ${format.units.far}` })}
              onSelect={() => onPick(split)}
            >
              {name}
            </SplitName>
            <Table.Td>{time(split.sec[0])}</Table.Td>
            <Table.Td>{time(split.sec[1])}</Table.Td>
            <Table.Td>{gap(split.differenceSec)}</Table.Td>
            <Table.Td>
              <Text span inherit fw={600}>
                {gap(split.gapSec)}
              </Text>
            </Table.Td>
          </Table.Tr>
        )
      })}
    </SplitsTable>
  )
}
