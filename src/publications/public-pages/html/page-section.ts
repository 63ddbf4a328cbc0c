import { type Html, html } from '#platform/http/server/html.ts'
import type { PageLink } from '../../domain/page-content.ts'
import type { InterfaceTexts } from './interface-texts.ts'
import type { ImageSource, PageView, PublicPageView } from './page-view.ts'
import { pageAnchor } from './parts.ts'
import { textBlocks } from './text-blocks.ts'

/** Writes a page of the document: its image with the links on it, and its text for readers who do not see the image. */
export function pageSection(view: PublicPageView, page: PageView, sizes: string, texts: InterfaceTexts): Html {
  return html`<section class="page" id="page-${page.page}" data-page="${page.page}" data-width="${page.width}" data-height="${page.height}">
${heading(view, page, texts)}
<div class="sheet">
${picture(view, page, sizes, texts)}
${linkLayer(view, page, texts)}
</div>
${page.failedCode !== undefined && html`<p class="note">${failedText(page, texts)}</p>\n`}${textBlock(view, page, texts)}
</section>
`
}

/** Writes the value of `srcset`. */
export function sourceSet(sources: readonly ImageSource[]): string {
  return sources.map(({ address, width }) => `${address} ${width}w`).join(', ')
}

function heading({ pageCount }: PublicPageView, { page, label }: PageView, texts: InterfaceTexts): Html {
  const position = label !== undefined && html` <span class="position">(${page}/${pageCount})</span>`
  return html`<h2><a href="#page-${page}">${texts.page(label ?? String(page))}${position}</a></h2>`
}

function picture(view: PublicPageView, page: PageView, sizes: string, texts: InterfaceTexts): Html {
  const { width, height, webp, jpeg } = page
  const isFirst = page === view.pages[0]
  const alt = page.failedCode === undefined ? texts.pageOf(page.page, view.pageCount) : failedText(page, texts)
  const loading = isFirst ? html`fetchpriority="high"` : html`loading="lazy" decoding="async"`
  return html`<picture><source type="image/webp" srcset="${sourceSet(webp)}" sizes="${sizes}"><img src="${jpeg}" width="${width}" height="${height}" alt="${alt}" ${loading}></picture>`
}

/** Writes an SVG that gives the sheet its shape before the image loads, and places the links without inline styles. */
function linkLayer(view: PublicPageView, { width, height, links }: PageView, texts: InterfaceTexts): Html {
  const hidden = links.length === 0 && html` aria-hidden="true"`
  return html`<svg class="links" viewBox="0 0 ${width} ${height}"${hidden}>${links.map((link) => {
    const { x, y } = { x: pixels(link.x, width), y: pixels(link.y, height) }
    return html`
<a ${linkTarget(view, link)}><title>${link.uri ?? texts.linkToPage(link.page)}</title><rect x="${x}" y="${y}" width="${pixels(link.width, width)}" height="${pixels(link.height, height)}"/></a>`
  })}</svg>`
}

function linkTarget({ part, pageCount, addresses, form }: PublicPageView, link: PageLink): Html {
  if (link.uri !== undefined)
    return form === 'page'
      ? html`href="${link.uri}" rel="noopener nofollow ugc"`
      : html`href="${link.uri}" target="_blank" rel="noopener nofollow ugc"`
  const address = form === 'page' ? addresses.page : addresses.embed
  return html`href="${pageAnchor(link.page, part, pageCount, address)}"`
}

function textBlock(view: PublicPageView, page: PageView, texts: InterfaceTexts): Html {
  const { text, fullText } = page
  if (text === undefined || text.length === 0) {
    // The note above already explains the failure.
    if (page.failedCode !== undefined) return html`<div class="text"></div>`
    return html`<div class="text"><p class="note">${text === undefined ? texts.textToCome : texts.noText}</p></div>`
  }
  const rest =
    fullText !== undefined && html`<p class="note">${texts.textCut} <a href="${fullText}">${texts.fullText}</a></p>`
  return html`<div class="text"><div lang="${view.documentLanguage}">${textBlocks(text, view.documentLanguage, texts)}</div>${rest}</div>`
}

function failedText({ page, failedCode }: PageView, texts: InterfaceTexts): string {
  return texts.pageFailed(page, texts.failure(failedCode ?? ''))
}

/** Rounds to a tenth of a pixel, which is more precise than any pointer. */
function pixels(share: number, whole: number): number {
  return Math.round(share * whole * 10) / 10
}
