import type { Registry } from 'prom-client'
import { addServiceGauge } from '../../metrics/service-gauges.ts'
import type { Database } from '../database.ts'

/** Time for which an estimate is good, however often it is scraped. */
const KEEP_MS = 5 * 60_000

type Sizes = { bytes: number; rows: Map<string, number> }

/** Registers the size of a service's database. On PostgreSQL, all instances tell the same. */
export function addDatabaseMetrics(
  registry: Registry,
  service: string,
  database: Pick<Database, 'sizeBytes' | 'estimateRows'>,
): void {
  const sizes = keptFor(KEEP_MS, async () => {
    const rows = await database.estimateRows()
    return { rows, bytes: await database.sizeBytes() }
  })
  const bytes = { name: 'database_bytes', help: 'Size of the tables, indexes and log of a service.' }
  addServiceGauge(registry, service, bytes, async () => [{ value: (await sizes()).bytes }])
  const rows = { name: 'database_rows', help: 'Rows of a table, as estimated in the last minutes.' }
  addServiceGauge(registry, service, { ...rows, labelNames: ['table'] }, async () =>
    [...(await sizes()).rows].map(([table, value]) => ({ labels: { table }, value })),
  )
}

/** Reads at most once in a time. A failure is not kept. */
function keptFor(keepMs: number, read: () => Promise<Sizes>): () => Promise<Sizes> {
  let kept: Promise<Sizes> | undefined
  let readAtMs = 0
  return () => {
    if (kept !== undefined && performance.now() - readAtMs < keepMs) return kept
    readAtMs = performance.now()
    const reading = read()
    kept = reading
    reading.catch(() => {
      if (kept === reading) kept = undefined
    })
    return reading
  }
}
