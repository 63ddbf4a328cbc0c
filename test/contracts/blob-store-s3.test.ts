import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { describe, type TestContext, test } from 'node:test'
import { isBlobsUnavailable } from '#platform/blobs/blob-failure.ts'
import { BlobExistsError } from '#platform/blobs/blob-store.ts'
import { connectBlobs } from '#platform/blobs/connect-blobs.ts'
import { s3Blobs, s3BlobsWithoutConditions } from '../support/blob-stores.ts'
import { startLocalS3 } from '../support/local-s3.ts'
import { rejection } from '../support/rejection.ts'
import { startTcpProxy } from '../support/tcp-proxy.ts'
import { testBlobCommits, testBlobStore } from './blob-store-contract.ts'

testBlobStore(s3Blobs)
// They cannot arbitrate between concurrent commits.
for (const blobs of s3BlobsWithoutConditions) testBlobCommits(blobs)

describe('A bucket', () => {
  test('is UNAVAILABLE, with the reason, when it can no longer be reached', async (t) => {
    const s3 = await startLocalS3({ conditions: 'kept' })
    const store = await connectBlobs({ url: s3.url, dataDir: '' })
    t.after(() => store.close())
    const draft = await store.draft(Readable.from([Buffer.from('x')]))
    await s3.close()

    const errors = await Promise.all(
      [
        store.check(),
        store.read('a'),
        store.head('a'),
        store.delete('a'),
        store.sweepDrafts(0),
        draft.commit('a'),
        store.draft(Readable.from([Buffer.alloc(8_500_000)])),
        store.list()[Symbol.asyncIterator]().next(),
      ].map(rejection),
    )

    assert(errors.every(isBlobsUnavailable))
    assert.deepEqual([...new Set(errors.map((error) => error?.message))], ['The storage cannot be reached.'])
  })

  test('that becomes unreachable during an upload still lets the request be answered', async (t) => {
    const s3 = await startLocalS3({ conditions: 'kept' })
    const store = await connectBlobs({ url: s3.url, dataDir: '' })
    t.after(() => store.close())
    async function* upload() {
      for (let chunk = 0; chunk < 100; chunk++) {
        if (chunk === 20) await s3.close()
        yield Buffer.alloc(1_048_576)
      }
    }
    const request = Readable.from(upload())

    const error = await rejection(store.draft(request))

    assert(isBlobsUnavailable(error))
    assert.equal(request.destroyed, false)
  })

  const wrong: [string, (url: string) => string, string][] = [
    ['does not exist', (url) => url.replace('@bucket', '@other-bucket'), 'The storage bucket does not exist.'],
    ['refuses the key', (url) => url.replace('S3RVER:S3RVER', 'NOBODY:wrong'), 'The storage refuses access.'],
    ['has another address', (url) => url.replace(/%3A\d+$/, '%3A1'), 'The storage cannot be reached.'],
  ]
  for (const [name, change, message] of wrong) {
    test(`that ${name} is UNAVAILABLE, with the reason`, async (t) => {
      const s3 = await startLocalS3({ conditions: 'kept' })
      t.after(() => s3.close())

      const store = await connectBlobs({ url: change(s3.url), dataDir: '' })
      t.after(() => store.close())

      const error = await rejection(store.check())

      assert(isBlobsUnavailable(error))
      assert.equal(error.message, message)
    })
  }

  test('that hangs is UNAVAILABLE within ten seconds, and is used again when it is back', async (t) => {
    const { store, proxy } = await connectThroughProxy(t)
    await (await store.draft(Readable.from([Buffer.from('x')]))).commit('a')
    const draft = await store.draft(Readable.from([Buffer.from('y')]))

    proxy.freeze()
    const startedAtMs = performance.now()
    const errors = await Promise.all(
      [
        store.check(),
        store.read('a'),
        store.head('a'),
        store.delete('a'),
        draft.commit('b'),
        store.draft(Readable.from([Buffer.alloc(8_500_000)])),
      ].map(rejection),
    )
    const durationMs = performance.now() - startedAtMs
    proxy.thaw()

    assert.deepEqual([...new Set(errors.map((error) => error?.message))], ['The storage took too long.'])
    assert(errors.every(isBlobsUnavailable))
    assert.ok(durationMs < 10_000, `${durationMs} ms`)
    await store.check()
  })

  test('that hangs in the middle of a body fails the reader, who may pause as long as it wants', async (t) => {
    const { store, proxy } = await connectThroughProxy(t)
    await (await store.draft(Readable.from([Buffer.alloc(6_000_000)]))).commit('a')
    const whole = await store.read('a')

    // Longer than the store may be silent.
    await new Promise((resolve) => setTimeout(resolve, 5_500))
    assert.equal((await buffer(whole!)).length, 6_000_000)
    proxy.freezeAfter(3_000_000)
    const startedAtMs = performance.now()
    const error = await rejection(buffer((await store.read('a'))!))

    assert(isBlobsUnavailable(error))
    assert.equal(error.message, 'The storage took too long.')
    assert.ok(performance.now() - startedAtMs < 10_000)
    proxy.thaw()
  })

  for (const [name, bytes] of [
    ['written', 1_000],
    ['copied', 8_500_000],
  ] as const)
    test(`whose answer was lost is asked whether the object was ${name}, and it is not taken for another`, async (t) => {
      const s3 = await startLocalS3({ conditions: 'kept' })
      t.after(() => s3.close())
      const store = await connectBlobs({ url: s3.url, dataDir: '' })
      t.after(() => store.close())
      const draft = await store.draft(Readable.from([Buffer.alloc(bytes)]))
      const other = await store.draft(Readable.from([Buffer.alloc(bytes)]))

      s3.loseNextAnswer()
      await draft.commit('a')
      const refused = await rejection(other.commit('a'))

      assert.equal((await store.head('a'))?.size, bytes)
      assert.ok(refused instanceof BlobExistsError)
    })

  test('keeps stores with different prefixes separate', async (t) => {
    const s3 = await startLocalS3({ conditions: 'kept' })
    t.after(() => s3.close())
    const [one, other] = await Promise.all(
      ['one', 'other'].map((prefix) => connectBlobs({ url: `${s3.url}&prefix=${prefix}`, dataDir: '' })),
    )

    await (await one.draft(Readable.from([Buffer.from('x')]))).commit('a')
    await (await one.draft(Readable.from([Buffer.alloc(8_500_000)]))).commit('large')
    await one.draft(Readable.from([Buffer.alloc(8_500_000)]))

    assert.equal(await other.head('a'), undefined)
    for await (const { key } of other.list()) assert.fail(key)
    assert.equal(await other.sweepDrafts(-2000), 0)
    assert.equal(await one.sweepDrafts(-2000), 1)
    await one.close()
    await other.close()
  })
})

/** Connects to a bucket over a line that can freeze. */
async function connectThroughProxy(t: TestContext) {
  const s3 = await startLocalS3({ conditions: 'kept' })
  t.after(() => s3.close())
  const endpoint = new URL(new URL(s3.url).searchParams.get('endpoint')!)
  const proxy = await startTcpProxy(t, endpoint)
  const store = await connectBlobs({ url: s3.url.replace(endpoint.port, String(proxy.port)), dataDir: '' })
  t.after(() => store.close())
  return { store, proxy }
}
