import { Counter, Gauge, Histogram, type Registry } from 'prom-client'

/** Buckets from a leaflet to thousands of pages. */
const BUCKETS_SEC = [0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1800]

export type RenderMetrics = {
  /** Counts a page; `result` is `rendered`, or the code of its failure. */
  pageRendered(result: string): void
  /** Records the time in which all missing pages of a version were rendered. */
  versionRendered(durationMs: number): void
}

/** Creates the metrics of rendering; `countWaiting` is called when metrics are collected. */
export function createRenderMetrics(registry: Registry, countWaiting: () => Promise<number>): RenderMetrics {
  const registers = [registry]
  const pages = new Counter({
    name: 'publications_pages_rendered_total',
    help: 'Pages rendered for the first time, by result.',
    labelNames: ['result'],
    registers,
  })
  // Known from the start, so that a rate sees the first of them.
  pages.inc({ result: 'rendered' }, 0)
  const versions = new Histogram({
    name: 'publications_render_duration_seconds',
    help: 'Time from claiming a document to its last page.',
    buckets: BUCKETS_SEC,
    registers,
  })
  new Gauge({
    name: 'publications_render_queue_length',
    help: 'Documents that still have pages or images to render, on all instances.',
    registers,
    async collect() {
      // Other metrics must be available without a database.
      this.set(await countWaiting().catch(() => Number.NaN))
    },
  })
  return {
    pageRendered: (result) => pages.inc({ result }),
    versionRendered: (durationMs) => versions.observe(durationMs / 1000),
  }
}
