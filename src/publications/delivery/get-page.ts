import Type from 'typebox'
import { notFound, RETRY_SOON_SEC, rateLimited } from '#platform/basics/errors.ts'
import { workClient } from '#platform/http/client.ts'
import { type HttpServer, noContent } from '#platform/http/http-server.ts'
import { isNotModified } from '#platform/http/ranges.ts'
import { WorkQueue, type WorkQueueLimits } from '#platform/jobs/work-queue.ts'
import { pageContentJson } from '../model/document-content.ts'
import { imageNotReady, publicationNotFound, publicationUnpublished, readerPasswordRequired } from '../model/errors.ts'
import { getShownPublication } from '../model/public-page-store.ts'
import { AttachedFile } from '../model/publication-answer-schemas.ts'
import { type Opened, privacyHeaders } from '../model/reading.ts'
import { SlugParams } from '../model/schemas.ts'
import type { DeliveryDeps } from './delivery-deps.ts'

const share = (description: string, example: number) =>
  Type.Number({ minimum: 0, maximum: 1, description, examples: [example] })

const box = {
  x: share('Left edge, as a fraction of the page width.', 0.12),
  y: share('Upper edge, as a fraction of the page height.', 0.08),
  width: share('As a fraction of the page width.', 0.09),
  height: share('As a fraction of the page height.', 0.02),
}

const Word = Type.Object(
  {
    text: Type.String({ examples: ['Introduction'] }),
    line: Type.Integer({ minimum: 0, description: 'Words with the same number are on one line.', examples: [0] }),
    ...box,
  },
  { title: 'PageWord' },
)

const Link = Type.Object(
  {
    ...box,
    page: Type.Optional(Type.Integer({ minimum: 1, description: 'The page that the link leads to.', examples: [14] })),
    uri: Type.Optional(
      Type.String({ description: 'The address that the link leads to: `http`, `https` or `mailto`.' }),
    ),
  },
  { title: 'PageLink' },
)

const Comment = Type.Object(
  {
    ...box,
    text: Type.String({ description: 'Empty for a file without one.', examples: ['The figures of May.'] }),
    file: Type.Optional(AttachedFile),
  },
  { title: 'PageComment', description: 'A comment of the file, without its author, or a file attached to the page.' },
)

const PageContent = Type.Object(
  {
    page: Type.Integer({ minimum: 1, examples: [12] }),
    text: Type.String({
      description: 'Text in reading order, with an empty line between paragraphs.',
      examples: ['Introduction'],
    }),
    text_source: Type.Enum(['file', 'recognized'], {
      description: '`recognized` if the page is a scan whose text and words were recognised, with mistakes.',
      examples: ['file'],
    }),
    words: Type.Array(Word, { description: 'Words in the order of the file, with their positions on the page.' }),
    links: Type.Array(Link),
    comments: Type.Array(Comment),
  },
  { title: 'PageContent' },
)

const PageParams = Type.Object({
  ...SlugParams.properties,
  page: Type.String({ description: 'Page number; the first is 1.', examples: ['12'] }),
})

/**
 * The content of a dense page takes about 10 ms of the main thread and two megabytes. A few are prepared at once, so
 * that requests for many do not hold up others.
 */
const PREPARING: WorkQueueLimits = { running: 2, waiting: 256, waitingPerCaller: 128 }

/** GET /publications/:slug/pages/:page */
export function getPage(app: HttpServer, { publicPages, readerLinks }: DeliveryDeps) {
  const preparing = new WorkQueue<Buffer | undefined>(PREPARING)

  async function prepare(versionId: string, page: number): Promise<Buffer | undefined> {
    const row = await publicPages.page(versionId, page)
    if (row === undefined) return undefined
    const { words, links } = await pageContentJson(row.words)
    const source = row.text_source === 'recognized' ? 'recognized' : 'file'
    const head = `{"page":${page},"text":${JSON.stringify(row.text)},"text_source":"${source}","words":`
    return Buffer.concat([
      Buffer.from(head),
      words,
      Buffer.from(',"links":'),
      links,
      Buffer.from(`,"comments":${row.comments ?? '[]'}}`),
    ])
  }

  app.get(
    '/publications/:slug/pages/:page',
    {
      schema: {
        operationId: 'getPublicationPage',
        summary: 'Get the content of a page',
        description: `Returns the words of a page with their positions, its links, comments and text, from the version that readers see.
Positions are fractions of the page as shown, measured from its upper left corner. A page that could not be rendered has no
content; 503 means that it has yet to be rendered.`,
        tags: ['Publications'],
        params: PageParams,
        problems: [
          publicationNotFound,
          notFound,
          publicationUnpublished,
          readerPasswordRequired,
          rateLimited,
          imageNotReady,
        ],
        response: {
          200: Type.Unsafe<Buffer>(PageContent),
          304: noContent('The page has not changed.'),
        },
      },
      // The answer is made of stored JSON; the schema only describes it.
      serializerCompiler: () => JSON.stringify,
    },
    async (request, reply) => {
      const { params, headers } = request
      const publication = await getShownPublication(publicPages, params.slug, await readerLinks.of(request))
      const page = /^[1-9]\d{0,6}$/.test(params.page) ? Number(params.page) : 0
      if (page === 0 || page > publication.page_count) throw notFound({ detail: 'The publication has no such page.' })
      const { version_id: versionId } = publication
      // A finished page changes when its text is recognised, and when its document is read again; a new version has
      // another id.
      const state = `${versionId}-${page}-${publication.pages_recognized ?? 0}-${publication.content_form ?? 0}`
      const etag = `"${state}"`
      if (isNotModified(headers, etag)) return reply.headers(cachingOf(etag, publication)).code(304).send()
      const json = await preparing.do(state, workClient(request, reply), () => prepare(versionId, page))
      if (json === undefined) throw imageNotReady({ retryAfterSec: RETRY_SOON_SEC })
      return reply.headers(cachingOf(etag, publication)).type('application/json; charset=utf-8').send(json)
    },
  )
}

function cachingOf(etag: string, opened: Opened): Record<string, string> {
  return { etag: `W/${etag}`, 'cache-control': 'public, max-age=0, must-revalidate', ...privacyHeaders(opened) }
}
