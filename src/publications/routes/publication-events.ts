import Type from 'typebox'
import { rateLimited } from '#platform/errors.ts'
import { addressGroup } from '#platform/http/client-address.ts'
import { type EventStream, openEventStream } from '#platform/http/event-stream.ts'
import { HeldConnections } from '#platform/http/held-connections.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import type { PublicationsDeps } from '../deps.ts'
import { publicationNotFound, publicationWithdrawn } from '../errors.ts'
import { getPublishedFile } from '../published-file.ts'
import type { VersionProgress } from '../storage/versions-store.ts'
import { SlugParams } from './slug-params.ts'

/** Readers of one address, such as an office behind one, and of all; what is more does without a moving bar. */
const MAX_FOLLOWERS = { perCaller: 200, total: 5_000 }

/** Often enough for a bar that moves, and not more. */
const EVENTS_EVERY_MS = 250

/** GET /publications/:slug/events */
export function publicationEvents(app: HttpServer, { reading, versions, versionChanges }: PublicationsDeps) {
  const followers = new HeldConnections(MAX_FOLLOWERS)
  app.get<{ Params: { slug: string } }>(
    '/publications/:slug/events',
    {
      schema: {
        operationId: 'followPublication',
        summary: 'Follow the rendering',
        description: `Server-sent events: \`progress\` with \`{"status","page_count","pages_ready"}\` at once and whenever
it changes. The stream ends when all pages are there, or the publication is withdrawn or deleted.`,
        tags: ['Publications'],
        params: SlugParams,
        produces: ['text/event-stream'],
        problems: [publicationNotFound, publicationWithdrawn, rateLimited],
        response: { 200: Type.String({ description: 'A stream of events.' }) },
      },
    },
    async (request, reply) => {
      const { versionId } = await getPublishedFile(reading, request.params.slug)
      const progress = (await versions.progressOf([versionId])).get(versionId)
      const leave = followers.hold(addressGroup(request.ip))
      if (leave === undefined) throw rateLimited({ detail: TOO_MANY, headers: { 'retry-after': '10' } })
      const stream = openEventStream(request, reply)
      // A HEAD has been answered by now.
      if (stream.closed.aborted) return leave()
      stream.closed.addEventListener('abort', leave)
      const follower = followProgress(stream)
      follower(progress)
      if (stream.closed.aborted) return
      const unwatch = versionChanges.watch(versionId, follower)
      stream.closed.addEventListener('abort', unwatch)
    },
  )
}

const TOO_MANY = 'Too many streams of events are open; try again later.'

/** Sends what changes, the first at once and the latest of what comes meanwhile when it is time; ends with the last. */
function followProgress(stream: EventStream): (progress: VersionProgress | undefined) => void {
  let sent = ''
  let latest: VersionProgress | undefined
  let pause: NodeJS.Timeout | undefined
  stream.closed.addEventListener('abort', () => clearTimeout(pause))

  function send() {
    pause = undefined
    if (latest === undefined) return stream.end()
    const { status, pageCount, pagesReady } = latest
    const data = { status, page_count: pageCount, pages_ready: pagesReady }
    const text = JSON.stringify(data)
    if (text === sent) return
    sent = text
    stream.send({ event: 'progress', data })
    if (pagesReady >= pageCount) return stream.end()
    pause = setTimeout(send, EVENTS_EVERY_MS)
  }

  return (progress) => {
    latest = progress
    if (pause === undefined && !stream.closed.aborted) send()
  }
}
