import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, type TestContext, test } from 'node:test'
import type { WriterCommand, WriterOperation, WriterReply } from './sqlite-messages.ts'
import { SqliteWriteQueue } from './sqlite-write-queue.ts'

/** Opens a queue on a new file with a table `notes`, and a second connection that sees only committed rows. */
function openQueue(t: TestContext) {
  // Otherwise, on a busy machine, a group could reach its time limit after any command.
  t.mock.method(performance, 'now', () => 0)
  const folder = mkdtempSync(join(tmpdir(), 'write-queue-'))
  const file = join(folder, 'test.sqlite')
  const database = new DatabaseSync(file, { timeout: 0 })
  database.exec('pragma journal_mode = wal; create table notes (id text primary key)')
  const other = new DatabaseSync(file)
  t.after(() => {
    database.close()
    other.close()
    rmSync(folder, { recursive: true })
  })
  const replies: WriterReply[] = []
  const queue = new SqliteWriteQueue(database, (batch) => replies.push(...batch))
  let lastId = 0
  return {
    other,
    /** Queues commands together and returns their ids. */
    ask(...commands: [WriterOperation, session: number, sql?: string][]): number[] {
      const arriving = commands.map(([operation, session, sql = '']): WriterCommand => {
        lastId++
        return [lastId, operation, session, sql, []]
      })
      for (const command of arriving) queue.accept(command)
      queue.advance(() => {})
      return arriving.map(([id]) => id)
    },
    /** Returns the reply to a command: `ok`, the error's message, or undefined before there is one. */
    answer(id: number): string | undefined {
      const reply = replies.find((candidate) => candidate[0] === id)
      return reply === undefined ? undefined : (reply[1]?.message ?? 'ok')
    },
    stored: () =>
      other
        .prepare('select id from notes order by id')
        .all()
        .map((row) => row.id),
  }
}

const insert = (id: string) => `insert into notes values ('${id}')`

describe('SqliteWriteQueue', () => {
  test('replies to each statement of a transaction, and commits on command', (t) => {
    const { ask, answer, stored } = openQueue(t)

    const [first] = ask(['statement', 1, insert('a')])
    const before = [answer(first), stored()]
    const [commit] = ask(['commit', 1])

    assert.deepEqual(before, ['ok', []])
    assert.equal(answer(commit), 'ok')
    assert.deepEqual(stored(), ['a'])
  })

  test('delays a rollback until the changes it may have seen are on disk, and fails it with them', (t) => {
    const { ask, answer, other } = openQueue(t)
    other.exec('create table pages (note text references notes deferrable initially deferred)')

    const [alone] = [ask(['statement', 1, insert('a')], ['rollback', 1])[1]]
    const together = ask(
      ['change', 0, insert('a')],
      ['statement', 2, 'select id from notes'],
      ['rollback', 2],
      ['change', 0, `insert into pages values ('of no note')`],
    )

    assert.equal(answer(alone), 'ok')
    const failure = 'FOREIGN KEY constraint failed'
    assert.deepEqual(together.map(answer), [failure, 'ok', failure, failure])
  })

  test('runs later commands after an open transaction, in order of arrival', (t) => {
    const { ask, answer, stored } = openQueue(t)
    ask(['statement', 1, insert('a')])

    const waiting = ask(['change', 0, insert('b')], ['statement', 2, insert('c')], ['change', 0, insert('d')])
    const before = waiting.map(answer)
    ask(['commit', 1])
    const between = waiting.map(answer)
    ask(['rollback', 2])

    assert.deepEqual(before, [undefined, undefined, undefined])
    // They share a commit with the open transaction, so none is acknowledged before it ends.
    assert.deepEqual(between, [undefined, 'ok', undefined])
    assert.deepEqual(waiting.map(answer), ['ok', 'ok', 'ok'])
    assert.deepEqual(stored(), ['a', 'b', 'd'])
  })

  test('keeps the rest of a group if one statement fails', (t) => {
    const { ask, answer, stored } = openQueue(t)

    const ids = ask(['change', 0, insert('a')], ['change', 0, insert('a')], ['change', 0, insert('b')])

    assert.deepEqual(ids.map(answer), ['ok', 'UNIQUE constraint failed: notes.id', 'ok'])
    assert.deepEqual(stored(), ['a', 'b'])
  })

  test('fails all waiting commands if the file cannot be locked, and runs no part of a transaction later', (t) => {
    const { ask, answer, stored, other } = openQueue(t)
    other.exec('begin immediate')

    const waiting = ask(['statement', 1, insert('a')], ['change', 0, insert('b')], ['statement', 2, insert('c')])
    other.exec('rollback')
    const late = ask(['statement', 1, insert('d')], ['commit', 1], ['rollback', 2])
    const next = ask(['statement', 3, insert('e')], ['commit', 3])

    assert.deepEqual(waiting.map(answer), Array(3).fill('database is locked'))
    assert.deepEqual(late.map(answer), ['database is locked', 'database is locked', 'ok'])
    assert.deepEqual(next.map(answer), ['ok', 'ok'])
    assert.deepEqual(stored(), ['e'])
  })

  test('forgets a failed transaction once its caller has ended it', (t) => {
    const { ask, answer, stored, other } = openQueue(t)
    for (const end of ['commit', 'rollback'] as const) {
      other.exec('begin immediate')
      const [failed] = ask(['statement', 1, insert('a')])
      other.exec('rollback')

      ask([end, 1])
      const again = ask(['statement', 1, insert(end)], ['commit', 1])

      assert.equal(answer(failed), 'database is locked')
      assert.deepEqual(again.map(answer), ['ok', 'ok'])
    }
    assert.deepEqual(stored(), ['commit', 'rollback'])
  })

  test('rolls back an abandoned transaction and runs the waiting commands', (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] })
    const { ask, answer, stored } = openQueue(t)
    ask(['statement', 1, insert('a')])
    const [waiting] = ask(['change', 0, insert('b')])

    t.mock.timers.tick(9_999)
    const before = answer(waiting)
    t.mock.timers.tick(1)
    const late = ask(['statement', 1, insert('c')], ['commit', 1])

    assert.equal(before, undefined)
    assert.equal(answer(waiting), 'ok')
    assert.deepEqual(late.map(answer), Array(2).fill('The transaction was rolled back.'))
    assert.deepEqual(stored(), ['b'])
  })

  test('runs statements outside a transaction that cannot be in one', (t) => {
    const { ask, answer } = openQueue(t)

    const ids = ask(['change', 0, insert('a')], ['alone', 0, 'vacuum'], ['alone', 0, 'nonsense'])

    assert.deepEqual(ids.map(answer), ['ok', 'ok', 'near "nonsense": syntax error'])
  })
})
