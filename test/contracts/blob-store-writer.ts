import { setTimeout as wait } from 'node:timers/promises'
import { connectBlobs } from '#platform/blobs/connect-blobs.ts'

// Writes a large blob without ever finishing, and prints a line once much of it is written: a process to kill.

const [url, dataDir] = process.argv.slice(2)
const store = await connectBlobs({ url, dataDir })

async function* endless() {
  // Five S3 parts, three of which are sent at a time: when the fifth is read, the first has been stored.
  for (let chunk = 0; chunk < 40; chunk++) yield Buffer.alloc(1_048_576, chunk)
  process.stdout.write('written\n')
  await wait(600_000)
}

await store.draft(endless())
