import Type, { type Static } from 'typebox'
import { notFound } from '#platform/basics/errors.ts'
import { isUuid } from '#platform/basics/text.ts'
import { workClient } from '#platform/http/client.ts'
import { nullable, nullableText } from '#platform/http/field-rules.ts'
import { type HttpServer, noContent } from '#platform/http/http-server.ts'
import { isNotModified } from '#platform/http/ranges.ts'
import { acceptsJpeg } from '../delivery/page-images.ts'
import type { DocumentFacts } from '../model/document-content.ts'
import { imageNotReady, publicationNotFound } from '../model/errors.ts'
import { FALLBACK_SIZE, imageForm, imageSize, PAGE_WIDTH } from '../model/image-forms.ts'
import type { PageState } from '../model/library-store.ts'
import type { Publication } from '../model/publication-rows.ts'
import { count, IMAGE, PublicationParams, VERSION_ID } from '../model/schemas.ts'
import type { LibraryDeps } from './library-deps.ts'
import { COVER_WIDTH, pageImagePath } from './library-schemas.ts'

/** A page is shown as its image, a placeholder, or not yet. */
const PAGE_STATES = ['ready', 'failed', 'waiting'] as const
const PAGE_IMAGE_WIDTHS = ['600', '1200', '2400'] as const

const OperatorPage = Type.Object(
  {
    page: count('The first is 1.', 1),
    label: nullableText({
      description: "The document's own name for the page; null if that is its number.",
      examples: ['iv'],
    }),
    width: count('Width of its image, in pixels.', 1200),
    height: count('Height of its image, in pixels.', 1697),
    image: Type.String({
      description:
        'Path of its image on this server, 1,200 pixels wide; it works even while the publication is unpublished.',
      examples: [`${IMAGE}&width=1200`],
    }),
    thumbnail: Type.String({ description: 'Path of its image, 600 pixels wide.', examples: [`${IMAGE}&width=600`] }),
    state: Type.Enum(PAGE_STATES, {
      description: '`waiting` until it is rendered; `failed` if it is shown as a placeholder.',
      examples: ['ready'],
    }),
    failed_reason: nullableText({ description: 'Reason why it could not be rendered.', examples: [null] }),
    text_length: nullable<number>('integer', {
      description: 'Characters of its text; 0 if it has none, null until it is rendered.',
      examples: [2210],
    }),
  },
  { title: 'OperatorPage' },
)
export type OperatorPage = Static<typeof OperatorPage>

const OperatorPageList = Type.Object(
  { pages: Type.Array(OperatorPage, { description: 'Pages in order.' }) },
  { title: 'OperatorPageList' },
)

const OperatorPageParams = Type.Object({
  ...PublicationParams.properties,
  page: Type.String({ pattern: '^[1-9][0-9]{0,8}$', description: 'The first is 1.', examples: ['1'] }),
})

const PageImageQuery = Type.Object({
  width: Type.Optional(Type.Enum(PAGE_IMAGE_WIDTHS, { description: 'In pixels; default `1200`.' })),
  version: Type.Optional(
    Type.String({ description: 'Version of the file; the latest by default.', examples: [VERSION_ID] }),
  ),
})

/** GET /operator/publications/:id/pages */
export function listPages(app: HttpServer, { library, publications }: LibraryDeps) {
  app.get(
    '/operator/publications/:id/pages',
    {
      schema: {
        operationId: 'operatorListPages',
        summary: 'List the pages of a publication',
        description: 'Returns the state of each page: whether it is rendered or failed, and how much text it has.',
        tags: ['Library'],
        params: PublicationParams,
        problems: [publicationNotFound],
        response: { 200: OperatorPageList },
      },
    },
    async ({ params }) => {
      const publication = await library.find(params.id)
      if (publication === undefined) throw publicationNotFound()
      const facts = await publications.facts(publication.version_id)
      return { pages: pagesJson(publication, facts, await library.pageStates(publication.version_id)) }
    },
  )
}

/**
 * An address with the version always has the same image, but only the browser of this operator may keep it, and only
 * while it goes on asking: a withdrawn or deleted document must not stay on a shared computer for long.
 */
const BRIEFLY = 'private, max-age=60, must-revalidate'

/** GET /operator/publications/:id/pages/:page/image */
export function getPageImage(app: HttpServer, { library, files, pageImages }: LibraryDeps) {
  app.get(
    '/operator/publications/:id/pages/:page/image',
    {
      schema: {
        operationId: 'operatorGetPageImage',
        summary: 'Get the image of a page',
        description: `Returns WebP from this server, even while the publication is unpublished. Waits for a page that is not rendered
yet. While other pages are being rendered, browsers get JPEG.`,
        tags: ['Library'],
        params: OperatorPageParams,
        querystring: PageImageQuery,
        produces: ['image/webp', 'image/jpeg'],
        problems: [publicationNotFound, notFound, imageNotReady],
        response: {
          200: Type.Unsafe<Buffer>(Type.String({ description: 'The image.' })),
          304: noContent('The image has not changed.'),
        },
      },
      // The image is sent as it is; the schema only describes it.
      serializerCompiler: () => JSON.stringify,
    },
    async (request, reply) => {
      const { params, query, headers } = request
      const publication = await library.find(params.id)
      if (publication === undefined) throw publicationNotFound()
      const { version = publication.version_id } = query
      const file = isUuid(version) ? await files.findByVersion(version) : undefined
      const page = Number(params.page)
      if (file === undefined || file.publicationId !== publication.id || page > file.pageCount) throw notFound()
      const image = `${query.width ?? '1200'}.webp`
      const etag = `"${file.versionId}-${page}-${image}"`
      if (isNotModified(headers, etag)) return reply.headers({ 'cache-control': BRIEFLY, etag }).code(304).send()
      const wanted = { name: image, acceptsJpeg: acceptsJpeg(headers.accept) }
      const { bytes, name, is } = await pageImages.get(file, page, wanted, workClient(request, reply))
      if (query.version !== undefined && is === 'final') reply.headers({ 'cache-control': BRIEFLY, etag })
      return reply.type(imageForm(name)!.contentType).send(bytes)
    },
  )
}

/** Returns all pages of a publication, finished or not. */
function pagesJson(
  publication: Publication,
  facts: Partial<DocumentFacts>,
  finished: readonly PageState[],
): OperatorPage[] {
  const states = new Map(finished.map((state) => [state.page, state]))
  return Array.from({ length: publication.page_count }, (_, at) => {
    const page = at + 1
    const state = states.get(page)
    const { label, ...size } = facts.pages?.[at] ?? { ...FALLBACK_SIZE, label: undefined }
    return {
      page,
      label: label ?? null,
      ...imageSize(size, PAGE_WIDTH),
      image: pageImagePath(publication, page, PAGE_WIDTH),
      thumbnail: pageImagePath(publication, page, COVER_WIDTH),
      state: state === undefined ? 'waiting' : state.failedReason === null ? 'ready' : 'failed',
      failed_reason: state?.failedReason ?? null,
      text_length: state?.textLength ?? null,
    }
  })
}
