import type { Frame, FrameTrack } from './frame.ts'

type Header = Omit<Frame, 'changed'> & {
  previous: number | undefined
  key: number
  count: number
  known: number
  added: number
  hasBattery: boolean
  hasSpeed: boolean
}

const STATES = ['running', 'paused', 'stopped'] as const
const UNITS_PER_DEGREE = 100_000
const HEADING_STEP_DEG = 1.5
/** Steps of speeds: the first so many are fine, all others coarse. */
const FINE_STEPS = 128
const FINE_STEP_MPS = 0.05
const COARSE_STEP_MPS = 0.2
const MAX_PLACES = 2 ** 24
/** Values that are read without a break: about half a millisecond. An id and a track take as long as some. */
const VALUES_AT_ONCE = 4000
const VALUES_OF_ID = 8
const VALUES_OF_TRACK = 8

type ByteReader = ReturnType<typeof byteReader>

/** Reads bytes one after another. @throws RangeError where there are no more */
export function byteReader(bytes: Uint8Array) {
  let at = 0

  function byte(): number {
    if (at === bytes.length) throw new RangeError('The frame is cut off.')
    return bytes[at++]
  }

  function unsigned(): number {
    let value = 0
    for (let i = 0, unit = 1; i < 8; i++, unit *= 128) {
      const group = byte()
      value += (group & 127) * unit
      if (group < 128) return value
    }
    throw new RangeError('A number of the frame is too long.')
  }

  function signed(): number {
    const value = unsigned()
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2
  }

  return { byte, unsigned, signed, left: () => bytes.length - at }
}

/** Reads the facts of a whole frame. @throws RangeError */
export function readHeader({ byte, unsigned, left }: ByteReader): Header {
  if (byte() !== 0x54 || byte() !== 0x46 || byte() !== 1) throw new RangeError('This is no frame of a known version.')
  const flags = byte()
  const number = unsigned()
  const back = unsigned()
  const header = {
    number,
    previous: back === 0 ? undefined : number - back,
    key: number - unsigned(),
    asOfMs: unsigned(),
    delaySec: unsigned(),
    leftOut: unsigned(),
    count: unsigned(),
    known: unsigned(),
    added: unsigned(),
    isWhole: (flags & 1) !== 0,
    hasBattery: (flags & 2) !== 0,
    hasSpeed: (flags & 4) !== 0,
  }
  if (header.count * 2 > left() || header.added > header.count) throw new RangeError('The frame is cut off.')
  return header
}

type Columns = Pick<Header, 'asOfMs' | 'isWhole' | 'count' | 'added' | 'hasBattery' | 'hasSpeed'> & {
  before: readonly FrameTrack[]
}

/**
 * Reads the tracks of a frame from columns. Yields when a pause is due.
 * @param put is called with each track and its place
 * @throws RangeError
 */
export function* readTracks(
  reader: ByteReader,
  columns: Columns,
  put: (place: number, track: FrameTrack) => void,
): Generator<void, FrameTrack[]> {
  const { asOfMs, isWhole, count, added, hasBattery, hasSpeed, before } = columns
  const { byte, unsigned, signed } = reader
  let left = VALUES_AT_ONCE
  function* every<Value>(length: number, read: (i: number) => Value, values = 1): Generator<void, Value[]> {
    const all: Value[] = []
    for (let i = 0; i < length; i++) {
      left -= values
      if (left < 0) {
        left = VALUES_AT_ONCE
        yield
      }
      all.push(read(i))
    }
    return all
  }
  const ids = yield* every(added, () => readId(byte), VALUES_OF_ID)
  let next = 0
  let others = 0
  const places = yield* every(count, () => {
    next += unsigned() + 1
    if (before[next - 1] === undefined) others++
    return next - 1
  })
  if (next > MAX_PLACES || others !== added) throw new RangeError('The frame has a place that no track has.')
  const moved: number[] = []
  const bits = yield* every(count, (i) => {
    const value = byte()
    if ((value & 3) === 3) throw new RangeError('The frame has a state that no track has.')
    if (value & 4) moved.push(i)
    return value
  })
  const ages = yield* every(moved.length, signed)
  const axis = (name: 'latitude' | 'longitude') => {
    let last = 0
    return every(moved.length, (j) => {
      const base = before[places[moved[j]]]?.[name] ?? 0
      last = signed() + (isWhole ? last : Math.round(base * UNITS_PER_DEGREE))
      return last
    })
  }
  const latitudes = yield* axis('latitude')
  const longitudes = yield* axis('longitude')
  const headings = yield* every(moved.length, byte)
  const ranks = yield* every(count, (i) => (bits[i] & 8 ? unsigned() : (before[places[i]]?.rank ?? 0)))
  const details = yield* every(count, (i) => (bits[i] & 16 ? byte() * 256 + byte() : (before[places[i]]?.details ?? 0)))
  const batteries = yield* every(hasBattery ? count : 0, byte)
  const speedOfStep = (i: number) => (byte() + speedStep(before[places[i]]?.speedMps ?? null)) & 255
  const speeds = yield* every(hasSpeed ? count : 0, speedOfStep)
  let [taken, j] = [0, -1]
  const trackOf = (i: number): FrameTrack => {
    const place = places[i]
    const hasPosition = (bits[i] & 4) !== 0
    if (hasPosition) j++
    const track: FrameTrack = {
      id: before[place]?.id ?? ids[taken++],
      state: STATES[bits[i] & 3],
      timeMs: hasPosition ? (Math.floor(asOfMs / 1000) - ages[j]) * 1000 : null,
      latitude: hasPosition ? latitudes[j] / UNITS_PER_DEGREE : null,
      longitude: hasPosition ? longitudes[j] / UNITS_PER_DEGREE : null,
      heading: !hasPosition || headings[j] === 0 ? null : (headings[j] - 1) * HEADING_STEP_DEG,
      speedMps: speeds[i] ? speedOf(speeds[i]) : null,
      rank: ranks[i] || null,
      details: details[i],
      battery: batteries[i] ? batteries[i] - 1 : null,
    }
    put(place, track)
    return track
  }
  return yield* every(count, trackOf, VALUES_OF_TRACK)
}

/** Returns the meters per second of a step of a speed, from 1. */
function speedOf(step: number): number {
  const fine = Math.min(step - 1, FINE_STEPS)
  return Math.round(100 * (fine * FINE_STEP_MPS + (step - 1 - fine) * COARSE_STEP_MPS)) / 100
}

/** Returns the step of a speed that was read; 0 for an unknown one. */
function speedStep(speedMps: number | null): number {
  if (speedMps === null) return 0
  const fine = Math.min(speedMps, FINE_STEPS * FINE_STEP_MPS)
  return 1 + Math.round(fine / FINE_STEP_MPS) + Math.round((speedMps - fine) / COARSE_STEP_MPS)
}

/** Reads the sixteen bytes of a UUID. */
function readId(byte: () => number): string {
  let id = ''
  for (let i = 0; i < 16; i++) id += (i > 3 && i < 11 && i % 2 === 0 ? '-' : '') + (byte() + 256).toString(16).slice(1)
  return id
}
