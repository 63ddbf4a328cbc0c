import type { FastifyRequest } from 'fastify'
import type { HttpServer } from '#platform/http/http-server.ts'
import type { RateLimit } from '#platform/http/rate-limit.ts'
import { answerAsPages } from '#platform/http/unknown-routes.ts'
import { type Html, html, htmlDocument } from '#platform/pages/html.ts'
import { contentSecurityPolicy, pageHeaders } from '#platform/pages/page-headers.ts'
import type { PageAddresses } from '../delivery/addresses.ts'
import type { FigureCounter } from '../figures/figure-counter.ts'
import type { Addresses } from '../model/config.ts'
import type { FacesStore } from '../model/faces-store.ts'
import type { PublicPageStore } from '../model/public-page-store.ts'
import type { ReaderLinks } from '../model/reader-links.ts'
import type { ReaderPasswords } from '../model/reader-passwords.ts'
import { assetsFolder, ownSites, requestedSite, shelfAddress } from '../model/sites.ts'
import type { DocumentSearch } from '../search/document-search.ts'
import type { Assets } from './assets.ts'
import { type InterfaceTranslate, interfaceLanguage, interfaceTexts } from './interface-texts.ts'
import { commonHead, NAMED_PAGE_SOURCE } from './page-head.ts'

/** Answers failures in this scope and below a path with an HTML page instead of problem details. */
export function answerFailuresAsPages(
  app: HttpServer,
  path: '/p/' | '/w/',
  deps: PublicPagesDeps & { faces: FacesStore },
): void {
  const { addresses, pageAssets } = deps
  answerAsPages(app, path, async (status, request) => {
    const isEmbedded = request.routeOptions.url?.endsWith('/embed') === true
    const site = requestedSite(request, addresses)
    const origins = { base: addresses.base(), public: site.origin, cdn: addresses.cdn() }
    return {
      headers: publicPageHeaders(origins, isEmbedded ? 'any' : 'none'),
      page: messagePage(status, {
        language: interfaceLanguage(request.headers['accept-language']),
        styleAddress: styleAddress(request.originalUrl, assetsFolder(site), pageAssets.style.name),
        requestId: request.id,
        isShelf: path === '/w/',
        isGuessed: status === 429 && request.method === 'POST',
        passwordForm: status === 401 ? passwordForm(request) : undefined,
        wayOut: await wayOut(deps, status, request),
        isEmbedded,
      }),
    }
  })
}

/** A page that has something to read: a shelf by its name, or all shelves. */
type WayOut = { href: string; name?: string }

/**
 * Returns where to go on: the shelf of an unpublished publication, all shelves from an unknown address, or undefined. A
 * publication with a password does not tell whose it was.
 */
async function wayOut(
  { addresses, publicPages, faces }: PublicPagesDeps & { faces: FacesStore },
  status: number,
  request: FastifyRequest,
): Promise<WayOut | undefined> {
  const site = requestedSite(request, addresses)
  try {
    if (status === 404 && site.isOwn) return { href: `${site.origin}/` }
    if (status === 404) return (await faces.list(1)).length > 0 ? { href: `${site.origin}/w` } : undefined
    if (status !== 410) return undefined
    const publication = await publicPages.find((request.params as { slug?: string } | undefined)?.slug ?? '')
    if (publication === undefined || publication.password_hash != null) return undefined
    const own = ownSites.get(request.raw)
    if (own !== undefined && own.workspaceId !== publication.workspace_id) return undefined
    const { face_slug: slug, face_name: name } = publication
    return slug === null || name === null ? undefined : { href: shelfAddress(site, slug), name }
  } catch {
    // The message matters more than the link.
    return undefined
  }
}

/** Returns an address relative to the page, which works on any host and below any path. */
function styleAddress(url: string, folder: string, name: string): string {
  const depth = url.split('?')[0].split('/').length - 2
  return `${'../'.repeat(depth) || './'}${folder.slice(1)}/${name}`
}

