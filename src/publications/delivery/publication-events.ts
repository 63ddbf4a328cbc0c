import Type from 'typebox'
import { rateLimited, unavailable } from '#platform/basics/errors.ts'
import { ticking } from '#platform/basics/timers.ts'
import { type EncodedEvents, type EventStream, encodeEvents, openEventStream } from '#platform/http/event-stream.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import { publicationNotFound, publicationUnpublished, readerPasswordRequired } from '../model/errors.ts'
import { getPublishedFile } from '../model/files-store.ts'
import { hasLastingAddresses } from '../model/reading.ts'
import { SlugParams } from '../model/schemas.ts'
import type { VersionProgress } from '../model/versions.ts'
import type { DeliveryDeps } from './delivery-deps.ts'

/** Often enough for a moving progress bar. */
const EVENTS_EVERY_MS = 250

/** GET /publications/:slug/events */
export function publicationEvents(app: HttpServer, deps: DeliveryDeps) {
  const { files, readerLinks, versions, versionChanges } = deps
  app.get(
    '/publications/:slug/events',
    {
      schema: {
        operationId: 'watchPublication',
        summary: 'Follow the rendering',
        description: `Server-sent events: \`progress\` with \`{"status","page_count","pages_ready"}\`, at once and after every change.
The stream ends when all pages are rendered, or the publication is unpublished or deleted.`,
        tags: ['Publications'],
        params: SlugParams,
        produces: ['text/event-stream'],
        problems: [publicationNotFound, publicationUnpublished, readerPasswordRequired, rateLimited, unavailable],
        response: { 200: Type.String({ description: 'A stream of events.' }) },
      },
    },
    async (request, reply) => {
      const grant = await readerLinks.of(request)
      const file = await getPublishedFile(files, request.params.slug, grant)
      const { versionId, epoch } = file
      const progress = (await versions.progressOf([versionId])).get(versionId)
      const stream = openEventStream(request, reply, { service: 'publications', subject: versionId })
      // A HEAD request has been answered by now.
      if (stream.closed.aborted) return
      const follower = followProgress(stream, epoch)
      follower(progress)
      if (stream.closed.aborted) return
      if (!hasLastingAddresses(file))
        endWithRight(stream, async () => getPublishedFile(files, request.params.slug, await readerLinks.of(request)))
      const unwatch = versionChanges.watch(versionId, follower)
      stream.closed.addEventListener('abort', unwatch)
    },
  )
}

/** Often enough that a revoked link, another password or the end of reading ends a stream within a second. */
const RIGHT_CHECKED_EVERY_MS = 500

/** Ends a stream once its reader may read no longer. */
function endWithRight(stream: EventStream, requireRight: () => Promise<unknown>): void {
  const stop = ticking(RIGHT_CHECKED_EVERY_MS, () => void requireRight().catch(() => stream.end()))
  stream.closed.addEventListener('abort', stop)
}

/**
 * Sends changes of progress: the first at once, then the latest one per interval. Ends the stream with the last, and
 * once the epoch of the publication is another.
 */
function followProgress(stream: EventStream, epoch: number): (progress: VersionProgress | undefined) => void {
  let sent: EncodedEvents | undefined
  let latest: VersionProgress | undefined
  let pause: NodeJS.Timeout | undefined
  stream.closed.addEventListener('abort', () => clearTimeout(pause))

  function send() {
    pause = undefined
    if (latest === undefined) return stream.end()
    const encoded = encodeProgress(latest)
    if (sent?.bytes.equals(encoded.bytes)) return
    sent = encoded
    stream.send(encoded)
    if (latest.pagesReady >= latest.pageCount) return stream.end()
    pause = setTimeout(send, EVENTS_EVERY_MS)
  }

  return (progress) => {
    latest = progress?.epoch === undefined || progress.epoch === epoch ? progress : undefined
    if (pause === undefined && !stream.closed.aborted) send()
  }
}

const encodedProgress = new WeakMap<VersionProgress, EncodedEvents>()

/** Encodes progress once for all followers of a version, who receive the same object. */
function encodeProgress(progress: VersionProgress): EncodedEvents {
  const { status, pageCount, pagesReady } = progress
  const data = { status, page_count: pageCount, pages_ready: pagesReady }
  const encoded = encodedProgress.get(progress) ?? encodeEvents([{ event: 'progress', data }])
  encodedProgress.set(progress, encoded)
  return encoded
}
