import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const RUN_IN_TURN = new URL('support/run-in-turn.ts', import.meta.url).href

/** A test file in which errors are thrown outside of what its tests wait for, during them and afterwards. */
const FILE = `import { setTimeout as wait } from 'node:timers/promises'
import { after, getTestContext, suite, test } from 'node:test'

const fail = (message) => { throw new Error(message) }

suite('a suite', () => {
  after(() => console.log('the suite has ended'))
  test('with a timer', async () => {
    setTimeout(() => fail('thrown in a timer'), 5)
    await wait(300)
  })
  test('with a promise aside', async () => {
    await wait(1)
    void wait(5).then(() => fail('rejected aside'))
    await wait(300)
  })
  test('that passes', async (t) => {
    const pause = wait(1)
    console.log('followed:', Object.getOwnPropertySymbols(pause).length > 0)
    await pause
    after(() => console.log('after', getTestContext().name))
    await t.test('and its part')
  })
  test('that ends too early', () => void setTimeout(() => fail('thrown too late'), 5))
  test('that passes last', () => wait(50))
})
`

describe('a process of several test files', () => {
  let file: string
  let status: number | null
  let output: string

  before(() => {
    const folder = mkdtempSync(join(tmpdir(), 'run-in-turn-'))
    file = relative(ROOT, join(folder, 'late.test.mjs')).replaceAll('\\', '/')
    writeFileSync(join(folder, 'late.test.mjs'), FILE)
    writeFileSync(
      join(folder, 'program.mjs'),
      `import { runInTurn } from '${RUN_IN_TURN}'\nrunInTurn(${JSON.stringify([file])})\n`,
    )
    // Without the variables of this run, whose runner would read the output.
    const { NODE_TEST_CONTEXT: _, TEST_COSTS: __, ...env } = process.env
    const ended = spawnSync(process.execPath, ['--test-reporter=spec', join(folder, 'program.mjs')], { env })
    rmSync(folder, { recursive: true })
    status = ended.status
    output = `${ended.stdout}${ended.stderr}`
  })

  test('fails for an error outside of what a test waits for, with the test, the message and the place', () => {
    const [before, failures] = output.split('failing tests:')

    assert.equal(status, 1)
    assert.match(failures, /late\.test\.mjs:8:3\n✖ with a timer .*\n.*Error: thrown in a timer\n +at fail \(.*:4:/)
    assert.match(
      failures,
      /late\.test\.mjs:12:3\n✖ with a promise aside .*\n.*Error: rejected aside\n +at fail \(.*:4:/,
    )
    assert.match(before, /Test "that ends too early" at .*late\.test\.mjs:\d+:3 .*"Error: thrown too late"/)
  })

  test('goes on with the other tests and their hooks', () => {
    assert.match(output, /✔ and its part /)
    assert.match(output, /✔ that passes last /)
    assert.match(output, /^after that passes$/m)
    assert.match(output, /^the suite has ended$/m)
  })

  test('has no hook called for each of its promises', () => {
    assert.match(output, /^followed: false$/m)
  })
})
