import type { HttpServer } from '#platform/http/http-server.ts'
import { answerAsPages } from '#platform/http/unknown-routes.ts'
import { html, htmlDocument } from '#platform/pages/html.ts'
import { contentSecurityPolicy, pageHeaders } from '#platform/pages/page-headers.ts'
import { ASSETS_PATH } from './assets.ts'
import { interfaceLanguage, interfaceTexts } from './interface-texts.ts'
import { commonHead } from './page-head.ts'
import type { PublicPagesDeps } from './public-pages-deps.ts'

/** Answers failures in this scope and below a path with an HTML page instead of problem details. */
export function answerFailuresAsPages(
  app: HttpServer,
  path: '/p/' | '/w/',
  { addresses, pageAssets }: PublicPagesDeps,
): void {
  answerAsPages(app, path, async (status, request) => {
    const isEmbedded = request.routeOptions.url?.endsWith('/embed') === true
    const origins = { base: addresses.base(), public: addresses.public(), cdn: addresses.cdn() }
    return {
      headers: publicPageHeaders(origins, isEmbedded ? 'any' : 'none'),
      page: messagePage(status, {
        language: interfaceLanguage(request.headers['accept-language']),
        styleAddress: styleAddress(request.url, pageAssets.style.name),
        requestId: request.id,
        isShelf: path === '/w/',
      }),
    }
  })
}

/** Returns an address relative to the page, which works on any host and below any path. */
function styleAddress(url: string, name: string): string {
  const depth = url.split('?')[0].split('/').length - 2
  return `${'../'.repeat(depth) || './'}${ASSETS_PATH.slice(1)}/${name}`
}

/** Writes a page that says why there is no publication, in the design of the public page. */
function messagePage(
  status: number,
  {
    language,
    styleAddress,
    requestId,
    isShelf,
  }: { language: string; styleAddress: string; requestId: string; isShelf: boolean },
): string {
  const message = messageOf(status)
  const t = interfaceTexts(language)
  const [title, detail] = {
    notFound: isShelf ? [t('shelfNotFound'), t('shelfNotFoundDetail')] : [t('notFound'), t('notFoundDetail')],
    unpublished: [t('unpublished'), t('unpublishedDetail')],
    busy: [t('busy'), t('busyDetail')],
    broken: [t('broken'), t('brokenDetail')],
  }[message]
  const body = html`<body class="message">
<main>
<p class="code">${status}</p>
<h1>${title}</h1>
<p>${detail}</p>
${message === 'broken' && html`<p class="request">${t('brokenRequest', { id: requestId })}</p>\n`}</main>
</body>`
  return htmlDocument(
    language,
    commonHead(title, { style: styleAddress }, html`<meta name="robots" content="noindex">`),
    body,
  )
}

function messageOf(status: number): 'notFound' | 'unpublished' | 'busy' | 'broken' {
  if (status === 404) return 'notFound'
  if (status === 429 || status === 503) return 'busy'
  return status === 410 ? 'unpublished' : 'broken'
}

/** Addresses whose origins the content security policy of a page names. */
type PageOrigins = { base: string; public: string; cdn: string }

/**
 * Returns the headers of every page. A page may use scripts and styles of its own origin only, images of the image
 * delivery, and the API. Only `/embed` may be framed.
 */
export function publicPageHeaders(origins: PageOrigins, frames: 'none' | 'any'): Record<string, string> {
  const [api, site, images] = [origins.base, origins.public, origins.cdn].map((address) => new URL(address).origin)
  const directives = {
    'default-src': "'none'",
    'img-src': `'self' ${images} data:`,
    'style-src': "'self'",
    'script-src': "'self'",
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
