import { type MapLibreMap, type MapMouseEvent, Marker } from 'maplibre-gl'
import { type CSSProperties, useCallback, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { positionsOf, showAll } from '../../map/coordinates.ts'
import { MapView } from '../../map/map-view.tsx'
import { useMapLocale } from '../components/map-place.tsx'
import type { CourseLine } from '../generated/types.gen.ts'
import { useFormat } from '../i18n/format.ts'
import { type CheckpointDraft, nearestAlong, placeAlong } from './checkpoint-drafts.ts'
import { addCourseLayers, drawCheckpoints, drawCourse, KIND_COLOURS } from './course-layers.ts'
import './course.css'

type CourseMapProps = {
  line: CourseLine
  drafts: readonly CheckpointDraft[]
  selectedKey?: string | undefined
  onSelect?(key: string): void
  /**
   * Called while and after a checkpoint is dragged, with its new distance along the course. Without it, none can be.
   */
  onMove?(key: string, distanceM: number): void
  /** Called for a click on the course. */
  onAdd?(distanceM: number): void
  height: CSSProperties['height']
}

/** Largest distance between a click and the course. */
const MAX_CLICK_PX = 14

/** A course on a map. Its checkpoints are dragged along it, and added by a click on it. */
export function CourseMap(props: CourseMapProps) {
  const { line, drafts, height } = props
  const { t } = useTranslation()
  const locale = useMapLocale()
  const format = useFormat()
  const [drawn, setDrawn] = useState<{ map: MapLibreMap }>()
  const onMap = useCallback((map: MapLibreMap | undefined) => setDrawn(map && { map }), [])
  const placed = useRef<CourseLine>(undefined)

  useEffect(() => {
    if (drawn === undefined) return
    drawCourse(drawn.map, line, format)
    if (placed.current === line) return
    placed.current = line
    showAll(drawn.map, positionsOf(line.longitude, line.latitude), { hasNames: true })
  }, [drawn, line, format])

  useEffect(() => {
    if (drawn === undefined) return
    const shown = drafts.map(({ distanceM, ...draft }) => ({ ...draft, course_distance_m: distanceM }))
    drawCheckpoints(drawn.map, line, shown)
  }, [drawn, line, drafts])

  const latest = useRef(props)
  latest.current = props
  useMarkers(drawn?.map, props, latest)
  useEffect(() => {
    if (drawn === undefined) return
    const { map } = drawn
    const click = ({ lngLat, originalEvent }: MapMouseEvent) => {
      if (originalEvent.target instanceof Element && originalEvent.target.closest('.checkpoint-marker')) return
      const nearest = nearestAlong(line, lngLat)
      if (nearest !== undefined && pixelsAway(map, line, nearest.distanceM, lngLat) <= MAX_CLICK_PX) {
        latest.current.onAdd?.(nearest.distanceM)
      }
    }
    map.on('click', click)
    return () => void map.off('click', click)
  }, [drawn, line])

  return (
    <MapView
      label={t('race.mapLabel')}
      locale={locale}
      failedLabel={t('map.failed')}
      onStyle={addCourseLayers}
      onMap={onMap}
      height={height}
    />
  )
}

/** The properties of the map as they were last rendered, for listeners that stay. */
type Latest = { current: CourseMapProps }

/**
 * Keeps a marker for each checkpoint, which can be dragged along the course. The
 * fields beside the map are for the keyboard.
 */
function useMarkers(map: MapLibreMap | undefined, { line, drafts, selectedKey }: CourseMapProps, latest: Latest): void {
  const markers = useRef(new Map<string, Marker>())
  useEffect(() => {
    if (map === undefined) return
    const kept = markers.current
    for (const draft of drafts) {
      const { longitude, latitude } = placeAlong(line, draft.distanceM)
      const marker = kept.get(draft.key) ?? makeMarker(map, draft, latest)
      kept.set(draft.key, marker)
      marker.setLngLat([longitude, latitude])
      const element = marker.getElement()
      element.style.setProperty('--kind-colour', KIND_COLOURS[draft.kind])
      element.title = draft.name
      element.toggleAttribute('data-selected', draft.key === selectedKey)
    }
    for (const [key, marker] of kept) {
      if (drafts.some((draft) => draft.key === key)) continue
      marker.remove()
      kept.delete(key)
    }
  }, [map, line, drafts, selectedKey, latest])
  // biome-ignore lint/correctness/useExhaustiveDependencies: the markers of a map end with it
  useEffect(() => {
    const kept = markers.current
    return () => {
      for (const marker of kept.values()) marker.remove()
      kept.clear()
    }
  }, [map])
}

function makeMarker(map: MapLibreMap, { key, distanceM }: CheckpointDraft, latest: Latest): Marker {
  const element = document.createElement('div')
  element.className = 'checkpoint-marker'
  const { longitude, latitude } = placeAlong(latest.current.line, distanceM)
  const marker = new Marker({ element, draggable: latest.current.onMove !== undefined })
    .setLngLat([longitude, latitude])
    .addTo(map)
  // MapLibre gives it a label of its own; the fields beside the map have the name.
  element.removeAttribute('aria-label')
  element.setAttribute('aria-hidden', 'true')
  marker.on('dragstart', () => latest.current.onSelect?.(key))
  marker.on('drag', () => {
    const { line, drafts } = latest.current
    const before = drafts.find((draft) => draft.key === key)?.distanceM
    const nearest = nearestAlong(line, marker.getLngLat(), before)
    if (nearest !== undefined) latest.current.onMove?.(key, nearest.distanceM)
  })
  element.addEventListener('click', () => latest.current.onSelect?.(key))
  return marker
}

function pixelsAway(
  map: MapLibreMap,
  line: CourseLine,
  distanceM: number,
  place: { lng: number; lat: number },
): number {
  const { longitude, latitude } = placeAlong(line, distanceM)
  const [a, b] = [map.project([longitude, latitude]), map.project([place.lng, place.lat])]
  return Math.hypot(a.x - b.x, a.y - b.y)
}
