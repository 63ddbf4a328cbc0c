import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { SharedWriterThread, SqliteWriterThread } from './sqlite-writer-thread.ts'

/** Opens files in a new folder, each with an empty table `notes`. */
async function openWriters(t: TestContext, ...names: string[]): Promise<SqliteWriterThread[]> {
  const folder = mkdtempSync(join(tmpdir(), 'writers-'))
  const writers = names.map((name) => new SqliteWriterThread(join(folder, name)))
  t.after(async () => {
    for (const writer of writers) await writer.close(() => false)
    rmSync(folder, { recursive: true })
  })
  for (const writer of writers) {
    await writer.start()
    await writer.run('alone', 0, 'create table if not exists notes (id text)', [])
  }
  return writers
}

const addNote = (writer: SqliteWriterThread, session = 0) =>
  writer.run(session === 0 ? 'change' : 'statement', session, `insert into notes values ('a note')`, [])

describe('SharedWriterThread', () => {
  test('waits with each commit until it is on disk', async (t) => {
    const [writer] = await openWriters(t, 'first')

    const [mode, log] = await Promise.all(
      ['synchronous', 'journal_mode'].map((name) => writer.run('alone', 0, `pragma ${name}`, [])),
    )

    // 2 is FULL. With NORMAL, a write-ahead log is synced only when it is written back.
    assert.deepEqual([mode?.rows, log?.rows], [[[2]], [['wal']]])
  })

  test('goes on with a file when another one is closed', async (t) => {
    const [first, second] = await openWriters(t, 'first', 'second')
    const shared = SharedWriterThread.forFile('third')

    await first.close(() => false)
    const added = await addNote(second)

    assert.equal(added?.changes, 1)
    assert.equal(SharedWriterThread.forFile('third'), shared)
    await assert.rejects(addNote(first), { code: 'ERR_WRITER_ENDED' })
  })

  test('writes to a file while another one always has something to write', async (t) => {
    const [busy, other] = await openWriters(t, 'busy', 'other')
    let isBusy = true
    const always = async () => {
      while (isBusy) await addNote(busy)
    }
    const load = Array.from({ length: 64 }, always)

    for (let note = 0; note < 5; note++) await addNote(other)
    isBusy = false
    await Promise.all(load)

    assert.deepEqual((await other.run('alone', 0, 'select count(*) from notes', []))?.rows, [[5]])
  })

  test('writes to one file while a transaction on another one waits for its caller', async (t) => {
    const [slow, other] = await openWriters(t, 'slow', 'other')
    await addNote(slow, 1)

    const added = await addNote(other)
    await slow.run('commit', 1, '', [])

    assert.equal(added?.changes, 1)
  })

  test('is not shared by two connections to one file, of which one waits for the other', async (t) => {
    const [first, second] = await openWriters(t, 'file', 'file')
    await addNote(first, 1)

    const later = addNote(second)
    await first.run('commit', 1, '', [])

    assert.equal((await later)?.changes, 1)
  })

  test('starts again with every file after its end', async (t) => {
    const [first, second] = await openWriters(t, 'first', 'second')

    await first.terminate()
    const added = await Promise.all([addNote(first), addNote(second)])

    assert.deepEqual(
      added.map((result) => result?.changes),
      [1, 1],
    )
  })
})
