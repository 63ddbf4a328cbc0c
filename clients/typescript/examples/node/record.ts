// Records positions from standard input, one JSON object in each line, as one track:
//
//   node record.ts --server http://localhost:8080 --token trk_… --track bus-7-2026-05-03 < positions.ndjson
//
// A line is {"latitude":45.9237,"longitude":6.8694,"timestamp":"2026-05-03T06:15:00Z"}. Positions are in queue.db
// before they are sent. Whatever ends the program, started again with the same track it sends what is left.
import { createInterface } from 'node:readline'
import { DatabaseSync } from 'node:sqlite'
import { parseArgs } from 'node:util'
import { openTrackQueue } from '@trackpress/client'
import { nodeSqliteStorage } from '@trackpress/client/node-sqlite-storage'

/** Lines that are stored at once. */
const LINES_PER_WRITE = 50

const { values } = parseArgs({
  options: {
    server: { type: 'string', default: 'http://localhost:8080' },
    token: { type: 'string', default: '' },
    track: { type: 'string' },
    database: { type: 'string', default: 'queue.db' },
  },
})

const storage = await nodeSqliteStorage(new DatabaseSync(values.database))
const queue = openTrackQueue({ baseUrl: values.server, token: values.token, storage })
queue.onState(({ state }) => console.error(state))
const track = await queue.createTrack({ activity_type: 'bike' }, values.track)
queue.start()

let lines: string[] = []
for await (const line of createInterface({ input: process.stdin })) {
  lines.push(line)
  if (lines.length === LINES_PER_WRITE) await store()
}
await store()
await queue.finishTrack(track)
queue.stop()

for (;;) {
  const state = await queue.flush()
  if (state.state === 'idle') break
  if (!('waitMs' in state)) throw new Error('The server does not accept the token. The positions are kept.')
  await new Promise((resolve) => setTimeout(resolve, state.waitMs))
}
for (const { detail, points = [] } of await queue.setAside()) console.error(`refused: ${points.length} ${detail}`)

async function store(): Promise<void> {
  const { queued, rejected } = await queue.addPoints(
    track,
    lines.map((line) => JSON.parse(line)),
  )
  for (const { index, errors } of rejected) console.error(`not a position: ${lines[index]} ${JSON.stringify(errors)}`)
  lines = []
  console.log(queued)
}
