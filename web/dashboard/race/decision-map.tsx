import { useQuery } from '@tanstack/react-query'
import type { Feature } from 'geojson'
import type { GeoJSONSource, MapLibreMap } from 'maplibre-gl'
import { useCallback, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { nearestIndex, positionsOf, showAll, unwrapLongitudes } from '../../map/coordinates.ts'
import { MapView } from '../../map/map-view.tsx'
import { courseQuery } from '../api/queries.ts'
import { useMapLocale } from '../components/map-place.tsx'
import { operatorGetSeriesOptions, operatorListCheckpointsOptions } from '../generated/@tanstack/react-query.gen.ts'
import type { Decision, TrackSeries } from '../generated/types.gen.ts'
import { useFormat } from '../i18n/format.ts'
import { outlineOf } from './checkpoint-drafts.ts'
import { addCourseLayers, drawCheckpoints, drawCourse } from './course-layers.ts'

/** Positions of the track: some seconds apart even after a day. */
const POINTS = 20_000
const LINE = 'decision-line'
const PLACES = 'decision-places'

/** The piece of map that shows a doubt: the course, its checkpoints, and the way of the runner around it. */
export function DecisionMap({ eventId, decision }: { eventId: string; decision: Decision }) {
  const { t } = useTranslation()
  const locale = useMapLocale()
  const format = useFormat()
  const [drawn, setDrawn] = useState<{ map: MapLibreMap }>()
  const onMap = useCallback((map: MapLibreMap | undefined) => setDrawn(map && { map }), [])
  const { data: course } = useQuery(courseQuery(eventId))
  const { data: list } = useQuery(operatorListCheckpointsOptions({ path: { id: eventId } }))
  const track = { path: { id: decision.track_id }, query: { points: POINTS } }
  const { data: series } = useQuery(operatorGetSeriesOptions(track))

  useEffect(() => {
    if (drawn === undefined || course == null || list === undefined) return
    drawCourse(drawn.map, course.line, format)
    drawCheckpoints(drawn.map, course.line, list.checkpoints)
    const checkpoint = list.checkpoints.find(({ id }) => id === decision.checkpoint.id)
    const outline = checkpoint === undefined ? [] : outlineOf(checkpoint.shape)
    const { line, places } = series === undefined ? NOTHING : partOf(series, decision, outline)
    setFeatures(drawn.map, LINE, line.length < 2 ? [] : [{ type: 'LineString', coordinates: line }])
    setFeatures(
      drawn.map,
      PLACES,
      places.map((coordinates) => ({ type: 'Point', coordinates })),
    )
    showAll(drawn.map, [...outline, ...places], { hasNames: true, maxZoom: 17 })
  }, [drawn, course, list, series, decision, format])

  return (
    <MapView
      label={t('race.decision.map')}
      locale={locale}
      failedLabel={t('map.failed')}
      onStyle={addLayers}
      onMap={onMap}
      height="min(320px, 40dvh)"
    />
  )
}

type Position = [longitude: number, latitude: number]

const NOTHING: { line: Position[]; places: Position[] } = { line: [], places: [] }

/** Returns the way around a doubt, and its places: both times, or the nearest to the checkpoint. */
function partOf(series: TrackSeries, decision: Decision, outline: readonly (readonly [number, number])[]) {
  const { time_ms, latitude } = series
  const longitude = unwrapLongitudes(series.longitude)
  const [fromMs, untilMs] = [Date.parse(decision.shown_from), Date.parse(decision.shown_until)]
  const first = time_ms.findIndex((ms) => ms >= fromMs)
  const after = time_ms.findIndex((ms) => ms > untilMs)
  const end = after === -1 ? time_ms.length : after
  if (first === -1 || first >= end) return NOTHING
  const line = [...positionsOf(longitude.slice(first, end), latitude.slice(first, end))].map((at): Position => [...at])
  const atTime = (iso: string): Position => {
    const index = Math.max(
      0,
      time_ms.findLastIndex((ms) => ms <= Date.parse(iso)),
    )
    return [longitude[index], latitude[index]]
  }
  const { kind, time, counted_time } = decision
  if (kind === 'near_stop') return { line, places: [atTime(time)] }
  if (kind === 'two_passings') return { line, places: [atTime(time), ...(counted_time ? [atTime(counted_time)] : [])] }
  if (kind === 'silent' || outline.length === 0) return { line, places: [line[line.length - 1]] }
  const [lng, lat] = outline[0]
  const nearest = nearestIndex(
    line.map(([east]) => east),
    line.map(([, north]) => north),
    { lng, lat },
  )
  return { line, places: [line[nearest]] }
}

function addLayers(map: MapLibreMap, dark: boolean): void {
  addCourseLayers(map, dark)
  for (const source of [LINE, PLACES]) {
    map.addSource(source, { type: 'geojson', data: { type: 'FeatureCollection', features: [] } })
  }
  const [ink, halo] = dark ? ['#ffffff', '#1a1b1e'] : ['#1a1b1e', '#ffffff']
  const layout = { 'line-cap': 'round', 'line-join': 'round' } as const
  map.addLayer({ id: LINE, type: 'line', source: LINE, layout, paint: { 'line-color': '#1971c2', 'line-width': 4 } })
  map.addLayer({
    id: PLACES,
    type: 'circle',
    source: PLACES,
    paint: { 'circle-radius': 8, 'circle-color': ink, 'circle-stroke-color': halo, 'circle-stroke-width': 2 },
  })
}

function setFeatures(map: MapLibreMap, source: string, geometries: Feature['geometry'][]): void {
  const features = geometries.map((geometry): Feature => ({ type: 'Feature', properties: {}, geometry }))
  void map.getSource<GeoJSONSource>(source)?.setData({ type: 'FeatureCollection', features })
}
