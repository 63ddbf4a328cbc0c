import assert from 'node:assert/strict'
import { hostname } from 'node:os'
import { describe, type TestContext, test } from 'node:test'
import type { JobList } from '../../src/operator/dashboard/job-routes.ts'
import { unavailable } from '../../src/platform/basics/errors.ts'
import texts from '../../web/locales/en/administration.json' with { type: 'json' }
import { databases } from '../support/databases.ts'
import { readProblem } from '../support/problem.ts'
import { answered } from './support/answered.ts'
import { startOperator } from './support/start-operator.ts'

// The state of jobs is in memory. Only their list depends on the engine.
const [database] = databases

/** The program with a further job, which does what the test wants. */
async function arrange(t: TestContext, run: () => unknown) {
  const operator = await startOperator(t, database)
  const browser = await operator.signedIn()
  const { jobs } = operator.service.deps
  const own = jobs.of('test')
  own.every('test-job', { everyMs: 3_600_000, doc: 'Does what the test wants.', run })
  t.after(() => own.close())
  const list = () => answered<JobList>(200, browser.request('GET', '/operator/jobs'))
  return {
    ...operator,
    browser,
    list,
    find: async () => (await list()).jobs.find(({ name }) => name === 'test-job')!,
    runNow: (name = 'test-job') => browser.request('POST', `/operator/jobs/${name}/run`),
  }
}

type StartedJob = { instance: JobList['instance']; job: JobList['jobs'][number] }

for (const engine of databases) {
  describe(`GET /operator/jobs on ${engine.name}`, () => {
    test('lists the jobs and queues of every service, for which the page has words', async (t) => {
      const operator = await startOperator(t, engine, { services: ['tracks', 'publications', 'dashboard'] })
      const browser = await operator.signedIn()

      const { instance, jobs, queues } = await answered<JobList>(200, browser.request('GET', '/operator/jobs'))

      assert.deepEqual(instance, { name: hostname(), started_at: new Date(operator.clock.nowMs).toISOString() })
      assert.ok(jobs.length >= 17, `${jobs.length} jobs`)
      const services = new Set(jobs.map(({ service }) => service))
      assert.deepEqual([...services].sort(), ['operator', 'publications', 'tracks'])
      assert.deepEqual(
        queues.map(({ name, is_shared, waiting }) => [name, is_shared, waiting]),
        [
          ['tracks-messages', true, 0],
          ['compaction', false, 0],
          ['publications-messages', true, 0],
          ['renderings', true, 0],
          ['rereadings', true, 0],
        ],
      )
      const keys = [...jobs.map(({ name }) => `jobs.name.${name}`), ...queues.map(({ name }) => `jobs.queue.${name}`)]
      assert.deepEqual(
        keys.flatMap((key) => [key, `${key}.purpose`]).filter((key) => !Object.hasOwn(texts, key)),
        [],
      )
    })
  })
}

describe('GET /operator/jobs', () => {
  test('tells when a job runs next, before its first run', async (t) => {
    const { find, clock } = await arrange(t, () => {})

    assert.deepEqual(await find(), {
      name: 'test-job',
      service: 'test',
      purpose: 'Does what the test wants.',
      interval_sec: 3600,
      running_since: null,
      last_run: null,
      next_run_at: new Date(clock.nowMs + 3_600_000).toISOString(),
    })
  })
})

describe('POST /operator/jobs/:name/run', () => {
  test('runs the job, answers with its end, and leaves a record in the audit log', async (t) => {
    let runs = 0
    const { runNow, find, browser, clock } = await arrange(t, () => runs++)

    const { instance, job } = await answered<StartedJob>(200, runNow())

    assert.equal(runs, 1)
    assert.equal(instance.name, hostname())
    assert.deepEqual(
      { ...job.last_run, duration_sec: 0 },
      { started_at: new Date(clock.nowMs).toISOString(), duration_sec: 0, result: 'ok', failure: null },
    )
    assert.deepEqual((await find()).last_run, job.last_run)
    const { records } = await answered<{ records: { action: string; subject: object }[] }>(
      200,
      browser.request('GET', '/operator/audit?action=runJob'),
    )
    assert.deepEqual(
      records.map(({ subject }) => subject),
      [{ kind: 'job', id: 'test-job', name: 'test-job' }],
    )
  })

  test('tells why the job failed, but nothing that only the log may hold', async (t) => {
    const errors = [unavailable({ detail: 'The disk is full.' }), new Error('select * from secrets')]
    const { runNow } = await arrange(t, () => Promise.reject(errors.shift()))

    const failures = []
    for (let i = 0; i < 2; i++) failures.push((await answered<StartedJob>(200, runNow())).job.last_run)

    assert.deepEqual(
      failures.map((run) => [run?.result, run?.failure?.code]),
      [
        ['failed', 'UNAVAILABLE'],
        ['failed', 'INTERNAL'],
      ],
    )
    assert.equal(failures[0]?.failure?.message, 'The disk is full.')
    assert.doesNotMatch(JSON.stringify(failures), /secrets/)
  })

  test('refuses a job that is running, until it has ended', async (t) => {
    const started = Promise.withResolvers<void>()
    const { promise, resolve } = Promise.withResolvers<void>()
    const { runNow, find, clock } = await arrange(t, () => {
      started.resolve()
      return promise
    })

    const first = runNow()
    await started.promise
    const during = await find()
    await readProblem(await runNow(), 409, 'CONFLICT')
    resolve()
    await answered(200, first)

    assert.equal(during.running_since, new Date(clock.nowMs).toISOString())
    assert.equal((await find()).running_since, null)
    await answered(200, runNow())
  })

  test('refuses a name that no job has', async (t) => {
    const { runNow } = await arrange(t, () => {})

    for (const name of ['nothing', 'toString', '__proto__']) await readProblem(await runNow(name), 404, 'NOT_FOUND')
  })
})
