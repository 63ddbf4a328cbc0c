import fc from 'fast-check'
import { emptyColumns, type PointColumns, pickPoints, sortPoints } from '../../src/tracks/points/point-columns.ts'
import { CHOICE_FIELDS, NUMBER_FIELDS } from '../../src/tracks/points/point-fields.ts'

// Arbitraries of points for property tests.

const OPTIONAL_FIELDS = NUMBER_FIELDS.filter(({ isRequired }) => !isRequired)

type Draw = {
  readonly length: number
  readonly time: fc.Arbitrary<number>
  /** Arbitraries of the numbers of one column. */
  readonly kinds: readonly fc.Arbitrary<number>[]
}

const anyDouble = fc.double({ noNaN: true })
const decimal = fc
  .tuple(fc.integer({ min: -1_800_000_000, max: 1_800_000_000 }), fc.integer({ min: 0, max: 12 }))
  .map(([integer, decimals]) => integer / 10 ** decimals)
const semicircles = fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }).map((integer) => (integer * 180) / 2 ** 31)
const single = fc.integer({ min: -9999, max: 9999 }).map((integer) => Math.fround(integer / 1000))
const notable = fc.constantFrom(-0, 0, Number.MIN_VALUE, -1e-310, 1e308, Number.MAX_VALUE, 0.1 + 0.2, 1, -1)
const anyTime = fc.oneof(
  fc.integer({ min: 1_600_000_000_000, max: 1_600_000_100_000 }),
  fc.integer({ min: 1_600_000_000, max: 1_600_000_100 }).map((seconds) => 1000 * seconds),
  fc.integer({ min: -(2 ** 52), max: 2 ** 52 }),
)

/** Points of arbitrary doubles in any order; each column draws one kind of number, and optional ones have gaps. */
export const anyPoints: fc.Arbitrary<PointColumns> = fc
  .integer({ min: 1, max: 100 })
  .chain((length) =>
    draw({ length, time: anyTime, kinds: [fc.oneof(anyDouble, notable), decimal, semicircles, single] }),
  )

/** Points in any order, drawn from so few that equal points and equal times are frequent. */
export const similarPoints: fc.Arbitrary<PointColumns> = fc
  .array(fc.nat(23), { minLength: 1, maxLength: 12 })
  .map((indexes) => pickPoints(fewPoints(), Uint32Array.from(indexes)))

/** The same in canonical order. */
export const sortedSimilarPoints = similarPoints.map(sortPoints)

/** Returns every point as text, which is equal only for points with the same bits. */
export function pointTexts(points: PointColumns): string[] {
  return Array.from({ length: points.count }, (_, i) => {
    const numbers = NUMBER_FIELDS.map(({ column }) => points[column][i])
    const texts = numbers.map((number) => (Object.is(number, -0) ? '-0' : String(number)))
    return [points.timeMs[i], ...texts, ...CHOICE_FIELDS.map(({ column }) => points[column][i])].join(' ')
  })
}

/** Three points at each of eight times: like those of an empty form, with one bit changed, with one field more. */
function fewPoints(): PointColumns {
  const points = emptyColumns(24)
  for (let i = 0; i < points.count; i++) {
    points.timeMs[i] = Math.floor(i / 3)
    if (i % 3 === 1) points.latitude[i] = -0
    if (i % 3 === 2) points.battery[i] = 0
  }
  return points
}

function draw({ length, time, kinds }: Draw): fc.Arbitrary<PointColumns> {
  const column = (value: fc.Arbitrary<number>) => fc.array(value, { minLength: length, maxLength: length })
  const constant = (value: fc.Arbitrary<number>) => value.map((one) => new Array<number>(length).fill(one))
  const numbers = fc.oneof(...kinds.map(column), ...kinds.map(constant))
  const present = fc.oneof(fc.constant([true]), fc.constant([false]), fc.array(fc.boolean(), { minLength: 1 }))
  const choices = CHOICE_FIELDS.map((field) => fc.oneof(column(fc.nat(field.choices.length)), fc.constant([0])))
  return fc
    .tuple(
      column(time),
      fc.tuple(...NUMBER_FIELDS.map(() => numbers)),
      fc.tuple(...OPTIONAL_FIELDS.map(() => present)),
      fc.tuple(...choices),
    )
    .map(([times, values, presence, codes]) => {
      const points = emptyColumns(length)
      points.timeMs.set(times)
      NUMBER_FIELDS.forEach(({ column }, at) => {
        points[column].set(values[at])
      })
      OPTIONAL_FIELDS.forEach(({ column }, at) => {
        for (let i = 0; i < length; i++) if (!presence[at][i % presence[at].length]) points[column][i] = Number.NaN
      })
      CHOICE_FIELDS.forEach(({ column }, at) => {
        points[column].set(codes[at])
      })
      return points
    })
}
