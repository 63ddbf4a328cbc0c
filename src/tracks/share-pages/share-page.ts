import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import fastifyStatic from '@fastify/static'
import Type from 'typebox'
import { notFound } from '#platform/basics/errors.ts'
import { languageName } from '#platform/basics/translate.ts'
import { FOREVER, type HttpServer } from '#platform/http/http-server.ts'
import { documentHead, Html, html, htmlDocument, metaElements, scriptJson } from '#platform/pages/html.ts'
import { type FrameAncestors, pageHeaders } from '#platform/pages/page-headers.ts'
import type { OpenShare } from '../shares/open-share.ts'
import type { SharedView } from '../shares/schemas.ts'
import { type Formats, type PageTranslate, TEXTS } from './texts.ts'

/** Everything of a share's page but the content of its tab. */
type SharePage = {
  language: string
  /** The language that the page's address asks for, if it does; its links keep it. */
  chosenLanguage: string | undefined
  t: PageTranslate
  /** Without header and footer, for a frame on another site. */
  isEmbedded: boolean
  nonce: string
  /** Values for the scripts, as `<meta>` elements. */
  metaValues: Record<string, string>
  view: SharedView
  /** Name of the event, or that of the track in the language of the page. */
  title: string
  /** The days of the event as a text; undefined if it has none. */
  days: string | undefined
  /** Address of the share without a tab, such as `/s/shr_…`. */
  address: string
  tab: ShareTab
  tabs: readonly ShareTab[]
  content: Html
  built: BuiltPages
  /** Public address of the server, for the picture of previews. */
  baseUrl: string
  /** Time of the state, and that time as a text, for a page that is opened without a network. */
  asOf: { ms: number; text: string }
}

/** Writes the page of a share. The script puts the live view into `#app` and then removes `#first`. */
export function sharePageHtml(page: SharePage): string {
  const { language, t, isEmbedded, view, title, content, built } = page
  const { worker } = built
  const next = built.next[view.kind === 'track' && page.tab.name === 'map' ? 'track' : page.tab.name]
  const image = page.baseUrl + ASSETS_PATH + CARD
  const preview = { title, description: descriptionOf(page), locale: t('locale'), image }
  const head = pageHead({ ...page, title, preview })
  const hasCourse = page.tabs.some(({ name }) => name === 'results')
  const body = html`<body data-tab="${page.tab.name}"${hasCourse && new Html(' data-course')}${worker !== undefined && html` data-worker="${worker}"`}${isEmbedded && new Html(' class="embedded"')}>
<a class="skip" href="#content">${t('skip')}</a>
<header>
<div class="title"><h1 dir="auto">${title}</h1>${subtitle(page)}</div>
<div id="status"></div>
${tabLinks(page)}</header>
<main id="content" tabindex="-1">
<p id="offline" hidden role="status" data-as-of-ms="${page.asOf.ms}">${t('offline', { time: page.asOf.text })}</p>
<div id="first">
${content}
</div>
<div id="app"></div>
</main>
<script type="application/json" id="share">${scriptJson(view)}</script>
<footer>${
    isEmbedded
      ? html`<a href="${address(page, { isEmbedded: false })}" target="_blank" rel="noopener noreferrer">${t('openWhole')}</a>`
      : html`<span>Trackpress</span>${languageLinks(page.language, (lang) => address(page, { lang }))}`
  }</footer>
${built.script !== undefined && html`<script type="module" src="${built.script}"></script>\n`}${next.styles.map((style) => html`<link rel="preload" as="style" crossorigin href="${style}">\n`)}${[...next.modules, ...built.textsIn(language)].map((module) => html`<link rel="modulepreload" href="${module}">\n`)}</body>`
  return htmlDocument(language, head, body)
}

/** Describes the share in a preview, with the name of a track's event. Never with a position: previews are kept. */
function descriptionOf({ view, days, t }: SharePage): string {
  const [about, name] = view.kind === 'event' ? [t('previewEvent'), undefined] : [t('previewTrack'), view.event.name]
  return [name, days, about].filter((part) => part !== undefined).join(' · ')
}

/** Writes the event of a shared track, and the days. */
function subtitle({ view, days }: SharePage): Html | undefined {
  const parts = [view.kind === 'track' ? view.event.name : undefined, days].filter((part) => part !== undefined)
  return parts.length === 0 ? undefined : html`<p dir="auto">${parts.join(' · ')}</p>`
}

