import type { CompiledQuery } from 'kysely'

/**
 * A query over a list of rows, built once for each length of the list and then used with other parameters: building
 * one for thirty rows takes several times as long as carrying it out.
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
