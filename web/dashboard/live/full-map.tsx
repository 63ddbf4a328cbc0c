import type { MapLibreMap } from 'maplibre-gl'
import { type RefObject, useCallback, useEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import { useTranslation } from 'react-i18next'
import { MapView } from '../../map/map-view.tsx'
import type { PaintedMap } from '../../map/painted-map.ts'
import { useMapLocale } from '../components/map-place.tsx'
import { useFormat } from '../i18n/format.ts'
import { addCourseLayers, drawCheckpoints, drawCourse, type ShownCourse } from '../race/course-layers.ts'
import { MapTools } from './map-tools.tsx'
import type { SketchMap } from './sketch-map.ts'

type FullMapProps = {
  /** The course of the event, drawn below the tracks. */
  course: ShownCourse | undefined
  /** The sketch that stands in for this map; undefined once this one has its view. */
  sketch: SketchMap | undefined
  /** True to leave the wheel and one finger to the page, which scrolls by them. */
  isCooperative: boolean
  /** Called with this map once it shows the view of the sketch, and with undefined when it goes. */
  onFull(map: PaintedMap | undefined): void
  /** The element that fills the screen. */
  view: RefObject<HTMLElement | null>
  /** Brings all tracks into view. */
  onShowAll(): void
}

/** The map of a live view with its buttons, which takes the place of the sketch. */
export function FullMap({ course, sketch, isCooperative, onFull, view, onShowAll }: FullMapProps) {
  const { t } = useTranslation()
  const locale = useMapLocale()
  /** The map from its beginning, also while a style loads. */
  const [created, setCreated] = useState<MapLibreMap>()
  const [drawn, setDrawn] = useState<{ map: MapLibreMap }>()
  const [isShown, setShown] = useState(false)
  const onMap = useCallback((map: MapLibreMap | undefined) => setDrawn(map && { map }), [])
  const onShown = useCallback(
    (map: MapLibreMap) => {
      setShown(true)
      onFull(map)
    },
    [onFull],
  )
  useEffect(() => () => onFull(undefined), [onFull])
  useEffect(() => created?.cooperativeGestures[isCooperative ? 'enable' : 'disable'](), [created, isCooperative])
  useCourse(drawn, course)
  useViewOf(sketch, drawn, onShown)
  return (
    <>
      <MapView
        label={t('live.mapLabel')}
        locale={locale}
        failedLabel={t('map.failed')}
        onStyle={addCourseLayers}
        onCreated={setCreated}
        onMap={onMap}
        height={undefined}
      />
      {created !== undefined && isShown && <MapTools map={created} view={view} onShowAll={onShowAll} />}
    </>
  )
}

/** Draws the course, again after each change of the map's style. */
function useCourse(drawn: { map: MapLibreMap } | undefined, course: ShownCourse | undefined): void {
  const format = useFormat()
  useEffect(() => {
    if (drawn === undefined || course === undefined) return
    drawCourse(drawn.map, course.line, format)
    drawCheckpoints(drawn.map, course.line, course.checkpoints)
  }, [drawn, course, format])
}

/**
 * Gives a map the view of the sketch, and tells when it shows that with the course: in a moment in which nobody moves
 * the sketch, so that nothing jumps.
 */
function useViewOf(
  sketch: SketchMap | undefined,
  drawn: { map: MapLibreMap } | undefined,
  onShown: (map: MapLibreMap) => void,
): void {
  useEffect(() => {
    if (drawn === undefined || sketch === undefined) return
    const { map } = drawn
    const take = () => {
      if (sketch.isPlaced) map.jumpTo({ center: sketch.getCenter(), zoom: sketch.getZoom() })
      map.triggerRepaint()
      map.off('idle', shown)
      map.once('idle', shown)
    }
    const shown = () => {
      // Each of its movements ends with another view to take.
      if (sketch.isMoving()) return
      const hasFocus = sketch.getContainer().matches(':focus')
      // At once: until the sketch goes, the map is hidden, and cannot take the focus.
      flushSync(() => onShown(map))
      if (hasFocus) map.getCanvas().focus()
    }
    take()
    sketch.on('moveend', take)
    return () => {
      sketch.off('moveend', take)
      map.off('idle', shown)
    }
  }, [sketch, drawn, onShown])
}
