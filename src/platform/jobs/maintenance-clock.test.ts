import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { pino } from 'pino'
import { databases } from '../../../test/support/databases.ts'
import { createMaintenanceTable, MaintenanceClock } from './maintenance-clock.ts'

const DAY_MS = 86_400_000
const START_MS = Date.UTC(2026, 4, 3)

/** A clock of maintenance that has run once, at the start. */
async function start(t: TestContext, isLarge: boolean) {
  const { db } = await databases[0].connect<never>(t, { migrations: { first: { up: createMaintenanceTable } } })
  let nowMs = START_MS
  const clock = new MaintenanceClock({
    db,
    service: 'test',
    logger: pino({ level: 'silent' }),
    now: () => nowMs,
    countOverdue: async () => ({ count: 7, isLarge }),
  })
  assert.equal(await clock.mayDelete(), true)
  return {
    clock,
    async after(days: number) {
      nowMs += days * DAY_MS
      return await clock.mayDelete()
    },
  }
}

describe('MaintenanceClock', () => {
  test('lets little be deleted after a pause of days', async (t) => {
    const { clock, after } = await start(t, false)

    assert.equal(await after(30), true)
    assert.equal(clock.hold, undefined)
  })

  test('holds a large share back after more than a day, and not within one', async (t) => {
    const { after } = await start(t, true)

    assert.deepEqual([await after(1), await after(1.01)], [true, false])
  })

  test('holds anything back after more than a month, until the clock is confirmed', async (t) => {
    const { clock, after } = await start(t, false)

    const isDeleted = await after(30.1)
    const { hold } = clock
    await clock.confirm()

    assert.equal(isDeleted, false)
    assert.deepEqual(hold, { service: 'test', reachedMs: START_MS, nowMs: START_MS + 30.1 * DAY_MS, overdueCount: 7 })
    assert.equal(clock.hold, undefined)
    assert.equal(await after(0), true)
  })
})
