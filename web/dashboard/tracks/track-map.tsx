import type { MapLibreMap, MapMouseEvent } from 'maplibre-gl'
import { type CSSProperties, useCallback, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { positionsOf, showAll } from '../../map/bounds.ts'
import { MapView } from '../../map/map-view.tsx'
import { nearestIndex } from '../../map/nearest-index.ts'
import { closestLongitude } from '../../map/unwrap-longitudes.ts'
import type { TrackSeries } from '../api/tracks.ts'
import { useFormat } from '../i18n/format.ts'
import { addTrackLayers, type ColouredBy, drawCursor, drawMarks, drawTrack } from './track-layers.ts'
import { mapStyleUrl, useMapLocale } from './use-map-locale.ts'

type TrackMapProps = {
  series: TrackSeries
  isUnderWay: boolean
  colouredBy: ColouredBy
  /** The index under the cursor, here or in the profile. */
  cursor: number | undefined
  onCursor(index: number | undefined): void
  height: CSSProperties['height']
}

/** Largest distance between the pointer and the line. */
const MAX_POINTER_DISTANCE_PX = 40

/** A track on the map. It reports the position under the pointer, and marks the position of the cursor. */
export function TrackMap({ series, isUnderWay, colouredBy, cursor, onCursor, height }: TrackMapProps) {
  const { t } = useTranslation()
  const locale = useMapLocale()
  const format = useFormat()
  const [drawn, setDrawn] = useState<{ map: MapLibreMap }>()
  const onMap = useCallback((map: MapLibreMap | undefined) => setDrawn(map && { map }), [])
  const isPlaced = useRef(false)

  useEffect(() => {
    if (drawn === undefined) return
    drawTrack(drawn.map, series, colouredBy)
    const finish = isUnderWay ? '' : t('track.finish')
    drawMarks(drawn.map, series, { start: t('track.start'), finish, km: (km) => format.number(km) })
    if (isPlaced.current || series.longitude.length === 0) return
    isPlaced.current = true
    showAll(drawn.map, positionsOf(series.longitude, series.latitude))
  }, [drawn, series, colouredBy, isUnderWay, t, format])

  useEffect(() => {
    if (drawn !== undefined) drawCursor(drawn.map, series, cursor)
  }, [drawn, series, cursor])

  useEffect(() => {
    if (drawn === undefined) return
    const { map } = drawn
    const point = ({ lngLat, point: place }: MapMouseEvent) => {
      const index = nearestIndex(series.longitude, series.latitude, lngLat)
      if (index < 0) return
      const { x, y } = map.project([closestLongitude(series.longitude[index], lngLat.lng), series.latitude[index]])
      onCursor(Math.hypot(x - place.x, y - place.y) <= MAX_POINTER_DISTANCE_PX ? index : undefined)
    }
    const leave = () => onCursor(undefined)
    map.on('mousemove', point)
    map.on('click', point)
    map.on('mouseout', leave)
    return () => {
      map.off('mousemove', point)
      map.off('click', point)
      map.off('mouseout', leave)
    }
  }, [drawn, series, onCursor])

  return (
    <MapView
      styleUrl={mapStyleUrl}
      label={t('track.mapLabel')}
      locale={locale}
      failedLabel={t('map.failed')}
      onStyle={addTrackLayers}
      onMap={onMap}
      height={height}
    />
  )
}
