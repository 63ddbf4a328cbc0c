import type { MapLibreMap, MapMouseEvent } from 'maplibre-gl'
import { type CSSProperties, useCallback, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { closestLongitude, nearestIndex, positionsOf, showAll } from '../../map/coordinates.ts'
import { MapView } from '../../map/map-view.tsx'
import { useMapLocale } from '../components/map-place.tsx'
import { useFormat } from '../i18n/format.ts'
import { type DrawnSeries, type IndexRange, usePointWords } from './drawn-series.ts'
import { addTrackLayers, type ColouredBy, drawCursor, drawHighlight, drawMarks, drawTrack } from './track-layers.ts'

type TrackMapProps = {
  series: DrawnSeries
  activityType: string
  isUnderWay: boolean
  colouredBy: ColouredBy
  /** The index under the cursor, here or in the profile. */
  cursor: number | undefined
  /** The part that is marked, such as a split. */
  highlight: IndexRange | undefined
  onCursor(index: number | undefined): void
  /** A position was clicked; undefined for a place beside the track. */
  onPick(index: number | undefined): void
  height: CSSProperties['height']
}

/** Largest distance between the pointer and the line. */
const MAX_POINTER_DISTANCE_PX = 40

/** A track on the map. It reports the position under the pointer, and marks the position of the cursor and a part. */
export function TrackMap(props: TrackMapProps) {
  const { series, activityType, isUnderWay, colouredBy, cursor, highlight, onCursor, onPick, height } = props
  const { t } = useTranslation()
  const locale = useMapLocale()
  const format = useFormat()
  const [drawn, setDrawn] = useState<{ map: MapLibreMap }>()
  const onMap = useCallback((map: MapLibreMap | undefined) => setDrawn(map && { map }), [])
  const isPlaced = useRef(false)
  const words = usePointWords(series, activityType)

  useEffect(() => {
    if (drawn === undefined) return
    drawTrack(drawn.map, series, colouredBy)
    const finish = isUnderWay || series.time_ms.length < 2 ? '' : t('track.finish')
    const along = (count: number) => `${format.number(count)} ${format.units.far}`
    drawMarks(drawn.map, series, format.units.metersPerFar, { start: t('track.start'), finish, along })
    if (isPlaced.current || series.longitude.length === 0) return
    isPlaced.current = true
    showAll(drawn.map, positionsOf(series.longitude, series.latitude))
  }, [drawn, series, colouredBy, isUnderWay, t, format])

  useEffect(() => {
    if (drawn !== undefined) drawHighlight(drawn.map, series, highlight)
  }, [drawn, series, highlight])

  useEffect(() => {
    if (drawn !== undefined) drawCursor(drawn.map, series, cursor)
  }, [drawn, series, cursor])

  const indexAt = useCallback(
    ({ target: map, lngLat, point: place }: MapMouseEvent) => {
      const index = nearestIndex(series.longitude, series.latitude, lngLat)
      if (index < 0) return undefined
      const { x, y } = map.project([closestLongitude(series.longitude[index], lngLat.lng), series.latitude[index]])
      return Math.hypot(x - place.x, y - place.y) <= MAX_POINTER_DISTANCE_PX ? index : undefined
    },
    [series],
  )
  useMapPointer(drawn?.map, indexAt, onCursor, onPick)

  return (
    <div style={{ position: 'relative' }}>
      <MapView
        label={t('track.mapLabel')}
        locale={locale}
        failedLabel={t('map.failed')}
        onStyle={addTrackLayers}
        onMap={onMap}
        height={height}
      />
      {/* The slider of the profile says the same to a screen reader. */}
      {cursor !== undefined && (
        <div aria-hidden className="map-readout figures">
          {words(cursor)}
        </div>
      )}
    </div>
  )
}

/**
 * Reports what is under the pointer on a map, and what is clicked. `placeOf` finds it; undefined for nothing, and once
 * the pointer has left.
 */
export function useMapPointer<Place>(
  map: MapLibreMap | undefined,
  placeOf: (event: MapMouseEvent) => Place | undefined,
  onPoint: (place: Place | undefined) => void,
  onPick: (place: Place | undefined) => void,
): void {
  useEffect(() => {
    if (map === undefined) return
    const point = (event: MapMouseEvent) => onPoint(placeOf(event))
    const pick = (event: MapMouseEvent) => onPick(placeOf(event))
    const leave = () => onPoint(undefined)
    map.on('mousemove', point)
    map.on('click', pick)
    map.on('mouseout', leave)
    return () => {
      map.off('mousemove', point)
      map.off('click', pick)
      map.off('mouseout', leave)
    }
  }, [map, placeOf, onPoint, onPick])
}
