import type { MapLibreMap, MapMouseEvent } from 'maplibre-gl'
import './painter.css'
import { discSprites, type Sprites } from './disc-sprites.ts'
import { type DrawnRunner, mercatorX, mercatorY, placeAt, valueAt } from './replay-timeline.ts'

/** The runners at a moment, and how they are drawn. */
export type Scene<Runner extends DrawnRunner = DrawnRunner> = {
  runners: readonly Runner[]
  /** Returns the present time on the line of a runner. */
  timeOf(runner: Runner): number
  /** Length of the trails; 0 for none. */
  trailSec: number
  /** The same for the selected runner. */
  selectedTrailSec: number
  /** Runners whose names are drawn while there is room, the most important first. */
  named: readonly Runner[]
  selectedId: string | undefined
  /** True to move the map when the selected runner leaves it. */
  isFollowed: boolean
  pointedId: string | undefined
  dark: boolean
}

/** The place at which a runner was drawn, in pixels of the map. */
type Head = { runner: DrawnRunner; x: number; y: number; isRing: boolean }

type Project = (x: number, y: number) => readonly [x: number, y: number]

/** Width of the world on a map at zoom 0, in pixels. */
const WORLD_PX = 512
const NAME_FONT = '600 12px system-ui, sans-serif'
const NAME_HEIGHT_PX = 16
/** More runners than this are drawn small. */
export const MANY_RUNNERS = 200
/** Opacity of runners that a search has not found. */
const DIM_OPACITY = 0.12
/** Names on the map; more would only cover each other, and take longer than a frame. */
const MAX_NAMES = 40

/** Draws a scene above a map, and returns where everyone is. */
function paint(context: CanvasRenderingContext2D, map: MapLibreMap, scene: Scene): Head[] {
  const { width, height } = context.canvas
  const ratio = width / Math.max(1, map.getContainer().clientWidth)
  context.setTransform(ratio, 0, 0, ratio, 0, 0)
  context.clearRect(0, 0, width / ratio, height / ratio)
  const project = projectionOf(map)
  const heads = headsOf(scene, project)
  const sprites = discSprites(scene.dark, ratio)
  const isChosen = ({ runner }: Head) => runner.id === scene.selectedId || runner.id === scene.pointedId
  const [others, chosen] = [heads.filter((head) => !isChosen(head)), heads.filter(isChosen)]
  if (scene.trailSec > 0) {
    for (const alike of Map.groupBy(others, ({ runner }) => `${runner.colour} ${runner.isDim}`).values()) {
      paintTrails(context, scene, alike, project)
    }
  }
  paintHeads(context, sprites, others, scene.runners.length > MANY_RUNNERS ? 3.5 : 6)
  for (const one of chosen) paintTrails(context, scene, [one], project)
  paintHeads(context, sprites, chosen, 9)
  paintNames(context, scene, heads, { width: width / ratio, height: height / ratio })
  return heads
}

/** Returns how Web Mercator maps to pixels: a map without tilt only moves, scales and turns it. */
function projectionOf(map: MapLibreMap): Project {
  const center = map.getCenter()
  const middle = map.project(center)
  const scale = WORLD_PX * 2 ** map.getZoom()
  const turn = (-map.getBearing() * Math.PI) / 180
  const [cos, sin] = [Math.cos(turn) * scale, Math.sin(turn) * scale]
  const [centerX, centerY] = [mercatorX(center.lng), mercatorY(center.lat)]
  return (x, y) => {
    const [dx, dy] = [x - centerX, y - centerY]
    return [middle.x + dx * cos - dy * sin, middle.y + dx * sin + dy * cos]
  }
}

function headsOf({ runners, timeOf }: Scene, project: Project): Head[] {
  const heads: Head[] = []
  for (const runner of runners) {
    const sec = timeOf(runner)
    if (!(sec >= runner.timeSec[0])) continue
    const place = placeAt(runner, sec)
    const [x, y] = project(valueAt(runner.x, place), valueAt(runner.y, place))
    heads.push({ runner, x, y, isRing: runner.isSilent === true || (sec >= runner.lastSec && !runner.isUnderWay) })
  }
  return heads
}

/** Paints trails of one colour as one path: thousands of paths would take longer than a frame. */
function paintTrails(context: CanvasRenderingContext2D, scene: Scene, heads: readonly Head[], project: Project): void {
  const { runners, selectedId } = scene
  const isSelected = heads[0]?.runner.id === selectedId
  const trailSec = isSelected ? scene.selectedTrailSec : scene.trailSec
  context.beginPath()
  for (const { runner } of heads) traceTrail(context, runner, { sec: scene.timeOf(runner), trailSec, project })
  context.strokeStyle = heads[0]?.runner.colour ?? ''
  context.globalAlpha = heads[0]?.runner.isDim ? DIM_OPACITY : isSelected ? 0.95 : 0.55
  context.lineWidth = isSelected ? 4 : runners.length > MANY_RUNNERS ? 1.5 : 3
  context.lineCap = context.lineJoin = 'round'
  context.stroke()
  context.globalAlpha = 1
}

type Trail = { sec: number; trailSec: number; project: Project }

function traceTrail(context: CanvasRenderingContext2D, runner: DrawnRunner, { sec, trailSec, project }: Trail): void {
  if (sec <= runner.timeSec[0] || sec - trailSec >= runner.lastSec) return
  const [from, to] = [placeAt(runner, sec - trailSec), placeAt(runner, sec)]
  context.moveTo(...project(valueAt(runner.x, from), valueAt(runner.y, from)))
  for (let i = from.index + 1; i <= to.index; i++) {
    const [x, y] = project(runner.x[i], runner.y[i])
    if (runner.gaps?.has(i)) context.moveTo(x, y)
    else context.lineTo(x, y)
  }
  context.lineTo(...project(valueAt(runner.x, to), valueAt(runner.y, to)))
}

