import { type Html, html } from '#platform/pages/html.ts'
import type { AttachedFile, Block, PageLink, Role } from '../model/document-content.ts'
import { documentLanguage } from '../model/statements.ts'
import { failureText, type InterfaceTranslate } from './interface-texts.ts'
import {
  type ImageSource,
  type Layout,
  leadingPage,
  type PageView,
  type PublicPageView,
  pageAnchor,
  sizesOf,
} from './page-view.ts'

/** Writes a page of the document: its image with the links on it, and its text for readers who do not see the image. */
export function pageSection(view: PublicPageView, page: PageView, layout: Layout, t: InterfaceTranslate): Html {
  return html`<section class="page" id="page-${page.page}" data-page="${page.page}" data-width="${page.width}" data-height="${page.height}"${page.widthPt !== undefined && html` data-points="${page.widthPt}"`}>
${heading(view, page, t)}
<div class="sheet">
${picture(view, page, layout, t)}
${linkLayer(view, page, t)}
</div>
${commentList(view, page, t)}${page.failedCode !== undefined && html`<p class="note">${failedText(page, t)}</p>\n`}${textBlock(view, page, t)}
</section>
`
}

/** Writes the value of `srcset`. */
export function sourceSet(sources: readonly ImageSource[]): string {
  return sources.map(({ address, width }) => `${address} ${width}w`).join(', ')
}

function heading({ pageCount }: PublicPageView, { page, label }: PageView, t: InterfaceTranslate): Html {
  const position = label !== undefined && html` <span class="position">(${page}/${pageCount})</span>`
  return html`<h2><a href="#page-${page}">${t('page', { label: label ?? page })}${position}</a></h2>`
}

/** Writes the image of a page alone, as a link to the page, to be shown before the pages in front of it arrive. */
export function leadingImage(view: PublicPageView, page: PageView, layout: Layout, t: InterfaceTranslate): Html {
  return html`<a href="#page-${page.page}">${picture(view, page, layout, t)}</a>`
}

function picture(view: PublicPageView, page: PageView, layout: Layout, t: InterfaceTranslate): Html {
  const { width, height, webp, jpeg } = page
  const isFirst = page === leadingPage(view)
  const alt =
    page.failedCode === undefined ? t('pageOf', { page: page.page, count: view.pageCount }) : failedText(page, t)
  const loading = isFirst ? html`fetchpriority="high"` : html`loading="lazy" decoding="async"`
  return html`<picture><source type="image/webp" srcset="${sourceSet(webp)}" sizes="${sizesOf(page, layout, view)}"><img src="${jpeg}" width="${width}" height="${height}" alt="${alt}" ${loading}></picture>`
}

/** Writes an SVG that gives the sheet its shape before the image loads, and places the links without inline styles. */
function linkLayer(view: PublicPageView, page: PageView, t: InterfaceTranslate): Html {
  const { width, height, links } = page
  const hidden = links.length === 0 && html` aria-hidden="true"`
  return html`<svg class="links" viewBox="0 0 ${width} ${height}"${hidden}>${links.map((link) => {
    const { x, y } = { x: pixels(link.x, width), y: pixels(link.y, height) }
    return html`
<a ${linkTarget(view, link)}><title>${link.uri ?? t('linkToPage', { page: link.page })}</title><rect x="${x}" y="${y}" width="${pixels(link.width, width)}" height="${pixels(link.height, height)}"/></a>`
  })}${commentMarks(page)}</svg>`
}

/** Writes where the comments are, for the pointer; the list below has all of them for everyone. */
function commentMarks({ page, width, height, comments }: PageView): Html[] {
  return comments.map(
    ({ text, file, ...box }, at) => html`
<a href="#comment-${page}-${at + 1}" class="comment-mark" tabindex="-1" aria-hidden="true"><title>${text || file?.name}</title><rect x="${pixels(box.x, width)}" y="${pixels(box.y, height)}" width="${pixels(box.width, width)}" height="${pixels(box.height, height)}"/></a>`,
  )
}

/** Writes the comments of a page and the files attached to it; undefined if there are none. */
function commentList(view: PublicPageView, { page, comments }: PageView, t: InterfaceTranslate): Html | undefined {
  if (comments.length === 0) return undefined
  return html`<details class="comments"><summary>${t('comments', { count: comments.length })}</summary>
<ol class="comment-list" lang="${view.documentLanguage}">${comments.map(({ text, file }, at) => {
    const link = file && attachmentLink(view, file)
    return html`<li id="comment-${page}-${at + 1}" dir="auto">${text} ${link}</li>\n`
  })}</ol></details>
`
}

/** Writes the link to an attached file. A folder has it within the PDF only. */
export function attachmentLink({ addresses, isOffline }: PublicPageView, { id, name }: AttachedFile): Html {
  if (isOffline) return html`<bdi>${name}</bdi>`
  return html`<a href="${addresses.api}/attachments/${id}" download rel="nofollow"><bdi>${name}</bdi></a>`
}

function linkTarget(view: PublicPageView, link: PageLink): Html {
  const { part, pageCount, form } = view
  if (link.uri !== undefined)
    return form === 'page'
      ? html`href="${link.uri}" rel="noopener nofollow ugc"`
      : html`href="${link.uri}" target="_blank" rel="noopener nofollow ugc"`
  return html`href="${pageAnchor(link.page, part, pageCount, view.addresses.part)}"`
}

