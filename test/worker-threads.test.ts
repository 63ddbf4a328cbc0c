import assert from 'node:assert/strict'
import { Session } from 'node:inspector'
import { after, describe, test } from 'node:test'
import { threadEnvironment } from '#platform/basics/thread-environment.ts'
import { databases } from './support/databases.ts'
import { makeFit } from './support/make-recordings.ts'
import { publishPdf, untilRendered } from './support/publish.ts'
import { type StartedTracks, startService } from './support/start-service.ts'

type Attached = { sessionId: string; workerInfo: { url: string } }

/** Evaluates an expression in every worker thread of this process. */
async function inEachThread(expression: string): Promise<Map<string, string>> {
  const session = new Session()
  session.connect()
  const message = JSON.stringify({ id: 1, method: 'Runtime.evaluate', params: { expression } })
  const values = new Map<string, string>()
  const attached = new Map<string, string>()
  session.on('NodeWorker.attachedToWorker', ({ params }: { params: Attached }) => {
    attached.set(params.sessionId, params.workerInfo.url.replace(/^.*\//, ''))
    session.post('NodeWorker.sendMessageToWorker', { sessionId: params.sessionId, message })
  })
  session.on(
    'NodeWorker.receivedMessageFromWorker',
    ({ params }: { params: { sessionId: string; message: string } }) => {
      values.set(attached.get(params.sessionId)!, JSON.parse(params.message).result.result.value)
    },
  )
  session.post('NodeWorker.enable', { waitForDebuggerOnStart: false })
  while (attached.size === 0 || values.size < new Set(attached.values()).size) await new Promise(setImmediate)
  session.disconnect()
  return values
}

async function importRecording({ url, token }: StartedTracks): Promise<void> {
  const headers = { 'X-API-Key': token, 'Content-Type': 'application/vnd.ant.fit' }
  const response = await fetch(`${url}/tracks/import`, { method: 'POST', headers, body: makeFit() })
  assert.equal(response.status, 201, await response.text())
}

describe('worker threads', async () => {
  process.env.SECRET_KEY = 'a secret that no thread needs'
  after(() => {
    delete process.env.SECRET_KEY
  })
  const service = await startService({ after }, databases[0])

  test('start when they are first needed, apart from the one that writes SQLite', {
    skip: databases[0].name !== 'SQLite' && 'TEST_DATABASES leaves it out',
  }, async () => {
    const threads = await inEachThread('process.version')

    assert.deepEqual([...threads.keys()], ['sqlite-writer.ts'])
  })

  test('have no secret in their environment, and a limit on their memory', async () => {
    const { slug } = await publishPdf(service)
    await untilRendered(service, slug)
    await importRecording(service)

    const environments = await inEachThread('JSON.stringify(process.env)')
    const limits = await inEachThread(
      "String(process.getBuiltinModule('node:worker_threads').resourceLimits.maxOldGenerationSizeMb)",
    )

    // Threads of pools, such as the one that reads imported files, begin in the pool's own file.
    for (const thread of ['render-worker.ts', 'worker.js']) {
      assert.ok(environments.has(thread), [...environments.keys()].join())
    }
    const given = JSON.stringify(threadEnvironment())
    assert.deepEqual(new Set(environments.values()), new Set([given]))
    assert.doesNotMatch(given, /secret/i)
    for (const [thread, limit] of limits) assert.ok(Number(limit) <= 1_024, `${thread} ${limit}`)
  })
})
