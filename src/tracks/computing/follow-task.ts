import { decodeChunk } from '../chunks/chunk-codec.ts'
import { sliceColumns } from '../points/point-columns.ts'
import { firstIndexAfter } from '../points/point-set.ts'
import type { Checkpoint } from '../race/checkpoint.ts'
import type { CourseLine } from '../race/course-line.ts'
import { courseShape } from '../race/course-shape.ts'
import { type FollowedTrack, type FollowSettings, follow, newFollowedTrack } from '../race/follow-track.ts'
import { gatesOf } from '../race/gates.ts'

/** A track to follow, from where it was left: its chunks, from the first one with later points on, in time order. */
export type TrackToFollow = {
  followed: FollowedTrack | null
  chunks: Uint8Array[]
  settings: Omit<FollowSettings, 'gates' | 'projection'>
}

/** Tracks to follow along one course. */
export type FollowTask = { kind: 'follow'; line: CourseLine; checkpoints: Checkpoint[]; tracks: TrackToFollow[] }

/** Follows tracks along a course. @throws ChunkDamagedError */
export function followTracks({ line, checkpoints, tracks }: Omit<FollowTask, 'kind'>): FollowedTrack[] {
  const shape = courseShape(line)
  const gates = gatesOf(shape, checkpoints)
  return tracks.map(({ followed, chunks, settings }) => {
    const track = followed ?? newFollowedTrack()
    for (const chunk of chunks) {
      const points = decodeChunk(chunk)
      const from = track.lastMs === null ? 0 : firstIndexAfter(points, track.lastMs)
      follow(track, sliceColumns(points, from, points.count), { ...settings, gates, projection: shape.projection })
    }
    return track
  })
}
