import { buffer } from 'node:stream/consumers'
import type { BlobStore } from '#platform/blobs/blob-store.ts'
import { notFound } from '#platform/errors.ts'
import type { DocumentFacts } from '../domain/document-facts.ts'
import { FIRST_IMAGE, type ImageForm, imageForm, imageKey, isReplaceable } from '../domain/image-forms.ts'
import { FALLBACK_SIZE } from '../domain/image-size.ts'
import { imageNotReady } from '../errors.ts'
import { QueueFullError } from '../queues/work-queue.ts'
import type { ImageClient, ImageMaker } from '../rendering/jobs/image-maker.ts'
import { VersionGoneError } from '../rendering/jobs/page-work.ts'
import type { RenderQueue } from '../rendering/jobs/render-queue.ts'
import { PdfError } from '../rendering/pdfium/pdf-error.ts'
import type { VersionFile } from '../storage/files-store.ts'
import type { StoredPage } from '../storage/pages-store.ts'
import type { VersionsStore } from '../storage/versions-store.ts'
import type { PageWaits } from './page-waits.ts'
import { drawPlaceholder } from './placeholder.ts'

/**
 * An image to be sent, with the name of its form. A placeholder replaces a page that a later version of the program may
 * be able to render; a substitute is sent until the image itself can be had.
 */
type FoundImage = { bytes: Buffer; name: string; is: 'final' | 'placeholder' | 'substitute' }

/** The requested form of an image, and whether the client accepts `FIRST_IMAGE` in its place. */
export type WantedForm = { name: string; acceptsJpeg: boolean }

type Deps = {
  blobs: Pick<BlobStore, 'read'>
  versions: Pick<VersionsStore, 'findFacts' | 'progressOf'>
  renderQueue: Pick<RenderQueue, 'prioritize'>
  imageMaker: Pick<ImageMaker, 'make'>
  pageWaits: Pick<PageWaits, 'wait'>
  /** The longest wait for an image that does not exist yet. */
  waitMs?: number
}

/** Clients and proxies give up on a request after a minute. */
const WAIT_MS = 30_000
/** A request that timed out, or found the queue full, may be retried after this time. */
const RETRY_AFTER_SEC = 5

/** Images of pages: stored ones, ones that are being rendered, and ones that are made on first request. */
export type PageImages = {
  /**
   * Returns an image of an existing page, and waits for one that does not exist yet. While pages of the document are
   * being rendered, further forms of them are made only for those who accept no other.
   * @throws imageNotReady; notFound if the file has just been deleted; UNAVAILABLE
   */
  get(file: VersionFile, page: number, wanted: WantedForm, client: ImageClient): Promise<FoundImage>
}

export function createPageImages(deps: Deps): PageImages {
  const { blobs, versions, renderQueue, imageMaker, pageWaits, waitMs = WAIT_MS } = deps

  async function read(versionId: string, page: number, name: string): Promise<Buffer | undefined> {
    const stream = await blobs.read(imageKey(versionId, page, name))
    return stream === undefined ? undefined : await buffer(stream)
  }

  /** Chooses what to wait for: making WebP takes five times as long as the JPEG, of which others wait for theirs. */
  async function madeForm(versionId: string, { name, acceptsJpeg }: WantedForm): Promise<string> {
    if (!acceptsJpeg || !isReplaceable(imageForm(name)!)) return name
    const progress = (await versions.progressOf([versionId])).get(versionId)
    return progress !== undefined && progress.pagesReady < progress.pageCount ? FIRST_IMAGE : name
  }

  async function waitForPage(versionId: string, page: number, client: ImageClient): Promise<StoredPage> {
    const waiting = pageWaits.wait(versionId, page, client)
    // A page that cannot be prioritized is rendered in its turn.
    void renderQueue.prioritize(versionId, page).catch(() => {})
    const row = await waiting
    if (row === undefined) throw notReady()
    return row
  }

  async function make({ versionId, blobKey }: VersionFile, page: number, name: string, client: ImageClient) {
    try {
      await imageMaker.make({ versionId, blobKey, page, name }, client)
    } catch (error) {
      if (error instanceof VersionGoneError) throw notFound()
      if (error instanceof PdfError) throw notReady(error)
      if (error instanceof QueueFullError || client.signal.aborted) throw notReady()
      throw error
    }
    const bytes = await read(versionId, page, name)
    if (bytes === undefined) throw notFound()
    return bytes
  }

  async function placeholder(versionId: string, page: number, form: ImageForm): Promise<Buffer> {
    const facts = await versions.findFacts(versionId)
    const size = facts === undefined ? undefined : (JSON.parse(facts) as DocumentFacts).pages[page - 1]
    return await drawPlaceholder(page, size ?? FALLBACK_SIZE, form)
  }

  return {
    async get(file, page, wanted, { caller, signal }) {
      const { versionId } = file
      const stored = await read(versionId, page, wanted.name)
      if (stored !== undefined) return { bytes: stored, name: wanted.name, is: 'final' }
      const name = await madeForm(versionId, wanted)
      const is = name === wanted.name ? 'final' : 'substitute'
      const substitute = is === 'substitute' ? await read(versionId, page, name) : undefined
      if (substitute !== undefined) return { bytes: substitute, name, is }
      const client = { caller, signal: AbortSignal.any([signal, AbortSignal.timeout(waitMs)]) }
      const row = await waitForPage(versionId, page, client)
      if (row.failed !== undefined)
        return { bytes: await placeholder(versionId, page, imageForm(name)!), name, is: 'placeholder' }
      const bytes = name in row.images ? await read(versionId, page, name) : undefined
      return { bytes: bytes ?? (await make(file, page, name, client)), name, is }
    },
  }
}

function notReady(cause?: unknown) {
  return imageNotReady({ cause, headers: { 'retry-after': String(RETRY_AFTER_SEC) } })
}
