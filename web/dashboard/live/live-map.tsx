import { type MapLayerMouseEvent, type MapLibreMap, Popup } from 'maplibre-gl'
import { type CSSProperties, useCallback, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { SharedTrack } from '../../../src/tracks/schemas/track-summaries.ts'
import { showAll } from '../../map/bounds.ts'
import { MapView } from '../../map/map-view.tsx'
import { mapStyleUrl, useMapLocale } from '../tracks/use-map-locale.ts'
import {
  adaptLook,
  addLiveLayers,
  clearTracks,
  drawSelected,
  drawTracks,
  POSITIONS,
  SELECTED_POSITION,
} from './live-layers.ts'
import type { LiveSnapshot } from './live-store.ts'
import { headOf, type LiveTracks, type Position } from './live-tracks.ts'

type LiveMapProps<Track extends SharedTrack> = {
  live: LiveSnapshot<Track>
  selectedId: string | undefined
  /** Keeps the selected track in the centre of the map. */
  isFollowed: boolean
  /** The line of the selected track before its live line. */
  earlierLine: readonly Position[][]
  onSelect(id: string): void
  /** Called when the user drags the map. */
  onMoved(): void
  height: CSSProperties['height']
}

/** Lowest zoom at which a selected track is shown. */
const MIN_SELECTED_ZOOM = 13
/** More tracks than this are drawn with thin lines. */
const MANY_TRACKS = 200

/** The tracks of a stream on a map. It shows all lines at first, and then stays where the user has moved it. */
export function LiveMap<Track extends SharedTrack>(props: LiveMapProps<Track>) {
  const { live, selectedId, isFollowed, earlierLine, onSelect, onMoved, height } = props
  const { t } = useTranslation()
  const locale = useMapLocale()
  const [drawn, setDrawn] = useState<{ map: MapLibreMap }>()
  const onMap = useCallback((map: MapLibreMap | undefined) => setDrawn(map && { map }), [])
  const isFitted = useRef(false)
  const { tracks, version, state } = live
  useDrawing(drawn, tracks, version)

  // biome-ignore lint/correctness/useExhaustiveDependencies: the version tells that the tracks changed
  useEffect(() => {
    if (drawn === undefined || isFitted.current || state === 'opening') return
    const lines = [...tracks.byId.values()].flatMap(({ parts }) => parts)
    if (lines.length === 0) return
    isFitted.current = true
    showAll(drawn.map, lines.flat(), { hasNames: true })
  }, [drawn, tracks, version, state])

  // biome-ignore lint/correctness/useExhaustiveDependencies: the version tells that the tracks changed
  useEffect(() => {
    if (drawn === undefined) return
    const entry = selectedId === undefined ? undefined : tracks.byId.get(selectedId)
    drawSelected(drawn.map, selectedId, entry, earlierLine)
  }, [drawn, tracks, version, selectedId, earlierLine])

  const isMany = tracks.byId.size > MANY_TRACKS
  useEffect(() => {
    if (drawn !== undefined) adaptLook(drawn.map, { isMany, hasSelected: selectedId !== undefined })
  }, [drawn, isMany, selectedId])

  const head = selectedId === undefined ? undefined : tracks.byId.get(selectedId)
  const position = head && headOf(head)
  const near = useRef<string>(undefined)
  useEffect(() => {
    if (drawn === undefined || position === undefined || !isFollowed) return
    const zoom = near.current === selectedId ? drawn.map.getZoom() : Math.max(drawn.map.getZoom(), MIN_SELECTED_ZOOM)
    near.current = selectedId
    drawn.map.easeTo({ center: position, zoom })
  }, [selectedId, isFollowed, drawn, position?.[0], position?.[1]])

  usePointing(drawn?.map, onSelect, onMoved)
  return (
    <MapView
      styleUrl={mapStyleUrl}
      label={t('live.mapLabel')}
      locale={locale}
      failedLabel={t('map.failed')}
      onStyle={addLiveLayers}
      onMap={onMap}
      height={height}
    />
  )
}

/**
 * Draws what has changed, one update at a time: changes that come while the map processes an update are drawn together
 * after it. A map with a new style is empty and gets all tracks.
 */
function useDrawing(drawn: { map: MapLibreMap } | undefined, tracks: LiveTracks<SharedTrack>, version: number): void {
  const filled = useRef<{ drawn: object; tracks: object; isBusy: boolean }>(undefined)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the version tells that the tracks changed
  useEffect(() => {
    if (drawn === undefined) return
    if (filled.current?.drawn !== drawn || filled.current.tracks !== tracks) {
      clearTracks(drawn.map)
      for (const id of tracks.byId.keys()) tracks.changed.add(id)
      filled.current = { drawn, tracks, isBusy: false }
    }
    void draw(drawn.map, filled.current)

    async function draw(map: MapLibreMap, current: { isBusy: boolean }): Promise<void> {
      if (current.isBusy) return
      current.isBusy = true
      while (tracks.changed.size > 0 && filled.current === current) {
        const ids = [...tracks.changed]
        tracks.changed.clear()
        await drawTracks(map, tracks, ids).catch(() => {})
      }
      current.isBusy = false
    }
  }, [drawn, tracks, version])

  useEffect(
    () => () => {
      filled.current = undefined
    },
    [],
  )
}

/** Labels the track under the pointer, selects it on a click, and reports when the user drags the map. */
function usePointing(map: MapLibreMap | undefined, onSelect: (id: string) => void, onMoved: () => void): void {
  const latest = useRef({ onSelect, onMoved })
  latest.current = { onSelect, onMoved }
  useEffect(() => {
    if (map === undefined) return
    const popup = new Popup({ closeButton: false, closeOnClick: false, offset: 12 })
    const move = ({ features, lngLat }: MapLayerMouseEvent) => {
      map.getCanvas().style.cursor = 'pointer'
      popup
        .setLngLat(lngLat)
        .setText(String(features?.[0]?.properties.label ?? ''))
        .addTo(map)
    }
    const leave = () => {
      map.getCanvas().style.cursor = ''
      popup.remove()
    }
    const click = ({ features }: MapLayerMouseEvent) => {
      const id: unknown = features?.[0]?.properties.id
      if (typeof id === 'string') latest.current.onSelect(id)
    }
    const moved = () => latest.current.onMoved()
    const layers = [POSITIONS, SELECTED_POSITION]
    map.on('mousemove', layers, move)
    map.on('mouseleave', layers, leave)
    map.on('click', layers, click)
    map.on('dragstart', moved)
    return () => {
      popup.remove()
      map.off('mousemove', layers, move)
      map.off('mouseleave', layers, leave)
      map.off('click', layers, click)
      map.off('dragstart', moved)
    }
  }, [map])
}
