import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { TrackColumns } from '../../src/tracks/frames/frame.ts'
import { ReadTracks } from '../../src/tracks/frames/track-rows.ts'

// A program that prints how many bytes a track of a series takes, with its place in the key frame. In a process of its
// own, because what other tests leave is collected at any time, also while this one measures.

const COUNT = 50_000

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

const before = bytesUsed()
let tracks = TrackColumns.empty()
const read = new ReadTracks()
for (let i = 0; i < COUNT; i++) {
  // A text of its own, as those of a database.
  const id = Buffer.from(`${String(i).padStart(8, '0')}-0000-4000-8000-000000000000`).toString('latin1')
  const position = { timeSec: 1_800_000_000 + i, latitude: 4_600_000 + i, longitude: 700_000 + i, heading: 1 }
  tracks.set(i, { id, state: 'running', position, speed: 61, rank: i, details: i % 65_536, battery: 80 })
  read.set(id, { place: i, updatedAt: 1_800_000_000_000 + i, endMs: 1_800_000_000_000 + i, held: undefined })
}
// As after a key frame.
const key = tracks.copy()
tracks = key.copy()
const bytes = bytesUsed() - before
// What is measured must still be in use.
if ([tracks.length, key.length, read.size].some((length) => length !== COUNT))
  throw new Error('some tracks are missing')
console.log(bytes / COUNT)

function bytesUsed(): number {
  // The memory of buffers is given back while the next collection waits for it.
  collect()
  collect()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}
