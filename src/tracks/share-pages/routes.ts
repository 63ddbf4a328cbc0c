import { randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import Type from 'typebox'
import type { HttpServer } from '#platform/http/http-server.ts'
import { answerAsPages } from '#platform/http/unknown-routes.ts'
import { type Html, html, htmlDocument } from '#platform/pages/html.ts'
import type { MapPage, MapPages } from '#platform/pages/map-pages.ts'
import type { FrameAncestors } from '#platform/pages/page-headers.ts'
import { shareNotFound, trackNotFound } from '../model/errors.ts'
import { SharedParams } from '../model/schema-fields.ts'
import type { RaceDeps } from '../race/race-boards.ts'
import { limitSpectators, openShare, sharedView } from '../shares/open-share.ts'
import {
  type BuiltPages,
  findBuiltPages,
  pageHead,
  type ShareTab,
  secretPageHeaders,
  serveBuiltPages,
  sharePageHtml,
} from './share-page.ts'
import { createShownTracks } from './shown-tracks.ts'
import { mapTab, replayTab, resultsTab } from './tabs.ts'
import { createFormats, type PageTranslate, TEXTS } from './texts.ts'

type PageDeps = RaceDeps & { mapPages: MapPages; built: BuiltPages; tabs: readonly ShareTab[] }

/** Registers the pages of share links. The order of the tabs is that on the page. */
export function sharePages(server: HttpServer, deps: RaceDeps, mapPages: MapPages): void {
  const built = findBuiltPages()
  const tabs = [mapTab(deps, createShownTracks(deps)), resultsTab(deps), replayTab()]
  serveBuiltPages(server, built)
  void server.register(async (app: HttpServer) => {
    limitSpectators(app, deps, 'share pages')
    answerFailuresAsPages(app, mapPages)
    showSharePage(app, { ...deps, mapPages, built, tabs })
    forwardOldLinks(app, mapPages, built)
    // Mistyped addresses are answered with a page as well.
    app.get('/s/*', { schema: { hide: true } }, async () => {
      throw shareNotFound()
    })
  })
}

/** Read leniently: a page is better than an error for a mistyped address. */
const PageQuery = Type.Object({ embed: Type.Optional(Type.Unknown()), lang: Type.Optional(Type.Unknown()) })
const SCHEMA = { hide: true, params: SharedParams, querystring: PageQuery }

type PageRequest = FastifyRequest & { params: { token: string }; query: { embed?: unknown; lang?: unknown } }

/** GET /s/:token, and a further address for each of its tabs: the page of a share, complete without scripts. */
function showSharePage(app: HttpServer, deps: PageDeps) {
  for (const tab of deps.tabs) {
    const show = (request: PageRequest, reply: FastifyReply) => sendPage(deps, tab, request, reply)
    app.get(`/s/:token${tab.path}`, { schema: SCHEMA }, show)
    app.get(`/s/:token${tab.path}/`, { schema: SCHEMA }, show)
  }
}

async function sendPage(
  deps: PageDeps,
  tab: ShareTab,
  request: PageRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { params, query, headers } = request
  const share = await openShare(deps, params.token)
  const offered = await Promise.all(deps.tabs.map((each) => each.isOffered(share)))
  const tabs = deps.tabs.filter((_tab, at) => offered[at])
  if (!tabs.includes(tab)) throw trackNotFound()
  const language = TEXTS.languageFor(headers['accept-language'], query.lang)
  const t = TEXTS.of(language)
  const view = sharedView(share, deps.titleTimeZone)
  const formats = createFormats(language, view.event.effective_time_zone)
  const content = await tab.content({ share, view, t, formats })
  const isEmbedded = query.embed !== undefined
  const nonce = randomBytes(16).toString('base64')
  const map = await deps.mapPages.forPage()
  const asOfMs = Math.min(deps.now(), share.shownUntilMs)
  const asOf = { ms: asOfMs, text: `${formats.dateTime(asOfMs)} (${formats.zone(asOfMs)})` }
  return reply.headers(sharePageHeaders(map, nonce, isEmbedded ? 'any' : 'none')).send(
    sharePageHtml({
      view,
      title: share.track_id === null ? view.title : formats.trackName(view.title, share.track_start_ms ?? undefined),
      language,
      chosenLanguage: query.lang === language ? language : undefined,
      t,
      isEmbedded,
      nonce,
      metaValues: map.metaValues(nonce),
      days: formats.days(view.event.starts_on, view.event.ends_on),
      address: `/s/${encodeURIComponent(params.token)}`,
      tab,
      tabs,
      content,
      built: deps.built,
      baseUrl: deps.baseUrl(),
      asOf,
    }),
  )
}

/**
 * GET /dashboard/share: the address of links of earlier versions, with the token in the fragment. Only a script sees
 * it, so a script forwards to the page of today.
 */
function forwardOldLinks(app: HttpServer, mapPages: MapPages, built: BuiltPages) {
  app.get('/dashboard/share', { schema: { hide: true } }, async ({ headers }, reply) => {
    const nonce = randomBytes(16).toString('base64')
    const language = TEXTS.languageFor(headers['accept-language'])
    const map = await mapPages.forPage()
    return reply.headers(sharePageHeaders(map, nonce, 'none')).send(forwardPage(language, nonce, built.forward))
  })
}

/** Answers failures in this scope and below /s/ with an HTML page instead of problem details. */
function answerFailuresAsPages(app: HttpServer, mapPages: MapPages): void {
  answerAsPages(app, '/s/', async (status, request) => {
    const { embed, lang } = (request.query ?? {}) as { embed?: unknown; lang?: unknown }
    const nonce = randomBytes(16).toString('base64')
    const language = TEXTS.languageFor(request.headers['accept-language'], lang)
    return {
      headers: sharePageHeaders(await mapPages.forPage(), nonce, embed === undefined ? 'none' : 'any'),
      page: messagePage({ status, language, nonce, requestId: request.id }),
    }
  })
}

/** Returns the headers of every spectators' page, which sets and reads no cookies. */
function sharePageHeaders(map: MapPage, nonce: string, frames: FrameAncestors): Record<string, string> {
  // Going back shows the page as it was; opening it asks again, as the share may have ended.
  return secretPageHeaders(map.contentSecurityPolicy(nonce, frames), frames, 'private, no-cache')
}

type Message = { status: number; language: string; nonce: string; requestId: string }

/** Writes a page that says why there is nothing to see. */
export function messagePage({ status, language, nonce, requestId }: Message): string {
  const t = TEXTS.of(language)
  const [title, help] = messageOf(status, t)
  return messageDocument(
    { title, language, nonce },
    html`<p>${help}</p>
${status >= 500 && html`<p class="request">${t('request', { id: requestId })}</p>\n`}`,
  )
}

/** Writes a page with a title and some paragraphs. `script` is the address of its script. */
function messageDocument(
  { title, language, nonce, script }: { title: string; language: string; nonce: string; script?: string | undefined },
  paragraphs: Html,
): string {
  const body = html`<body class="message">
<main id="content">
<h1>${title}</h1>
${paragraphs}</main>
${script !== undefined && html`<script type="module" src="${script}"></script>\n`}</body>`
  return htmlDocument(language, pageHead({ title, nonce, metaValues: {} }), body)
}

function messageOf(status: number, t: PageTranslate): [title: string, help: string] {
  if (status === 401 || status === 403) return [t('runner.ended'), t('runner.endedHelp')]
  if (status === 410) return [t('over'), t('overHelp')]
  if (status === 429) return [t('busy'), t('busyHelp')]
  return status < 500 ? [t('unknown'), t('unknownHelp')] : [t('broken'), t('brokenHelp')]
}

/** Writes the page of an earlier address. Its text is read only where the script does not run or finds no token. */
function forwardPage(language: string, nonce: string, script: string | undefined): string {
  const t = TEXTS.of(language)
  return messageDocument({ title: t('moved'), language, nonce, script }, html`<p>${t('movedHelp')}</p>\n`)
}
