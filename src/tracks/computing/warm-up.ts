import { encodeChunk } from '../chunks/chunk-codec.ts'
import { MAX_CHUNK_POINTS } from '../chunks/chunk-plan.ts'
import { mergeChunks } from '../chunks/merge-chunks.ts'
import { emptyColumns, type PointColumns } from '../points/point-columns.ts'
import { computeTrackStatistics } from './points-task.ts'

/** Enough for the engine to compile what tracks need; more makes no difference. */
const ROUNDS = 6

/** Computes a made-up track a few times, so that the first track that is finished is not the one that waits for it. */
export function warmUp(): void {
  const chunks = [encodeChunk(madeUpWalk(MAX_CHUNK_POINTS), 'fast')]
  const settings = { activityType: 'run', maxAccuracyMeters: 50 } as const
  for (let round = 0; round < ROUNDS; round++) computeTrackStatistics({ chunks, pauses: [], settings })
  mergeChunks(chunks)
}

/** A point a second around a hill, with the jitter of a receiver from a fixed sequence. */
function madeUpWalk(count: number): PointColumns {
  const points = emptyColumns(count)
  for (let i = 0; i < count; i++) {
    const jitter = ((i * 7919) % 101) / 101 - 0.5
    points.timeMs[i] = i * 1000
    points.latitude[i] = Math.round((45 + Math.sin(i / 900) / 100 + jitter / 1e5) * 1e7) / 1e7
    points.longitude[i] = Math.round((6 + Math.cos(i / 900) / 100 + jitter / 1e5) * 1e7) / 1e7
    points.altitude[i] = Math.round((1000 + 80 * Math.sin(i / 600) + 2 * jitter) * 10) / 10
    points.speedMps[i] = Math.round((2.6 + jitter) * 100) / 100
    points.accuracy[i] = 4
  }
  return points
}
