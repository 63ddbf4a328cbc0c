import fc from 'fast-check'
import type { Frame, FrameTrack } from '../../src/tracks/frames/frame.ts'

const position = fc.record(
  {
    timeSec: fc.integer({ min: -1000, max: 4_000_000_000 }),
    latitude: fc.integer({ min: -9_000_000, max: 9_000_000 }),
    longitude: fc.integer({ min: -18_000_000, max: 18_000_000 }),
    heading: fc.integer({ min: 0, max: 240 }),
  },
  { noNullPrototype: true },
)

const track: fc.Arbitrary<FrameTrack> = fc.record(
  {
    id: fc.uuid(),
    state: fc.constantFrom('running' as const, 'paused' as const, 'stopped' as const),
    position: fc.option(position),
    speed: fc.integer({ min: 0, max: 255 }),
    rank: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 300_000 })),
    details: fc.integer({ min: 0, max: 65_535 }),
    battery: fc.integer({ min: 0, max: 101 }),
  },
  { noNullPrototype: true },
)

/** A whole frame and the frame after it, in which some tracks differ and some are new. */
export const twoFrames: fc.Arbitrary<{ whole: Frame; next: Frame }> = fc
  .record({
    tracks: fc.uniqueArray(track, { selector: ({ id }) => id, maxLength: 20 }),
    changes: fc.array(fc.option(track), { maxLength: 24 }),
    number: fc.integer({ min: 1, max: 2 ** 40 }),
    asOfMs: fc.integer({ min: 0, max: 2 ** 45 }),
    delaySec: fc.integer({ min: 0, max: 86_400 }),
    leftOut: fc.integer({ min: 0, max: 100_000 }),
  })
  .map(({ tracks, changes, number, asOfMs, delaySec, leftOut }) => {
    const entries = tracks.map((each, place) => ({ place, track: each }))
    const base = { delaySec, leftOut, key: number }
    const known = new Set(tracks.map(({ id }) => id))
    const changed = changes.flatMap((each, place) => {
      if (each === null || (place >= tracks.length && known.has(each.id))) return []
      return [{ place, track: { ...each, id: tracks[place]?.id ?? each.id } }]
    })
    // New tracks follow the others without a gap.
    const added = changed.filter(({ place }) => place >= tracks.length)
    const isOnce = new Set(added.map(({ track: { id } }) => id)).size === added.length
    const kept = changed.filter(({ place }) => place < tracks.length)
    const after = isOnce ? added.map(({ track }, i) => ({ place: tracks.length + i, track })) : []
    return {
      whole: { ...base, number, previous: null, isWhole: true, asOfMs, entries },
      next: {
        ...base,
        number: number + 1,
        previous: number,
        isWhole: false,
        asOfMs: asOfMs + 2000,
        entries: [...kept, ...after],
      },
    }
  })
