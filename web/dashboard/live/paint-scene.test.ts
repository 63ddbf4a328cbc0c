import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { HeadsLayer } from './heads-layer.ts'
import { type Scene, ScenePainter } from './paint-scene.ts'
import { type DrawnRunner, mercatorX, mercatorY } from './replay-timeline.ts'
import type { Sprites } from './sprites.ts'

const WIDTH = 400
const HEIGHT = 300
/** At zoom 9, a degree of longitude is 728 pixels; the middle is at 7°. */
const map = {
  getCenter: () => ({ lng: 7, lat: 46 }),
  project: () => ({ x: WIDTH / 2, y: HEIGHT / 2 }),
  getZoom: () => 9,
  getBearing: () => 0,
}

/** Pictures that tell what they show. */
const sprites = {
  dark: false,
  ratio: 1,
  disc: (colour: string, isRing: boolean, radius: number) =>
    sprite(`${isRing ? 'ring' : 'disc'} ${colour} ${radius}`, 4),
  name: (text: string) => sprite(text, 60),
} as unknown as Sprites

function sprite(picture: string, width: number) {
  return { picture, width, height: width === 60 ? 18 : width }
}

/** Paints a scene, and returns what was drawn in words: the picture and the middle of its place. */
function painted(painter: ScenePainter, scene: Partial<Scene> & Pick<Scene, 'runners'>, layer?: HeadsLayer): string[] {
  const drawn: string[] = []
  const context = {
    canvas: { width: WIDTH, height: HEIGHT },
    setTransform() {},
    clearRect() {},
    beginPath: () => void drawn.push('path'),
    moveTo: () => void drawn.push('move'),
    lineTo: () => void drawn.push('line'),
    stroke() {},
    drawImage: (picture: string, x: number, y: number, width: number, height: number) =>
      void drawn.push(`${picture} at ${Math.round(x + width / 2)}, ${Math.round(y + height / 2)}`),
  } as unknown as CanvasRenderingContext2D
  const rest = {
    timeOf: () => 10,
    trailSec: 0,
    selectedTrailSec: 0,
    named: [],
    selectedId: undefined,
    pointedId: undefined,
  }
  painter.paint(context, map, { ...rest, isFollowed: false, dark: false, ...scene }, sprites, layer)
  return drawn
}

/** A runner who is `px` pixels east of the middle at second 10, and `px` + 20 at second 20. */
function runner(id: string, px: number, rest: Partial<DrawnRunner> = {}): DrawnRunner {
  const middle = mercatorX(7)
  const world = 512 * 2 ** 9
  const x = [0, px, px + 20].map((east) => middle + east / world)
  const y = [0, 0, 0].map(() => mercatorY(46))
  const line = { timeSec: [0, 10, 20], x, y, lastSec: 20 }
  return { id, name: `Name ${id}`, colour: 'blue', isUnderWay: true, ...line, ...rest }
}

describe('ScenePainter', () => {
  test('paints who is on the map, between positions, and the selected runner above', () => {
    const painter = new ScenePainter()
    const runners = [
      runner('a', 50),
      runner('b', 5000),
      runner('c', -50, { isSilent: true }),
      runner('d', 0, { timeSec: [11, 12, 13] }),
    ]

    assert.deepEqual(painted(painter, { runners }), ['disc blue 6 at 250, 150', 'ring blue 6 at 150, 150'])
    assert.deepEqual(painted(painter, { runners, selectedId: 'a', timeOf: () => 15 }).slice(-2), [
      'disc blue 9 at 260, 150',
      'Name a at 298, 150',
    ])
    assert.equal(painter.nearest({ x: 268, y: 150 }, 16), 'a')
    assert.equal(painter.nearest({ x: 310, y: 150 }, 16), undefined)
    assert.deepEqual(painter.placeOf('b'), { x: 5210, y: 150 })
  })

  test('paints those who look alike on the same pixel once, unless they are dim', () => {
    const crowd = Array.from({ length: 50 }, (_, i) => runner(`${i}`, 10.2 + i / 100))
    const others = [
      runner('red', 10.3, { colour: 'red' }),
      runner('dim', 10.4, { isDim: true }),
      runner('dim too', 10.4, { isDim: true }),
    ]

    const drawn = painted(new ScenePainter(), { runners: [...crowd, ...others] })

    assert.deepEqual(
      drawn,
      ['blue', 'red', 'blue', 'blue'].map((colour) => `disc ${colour} 6 at 210, 150`),
    )
  })

  test('leaves the heads of a crowd to a layer below, but for the selected one', () => {
    const heads: string[] = []
    const layer = {
      begin: () => void heads.splice(0),
      add: (index: number, x: number, _y: number, isRing: number) =>
        void heads.push(`${index} ${Math.round(x)} ${isRing}`),
      end() {},
    } as unknown as HeadsLayer
    const runners = [runner('a', 50), runner('b', -50, { isSilent: true }), runner('c', 5000), runner('d', 50)]

    assert.deepEqual(painted(new ScenePainter(), { runners, selectedId: 'b' }, layer), [
      'path',
      'move',
      'line',
      'ring blue 9 at 150, 150',
      'Name b at 188, 150',
    ])
    assert.deepEqual(heads, ['0 250 0'])
    assert.deepEqual(painted(new ScenePainter(), { runners }, layer), [])
    assert.deepEqual(heads, ['0 250 0', '1 150 1'])
  })

  test('tells whether anybody has visibly moved, begun or fallen silent since the last picture', () => {
    const painter = new ScenePainter()
    const runners = [runner('a', 0), runner('b', 60), runner('late', 90, { timeSec: [10.2, 20, 30] })]
    const isStillAt = (sec: number, rest: Partial<Scene> = {}, ratio = 1) =>
      painter.isStill({ runners, trailSec: 0, timeOf: () => sec, ...rest }, ratio)

    assert.equal(isStillAt(10), false, 'there is no picture yet')
    painted(painter, { runners })

    // In a second, each of them moves by two pixels.
    assert.equal(isStillAt(10.1), true)
    assert.equal(isStillAt(10.1, {}, 2), false, 'as the screen has two pixels for one')
    assert.equal(isStillAt(10.15), false)
    assert.equal(isStillAt(10, { trailSec: 60 }), false, 'as trails show time')
    assert.equal(isStillAt(10, { runners: [...runners] }), false, 'as looks may be others')
    painted(painter, { runners, timeOf: () => 10.19 })
    assert.equal(isStillAt(10.2), false, 'as one more has begun')
    painted(painter, { runners, timeOf: () => 30 })
    assert.equal(isStillAt(1000), true)
  })

  test('paints names where there is room, those of the right edge to the left of their runners', () => {
    const runners = [runner('a', 0), runner('b', 20), runner('c', 100), runner('d', 195)]

    const drawn = painted(new ScenePainter(), { runners, named: runners, pointedId: 'b' })

    assert.deepEqual(
      drawn.filter((one) => one.startsWith('Name')),
      ['Name b at 258, 150', 'Name c at 338, 150'],
    )
    assert.ok(
      painted(new ScenePainter(), { runners: [runner('d', 195)], named: [runner('d', 195)] }).includes(
        'Name d at 357, 150',
      ),
    )
  })

  test('paints trails of one look as one path, cut where the way is unknown', () => {
    const runners = [runner('a', 50), runner('b', 60, { gaps: new Set([1]) }), runner('c', 70, { colour: 'red' })]

    const drawn = painted(new ScenePainter(), { runners, trailSec: 100 })

    assert.equal(drawn.filter((one) => one === 'path').length, 2)
    assert.equal(drawn.filter((one) => one === 'move').length, 4)
  })
})
