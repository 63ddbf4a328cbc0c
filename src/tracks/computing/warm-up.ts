import { encodeChunk } from '../chunks/chunk-codec.ts'
import { MAX_CHUNK_POINTS } from '../chunks/chunk-plan.ts'
import { mergeChunks } from '../chunks/merge-chunks.ts'
import { WHOLE_TRACK } from '../domain/shown-part.ts'
import { computeTrackFigures } from './points-task.ts'
import { syntheticWalk } from './synthetic-walk.ts'

/** Enough for the engine to compile the code of tasks; more make no difference. */
const ROUNDS = 6

/** Computes a synthetic track a few times, so that the first track to finish need not wait for compilation. */
export function warmUp(): void {
  const chunks = [encodeChunk(syntheticWalk(MAX_CHUNK_POINTS), 'fast')]
  const settings = { activityType: 'run', maxAccuracyMeters: 50 } as const
  for (let round = 0; round < ROUNDS; round++) computeTrackFigures({ chunks, pauses: [], settings, shown: WHOLE_TRACK })
  mergeChunks(chunks)
}
