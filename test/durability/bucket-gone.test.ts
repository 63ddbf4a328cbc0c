import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { databases } from '../support/databases.ts'
import { startLocalS3 } from '../support/local-s3.ts'
import { makePoints } from '../support/make-points.ts'
import { PROGRAM, runProgram } from '../support/run-program.ts'
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts'
import { answered } from './api-client.ts'
import { checkPublications } from './check-publications.ts'
import { openInstallation, type RunningInstallation } from './installation.ts'
import { makeDocument, type PublishedDocument } from './published-document.ts'
import { ask, publish, send } from './publishing-load.ts'
import { seededRandom } from './seeded-random.ts'

const ANSWERS_WITHIN_MS = 10_000
const RECOVERS_WITHIN_MS = 20_000

for (const database of databases) {
  describe(`a bucket that is away, on ${database.name}`, () => {
    test('is answered with 503 within ten seconds, prevents no start, and is used again when it is back', async (t) => {
      const { installation, proxy } = await openWithBucket(t, database.prepare)
      const before = await installation.start()
      const random = seededRandom(t)
      const [first, second] = [makeDocument(random), makeDocument(random)]
      assert.ok(await publish(before, first))
      await checkFrozen(before, proxy, first, second)
      await checkPublications(before, [first, second])
      await before.stop()
      await proxy.vanish()

      const server = await installation.start()
      const checks = (await (await fetch(`${server.url}/readyz`)).json()) as { checks: object }
      const { id } = await answered<{ id: string }>(201, server.send('POST', '/tracks', { device_track_id: 'kept' }))
      await answered(204, server.send('POST', `/tracks/${id}/points`, { points: makePoints(5) }))
      const points = await fetch(`${server.url}/readyz?service=tracks`)
      const ready = await fetch(`${server.url}/readyz`)
      await proxy.comeBack()
      await untilReady(server)

      assert.deepEqual(checks.checks, {
        'tracks database': 'ok',
        'publications database': 'ok',
        'stored files': 'The storage cannot be reached.',
        'operator database': 'ok',
      })
      assert.deepEqual([points.status, ready.status], [200, 503])
      await checkPublications(server, moved([first, second], server.url))
    })
  })
}

test('a wrong bucket ends the first start with a message', async (t) => {
  const { installation } = await openWithBucket(t, databases[0].open)
  const { BLOBS_URL } = installation.settings

  const { exitCode, stderr } = await runProgram(PROGRAM, {
    ...installation.settings,
    PORT: '0',
    BLOBS_URL: BLOBS_URL.replace('@bucket', '@other-bucket'),
  })

  assert.equal(exitCode, 1)
  assert.match(stderr, /Trackpress could not start: The storage bucket does not exist/)
})

type Owner = Parameters<typeof openInstallation>[0]

async function openWithBucket(owner: Owner, open: Parameters<typeof openInstallation>[1]) {
  const s3 = await startLocalS3({ conditions: 'kept' })
  const endpoint = new URL(new URL(s3.url).searchParams.get('endpoint')!)
  const proxy = await startTcpProxy(owner, endpoint)
  const installation = await openInstallation(owner, open, {
    BLOBS_URL: s3.url.replace(endpoint.port, String(proxy.port)),
    PUBLICATIONS_RATE_LIMIT: '0',
  })
  owner.after(() => s3.close())
  return { installation, proxy }
}

/** Checks what a probe, a reader of one document and a sender of another are answered while the bucket hangs. */
async function checkFrozen(
  server: RunningInstallation,
  proxy: TcpProxy,
  published: PublishedDocument,
  other: PublishedDocument,
): Promise<void> {
  proxy.freeze()
  const startedAtMs = performance.now()
  const ready = await fetch(`${server.url}/readyz`)
  const readyMs = performance.now() - startedAtMs
  const ticket = await ask(server, 'POST', '/publications/upload-url', { type: 'pdf' })
  const { uploadUrl } = JSON.parse(String(ticket!.bytes)) as { uploadUrl: string }
  const headers = { 'content-type': 'application/pdf' }
  const refused = await Promise.all([
    send(`${server.url}/publications/${published.slug}/download`, {}),
    send(uploadUrl, { method: 'PUT', headers, body: new Uint8Array(other.pdf) }),
  ])
  const slowestMs = performance.now() - startedAtMs
  proxy.thaw()
  await untilReady(server)

  assert.match(await ready.text(), /"stored files":"No answer within 2 s."/)
  assert.ok(readyMs < 5_000, `${readyMs} ms`)
  for (const answer of refused) {
    assert.equal(answer?.status, 503)
    assert.match(String(answer?.bytes), /The storage took too long/)
  }
  assert.ok(slowestMs < ANSWERS_WITHIN_MS + readyMs, `${slowestMs} ms`)
}

async function untilReady({ url }: RunningInstallation): Promise<void> {
  const startedAtMs = performance.now()
  while (!(await fetch(`${url}/readyz`)).ok) {
    assert.ok(performance.now() - startedAtMs < RECOVERS_WITHIN_MS, 'the bucket is not used again')
    await wait(50)
  }
}

/** Signed addresses contain the port of the process that made them. */
function moved(documents: PublishedDocument[], url: string): PublishedDocument[] {
  for (const { ticket } of documents)
    if (ticket !== undefined) ticket.uploadUrl = ticket.uploadUrl.replace(/^https?:\/\/[^/]+/, url)
  return documents
}
