import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'

/** Returns the number of rows that a query finds. */
export async function countRows<Tables, Table extends keyof Tables, Row>(
  query: SelectQueryBuilder<Tables, Table, Row>,
): Promise<number> {
  const counted = query.clearSelect().select(({ fn }) => fn.countAll<number | string>().as('count'))
  const { count } = (await counted.executeTakeFirstOrThrow()) as { count: number | string }
  return Number(count)
}

/** Makes a value for each of some keys in a column: `case id when 'a' then 0 when 'b' then 1 end`. */
export function caseOf(column: string, values: Iterable<[value: number, key: RawBuilder<unknown> | string]>) {
  const cases = Array.from(values, ([value, key]) => sql`when ${key} then ${sql.lit(value)}`)
  return sql<number>`case ${sql.ref(column)} ${sql.join(cases, sql` `)} end`
}
