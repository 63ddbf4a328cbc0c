import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { describe, type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { BlobExistsError, checkBlobWrite } from '#platform/blobs/blob-store.ts'
import { type BlobStore, connectBlobs } from '#platform/blobs/connect-blobs.ts'
import { connectTestBlobs, type TestBlobStore } from '../support/blob-stores.ts'
import { rejection } from '../support/rejection.ts'

/** Larger than one part of an S3 upload. */
const LARGE_BYTES = 8_500_000
/** Of three parts. */
const LARGEST_BYTES = 17_000_000
const WRITER = fileURLToPath(new URL('blob-store-writer.ts', import.meta.url))

/** Tests the behaviour that every blob store shares. */
export function testBlobStore(blobs: TestBlobStore): void {
  testBlobCommits(blobs)
  testConcurrentCommits(blobs)
  testDrafts(blobs)
  testBlobs(blobs)
}

/** Tests that committed bytes are read back and that a commit never overwrites a key. */
export function testBlobCommits(blobs: TestBlobStore): void {
  const open = (t: TestContext) => connectTestBlobs(t, blobs)

  describe(`Commits to ${blobs.name}`, () => {
    for (const size of [0, 1, LARGEST_BYTES]) {
      test(`${size} bytes are read back unchanged`, async (t) => {
        const store = await open(t)

        const draft = await store.draft(chunksOf(size))
        await draft.commit('some/folder/file.pdf')

        assert.equal(draft.size, size)
        assert.deepEqual(await store.head('some/folder/file.pdf'), { size })
        assert.equal(await sha256(await store.read('some/folder/file.pdf')), await sha256(chunksOf(size)))
      })
    }

    test('a check of writes stores a file and leaves nothing', async (t) => {
      const store = await open(t)
      const drafts: number[] = []
      const watched = {
        ...store,
        draft: async (source: AsyncIterable<Uint8Array>) => {
          const draft = await store.draft(source)
          drafts.push(draft.size)
          return draft
        },
      }

      await checkBlobWrite(watched)

      assert.deepEqual(drafts, [65_536])
      for await (const { key } of store.list()) assert.fail(`${key} was left`)
    })

    for (const size of [5, LARGE_BYTES]) {
      test(`refuses ${size} bytes for a key that is in use, and keeps its content`, async (t) => {
        const store = await open(t)
        await write(store, 'a/b', 'first')
        const second = await store.draft(chunksOf(size))

        const error = await rejection(second.commit('a/b'))
        await second.discard()

        assert(error instanceof BlobExistsError)
        assert.equal(error.key, 'a/b')
        assert.equal(await textOf(await store.read('a/b')), 'first')
        assert.equal(await store.sweepDrafts(0), 0)
      })
    }
  })
}

/** Tests that exactly one of several concurrent commits to a key succeeds. */
function testConcurrentCommits(blobs: TestBlobStore): void {
  const open = (t: TestContext) => connectTestBlobs(t, blobs)

  describe(`Concurrent commits to ${blobs.name}`, () => {
    for (const size of [5, LARGE_BYTES]) {
      test(`exactly one of many drafts of ${size} bytes gets the key`, async (t) => {
        const store = await open(t)
        const drafts = await Promise.all(Array.from({ length: 4 }, () => store.draft(chunksOf(size))))

        const results = await Promise.allSettled(drafts.map((draft) => draft.commit('the/one')))

        const refused = results.filter((result) => result.status === 'rejected').map(({ reason }) => reason)
        assert.equal(refused.length, 3)
        assert(refused.every((reason) => reason instanceof BlobExistsError))
        assert.deepEqual(await listed(store), ['the/one'])
      })
    }
  })
}

/** Tests drafts: bytes without a key. */
function testDrafts(blobs: TestBlobStore): void {
  const open = (t: TestContext) => connectTestBlobs(t, blobs)

  describe(`Drafts in ${blobs.name}`, () => {
    for (const pieces of [3, LARGE_BYTES / 100_000]) {
      test(`${pieces} pieces written from one reused buffer are read back unchanged`, async (t) => {
        const store = await open(t)
        const piece = Buffer.alloc(100_000)
        async function* source() {
          for (let at = 0; at < pieces; at++) yield piece.fill(at)
        }

        await (await store.draft(source())).commit('pieces')

        const stored = await buffer((await store.read('pieces'))!)
        const firstBytes = Array.from({ length: pieces }, (_, at) => stored[at * piece.length])
        assert.deepEqual(
          firstBytes,
          firstBytes.map((_, at) => at % 256),
        )
      })
    }

    for (const size of [5, LARGE_BYTES]) {
      test(`a draft of ${size} bytes is not a blob before it is committed`, async (t) => {
        const store = await open(t)

        await using draft = await store.draft(chunksOf(size))

        assert.equal(await store.head('a/b'), undefined)
        assert.deepEqual(await listed(store), [])
        await draft.commit('a/b')
        assert.deepEqual(await listed(store), ['a/b'])
      })

      test(`a discarded draft of ${size} bytes leaves nothing`, async (t) => {
        const store = await open(t)
        const draft = await store.draft(chunksOf(size))

        await draft.discard()
        await draft.discard()

        assert.deepEqual(await listed(store), [])
        assert.equal(await store.sweepDrafts(0), 0)
      })

      test(`a source that fails after ${size} bytes leaves nothing, and its error is passed on`, async (t) => {
        const store = await open(t)
        const gone = Object.assign(new Error('The client has left'), { code: 'ECONNRESET' })
        async function* broken() {
          yield* chunksOf(size)
          throw gone
        }

        const errors = [await rejection(store.draft(broken())), await rejection(store.draft(Readable.from(broken())))]

        assert.deepEqual(errors, [gone, gone])
        assert.deepEqual(await listed(store), [])
        assert.equal(await store.sweepDrafts(0), 0)
      })
    }

    for (const size of [9, LARGE_BYTES])
      test(`a draft of ${size} bytes takes the place of a damaged blob, or of none`, async (t) => {
        const store = await open(t)
        await (await store.draft(chunksOf(4))).commit('a/damaged')
        for (const key of ['a/damaged', 'a/missing']) {
          await using draft = await store.draft(chunksOf(size))
          await draft.replace(key)
          assert.deepEqual(await store.head(key), { size })
        }

        assert.equal(await sha256(await store.read('a/damaged')), await sha256(chunksOf(size)))
        assert.equal(await store.sweepDrafts(-60_000), 0)
      })

    test('discarding a committed draft has no effect', async (t) => {
      const store = await open(t)
      {
        await using draft = await store.draft(chunksOf(LARGE_BYTES))
        await draft.commit('a')
      }

      assert.deepEqual(await store.head('a'), { size: LARGE_BYTES })
      assert.equal(await store.sweepDrafts(0), 0)
    })

    test('the sweep removes old drafts and keeps recent ones', async (t) => {
      const store = await open(t)
      const draft = await store.draft(chunksOf(LARGE_BYTES))

      const swept = [await store.sweepDrafts(3_600_000), await store.sweepDrafts(-2000)]

      assert.deepEqual(swept, [0, 1])
      assert.notEqual(await rejection(draft.commit('a')), undefined)
      assert.deepEqual(await listed(store), [])
    })

    test('a process killed while writing leaves no blob, and only drafts that the sweep finds', async (t) => {
      const address = await blobs.open(t)
      const writer = spawn(process.execPath, [WRITER, address.url, address.dataDir], {
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      const exited = once(writer, 'exit')
      await once(writer.stdout, 'data')
      writer.kill('SIGKILL')
      await exited

      const store = await connectBlobs(address)
      t.after(() => store.close())

      assert.deepEqual(await listed(store), [])
      assert.equal(await store.sweepDrafts(-2000), 1)
      assert.equal(await store.sweepDrafts(-2000), 0)
    })
  })
}

/** Tests reading, listing and deleting blobs. */
function testBlobs(blobs: TestBlobStore): void {
  const open = (t: TestContext) => connectTestBlobs(t, blobs)

  describe(`Blobs in ${blobs.name}`, () => {
    test('reads a range by its first and last byte', async (t) => {
      const store = await open(t)
      await write(store, 'digits', '0123456789')
      const read = async (start: number, end: number) => textOf(await store.read('digits', { start, end }))

      const parts = [await read(0, 0), await read(3, 5), await read(9, 9), await read(8, 20), await read(10, 20)]

      assert.deepEqual(parts, ['0', '345', '9', '89', ''])
    })

    test('a reader can stop early', async (t) => {
      const store = await open(t)
      await (await store.draft(chunksOf(LARGE_BYTES))).commit('large')

      const stream = await store.read('large')
      for await (const chunk of stream!) {
        assert(chunk.length > 0)
        break
      }

      if (!stream!.closed) await new Promise((resolve) => stream!.once('close', resolve))
      assert.equal(stream!.destroyed, true)
    })

    test('a missing blob is undefined to read and inspect, and can be deleted', async (t) => {
      const store = await open(t)
      await write(store, 'a/b', 'x')

      assert.equal(await store.read('nothing/here'), undefined)
      assert.equal(await store.read('a'), undefined)
      assert.equal(await store.read('a/b/c', { start: 0, end: 1 }), undefined)
      assert.equal(await store.head('nothing'), undefined)
      assert.equal(await store.head('a'), undefined)
      await store.delete('nothing/here')
    })

    test('returns the path of a blob if blobs are files', async (t) => {
      const store = await open(t)
      await write(store, 'a/b', 'some text')

      const path = store.localPath('a/b')

      if (store.kind === 'files') assert.equal(await readFile(path!, 'utf8'), 'some text')
      else assert.equal(path, undefined)
    })

    test('a deleted blob is gone, and its key is available', async (t) => {
      const store = await open(t)
      await write(store, 'a/b/c', 'first')

      await store.delete('a/b/c')

      assert.equal(await store.head('a/b/c'), undefined)
      await write(store, 'a/b/c', 'second')
      assert.equal(await textOf(await store.read('a/b/c')), 'second')
    })

    test('lists a folder, or everything, but no drafts', async (t) => {
      const store = await open(t)
      const before = Date.now()
      const keys = Array.from({ length: 25 }, (_, index) => `a/${index}/x.webp`)
      for (const key of [...keys, 'ab', 'b/c']) await write(store, key, key)
      await using _draft = await store.draft(chunksOf(LARGE_BYTES))

      const found = await all(store.list())

      assert.deepEqual(found.map(({ key }) => key).sort(), [...keys, 'ab', 'b/c'].sort())
      assert(found.every(({ key, size }) => size === key.length))
      // S3 returns whole seconds.
      assert(found.every(({ modifiedMs }) => modifiedMs > before - 2000 && modifiedMs < Date.now() + 2000))
      assert.deepEqual(await listed(store, 'a/'), keys.sort())
      assert.deepEqual(await listed(store, 'a/7/'), ['a/7/x.webp'])
      assert.deepEqual(await listed(store, 'nothing/'), [])
    })

    test('many blobs are written, read and deleted concurrently', async (t) => {
      const store = await open(t)
      const keys = Array.from({ length: 40 }, (_, index) => `many/${index % 7}/${index}`)

      await Promise.all(keys.map((key) => write(store, key, key.repeat(1000))))
      const texts = await Promise.all(keys.map(async (key) => textOf(await store.read(key))))
      await Promise.all(keys.slice(1).map((key) => store.delete(key)))

      assert.deepEqual(
        texts,
        keys.map((key) => key.repeat(1000)),
      )
      assert.deepEqual(await listed(store), [keys[0]])
    })

    test('writes to a folder whose last blob is being deleted', async (t) => {
      const store = await open(t)

      await Promise.all(
        Array.from({ length: 30 }, async (_, index) => {
          await write(store, `folder/deep/${index}`, 'x')
          await store.delete(`folder/deep/${index}`)
        }),
      )

      assert.deepEqual(await listed(store), [])
    })

    test('throws for an invalid key', async (t) => {
      const store = await open(t)
      const draft = await store.draft(chunksOf(1))
      const keys = ['', '/', '../a', 'a/../b', './a', 'a//b', '/a', 'a/', 'a\\b', 'a b', 'é', 'a\0', '.drafts/a', 'a\n']

      const refused = await Promise.all([
        ...keys.map((key) => rejection(draft.commit(key))),
        ...keys.map((key) => rejection((async () => store.read(key))())),
        ...keys.map((key) => rejection((async () => store.delete(key))())),
        ...keys.map((key) => rejection((async () => store.localPath(key))())),
        ...keys.slice(1).map((key) => rejection(listed(store, `${key}/`))),
      ])

      assert(refused.every((error) => error instanceof Error && / cannot be /.test(error.message)))
      assert.deepEqual(await listed(store), [])
    })

    test('is ready', async (t) => {
      const store = await open(t)

      await store.check()
    })
  })
}

async function write(store: BlobStore, key: string, text: string): Promise<void> {
  await (await store.draft(Readable.from([Buffer.from(text)]))).commit(key)
}

async function listed(store: BlobStore, folder?: string): Promise<string[]> {
  return (await all(store.list(folder))).map(({ key }) => key).sort()
}

async function all<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const found: Item[] = []
  for await (const item of items) found.push(item)
  return found
}

async function textOf(stream: Readable | undefined): Promise<string> {
  return (await buffer(stream!)).toString()
}

async function* chunksOf(size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < size; at += 65_536)
    yield Buffer.alloc(Math.min(65_536, size - at), `${at} is where this piece begins. `)
}

async function sha256(stream: AsyncIterable<Uint8Array> | undefined): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of stream!) hash.update(chunk)
  return hash.digest('hex')
}
