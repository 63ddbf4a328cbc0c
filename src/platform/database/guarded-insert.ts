/** Types of the values of a guarded insert. */
export type ValueType = 'text' | 'bigint' | 'bytes'

/** Names and types of values, in their order. */
export type ValueTypes = Readonly<Record<string, ValueType>>

/** Returns the SQL of a value by its name. */
type ValueOf = (name: string) => string

/**
 * Inserts groups of rows. Each group has a guard, a row of another table: a group is inserted only if an
 * update finds its guard in the state that the update asks for. So the condition checks for concurrent
 * changes, and the update records the insertion.
 *
 * The SQL is in parts because engines need it in different forms: SQLite is fastest with a statement per row, and
 * PostgreSQL with one for all.
 */
export type GuardedInsert = {
  guard: {
    table: string
    /** The values of an update. The first is the key of the guard, in the column of the same name. */
    values: ValueTypes
    /** The list after SET. Columns of the guard are named with their table. */
    set(value: ValueOf): string
    /** The state that the guard must have. */
    where(value: ValueOf): string
  }
  insert: {
    table: string
    /** The columns of a row. The first has the key of its guard. At most the last one has bytes. */
    columns: ValueTypes
  }
}

export type InsertedValue = null | number | string | Uint8Array

/** A guard's values, and the rows to insert, each in the order of the names. */
export type GuardedRows = { guard: readonly InsertedValue[]; rows: readonly (readonly InsertedValue[])[] }

/**
 * Inserts groups, each with another guard, in one transaction. Returns for each group, in their order, whether it was
 * inserted. Rejects if one cannot be, for example because of a unique key, and then none is.
 */
export type InsertGuarded = (groups: readonly GuardedRows[]) => Promise<boolean[]>
