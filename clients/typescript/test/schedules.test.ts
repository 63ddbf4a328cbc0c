import { after, describe, test } from 'node:test'
import { databases } from '../../../test/support/databases.ts'
import { startRealServer } from './real-server.ts'
import { runSchedules } from './run-schedules.ts'

/** `npm run client:torture` runs a million. */
const SCHEDULES = Number(process.env.CLIENT_SCHEDULES ?? 10_000)

describe('The queue', async () => {
  const server = await startRealServer({ after }, databases[0])

  test(`loses and doubles nothing in ${SCHEDULES} random schedules`, { timeout: 600_000 }, async (t) => {
    const { schedules, seed, ...figures } = await runSchedules(server, { count: SCHEDULES })

    t.diagnostic(`seed ${seed}: ${JSON.stringify(figures)}`)
  })
})
