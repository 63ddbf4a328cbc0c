import { CompiledQuery, type Kysely } from 'kysely'
import type { GuardedInsert, GuardedRows, InsertedValue, InsertGuarded, ValueTypes } from './database.ts'
import { inTransaction, retryConflicts } from './transaction.ts'

/**
 * Prepares a guarded insert as one statement with arrays of values, which is a transaction of its own: one exchange
 * with the server and one plan for any number of rows. All bytes go as one binary parameter that the server cuts,
 * because bytes in an array would be written and parsed as hexadecimal digits.
 */
export function postgresGuardedInsert<Tables>(db: Kysely<Tables>, insert: GuardedInsert): InsertGuarded {
  const sql = guardedSql(insert)
  const guardTypes = Object.values(insert.guard.values)
  const columnTypes = Object.values(insert.insert.columns)
  return async (groups) => {
    const rows = groups.flatMap((group) => group.rows)
    const parameters = [
      ...guardTypes.map((_, i) => arrayLiteral(groups.map(({ guard }) => guard[i]))),
      ...columnTypes.flatMap((type, i) => (type === 'bytes' ? cutBytes(rows, i) : [columnLiteral(rows, i)])),
    ]
    const { rows: refused } = await retryConflicts(() => db.executeQuery(CompiledQuery.raw(sql, parameters)))
    if (refused.length === 0) return groups.map(() => true)
    const keys = new Set(refused.map((row) => (row as { key: string }).key))
    return groups.map(({ guard }) => !keys.has(guard[0] as string))
  }
}

/**
 * Returns SQL that selects the keys of the guards that were not as expected. A condition names the keys again, for
 * PostgreSQL to look them up. Otherwise it reads all guards of a small table, or of one that it has no statistics of.
 */
function guardedSql({ guard, insert }: GuardedInsert): string {
  const [key] = Object.keys(guard.values)
  const columns = Object.keys(insert.columns)
  const guardCount = Object.keys(guard.values).length
  const value = (name: string) => `change.${name}`
  const selected = Object.entries(insert.columns).map(([name, type]) =>
    type === 'bytes'
      ? `substring($${guardCount + columns.length + 2}::bytea from part.${name}_at for part.${name}_length)`
      : `part.${name}`,
  )
  return `with change as (select * from ${unnest(guard.values, 'change', 1)}),
    guarded as (update ${guard.table} set ${guard.set(value)} from change
      where ${guard.table}.${key} = change.${key} and ${guard.table}.${key} = any($1) and (${guard.where(value)})
      returning ${guard.table}.${key}),
    inserted as (insert into ${insert.table} (${columns.join(', ')}) select ${selected.join(', ')}
      from ${unnest(insert.columns, 'part', guardCount + 1)} join guarded on guarded.${key} = part.${columns[0]})
    select ${key} as key from change where ${key} not in (select ${key} from guarded)`
}

/** Returns arrays as a table, from parameter number `first` on. Bytes are two arrays, of offsets and lengths. */
function unnest(types: ValueTypes, name: string, first: number): string {
  const columns = Object.entries(types).flatMap(([column, type]) =>
    type === 'bytes'
      ? [
          [`${column}_at`, 'int'],
          [`${column}_length`, 'int'],
        ]
      : [[column, type]],
  )
  const arrays = columns.map(([, type], i) => `$${first + i}::${type}[]`)
  return `unnest(${arrays.join(', ')}) as ${name} (${columns.map(([column]) => column).join(', ')})`
}

function columnLiteral(rows: GuardedRows['rows'], column: number): string {
  return arrayLiteral(rows.map((row) => row[column]))
}

/** Returns offsets, lengths and the bytes themselves. */
function cutBytes(rows: GuardedRows['rows'], column: number): [string, string, Uint8Array] {
  const pieces = rows.map((row) => row[column] as Uint8Array)
  let at = 1
  const offsets = pieces.map(({ byteLength }) => {
    at += byteLength
    return at - byteLength
  })
  return [arrayLiteral(offsets), arrayLiteral(pieces.map(({ byteLength }) => byteLength)), Buffer.concat(pieces)]
}

/** Returns PostgreSQL's text form of an array, several times as fast as `pg` with its values. */
function arrayLiteral(values: readonly InsertedValue[]): string {
  return `{${values.map((value) => (typeof value === 'string' ? quoted(value) : (value ?? 'null')))}}`
}

function quoted(value: string): string {
  return `"${/["\\]/.test(value) ? value.replace(/["\\]/g, '\\$&') : value}"`
}

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

/** The keys are named again in a condition, because Citus does not find the shard by keys in values. */
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
