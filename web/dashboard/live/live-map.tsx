import { type MapLayerMouseEvent, type MapLibreMap, Popup } from 'maplibre-gl'
import { type CSSProperties, useCallback, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { SharedTrack } from '../../../src/tracks/operator-schemas.ts'
import { showAll } from '../../map/bounds.ts'
import { MapView } from '../../map/map-view.tsx'
import { mapStyleUrl, useMapWords } from '../map/use-map-words.ts'
import { addLiveLayers, drawLive, HEADS } from './live-layers.ts'
import { headOf } from './live-tracks.ts'
import type { Live } from './use-live-tracks.ts'

type LiveMapProps<Track extends SharedTrack> = {
  live: Live<Track>
  selectedId: string | undefined
  onSelect(id: string): void
  height: CSSProperties['height']
}

/** Where the tracks are, moving as they move; shows all of their ways at first, and then stays where one has moved it. */
export function LiveMap<Track extends SharedTrack>({ live, selectedId, onSelect, height }: LiveMapProps<Track>) {
  const { t } = useTranslation()
  const words = useMapWords()
  const [drawn, setDrawn] = useState<{ map: MapLibreMap }>()
  const onMap = useCallback((map: MapLibreMap | undefined) => setDrawn(map && { map }), [])
  const isPlaced = useRef(false)
  const { tracks, version, state } = live

  // biome-ignore lint/correctness/useExhaustiveDependencies: the version is what says that the tracks changed
  useEffect(() => {
    if (drawn === undefined) return
    drawLive(drawn.map, tracks, selectedId)
    if (isPlaced.current || state === 'opening') return
    const lines = [...tracks.values()].flatMap(({ parts }) => parts)
    if (lines.length === 0) return
    isPlaced.current = true
    showAll(drawn.map, lines.flat(), false)
  }, [drawn, tracks, version, state, selectedId])

  // biome-ignore lint/correctness/useExhaustiveDependencies: it is moved to the track that was chosen, not after it
  useEffect(() => {
    const head = selectedId === undefined ? undefined : tracks.get(selectedId)
    const place = head && headOf(head)
    if (drawn === undefined || place === undefined) return
    drawn.map.easeTo({ center: place, zoom: Math.max(drawn.map.getZoom(), 12) })
  }, [selectedId, drawn])

  usePointing(drawn?.map, onSelect)
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

/** Names the track under the pointer, and chooses it on a click. */
function usePointing(map: MapLibreMap | undefined, onSelect: (id: string) => void): void {
  const select = useRef(onSelect)
  select.current = onSelect
  useEffect(() => {
    if (map === undefined) return
    const popup = new Popup({ closeButton: false, closeOnClick: false, offset: 12 })
    const move = ({ features, lngLat }: MapLayerMouseEvent) => {
      map.getCanvas().style.cursor = 'pointer'
      popup
        .setLngLat(lngLat)
        .setText(String(features?.[0]?.properties.title ?? ''))
        .addTo(map)
    }
    const leave = () => {
      map.getCanvas().style.cursor = ''
      popup.remove()
    }
    const click = ({ features }: MapLayerMouseEvent) => {
      const id: unknown = features?.[0]?.properties.id
      if (typeof id === 'string') select.current(id)
    }
    map.on('mousemove', HEADS, move)
    map.on('mouseleave', HEADS, leave)
    map.on('click', HEADS, click)
    return () => {
      popup.remove()
      map.off('mousemove', HEADS, move)
      map.off('mouseleave', HEADS, leave)
      map.off('click', HEADS, click)
    }
  }, [map])
}
