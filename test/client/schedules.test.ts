import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** `npm run client:torture` runs a million longer ones. */
const SCHEDULES = 10_000

describe('The queue', () => {
  // In a process of its own: under the test runner, following each asynchronous call costs as much as the schedules.
  test(`loses and doubles nothing in ${SCHEDULES} random schedules`, { timeout: 600_000 }, async (t) => {
    const args = ['scripts/client-torture.ts', '--schedules', String(SCHEDULES), '--steps', '6']

    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: ROOT })

    const figures = JSON.parse(stdout.trim().split('\n').at(-1)!)
    assert.equal(figures.schedules, SCHEDULES)
    assert.ok(figures.points > SCHEDULES, stdout)
    assert.ok(figures.refused > 0 && figures.kills > 0, stdout)
    t.diagnostic(JSON.stringify(figures))
  })
})
