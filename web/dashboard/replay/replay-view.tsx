import { Button, Group, Text } from '@mantine/core'
import { useReducedMotion } from '@mantine/hooks'
import { Route } from 'lucide-react'
import { useCallback, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { EventReplay } from '../../../src/tracks/schemas/replay.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { MapPlace } from '../components/map-place.tsx'
import { useFormat } from '../i18n/format.ts'
import { LazyReplayMap } from './lazy-replay-map.ts'
import { ReplayControls } from './replay-controls.tsx'
import { ReplayPlayer } from './replay-player.ts'
import { runnersOf } from './replay-runners.ts'
import { ReplayStandings } from './replay-standings.tsx'
import { nextBusySec, type ReplayMode, timelineOf, usualMode } from './replay-timeline.ts'
import './replay-view.css'
import { ReplayWords } from './replay-words.tsx'
import { standingsAt } from './standings.ts'
import { usePlayerState, usePlaying } from './use-player.ts'
import { useReplayKeys } from './use-replay-keys.ts'

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
  const runners = useMemo(() => runnersOf(replay), [replay])
  const [mode, setMode] = useState<ReplayMode>(() => usualMode(runners))
  const timeline = useMemo(() => timelineOf(runners, mode), [runners, mode])
  const player = useMemo(() => {
    const { durationSec } = timeline
    return new ReplayPlayer({ durationSec, skipTo: (sec) => nextBusySec(timeline, sec) })
  }, [timeline])
  usePlaying(player, isStill)
  useReplayKeys(player)
  const { atSec } = usePlayerState(player, STANDINGS_EVERY_MS)
  const standings = useMemo(() => standingsAt(runners, timeline, atSec), [runners, timeline, atSec])
  const named = useMemo(() => standings.slice(0, MAX_NAMES).map(({ runner }) => runner), [standings])
  const [selectedId, setSelectedId] = useState<string>()
  const select = useCallback((id: string) => setSelectedId((before) => (before === id ? undefined : id)), [])
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
