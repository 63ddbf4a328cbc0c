import { type MapLibreMap, type MapMouseEvent, Marker } from 'maplibre-gl'
import { type CSSProperties, useCallback, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { positionsOf, showAll } from '../../map/bounds.ts'
import { MapView } from '../../map/map-view.tsx'
import type { CourseLine } from '../api/races.ts'
import { useFormat } from '../i18n/format.ts'
import type { CheckpointDraft } from '../tracks/course/checkpoint-drafts.ts'
import { useMapLocale } from '../tracks/use-map-locale.ts'
import './course-map.css'
import { addCourseLayers, drawCheckpoints, drawCourse, KIND_COLOURS } from '../tracks/course/course-layers.ts'
import { nearestAlong, placeAlong } from '../tracks/course/course-places.ts'

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
  const { line, drafts, selectedKey, onSelect, onMove, onAdd, height } = props
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

  const told = useRef({ onSelect, onMove, onAdd })
  told.current = { onSelect, onMove, onAdd }
  useMarkers(drawn?.map, { line, drafts, selectedKey, told })
  useEffect(() => {
    if (drawn === undefined) return
    const { map } = drawn
    const click = ({ lngLat, originalEvent }: MapMouseEvent) => {
      if (originalEvent.target instanceof Element && originalEvent.target.closest('.checkpoint-marker')) return
      const nearest = nearestAlong(line, lngLat)
      if (nearest !== undefined && pixelsAway(map, line, nearest.distanceM, lngLat) <= MAX_CLICK_PX) {
        told.current.onAdd?.(nearest.distanceM)
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

type Marked = Pick<CourseMapProps, 'line' | 'drafts' | 'selectedKey'> & {
  told: { current: Pick<CourseMapProps, 'onSelect' | 'onMove'> }
}

/**
 * Keeps a marker for each checkpoint, which can be dragged along the course. The
 * fields beside the map are for the keyboard.
 */
function useMarkers(map: MapLibreMap | undefined, { line, drafts, selectedKey, told }: Marked): void {
  const markers = useRef(new Map<string, Marker>())
  const state = useRef({ line, drafts })
  state.current = { line, drafts }
  useEffect(() => {
    if (map === undefined) return
    const kept = markers.current
    for (const draft of drafts) {
      const { longitude, latitude } = placeAlong(line, draft.distanceM)
      const marker = kept.get(draft.key) ?? makeMarker(map, draft, { state, told })
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
  }, [map, line, drafts, selectedKey, told])
  // biome-ignore lint/correctness/useExhaustiveDependencies: the markers of a map end with it
  useEffect(() => {
    const kept = markers.current
    return () => {
      for (const marker of kept.values()) marker.remove()
      kept.clear()
    }
  }, [map])
}

type Live = {
  state: { current: { line: CourseLine; drafts: readonly CheckpointDraft[] } }
  told: Marked['told']
}

function makeMarker(map: MapLibreMap, { key, distanceM }: CheckpointDraft, { state, told }: Live): Marker {
  const element = document.createElement('div')
  element.className = 'checkpoint-marker'
  const { longitude, latitude } = placeAlong(state.current.line, distanceM)
  const marker = new Marker({ element, draggable: told.current.onMove !== undefined })
    .setLngLat([longitude, latitude])
    .addTo(map)
  // MapLibre gives it a label of its own; the fields beside the map have the name.
  element.removeAttribute('aria-label')
  element.setAttribute('aria-hidden', 'true')
  marker.on('dragstart', () => told.current.onSelect?.(key))
  marker.on('drag', () => {
    const { line, drafts } = state.current
    const before = drafts.find((draft) => draft.key === key)?.distanceM
    const nearest = nearestAlong(line, marker.getLngLat(), before)
    if (nearest !== undefined) told.current.onMove?.(key, nearest.distanceM)
  })
  element.addEventListener('click', () => told.current.onSelect?.(key))
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