function tabLinks(page: SharePage): Html | undefined {
  const { tabs, tab, t } = page
  if (tabs.length < 2) return undefined
  const links = tabs.map((each) => {
    const current = each === tab && new Html(' aria-current="page"')
    return html`<li><a href="${address(page, { tab: each })}"${current}>${t(`tabs.${each.name}`)}</a></li>`
  })
  return html`<nav aria-label="${t('views')}"><ul>${links}</ul></nav>\n`
}

/** Writes a link to the same page in each other language. */
export function languageLinks(language: string, addressIn: (lang: string) => string): Html[] {
  return TEXTS.languages
    .filter((other) => other !== language)
    .map((lang) => html` <a href="${addressIn(lang)}" lang="${lang}" rel="nofollow">${languageName(lang)}</a>`)
}

type AddressOptions = { tab?: ShareTab; isEmbedded?: boolean; lang?: string }

/** Returns the address of a tab, which keeps the form and a chosen language. */
function address(page: SharePage, options: AddressOptions): string {
  const { tab = page.tab, isEmbedded = page.isEmbedded, lang = page.chosenLanguage } = options
  const query = [...(isEmbedded ? ['embed'] : []), ...(lang === undefined ? [] : [`lang=${lang}`])].join('&')
  return `${page.address}${tab.path}${query === '' ? '' : `?${query}`}`
}

/** The share, words and formats with which a tab writes its content. */
export type TabPage = { share: OpenShare; view: SharedView; t: PageTranslate; formats: Formats }

/** A view of a share: a part of its page with an address of its own. */
export type ShareTab = {
  /** Names the tab in texts and for the script, which replaces its content by a live view. */
  name: 'map' | 'results' | 'replay'
  /** Its address below that of the share; empty for the first. */
  path: '' | '/results' | '/replay'
  /** Tells whether the share has something to show here. */
  isOffered(share: OpenShare): Promise<boolean>
  /** Writes the content as HTML that is complete without scripts. */
  content(page: TabPage): Promise<Html>
}

/** Small, so that it is in the page itself: another request would take as long as the page on a slow line. */
const STYLE = readStyle('share-page.css')

