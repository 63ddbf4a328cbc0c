import type { Registry } from 'prom-client'
import { createPagesStore } from '../../storage/pages-store.ts'
import { createVersionsStore } from '../../storage/versions-store.ts'
import { ByteBudget } from './byte-budget.ts'
import { ImageMaker } from './image-maker.ts'
import { createRenderMetrics } from './render-metrics.ts'
import { RenderQueue } from './render-queue.ts'
import type { RenderWorkDeps } from './render-work-deps.ts'
import { VersionChanges } from './version-changes.ts'

/** Limit on bitmaps waiting to be encoded and stored: about twenty ordinary pages, or two of the largest. */
const BITMAP_BYTES = 134_217_728

/** Builds the rendering of versions: in the background, which `renderQueue.start()` begins, and on request. */
export function createRendering(
  options: Pick<
    RenderWorkDeps,
    'db' | 'blobs' | 'renderer' | 'preparedDocuments' | 'localDocuments' | 'notices' | 'logger' | 'now'
  > & { registry: Registry },
) {
  const versions = createVersionsStore(options.db)
  const pages = createPagesStore(options.db)
  const versionChanges = new VersionChanges(versions, options.notices)
  const deps: RenderWorkDeps = {
    ...options,
    versions,
    pages,
    changes: versionChanges,
    budget: new ByteBudget(BITMAP_BYTES),
    metrics: createRenderMetrics(options.registry, () => versions.countWaiting()),
  }
  const renderQueue = new RenderQueue(deps)
  const imageMaker = new ImageMaker(deps)
  return {
    versions,
    pages,
    versionChanges,
    renderQueue,
    imageMaker,
    async close() {
      await Promise.all([renderQueue.close(), imageMaker.close()])
      versionChanges.close()
    },
  }
}

export type Rendering = ReturnType<typeof createRendering>
