import type { FastifyReply, FastifyRequest } from 'fastify'
import { notFound } from '#platform/errors.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import { sendBlob } from '#platform/http/ranges/send-blob.ts'
import type { PublicationsDeps } from '../deps.ts'
import { imageForm, PAGE_WIDTH } from '../domain/page-images.ts'
import { publicationWithdrawn } from '../errors.ts'
import type { ReadableFile } from '../storage/reading-store.ts'
import { acceptsWebp } from './accepts-webp.ts'
import { createImageCache } from './image-cache.ts'
import type { PageAddress } from './page-addresses.ts'

type Params = { versionId: string; name: string; file?: string }

/** An image as it is sent to everyone who asks for it. */
type SentImage = { bytes: Buffer; versionId: string; epoch: number; etag: string; headers: Record<string, string> }

/** Of a page: its file, whether the client's `Accept` chose it, and until when somebody waits for it. */
type Wanted = [image: string, isNegotiated: boolean, signal: AbortSignal]

const MAX_AGE = 'public, max-age=31536000, immutable'
/** A placeholder is not what the page looks like: it is not to be kept where the page may yet come out. */
const PLACEHOLDER_MAX_AGE = 'public, max-age=60'

/** Conditions and ranges are weighed with care; a request without them gets the whole image at once. */
const CONDITIONS = ['if-none-match', 'range', 'if-match', 'if-range'] as const

/**
 * GET /images/:versionId/:name, the image of a page in the format that the client accepts, and
 * GET /images/:versionId/:name/:file, in a width and a format of its own choice.
 */
export function pageImage(app: HttpServer, deps: PublicationsDeps) {
  const recent = createImageCache<SentImage>(deps.imageCacheBytes)
  const options = { schema: { hide: true } }

  async function answer(request: FastifyRequest<{ Params: Params }>, reply: FastifyReply) {
    const { versionId, name, file } = request.params
    const isNegotiated = file === undefined
    const image = file ?? `${PAGE_WIDTH}.${acceptsWebp(request.headers.accept) ? 'webp' : 'jpg'}`
    const key = `${isNegotiated ? '' : '='}${versionId}/${name}/${image}`
    const known = recent.get(key)
    if (known !== undefined && deps.deliveredFiles.peek(versionId)?.epoch === known.epoch)
      return send(request, reply, known)

    // Also what is refused is for the pages that asked to see.
    reply.raw.setHeader('access-control-allow-origin', '*')
    const address = deps.pageAddresses.read(versionId, name)
    if (address === undefined || imageForm(image) === undefined) throw notFound()
    const version = await openAddress(deps, address)
    const sent = known ?? (await loadWhileOpen(version, address, image, isNegotiated, leaving(reply)))
    if (sent.headers['cache-control'] === MAX_AGE) recent.set(key, sent)
    return send(request, reply, sent)
  }

  /** What is withdrawn or deleted while its page is waited for is refused as if it had been asked for afterwards. */
  async function loadWhileOpen(version: ReadableFile, address: PageAddress, ...wanted: Wanted): Promise<SentImage> {
    const loading = load(deps, version, address, ...wanted)
    await Promise.allSettled([loading])
    await openAddress(deps, address)
    return await loading
  }

  function send(request: FastifyRequest, reply: FastifyReply, { bytes, etag, headers, versionId }: SentImage) {
    if (CONDITIONS.some((name) => request.headers[name] !== undefined)) {
      return sendBlob(request, reply, deps.blobs, { key: versionId, etag, bytes, headers })
    }
    // Measured: half of the time of an answer from memory is the framework's way of sending.
    reply.hijack()
    reply.raw.writeHead(200, headers)
    reply.raw.end(bytes)
  }

  app.addHook('preClose', (done) => {
    deps.pageWaits.close()
    done()
  })
  app.get<{ Params: Params }>('/images/:versionId/:name', options, answer)
  app.get<{ Params: Params }>('/images/:versionId/:name/:file', options, answer)
}

/**
 * The version that a genuine address is of. What refuses it is never older than the question: an address of after a
 * change may come before the change is known here.
 * @throws notFound, publicationWithdrawn
 */
async function openAddress(
  { deliveredFiles, pageAddresses }: PublicationsDeps,
  address: PageAddress,
): Promise<ReadableFile> {
  const { versionId, epoch, page } = address
  const isOpen = (file: ReadableFile | undefined) =>
    file !== undefined && file.epoch === epoch && file.unpublishedAtMs === null
  const known = deliveredFiles.peek(versionId)
  const file = isOpen(known) ? known : await deliveredFiles.find(versionId)
  if (file === undefined || page > file.pageCount || !pageAddresses.isGenuine(address, file)) throw notFound()
  if (!isOpen(file)) throw publicationWithdrawn()
  return file
}

async function load(
  { pageImages }: PublicationsDeps,
  file: ReadableFile,
  { page, mac }: PageAddress,
  ...[image, isNegotiated, signal]: Wanted
): Promise<SentImage> {
  const { bytes, isPlaceholder } = await pageImages.get(file, page, image, signal)
  const etag = `${mac}-${isPlaceholder ? 'placeholder-' : ''}${image}`
  const headers = {
    'content-type': imageForm(image)!.contentType,
    'content-length': String(bytes.length),
    'cache-control': isPlaceholder ? PLACEHOLDER_MAX_AGE : MAX_AGE,
    etag: `"${etag}"`,
    'accept-ranges': 'bytes',
    ...(isNegotiated ? { vary: 'Accept' } : {}),
    'access-control-allow-origin': '*',
    'cross-origin-resource-policy': 'cross-origin',
    'content-security-policy': "default-src 'none'",
  }
  return { bytes, versionId: file.versionId, epoch: file.epoch, etag, headers }
}

/** Aborted when the client has left. */
function leaving(reply: FastifyReply): AbortSignal {
  const controller = new AbortController()
  reply.raw.once('close', () => controller.abort())
  return controller.signal
}
