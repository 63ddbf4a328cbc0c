import { Counter, Gauge, type Registry } from 'prom-client'

/**
 * Ends of a preparation: its page became that of a publication; nobody published the document in time; it made room for
 * others; it was published before its turn; it could not be prepared.
 */
export type PreparationEnd = (typeof ENDS)[number]

const ENDS = ['used', 'expired', 'displaced', 'overtaken', 'failed'] as const

export type PreparationMetrics = {
  /** Counts a preparation that has ended. */
  ended(end: PreparationEnd): void
}

/** Creates the metrics of preparations; `countBytes` is called when metrics are collected. */
export function createPreparationMetrics(registry: Registry, countBytes: () => number): PreparationMetrics {
  const registers = [registry]
  const ended = new Counter({
    name: 'publications_preparations_total',
    help: 'Uploaded documents that were prepared ahead of their publication, by what became of it.',
    labelNames: ['result'],
    registers,
  })
  // Known from the start, so that a rate sees the first of them.
  for (const result of ENDS) ended.inc({ result }, 0)
  new Gauge({
    name: 'publications_prepared_bytes',
    help: 'Memory of documents that are prepared and not published yet.',
    registers,
    collect() {
      this.set(countBytes())
    },
  })
  return { ended: (result) => ended.inc({ result }) }
}
