import { Counter, Gauge, Histogram, type Registry } from 'prom-client'

/** From a leaflet to thousands of pages. */
const BUCKETS_SEC = [0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1800]

export type RenderMetrics = {
  /** `rendered`, or the code of why it failed. */
  pageRendered(result: string): void
  /** All pages of a version are there that were not when it was taken up. */
  versionRendered(durationMs: number): void
}

/** The metrics of rendering; `countWaiting` is asked when someone looks. */
export function createRenderMetrics(registry: Registry, countWaiting: () => Promise<number>): RenderMetrics {
  const registers = [registry]
  const pages = new Counter({
    name: 'publications_pages_rendered_total',
    help: 'Pages rendered for the first time, by what came of it.',
    labelNames: ['result'],
    registers,
  })
  const versions = new Histogram({
    name: 'publications_render_duration_seconds',
    help: 'Time from taking up a document to its last page.',
    buckets: BUCKETS_SEC,
    registers,
  })
  new Gauge({
    name: 'publications_render_queue_length',
    help: 'Documents of which something is still to be rendered, on all instances.',
    registers,
    async collect() {
      // Metrics are to be had without a database, too.
      this.set(await countWaiting().catch(() => Number.NaN))
    },
  })
  return {
    pageRendered: (result) => pages.inc({ result }),
    versionRendered: (durationMs) => versions.observe(durationMs / 1000),
  }
}
