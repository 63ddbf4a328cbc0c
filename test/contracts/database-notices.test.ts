import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { connectDatabase } from '#platform/database/open-database.ts'
import { inTransaction } from '#platform/database/transaction.ts'
import { databases, type Owner } from '../support/databases.ts'

const postgres = databases.find((engine) => engine.name === 'PostgreSQL')

/** Two instances on one database. */
async function connectTwice(owner: Owner) {
  assert(postgres !== undefined)
  const address = await postgres.open(owner)
  const [here, there] = [
    await connectDatabase({ ...address, name: 'test' }),
    await connectDatabase({ ...address, name: 'test' }),
  ]
  owner.after(async () => {
    await Promise.all([here.close(), there.close()])
  })
  assert(here.notices !== undefined && there.notices !== undefined)
  return { here: here.notices, there: there.notices, db: here.db }
}

/** Collects notices; `next` resolves with the next one. */
function collector() {
  const arrived: (string | undefined)[] = []
  let wake = () => {}
  return {
    listener: (payload: string | undefined) => {
      arrived.push(payload)
      wake()
    },
    next: async (): Promise<string | undefined> => {
      while (arrived.length === 0) await new Promise<void>((resolve) => (wake = resolve))
      return arrived.shift()
    },
  }
}

// A test would wait forever for a notice that does not arrive.
describe('Notices', { timeout: 20_000, skip: postgres === undefined && 'TEST_DATABASES leaves PostgreSQL out' }, () => {
  test('reach every instance in order, including the sender', async (t) => {
    const { here, there } = await connectTwice(t)
    const [own, other] = [collector(), collector()]
    here.subscribe('tokens', own.listener)
    there.subscribe('tokens', other.listener)
    there.subscribe('elsewhere', (payload) => assert.equal(payload, undefined))

    const beginnings = [await own.next(), await other.next()]

    await there.publish('tokens', 'from there')
    await here.publish('tokens', 'é"\'')
    await here.publish('tokens', '')

    assert.deepEqual(beginnings, [undefined, undefined])
    for (const { next } of [own, other]) {
      assert.deepEqual([await next(), await next(), await next()], ['from there', 'é"\'', ''])
    }
  })

  test('are sent when their transaction commits, and never otherwise', async (t) => {
    const { here, there, db } = await connectTwice(t)
    const { listener, next } = collector()
    there.subscribe('tokens', listener)
    await next()

    await inTransaction(db, async (transaction) => {
      await here.publish('tokens', 'rolled back', transaction)
      throw new Error('undo')
    }).catch(() => {})
    await inTransaction(db, (transaction) => here.publish('tokens', 'committed', transaction))

    assert.equal(await next(), 'committed')
  })

  test('report a gap after a lost connection, and continue', async (t) => {
    const { here, there, db } = await connectTwice(t)
    const { listener, next } = collector()
    there.subscribe('tokens', listener)
    await next()
    await here.publish('tokens', 'before')
    assert.equal(await next(), 'before')

    await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`.execute(db)

    assert.equal(await next(), undefined)
    assert.equal(there.isLive(), true)
    await here.publish('tokens', 'after')
    assert.equal(await next(), 'after')
  })

  test('are not delivered to a removed listener', async (t) => {
    const { here } = await connectTwice(t)
    const { listener, next } = collector()
    const leave = here.subscribe('tokens', (payload) => assert.equal(payload, undefined))
    here.subscribe('tokens', listener)
    await next()

    leave()
    await here.publish('tokens', 'x')

    assert.equal(await next(), 'x')
  })

  test('are live from the first listener until closed', async (t) => {
    assert(postgres !== undefined)
    const database = await postgres.connect(t)
    const { listener, next } = collector()
    database.notices?.subscribe('tokens', listener)
    const whileListeningBegins = database.notices?.isLive()
    await next()
    const wasLive = database.notices?.isLive()

    await database.close()

    assert.equal(whileListeningBegins, false)
    assert.equal(wasLive, true)
    assert.equal(database.notices?.isLive(), false)
  })
})
