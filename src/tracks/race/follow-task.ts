import { decodeChunk } from '../points/chunks/chunk-codec.ts'
import { firstIndexAfter, sliceColumns } from '../points/point-columns.ts'
import type { CourseLine } from '../statistics/course-line.ts'
import type { PointsPool } from '../statistics/points-pool.ts'
import { type Checkpoint, gatesOf } from './checkpoints.ts'
import { courseShape } from './course.ts'
import { type FollowedTrack, type FollowSettings, follow, newFollowedTrack } from './follow-track.ts'

/** A track to follow, from where it was left: its chunks, from the first one with later points on, in time order. */
export type TrackToFollow = {
  followed: FollowedTrack | null
  chunks: Uint8Array[]
  settings: Omit<FollowSettings, 'gates' | 'projection'>
}

/** Tracks to follow along one course. */
type FollowTask = { line: CourseLine; checkpoints: Checkpoint[]; tracks: TrackToFollow[] }

/** Follows tracks along a course. @throws ChunkDamagedError */
export function followTracks({ line, checkpoints, tracks }: FollowTask): FollowedTrack[] {
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

/** Follows tracks along a course in a thread. */
export async function followInThread(pool: PointsPool, task: FollowTask): Promise<FollowedTrack[]> {
  return await pool.run('follow', task)
}
