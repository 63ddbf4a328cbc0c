import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { describe, test } from 'node:test'
import { isBlobsUnavailable } from '#platform/blobs/blob-failure.ts'
import { connectBlobs } from '#platform/blobs/connect-blobs.ts'
import { s3Blobs, s3BlobsWithoutConditions } from '../support/blob-stores.ts'
import { startLocalS3 } from '../support/local-s3.ts'
import { rejection } from '../support/rejection.ts'
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
        store.draft(Readable.from([Buffer.alloc(9_000_000)])),
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
    test(`that ${name} is UNAVAILABLE at start`, async (t) => {
      const s3 = await startLocalS3({ conditions: 'kept' })
      t.after(() => s3.close())

      const error = await rejection(connectBlobs({ url: change(s3.url), dataDir: '' }))

      assert(isBlobsUnavailable(error))
      assert.equal(error.message, message)
    })
  }

  test('keeps stores with different prefixes separate', async (t) => {
    const s3 = await startLocalS3({ conditions: 'kept' })
    t.after(() => s3.close())
    const [one, other] = await Promise.all(
      ['one', 'other'].map((prefix) => connectBlobs({ url: `${s3.url}&prefix=${prefix}`, dataDir: '' })),
    )

    await (await one.draft(Readable.from([Buffer.from('x')]))).commit('a')
    await (await one.draft(Readable.from([Buffer.alloc(9_000_000)]))).commit('large')
    await one.draft(Readable.from([Buffer.alloc(9_000_000)]))

    assert.equal(await other.head('a'), undefined)
    for await (const { key } of other.list()) assert.fail(key)
    assert.equal(await other.sweepDrafts(-2000), 0)
    assert.equal(await one.sweepDrafts(-2000), 1)
    await one.close()
    await other.close()
  })
})
