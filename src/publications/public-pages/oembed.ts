import Type, { type Static } from 'typebox'
import { rateLimited } from '#platform/basics/errors.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import { escapeHtml, html } from '#platform/pages/html.ts'
import type { Addresses } from '../model/config.ts'
import type { DocumentFacts } from '../model/document-content.ts'
import { publicationNotFound, publicationUnpublished, readerPasswordRequired } from '../model/errors.ts'
import { parseDomain } from '../model/face-fields.ts'
import type { FacesStore } from '../model/faces-store.ts'
import type { ImageSize } from '../model/image-forms.ts'
import { getShownPublication } from '../model/public-page-store.ts'
import { addressesEnd, privacyHeaders } from '../model/reading.ts'
import { ownSites, pageAddress, siteOf } from '../model/sites.ts'
import { shownStatements } from '../model/statements.ts'
import type { PublicPagesDeps } from './answer-as-pages.ts'
import { previewOf } from './build-view.ts'
import { faceOf } from './face-view.ts'
import { SITE_NAME } from './page-head.ts'

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

const OembedAnswer = Type.Object(
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

/** GET /oembed */
export function getOembed(
  app: HttpServer,
  { addresses, pageAddresses, publicPages, faces, now }: PublicPagesDeps & { faces: FacesStore },
) {
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
        problems: [publicationNotFound, publicationUnpublished, readerPasswordRequired, rateLimited],
        response: { 200: Type.Unsafe<Static<typeof OembedAnswer> | string>(OembedAnswer) },
      },
    },
    async (request, reply) => {
      const { query } = request
      const named = (await namedBy(query.url, addresses, faces)) ?? { slug: '' }
      const own = ownSites.get(request.raw)
      if (own !== undefined && named.workspaceId !== own.workspaceId) throw publicationNotFound()
      const publication = await getShownPublication(publicPages, named.slug, {
        nowMs: now(),
        workspaceId: named.workspaceId,
        async requirePassword() {
          throw readerPasswordRequired({ members: { reason: 'password_required' } })
        },
      })
      const facts = JSON.parse(publication.facts) as Partial<DocumentFacts>
      const site = siteOf(addresses, publication.domain)
      const addressing = {
        base: addresses.base(),
        here: site,
        site,
        cdn: addresses.cdn(),
        pathOf: pageAddresses.pathOf,
        untilMs: addressesEnd(publication, now()),
      }
      const face = faceOf(publication, site)
      const answer = oembed(
        {
          title: publication.title,
          author: shownStatements(publication, facts).author ?? undefined,
          embedAddress: `${pageAddress(site, publication.slug)}/embed`,
          siteAddress: face?.shelf ?? addresses.public(),
          siteName: face?.name ?? SITE_NAME,
          thumbnail: previewOf(publication, facts, addressing),
        },
        query,
      )
      // Sites may keep the answer for `cache_age`; a shared cache asks again, so
      // that an unpublished one is refused at once.
      reply.header('cache-control', 'public, max-age=0, must-revalidate').headers(privacyHeaders(publication))
      if (query.format !== 'xml') return answer
      return reply.type('text/xml; charset=utf-8').serializer(String).send(oembedXml(answer))
    },
  )
}

/**
 * Returns the slug in the address of a public page or its embedded form, and the workspace whose host name it has;
 * undefined for any other address.
 */
async function namedBy(
  address: string,
  addresses: Addresses,
  faces: FacesStore,
): Promise<{ slug: string; workspaceId?: string } | undefined> {
  const [url, site] = [URL.parse(address), new URL(`${addresses.public()}/p/`)]
  if (url === null || !/^https?:$/.test(url.protocol)) return undefined
  if (url.host === site.host) {
    const slug = url.pathname.startsWith(site.pathname) ? slugOf(url.pathname.slice(site.pathname.length)) : undefined
    return slug === undefined ? undefined : { slug }
  }
  const slug = slugOf(url.pathname.slice(1))
  const domain = parseDomain(url.hostname)
  if (slug === undefined || domain === undefined) return undefined
  const face = await faces.atDomain(domain)
  return face && { slug, workspaceId: face.workspace_id }
}

