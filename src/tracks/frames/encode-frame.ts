import { ShortSlices } from '#platform/jobs/main-thread-time.ts'
import type { Frame, FrameEntry, FramePosition, FrameTrack } from './frame.ts'
import { BIT, ByteWriter, FLAG, START, STATES } from './frame-bytes.ts'
import type { KeyTracks } from './track-columns.ts'

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
