import { type MapLayerMouseEvent, type MapLibreMap, Popup } from 'maplibre-gl'
import { type CSSProperties, useCallback, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { SharedTrack } from '../../../src/tracks/schemas/track-summaries.ts'
import { showAll } from '../../map/bounds.ts'
import { MapView } from '../../map/map-view.tsx'
import { mapStyleUrl, useMapWords } from '../tracks/use-map-locale.ts'
import { addLiveLayers, CHOSEN_HEAD, clearTracks, drawChosen, drawTracks, fitLook, HEADS } from './live-layers.ts'
import { headOf, type LiveTracks, type Position } from './live-tracks.ts'
import type { Live } from './use-live-tracks.ts'

type LiveMapProps<Track extends SharedTrack> = {
  live: Live<Track>
  selectedId: string | undefined
  /** The map goes where the selected track goes. */
  isFollowed: boolean
  /** The way of the selected track before its live line. */
  way: readonly Position[][]
  onSelect(id: string): void
  /** The map was moved by hand. */
  onMoved(): void
  height: CSSProperties['height']
}

/** A track that is chosen is seen at least so near. */
const NEAR_ZOOM = 13
/** More tracks than this are drawn finely. */
const MANY_TRACKS = 200

/** Where the tracks are, moving as they move; shows all of their ways at first, and then stays where one has moved it. */
export function LiveMap<Track extends SharedTrack>(props: LiveMapProps<Track>) {
  const { live, selectedId, isFollowed, way, onSelect, onMoved, height } = props
  const { t } = useTranslation()
  const words = useMapWords()
  const [drawn, setDrawn] = useState<{ map: MapLibreMap }>()
  const onMap = useCallback((map: MapLibreMap | undefined) => setDrawn(map && { map }), [])
  const isPlaced = useRef(false)
  const { tracks, version, state } = live
  useDrawing(drawn, tracks, version)

  // biome-ignore lint/correctness/useExhaustiveDependencies: the version is what says that the tracks changed
  useEffect(() => {
    if (drawn === undefined || isPlaced.current || state === 'opening') return
    const lines = [...tracks.byId.values()].flatMap(({ parts }) => parts)
    if (lines.length === 0) return
    isPlaced.current = true
    showAll(drawn.map, lines.flat(), { hasNames: true })
  }, [drawn, tracks, version, state])

  // biome-ignore lint/correctness/useExhaustiveDependencies: the version is what says that the tracks changed
  useEffect(() => {
    if (drawn === undefined) return
    const entry = selectedId === undefined ? undefined : tracks.byId.get(selectedId)
    drawChosen(drawn.map, selectedId, entry, way)
  }, [drawn, tracks, version, selectedId, way])

  const isMany = tracks.byId.size > MANY_TRACKS
  useEffect(() => {
    if (drawn !== undefined) fitLook(drawn.map, { isMany, hasChosen: selectedId !== undefined })
  }, [drawn, isMany, selectedId])

  const head = selectedId === undefined ? undefined : tracks.byId.get(selectedId)
  const place = head && headOf(head)
  const near = useRef<string>(undefined)
  useEffect(() => {
    if (drawn === undefined || place === undefined || !isFollowed) return
    const zoom = near.current === selectedId ? drawn.map.getZoom() : Math.max(drawn.map.getZoom(), NEAR_ZOOM)
    near.current = selectedId
    drawn.map.easeTo({ center: place, zoom })
  }, [selectedId, isFollowed, drawn, place?.[0], place?.[1]])

  usePointing(drawn?.map, onSelect, onMoved)
  return (
    <MapView
      styleUrl={mapStyleUrl}
      label={t('live.mapLabel')}
      words={words}
      failedLabel={t('map.failed')}
      onStyle={addLiveLayers}
      onMap={onMap}
      height={height}
    />
  )
}

/**
 * Draws what has changed, one drawing at a time: what changes while the map takes the last one in is drawn together
 * after it. A map whose style is new has nothing on it, and gets everything.
 */
function useDrawing(drawn: { map: MapLibreMap } | undefined, tracks: LiveTracks<SharedTrack>, version: number): void {
  const filled = useRef<{ drawn: object; tracks: object; isBusy: boolean }>(undefined)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the version is what says that the tracks changed
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

/** Names the track under the pointer, chooses it on a click, and tells when the map was moved by hand. */
function usePointing(map: MapLibreMap | undefined, onSelect: (id: string) => void, onMoved: () => void): void {
  const told = useRef({ onSelect, onMoved })
  told.current = { onSelect, onMoved }
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
      if (typeof id === 'string') told.current.onSelect(id)
    }
    const moved = () => told.current.onMoved()
    const layers = [HEADS, CHOSEN_HEAD]
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
