import { unwrapLongitudes } from '../../map/coordinates.ts'
import type { PaintedEvent, PaintedMap } from '../../map/painted-map.ts'
import { latitudeOf, longitudeOf, mercatorX, mercatorY } from './replay-timeline.ts'

/** Width of the world at zoom 0, in pixels, as MapLibre has it. */
const WORLD_PX = 512
const [MIN_ZOOM, MAX_ZOOM] = [1, 18]

type Point = { x: number; y: number }
type Listener = (event: PaintedEvent) => void
/** Positions of a course, in degrees. */
type Way = { longitude: readonly number[]; latitude: readonly number[] }

/**
 * A map of a course alone, on empty ground, that can be moved. It stands in for MapLibre, whose library takes a slow
 * line ten seconds, and has its projection, so that the view is the same when that takes over.
 */
export class SketchMap implements PaintedMap {
  readonly #element: HTMLElement
  readonly #canvas = document.createElement('canvas')
  readonly #context = this.#canvas.getContext('2d')
  readonly #listeners = new Map<string, Set<Listener>>()
  readonly #resized = new ResizeObserver(() => this.#repaint())
  /** The middle of the view in Web Mercator. */
  #x = mercatorX(4)
  #y = mercatorY(46)
  #zoom = 3
  #frame: number | undefined
  #isHeld = false
  #isPlaced = false
  #way: { x: Float64Array; y: Float64Array; dark: boolean } | undefined

  /** @param element takes the size of the map, and has it as its content */
  constructor(element: HTMLElement) {
    this.#element = element
    this.#canvas.className = 'runners-cover'
    this.#canvas.setAttribute('aria-hidden', 'true')
    element.append(this.#canvas)
    this.#resized.observe(element)
  }

  /** True once somebody or something has chosen the view. */
  get isPlaced(): boolean {
    return this.#isPlaced
  }

  /** Draws a course; undefined for none. */
  draw(way: Way | undefined, dark: boolean): void {
    this.#way = way && {
      x: Float64Array.from(unwrapLongitudes(way.longitude), mercatorX),
      y: Float64Array.from(way.latitude, mercatorY),
      dark,
    }
    this.#repaint()
  }

