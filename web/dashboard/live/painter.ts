import { type RefObject, useEffect, useRef } from 'react'
import type { PaintedEvent, PaintedMap } from '../../map/painted-map.ts'
import { HeadsLayer } from './heads-layer.ts'
import { MANY_RUNNERS, type Scene, ScenePainter } from './paint-scene.ts'
import type { Player } from './player.ts'
import { createSprites, type Sprites } from './sprites.ts'
import './map-tools.css'

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
 * too slow. Returns how to paint it again at once, how to do so unless it was painted in this frame of the screen, and
 * how to remove it.
 */
function coverMap(map: PaintedMap, covered: Covered): { repaint(): void; tick(): void; remove(): void } {
  const canvas = newCanvas()
  map.getCanvasContainer().append(canvas)
  /** The heads of a crowd without trails, below the canvas with everything else. */
  let heads: { canvas: HTMLCanvasElement; layer: HeadsLayer | undefined } | undefined
  const context = canvas.getContext('2d')
  const painter = new ScenePainter()
  let sprites: Sprites | undefined
  let pointedId: string | undefined
  let paintedAt: CSSNumberish | null | undefined

  function repaint(): void {
    paintedAt = document.timeline.currentTime
    fit(canvas, map)
    // Before its first layout, a map has no size, and pictures for it would have none.
    if (context === null || canvas.width === 0 || canvas.height === 0) return
    const scene = covered.scene()
    const ratio = canvas.width / map.getContainer().clientWidth
    if (sprites?.dark !== scene.dark || sprites.ratio !== ratio) sprites = createSprites(scene.dark, ratio)
    const isCrowd = scene.runners.length > MANY_RUNNERS && scene.trailSec === 0
    const layer = isCrowd ? layerOfHeads() : undefined
    if (heads !== undefined) heads.canvas.hidden = layer === undefined
    painter.paint(context, map, { ...scene, pointedId }, sprites, layer)
    if (scene.isFollowed) keepInView(map, painter, scene.selectedId, covered.isStill)
  }
  /** Returns the layer, made when it is first needed; undefined where there is no WebGL. */
  function layerOfHeads(): HeadsLayer | undefined {
    if (heads === undefined) {
      const below = newCanvas()
      canvas.before(below)
      heads = { canvas: below, layer: HeadsLayer.on(below) }
    }
    if (heads.layer?.isUsable !== true) return undefined
    fit(heads.canvas, map)
    return heads.layer
  }
  /** Paints the changes of time, if they can be seen. A map that moves has been painted in this frame already. */
  function tick(): void {
    if (paintedAt !== null && paintedAt === document.timeline.currentTime) return
    if (sprites === undefined || !painter.isStill(covered.scene(), sprites.ratio)) repaint()
  }
  function point({ point: place }: PaintedEvent): void {
    if (place === undefined) return
    const nearest = painter.nearest(place, MAX_POINTER_DISTANCE_PX)
    if (nearest === pointedId) return
    pointedId = nearest
    map.getCanvas().style.cursor = nearest === undefined ? '' : 'pointer'
    repaint()
  }
  function choose({ point: place }: PaintedEvent): void {
    const nearest = place && painter.nearest(place, MAX_POINTER_DISTANCE_PX)
    if (nearest !== undefined) covered.onSelect(nearest)
  }

  map.on('render', repaint)
  map.on('mousemove', point)
  map.on('click', choose)
  repaint()
  return {
    repaint,
    tick,
    remove() {
      map.off('render', repaint)
      map.off('mousemove', point)
      map.off('click', choose)
      heads?.layer?.remove()
      heads?.canvas.remove()
      canvas.remove()
    },
  }
}

function newCanvas(): HTMLCanvasElement {
  const canvas = document.createElement('canvas')
  canvas.className = 'runners-cover'
  canvas.setAttribute('aria-hidden', 'true')
  return canvas
}

function fit(canvas: HTMLCanvasElement, map: PaintedMap): void {
  const { clientWidth, clientHeight } = map.getContainer()
  const [width, height] = [clientWidth, clientHeight].map((px) => Math.round(px * devicePixelRatio))
  if (canvas.width === width && canvas.height === height) return
  canvas.width = width
  canvas.height = height
}

/** Moves the map when the selected runner leaves it. */
function keepInView(map: PaintedMap, painter: ScenePainter, id: string | undefined, isStill: boolean): void {
  const head = id === undefined ? undefined : painter.placeOf(id)
  if (head === undefined || map.isMoving()) return
  const { clientWidth, clientHeight } = map.getContainer()
  const isOutside = (px: number, size: number) => px < size * FOLLOW_MARGIN || px > size * (1 - FOLLOW_MARGIN)
  if (!isOutside(head.x, clientWidth) && !isOutside(head.y, clientHeight)) return
  map.panTo(map.unproject([head.x, head.y]), { animate: !isStill })
}

/**
 * Lays a picture of the runners over a map, and paints it again as often as the player moves.
 * @returns the picture while there is one, to be painted when anything else has changed
 */
export function useCover(
  map: PaintedMap | undefined,
  player: Player,
  covered: Covered,
): RefObject<ReturnType<typeof coverMap> | undefined> {
  const cover = useRef<ReturnType<typeof coverMap>>(undefined)
  const latest = useRef(covered)
  latest.current = covered
  const { isStill } = covered
  useEffect(() => {
    if (map === undefined) return
    const made = coverMap(map, {
      scene: () => latest.current.scene(),
      onSelect: (id) => latest.current.onSelect(id),
      isStill,
    })
    cover.current = made
    const leave = player.subscribe(made.tick)
    return () => {
      leave()
      made.remove()
      cover.current = undefined
    }
  }, [map, player, isStill])
  return cover
}
