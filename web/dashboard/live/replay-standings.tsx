import { Text, UnstyledButton } from '@mantine/core'
import { type CSSProperties, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { foldText } from '../../../src/platform/basics/text.ts'
import { RunnerSearch } from '../components/lists.tsx'
import { useFormat } from '../i18n/format.ts'
import type { Runner, Standing } from './replay-timeline.ts'

/** Entries that are shown; the search finds all others. */
const MAX_SHOWN = 100
/** Fewer runners are seen at a glance and need no search. */
const MIN_RUNNERS_FOR_SEARCH = 8

type ReplayStandingsProps = {
  runners: readonly Runner[]
  standings: readonly Standing[]
  selectedId: string | undefined
  onSelect(id: string): void
}

/** The runners at a moment of a replay, by their distance, furthest first. */
export function ReplayStandings({ runners, standings, selectedId, onSelect }: ReplayStandingsProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const [text, setText] = useState('')
  const folded = useMemo(() => new Map(runners.map(({ id, name }) => [id, foldText(name)])), [runners])
  const sought = foldText(text.trim())
  const found = standings
    .map((standing, i) => ({ ...standing, place: i + 1 }))
    .filter(({ runner }) => folded.get(runner.id)!.includes(sought))
  return (
    <section className="replay-standings" aria-label={t('replay.standings')}>
      {standings.length >= MIN_RUNNERS_FOR_SEARCH && <RunnerSearch text={text} onText={setText} />}
      <ol>
        {found.slice(0, MAX_SHOWN).map(({ runner, state, meters, elapsedSec, place }) => (
          <li key={runner.id}>
            <UnstyledButton
              className="replay-standing"
              aria-pressed={runner.id === selectedId}
              onClick={() => onSelect(runner.id)}
            >
              <Text span size="sm" c="dimmed" ta="end" className="figures">
                {state === 'waiting' ? '' : place}
              </Text>
              <span
                className="replay-swatch"
                data-state={state}
                style={{ '--runner-colour': runner.colour } as CSSProperties}
              />
              <Text span size="sm" truncate title={runner.name}>
                {runner.name}
              </Text>
              <Text span size="sm" c="dimmed" className="figures">
                {state === 'waiting' ? t('replay.waiting') : figureOf(state, meters, elapsedSec)}
              </Text>
            </UnstyledButton>
          </li>
        ))}
      </ol>
      {found.length > MAX_SHOWN && (
        <Text size="xs" c="dimmed">
          {t('replay.more', { figure: format.count(found.length - MAX_SHOWN) })}
        </Text>
      )}
    </section>
  )

  function figureOf(state: Standing['state'], meters: number, elapsedSec: number): string {
    const distance = format.distance(meters)
    return state === 'ended' ? `${distance} · ${format.duration(elapsedSec)}` : distance
  }
}
