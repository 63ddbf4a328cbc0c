/** Costs of one point, and of one track in a frame: processor time in microseconds, and bytes of a frame with gzip. */
export type Unit = { pointUs: number; movedUs: number; movedBytes: number }

const PHONES = 100_000
const SPECTATORS = 100_000
const SEND_EVERY_SEC = 10
const FRAME_SEC = 2
/** Capacity of one core, and of one cache with a network of 10 Gbit/s. */
const CORE_US_PER_SEC = 1e6
const CACHE_BYTES_PER_SEC = 1.25e9
/** From half of its interval on, a frame is late. */
const LONGEST_FRAME_SEC = FRAME_SEC / 2

/** Returns a model, not a measurement: what so many need by these figures, and what breaks first. */
export function modelOf({ pointUs, movedUs, movedBytes }: Unit): string {
  const pointsPerSec = PHONES / SEND_EVERY_SEC
  const frameSec = (pointsPerSec * FRAME_SEC * movedUs) / 1e6
  const cacheBytes = ((pointsPerSec * FRAME_SEC * movedBytes) / FRAME_SEC) * SPECTATORS
  const parts = [
    { name: 'Cores that store points', use: (pointsPerSec * pointUs) / CORE_US_PER_SEC, unit: 'cores' },
    { name: 'The thread that makes a frame', use: frameSec / LONGEST_FRAME_SEC, unit: 'of the longest time' },
    { name: 'Caches of 10 Gbit/s', use: cacheBytes / CACHE_BYTES_PER_SEC, unit: 'caches' },
  ]
  const [first] = parts.toSorted((a, b) => b.use - a.use)
  const rows = parts.map(({ name, use, unit }) => `  ${use.toFixed(1).padStart(12)}  ${name}, ${unit}\n`)
  return `${rows.join('')}  First to break on one machine: ${first.name.toLowerCase()}.\n`
}
