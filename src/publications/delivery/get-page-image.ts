import type { FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import Type, { type Static } from 'typebox'
import { notFound } from '#platform/basics/errors.ts'
import { workClient } from '#platform/http/client.ts'
import { FOREVER, type HttpServer } from '#platform/http/http-server.ts'
import { sendBlob } from '#platform/http/ranges.ts'
import type { WorkClient } from '#platform/jobs/work-queue.ts'
import { addressExpired, publicationUnpublished } from '../model/errors.ts'
import type { VersionFile } from '../model/files-store.ts'
import { FIRST_IMAGE, imageForm, PAGE_WIDTH } from '../model/image-forms.ts'
import { hasLastingAddresses, type Opened, privacyHeaders, requireReadable } from '../model/reading.ts'
import type { PageAddress } from './addresses.ts'
import type { DeliveryDeps } from './delivery-deps.ts'
import { createPreviewCards, PREVIEW_CARD } from './drawn-images.ts'
import { acceptsJpeg, acceptsWebp, type WantedForm } from './page-images.ts'

const Params = Type.Object({ versionId: Type.String(), name: Type.String(), file: Type.Optional(Type.String()) })
type Params = Static<typeof Params>

/** An image as it is sent to every client. */
type SentImage = { bytes: Buffer; versionId: string; epoch: number; etag: string; headers: Record<string, string> }

/** The requested form of a page, true if the client's `Accept` selected it, and the client that waits for it. */
type Wanted = [form: WantedForm, isNegotiated: boolean, client: WorkClient]

/** A placeholder must not be kept: a later version of the program may render the page. */
const PLACEHOLDER_MAX_AGE = 'public, max-age=60'
/** A JPEG in place of WebP is kept by the browser that accepts it, and by no cache that serves others. */
const SUBSTITUTE_MAX_AGE = 'private, max-age=10'
const CACHING = { final: FOREVER, placeholder: PLACEHOLDER_MAX_AGE, substitute: SUBSTITUTE_MAX_AGE }

/** Headers that need the full range and condition handling; a request without them gets the whole image at once. */
const CONDITIONS = ['if-none-match', 'range', 'if-match', 'if-range'] as const

/**
 * GET /images/:versionId/:name, the image of a page in the format that the client accepts, and
 * GET /images/:versionId/:name/:file, the image in a given width and format, or the card for previews of links.
 */
export function getPageImage(app: HttpServer, deps: DeliveryDeps) {
  const cache = createImageCache<SentImage>(deps.imageCacheBytes)
  const cards = createPreviewCards()
  const options = { schema: { hide: true, params: Params } }

  async function answer(request: FastifyRequest<{ Params: Params }>, reply: FastifyReply) {
    const { versionId, name, file } = request.params
    const isNegotiated = file === undefined
    const { accept } = request.headers
    const image = file ?? `${PAGE_WIDTH}.${acceptsWebp(accept) ? 'webp' : 'jpg'}`
    const key = `${isNegotiated ? '' : '='}${versionId}/${name}/${image}`
    const known = cache.get(key)
    if (known !== undefined && deps.deliveredFiles.peek(versionId)?.epoch === known.epoch)
      return send(request, reply, known)

    // Pages that request an image may read its failure, too.
    reply.raw.setHeader('access-control-allow-origin', '*')
    const address = deps.pageAddresses.parse(versionId, name)
    if (address === undefined || (imageForm(image) === undefined && image !== PREVIEW_CARD)) throw notFound()
    const version = await openAddress(deps, address)
    const form = { name: image, acceptsJpeg: acceptsJpeg(accept) }
    const sent = known ?? (await loadWhilePublished(version, address, form, isNegotiated, workClient(request, reply)))
    if (sent.headers['cache-control'] === FOREVER) cache.set(key, sent)
    return send(request, reply, sent)
  }

  /**
   * Refuses a page whose publication was unpublished or deleted during the wait, as if it had been requested
   * afterwards.
   */
  async function loadWhilePublished(
    version: VersionFile & Opened,
    address: PageAddress,
    ...wanted: Wanted
  ): Promise<SentImage> {
    const loading = load({ ...deps, cards }, version, address, ...wanted)
    await Promise.allSettled([loading])
    await openAddress(deps, address)
    return await loading
  }

  function send(request: FastifyRequest, reply: FastifyReply, { bytes, etag, headers, versionId }: SentImage) {
    if (CONDITIONS.some((name) => request.headers[name] !== undefined)) {
      return sendBlob(request, reply, deps.blobs, { key: versionId, etag, bytes, headers })
    }
    // Measured: the framework's sending takes half of the time of an answer from memory.
    reply.hijack()
    reply.raw.writeHead(200, headers)
    reply.raw.end(bytes)
  }

  app.addHook('preClose', (done) => {
    deps.pageWaits.close()
    // Requests that wait for an image would hold up the end of the server.
    void deps.imageMaker.close()
    void cards.close()
    done()
  })
  app.get('/images/:versionId/:name', options, answer)
  app.get('/images/:versionId/:name/:file', options, answer)
}

/**
 * Returns the file of the version that a genuine address leads to. A refusal is never based on memory: an address
 * issued after a change may arrive before this instance knows of the change.
 * @throws notFound, publicationNotFound, publicationUnpublished, addressExpired
 */
export async function openAddress(
  { deliveredFiles, pageAddresses, readerLinks, now }: DeliveryDeps,
  address: PageAddress,
): Promise<VersionFile & Opened> {
  const { versionId, epoch, page, untilMs = Infinity, linkId } = address
  const known = deliveredFiles.peek(versionId)
  const isCurrent = known?.epoch === epoch && known.rules.unpublished_at === null
  const file = isCurrent ? known : await deliveredFiles.find(versionId)
  if (file === undefined || page > file.pageCount || !pageAddresses.isGenuine(address, file)) throw notFound()
  const opened = await requireReadable(file.publicationId, file.rules, await readerLinks.holding(linkId))
  // An address without an end was issued while the publication was for everyone, for good.
  if (file.epoch !== epoch || (untilMs === Infinity && !hasLastingAddresses(opened))) throw publicationUnpublished()
  if (now() >= untilMs) throw addressExpired()
  return { ...file, ...opened }
}

async function load(
  { pageImages, cards }: DeliveryDeps & { cards: ReturnType<typeof createPreviewCards> },
  file: VersionFile & Opened,
  { page, mac }: PageAddress,
  ...[form, isNegotiated, client]: Wanted
): Promise<SentImage> {
  const isCard = form.name === PREVIEW_CARD
  const { bytes: stored, name, is } = await pageImages.get(file, page, isCard ? WHOLE_PAGE : form, client)
  const bytes = isCard ? await cards.make(`${mac} ${is}`, stored, client) : stored
  const etag = `${mac}-${is === 'placeholder' ? 'placeholder-' : ''}${isCard ? PREVIEW_CARD : name}`
  const headers = {
    'content-type': imageForm(name)!.contentType,
    'content-length': String(bytes.length),
    'cache-control': CACHING[is],
    etag: `"${etag}"`,
    'accept-ranges': 'bytes',
    ...(isNegotiated || is === 'substitute' ? { vary: 'Accept' } : {}),
    'access-control-allow-origin': '*',
    'cross-origin-resource-policy': 'cross-origin',
    'content-security-policy': "default-src 'none'",
    ...privacyHeaders(file),
  }
  return { bytes, versionId: file.versionId, epoch: file.epoch, etag, headers }
}

/** The image from which a card is made. */
const WHOLE_PAGE: WantedForm = { name: FIRST_IMAGE, acceptsJpeg: true }

/** Memory that an entry takes in addition to its bytes, roughly. */
const ENTRY_BYTES = 1_024

/**
 * Creates a cache of the images delivered last, of at most `maxBytes` in all. An image of more than an eighth of that
 * is not kept: it would take the room of too many others.
 */
export function createImageCache<Image extends { bytes: Buffer }>(maxBytes: number): LRUCache<string, Image> {
  return new LRUCache({
    maxSize: Math.max(1, maxBytes),
    maxEntrySize: Math.max(1, Math.floor(maxBytes / 8)),
    sizeCalculation: ({ bytes }) => bytes.length + ENTRY_BYTES,
  })
}
