import { fileSize } from '#platform/basics/text.ts'
import { type Html, html, htmlDocument, scriptJson } from '#platform/pages/html.ts'
import { type OutlineBranch, type OutlineEntry, outlineTree } from '../model/document-content.ts'
import { type FaceView, faceNotes } from './face-view.ts'
import { searchForm } from './find-in-document.ts'
import { failureText, type InterfaceTranslate, interfaceTexts, progressText } from './interface-texts.ts'
import { publicationHead, SITE_NAME } from './page-head.ts'
import { attachmentLink, leadingImage, pageSection } from './page-section.ts'
import {
  hasReader,
  hasText,
  type Layout,
  layoutOf,
  leadingPage,
  type Part,
  type PublicPageView,
  pageAnchor,
} from './page-view.ts'

/** A title of more characters is set in a smaller size, so that the first page stays on the screen. */
const LONG_TITLE = 90

/** Writes the public page of a publication, whole or for a frame. It is complete without scripts. */
export function publicPageHtml(view: PublicPageView): string {
  const t = interfaceTexts(view.language)
  const layout = layoutOf(view)
  const outline = view.form === 'page' ? outlineNav(view, t) : undefined
  const isReader = hasReader(view)
  const classes = [
    view.form,
    layout.name,
    outline && 'has-outline',
    isReader && 'has-reader',
    view.isOffline && 'offline',
  ]
  const body = html`<body class="${classes.filter(Boolean).join(' ')}">
<a class="skip" href="#pages">${t('skipToPages')}</a>
${isReader && html`<div class="reader-bar" id="reader-bar"></div>\n`}${view.form === 'page' ? pageTop(view, t) : embedTop(view, t)}
${view.isPreview && html`<div class="banner"><p>${t('preview')}</p></div>\n`}${banner(view, t)}
<div class="body">
${outline}
<main id="pages" tabindex="-1">
${partNav(view, t, 'before')}
${leadingFigure(view, layout, t)}${view.pages.map((page) => pageSection(view, page, layout, t))}
${partNav(view, t, 'after')}
</main>
</div>
${view.form === 'page' && html`${pageFoot(view, t)}\n`}<script type="application/json" id="publication-data">${scriptJson(readerData(view))}</script>
${isUnfinished(view) && html`<script type="module" src="${view.assets.script}"></script>\n`}${isReader && html`${readerScript(view)}\n`}</body>`
  return htmlDocument(view.language, publicationHead(view, layout, t), body)
}

/** Writes the script of the reader. Browsers load no modules from a folder. */
function readerScript({ assets, isOffline }: PublicPageView): Html {
  if (isOffline) return html`<script src="${assets.reader}"></script>`
  return html`<script type="module" src="${assets.reader}" fetchpriority="low"></script>`
}

/** The beginning of the figure with the page that the address names. */
export const LEAD = '<figure class="lead">'

/** Writes the image of the page that the address names, in front of hundreds of others; readers remove it. */
function leadingFigure(view: PublicPageView, layout: Layout, t: InterfaceTranslate): Html | undefined {
  const page = leadingPage(view)
  if (view.openAt === undefined || page === undefined || page === view.pages[0]) return undefined
  return html`<figure class="lead">${leadingImage(view, page, layout, t)}</figure>\n`
}

/** Returns the data for the scripts of the page, which are the same for all pages. */
function readerData(view: PublicPageView) {
  const { slug, title, status, pageCount, documentLanguage, language, part, addresses, hasLastingAddresses } = view
  const { isOffline } = view
  return {
    slug,
    title,
    status,
    pageCount,
    from: part.from,
    to: part.to,
    hasText: hasText(view),
    openAt: view.openAt,
    documentLanguage,
    ...(view.isRightToLeft && { isRightToLeft: true }),
    interfaceLanguage: language,
    page: addresses.page,
    embed: addresses.embed,
    ...(view.allowsDownload && { download: addresses.download }),
    api: addresses.api,
    words: `${addresses.api}/pages/`,
    search: `${addresses.api}/search`,
    ...(!isOffline && { events: `${addresses.api}/events`, reading: `${addresses.api}/reading` }),
    // The API lists new addresses in place of image addresses that end.
    ...(!hasLastingAddresses && { images: `${addresses.api}/images` }),
  }
}

function pageTop(view: PublicPageView, t: InterfaceTranslate): Html {
  const date = new Intl.DateTimeFormat(t('locale'), { dateStyle: 'long', timeZone: 'UTC' })
  const day = view.publishedAtMs === undefined ? undefined : new Date(view.publishedAtMs)
  return html`<header class="top">
${view.face !== undefined && html`${faceLine(view.face, view)}\n`}${titleHeading(view)}
<p class="byline">${view.author !== undefined && html`<span class="author">${isolatedAuthor(view.author, t)}</span> `}<span>${t('pageCount', { count: view.pageCount })}</span>${day !== undefined && html` <time datetime="${day.toISOString()}">${t('publishedOn', { date: date.format(day) })}</time>`}</p>
<div class="actions">
${view.allowsDownload && html`<a class="button" href="${view.addresses.download}">${t('download')} <span class="size">${fileSize(view.sizeBytes, t('locale'))}</span></a>\n`}${view.status !== 'failed' && html`${viewChoice(view, t)}\n${!view.isOffline && searchForm(t)}`}
</div>
${view.fillable !== undefined && html`<p class="form-note">${t(view.fillable === 'fillable' ? 'form' : 'formForAcrobat')}</p>\n`}${attachmentList(view, t)}</header>`
}

/** Writes the files that are attached to the document. */
function attachmentList(view: PublicPageView, t: InterfaceTranslate): Html | undefined {
  if (view.attachments.length === 0) return undefined
  return html`<details class="attachments"><summary>${t('attachments', { count: view.attachments.length })}</summary>
<ul>${view.attachments.map((file) => html`<li>${attachmentLink(view, file)}</li>\n`)}</ul></details>
`
}

