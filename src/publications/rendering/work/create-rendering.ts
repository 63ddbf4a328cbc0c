import type { Registry } from 'prom-client'
import { createPagesStore } from '../../storage/pages-store.ts'
import { createVersionsStore } from '../../storage/versions-store.ts'
import { ByteBudget } from './byte-budget.ts'
import { ImageMaker } from './image-maker.ts'
import { createRenderMetrics } from './render-metrics.ts'
import { RenderQueue } from './render-queue.ts'
import type { RenderWorkDeps } from './render-work-deps.ts'
import { VersionChanges } from './version-changes.ts'

/** Bitmaps that wait to be encoded and stored: some twenty ordinary pages, or two of the largest. */
const BITMAP_BYTES = 134_217_728

/** Builds what renders versions in the background, which `queue.start()` begins, and on demand. */
export function createRendering(
  options: Pick<RenderWorkDeps, 'db' | 'blobs' | 'renderer' | 'localDocuments' | 'notices' | 'logger' | 'now'> & {
    registry: Registry
  },
) {
  const versions = createVersionsStore(options.db)
  const pages = createPagesStore(options.db)
  const changes = new VersionChanges(versions, options.notices)
  const deps: RenderWorkDeps = {
    ...options,
    versions,
    pages,
    changes,
    budget: new ByteBudget(BITMAP_BYTES),
    metrics: createRenderMetrics(options.registry, () => versions.countWaiting()),
  }
  const queue = new RenderQueue(deps)
  const maker = new ImageMaker(deps)
  return {
    versions,
    pages,
    changes,
    queue,
    maker,
    async close() {
      await Promise.all([queue.close(), maker.close()])
      changes.close()
    },
  }
}
