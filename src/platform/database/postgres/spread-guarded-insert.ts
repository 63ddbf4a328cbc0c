import { CompiledQuery, type Kysely } from 'kysely'
import type { GuardedInsert, GuardedRows, InsertGuarded, ValueTypes } from '../guarded-insert.ts'
import { inTransaction } from '../transaction.ts'

/** Thrown to roll back; never leaves this file. */
const UNDONE = Symbol('undone')

/**
 * Prepares a guarded insert for tables on several machines, as a transaction of two statements: Citus does not take
 * both in one. If a guard is not as expected, no group is inserted.
 */
export function spreadGuardedInsert<Tables>(db: Kysely<Tables>, insert: GuardedInsert): InsertGuarded {
  return async (groups) => {
    const update = updateOf(insert.guard, groups)
    const addition = insertOf(
      insert.insert,
      groups.flatMap(({ rows }) => rows),
    )
    try {
      return await inTransaction(db, async (transaction) => {
        const { numAffectedRows } = await transaction.executeQuery(update)
        if (Number(numAffectedRows) !== groups.length) throw UNDONE
        await transaction.executeQuery(addition)
        return groups.map(() => true)
      })
    } catch (error) {
      if (error === UNDONE) return groups.map(() => false)
      throw error
    }
  }
}

/** The keys are named again in a condition, because Citus does not find the shard by those in values. */
function updateOf(
  { table, values, set, where }: GuardedInsert['guard'],
  groups: readonly GuardedRows[],
): CompiledQuery {
  const names = Object.keys(values)
  const value = (name: string) => `change.${name}`
  const count = groups.length * names.length
  const keys = groups.map((_, i) => `$${count + i + 1}`)
  const sql = `with change (${names.join(', ')}) as (values ${valueLists(values, groups.length)})
    update ${table} set ${set(value)} from change
    where ${table}.${names[0]} = change.${names[0]} and (${where(value)}) and ${table}.${names[0]} in (${keys.join(', ')})`
  return CompiledQuery.raw(sql, [...groups.flatMap(({ guard }) => guard), ...groups.map(({ guard }) => guard[0])])
}

function insertOf({ table, columns }: GuardedInsert['insert'], rows: GuardedRows['rows']): CompiledQuery {
  const sql = `insert into ${table} (${Object.keys(columns).join(', ')}) values ${valueLists(columns, rows.length)}`
  return CompiledQuery.raw(sql, rows.flat())
}

/** The casts of the first list give all of them their types. */
function valueLists(types: ValueTypes, count: number): string {
  const names = Object.values(types)
  const lists = Array.from({ length: count }, (_, list) => {
    const values = names.map((type, i) => {
      const parameter = `$${list * names.length + i + 1}`
      return list === 0 ? `cast(${parameter} as ${type === 'bytes' ? 'bytea' : type})` : parameter
    })
    return `(${values.join(', ')})`
  })
  return lists.join(', ')
}
