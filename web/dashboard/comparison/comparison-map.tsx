import type { MapLibreMap, MapMouseEvent } from 'maplibre-gl'
import { type CSSProperties, useCallback, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { colouredLine, gapLines } from '../../map/coloured-line.ts'
import { closestLongitude, nearestIndex, positionsOf, showAll } from '../../map/coordinates.ts'
import { MapView } from '../../map/map-view.tsx'
import { useMapLocale } from '../components/map-place.tsx'
import type { DrawnSeries } from '../tracks/drawn-series.ts'
import { pointAt, setFeatures } from '../tracks/track-layers.ts'
import { useMapPointer } from '../tracks/track-map.tsx'
import { valueAt } from './gap-over-distance.ts'
import { LETTERS, SIDE_COLOURS, type Side } from './sides.tsx'

type ComparisonMapProps = {
  series: readonly [DrawnSeries, DrawnSeries]
  /** The place of each at the cursor, as a fractional index of its points; null for nowhere. */
  places: readonly [number | null, number | null]
  readout: string | undefined
  /** The pointer is at a point of a track; undefined for a place beside both. */
  onPoint(at: { side: Side; index: number } | undefined): void
  onPick(at: { side: Side; index: number } | undefined): void
  height: CSSProperties['height']
}

/** Largest distance between the pointer and a line. */
const MAX_POINTER_DISTANCE_PX = 40
const SOURCES = ['compared-0', 'compared-1', 'compared-gaps', 'compared-ends', 'compared-cursor'] as const

/** Two tracks on the map, one solid and one dashed, each with its letter, and where both are at the cursor. */
export function ComparisonMap({ series, places, readout, onPoint, onPick, height }: ComparisonMapProps) {
  const { t } = useTranslation()
  const locale = useMapLocale()
  const [drawn, setDrawn] = useState<{ map: MapLibreMap }>()
  const onMap = useCallback((map: MapLibreMap | undefined) => setDrawn(map && { map }), [])
  const isPlaced = useRef(false)

  useEffect(() => {
    if (drawn === undefined) return
    drawTracks(drawn.map, series)
    if (isPlaced.current) return
    isPlaced.current = true
    showAll(
      drawn.map,
      series.flatMap(({ longitude, latitude }) => [...positionsOf(longitude, latitude)]),
    )
  }, [drawn, series])

  const [first, second] = places
  useEffect(() => {
    if (drawn === undefined) return
    const dots = ([0, 1] as const).flatMap((side) => dotOf(series[side], side === 0 ? first : second, side))
    setFeatures(drawn.map, 'compared-cursor', dots)
  }, [drawn, series, first, second])

  const placeAt = useCallback((event: MapMouseEvent) => pointAtPlace(series, event), [series])
  useMapPointer(drawn?.map, placeAt, onPoint, onPick)

  return (
    <div style={{ position: 'relative' }}>
      <MapView
        label={t('comparison.mapLabel')}
        locale={locale}
        failedLabel={t('map.failed')}
        onStyle={addComparedLayers}
        onMap={onMap}
        height={height}
      />
      {/* The slider of the charts says the same to a screen reader. */}
      {readout !== undefined && (
        <div aria-hidden className="map-readout figures">
          {readout}
        </div>
      )}
    </div>
  )
}

/** Returns the nearest point of either track, if it is near the pointer. */
function pointAtPlace(series: ComparisonMapProps['series'], { target: map, lngLat, point }: MapMouseEvent) {
  const near = ([0, 1] as const).flatMap((side) => {
    const { longitude, latitude } = series[side]
    const index = nearestIndex(longitude, latitude, lngLat)
    if (index < 0) return []
    const { x, y } = map.project([closestLongitude(longitude[index], lngLat.lng), latitude[index]])
    return [{ side, index, awayPx: Math.hypot(x - point.x, y - point.y) }]
  })
  const [nearest] = near.sort((a, b) => a.awayPx - b.awayPx)
  return nearest !== undefined && nearest.awayPx <= MAX_POINTER_DISTANCE_PX ? nearest : undefined
}

function drawTracks(map: MapLibreMap, series: ComparisonMapProps['series']): void {
  for (const side of [0, 1] as const) {
    setFeatures(map, `compared-${side}`, colouredLine(series[side], series[side].time_ms, undefined))
  }
  setFeatures(map, 'compared-gaps', series.flatMap(gapLines))
  setFeatures(
    map,
    'compared-ends',
    ([0, 1] as const).flatMap((side) => dotOf(series[side], series[side].time_ms.length - 1, side)),
  )
}

function dotOf({ longitude, latitude }: DrawnSeries, place: number | null, side: Side) {
  const [east, north] =
    place === null || place < 0 ? [null, null] : [valueAt(longitude, place), valueAt(latitude, place)]
  return east === null || north === null ? [] : [pointAt(east, north, { side, letter: LETTERS[side] })]
}

/** Adds the empty layers of two tracks: the dashed one above the solid one, which shows through where both are. */
function addComparedLayers(map: MapLibreMap, dark: boolean): void {
  const data = { type: 'FeatureCollection' as const, features: [] }
  for (const source of SOURCES) map.addSource(source, { type: 'geojson', data })
  const halo = dark ? '#1a1b1e' : '#ffffff'
  const colours = SIDE_COLOURS[dark ? 'dark' : 'light']
  const line = (id: string, source: string, paint: object) =>
    map.addLayer({ id, type: 'line', source, layout: { 'line-join': 'round' }, paint })
  line('compared-gaps', 'compared-gaps', { 'line-color': '#868e96', 'line-width': 2, 'line-dasharray': [1, 2] })
  for (const side of [0, 1]) {
    line(`compared-halo-${side}`, `compared-${side}`, { 'line-color': halo, 'line-width': 8, 'line-opacity': 0.8 })
  }
  line('compared-0', 'compared-0', { 'line-color': colours[0], 'line-width': 5 })
  line('compared-1', 'compared-1', { 'line-color': colours[1], 'line-width': 3.5, 'line-dasharray': [2.2, 1.4] })
  addDots(map, 'compared-ends', { colours, radiusPx: 8, halo })
  addDots(map, 'compared-cursor', { colours, radiusPx: 11, halo })
}

type Dots = { colours: readonly [string, string]; radiusPx: number; halo: string }

/** Adds dots with the letters of their tracks. Where both are at one place, the second one stands beside the first. */
function addDots(map: MapLibreMap, source: string, { colours, radiusPx, halo }: Dots): void {
  const shift: [number, number][] = [
    [-radiusPx * 0.8, 0],
    [radiusPx * 0.8, 0],
  ]
  for (const side of [0, 1] as const) {
    map.addLayer({
      id: `${source}-${side}`,
      type: 'circle',
      source,
      filter: ['==', ['get', 'side'], side],
      paint: {
        'circle-radius': radiusPx,
        'circle-color': colours[side],
        'circle-stroke-color': halo,
        'circle-stroke-width': 2,
        'circle-translate': shift[side],
      },
    })
    map.addLayer({
      id: `${source}-letter-${side}`,
      type: 'symbol',
      source,
      filter: ['==', ['get', 'side'], side],
      layout: { 'text-field': ['get', 'letter'], 'text-size': radiusPx * 1.4, 'text-allow-overlap': true },
      paint: { 'text-color': halo, 'text-translate': shift[side] },
    })
  }
}
