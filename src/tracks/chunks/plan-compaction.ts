import { MAX_CHUNK_POINTS } from './chunk-plan.ts'

/** What is known of a chunk without reading its points. */
export type ChunkHead = { firstMs: number; lastMs: number; count: number; merged: boolean }

/** Points that are merged at once at the most; it bounds the memory of a merge. */
const MAX_RUN_POINTS = 16 * MAX_CHUNK_POINTS

/**
 * Which chunks of a track, given in time order, to merge together: every run of neighbours that have not been merged,
 * with the merged chunk before them where that one is less than half full, so that a long recording ends as full
 * chunks and each point is rewritten only a few times.
 */
export function chooseRuns(heads: readonly ChunkHead[]): ChunkHead[][] {
  const runs: ChunkHead[][] = []
  let run: ChunkHead[] = []
  let points = 0
  const close = () => {
    if (run.some((head) => !head.merged)) runs.push(run)
    run = []
    points = 0
  }
  for (const head of heads) {
    const fillable = head.merged && head.count < MAX_CHUNK_POINTS / 2
    if ((head.merged && run.length > 0 && !fillable) || points + head.count > MAX_RUN_POINTS) close()
    if (head.merged && !fillable) continue
    run.push(head)
    points += head.count
  }
  close()
  return runs
}