function textBlock(view: PublicPageView, page: PageView, t: InterfaceTranslate): Html {
  const { text, fullText, isRecognized } = page
  if (text === undefined || text.length === 0) {
    // The note above already explains the failure.
    if (page.failedCode !== undefined) return html`<div class="text"></div>`
    return html`<div class="text"><p class="note">${text === undefined ? t('textToCome') : t('noText')}</p></div>`
  }
  const rest =
    fullText !== undefined && html`<p class="note">${t('textCut')} <a href="${fullText}">${t('fullText')}</a></p>`
  const note = isRecognized && html`<p class="note">${t('recognized')}</p>`
  return html`<div class="text">${note}<div lang="${view.documentLanguage}">${textBlocks(text, view.documentLanguage, t)}</div>${rest}</div>`
}

function failedText({ page, failedCode }: PageView, t: InterfaceTranslate): string {
  return t('pageFailed', { page, reason: failureText(t, failedCode) })
}

/** Rounds to a tenth of a pixel, which is more precise than any pointer. */
function pixels(share: number, whole: number): number {
  return Math.round(share * whole * 10) / 10
}

/** A page's own heading has level 2, and no heading of HTML is below 6. */
const LEVELS_ABOVE = 2

type ItemRole = Extract<Role, { kind: 'item' }>
type CellRole = Extract<Role, { kind: 'cell' }>

/**
 * Writes the text of a page as the file structures it: headings below the page's own, lists, tables, quotes, and
 * figures by their alternatives. `language` is that of the document, which elements need not repeat.
 */
export function textBlocks(blocks: readonly Block[], language: string | undefined, t: InterfaceTranslate): Html {
  return new BlockWriter(blocks, language, t).write()
}

class BlockWriter {
  readonly #blocks: readonly Block[]
  readonly #language: string | undefined
  readonly #t: InterfaceTranslate
  #at = 0

  constructor(blocks: readonly Block[], language: string | undefined, t: InterfaceTranslate) {
    this.#blocks = blocks
    this.#language = language
    this.#t = t
  }

  write(): Html {
    const parts: Html[] = []
    for (let block = this.#next; block !== undefined; block = this.#next) {
      if (block.role.kind === 'item') parts.push(this.#list(block.role))
      else if (block.role.kind === 'cell') parts.push(this.#table())
      else parts.push(this.#simple(this.#take()))
    }
    return html`${parts}`
  }

  get #next(): Block | undefined {
    return this.#blocks[this.#at]
  }

  #take(): Block {
    return this.#blocks[this.#at++]
  }

  #simple({ role, text }: Block): Html {
    const language = this.#languageOf(role)
    if (role.kind === 'heading') return textHeading(Math.min(6, role.level + LEVELS_ABOVE), text, language)
    if (role.kind === 'quote') return html`<blockquote dir="auto"${language}>${text}</blockquote>\n`
    if (role.kind === 'figure') {
      const label = html`<span class="figure-label">${this.#t('figure')}</span>`
      return html`<figure>${label} <figcaption dir="auto"${language}>${text}</figcaption></figure>\n`
    }
    return html`<p dir="auto"${language}>${text}</p>\n`
  }

  /** Writes the items of one list that follow, each with the deeper ones after it. */
  #list({ depth, isNumbered }: ItemRole): Html {
    const items: Html[] = []
    for (let role = this.#next?.role; isItemOf(role, depth, isNumbered); role = this.#next?.role) {
      const { text } = this.#take()
      const inner: Html[] = []
      for (let next = this.#next?.role; isDeeper(next, depth); next = this.#next?.role) inner.push(this.#list(next))
      items.push(html`<li dir="auto"${this.#languageOf(role)}>${text}${inner}</li>\n`)
    }
    return isNumbered ? html`<ol>${items}</ol>\n` : html`<ul>${items}</ul>\n`
  }

  #table(): Html {
    const rows: Html[][] = []
    for (let role = this.#next?.role; role?.kind === 'cell'; role = this.#next?.role) {
      if (rows.length > 0 && role.begins === 'table') break
      if (rows.length === 0 || role.begins === 'row') rows.push([])
      rows[rows.length - 1].push(this.#cell(role, this.#take().text, rows.length === 1))
    }
    return html`<div class="table"><table>${rows.map((cells) => html`<tr>${cells}</tr>\n`)}</table></div>\n`
  }

  #cell(role: CellRole, text: string, isFirstRow: boolean): Html {
    const columns = role.columns > 1 && html` colspan="${role.columns}"`
    const rows = role.rows > 1 && html` rowspan="${role.rows}"`
    const attributes = html`${columns}${rows} dir="auto"${this.#languageOf(role)}`
    if (!role.isHeader) return html`<td${attributes}>${text}</td>`
    return html`<th scope="${isFirstRow ? 'col' : 'row'}"${attributes}>${text}</th>`
  }

  #languageOf({ language }: Role): Html | undefined {
    const tag = documentLanguage(language)
    return tag === undefined || tag === this.#language ? undefined : html` lang="${tag}"`
  }
}

function isItemOf(role: Role | undefined, depth: number, isNumbered: boolean): role is ItemRole {
  return role?.kind === 'item' && role.depth === depth && role.isNumbered === isNumbered
}

function isDeeper(role: Role | undefined, depth: number): role is ItemRole {
  return role?.kind === 'item' && role.depth > depth
}

function textHeading(level: number, text: string, language: Html | undefined): Html {
  const tag = `h${level}`
  return html`<${tag} dir="auto"${language}>${text}</${tag}>\n`
}
