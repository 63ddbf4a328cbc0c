import { setImmediate as turn } from 'node:timers/promises'
import { type Frame, type FrameEntry, type FramePosition, type FrameTrack, type KeyTracks, STATES } from './frame.ts'
import { BIT, ByteReader, FLAG, START } from './frame-bytes.ts'

const ID_BYTES = 16
/** Places of a series: more tracks than an event has. */
const MAX_PLACES = 2 ** 24
/** Values that are read without a break, less than a millisecond. */
const VALUES_AT_ONCE = 1000

type Header = Omit<Frame, 'entries'> & {
  count: number
  known: number
  added: number
  hasBattery: boolean
  hasSpeed: boolean
}

/**
 * Reads a frame. A long one is read with breaks, in which requests are answered.
 * @param key the tracks of its key frame; not used for a whole frame
 * @throws RangeError if the bytes are no frame, or the key frame is another one
 */
export async function decodeFrame(bytes: Uint8Array, key: KeyTracks): Promise<Frame> {
  const reader = new ByteReader(bytes)
  const { count, known, added, hasBattery, hasSpeed, ...frame } = readHeader(reader)
  if (!frame.isWhole && known !== key.length) throw new RangeError('The frame refers to another key frame.')
  const ids = await every(added, () => readId(reader))
  const column = (read: (i: number) => number) => every(count, read)
  let next = 0
  const places = await column(() => {
    next += reader.unsigned() + 1
    if (next > MAX_PLACES) throw new RangeError('The frame has a place that no track has.')
    return next - 1
  })
  const bits = await column(() => reader.byte())
  const before = (i: number): FrameTrack | undefined => (frame.isWhole ? undefined : key.at(places[i]))
  const positions = await readPositions(reader, {
    bits,
    asOfSec: Math.floor(frame.asOfMs / 1000),
    before,
    isWhole: frame.isWhole,
  })
  const ranks = await column((i) => (bits[i] & BIT.rank ? reader.unsigned() : (before(i)?.rank ?? 0)))
  const details = await column((i) =>
    bits[i] & BIT.details ? reader.byte() * 256 + reader.byte() : (before(i)?.details ?? 0),
  )
  const batteries = hasBattery ? reader.bytes(count) : new Uint8Array(count)
  const speeds = hasSpeed ? reader.bytes(count) : undefined
  let taken = 0
  const entries = await every(count, (i): FrameEntry => {
    const place = places[i]
    const id = place < (frame.isWhole ? 0 : known) ? key.at(place)!.id : ids[taken++]
    const state = STATES[bits[i] & 3]
    const speed = speeds === undefined ? 0 : (speeds[i] + (before(i)?.speed ?? 0)) & 255
    const [rank, battery] = [ranks[i], batteries[i]]
    return { place, track: { id, state, position: positions[i], speed, rank, details: details[i], battery } }
  })
  return { ...frame, entries }
}

/** Reads so many values one after another, with breaks. */
async function every<Value>(count: number, read: (i: number) => Value): Promise<Value[]> {
  const values: Value[] = []
  for (let i = 0; i < count; i++) {
    if (i % VALUES_AT_ONCE === VALUES_AT_ONCE - 1) await turn()
    values.push(read(i))
  }
  return values
}

/** Returns a frame for spectators: the same without the charge of phones, which is its owners'. */
export function withoutBattery(bytes: Uint8Array): Uint8Array {
  const { count, hasBattery, hasSpeed } = readHeader(new ByteReader(bytes))
  if (!hasBattery) return bytes
  const end = bytes.length - (hasSpeed ? count : 0)
  const shorter = bytes.slice(0, bytes.length - count)
  shorter.set(bytes.subarray(end), end - count)
  shorter[START.length] &= ~FLAG.battery
  return shorter
}

function readHeader(reader: ByteReader): Header {
  if (START.some((value) => reader.byte() !== value)) throw new RangeError('This is no frame of a known version.')
  const flags = reader.byte()
  const number = reader.unsigned()
  const back = reader.unsigned()
  const key = number - reader.unsigned()
  const asOfMs = reader.unsigned()
  const delaySec = reader.unsigned()
  const leftOut = reader.unsigned()
  const count = reader.unsigned()
  const known = reader.unsigned()
  const added = reader.unsigned()
  // Each entry has two bytes or more, so that a short text cannot ask for much memory.
  if (count * 2 > reader.left || added > count) throw new RangeError('The frame is cut off.')
  return {
    number,
    previous: back === 0 ? null : number - back,
    key,
    isWhole: (flags & FLAG.whole) !== 0,
    asOfMs,
    delaySec,
    leftOut,
    count,
    known,
    added,
    hasBattery: (flags & FLAG.battery) !== 0,
    hasSpeed: (flags & FLAG.speed) !== 0,
  }
}

function readId(reader: ByteReader): string {
  const hex = Buffer.from(reader.bytes(ID_BYTES)).toString('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}

type Columns = {
  bits: readonly number[]
  asOfSec: number
  before: (i: number) => FrameTrack | undefined
  isWhole: boolean
}

/** Reads the four columns of the positions; null for tracks without one. */
async function readPositions(
  reader: ByteReader,
  { bits, asOfSec, before, isWhole }: Columns,
): Promise<(FramePosition | null)[]> {
  const moved = Array.from(bits.keys()).filter((i) => bits[i] & BIT.position)
  const column = (read: (j: number) => number) => every(moved.length, read)
  const ages = await column(() => reader.signed())
  const places = (axis: 'latitude' | 'longitude') => {
    let last = 0
    return column((j) => {
      const base = isWhole ? last : (before(moved[j])?.position?.[axis] ?? 0)
      last = reader.signed() + base
      return last
    })
  }
  const latitudes = await places('latitude')
  const longitudes = await places('longitude')
  const headings = await column(() => reader.byte())
  const positions: (FramePosition | null)[] = bits.map(() => null)
  for (const [j, i] of moved.entries()) {
    const [latitude, longitude, heading] = [latitudes[j], longitudes[j], headings[j]]
    positions[i] = { timeSec: asOfSec - ages[j], latitude, longitude, heading }
  }
  return positions
}

/** Returns the frames that a frame refers to: the one before it, and its key frame, which is itself if it is whole. */
export function linksOf(bytes: Uint8Array): Pick<Frame, 'previous' | 'key'> {
  const { number, previous, key, isWhole } = readHeader(new ByteReader(bytes))
  return { previous, key: isWhole ? number : key }
}
