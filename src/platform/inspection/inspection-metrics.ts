import type { Registry } from 'prom-client'
import { addServiceGauge } from '../metrics/service-gauges.ts'
import type { InspectionStore } from './inspection-store.ts'

/** Adds a service to the metrics about damaged data and backups. */
export function addInspectionMetrics(registry: Registry, service: string, store: InspectionStore): void {
  for (const [kind, name, what] of [
    ['file', 'damaged_files', 'Stored files'],
    ['chunk', 'damaged_chunks', 'Chunks of points'],
  ] as const) {
    const help = `${what} that are missing or damaged, as far as they have been looked at.`
    addServiceGauge(registry, service, { name, help, labelNames: ['problem'] }, async () => {
      const counts = (await store.counts()).filter((found) => found.kind === kind)
      return (['missing', 'damaged'] as const).map((problem) => ({
        labels: { problem },
        value: counts.find((found) => found.problem === problem)?.count ?? 0,
      }))
    })
  }
  addServiceGauge(
    registry,
    service,
    {
      name: 'stored_data_checked_seconds',
      help: 'Unix time at which all stored data of a service had last been looked at; 0 before the first time.',
    },
    async () => [{ value: ((await store.roundEndedMs()) ?? 0) / 1000 }],
  )
  addServiceGauge(
    registry,
    service,
    {
      name: 'trackpress_backup_last_success_seconds',
      help: 'Unix time of the last backup that has the database of a service; 0 if there is none.',
    },
    async () => [{ value: ((await store.backedUpMs()) ?? 0) / 1000 }],
  )
}
