import type { MapLibreMap, MapMouseEvent } from 'maplibre-gl'
import { type Head, paint, type Scene } from './replay-painter.ts'

/** The scene that is painted now, and what to do when a runner is chosen. */
type Covered = {
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
  canvas.className = 'replay-cover'
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
    keepInView(map, heads, scene.selectedId, covered.isStill)
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
