import type { Frame, FrameTrack } from './frame.ts'
import { byteReader, readHeader, readTracks } from './frame-columns.ts'
import { letOthersWork } from './let-others-work.ts'

export type { Frame, FrameTrack, Tile } from './frame.ts'

/** Reads the frames of one share, one after another. */
export type FrameReader = {
  /**
   * Takes the bytes of the next frame. Returns undefined, with nothing changed, if frames between are missing: then go
   * on with the newest whole frame.
   * @throws RangeError if the bytes are no frame that this version can read
   */
  take(bytes: Uint8Array): Frame | undefined
  /**
   * Does the same in slices of about half a millisecond: the first frame of 20,000 tracks would keep a page from
   * drawing for a tenth of a second. Take no other frame meanwhile.
   * @param rest called between slices; by default it lets the page do what is due
   */
  takeInSlices(bytes: Uint8Array, rest?: () => Promise<void>): Promise<Frame | undefined>
  /** Number of the latest frame; undefined before the first. */
  number(): number | undefined
  /** Number of tracks as of the latest frame. */
  count(): number
  /** All tracks as of the latest frame, by their ids. */
  tracks(): ReadonlyMap<string, FrameTrack>
  /** Returns a function that returns all tracks as of the latest frame now, also after further frames. */
  tracksLater(): () => ReadonlyMap<string, FrameTrack>
}

/** Tracks by their places, and their number: of a tile not every place has one. */
type Places = { at: readonly FrameTrack[]; count: number }

const NO_PLACES: Places = { at: [], count: 0 }

/**
 * Creates a reader. The format is that of docs/live-frames.md.
 * @param isInTile tells which tracks are in the tile whose frames it reads; undefined for frames of the whole event
 */
export function createFrameReader(isInTile?: (track: FrameTrack) => boolean): FrameReader {
  let latest: number | undefined
  let key: { number: number; tracks: Places } | undefined
  let tracks = NO_PLACES

  function* taking(bytes: Uint8Array): Generator<void, Frame | undefined> {
    const reader = byteReader(bytes)
    const { previous, key: keyNumber, count, known, added, hasBattery, hasSpeed, ...frame } = readHeader(reader)
    if (!frame.isWhole) {
      if (previous === undefined || previous !== latest) return undefined
      // The tracks as of a key frame are known to whoever has read the frames up to it.
      if (keyNumber === latest) key = { number: latest, tracks }
      if (key === undefined || keyNumber !== key.number) return undefined
    }
    const before = frame.isWhole || key === undefined ? NO_PLACES : key.tracks
    if (known !== before.count) throw new RangeError('The frame refers to another key frame.')
    const at = frame.isWhole ? [] : tracks.at.slice()
    let counted = frame.isWhole ? 0 : tracks.count
    const columns = { ...frame, count, added, hasBattery, hasSpeed, before: before.at }
    const changed = yield* readTracks(reader, columns, (place, track) => {
      if (at[place] !== undefined) counted--
      if (isInTile?.(track) ?? true) {
        at[place] = track
        counted++
      } else delete at[place]
    })
    tracks = { at, count: counted }
    latest = frame.number
    if (frame.isWhole) key = { number: frame.number, tracks }
    return { ...frame, changed }
  }

  return {
    take(bytes) {
      const steps = taking(bytes)
      for (;;) {
        const { done, value } = steps.next()
        if (done) return value
      }
    },
    async takeInSlices(bytes, rest = letOthersWork) {
      const steps = taking(bytes)
      for (;;) {
        const { done, value } = steps.next()
        if (done) return value
        await rest()
      }
    },
    number: () => latest,
    count: () => tracks.count,
    tracks: () => byIdOf(tracks.at),
    tracksLater() {
      const now = tracks.at
      let byId: ReadonlyMap<string, FrameTrack> | undefined
      return () => (byId ??= byIdOf(now))
    },
  }
}

function byIdOf(tracks: readonly FrameTrack[]): ReadonlyMap<string, FrameTrack> {
  const byId = new Map<string, FrameTrack>()
  // Without the places that tracks have left.
  tracks.forEach((track) => {
    byId.set(track.id, track)
  })
  return byId
}
