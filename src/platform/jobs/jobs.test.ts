import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { Registry } from 'prom-client'
import { unavailable } from '../basics/errors.ts'
import { Jobs } from './jobs.ts'

/** Jobs on a clock that the test moves on. */
function arrange(t: TestContext) {
  t.mock.timers.enable({ apis: ['setInterval'] })
  const lines: string[] = []
  const registry = new Registry()
  const logger = { warn: (_fields: object, text: string) => lines.push(text) }
  const jobs = new Jobs({ logger: logger as never, registry, now: () => 1_000 })
  const pass = async (ms: number) => {
    t.mock.timers.tick(ms)
    for (let i = 0; i < 5; i++) await turn()
  }
  return { jobs, own: jobs.of('tracks'), registry, lines, pass }
}

describe('Jobs', () => {
  test('runs a job at its interval and notes its last run', async (t) => {
    const { jobs, own, registry, pass } = arrange(t)
    let runs = 0
    own.every('cleaning', { everyMs: 100, doc: 'Cleans.', run: () => runs++ })

    await pass(99)
    const before = { ...jobs.find('cleaning') }
    await pass(1)
    await pass(100)

    assert.equal(runs, 2)
    assert.deepEqual([before.last, before.nextMs], [null, 1_100])
    assert.equal(jobs.find('cleaning')?.last?.failure, null)
    assert.match(await registry.metrics(), /^job_runs_total\{name="cleaning",result="ok"\} 2$/m)
  })

  test('leaves out the turns that come during a run, and joins it when asked to run', async (t) => {
    const { jobs, own, pass } = arrange(t)
    const { promise, resolve } = Promise.withResolvers<void>()
    let runs = 0
    own.every('slow', {
      everyMs: 100,
      doc: 'Takes its time.',
      run: () => {
        runs++
        return promise
      },
    })

    await pass(300)
    const asked = jobs.run('slow')
    const during = { ...jobs.find('slow') }
    resolve()
    await asked
    await pass(100)

    assert.equal(during.runningSinceMs, 1_000)
    assert.equal(runs, 2)
  })

  test('logs a failure, shows its reason, and tries again', async (t) => {
    const { jobs, own, registry, lines, pass } = arrange(t)
    const errors = [
      unavailable(),
      new Error('select * from /secret'),
      Object.assign(new Error(), { errno: -28, code: 'ENOSPC' }),
    ]
    own.every('failing', {
      everyMs: 100,
      doc: 'Fails.',
      run: async () => {
        throw errors.shift()
      },
    })
    const reasons: unknown[] = []
    for (let i = 0; i < 3; i++) {
      await pass(100)
      reasons.push(jobs.find('failing')?.last?.failure)
    }

    assert.deepEqual(reasons, [
      { code: 'UNAVAILABLE', message: unavailable().message },
      {
        code: 'INTERNAL',
        message: 'An unexpected error occurred. The log of the server has it, with the name of the job.',
      },
      { code: 'ENOSPC', message: 'The system says: no space left on device (ENOSPC).' },
    ])
    assert.deepEqual(lines, Array(3).fill('a background job failed'))
    assert.match(await registry.metrics(), /^job_runs_total\{name="failing",result="failed"\} 3$/m)
  })

  test('skips turns without anything to do, but runs when asked to', async (t) => {
    const { jobs, own, pass } = arrange(t)
    let runs = 0
    own.every('idle', { everyMs: 100, doc: 'Waits.', isDue: () => false, run: () => runs++ })

    await pass(300)
    const skipped = runs
    await jobs.run('idle')

    assert.deepEqual([skipped, runs], [0, 1])
  })

  test('waits for a run no longer than asked', async (t) => {
    const { jobs, own } = arrange(t)
    const { promise, resolve } = Promise.withResolvers<void>()
    own.every('slow', { everyMs: 100, doc: 'Takes its time.', run: () => promise })

    await jobs.run('slow', 1)
    const isRunning = jobs.find('slow')!.runningSinceMs !== null
    resolve()
    await jobs.run('slow', 60_000)

    assert.equal(isRunning, true)
    assert.equal(jobs.find('slow')!.runningSinceMs, null)
  })

  test('counts what waits in the queues of open services, as far as that can be counted', async (t) => {
    const { jobs, own } = arrange(t)
    own.queue('deliveries', { isShared: true, doc: 'Messages.', countWaiting: async () => 4 })
    own.queue('lost', { isShared: true, doc: 'Away.', countWaiting: () => Promise.reject(unavailable()) })
    jobs.of('publications').queue('images', {
      doc: 'Images.',
      countWaiting: () => {
        throw unavailable()
      },
    })

    const open = await jobs.queues()
    await own.close()

    assert.deepEqual(
      open.map(({ name, waiting }) => [name, waiting]),
      [
        ['deliveries', 4],
        ['lost', null],
        ['images', null],
      ],
    )
    assert.deepEqual(
      (await jobs.queues()).map(({ name }) => name),
      ['images'],
    )
  })

  test('runs nothing of a service that has closed, and goes on with others', async (t) => {
    const { jobs, own, pass } = arrange(t)
    const runs: string[] = []
    own.every('mine', { everyMs: 100, doc: 'Mine.', run: () => runs.push('mine') })
    jobs.of('publications').every('theirs', { everyMs: 100, doc: 'Theirs.', run: () => runs.push('theirs') })

    await own.close()
    await pass(100)

    assert.deepEqual(runs, ['theirs'])
    assert.deepEqual(
      jobs.list().map(({ name }) => name),
      ['theirs'],
    )
  })

  test('waits for a run in progress when a service closes', async (t) => {
    const { own } = arrange(t)
    const { promise, resolve } = Promise.withResolvers<void>()
    own.every('long', { everyMs: 100, doc: 'Long.', atStart: true, run: () => promise })
    let isClosed = false

    const closing = own.close().then(() => (isClosed = true))
    for (let i = 0; i < 5; i++) await turn()
    const before = isClosed
    resolve()
    await closing

    assert.deepEqual([before, isClosed], [false, true])
  })

  test('refuses a second job of the same name', async (t) => {
    const { own } = arrange(t)
    own.every('cleaning', { everyMs: 100, doc: 'Cleans.', run: () => {} })

    assert.throws(() => own.every('cleaning', { everyMs: 100, doc: 'Again.', run: () => {} }), /Two jobs/)
  })
})
