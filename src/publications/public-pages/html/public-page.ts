import { fileSize } from '#platform/file-size.ts'
import { type Html, html } from '#platform/http/server/html.ts'
import { scriptJson } from '#platform/http/server/script-json.ts'
import { searchForm } from './found-section.ts'
import { type InterfaceTexts, interfaceTexts } from './interface-texts.ts'
import { layoutOf } from './layout.ts'
import { outlineNav } from './outline-nav.ts'
import { publicationHead, SITE_NAME } from './page-head.ts'
import { pageSection } from './page-section.ts'
import { hasReader, type Part, type PublicPageView } from './page-view.ts'
import { partQuery } from './parts.ts'

/** A title of more characters is set in a smaller size, so that the first page stays on the screen. */
const LONG_TITLE = 90

/** Writes the public page of a publication, whole or for a frame. It is complete without scripts. */
export function publicPageHtml(view: PublicPageView): string {
  const texts = interfaceTexts(view.language)
  const layout = layoutOf(view)
  const outline = view.form === 'page' ? outlineNav(view, texts) : undefined
  const isReader = hasReader(view)
  const classes = [view.form, layout.name, outline && 'has-outline', isReader && 'has-reader']
  return html`<!doctype html>
<html lang="${view.language}">
${publicationHead(view, layout, texts)}
<body class="${classes.filter(Boolean).join(' ')}">
<a class="skip" href="#pages">${texts.skipToPages}</a>
${isReader && html`<div class="reader-bar" id="reader-bar"></div>\n`}${view.form === 'page' ? pageTop(view, texts) : embedTop(view, texts)}
${banner(view, texts)}
<div class="body">
${outline}
<main id="pages" tabindex="-1">
${partNav(view, texts, 'before')}
${view.pages.map((page) => pageSection(view, page, layout.sizes, texts))}
${partNav(view, texts, 'after')}
</main>
</div>
${view.form === 'page' && html`<footer class="foot"><p>${SITE_NAME}</p></footer>\n`}<script type="application/json" id="publication-data">${scriptJson(readerData(view))}</script>
${isUnfinished(view) && html`<script type="module" src="${view.assets.script}"></script>\n`}${isReader && html`<script type="module" src="${view.assets.reader}" fetchpriority="low"></script>\n`}</body>
</html>
`.text
}

/** Returns the data for the scripts of the page, which has no inline scripts. */
function readerData(view: PublicPageView) {
  const { slug, title, status, pageCount, documentLanguage, language, part, addresses } = view
  return {
    slug,
    title,
    status,
    pageCount,
    from: part.from,
    to: part.to,
    documentLanguage,
    interfaceLanguage: language,
    page: addresses.page,
    embed: addresses.embed,
    download: addresses.download,
    api: addresses.api,
    words: `${addresses.api}/pages/`,
    search: `${addresses.api}/search`,
    events: `${addresses.api}/events`,
    reading: `${addresses.api}/reading`,
  }
}

function pageTop(view: PublicPageView, texts: InterfaceTexts): Html {
  const date = new Intl.DateTimeFormat(texts.locale, { dateStyle: 'long', timeZone: 'UTC' })
  const day = new Date(view.createdAtMs)
  return html`<header class="top">
${titleHeading(view)}
<p class="byline">${view.author !== undefined && html`<span class="author">${isolatedAuthor(view.author, texts)}</span> `}<span>${texts.pageCount(view.pageCount)}</span> <time datetime="${day.toISOString()}">${texts.publishedOn(date.format(day))}</time></p>
<div class="actions">
<a class="button" href="${view.addresses.download}">${texts.download} <span class="size">${fileSize(view.sizeBytes, texts.locale)}</span></a>
${view.status !== 'failed' && html`${viewChoice(texts)}\n${searchForm(texts)}`}
</div>
</header>`
}

function embedTop(view: PublicPageView, texts: InterfaceTexts): Html {
  return html`<header class="top">
${titleHeading(view)}
<div class="actions">
<a class="button" href="${view.addresses.page}" target="_blank" rel="noopener">${texts.openPublication}</a>
${view.status !== 'failed' && viewChoice(texts)}
</div>
</header>`
}

function titleHeading({ title, documentLanguage }: PublicPageView): Html {
  // An empty language means unknown; without the attribute it would be the language of the interface.
  return html`<h1 lang="${documentLanguage}"${title.length > LONG_TITLE && html` class="long"`}><bdi>${title}</bdi></h1>`
}

/** Writes the author's name, isolated from the text around it. */
function isolatedAuthor(author: string, texts: InterfaceTexts): Html {
  const [before, after] = texts.by('\n').split('\n')
  return html`${before}<bdi>${author}</bdi>${after}`
}

/** Writes the choice between pages and text; the stylesheet shows the chosen one. */
function viewChoice(texts: InterfaceTexts): Html {
  return html`<fieldset class="view"><legend>${texts.view}</legend>
<label><input type="radio" name="view" id="view-pages" checked=""><span>${texts.viewPages}</span></label><label><input type="radio" name="view" id="view-text"><span>${texts.viewText}</span></label>
</fieldset>`
}

function banner(view: PublicPageView, texts: InterfaceTexts): Html | undefined {
  const { status, pagesReady, pageCount } = view
  if (status === 'failed')
    return html`<div class="banner failed" role="alert"><p><strong>${texts.failed}.</strong> ${texts.failedDetail}</p>\n<p>${texts.failure(view.failureCode ?? '')}</p></div>`
  if (!isUnfinished(view)) return undefined
  const [one, many] = [texts.progress(1, pageCount), texts.progress(2, pageCount)]
  return html`<div class="banner" id="progress" data-one="${one}" data-many="${many}">
<p><span class="count">${texts.progress(pagesReady, pageCount)}</span> <span class="rest">${texts.progressRest}</span></p>
<progress max="${pageCount}" value="${pagesReady}" aria-hidden="true"></progress>
</div>`
}

/** Returns whether pages are still being rendered; a publication is ready before its last pages are. */
function isUnfinished({ status, pagesReady, pageCount }: PublicPageView): boolean {
  return status !== 'failed' && (status === 'processing' || pagesReady < pageCount)
}

function partNav(view: PublicPageView, texts: InterfaceTexts, position: 'before' | 'after'): Html | undefined {
  const { previous, next, addresses, form } = view
  if ((position === 'before' ? previous : (previous ?? next)) === undefined) return undefined
  const address = form === 'page' ? addresses.page : addresses.embed
  const link = (part: Part | undefined, rel: string, text: string) =>
    part && html`<a rel="${rel}" href="${address}${partQuery(part)}">${text}</a>`
  return html`<nav class="parts" aria-label="${texts.parts}">${link(previous, 'prev', previous ? texts.previousPart(previous.from, previous.to) : '')} ${position === 'after' && link(next, 'next', next ? texts.nextPart(next.from, next.to) : '')}</nav>`
}