/** Writes a page that says why there is no publication, in the design of the public page. */
function messagePage(
  status: number,
  {
    language,
    styleAddress,
    requestId,
    isShelf,
    passwordForm,
    isGuessed,
    wayOut,
    isEmbedded,
  }: {
    language: string
    styleAddress: string
    requestId: string
    isShelf: boolean
    passwordForm: PasswordForm | undefined
    isGuessed: boolean
    wayOut: WayOut | undefined
    isEmbedded: boolean
  },
): string {
  const message = isGuessed ? 'guessed' : messageOf(status)
  const t = interfaceTexts(language)
  const [title, detail] = {
    notFound: isShelf ? [t('shelfNotFound'), t('shelfNotFoundDetail')] : [t('notFound'), t('notFoundDetail')],
    password: [t('password'), t('passwordDetail')],
    unpublished: [t('unpublished'), t('unpublishedDetail')],
    guessed: [t('passwordGuessed'), t('passwordGuessedDetail')],
    busy: [t('busy'), t('busyDetail')],
    broken: [t('broken'), t('brokenDetail')],
  }[message]
  const body = html`<body class="message">
<main>
${message !== 'password' && html`<p class="code">${status}</p>\n`}<h1>${title}</h1>
<p>${detail}</p>
${wayOut && wayOutLink(wayOut, isEmbedded, t)}${passwordForm && passwordFields(passwordForm, t)}${message === 'broken' && html`<p class="request">${t('brokenRequest', { id: requestId })}</p>\n`}</main>
</body>`
  return htmlDocument(
    language,
    commonHead(title, { style: styleAddress }, html`<meta name="robots" content="noindex">`),
    body,
  )
}

/** Writes the link to further publications, which leaves the frame of another site. */
function wayOutLink({ href, name }: WayOut, isEmbedded: boolean, t: InterfaceTranslate): Html {
  const [before, after] = name === undefined ? [t('shelves'), ''] : t('otherPublications', { name: '\n' }).split('\n')
  return html`<p><a href="${href}"${isEmbedded && html` target="_blank" rel="noopener"`}>${before}${name !== undefined && html`<bdi>${name}</bdi>`}${after}</a></p>
`
}

/** The form that asks for a password. */
type PasswordForm = { action: string; isEmbedded: boolean; isWrong: boolean }

function passwordForm({ params, routeOptions, method, url }: FastifyRequest): PasswordForm {
  const { slug } = params as { slug: string }
  const depth = url.split('?')[0].split('/').length - 3
  return {
    action: `${'../'.repeat(depth) || './'}${slug}/password`,
    isEmbedded: routeOptions.url?.endsWith('/embed') === true,
    isWrong: method === 'POST',
  }
}

/** Writes the form. In a frame of another site, where browsers keep no cookies, it opens the page itself. */
function passwordFields({ action, isEmbedded, isWrong }: PasswordForm, t: InterfaceTranslate): Html {
  return html`<form class="password" method="post" action="${action}"${isEmbedded && html` target="_blank"`}>
<label for="password">${t('passwordField')}</label>
<input id="password" name="password" type="password" required maxlength="200" autocomplete="current-password"${!isEmbedded && html` autofocus`}${isWrong && html` aria-invalid="true" aria-describedby="wrong"`}>
${isWrong && html`<p class="wrong" id="wrong" role="alert">${t('passwordWrong')}</p>\n`}<button class="button" type="submit">${t('passwordSubmit')}</button>
</form>
`
}

function messageOf(status: number): 'notFound' | 'password' | 'unpublished' | 'busy' | 'broken' {
  if (status === 401) return 'password'
  if (status === 404) return 'notFound'
  if (status === 429 || status === 503) return 'busy'
  return status === 410 ? 'unpublished' : 'broken'
}

/** Addresses whose origins the content security policy of a page names. */
type PageOrigins = { base: string; public: string; cdn: string }

/**
 * Returns the headers of every page. A page may use scripts and styles of its own origin, the script in its head,
 * images of the image delivery, and the API, and nothing else. Only `/embed` may be framed.
 */
export function publicPageHeaders(origins: PageOrigins, frames: 'none' | 'any'): Record<string, string> {
  const [api, site, images] = [origins.base, origins.public, origins.cdn].map((address) => new URL(address).origin)
  const directives = {
    'default-src': "'none'",
    'img-src': `'self' ${images} data:`,
    'style-src': "'self'",
    'script-src': `'self' ${NAMED_PAGE_SOURCE}`,
    'connect-src': `'self' ${[...new Set([site, api, images])].join(' ')}`,
    'base-uri': "'none'",
    // Without scripts, a form searches the document.
    'form-action': "'self'",
  }
  return {
    ...pageHeaders(contentSecurityPolicy(directives, frames), frames),
    'referrer-policy': 'strict-origin-when-cross-origin',
    'x-content-type-options': 'nosniff',
    // Browsers keep pages but revalidate them each time: an unpublished one must disappear at once.
    'cache-control': 'public, max-age=0, must-revalidate',
  }
}

/** Parts that the routes of public pages are built from. */
export type PublicPagesDeps = {
  addresses: Addresses
  pageAddresses: PageAddresses
  pageAssets: Assets
  publicPages: PublicPageStore
  readerLinks: ReaderLinks
  readerPasswords: ReaderPasswords
  documentSearch: DocumentSearch
  figureCounter: FigureCounter
  now: () => number
  /** The limit of the API, for which searches count, as the page itself does not. */
  searchLimit: RateLimit | undefined
}
