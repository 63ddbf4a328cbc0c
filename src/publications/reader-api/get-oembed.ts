import Type, { type Static } from 'typebox'
import { rateLimited } from '#platform/errors.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import type { PageAddresses } from '../delivery/page-addresses.ts'
import type { Addresses } from '../domain/addresses.ts'
import type { DocumentFacts } from '../domain/document-facts.ts'
import { shownStatements } from '../domain/statements.ts'
import { publicationNotFound, publicationUnpublished } from '../errors.ts'
import { previewOf } from '../public-pages/html/build-view.ts'
import { oembed, oembedXml } from '../public-pages/html/oembed.ts'
import { getShownPublication } from '../public-pages/shown-publication.ts'
import type { PublicPageStore } from '../storage/public-page-store.ts'

const pixels = (description: string) =>
  Type.Optional(Type.Integer({ minimum: 1, maximum: 100_000, description, examples: [640] }))

const Query = Type.Object({
  url: Type.String({
    maxLength: 2_048,
    description: 'Address of a public page.',
    examples: ['https://example.org/p/annual-report-2026'],
  }),
  format: Type.Optional(
    Type.Enum(['json', 'xml'], { type: 'string', description: 'Default `json`.', examples: ['json'] }),
  ),
  maxwidth: pixels('Maximum width of the frame.'),
  maxheight: pixels('Maximum height of the frame.'),
})

const Oembed = Type.Object(
  {
    version: Type.Literal('1.0', { examples: ['1.0'] }),
    type: Type.Literal('rich', { examples: ['rich'] }),
    title: Type.String({ examples: ['Annual report 2026'] }),
    author_name: Type.Optional(Type.String()),
    provider_name: Type.String({ examples: ['Trackpress'] }),
    provider_url: Type.String({ examples: ['https://example.org'] }),
    cache_age: Type.Integer({ description: 'Seconds.', examples: [3600] }),
    width: Type.Integer({ examples: [640] }),
    height: Type.Integer({ examples: [480] }),
    html: Type.String({
      description: 'An `<iframe>` with the publication.',
      examples: ['<iframe src="https://example.org/p/annual-report-2026/embed" width="640" height="480"></iframe>'],
    }),
    thumbnail_url: Type.Optional(Type.String({ description: 'The first page.' })),
    thumbnail_width: Type.Optional(Type.Integer()),
    thumbnail_height: Type.Optional(Type.Integer()),
  },
  { title: 'Oembed' },
)

type Deps = {
  addresses: Addresses
  pageAddresses: Pick<PageAddresses, 'pathOf'>
  publicPages: Pick<PublicPageStore, 'find'>
}

/** GET /oembed */
export function getOembed(app: HttpServer, { addresses, pageAddresses, publicPages }: Deps) {
  app.get(
    '/oembed',
    {
      schema: {
        operationId: 'getOembed',
        summary: 'Get the embedding of a publication',
        description:
          'Returns what other sites show for the address of a public page, as defined by [oEmbed](https://oembed.com).',
        tags: ['Publications'],
        querystring: Query,
        problems: [publicationNotFound, publicationUnpublished, rateLimited],
        response: { 200: Type.Unsafe<Static<typeof Oembed> | string>(Oembed) },
      },
    },
    async ({ query }, reply) => {
      const publication = await getShownPublication(publicPages, slugOf(query.url, addresses.public()) ?? '')
      const facts = JSON.parse(publication.facts) as Partial<DocumentFacts>
      const addressing = {
        base: addresses.base(),
        public: addresses.public(),
        cdn: addresses.cdn(),
        pathOf: pageAddresses.pathOf,
      }
      const answer = oembed(
        {
          title: publication.title,
          author: shownStatements(publication, facts).author ?? undefined,
          embedAddress: `${addresses.public()}/p/${publication.slug}/embed`,
          siteAddress: addresses.public(),
          thumbnail: previewOf(publication, facts, addressing),
        },
        query,
      )
      // Sites may keep the answer for `cache_age`; a shared cache asks again, so
      // that an unpublished one is refused at once.
      reply.header('cache-control', 'public, max-age=0, must-revalidate')
      if (query.format !== 'xml') return answer
      return reply.type('text/xml; charset=utf-8').serializer(String).send(oembedXml(answer))
    },
  )
}

/** Returns the slug in the address of a public page or its embedded form; undefined for any other address. */
function slugOf(address: string, publicAddress: string): string | undefined {
  const [url, site] = [URL.parse(address), new URL(`${publicAddress}/p/`)]
  if (url === null || !/^https?:$/.test(url.protocol)) return undefined
  if (url.host !== site.host || !url.pathname.startsWith(site.pathname)) return undefined
  return /^([^/]+)(?:\/embed)?\/?$/.exec(url.pathname.slice(site.pathname.length))?.[1]
}
