import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Kysely, sql } from 'kysely'
import type { Migration } from '#platform/database/migrate.ts'
import { inTransaction, isUniqueViolation } from '#platform/database/transaction.ts'
import { databases } from '../support/databases.ts'

type Tables = { accounts: { id: string; balance: number } }

const migrations: Record<string, Migration> = {
  '0001-create-accounts': {
    async up(db) {
      await db.schema
        .createTable('accounts')
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('balance', 'bigint', (column) => column.notNull())
        .execute()
    },
  },
}

async function balanceOf(db: Kysely<Tables>, id: string): Promise<number | undefined> {
  const row = await db.selectFrom('accounts').select('balance').where('id', '=', id).executeTakeFirst()
  return row?.balance
}

async function add(db: Kysely<Tables>, id: string, amount: number): Promise<void> {
  const balance = await balanceOf(db, id)
  assert(balance !== undefined)
  await db
    .updateTable('accounts')
    .set({ balance: balance + amount })
    .where('id', '=', id)
    .execute()
}

for (const engine of databases) {
  describe(`Transactions on ${engine.name}`, () => {
    test('committed changes are visible at once', async (t) => {
      const { db } = await engine.connect<Tables>(t, { migrations })

      const result = await inTransaction(db, async (transaction) => {
        await transaction.insertInto('accounts').values({ id: 'a', balance: 1 }).execute()
        await transaction.insertInto('accounts').values({ id: 'b', balance: 2 }).execute()
        return 'done'
      })

      assert.equal(result, 'done')
      assert.equal(await balanceOf(db, 'b'), 2)
    })

    test('a transaction sees its own writes, and others see them only once it is committed', async (t) => {
      const { db } = await engine.connect<Tables>(t, { migrations })

      await inTransaction(db, async (transaction) => {
        await transaction.insertInto('accounts').values({ id: 'a', balance: 1 }).execute()

        assert.equal(await balanceOf(transaction, 'a'), 1)
        assert.equal(await balanceOf(db, 'a'), undefined)
      })
    })

    test('work that throws is rolled back, and its error is passed on', async (t) => {
      const { db } = await engine.connect<Tables>(t, { migrations })

      const work = inTransaction(db, async (transaction) => {
        await transaction.insertInto('accounts').values({ id: 'a', balance: 1 }).execute()
        throw new RangeError('changed my mind')
      })

      await assert.rejects(work, { name: 'RangeError', message: 'changed my mind' })
      assert.equal(await balanceOf(db, 'a'), undefined)
    })

    test('a failed statement fails the whole transaction', async (t) => {
      const { db } = await engine.connect<Tables>(t, { migrations })

      const work = inTransaction(db, async (transaction) => {
        await transaction.insertInto('accounts').values({ id: 'a', balance: 1 }).execute()
        await transaction.insertInto('accounts').values({ id: 'a', balance: 2 }).execute()
      })

      await assert.rejects(work, (error) => isUniqueViolation(error, 'accounts', ['id']))
      assert.equal(await balanceOf(db, 'a'), undefined)
    })

    test('a transaction may be empty or only read', async (t) => {
      const { db } = await engine.connect<Tables>(t, { migrations })

      assert.equal(await inTransaction(db, async () => 1), 1)
      await assert.rejects(
        inTransaction(db, () => Promise.reject(new Error('at once'))),
        { message: 'at once' },
      )
      assert.equal(await inTransaction(db, (transaction) => balanceOf(transaction, 'a')), undefined)
    })

    test('a transaction inside another joins it', async (t) => {
      const { db } = await engine.connect<Tables>(t, { migrations })

      const work = inTransaction(db, async (outer) => {
        await inTransaction<Tables, unknown>(outer, (inner) =>
          inner.insertInto('accounts').values({ id: 'a', balance: 1 }).execute(),
        )
        throw new Error('undo both')
      })

      await assert.rejects(work, { message: 'undo both' })
      assert.equal(await balanceOf(db, 'a'), undefined)
    })

    test('a savepoint rolls back a part', async (t) => {
      const { db } = await engine.connect<Tables>(t, { migrations })

      const transaction = await db.startTransaction().execute()
      await transaction.insertInto('accounts').values({ id: 'a', balance: 1 }).execute()
      const part = await transaction.savepoint('half "way"').execute()
      await part.insertInto('accounts').values({ id: 'b', balance: 1 }).execute()
      await part.rollbackToSavepoint('half "way"').execute()
      await transaction.commit().execute()

      assert.equal(await balanceOf(db, 'a'), 1)
      assert.equal(await balanceOf(db, 'b'), undefined)
    })

    test('concurrent changes to rows that were read are not lost if transactions are serializable', async (t) => {
      const { db } = await engine.connect<Tables>(t, { migrations })
      await db.insertInto('accounts').values({ id: 'a', balance: 0 }).execute()

      await Promise.all(
        Array.from({ length: 20 }, () =>
          inTransaction(db, (transaction) => add(transaction, 'a', 1), { isolation: 'serializable' }),
        ),
      )

      assert.equal(await balanceOf(db, 'a'), 20)
    })

    test('rows read for update are locked if transactions are not serializable', async (t) => {
      const { db } = await engine.connect<Tables>(t, { migrations })
      await db.insertInto('accounts').values({ id: 'a', balance: 0 }).execute()
      const increment = () =>
        inTransaction(
          db,
          async (transaction) => {
            const locked = transaction.selectFrom('accounts').select('balance').where('id', '=', 'a').forUpdate()
            const { balance } = await locked.executeTakeFirstOrThrow()
            const update = transaction.updateTable('accounts').set({ balance: balance + 1 })
            await update.where('id', '=', 'a').execute()
          },
          { isolation: 'read committed' },
        )

      await Promise.all(Array.from({ length: 20 }, increment))

      assert.equal(await balanceOf(db, 'a'), 20)
    })

    test('a decision based on a read holds until the write if transactions are serializable', async (t) => {
      const { db } = await engine.connect<Tables>(t, { migrations })
      await db
        .insertInto('accounts')
        .values([
          { id: 'a', balance: 50 },
          { id: 'b', balance: 50 },
        ])
        .execute()
      // Each may withdraw from its own account while the sum of both stays above zero.
      const withdraw = (id: string) =>
        inTransaction(
          db,
          async (transaction) => {
            const total = ((await balanceOf(transaction, 'a')) ?? 0) + ((await balanceOf(transaction, 'b')) ?? 0)
            if (total >= 100) await add(transaction, id, -100)
          },
          { isolation: 'serializable' },
        )

      await Promise.all([withdraw('a'), withdraw('b')])

      const { rows } = await sql<{ total: number }>`select sum(balance) as total from accounts`.execute(db)
      assert.deepEqual(rows, [{ total: 0 }])
    })

    test('a failed transaction does not affect concurrent ones', async (t) => {
      const { db } = await engine.connect<Tables>(t, { migrations })
      const insert = (index: number) =>
        inTransaction(db, async (transaction) => {
          await transaction
            .insertInto('accounts')
            .values({ id: `i${index}`, balance: index })
            .execute()
          if (index % 3 === 0) throw new Error(`no ${index}`)
          if (index % 3 === 1)
            await transaction
              .insertInto('accounts')
              .values({ id: `i${index}`, balance: 0 })
              .execute()
        })

      const single = (index: number) =>
        db
          .insertInto('accounts')
          .values({ id: `s${index % 30}`, balance: 1 })
          .execute()
      const outcomes = await Promise.allSettled(
        Array.from({ length: 60 }, (_, index) => (index % 2 === 0 ? insert(index / 2) : single(index))),
      )

      const rows = await db.selectFrom('accounts').select('id').where('id', 'like', 'i%').orderBy('balance').execute()
      assert.deepEqual(
        rows.map((row) => row.id),
        Array.from({ length: 30 }, (_, index) => index)
          .filter((index) => index % 3 === 2)
          .map((index) => `i${index}`),
      )
      assert.equal(outcomes.filter((outcome) => outcome.status === 'fulfilled').length, 10 + 15)
    })

    test('each read sees the preceding write', async (t) => {
      const { db } = await engine.connect<Tables>(t, { migrations })

      for (let balance = 0; balance < 100; balance++) {
        await db
          .insertInto('accounts')
          .values({ id: `a${balance}`, balance })
          .execute()
        assert.equal(await balanceOf(db, `a${balance}`), balance)
      }
    })

    test('closing finishes pending work and refuses later work', async (t) => {
      const database = await engine.connect<Tables>(t, { migrations })
      const { db } = database
      const begun = Promise.withResolvers<void>()
      const goOn = Promise.withResolvers<void>()
      const work = inTransaction(db, async (transaction) => {
        await transaction.insertInto('accounts').values({ id: 'a', balance: 1 }).execute()
        begun.resolve()
        await goOn.promise
        await add(transaction, 'a', 1)
        return balanceOf(transaction, 'a')
      })
      await begun.promise

      const closed = database.close()
      const late = db.insertInto('accounts').values({ id: 'c', balance: 1 }).execute()
      goOn.resolve()

      await assert.rejects(late, { code: 'UNAVAILABLE', status: 503 })
      assert.equal(await work, 2)
      await closed
      await assert.rejects(balanceOf(db, 'a'), { code: 'UNAVAILABLE' })
    })
  })
}
