import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { describe, type TestContext, test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import type { BlobStore } from '#platform/blobs/blob-store.ts'
import { blobStores, connectTestBlobs, s3Blobs } from '../../../test/support/blob-stores.ts'
import { rejection } from '../../../test/support/rejection.ts'
import { createLocalDocuments, DocumentMissingError, type LocalDocumentsOptions } from './local-documents.ts'

for (const kind of blobStores) {
  describe(`A local document of ${kind.name}`, () => {
    test('is a file with the bytes of the blob', async (t) => {
      const blobs = await connectTestBlobs(t, kind)
      const documents = createLocalDocuments(blobs)
      t.after(() => documents.close())
      await write(blobs, 'documents/a.pdf', 'the document')

      await using document = await documents.localDocument('documents/a.pdf')

      assert.equal(readFileSync(document.path, 'utf8'), 'the document')
    })

    test('cannot be had where there is no blob, until there is one', async (t) => {
      const blobs = await connectTestBlobs(t, kind)
      const documents = createLocalDocuments(blobs)
      t.after(() => documents.close())

      const error = await rejection(documents.localDocument('documents/a.pdf'))
      await write(blobs, 'documents/a.pdf', 'the document')
      await using document = await documents.localDocument('documents/a.pdf')

      assert(error instanceof DocumentMissingError)
      assert.equal(readFileSync(document.path, 'utf8'), 'the document')
    })
  })
}

describe('The copy of a document from a bucket', () => {
  test('is shared, and kept for the next user', async (t) => {
    const { documents } = await open(t, {})

    const [first, second] = await Promise.all([documents.localDocument('a'), documents.localDocument('a')])
    await first[Symbol.asyncDispose]()
    await second[Symbol.asyncDispose]()
    const third = await documents.localDocument('a')

    assert.equal(second.path, first.path)
    assert.equal(third.path, first.path)
    assert.equal(readFileSync(third.path, 'utf8'), 'a'.repeat(10))
  })

  test('goes when it is unused for a while, and not before', async (t) => {
    const { documents } = await open(t, { idleMs: 1000 })
    const [first, second] = [await documents.localDocument('a'), await documents.localDocument('a')]
    t.mock.timers.enable({ apis: ['setTimeout'] })

    await first[Symbol.asyncDispose]()
    await first[Symbol.asyncDispose]()
    t.mock.timers.tick(1000)
    const whileUsed = await documents.localDocument('a')
    for (const document of [second, whileUsed]) await document[Symbol.asyncDispose]()
    const usedAgain = await documents.localDocument('a')
    t.mock.timers.tick(1000)
    const still = await documents.localDocument('a')
    for (const document of [usedAgain, still]) await document[Symbol.asyncDispose]()
    t.mock.timers.tick(1000)
    t.mock.timers.reset()
    while (existsSync(first.path)) await turn()

    assert.deepEqual(
      [second, whileUsed, usedAgain, still].map(({ path }) => path === first.path),
      [true, true, true, true],
    )
    assert.equal(readFileSync((await documents.localDocument('a')).path, 'utf8'), 'a'.repeat(10))
  })

  test('makes room for others, the one used longest ago first', async (t) => {
    const { documents } = await open(t, { maxIdleBytes: 20 })
    const opened = [await documents.localDocument('a'), await documents.localDocument('b')]
    opened.push(await documents.localDocument('c'))

    for (const document of opened) await document[Symbol.asyncDispose]()

    assert.deepEqual(
      opened.map(({ path }) => existsSync(path)),
      [false, true, true],
    )
  })

  test('does not stay after its process was killed, unlike that of a process that runs', async (t) => {
    const ended = spawnSync(process.execPath, ['--version']).pid
    const folderOf = (pid: number) => mkdtempSync(join(tmpdir(), `trackpress-documents-${hostname()}-${pid}-`))
    const [ofEnded, ofRunning] = [folderOf(ended), folderOf(process.ppid)]
    t.after(() => rmSync(ofRunning, { recursive: true }))
    writeFileSync(join(ofEnded, 'a.pdf'), 'a')

    await open(t, {})
    while (existsSync(ofEnded)) await turn()

    assert.ok(existsSync(ofRunning))
  })

  test('is gone after closing', async (t) => {
    const { documents } = await open(t, {})
    const { path } = await documents.localDocument('a')

    await documents.close()

    assert.equal(existsSync(path), false)
  })
})

async function open(t: TestContext, options: LocalDocumentsOptions) {
  const blobs = await connectTestBlobs(t, s3Blobs)
  for (const key of ['a', 'b', 'c']) await write(blobs, key, key.repeat(10))
  const documents = createLocalDocuments(blobs, options)
  t.after(() => documents.close())
  return { documents }
}

async function write(blobs: BlobStore, key: string, text: string): Promise<void> {
  await (await blobs.draft(Readable.from([Buffer.from(text)]))).commit(key)
}
