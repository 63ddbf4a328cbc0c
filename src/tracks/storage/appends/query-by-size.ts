import type { CompiledQuery } from 'kysely'

/**
 * Returns a function that gives a query over a list of rows. Each length of list is compiled once and reused with other
 * parameters: compiling a query for thirty rows takes several times as long as running it.
 */
export function queryBySize<Row>(
  build: (size: number) => CompiledQuery<Row>,
): (size: number, parameters: readonly unknown[]) => CompiledQuery<Row> {
  const built: CompiledQuery<Row>[] = []
  return (size, parameters) => {
    built[size] ??= build(size)
    return { ...built[size], parameters }
  }
}