/** Reads a style of this folder, without its comments and indents. */
export function readStyle(name: string): string {
  return readFileSync(new URL(name, import.meta.url), 'utf8')
    .replaceAll(/\/\*.*?\*\//gs, '')
    .replaceAll(/\s*\n\s*/g, '\n')
}

/** The program's icon, as in the dashboard. */
const ICON =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'%3E%3Crect width='32' height='32' rx='8' fill='%230b7285'/%3E%3Cpath d='M7 23c3-9 6-2 9-7s4-9 9-7' fill='none' stroke='%23fff' stroke-width='3' stroke-linecap='round'/%3E%3Ccircle cx='25' cy='9' r='3' fill='%23ffd43b'/%3E%3C/svg%3E"

type PageHead = {
  title: string
  nonce: string
  /** Values that scripts read. */
  metaValues: Record<string, string>
  /** Title and description for chats and social networks; undefined for pages that tell nothing. */
  preview?: { title: string; description: string; locale: string; image: string }
  /** Style of this kind of page beside the common one. */
  style?: string
}

/**
 * Returns the headers of a page whose address is a secret: it is not sent to other sites, and no search engine keeps
 * it.
 */
export function secretPageHeaders(
  policy: string,
  frames: FrameAncestors,
  cacheControl: string,
): Record<string, string> {
  return {
    ...pageHeaders(policy, frames),
    'referrer-policy': 'no-referrer',
    'x-robots-tag': 'noindex',
    'cross-origin-opener-policy': 'same-origin',
    'permissions-policy': 'camera=(), microphone=(), payment=(), usb=()',
    'cache-control': cacheControl,
  }
}

/** Writes the head of a spectators' page. */
export function pageHead({ title, nonce, metaValues, preview, style = '' }: PageHead): Html {
  return documentHead({
    title,
    metas: { 'color-scheme': 'light dark', robots: 'noindex', referrer: 'no-referrer' },
    rest: html`${preview && previewTags(preview)}${metaElements(metaValues)}<link rel="icon" href="${new Html(ICON)}">
<style nonce="${nonce}">${new Html(STYLE + style)}</style>`,
  })
}

/** Writes Open Graph properties (https://ogp.me) and those of Twitter cards. Without an address, which is a secret. */
function previewTags({ title, description, locale, image }: NonNullable<PageHead['preview']>): Html {
  const properties = {
    type: 'website',
    site_name: 'Trackpress',
    title,
    description,
    locale: locale.replace('-', '_'),
    image,
    'image:type': 'image/png',
    'image:width': CARD_SIZE.width,
    'image:height': CARD_SIZE.height,
  }
  return html`<meta name="description" content="${description}">
${Object.entries(properties).map(([name, value]) => html`<meta property="og:${name}" content="${value}">\n`)}<meta name="twitter:card" content="summary_large_image">
`
}

/** The scripts of the pages, at addresses that change with the content. */
export type BuiltPages = {
  /** Folder of the built files. */
  dir: string
  /** Address of the script that starts the page; undefined if it has not been built. */
  script: string | undefined
  /** Addresses of what the script of each tab loads next, so that a browser can request all at once. */
  next: { [Tab in keyof typeof TABS]: { modules: readonly string[]; styles: readonly string[] } }
  /** Returns the address of the texts of a language; none if they have not been built. */
  textsIn(language: string): string[]
  /** Address of the script that forwards from earlier addresses; undefined if it has not been built. */
  forward: string | undefined
  /** Address of the service worker, which shows pages without a network; undefined if it has not been built. */
  worker: string | undefined
}

/** The part of a build's manifest that pages need (Vite, `build.manifest`). */
type Manifest = Record<string, { file: string; imports?: string[]; css?: string[] }>

/** Sources by which the manifest names the built files. */
const [ENTRY, FORWARD, WORKER] = ['main.ts', 'forward.ts', 'worker.ts']
/** Texts of a language, as the build names them. */
const TRANSLATIONS = '../../virtual:translations'
const TABS = { map: 'event-tab.tsx', track: 'track-tab.tsx', results: 'results-tab.tsx', replay: 'replay-tab.tsx' }
/** Below `/s/`, where no token can be `_`. */
const ASSETS_PATH = '/s/_/'
const SPECTATOR_DIR = fileURLToPath(import.meta.resolve('#project/dist/spectator'))
const FilePath = Type.Object({ '*': Type.String() })
/** The picture of previews: without a map or a name, because previews are kept elsewhere for long. */
const CARD = 'card.png'
const CARD_SIZE = { width: 1200, height: 630 }
/** A day: the picture has one address for all versions, which previews keep. */
const FOR_A_DAY = 'public, max-age=86400'
/** A file of the build, and no other file of its folder. */
const BUILT_FILE = /^assets\/[\w-]+(?:\.[\w-]+)*$/

/** Finds the built scripts of the spectators' pages. */
export function findBuiltPages(dir = SPECTATOR_DIR): BuiltPages {
  const manifest = readManifest(dir)
  const addressOf = (name: string) => manifest[name] && ASSETS_PATH + manifest[name].file
  const nextOf = (tab: string) => {
    const next = new Set([ENTRY, tab].flatMap((name) => [...(manifest[name]?.imports ?? []), name]))
    const styles = [...next].flatMap((name) => manifest[name]?.css ?? []).map((file) => ASSETS_PATH + file)
    next.delete(ENTRY)
    return { modules: [...next].flatMap((name) => addressOf(name) ?? []), styles: [...new Set(styles)] }
  }
  return {
    dir,
    script: addressOf(ENTRY),
    next: {
      map: nextOf(TABS.map),
      track: nextOf(TABS.track),
      results: nextOf(TABS.results),
      replay: nextOf(TABS.replay),
    },
    textsIn: (language) => [addressOf(`${TRANSLATIONS}/${language}`) ?? []].flat(),
    forward: addressOf(FORWARD),
    worker: addressOf(WORKER),
  }
}

/** GET /s/_/assets/…: scripts, styles and pictures of the pages, compressed when they were built. */
export function serveBuiltPages(server: HttpServer, { dir, worker }: BuiltPages): void {
  void server.register(async (app: HttpServer) => {
    await app.register(fastifyStatic, { root: dir, serve: false, preCompressed: true, cacheControl: false })
    app.get(`${ASSETS_PATH}*`, { schema: { hide: true, params: FilePath } }, async ({ params }, reply) => {
      const file = params['*']
      if (file === CARD) return reply.header('cache-control', FOR_A_DAY).sendFile(CARD)
      if (!BUILT_FILE.test(file)) throw notFound()
      // A worker may have the pages below its own address alone, unless its server says more.
      if (ASSETS_PATH + file === worker) reply.header('service-worker-allowed', '/s/')
      return reply.header('cache-control', FOREVER).sendFile(file)
    })
  })
}

function readManifest(dir: string): Manifest {
  try {
    return JSON.parse(readFileSync(`${dir}/.vite/manifest.json`, 'utf8')) as Manifest
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {}
    throw error
  }
}
