import type { Kysely } from 'kysely'
import type { Registry } from 'prom-client'
import type { KeptData } from '../backup/kept-data.ts'
import type { BlobStore } from '../blobs/blob-store.ts'
import type { Logger } from '../logger.ts'
import { DataInspector } from './data-inspector.ts'
import { addInspectionMetrics } from './inspection-metrics.ts'
import { createInspectionStore, type InspectionStore } from './inspection-store.ts'
import type { InspectionTables } from './inspection-tables.ts'

type Options<Tables extends InspectionTables> = {
  kept: KeptData
  db: Kysely<Tables>
  blobs?: () => Promise<Pick<BlobStore, 'head' | 'read'>>
  registry: Registry
  logger: Logger
  now: () => number
}

/** State of a service's data, as far as it is known, and the inspector that looks at it. */
export type Inspection = { store: InspectionStore; inspector: DataInspector }

/** Opens the inspection of a service, with its metrics. The inspector has to be started. */
export function openInspection<Tables extends InspectionTables>(options: Options<Tables>): Inspection {
  const { kept, blobs, registry, logger, now } = options
  const db = options.db as unknown as Kysely<unknown>
  const store = createInspectionStore(db as Kysely<InspectionTables>)
  addInspectionMetrics(registry, kept.name, store)
  return { store, inspector: new DataInspector({ kept, db, store, blobs, logger, now }) }
}
