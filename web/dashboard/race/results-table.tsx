import { ActionIcon, Button, Table, Text } from '@mantine/core'
import { Pencil } from 'lucide-react'
import { useEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import { useTranslation } from 'react-i18next'
import type { Passing, Ranking, RankingEntry } from '../generated/types.gen.ts'
import { type Format, useFormat } from '../i18n/format.ts'
import { exactnessOf, finishOf, otherTimeOf, otherTimeWords, stageWords } from './entry-words.ts'
import type { RankingTableProps } from './ranking-table.tsx'
import './results.css'

type ResultsTableProps = RankingTableProps & {
  ranking: Ranking
  /** Opens the times of a runner; undefined for operators who may not change them. */
  onTimes?: (entry: RankingEntry) => void
}

/** Rows that are shown at first: thousands with all their passings take a second to draw. */
const MAX_ROWS = 200

/** The runners with their times at every checkpoint, each with how certain it is. All rows are printed. */
export function ResultsTable({ ranking, entries, isOfCategory, nameOf, onTimes }: ResultsTableProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const [isWhole, setWhole] = useState(false)
  useEffect(() => {
    const show = () => flushSync(() => setWhole(true))
    addEventListener('beforeprint', show)
    return () => removeEventListener('beforeprint', show)
  }, [])
  // With a common start, everyone passes the start line some seconds after it; the other times count from the start.
  const checkpoints = ranking.checkpoints.filter(({ kind }) => kind === 'checkpoint')
  const shown = isWhole ? entries : entries.slice(0, MAX_ROWS)
  const otherTime = shown.map(otherTimeOf).find((other) => other !== undefined)
  return (
    <div className="results">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region has to be reachable by keyboard */}
      <section className="results-scroller" aria-label={t('race.results')} tabIndex={0}>
        <Table aria-label={t('race.results')} className="figures" stickyHeader>
          <Table.Thead>
            <Table.Tr>
              <Table.Th data-numeric>{t('race.rank')}</Table.Th>
              <Table.Th data-numeric className="results-wide">
                {t('race.bib')}
              </Table.Th>
              <Table.Th className="results-name">{t('field.name')}</Table.Th>
              <Table.Th className="results-wide">{t('race.category')}</Table.Th>
              <Table.Th data-numeric>{t('race.time')}</Table.Th>
              {checkpoints.map(({ id, name, course_distance_m }) => (
                <Table.Th key={id} data-numeric>
                  {name}
                  <Text size="xs" c="dimmed" fw={400}>
                    {format.distance(course_distance_m)}
                  </Text>
                </Table.Th>
              ))}
              {onTimes !== undefined && <Table.Th className="results-action unprinted" />}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {shown.map((entry) => (
              <Table.Tr key={entry.track_id ?? `${entry.bib} ${entry.name}`}>
                <Table.Td data-numeric>{(isOfCategory ? entry.category_rank : entry.rank) ?? '–'}</Table.Td>
                <Table.Td data-numeric className="results-wide">
                  {entry.bib ?? '–'}
                </Table.Td>
                <Table.Th scope="row" className="results-name">
                  {nameOf(entry)}
                </Table.Th>
                <Table.Td className="results-wide">{entry.category ?? '–'}</Table.Td>
                <Table.Td data-numeric>
                  <FinishTime entry={entry} ranking={ranking} format={format} />
                </Table.Td>
                {checkpoints.map(({ id }) => (
                  <Table.Td key={id} data-numeric>
                    <PassingTime entry={entry} checkpointId={id} format={format} />
                  </Table.Td>
                ))}
                {onTimes !== undefined && (
                  <Table.Td className="results-action unprinted">
                    {entry.bib !== null && (
                      <ActionIcon
                        variant="default"
                        aria-label={t('race.timesOf', { name: `${entry.bib} · ${entry.name}` })}
                        title={t('race.times')}
                        onClick={() => onTimes(entry)}
                      >
                        <Pencil size={16} aria-hidden />
                      </ActionIcon>
                    )}
                  </Table.Td>
                )}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </section>
      <Text size="xs" c="dimmed" mt="xs">
        {t('race.marginHelp')}
        {shown.some(({ passings }) => passings.some(({ source }) => source === 'stop')) && ` ${t('race.stopHelp')}`}
        {otherTime !== undefined && ` ${t(`race.${otherTime.kind}TimeHelp`)}`}
      </Text>
      {shown.length < entries.length && (
        <Button mt="sm" variant="default" className="unprinted" onClick={() => setWhole(true)}>
          {t('race.showAll', { count: entries.length, figure: format.count(entries.length) })}
        </Button>
      )}
    </div>
  )
}

type CellProps = { entry: RankingEntry; format: Format }

function FinishTime({ entry, ranking, format }: CellProps & { ranking: Ranking }) {
  const { t } = useTranslation()
  if (entry.finish_sec === null || entry.status !== null) {
    return (
      <Text span size="sm" c="dimmed">
        {entry.state === 'running' && entry.status === null ? t('race.state.running') : stageWords(entry, t)}
      </Text>
    )
  }
  const passing = finishOf(ranking, entry)
  const other = otherTimeWords(entry, t, format)
  return (
    <>
      <strong>{format.duration(entry.finish_sec)}</strong>
      {passing !== undefined && <Margin passing={passing} format={format} />}
      {other !== undefined && (
        <Text size="xs" c="dimmed">
          {other}
        </Text>
      )}
    </>
  )
}

function PassingTime({ entry, checkpointId, format }: CellProps & { checkpointId: string }) {
  const passing = entry.passings.find(({ checkpoint_id }) => checkpoint_id === checkpointId)
  if (passing === undefined) return '–'
  return (
    <>
      {passing.elapsed_sec === null ? format.clock(passing.time_ms) : format.duration(passing.elapsed_sec)}
      <Margin passing={passing} format={format} />
    </>
  )
}

/** The exactness of a time, and a mark if it is from a stop near the line. */
function Margin({ passing, format }: { passing: Passing; format: Format }) {
  const { t } = useTranslation()
  return (
    <Text span size="xs" c="dimmed" ms={4} className="results-margin">
      {exactnessOf(passing, t, format)}
    </Text>
  )
}
