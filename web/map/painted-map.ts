/** An event of a map that moves, or that somebody points at. */
export type PaintedEvent = {
  /** Place in pixels of the map; absent from events that have none. */
  point?: { x: number; y: number }
  /** The user's own event; absent where the page moves the map. */
  originalEvent?: unknown
}

type Listener = (event: PaintedEvent) => void
type Place = { lng: number; lat: number }

/**
 * A map that runners are painted on: the part of MapLibre's map that the painting and the camera need. The sketch that
 * stands in for it until its library has loaded has the same.
 */
export type PaintedMap = {
  getContainer(): HTMLElement
  getCanvasContainer(): HTMLElement
  getCanvas(): HTMLElement
  getCenter(): Place
  getZoom(): number
  getBearing(): number
  getBounds(): { toArray(): [number, number][] }
  project(place: Place): { x: number; y: number }
  unproject(point: [number, number]): Place
  isMoving(): boolean
  panTo(center: Place, options: { animate?: boolean }): unknown
  easeTo(view: { center: [number, number]; zoom: number }): unknown
  fitBounds(bounds: [west: number, south: number, east: number, north: number], options: FitOptions): unknown
  on(type: string, listener: Listener): unknown
  off(type: string, listener: Listener): unknown
}

/** The room around an area that is brought into view, and the largest zoom. */
type FitOptions = {
  padding: { top: number; bottom: number; left: number; right: number }
  maxZoom: number
  animate: boolean
}
