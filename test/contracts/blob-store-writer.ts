import { setTimeout as wait } from 'node:timers/promises'
import { connectBlobs } from '#platform/blobs/connect-blobs.ts'

// Begins to write a large blob, says so once much of it is written, and never comes to its end: a process to kill.

const [url, dataDir] = process.argv.slice(2)
const store = await connectBlobs({ url, dataDir })

async function* endless() {
  // Five parts of S3, of which three are under way at once: when the fifth is asked for, the first has been taken.
  for (let chunk = 0; chunk < 40; chunk++) yield Buffer.alloc(1_048_576, chunk)
  process.stdout.write('written\n')
  await wait(600_000)
}

await store.draft(endless())
