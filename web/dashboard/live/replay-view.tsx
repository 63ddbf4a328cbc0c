import { Button, Group, Text, UnstyledButton, VisuallyHidden } from '@mantine/core'
import { useReducedMotion } from '@mantine/hooks'
import { Route } from 'lucide-react'
import { type CSSProperties, lazy, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { foldText } from '../../../src/platform/basics/text.ts'
import type { EventReplay } from '../../../src/tracks/statistics/schemas.ts'
import { EmptyState } from '../../ui/titles.tsx'
import { RunnerSearch } from '../components/lists.tsx'
import { MapPlace } from '../components/map-place.tsx'
import { useFormat } from '../i18n/format.ts'
import { Player, usePlayerState, usePlaying } from './player.ts'
import { ReplayControls, timeWords, useReplayKeys } from './replay-controls.tsx'
import {
  nextBusySec,
  type ReplayMode,
  type Runner,
  runnersOf,
  type Standing,
  standingsAt,
  type Timeline,
  timelineOf,
  usualMode,
} from './replay-timeline.ts'
import { useSelectedRunner } from './selected-runner.ts'
import './replay-view.css'

/** The order of the runners changes too slowly to be drawn with every frame. */
const STANDINGS_EVERY_MS = 500
/** Names on the map; more would only cover each other. */
const MAX_NAMES = 40

type ReplayViewProps = { replay: EventReplay; onReload(): void }

/** An event played again: its runners on a map and in their order, with controls. */
export function ReplayView({ replay, onReload }: ReplayViewProps) {
  const { t } = useTranslation()
  if (replay.tracks.length === 0) {
    return (
      <EmptyState icon={Route} title={t('replay.empty')}>
        {t('replay.emptyHelp')}
      </EmptyState>
    )
  }
  return <Replayed replay={replay} onReload={onReload} />
}

function Replayed({ replay, onReload }: ReplayViewProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const isStill = useReducedMotion()
  const runners = useMemo(() => runnersOf(replay, format.trackName), [replay, format])
  const [mode, setMode] = useState<ReplayMode>(() => usualMode(runners))
  const timeline = useMemo(() => timelineOf(runners, mode), [runners, mode])
  const player = useMemo(() => {
    const { durationSec } = timeline
    return new Player({ fromSec: 0, untilSec: durationSec, skipTo: (sec) => nextBusySec(timeline, sec) })
  }, [timeline])
  usePlaying(player, isStill)
  useReplayKeys(player)
  const { atSec } = usePlayerState(player, STANDINGS_EVERY_MS)
  const standings = useMemo(() => standingsAt(runners, timeline, atSec), [runners, timeline, atSec])
  const named = useMemo(() => standings.slice(0, MAX_NAMES).map(({ runner }) => runner), [standings])
  const [selectedId, setSelectedId] = useSelectedRunner()
  const select = useCallback(
    (id: string) => setSelectedId(selectedId === id ? undefined : id),
    [selectedId, setSelectedId],
  )
  const left = replay.tracks_total - replay.tracks.length
  return (
    <>
      <div className="replay-view">
        <div className="replay-stage">
          <div className="replay-map">
            <MapPlace height="100%">
              <LazyReplayMap
                replay={replay}
                runners={runners}
                timeline={timeline}
                player={player}
                named={named}
                selectedId={selectedId}
                isStill={isStill}
                onSelect={select}
              />
            </MapPlace>
          </div>
          <ReplayControls player={player} timeline={timeline} onMode={setMode} />
        </div>
        <ReplayStandings runners={runners} standings={standings} selectedId={selectedId} onSelect={select} />
      </div>
      <Group justify="space-between" mt="xs" gap="sm">
        <Text size="sm" c="dimmed" visibleFrom="md">
          {t('replay.keys')}
        </Text>
        {runners.some(({ isUnderWay }) => isUnderWay) && (
          <Group gap="sm">
            <Text size="sm">{t('replay.goingOn')}</Text>
            <Button size="compact-sm" variant="default" onClick={onReload}>
              {t('replay.reload')}
            </Button>
          </Group>
        )}
      </Group>
      {left > 0 && (
        <Text size="sm" c="dimmed" mt="xs">
          {t('replay.leftOut', { count: left, figure: format.count(left) })}
        </Text>
      )}
      <ReplayWords player={player} runners={runners} timeline={timeline} />
    </>
  )
}

/** The map of a replay. The list of the runners does not wait for its code. */
const LazyReplayMap = lazy(async () => ({ default: (await import('./replay-map.tsx')).ReplayMap }))

/** While a replay plays, it is told this often; a screen reader needs some seconds for a sentence. */
const PLAYING_EVERY_MS = 15_000
/** After a move, the keys may be pressed again at once. */
const SETTLED_MS = 600

type ReplayWordsProps = { player: Player; runners: readonly Runner[]; timeline: Timeline }

/** Tells screen readers the time of a replay and its leader: after each move, and now and then while it plays. */
function ReplayWords({ player, runners, timeline }: ReplayWordsProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const [atSec, setAtSec] = useState(player.state.atSec)
  const toldMs = useRef(0)
  useEffect(() => {
    let settling: ReturnType<typeof setTimeout> | undefined
    const tell = () => {
      toldMs.current = performance.now()
      setAtSec(player.state.atSec)
    }
    const changed = () => {
      clearTimeout(settling)
      if (!player.state.isPlaying) settling = setTimeout(tell, SETTLED_MS)
      else if (performance.now() - toldMs.current >= PLAYING_EVERY_MS) tell()
    }
    const leave = player.subscribe(changed)
    return () => {
      leave()
      clearTimeout(settling)
    }
  }, [player])
  const standings = useMemo(() => standingsAt(runners, timeline, atSec), [runners, timeline, atSec])
  const ended = standings.filter(({ state }) => state === 'ended').length
  const { runner, meters, state } = standings[0]
  return (
    <VisuallyHidden role="status">
      {[
        timeWords(timeline, atSec, format),
        ...(state === 'waiting' ? [] : [t('replay.leader', { name: runner.name, distance: format.distance(meters) })]),
        ...(ended === 0 ? [] : [t('replay.ended', { count: ended, figure: format.count(ended) })]),
      ].join('. ')}
    </VisuallyHidden>
  )
}

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
function ReplayStandings({ runners, standings, selectedId, onSelect }: ReplayStandingsProps) {
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
