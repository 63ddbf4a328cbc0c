import { useComputedColorScheme } from '@mantine/core'
import type { FeatureCollection } from 'geojson'
import type { GeoJSONSource, MapLibreMap } from 'maplibre-gl'
import { useCallback, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { EventReplay } from '../../../src/tracks/statistics/schemas.ts'
import { showAll, unwrapLongitudes } from '../../map/coordinates.ts'
import { MapView } from '../../map/map-view.tsx'
import { useMapLocale } from '../components/map-place.tsx'
import type { Scene } from './paint-scene.ts'
import { useCover } from './painter.ts'
import type { Player } from './player.ts'
import { elapsedSec, type Runner, type Timeline } from './replay-timeline.ts'

/** A trail has the last minutes; of a long event more, so that it is seen. */
const MIN_TRAIL_SEC = 120
const TRAIL_SHARE = 1 / 40

type ReplayMapProps = Pick<Scene<Runner>, 'runners' | 'named' | 'selectedId'> & {
  timeline: Timeline
  replay: EventReplay
  player: Player
  isStill: boolean
  onSelect(id: string): void
}

const LINES = 'replay-lines'
/** The runners of a replay on a map, drawn as often as the player moves. */
export function ReplayMap(props: ReplayMapProps) {
  const { replay, runners, timeline, player, named, selectedId, isStill, onSelect } = props
  const { t } = useTranslation()
  const locale = useMapLocale()
  const dark = useComputedColorScheme('light', { getInitialValueInEffect: false }) === 'dark'
  const [drawn, setDrawn] = useState<{ map: MapLibreMap }>()
  const onMap = useCallback((map: MapLibreMap | undefined) => setDrawn(map && { map }), [])
  const trailSec = Math.max(MIN_TRAIL_SEC, timeline.durationSec * TRAIL_SHARE)
  const scene = useRef<Omit<Scene<Runner>, 'pointedId'>>(undefined)
  scene.current = {
    runners,
    timeOf: (runner) => elapsedSec(timeline, runner, player.state.atSec),
    trailSec,
    selectedTrailSec: trailSec,
    named,
    selectedId,
    isFollowed: true,
    dark,
  }
  const cover = useCover(drawn?.map, player, {
    scene: () => scene.current as Omit<Scene, 'pointedId'>,
    onSelect,
    isStill,
  })
  const isPlaced = useRef(false)

  useEffect(() => {
    if (drawn === undefined) return
    void drawn.map.getSource<GeoJSONSource>(LINES)?.setData(linesOf(replay))
    if (isPlaced.current) return
    isPlaced.current = true
    showAll(drawn.map, positionsOf(replay), { hasNames: true })
  }, [drawn, replay])

  // biome-ignore lint/correctness/useExhaustiveDependencies: these are what the picture shows
  useEffect(() => cover.current?.repaint(), [runners, timeline, named, selectedId, dark])

  return (
    <MapView
      label={t('replay.mapLabel')}
      locale={locale}
      failedLabel={t('map.failed')}
      onStyle={addLines}
      onMap={onMap}
      height="100%"
    />
  )
}

/** Adds the faint lines of all tracks, which show the way before anyone has gone it. */
function addLines(map: MapLibreMap, dark: boolean): void {
  map.addSource(LINES, { type: 'geojson', data: { type: 'FeatureCollection', features: [] } })
  map.addLayer({
    id: LINES,
    type: 'line',
    source: LINES,
    layout: { 'line-cap': 'round', 'line-join': 'round' },
    paint: { 'line-color': dark ? '#868e96' : '#495057', 'line-width': 1.5, 'line-opacity': 0.35 },
  })
}

function linesOf({ tracks }: EventReplay): FeatureCollection {
  const coordinates = tracks.map(({ longitude, latitude }) =>
    unwrapLongitudes(longitude).map((value, i) => [value, latitude[i]]),
  )
  const geometry = { type: 'MultiLineString' as const, coordinates: coordinates.filter((line) => line.length > 1) }
  return { type: 'FeatureCollection', features: [{ type: 'Feature', properties: {}, geometry }] }
}

function* positionsOf({ tracks }: EventReplay) {
  for (const { longitude, latitude } of tracks) {
    for (let i = 0; i < longitude.length; i++) yield [longitude[i], latitude[i]] as const
  }
}
