import { randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import Type from 'typebox'
import type { HttpServer } from '#platform/http/http-server.ts'
import type { MapPages } from '#platform/http/server/map-pages.ts'
import { trackNotFound } from '../errors.ts'
import { sharedView } from '../representations/shared-view.ts'
import { SharedParams } from '../schemas/addresses.ts'
import { openShare, type ShareDeps } from '../share-api/open-share.ts'
import type { BuiltPages } from './assets/built-pages.ts'
import { createFormats } from './html/formats.ts'
import { pageLanguage } from './html/language.ts'
import { sharePageHtml } from './html/share-page.ts'
import type { ShareTab } from './html/share-tab.ts'
import { textsOf } from './html/texts.ts'
import { pageHeaders } from './page-headers.ts'

type Deps = ShareDeps & { titleTimeZone: string; mapPages: MapPages; built: BuiltPages; tabs: readonly ShareTab[] }

/** Read leniently: a page is better than an error for a mistyped address. */
const PageQuery = Type.Object({ embed: Type.Optional(Type.Unknown()), lang: Type.Optional(Type.Unknown()) })
const SCHEMA = { hide: true, params: SharedParams, querystring: PageQuery }

type PageRequest = FastifyRequest & { params: { token: string }; query: { embed?: unknown; lang?: unknown } }

/** GET /s/:token, and a further address for each of its tabs: the page of a share, complete without scripts. */
export function showSharePage(app: HttpServer, deps: Deps) {
  for (const tab of deps.tabs) {
    const show = (request: PageRequest, reply: FastifyReply) => sendPage(deps, tab, request, reply)
    app.get(`/s/:token${tab.path}`, { schema: SCHEMA }, show)
    app.get(`/s/:token${tab.path}/`, { schema: SCHEMA }, show)
  }
}

async function sendPage(deps: Deps, tab: ShareTab, request: PageRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { params, query, headers } = request
  const share = await openShare(deps, params.token)
  const offered = await Promise.all(deps.tabs.map((each) => each.isOffered(share)))
  const tabs = deps.tabs.filter((_tab, at) => offered[at])
  if (!tabs.includes(tab)) throw trackNotFound()
  const language = pageLanguage(query.lang, headers['accept-language'])
  const texts = textsOf(language)
  const view = sharedView(share, deps.titleTimeZone)
  const formats = createFormats(language, view.event.effective_time_zone)
  const content = await tab.content({ share, view, texts, formats })
  const isEmbedded = query.embed !== undefined
  const nonce = randomBytes(16).toString('base64')
  const map = await deps.mapPages.forPage()
  return reply.headers(pageHeaders(map, nonce, isEmbedded ? 'any' : 'none')).send(
    sharePageHtml({
      view,
      language,
      texts,
      isEmbedded,
      nonce,
      metaValues: map.metaValues(nonce),
      days: formats.days(view.event.starts_on, view.event.ends_on),
      address: `/s/${encodeURIComponent(params.token)}`,
      tab,
      tabs,
      content,
      built: deps.built,
    }),
  )
}