  /** Begins a movement by the user. */
  begin(originalEvent: unknown): void {
    if (this.#isHeld) return
    this.#isHeld = true
    this.emit('movestart', { originalEvent })
  }

  /** Ends a movement by the user. */
  end(): void {
    if (!this.#isHeld) return
    this.#isHeld = false
    this.emit('moveend')
  }

  /** Moves the content of the map by pixels. */
  moveBy(right: number, down: number): void {
    this.#see(this.#x - right / this.#scale, this.#y - down / this.#scale, this.#zoom)
  }

  /** Changes the zoom around a point of the map, which stays where it is. */
  zoomAt({ x, y }: Point, change: number): void {
    const { clientWidth, clientHeight } = this.#element
    const [right, down] = [x - clientWidth / 2, y - clientHeight / 2]
    const zoom = Math.min(MAX_ZOOM, Math.max(MIN_ZOOM, this.#zoom + change))
    const shift = 1 / this.#scale - 1 / (WORLD_PX * 2 ** zoom)
    this.#see(this.#x + right * shift, this.#y + down * shift, zoom)
  }

  getContainer = (): HTMLElement => this.#element
  getCanvasContainer = (): HTMLElement => this.#element
  getCanvas = (): HTMLElement => this.#element
  getZoom = (): number => this.#zoom
  getBearing = (): number => 0
  isMoving = (): boolean => this.#isHeld

  getCenter(): { lng: number; lat: number } {
    return { lng: longitudeOf(this.#x), lat: latitudeOf(this.#y) }
  }

  getBounds() {
    const { clientWidth, clientHeight } = this.#element
    const [southWest, northEast] = [this.unproject([0, clientHeight]), this.unproject([clientWidth, 0])]
    const pair = ({ lng, lat }: { lng: number; lat: number }): [number, number] => [lng, lat]
    return { toArray: () => [pair(southWest), pair(northEast)] }
  }

  project({ lng, lat }: { lng: number; lat: number }): Point {
    const { clientWidth, clientHeight } = this.#element
    return {
      x: (mercatorX(lng) - this.#x) * this.#scale + clientWidth / 2,
      y: (mercatorY(lat) - this.#y) * this.#scale + clientHeight / 2,
    }
  }

  unproject([x, y]: [number, number]): { lng: number; lat: number } {
    const { clientWidth, clientHeight } = this.#element
    return {
      lng: longitudeOf(this.#x + (x - clientWidth / 2) / this.#scale),
      lat: latitudeOf(this.#y + (y - clientHeight / 2) / this.#scale),
    }
  }

  panTo({ lng, lat }: { lng: number; lat: number }): void {
    this.#jump(mercatorX(lng), mercatorY(lat), this.#zoom)
  }

  easeTo({ center: [lng, lat], zoom }: { center: [number, number]; zoom: number }): void {
    this.#jump(mercatorX(lng), mercatorY(lat), zoom)
  }

  fitBounds(...[[west, south, east, north], { padding, maxZoom }]: Parameters<PaintedMap['fitBounds']>): void {
    const { clientWidth, clientHeight } = this.#element
    const wide = Math.max(1, clientWidth - padding.left - padding.right)
    const high = Math.max(1, clientHeight - padding.top - padding.bottom)
    const [left, right, top, bottom] = [mercatorX(west), mercatorX(east), mercatorY(north), mercatorY(south)]
    const scale = Math.min(wide / (right - left), high / (bottom - top))
    const zoom = Math.min(maxZoom, MAX_ZOOM, Math.log2(scale / WORLD_PX))
    this.#jump((left + right) / 2, (top + bottom) / 2, Math.max(MIN_ZOOM, zoom))
  }

  on(type: string, listener: Listener): void {
    const listeners = this.#listeners.get(type) ?? new Set()
    this.#listeners.set(type, listeners.add(listener))
  }

  off(type: string, listener: Listener): void {
    this.#listeners.get(type)?.delete(listener)
  }

  /** Tells listeners of an event, by the names of MapLibre. */
  emit(type: string, event: PaintedEvent = {}): void {
    for (const listener of this.#listeners.get(type) ?? []) listener(event)
  }

  /** Ends it. */
  remove(): void {
    this.#resized.disconnect()
    if (this.#frame !== undefined) cancelAnimationFrame(this.#frame)
    this.#listeners.clear()
    this.#canvas.remove()
  }

  get #scale(): number {
    return WORLD_PX * 2 ** this.#zoom
  }

  #jump(x: number, y: number, zoom: number): void {
    this.emit('movestart')
    this.#see(x, y, zoom)
    this.emit('moveend')
  }

  #see(x: number, y: number, zoom: number): void {
    this.#x = x
    this.#y = Math.min(1, Math.max(0, y))
    this.#zoom = zoom
    this.#isPlaced = true
    this.#repaint()
  }

  /** Paints with the next frame of the screen, and has the runners painted with it. */
  #repaint(): void {
    this.#frame ??= requestAnimationFrame(() => {
      this.#frame = undefined
      this.#paint()
      this.emit('render')
    })
  }

  #paint(): void {
    const context = this.#context
    const { clientWidth, clientHeight } = this.#element
    this.#canvas.width = Math.round(clientWidth * devicePixelRatio)
    this.#canvas.height = Math.round(clientHeight * devicePixelRatio)
    if (context === null || this.#way === undefined) return
    const { x, y, dark } = this.#way
    context.scale(devicePixelRatio, devicePixelRatio)
    context.lineCap = context.lineJoin = 'round'
    context.beginPath()
    const [scale, right, down] = [this.#scale, clientWidth / 2, clientHeight / 2]
    for (let i = 0; i < x.length; i++) context.lineTo((x[i] - this.#x) * scale + right, (y[i] - this.#y) * scale + down)
    // The colours and widths of the course on the map.
    context.lineWidth = 7
    context.strokeStyle = dark ? '#1a1b1e' : '#ffffff'
    context.stroke()
    context.lineWidth = 3.5
    context.strokeStyle = dark ? '#b197fc' : '#6741d9'
    context.globalAlpha = 0.85
    context.stroke()
  }
}
