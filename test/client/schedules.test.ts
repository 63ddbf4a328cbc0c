import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** `npm run client:torture` runs a million longer ones. */
const SCHEDULES = 8000
const SCHEDULES_OF_REAL_SERVER = 800

describe('The queue', () => {
  test(`loses and doubles nothing in ${SCHEDULES} random schedules`, { timeout: 600_000 }, async (t) => {
    const figures = await torture(SCHEDULES)

    assert.equal(figures.schedules, SCHEDULES)
    assert.ok(figures.points > SCHEDULES)
    for (const name of ['refused', 'kills', 'stops', 'discards']) assert.ok(figures[name] > 0, name)
    t.diagnostic(JSON.stringify(figures))
  })

  test('loses and doubles nothing with the real server, which answers as its model does', {
    timeout: 600_000,
  }, async (t) => {
    const seed = ['--seed', String(randomInt(2 ** 31))]

    const figures = await torture(SCHEDULES_OF_REAL_SERVER, '--real', ...seed)

    assert.deepEqual(figures, await torture(SCHEDULES_OF_REAL_SERVER, ...seed))
    t.diagnostic(JSON.stringify(figures))
  })
})

/** Runs schedules in another process: here, following each asynchronous call would cost as much as the schedules. */
async function torture(schedules: number, ...more: string[]): Promise<Record<string, number>> {
  const args = ['scripts/client-torture.ts', '--schedules', String(schedules), '--steps', '6', ...more]
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: ROOT })
  return JSON.parse(stdout.trim().split('\n').at(-1)!)
}
