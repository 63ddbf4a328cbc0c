import type { ServiceJobs } from '#platform/jobs/jobs.ts'
import { createFrameCleaning, createFrames, type Frames } from '../frames/frames.ts'
import { createRecentEnds } from '../frames/track-ends.ts'
import { createEventWatches } from './event-watches.ts'

type Deps = Omit<Parameters<typeof createFrames>[0], 'recentEnds'> &
  Omit<Parameters<typeof createEventWatches>[0], 'frames'>

/** Builds the live views of this instance: their streams, and the frames of positions. */
export function openLive(deps: Deps) {
  const recentEnds = createRecentEnds(() => frames.isWatched)
  const frames: Frames = createFrames({ ...deps, recentEnds })
  return { recentEnds, frames, watches: createEventWatches({ ...deps, frames }) }
}

/** Adds the background jobs of live views. */
export function addLiveJobs(jobs: ServiceJobs, { frames }: { frames: Frames }): void {
  const clean = createFrameCleaning(frames.store)
  jobs.every('live-frames-cleaning', {
    everyMs: 60_000,
    doc: 'Removes the frames of positions of events that nobody has watched for two minutes.',
    run: () => clean(),
  })
}
