import type { Kysely } from 'kysely'
import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import type { Logger } from '#platform/basics/logger.ts'
import type { BlobStore } from '#platform/blobs/blob-store.ts'
import type { Notices } from '#platform/database/notices.ts'
import type { PagesStore } from '../model/pages-store.ts'
import type { PublicationsTables } from '../model/tables.ts'
import type { VersionChanges, VersionsStore } from '../model/versions.ts'
import type { LanguageDetector } from './detect-language.ts'
import type { PreparedDocuments } from './prepared-documents.ts'
import type { Renderer } from './threads/renderer.ts'

/** The dependencies that all rendering work shares. */
export type RenderWorkDeps = {
  db: Kysely<PublicationsTables>
  versions: VersionsStore
  pages: PagesStore
  blobs: BlobStore
  /** Opens documents as local files; `await using` releases them. */
  localDocuments: { localDocument(blobKey: string): Promise<AsyncDisposable & { readonly path: string }> }
  renderer: Renderer
  preparedDocuments: PreparedDocuments
  languageDetector: LanguageDetector
  changes: VersionChanges
  /** Limits the bitmaps that are being encoded. */
  budget: ByteBudget
  notices: Notices | undefined
  metrics: RenderMetrics
  logger: Logger
  now: () => number
}

/** Buckets from a leaflet to thousands of pages. */
const BUCKETS_SEC = [0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1800]

type RenderMetrics = ReturnType<typeof createRenderMetrics>

/** Creates the metrics of rendering; `countWaiting` is called when metrics are collected. */
export function createRenderMetrics(registry: Registry, countWaiting: () => Promise<number>) {
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
    /** Counts a page; `result` is `rendered`, or the code of its failure. */
    pageRendered: (result: string) => pages.inc({ result }),
    /** Records the time in which all missing pages of a version were rendered. */
    versionRendered: (durationMs: number) => versions.observe(durationMs / 1000),
  }
}

/** Counts the bytes in use, so that their producer can pause. */
export class ByteBudget {
  readonly #limitBytes: number
  #usedBytes = 0

  constructor(limitBytes: number) {
    this.#limitBytes = limitBytes
  }

  /** Returns true while the bytes in use are below the limit. One more item, of any size, may then be added. */
  hasRoom(): boolean {
    return this.#usedBytes < this.#limitBytes
  }

  /** Counts `bytes` as used until `work` is done. */
  async during<Result>(bytes: number, work: () => Promise<Result>): Promise<Result> {
    this.#usedBytes += bytes
    try {
      return await work()
    } finally {
      this.#usedBytes -= bytes
    }
  }
}