/** Writes the logo and the name of a workspace, which lead to its shelf, and the collection on it. */
function faceLine({ name, shelf, logo }: FaceView, { assets, collection }: PublicPageView): Html {
  const group =
    collection !== undefined &&
    html` <span class="of-collection"><a href="${collection.address}"><bdi>${collection.name}</bdi></a></span>`
  return html`<p class="face"><a href="${shelf}">${faceLogo(logo, assets.root)}<bdi>${name}</bdi></a>${group}</p>`
}

/** Writes a logo beside the name of its workspace, which says the same. */
export function faceLogo(logo: FaceView['logo'], root: string): Html | undefined {
  if (logo === undefined) return undefined
  const { path, width, height } = logo
  return html`<img src="${root}${path}" width="${width}" height="${height}" alt="">`
}

/** Writes the links to the shelf of a workspace, its site and its contact, and its licence. */
function pageFoot({ face }: PublicPageView, t: InterfaceTranslate): Html {
  if (face === undefined) return html`<footer class="foot"><p>${SITE_NAME}</p></footer>`
  return html`<footer class="foot"><p><a href="${face.shelf}"><bdi>${face.name}</bdi></a>${faceNotes(face, t)}</p></footer>`
}

function embedTop(view: PublicPageView, t: InterfaceTranslate): Html {
  return html`<header class="top">
${titleHeading(view)}
<div class="actions">
<a class="button" href="${view.addresses.here}" target="_blank" rel="noopener">${t('openPublication')}</a>
${view.status !== 'failed' && viewChoice(view, t)}
</div>
</header>`
}

function titleHeading({ title, documentLanguage }: PublicPageView): Html {
  // An empty language means unknown; without the attribute it would be the language of the interface.
  return html`<h1 lang="${documentLanguage}"${title.length > LONG_TITLE && html` class="long"`}><bdi>${title}</bdi></h1>`
}

/** Writes the author's name, isolated from the text around it. */
function isolatedAuthor(author: string, t: InterfaceTranslate): Html {
  const [before, after] = t('by', { author: '\n' }).split('\n')
  return html`${before}<bdi>${author}</bdi>${after}`
}

/** Writes the choice between pages and text, if there is any; the stylesheet shows the chosen one. */
function viewChoice(view: PublicPageView, t: InterfaceTranslate): Html | undefined {
  if (!hasText(view)) return undefined
  return html`<fieldset class="view"><legend>${t('view')}</legend>
<label><input type="radio" name="view" id="view-pages" checked=""><span>${t('viewPages')}</span></label><label><input type="radio" name="view" id="view-text"><span>${t('viewText')}</span></label>
</fieldset>`
}

function banner(view: PublicPageView, t: InterfaceTranslate): Html | undefined {
  const { status, pagesReady, pageCount } = view
  if (status === 'failed')
    return html`<div class="banner failed" role="alert"><p><strong>${t('failed')}.</strong> ${t(view.allowsDownload ? 'failedDetail' : 'failedNoDownload')}</p>\n<p>${failureText(t, view.failureCode)}</p></div>`
  if (!isUnfinished(view)) return undefined
  const [one, many] = [progressText(t, 1, pageCount), progressText(t, 2, pageCount)]
  return html`<div class="banner" id="progress" data-one="${one}" data-many="${many}">
<p><span class="count">${progressText(t, pagesReady, pageCount)}</span> <span class="rest">${t('progressRest')}</span></p>
<progress max="${pageCount}" value="${pagesReady}" aria-hidden="true"></progress>
</div>`
}

/** Returns whether pages are still being rendered; a publication is ready before its last pages are. */
function isUnfinished({ status, pagesReady, pageCount }: PublicPageView): boolean {
  return status !== 'failed' && (status === 'processing' || pagesReady < pageCount)
}

function partNav(view: PublicPageView, t: InterfaceTranslate, position: 'before' | 'after'): Html | undefined {
  const { previous, next, addresses } = view
  if ((position === 'before' ? previous : (previous ?? next)) === undefined) return undefined
  const link = (part: Part | undefined, rel: string, key: 'previousPart' | 'nextPart') =>
    part && html`<a rel="${rel}" href="${addresses.part(part)}">${t(key, { from: part.from, to: part.to })}</a>`
  return html`<nav class="parts" aria-label="${t('parts')}">${link(previous, 'prev', 'previousPart')} ${position === 'after' && link(next, 'next', 'nextPart')}</nav>`
}

/** Writes the table of contents as nested lists of links; undefined if the document has none. */
function outlineNav(view: PublicPageView, t: InterfaceTranslate): Html | undefined {
  if (view.outline.length === 0) return undefined
  const link = ({ title, page, uri }: OutlineEntry): Html => {
    if (page !== undefined)
      return html`<a href="${pageAnchor(page, view.part, view.pageCount, view.addresses.part)}" dir="auto">${title}</a>`
    if (uri !== undefined) return html`<a href="${uri}" rel="noopener nofollow ugc" dir="auto">${title}</a>`
    return html`<span dir="auto">${title}</span>`
  }
  const list = (branches: OutlineBranch[]): Html => html`<ol>
${branches.map(({ entry, branches: below }) => html`<li>${link(entry)}${below.length > 0 && list(below)}</li>\n`)}</ol>`

  return html`<nav class="outline" aria-label="${t('contents')}">
<p class="outline-title" aria-hidden="true">${t('contents')}</p>
<details><summary>${t('contents')}</summary>
<div lang="${view.documentLanguage}">${list(outlineTree(view.outline))}</div></details>
</nav>`
}
