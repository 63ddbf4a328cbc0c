import { useComputedColorScheme } from '@mantine/core'
import { Minus, Plus } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { CourseLine } from '../generated/types.gen.ts'
import { SketchMap } from './sketch-map.ts'
import './map-tools.css'
import './sketch.css'

type SketchProps = {
  /** The course, once it is known. */
  way: CourseLine | undefined
  /** True to leave the wheel and one finger to the page, which scrolls by them. */
  isCooperative: boolean
  /** Called with the sketch, and with undefined when it goes. Must keep its identity. */
  onSketch(map: SketchMap | undefined): void
}

/** The map until its library has loaded: the course on empty ground, which can be moved. */
export function Sketch({ way, isCooperative, onSketch }: SketchProps) {
  const { t } = useTranslation()
  const dark = useComputedColorScheme('light', { getInitialValueInEffect: false }) === 'dark'
  const ground = useRef<HTMLElement>(null)
  const [map, setMap] = useState<SketchMap>()
  useEffect(() => {
    const made = new SketchMap(ground.current!)
    setMap(made)
    onSketch(made)
    return () => {
      made.remove()
      onSketch(undefined)
    }
  }, [onSketch])
  useEffect(() => map && takeGestures(map, isCooperative), [map, isCooperative])
  useEffect(() => map?.draw(way, dark), [map, way, dark])
  return (
    <div className="sketch">
      <section
        ref={ground}
        className="sketch-ground"
        aria-label={t('live.mapLabel')}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard moves the map, as it moves that of MapLibre
        tabIndex={0}
      />
      <div className="map-tools sketch-zoom">
        {([1, -1] as const).map((change) => (
          <button
            key={change}
            type="button"
            className="map-tool"
            aria-label={t(change > 0 ? 'map.zoomIn' : 'map.zoomOut')}
            onClick={({ nativeEvent }) => map && zoomBy(map, change, nativeEvent)}
          >
            {change > 0 ? <Plus size={18} aria-hidden /> : <Minus size={18} aria-hidden />}
          </button>
        ))}
      </div>
    </div>
  )
}

type Point = { x: number; y: number }

/** A pointer that has moved by less was pressed in one place. */
const CLICK_PX = 4
/** Pixels that an arrow key moves the map by, and that the wheel needs for a step of zoom, as with MapLibre. */
const ARROW_PX = 100
const WHEEL_PX_PER_ZOOM = 450
/** Pixels of a line, where a wheel counts in lines. */
const LINE_PX = 40

const ARROWS: Record<string, [right: number, down: number]> = {
  ArrowLeft: [ARROW_PX, 0],
  ArrowRight: [-ARROW_PX, 0],
  ArrowUp: [0, ARROW_PX],
  ArrowDown: [0, -ARROW_PX],
}
const ZOOMS: Record<string, number> = { '+': 1, '=': 1, '-': -1, _: -1 }

/**
 * Moves a sketch by pointer, wheel, pinch and keyboard, as MapLibre's map is moved.
 * @param isCooperative true to leave the wheel without a key, and one finger, to the page, which scrolls by them
 * @returns a function that ends it
 */