function paintHeads(context: CanvasRenderingContext2D, sprites: Sprites, heads: readonly Head[], radius: number): void {
  for (const { runner, x, y, isRing } of heads) {
    const { picture, size } = sprites(runner.colour, isRing, radius)
    context.globalAlpha = runner.isDim ? DIM_OPACITY : 1
    context.drawImage(picture, x - size / 2, y - size / 2, size, size)
  }
  context.globalAlpha = 1
}

type Size = { width: number; height: number }

/** Paints names to the right of their runners, each where no other name is. */
function paintNames(
  context: CanvasRenderingContext2D,
  scene: Scene,
  heads: readonly Head[],
  { width, height }: Size,
): void {
  const byId = new Map(heads.map((head) => [head.runner.id, head]))
  const taken: { left: number; top: number; right: number; bottom: number }[] = []
  context.font = NAME_FONT
  context.textBaseline = 'middle'
  context.lineWidth = 3
  context.lineJoin = 'round'
  context.strokeStyle = scene.dark ? '#1a1b1e' : '#ffffff'
  context.fillStyle = scene.dark ? '#ffffff' : '#1a1b1e'
  const ids = [scene.pointedId, scene.selectedId, ...scene.named.map(({ id }) => id)]
  for (const id of new Set(ids)) {
    const head = id === undefined ? undefined : byId.get(id)
    if (head === undefined || head.x < 0 || head.x > width || head.y < 0 || head.y > height) continue
    const left = head.x + 11
    const right = left + context.measureText(head.runner.name).width
    const [top, bottom] = [head.y - NAME_HEIGHT_PX / 2, head.y + NAME_HEIGHT_PX / 2]
    if (taken.some((one) => left < one.right && right > one.left && top < one.bottom && bottom > one.top)) continue
    taken.push({ left, top, right, bottom })
    context.strokeText(head.runner.name, left, head.y)
    context.fillText(head.runner.name, left, head.y)
    if (taken.length === MAX_NAMES) return
  }
}

/** The scene that is painted now, and what to do when a runner is chosen. */
export type Covered = {
  scene(): Omit<Scene, 'pointedId'>
  onSelect(id: string): void
  /** True to move the map in jumps. */
  isStill: boolean
}

/** Largest distance between the pointer and a runner. */
const MAX_POINTER_DISTANCE_PX = 16
/** The selected runner is kept this far from the edge of the map. */
const FOLLOW_MARGIN = 0.12

/**
 * Lays a picture of the runners over a map. Thousands of them move with every frame, for which the map's own layers are
 * too slow. Returns how to paint it again, and how to remove it.
 */
export function coverMap(map: MapLibreMap, covered: Covered): { repaint(): void; remove(): void } {
  const canvas = document.createElement('canvas')
  canvas.className = 'runners-cover'
  canvas.setAttribute('aria-hidden', 'true')
  map.getCanvasContainer().append(canvas)
  const context = canvas.getContext('2d')
  let heads: Head[] = []
  let pointedId: string | undefined

  function repaint(): void {
    fit(canvas, map)
    if (context === null) return
    const scene = covered.scene()
    heads = paint(context, map, { ...scene, pointedId })
    if (scene.isFollowed) keepInView(map, heads, scene.selectedId, covered.isStill)
  }
  function point({ point: place }: MapMouseEvent): void {
    const nearest = nearestHead(heads, place)
    if (nearest === pointedId) return
    pointedId = nearest
    map.getCanvas().style.cursor = nearest === undefined ? '' : 'pointer'
    repaint()
  }
  function choose({ point: place }: MapMouseEvent): void {
    const nearest = nearestHead(heads, place)
    if (nearest !== undefined) covered.onSelect(nearest)
  }

  map.on('render', repaint)
  map.on('mousemove', point)
  map.on('click', choose)
  repaint()
  return {
    repaint,
    remove() {
      map.off('render', repaint)
      map.off('mousemove', point)
      map.off('click', choose)
      canvas.remove()
    },
  }
}

function fit(canvas: HTMLCanvasElement, map: MapLibreMap): void {
  const { clientWidth, clientHeight } = map.getContainer()
  const [width, height] = [clientWidth, clientHeight].map((px) => Math.round(px * devicePixelRatio))
  if (canvas.width === width && canvas.height === height) return
  canvas.width = width
  canvas.height = height
}

function nearestHead(heads: readonly Head[], { x, y }: { x: number; y: number }): string | undefined {
  let nearest: string | undefined
  let px = MAX_POINTER_DISTANCE_PX
  for (const head of heads) {
    const away = Math.hypot(head.x - x, head.y - y)
    if (away < px) [nearest, px] = [head.runner.id, away]
  }
  return nearest
}

/** Moves the map when the selected runner leaves it. */
function keepInView(map: MapLibreMap, heads: readonly Head[], id: string | undefined, isStill: boolean): void {
  const head = id === undefined ? undefined : heads.find(({ runner }) => runner.id === id)
  if (head === undefined || map.isMoving()) return
  const { clientWidth, clientHeight } = map.getContainer()
  const isOutside = (px: number, size: number) => px < size * FOLLOW_MARGIN || px > size * (1 - FOLLOW_MARGIN)
  if (!isOutside(head.x, clientWidth) && !isOutside(head.y, clientHeight)) return
  map.panTo(map.unproject([head.x, head.y]), { animate: !isStill })
}
