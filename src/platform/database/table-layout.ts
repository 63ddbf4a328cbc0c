/**
 * The place of a table in a distributed database, a Citus cluster:
 *
 * - `by`: its rows are spread over the workers by the hash of a column, with rows of the table named `with`;
 * - `everywhere`: every machine has a copy, for small tables that are read together with spread ones;
 * - `coordinator`: it stays on the coordinator.
 */
export type TableLayout = { by: string; with?: string } | 'everywhere' | 'coordinator'

/** The layout of each table of a service. A new table without one does not compile. */
export type DatabaseLayout<Tables> = { readonly [Table in keyof Tables & string]: TableLayout }

/** A unique constraint, unique index or foreign key of a table. */
export type TableKey = {
  table: string
  name: string
  columns: readonly string[]
  /** The table and columns that a foreign key refers to. */
  target?: { table: string; columns: readonly string[] }
}

/**
 * Finds keys that a distributed database cannot enforce: a unique key of a spread table without the column it is spread
 * by, and a foreign key that would cross machines.
 */
export function findUnenforceable(layout: Record<string, TableLayout>, keys: readonly TableKey[]): string[] {
  return keys.flatMap((key) => {
    const problem = key.target === undefined ? uniqueProblem(layout, key) : foreignProblem(layout, key, key.target)
    return problem === undefined ? [] : [`${key.table}: ${key.name} ${problem}`]
  })
}

function uniqueProblem(layout: Record<string, TableLayout>, { table, columns }: TableKey): string | undefined {
  const column = columnOf(layout[table])
  if (column === undefined || columns.includes(column)) return undefined
  return `is unique by ${columns.join(', ')}, without ${column}, the column that the table is spread by`
}

function foreignProblem(
  layout: Record<string, TableLayout>,
  { table, columns }: TableKey,
  target: { table: string; columns: readonly string[] },
): string | undefined {
  const column = columnOf(layout[table])
  const targetColumn = columnOf(layout[target.table])
  if (layout[target.table] === 'everywhere') return undefined
  if (column === undefined && targetColumn === undefined) return undefined
  const isTogether =
    column !== undefined &&
    groupOf(layout, table) === groupOf(layout, target.table) &&
    columns.indexOf(column) !== -1 &&
    target.columns[columns.indexOf(column)] === targetColumn
  return isTogether ? undefined : `refers to ${target.table}, whose rows may be on another machine`
}

function columnOf(layout: TableLayout | undefined): string | undefined {
  return typeof layout === 'object' ? layout.by : undefined
}

/** Returns the table by which a group of tables is named whose rows lie together. */
export function groupOf(layout: Record<string, TableLayout>, table: string): string {
  const of = layout[table]
  return typeof of === 'object' ? (of.with ?? table) : table
}
