import { type Html, html } from '#platform/http/server/html.ts'
import { documentLanguage } from '../../domain/document-language.ts'
import type { Block, Role } from '../../domain/page-structure.ts'
import type { InterfaceTexts } from './interface-texts.ts'

/** A page's own heading has level 2, and no heading of HTML is below 6. */
const LEVELS_ABOVE = 2

type ItemRole = Extract<Role, { kind: 'item' }>
type CellRole = Extract<Role, { kind: 'cell' }>

/**
 * Writes the text of a page as the file structures it: headings below the page's own, lists, tables, quotes, and
 * figures by their alternatives. `language` is that of the document, which elements need not repeat.
 */
export function textBlocks(blocks: readonly Block[], language: string | undefined, texts: InterfaceTexts): Html {
  return new BlockWriter(blocks, language, texts).write()
}

class BlockWriter {
  readonly #blocks: readonly Block[]
  readonly #language: string | undefined
  readonly #texts: InterfaceTexts
  #at = 0

  constructor(blocks: readonly Block[], language: string | undefined, texts: InterfaceTexts) {
    this.#blocks = blocks
    this.#language = language
    this.#texts = texts
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
    if (role.kind === 'heading') return heading(Math.min(6, role.level + LEVELS_ABOVE), text, language)
    if (role.kind === 'quote') return html`<blockquote dir="auto"${language}>${text}</blockquote>\n`
    if (role.kind === 'figure') {
      const label = html`<span class="figure-label">${this.#texts.figure}</span>`
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

function heading(level: number, text: string, language: Html | undefined): Html {
  const tag = `h${level}`
  return html`<${tag} dir="auto"${language}>${text}</${tag}>\n`
}