function takeGestures(map: SketchMap, isCooperative: boolean): () => void {
  const element = map.getContainer()
  const ending = new AbortController()
  const listen = <Name extends keyof HTMLElementEventMap>(
    name: Name,
    listener: (event: HTMLElementEventMap[Name]) => void,
  ) => element.addEventListener(name, listener, { signal: ending.signal, passive: false })
  const pointOf = ({ clientX, clientY }: MouseEvent): Point => {
    const { left, top } = element.getBoundingClientRect()
    return { x: clientX - left, y: clientY - top }
  }
  element.style.touchAction = isCooperative ? 'pan-x pan-y' : 'none'

  listenToPointers(map, { listen, pointOf, isCooperative })
  listen('wheel', (event) => {
    if (isCooperative && !event.ctrlKey && !event.metaKey) return
    event.preventDefault()
    const px = event.deltaY * (event.deltaMode === WheelEvent.DOM_DELTA_LINE ? LINE_PX : 1)
    moveOnce(map, event, () => map.zoomAt(pointOf(event), -px / WHEEL_PX_PER_ZOOM))
  })
  listen('dblclick', (event) => moveOnce(map, event, () => map.zoomAt(pointOf(event), event.shiftKey ? -1 : 1)))
  listen('keydown', (event) => {
    const { key, altKey, ctrlKey, metaKey } = event
    const [arrow, zoom] = [ARROWS[key], ZOOMS[key]]
    if (altKey || ctrlKey || metaKey || (arrow === undefined && zoom === undefined)) return
    event.preventDefault()
    moveOnce(map, event, () => (arrow === undefined ? zoomMiddle(map, zoom) : map.moveBy(...arrow)))
  })
  return () => {
    ending.abort()
    map.end()
  }
}

/** Changes the zoom around the middle of a sketch, as its buttons do. @param originalEvent the action of the user */
function zoomBy(map: SketchMap, change: number, originalEvent: unknown): void {
  moveOnce(map, originalEvent, () => zoomMiddle(map, change))
}

function zoomMiddle(map: SketchMap, change: number): void {
  const { clientWidth, clientHeight } = map.getContainer()
  map.zoomAt({ x: clientWidth / 2, y: clientHeight / 2 }, change)
}

function moveOnce(map: SketchMap, event: unknown, move: () => void): void {
  map.begin(event)
  move()
  map.end()
}

type Listening = {
  listen<Name extends 'pointerdown' | 'pointermove' | 'pointerup' | 'pointercancel'>(
    name: Name,
    listener: (event: PointerEvent) => void,
  ): void
  pointOf(event: MouseEvent): Point
  isCooperative: boolean
}

/** Drags by one pointer, and zooms by two. */
function listenToPointers(map: SketchMap, { listen, pointOf, isCooperative }: Listening): void {
  const held = new Map<number, Point>()
  let movedPx = 0
  const middle = (): Point => {
    const points = [...held.values()]
    const sum = (of: (point: Point) => number) => points.reduce((total, point) => total + of(point), 0)
    return { x: sum(({ x }) => x) / points.length, y: sum(({ y }) => y) / points.length }
  }
  const spread = () => {
    const [one, other] = held.values()
    return other === undefined ? 1 : Math.max(1, Math.hypot(one.x - other.x, one.y - other.y))
  }
  listen('pointerdown', (event) => {
    if (event.button !== 0) return
    if (held.size === 0) movedPx = 0
    held.set(event.pointerId, pointOf(event))
    map.getContainer().setPointerCapture(event.pointerId)
  })
  listen('pointermove', (event) => {
    const point = pointOf(event)
    const last = held.get(event.pointerId)
    if (last === undefined) return map.emit('mousemove', { point })
    const before = { middle: middle(), spread: spread() }
    held.set(event.pointerId, point)
    const wasClick = movedPx <= CLICK_PX
    movedPx += Math.hypot(point.x - last.x, point.y - last.y)
    // One finger scrolls the page: the browser takes it over.
    if (movedPx <= CLICK_PX || (isCooperative && event.pointerType === 'touch' && held.size === 1)) return
    if (wasClick || !map.isMoving()) {
      map.begin(event)
      map.emit('dragstart', { originalEvent: event })
    }
    const at = middle()
    map.moveBy(at.x - before.middle.x, at.y - before.middle.y)
    if (held.size > 1) map.zoomAt(at, Math.log2(spread() / before.spread))
  })
  const release = (event: PointerEvent) => {
    if (!held.delete(event.pointerId) || held.size > 0) return
    map.end()
    if (event.type === 'pointerup' && movedPx <= CLICK_PX) map.emit('click', { point: pointOf(event) })
  }
  listen('pointerup', release)
  listen('pointercancel', release)
}
