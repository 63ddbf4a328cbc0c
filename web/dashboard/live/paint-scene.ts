import type { HeadsLayer } from './heads-layer.ts'
import { between, type DrawnRunner, indexAt, mercatorX, mercatorY, shareAt } from './replay-timeline.ts'
import { ShownPlaces } from './shown-places.ts'
import type { Sprite, Sprites } from './sprites.ts'

/** The runners at a moment, and how they are drawn. */
export type Scene<Runner extends DrawnRunner = DrawnRunner> = {
  /** Must keep its identity while the runners and their looks stay. */
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

/** The place of a map without tilt. */
type ProjectedMap = {
  getCenter(): { lng: number; lat: number }
  project(center: { lng: number; lat: number }): { x: number; y: number }
  getZoom(): number
  getBearing(): number
}

/** Width of the world on a map at zoom 0, in pixels. */
const WORLD_PX = 512
/** More runners than this are drawn small. */
export const MANY_RUNNERS = 200
/** Opacity of runners that a search has not found. */
const DIM_OPACITY = 0.12
/** Names on the map; more would only cover each other. */
const MAX_NAMES = 40
/** Names that are tried; most of a crowd have no room. */
const MAX_NAMES_TRIED = 600
/** Distance of a name from the middle of its runner. */
const NAME_DISTANCE_PX = 8
const SELECTED_RADIUS_PX = 9

/**
 * Paints scenes, and knows where everyone is. Nothing is allocated for a frame: with thousands of runners, the garbage
 * would take longer than the drawing.
 */
export class ScenePainter {
  #runners: readonly DrawnRunner[] = []
  /** Runners of one look. Their trails are one path: thousands of paths would take longer than a frame. */
  #alike: number[][] | undefined
  #indexOf = new Map<string, number>()
  /** Place of each runner in pixels of the map; NaN before the start. */
  #x = new Float64Array(0)
  #y = new Float64Array(0)
  #isRing = new Uint8Array(0)
  readonly #projection = { originX: 0, originY: 0, cos: 1, sin: 0, centerX: 0, centerY: 0 }
  /** The look of each runner, from 1; 0 for looks beyond those that fit. */
  #looks = new Uint8Array(0)
  /** The look and shape of what was painted last in each pixel of the map; 0 for nothing. */
  #painted = new Uint8Array(0)
  readonly #names = new Float64Array(MAX_NAMES * 4)
  #nameCount = 0
  /** True while nothing is painted beside the layer of heads. */
  #isBlank = false
  readonly #shown = new ShownPlaces()

  /**
   * Paints a scene on a canvas of the size of the map.
   * @param layer draws the heads, below the canvas; absent to draw them on it
   */
  paint(
    context: CanvasRenderingContext2D,
    map: ProjectedMap,
    scene: Scene,
    sprites: Sprites,
    layer?: HeadsLayer,
  ): void {
    const { ratio } = sprites
    const [width, height] = [context.canvas.width / ratio, context.canvas.height / ratio]
    this.#take(scene.runners)
    this.#project(map)
    this.#place(scene)
    this.#shown.note(this.#places())
    const selected = this.#at(scene.selectedId)
    const pointed = this.#at(scene.pointedId)
    const isBare = layer !== undefined && selected < 0 && pointed < 0 && scene.named.length === 0
    if (!isBare || !this.#isBlank) {
      context.setTransform(ratio, 0, 0, ratio, 0, 0)
      context.clearRect(0, 0, width, height)
    }
    this.#isBlank = isBare
    if (scene.trailSec > 0) {
      this.#alike ??= alikeOf(scene.runners)
      for (const alike of this.#alike) this.#paintTrails(context, scene, alike, selected, pointed)
    }
    const radius = scene.runners.length > MANY_RUNNERS ? 3.5 : 6
    this.#beginHeads(width, height)
    layer?.begin(scene.runners, DIM_OPACITY)
    for (let i = 0; i < this.#runners.length; i++) {
      if (i === selected || i === pointed || !this.#isSeen(i, width, height)) continue
      if (!this.#isNews(i, width, height)) continue
      if (layer === undefined) this.#paintHead(context, sprites, i, radius)
      else layer.add(i, this.#x[i], this.#y[i], this.#isRing[i])
    }
    context.globalAlpha = 1
    layer?.end({ radius, dark: sprites.dark, ratio })
    if (isBare) return
    for (const i of pointed === selected ? [selected] : [selected, pointed]) {
      if (i < 0) continue
      this.#paintTrails(context, scene, [i], -1, -1)
      if (this.#isSeen(i, width, height)) this.#paintHead(context, sprites, i, SELECTED_RADIUS_PX)
      context.globalAlpha = 1
    }
    this.#paintNames(context, scene, sprites, width, height)
  }

  /**
   * Tells whether a picture of a later time would look the same as the last one, on the map as it was. Trails show time
   * that passes.
   * @param ratio pixels of the screen for one of the map
   */
  isStill(scene: Pick<Scene, 'runners' | 'timeOf' | 'trailSec'>, ratio: number): boolean {
    if (scene.runners !== this.#runners || scene.trailSec > 0) return false
    this.#place(scene)
    return this.#shown.isSame(this.#places(), ratio)
  }

  /** Returns the place of a runner in pixels of the map; undefined before the start. */
  placeOf(id: string): { x: number; y: number } | undefined {
    const at = this.#at(id)
    return at < 0 ? undefined : { x: this.#x[at], y: this.#y[at] }
  }

  /** Returns the runner next to a place; undefined if nobody is within `maxPx` of it. */
  nearest({ x, y }: { x: number; y: number }, maxPx: number): string | undefined {
    let nearest: string | undefined
    let px = maxPx
    for (let i = 0; i < this.#runners.length; i++) {
      const away = Math.hypot(this.#x[i] - x, this.#y[i] - y)
      if (away < px) [nearest, px] = [this.#runners[i].id, away]
    }
    return nearest
  }

  /** Returns the index of a runner that has begun; −1 for none. */
  #at(id: string | undefined): number {
    const at = id === undefined ? -1 : (this.#indexOf.get(id) ?? -1)
    return at >= 0 && Number.isNaN(this.#x[at]) ? -1 : at
  }

  #take(runners: readonly DrawnRunner[]): void {
    if (runners === this.#runners) return
    this.#runners = runners
    this.#indexOf = new Map(runners.map(({ id }, i) => [id, i]))
    this.#alike = undefined
    this.#looks = looksOf(runners)
    if (this.#x.length >= runners.length) return
    this.#x = new Float64Array(runners.length)
    this.#y = new Float64Array(runners.length)
    this.#isRing = new Uint8Array(runners.length)
  }

  /** Notes how Web Mercator maps to pixels: a map without tilt only moves, scales and turns it. */
  #project(map: ProjectedMap): void {
    const center = map.getCenter()
    const middle = map.project(center)
    const scale = WORLD_PX * 2 ** map.getZoom()
    const turn = (-map.getBearing() * Math.PI) / 180
    const projection = this.#projection
    projection.originX = middle.x
    projection.originY = middle.y
    projection.cos = Math.cos(turn) * scale
    projection.sin = Math.sin(turn) * scale
    projection.centerX = mercatorX(center.lng)
    projection.centerY = mercatorY(center.lat)
  }

  #pxX(x: number, y: number): number {
    const { originX, cos, sin, centerX, centerY } = this.#projection
    return originX + (x - centerX) * cos - (y - centerY) * sin
  }

  #pxY(x: number, y: number): number {
    const { originY, cos, sin, centerX, centerY } = this.#projection
    return originY + (x - centerX) * sin + (y - centerY) * cos
  }

  #places() {
    return { x: this.#x, y: this.#y, isRing: this.#isRing, count: this.#runners.length }
  }

  #place({ timeOf }: Pick<Scene, 'timeOf'>): void {
    for (let i = 0; i < this.#runners.length; i++) {
      const runner = this.#runners[i]
      const sec = timeOf(runner)
      if (!(sec >= runner.timeSec[0])) {
        this.#x[i] = this.#y[i] = Number.NaN
        continue
      }
      const at = indexAt(runner, sec)
      const share = shareAt(runner, at, sec)
      const x = between(runner.x, at, share)
      const y = between(runner.y, at, share)
      this.#x[i] = this.#pxX(x, y)
      this.#y[i] = this.#pxY(x, y)
      this.#isRing[i] = runner.isSilent === true || (sec >= runner.lastSec && !runner.isUnderWay) ? 1 : 0
    }
  }

  #isSeen(i: number, width: number, height: number): boolean {
    const [x, y, margin] = [this.#x[i], this.#y[i], SELECTED_RADIUS_PX + 2]
    return x > -margin && x < width + margin && y > -margin && y < height + margin
  }

  #beginHeads(width: number, height: number): void {
    const pixels = Math.ceil(width) * Math.ceil(height)
    if (this.#painted.length < pixels) this.#painted = new Uint8Array(pixels)
    else this.#painted.fill(0, 0, pixels)
  }

  /** Tells whether a head changes the picture: not if one that looks alike was painted on the same pixel. */
  #isNews(i: number, width: number, height: number): boolean {
    const [x, y] = [Math.floor(this.#x[i]), Math.floor(this.#y[i])]
    const look = this.#looks[i] * 2 + this.#isRing[i]
    if (look < 2 || x < 0 || y < 0 || x >= width || y >= height) return true
    const pixel = y * Math.ceil(width) + x
    if (this.#painted[pixel] === look) return false
    this.#painted[pixel] = look
    return true
  }

  #paintHead(context: CanvasRenderingContext2D, sprites: Sprites, i: number, radius: number): void {
    const runner = this.#runners[i]
    const { picture, width, height } = sprites.disc(runner.colour, this.#isRing[i] === 1, radius)
    const opacity = runner.isDim ? DIM_OPACITY : 1
    if (context.globalAlpha !== opacity) context.globalAlpha = opacity
    context.drawImage(picture, this.#x[i] - width / 2, this.#y[i] - height / 2, width, height)
  }

  /** Paints trails of runners of one look as one path, without two of them. */
  #paintTrails(
    context: CanvasRenderingContext2D,
    scene: Scene,
    alike: readonly number[],
    without: number,
    withoutToo: number,
  ): void {
    const { colour, isDim, id } = this.#runners[alike[0]]
    const isSelected = alike.length === 1 && id === scene.selectedId && without < 0
    const trailSec = isSelected ? scene.selectedTrailSec : scene.trailSec
    context.beginPath()
    for (const i of alike) {
      if (i === without || i === withoutToo || Number.isNaN(this.#x[i])) continue
      this.#traceTrail(context, i, scene.timeOf(this.#runners[i]), trailSec)
    }
    context.strokeStyle = colour
    context.globalAlpha = isDim ? DIM_OPACITY : isSelected ? 0.95 : 0.55
    context.lineWidth = isSelected ? 4 : this.#runners.length > MANY_RUNNERS ? 1.5 : 3
    context.lineCap = context.lineJoin = 'round'
    context.stroke()
    context.globalAlpha = 1
  }

  #traceTrail(context: CanvasRenderingContext2D, i: number, sec: number, trailSec: number): void {
    const runner = this.#runners[i]
    if (sec <= runner.timeSec[0] || sec - trailSec >= runner.lastSec) return
    const fromSec = sec - trailSec
    const from = indexAt(runner, fromSec)
    const share = shareAt(runner, from, fromSec)
    const [x, y] = [between(runner.x, from, share), between(runner.y, from, share)]
    context.moveTo(this.#pxX(x, y), this.#pxY(x, y))
    const to = indexAt(runner, sec)
    for (let point = from + 1; point <= to; point++) {
      const [px, py] = [this.#pxX(runner.x[point], runner.y[point]), this.#pxY(runner.x[point], runner.y[point])]
      if (runner.gaps?.has(point)) context.moveTo(px, py)
      else context.lineTo(px, py)
    }
    context.lineTo(this.#x[i], this.#y[i])
  }

  /** Paints names next to their runners, each where no other name is. */
  #paintNames(context: CanvasRenderingContext2D, scene: Scene, sprites: Sprites, width: number, height: number): void {
    const { pointedId, selectedId, named } = scene
    this.#nameCount = 0
    const paint = (id: string | undefined) => {
      const i = this.#at(id)
      if (i < 0) return
      const [x, y] = [this.#x[i], this.#y[i]]
      if (x < 0 || x > width || y < 0 || y > height) return
      const name = sprites.name(this.#runners[i].name)
      // At the right edge of the map, names are to the left of their runners.
      const left = x + NAME_DISTANCE_PX + name.width > width ? x - NAME_DISTANCE_PX - name.width : x + NAME_DISTANCE_PX
      if (this.#hasRoom(left, y - name.height / 2, name))
        drawSharp(context, name, left, y - name.height / 2, sprites.ratio)
    }
    paint(pointedId)
    if (selectedId !== pointedId) paint(selectedId)
    const tried = Math.min(named.length, MAX_NAMES_TRIED)
    for (let i = 0; i < tried && this.#nameCount < MAX_NAMES; i++) {
      const { id } = named[i]
      if (id !== pointedId && id !== selectedId) paint(id)
    }
  }

  /** Takes a place for a name. Returns false where another name is. */
  #hasRoom(left: number, top: number, { width, height }: Sprite): boolean {
    const names = this.#names
    const [right, bottom] = [left + width, top + height]
    for (let at = 0; at < this.#nameCount * 4; at += 4) {
      if (left < names[at + 2] && right > names[at] && top < names[at + 3] && bottom > names[at + 1]) return false
    }
    const at = this.#nameCount * 4
    names[at] = left
    names[at + 1] = top
    names[at + 2] = right
    names[at + 3] = bottom
    this.#nameCount++
    return true
  }
}

const lookOf = ({ colour, isDim }: DrawnRunner) => `${colour} ${isDim}`

/** Returns the indexes of runners of each look. */
function alikeOf(runners: readonly DrawnRunner[]): number[][] {
  return [...Map.groupBy(runners.keys(), (i) => lookOf(runners[i])).values()]
}

const MAX_LOOKS = 127

/** Returns the number of each runner's look, from 1. Those who are dim add up, and have 0, as have those beyond. */
function looksOf(runners: readonly DrawnRunner[]): Uint8Array<ArrayBuffer> {
  const numbers = new Map<string, number>()
  return Uint8Array.from(runners, (runner) => {
    if (runner.isDim) return 0
    const look = lookOf(runner)
    const number = numbers.get(look) ?? Math.min(numbers.size + 1, MAX_LOOKS + 1)
    numbers.set(look, number)
    return number > MAX_LOOKS ? 0 : number
  })
}

/** Copies a picture to whole pixels of the screen, so that a text stays sharp. */
function drawSharp(context: CanvasRenderingContext2D, sprite: Sprite, left: number, top: number, ratio: number): void {
  const sharp = (px: number) => Math.round(px * ratio) / ratio
  context.drawImage(sprite.picture, sharp(left), sharp(top), sprite.width, sprite.height)
}