function slugOf(path: string): string | undefined {
  return /^([^/]+)(?:\/embed)?\/?$/.exec(path)?.[1]
}

/** The data of a publication that other sites embed. */
type Embeddable = {
  title: string
  author?: string
  embedAddress: string
  siteAddress: string
  siteName?: string
  thumbnail: ImageSize & { address: string }
}

type OembedLimits = { maxwidth?: number; maxheight?: number }

type Oembed = {
  version: '1.0'
  type: 'rich'
  title: string
  author_name?: string
  provider_name: string
  provider_url: string
  cache_age: number
  width: number
  height: number
  html: string
  thumbnail_url?: string
  thumbnail_width?: number
  thumbnail_height?: number
}

const DEFAULT_WIDTH = 720
/** The header above the page and the toolbar below it, `.embed .top` and `--bar` of the stylesheet. */
const BARS_HEIGHT = 56 + 52
/** Fits a common screen; a longer page is shown smaller. */
const MAX_HEIGHT = 960
/** An hour: the title may change. */
const CACHE_AGE_SEC = 3_600

/**
 * Returns an answer of the `rich` type (https://oembed.com, 2.3.4.4): a frame of the
 * size of the first page, within the limits.
 */
export function oembed(publication: Embeddable, limits: OembedLimits): Oembed {
  const { title, author, embedAddress, siteAddress, siteName = SITE_NAME, thumbnail } = publication
  const width = Math.min(limits.maxwidth ?? DEFAULT_WIDTH, DEFAULT_WIDTH)
  const fullHeight = Math.round((width * thumbnail.height) / thumbnail.width) + BARS_HEIGHT
  const height = Math.min(fullHeight, MAX_HEIGHT, limits.maxheight ?? MAX_HEIGHT)
  const fits = thumbnail.width <= (limits.maxwidth ?? Infinity) && thumbnail.height <= (limits.maxheight ?? Infinity)
  return {
    version: '1.0',
    type: 'rich',
    title,
    ...(author !== undefined && { author_name: author }),
    provider_name: siteName,
    provider_url: siteAddress,
    cache_age: CACHE_AGE_SEC,
    width,
    height,
    html: html`<iframe src="${embedAddress}" width="${width}" height="${height}" title="${title}" loading="lazy" allowfullscreen style="${frameStyle(width, fullHeight, limits)}"></iframe>`
      .text,
    // The limits apply to the thumbnail as well.
    ...(fits && {
      thumbnail_url: thumbnail.address,
      thumbnail_width: thumbnail.width,
      thumbnail_height: thumbnail.height,
    }),
  }
}

/**
 * Writes the style of a frame: as high as its page with both bars is at the width that the site leaves it, and never
 * higher than the answer says, or than most of the window, so that no reader is caught in it.
 */
function frameStyle(width: number, height: number, { maxheight = MAX_HEIGHT }: OembedLimits): string {
  const most = `min(85vh,${Math.min(maxheight, MAX_HEIGHT)}px)`
  return `border:0;width:100%;max-width:${width}px;height:auto;aspect-ratio:${width}/${height};max-height:${most}`
}

/** Writes the answer as XML (https://oembed.com, 2.3.4.3.2). */
function oembedXml(answer: Oembed): string {
  const members = Object.entries(answer).map(([name, value]) => `<${name}>${xmlText(String(value))}</${name}>\n`)
  return `<?xml version="1.0" encoding="utf-8" standalone="yes"?>\n<oembed>\n${members.join('')}</oembed>\n`
}

/** Escapes text for XML and replaces the control characters, which XML cannot hold (XML 1.0, 2.2). */
export function xmlText(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the expression looks for them
  return escapeHtml(text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '\ufffd'))
}
