import { batchSteps } from './batch-steps.ts'
import { delivery } from './delivery.ts'
import { diskUse } from './disk-use.ts'
import { firstImage } from './first-image.ts'
import { frameStreams } from './frame-streams.ts'
import { frames } from './frames.ts'
import { framesDelay } from './frames-delay.ts'
import { growthPoints } from './growth-points.ts'
import { growthPublications } from './growth-publications.ts'
import { growthSpectators } from './growth-spectators.ts'
import { growthTracks } from './growth-tracks.ts'
import { largeBatch } from './large-batch.ts'
import { liveMap } from './live-map.ts'
import { longTracks } from './long-tracks.ts'
import { memory } from './memory.ts'
import { pageTurns } from './page-turns.ts'
import { allPages } from './pages.ts'
import type { Part } from './part.ts'
import { readingRights } from './reading-rights.ts'
import { recognition } from './recognition.ts'
import { shelf } from './shelf.ts'
import { smallBatches } from './small-batches.ts'
import { sources } from './sources.ts'
import { starting } from './starting.ts'

/** All parts of the benchmark, in the order of the report. */
export const allParts: readonly Part[] = [
  starting,
  smallBatches,
  batchSteps,
  largeBatch,
  longTracks,
  diskUse,
  memory,
  firstImage,
  allPages,
  pageTurns,
  sources,
  recognition,
  delivery,
  growthTracks,
  growthPoints,
  growthSpectators,
  frames,
  frameStreams,
  framesDelay,
  liveMap,
  growthPublications,
  shelf,
  readingRights,
]
