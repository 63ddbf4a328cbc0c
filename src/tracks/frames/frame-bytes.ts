import { ShortSlices } from '#platform/jobs/main-thread-time.ts'
import { type Frame, type FrameEntry, type FramePosition, type FrameTrack, type KeyTracks, STATES } from './frame.ts'

/** "TF" and the version of the format. */
export const START = Uint8Array.of(0x54, 0x46, 1)
/** Bits of the byte after it. */
export const FLAG = { whole: 1, battery: 2, speed: 4 }
/** Bits of the byte of a track, above the bits of its state. */
export const BIT = { position: 4, rank: 8, details: 16 }

/** Writes the numbers and bytes of a frame one after another. */
class ByteWriter {
  #bytes: Uint8Array
  #length = 0

  constructor(capacity: number) {
    this.#bytes = new Uint8Array(Math.max(64, capacity))
  }

  /** Number of bytes written so far. */
  get length(): number {
    return this.#length
  }

  /** Returns a copy of everything written. */
  result(): Uint8Array {
    return this.#bytes.slice(0, this.#length)
  }

  byte(value: number): void {
    if (this.#length === this.#bytes.length) this.#grow(1)
    this.#bytes[this.#length++] = value
  }

  bytes(values: Uint8Array): void {
    if (this.#length + values.length > this.#bytes.length) this.#grow(values.length)
    this.#bytes.set(values, this.#length)
    this.#length += values.length
  }

  /** Writes a whole number from 0 to 2⁵³ − 1 in groups of seven bits, the lowest first (LEB128). */
  unsigned(value: number): void {
    let rest = value
    while (rest > 127) {
      this.byte((rest % 128) + 128)
      rest = Math.floor(rest / 128)
    }
    this.byte(rest)
  }

  /** Writes a whole number of at most 2⁵², positive or not, so that small ones are short. */
  signed(value: number): void {
    this.unsigned(value < 0 ? -2 * value - 1 : 2 * value)
  }

  #grow(atLeast: number): void {
    const larger = new Uint8Array(Math.max(this.#bytes.length * 2, this.#length + atLeast))
    larger.set(this.#bytes)
    this.#bytes = larger
  }
}

/** Most bytes of a number: 2⁵³ has eight groups of seven bits. */
const MAX_NUMBER_BYTES = 8

/** Reads what `ByteWriter` wrote. Each method throws a RangeError at the end of the bytes. */
export class ByteReader {
  readonly #bytes: Uint8Array
  #at = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }

  /** Number of bytes that have not been read. */
  get left(): number {
    return this.#bytes.length - this.#at
  }

  byte(): number {
    if (this.#at === this.#bytes.length) throw new RangeError('The frame is cut off.')
    return this.#bytes[this.#at++]
  }

  bytes(count: number): Uint8Array {
    if (count > this.left) throw new RangeError('The frame is cut off.')
    this.#at += count
    return this.#bytes.subarray(this.#at - count, this.#at)
  }

  unsigned(): number {
    let value = 0
    for (let i = 0, unit = 1; i < MAX_NUMBER_BYTES; i++, unit *= 128) {
      const group = this.byte()
      value += (group & 127) * unit
      if (group < 128) return value
    }
    throw new RangeError('A number of the frame is too long.')
  }

  signed(): number {
    const value = this.unsigned()
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2
  }
}

// docs/live-frames.md describes the bytes. A decoder of its own, for apps, is in clients/typescript/src/live.

/** Usual bytes of an entry, and of a whole one with its id. */
const ENTRY_BYTES = 13
const WHOLE_ENTRY_BYTES = 37

/**
 * Writes a frame. Values that are as in the key frame are left out, and positions are differences from it; those of a
 * whole frame from the track before. A long frame is written with breaks, in which requests are answered.
 * @param key the tracks of the key frame; not used for a whole frame
 */
export async function encodeFrame(frame: Frame, key: KeyTracks, slices = new ShortSlices()): Promise<Uint8Array> {
  const { entries, isWhole } = frame
  const out = new ByteWriter(64 + entries.length * (isWhole ? WHOLE_ENTRY_BYTES : ENTRY_BYTES))
  const known: KeyTracks = isWhole ? [] : key
  const isKnown = (place: number) => known.has?.(place) ?? place < known.length
  const added: FrameEntry[] = []
  const moved: FrameEntry[] = []
  await slices.each(entries, (entry) => {
    if (!isKnown(entry.place)) added.push(entry)
    if (entry.track.position !== null) moved.push(entry)
  })
  writeHeader(out, frame, known.length, added.length)
  await slices.each(added, ({ track }) => out.bytes(Buffer.from(track.id.replaceAll('-', ''), 'hex')))
  const column = (write: (entry: FrameEntry, i: number) => void) => slices.each(entries, write)
  const asOfSec = Math.floor(frame.asOfMs / 1000)
  const positions = async (write: (now: FramePosition, before: FramePosition | null) => void) => {
    let last: FramePosition | null = null
    await slices.each(moved, ({ place, track }) => {
      write(track.position!, isWhole ? last : (known.at(place)?.position ?? null))
      last = track.position
    })
  }
  await column(({ place }, i) => out.unsigned(i === 0 ? place : place - entries[i - 1].place - 1))
  await column(({ place, track }) => out.byte(bitsOf(track, known.at(place))))
  await positions(({ timeSec }) => out.signed(asOfSec - timeSec))
  await positions((now, before) => out.signed(now.latitude - (before?.latitude ?? 0)))
  await positions((now, before) => out.signed(now.longitude - (before?.longitude ?? 0)))
  await positions(({ heading }) => out.byte(heading))
  await column(({ place, track }) => isRankWritten(track, known.at(place)) && out.unsigned(track.rank))
  await column(({ place, track }) => {
    if (!areDetailsWritten(track, known.at(place))) return
    out.byte(track.details >> 8)
    out.byte(track.details & 255)
  })
  await column(({ track }) => out.byte(track.battery))
  // A speed that stays about the same is a small difference. Small numbers are compressed well.
  await column(({ place, track }) => out.byte((track.speed - (known.at(place)?.speed ?? 0)) & 255))
  return out.result()
}

/** Writes the facts of the whole frame. The ids of the tracks that the key frame does not have follow. */
function writeHeader(out: ByteWriter, frame: Frame, known: number, added: number): void {
  const { number, previous, key, isWhole, asOfMs, delaySec, leftOut, entries } = frame
  out.bytes(START)
  out.byte((isWhole ? FLAG.whole : 0) | FLAG.battery | FLAG.speed)
  out.unsigned(number)
  out.unsigned(previous === null ? 0 : number - previous)
  out.unsigned(number - key)
  out.unsigned(asOfMs)
  out.unsigned(delaySec)
  out.unsigned(leftOut)
  out.unsigned(entries.length)
  out.unsigned(known)
  out.unsigned(added)
}

function bitsOf(track: FrameTrack, before: FrameTrack | undefined): number {
  return (
    STATES.indexOf(track.state) |
    (track.position === null ? 0 : BIT.position) |
    (isRankWritten(track, before) ? BIT.rank : 0) |
    (areDetailsWritten(track, before) ? BIT.details : 0)
  )
}

function isRankWritten(track: FrameTrack, before: FrameTrack | undefined): boolean {
  return track.rank !== (before?.rank ?? 0)
}

function areDetailsWritten(track: FrameTrack, before: FrameTrack | undefined): boolean {
  return track.details !== (before?.details ?? 0)
}
