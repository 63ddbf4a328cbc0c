import { Html, html } from '#platform/http/server/html.ts'
import { scriptJson } from '#platform/http/server/script-json.ts'
import type { SharedView } from '../../schemas/shares.ts'
import type { BuiltPages } from '../assets/built-pages.ts'
import { documentHead } from './document-head.ts'
import type { Language } from './language.ts'
import type { ShareTab } from './share-tab.ts'
import type { Texts } from './texts.ts'

/** Everything of a share's page but the content of its tab. */
type SharePage = {
  language: Language
  texts: Texts
  /** Without header and footer, for a frame on another site. */
  isEmbedded: boolean
  nonce: string
  /** Values for the scripts, as `<meta>` elements. */
  metaValues: Record<string, string>
  view: SharedView
  /** The days of the event as a text; undefined if it has none. */
  days: string | undefined
  /** Address of the share without a tab, such as `/s/shr_…`. */
  address: string
  tab: ShareTab
  tabs: readonly ShareTab[]
  content: Html
  built: BuiltPages
}

/** Writes the page of a share. The script puts the live view into `#app` and then removes `#first`. */
export function sharePageHtml(page: SharePage): string {
  const { language, texts, isEmbedded, view, content, built } = page
  const { title } = view
  return html`<!doctype html>
<html lang="${language}">
${documentHead({ ...page, title, preview: { title, description: descriptionOf(page), locale: texts.locale } })}
<body data-tab="${page.tab.name}"${isEmbedded && new Html(' class="embedded"')}>
<a class="skip" href="#content">${texts.skip}</a>
<header>
<div class="title"><h1 dir="auto">${title}</h1>${subtitle(page)}</div>
<div id="status"></div>
${tabLinks(page)}</header>
<main id="content" tabindex="-1">
<div id="first">
${content}
</div>
<div id="app"></div>
</main>
<script type="application/json" id="share">${scriptJson(view)}</script>
<footer>${
    isEmbedded
      ? html`<a href="${address(page, { isEmbedded: false })}" target="_blank" rel="noopener noreferrer">${texts.openWhole}</a>`
      : html`<span>Trackpress</span> <a href="${address(page, { lang: language === 'en' ? 'fr' : 'en' })}" lang="${language === 'en' ? 'fr' : 'en'}" rel="nofollow">${texts.otherLanguage}</a>`
  }</footer>
${built.modules.map((module) => html`<link rel="modulepreload" href="${module}">\n`)}${
  built.script !== undefined && html`<script type="module" src="${built.script}"></script>\n`
}</body>
</html>
`.text
}

/** Describes the share in a preview, with the name of a track's event. Never with a position: previews are kept. */
function descriptionOf({ view, days, texts }: SharePage): string {
  const [about, name] = view.kind === 'event' ? [texts.previewEvent, undefined] : [texts.previewTrack, view.event.name]
  return [name, days, about].filter((part) => part !== undefined).join(' · ')
}

/** Writes the event of a shared track, and the days. */
function subtitle({ view, days }: SharePage): Html | undefined {
  const parts = [view.kind === 'track' ? view.event.name : undefined, days].filter((part) => part !== undefined)
  return parts.length === 0 ? undefined : html`<p dir="auto">${parts.join(' · ')}</p>`
}

function tabLinks(page: SharePage): Html | undefined {
  const { tabs, tab, texts } = page
  if (tabs.length < 2) return undefined
  const links = tabs.map((each) => {
    const current = each === tab && new Html(' aria-current="page"')
    return html`<li><a href="${address(page, { tab: each })}"${current}>${texts.tabs[each.name]}</a></li>`
  })
  return html`<nav aria-label="${texts.views}"><ul>${links}</ul></nav>\n`
}

type AddressOptions = { tab?: ShareTab; isEmbedded?: boolean; lang?: Language }

/** Returns the address of a tab, which keeps the form and a chosen language. */
function address(page: SharePage, options: AddressOptions): string {
  const { tab = page.tab, isEmbedded = page.isEmbedded, lang } = options
  const query = [...(isEmbedded ? ['embed'] : []), ...(lang === undefined ? [] : [`lang=${lang}`])].join('&')
  return `${page.address}${tab.path}${query === '' ? '' : `?${query}`}`
}
