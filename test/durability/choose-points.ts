import type { RandomChoices } from '../support/random-choices.ts'
import type { RecordedTrack } from './recorded-track.ts'

// Chooses the points that a phone sends next, by their indexes.

/** The random choices, and the usual number of points in a request. */
export type Recorder = { random: RandomChoices; batchPoints: readonly [from: number, to: number] }

/** Chooses new points. Occasionally some are recorded but not yet sent, and some are in the request twice. */
export function nextPoints({ random, batchPoints }: Recorder, track: RecordedTrack): number[] {
  if (random.chance(0.1)) track.heldBack.push(record(random, track, batchPoints))
  const indexes = record(random, track, batchPoints)
  return random.chance(0.1) ? [...indexes, ...indexes.slice(0, 3)] : indexes
}

export function latePoints(recorder: Recorder, track: RecordedTrack): number[] {
  const late = track.heldBack.pop()
  return late === undefined ? nextPoints(recorder, track) : shuffled(recorder.random, late)
}

export function knownPoints(recorder: Recorder, track: RecordedTrack): number[] {
  return track.batches.length === 0 ? nextPoints(recorder, track) : [...recorder.random.pick(track.batches).indexes]
}

/** Chooses parts of two earlier requests with new points in between, like a batch cut differently. */
export function overlappingPoints(recorder: Recorder, track: RecordedTrack): number[] {
  const [one, other] = [knownPoints(recorder, track), knownPoints(recorder, track)]
  const middle = Math.ceil(one.length / 2)
  return shuffled(recorder.random, [
    ...new Set([...one.slice(middle), ...other.slice(0, middle), ...nextPoints(recorder, track)]),
  ])
}

function record(random: RandomChoices, track: RecordedTrack, [from, to]: readonly [number, number]): number[] {
  const first = track.next
  track.next += random.between(from, to)
  return range(first, track.next)
}

export function range(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, i) => from + i)
}

export function shuffled(random: RandomChoices, indexes: number[]): number[] {
  for (let i = indexes.length - 1; i > 0; i--) {
    const j = random.between(0, i)
    ;[indexes[i], indexes[j]] = [indexes[j], indexes[i]]
  }
  return indexes
}
