import assert from 'node:assert/strict'
import { once } from 'node:events'
import { buffer } from 'node:stream/consumers'
import { describe, test } from 'node:test'
import { setImmediate as turnOfEventLoop } from 'node:timers/promises'
import { readZip } from '../../../test/support/read-zip.ts'
import { type ArchiveFile, writeArchive } from './zip-archive.ts'

const file = (name: string, bytes: AsyncIterable<Uint8Array>): ArchiveFile => ({ name, modifiedMs: 0, bytes })

async function* pieces(...texts: string[]) {
  for (const text of texts) yield Buffer.from(text)
}

const incompressible = () => crypto.getRandomValues(new Uint8Array(65_536))

async function* filesOf(...files: ArchiveFile[]) {
  yield* files
}

describe('writeArchive', () => {
  test('writes files that another library reads, in their order', async () => {
    const archive = writeArchive(
      filesOf(file('b.txt', pieces('one', 'two')), file('é.txt', pieces()), file('a', pieces('3'))),
    )

    const read = await readZip(await buffer(archive))

    assert.deepEqual(
      [...read],
      [
        ['b.txt', 'onetwo'],
        ['é.txt', ''],
        ['a', '3'],
      ],
    )
  })

  test('reads a file only when it is its turn, and little more of it than is taken', async () => {
    let taken = 0
    const opened: string[] = []
    async function* endless(name: string) {
      opened.push(name)
      while (true) {
        taken++
        yield incompressible()
      }
    }
    const archive = writeArchive(filesOf(file('a', endless('a')), file('b', endless('b'))))

    await once(archive, 'readable')
    for (let turn = 0; turn < 2000; turn++) await turnOfEventLoop()

    assert.deepEqual(opened, ['a'])
    assert.ok(taken < 50, `${taken} pieces of 64 KiB were read, and none was taken`)
    archive.destroy()
  })

  test('closes the file that it reads when its reader leaves', async () => {
    const closed = Promise.withResolvers<void>()
    async function* endless() {
      try {
        while (true) yield incompressible()
      } finally {
        closed.resolve()
      }
    }
    const archive = writeArchive(filesOf(file('a', endless())))

    await once(archive, 'readable')
    archive.destroy()

    await closed.promise
  })

  test('breaks off if a file fails', async () => {
    async function* failing() {
      yield Buffer.from('one')
      throw new Error('the track was deleted')
    }
    const archive = writeArchive(filesOf(file('a', pieces('1')), file('b', failing())))

    await assert.rejects(buffer(archive), /the track was deleted/)
  })
})
