import type { GuardedInsert, GuardedRows, InsertedValue, ValueType } from '../guarded-insert.ts'
import type { GuardedCommand, GuardedStatements, SqlValue } from './sqlite-messages.ts'

/** Runs a statement and returns how many rows it has changed. */
type Run = (sql: string, parameters: readonly SqlValue[]) => number

/** Returns the SQL of a guarded insert: one statement for a guard, one for a row. */
export function guardedStatements({ guard, insert }: GuardedInsert): GuardedStatements {
  const names = Object.keys(guard.values)
  const columns = Object.keys(insert.columns)
  const value = (name: string) => `?${names.indexOf(name) + 1}`
  return {
    guardSql:
      `update ${guard.table} set ${guard.set(value)} ` +
      `where ${guard.table}.${names[0]} = ${value(names[0])} and (${guard.where(value)})`,
    guardTypes: Object.values(guard.values),
    insertSql: `insert into ${insert.table} (${columns.join(', ')}) values (${columns.map(() => '?').join(', ')})`,
    rowTypes: Object.values(insert.columns),
  }
}

/** Packs groups of rows. The bytes are copied into a buffer of their own, to be transferred. */
export function packGuarded(statements: GuardedStatements, groups: readonly GuardedRows[]): GuardedCommand {
  const { guardTypes, rowTypes } = statements
  const texts: (string | null)[] = []
  const numbers: number[] = []
  const pieces: Uint8Array[] = []

  function pack(types: readonly ValueType[], values: readonly InsertedValue[]): void {
    for (const [i, type] of types.entries()) {
      const value = values[i]
      if (type === 'text') texts.push(value as string | null)
      else if (type === 'bigint') numbers.push((value as number | null) ?? Number.NaN)
      else {
        pieces.push(value as Uint8Array)
        numbers.push((value as Uint8Array).byteLength)
      }
    }
  }

  for (const { guard, rows } of groups) {
    pack(guardTypes, guard)
    numbers.push(rows.length)
    for (const row of rows) pack(rowTypes, row)
  }
  return { ...statements, count: groups.length, texts, numbers: Float64Array.from(numbers), bytes: joined(pieces) }
}

/** Inserts the rows of the groups whose guards are as expected. Returns 1 for each of these, 0 for the others. */
export function insertGuarded(command: GuardedCommand, run: Run): SqlValue[] {
  const { guardSql, guardTypes, insertSql, rowTypes, count, texts, numbers, bytes } = command
  let textAt = 0
  let numberAt = 0
  let byteAt = 0

  function unpack(types: readonly ValueType[]): SqlValue[] {
    return types.map((type) => {
      if (type === 'text') return texts[textAt++]
      const number = numbers[numberAt++]
      if (type === 'bigint') return Number.isNaN(number) ? null : number
      byteAt += number
      return bytes.subarray(byteAt - number, byteAt)
    })
  }

  return Array.from({ length: count }, () => {
    const isInserted = run(guardSql, unpack(guardTypes)) === 1
    for (let rows = numbers[numberAt++]; rows > 0; rows--) {
      const row = unpack(rowTypes)
      if (isInserted) run(insertSql, row)
    }
    return isInserted ? 1 : 0
  })
}

function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(pieces.reduce((sum, { byteLength }) => sum + byteLength, 0))
  let at = 0
  for (const piece of pieces) {
    whole.set(piece, at)
    at += piece.byteLength
  }
  return whole
}
