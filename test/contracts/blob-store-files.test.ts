import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, readFileSync, renameSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { describe, type TestContext, test } from 'node:test'
import { isBlobsUnavailable } from '#platform/blobs/blob-failure.ts'
import { connectBlobs } from '#platform/blobs/connect-blobs.ts'
import { fileBlobs } from '../support/blob-stores.ts'
import { rejection } from '../support/rejection.ts'
import { testBlobStore } from './blob-store-contract.ts'

testBlobStore(fileBlobs)

describe('The blob folder', () => {
  test('has a file for each blob, under its key, and no empty folders', async (t) => {
    const { store, folder } = await openFolder(t)
    for (const key of ['a/b/1', 'a/b/2', 'a/c/1'])
      await (await store.draft(Readable.from([Buffer.from(key)]))).commit(key)

    await store.delete('a/c/1')

    assert.equal(readFileSync(join(folder, 'a/b/1'), 'utf8'), 'a/b/1')
    assert.deepEqual(readdirSync(folder, { recursive: true }).sort(), ['.drafts', 'a', 'a/b', 'a/b/1', 'a/b/2'])
  })

  test('is left alone when a committed draft is disposed of, even if the disk has failed since', async (t) => {
    const { store, folder } = await openFolder(t)
    {
      await using draft = await store.draft(Readable.from([Buffer.from('x')]))
      await draft.commit('a')
      renameSync(join(folder, '.drafts'), join(folder, '.drafts-gone'))
      writeFileSync(join(folder, '.drafts'), '')
    }

    assert.equal(readFileSync(join(folder, 'a'), 'utf8'), 'x')
  })

  test('is synced with all bytes of a draft, and with the name of a blob', async (t) => {
    const { store, folder } = await openFolder(t)
    const synced: string[] = []
    const file = await open(folder)
    await file.close()
    const handles = Object.getPrototypeOf(file) as FileHandle
    const { sync } = handles
    t.mock.method(handles, 'sync', async function (this: FileHandle) {
      const stats = await this.stat()
      synced.push(stats.isDirectory() ? 'a folder' : `${stats.size} bytes`)
      await sync.call(this)
    })

    const draft = await store.draft(Readable.from([Buffer.alloc(300_000), Buffer.alloc(7)]))
    const ofDraft = [...synced]
    await draft.commit('a')

    assert.deepEqual(ofDraft, ['300007 bytes'])
    assert.deepEqual(synced.slice(1), ['a folder'])
  })

  test('is readable only by its owner', async (t) => {
    const { store, folder } = await openFolder(t)

    await (await store.draft(Readable.from([Buffer.from('x')]))).commit('a/b')

    const modes = ['', '.drafts', 'a', 'a/b'].map((path) => statSync(join(folder, path)).mode & 0o077)
    assert.deepEqual(modes, [0, 0, 0, 0])
  })

  test('does not follow symbolic links out of it', async (t) => {
    const { store, folder, outside } = await openFolder(t)
    writeFileSync(join(outside, 'secret'), 'secret')
    symlinkSync(outside, join(folder, 'linked'))
    mkdirSync(join(folder, 'real'))
    symlinkSync(join(outside, 'secret'), join(folder, 'real/secret'))
    const draft = await store.draft(Readable.from([Buffer.from('x')]))

    for (const key of ['linked/secret', 'real/secret']) {
      assert.equal(await store.read(key), undefined)
      assert.equal(await store.head(key), undefined)
    }
    await store.delete('linked/secret')
    await assert.rejects(draft.commit('linked/new'), /symbolic link/)
    for await (const { key } of store.list()) assert.fail(key)
    for await (const { key } of store.list('linked/')) assert.fail(key)
    assert.deepEqual(readdirSync(outside), ['secret'])
  })

  test('may itself be a symbolic link', async (t) => {
    const { outside, dataDir } = await openFolder(t)
    symlinkSync(outside, join(dataDir, 'link'))
    mkdirSync(join(outside, 'blobs'))
    const store = await connectBlobs({ url: '', dataDir: join(dataDir, 'link') })

    await (await store.draft(Readable.from([Buffer.from('x')]))).commit('a')

    assert.equal(await text((await store.read('a'))!), 'x')
    assert.deepEqual(readdirSync(join(outside, 'blobs')).sort(), ['.drafts', 'a'])
  })

  test('is UNAVAILABLE while missing, is not recreated, and works again without a restart', async (t) => {
    const { store, folder } = await openFolder(t)
    const draft = await store.draft(Readable.from([Buffer.from('x')]))
    renameSync(folder, `${folder}-gone`)

    const errors = await Promise.all(
      [
        store.check(),
        store.draft(Readable.from([Buffer.from('y')])),
        draft.commit('a'),
        store.read('a'),
        store.head('a'),
        store.delete('a'),
        store.list()[Symbol.asyncIterator]().next(),
      ].map(rejection),
    )

    assert(errors.every(isBlobsUnavailable))
    assert.equal(errors[0]?.message, 'The storage folder is not there.')
    renameSync(`${folder}-gone`, folder)
    await store.check()
    await draft.commit('a')
    assert.equal(await text((await store.read('a'))!), 'x')
  })

  test('is UNAVAILABLE at start if it is a file', async (t) => {
    const { dataDir } = await fileBlobs.open(t)
    writeFileSync(join(dataDir, 'blobs'), '')

    await assert.rejects(connectBlobs({ url: '', dataDir }), isBlobsUnavailable)
  })
})

async function openFolder(t: TestContext) {
  const { dataDir } = await fileBlobs.open(t)
  const outside = join(dataDir, 'outside')
  mkdirSync(outside)
  return { store: await connectBlobs({ url: '', dataDir }), dataDir, outside, folder: join(dataDir, 'blobs') }
}
