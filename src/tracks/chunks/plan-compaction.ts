import { MAX_CHUNK_POINTS } from './chunk-plan.ts'

/** The data of a chunk that is known without reading its points. */
export type ChunkHead = { firstMs: number; lastMs: number; count: number; merged: boolean }

/** Maximum number of points merged at once; it bounds the memory of a merge. */
const MAX_RUN_POINTS = 16 * MAX_CHUNK_POINTS

/**
 * Returns the runs of chunks to merge, from the chunks of a track in time order: each run of neighbours that have not
 * been merged, with the merged chunk before them when that one is less than half full. So a long recording ends as full
 * chunks, and each point is rewritten only a few times.
 * @param damaged first times of chunks that cannot be read, which no run contains
 */
export function planCompaction(heads: readonly ChunkHead[], damaged: ReadonlySet<number>): ChunkHead[][] {
  const runs: ChunkHead[][] = []
  let run: ChunkHead[] = []
  let points = 0
  const close = () => {
    if (run.some((head) => !head.merged)) runs.push(run)
    run = []
    points = 0
  }
  for (const head of heads) {
    if (damaged.has(head.firstMs)) {
      close()
      continue
    }
    const fillable = head.merged && head.count < MAX_CHUNK_POINTS / 2
    if ((head.merged && run.length > 0 && !fillable) || points + head.count > MAX_RUN_POINTS) close()
    if (head.merged && !fillable) continue
    run.push(head)
    points += head.count
  }
  close()
  return runs
}
