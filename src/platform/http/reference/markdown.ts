import { escapeHtml, Html, html } from '../server/html.ts'

/** A section of a text under a `## heading`; the first may have no heading. */
export type MarkdownSection = { heading: string | undefined; body: string }

/** Splits a text at its `## headings`. */
export function sectionsOf(text: string): MarkdownSection[] {
  return text
    .split(/^(?=## )/m)
    .map((part) => {
      const [, heading, body] = /^## (.*)\n?([\s\S]*)$/.exec(part) ?? [undefined, undefined, part]
      return { heading, body: body.trim() }
    })
    .filter(({ heading, body }) => heading !== undefined || body !== '')
}

/**
 * Renders the part of CommonMark that descriptions use: paragraphs, `-` lists, fenced code
 * without empty lines, and `inline` markup.
 */
export function markdown(text: string): Html {
  const blocks = text.trim().split(/\n{2,}/)
  return html`${blocks.filter((block) => block !== '').map(blockOf)}`
}

function blockOf(block: string): Html {
  const [, code] = /^```\w*\n([\s\S]*?)\n?```$/.exec(block) ?? []
  if (code !== undefined) return html`<pre><code>${code}</code></pre>`
  if (!block.startsWith('- ')) return html`<p>${inline(block)}</p>`
  const items = block.slice(2).split(/\n- /)
  return html`<ul>${items.map((item) => html`<li>${inline(item)}</li>`)}</ul>`
}

/** Renders `code`, **strong** and [links](https://example.org) within a paragraph. */
export function inline(text: string): Html {
  const escaped = escapeHtml(text)
    .replace(/`([^`]+)`/g, '<code>$1</code>')
    .replace(/\*\*([^*]+)\*\*/g, '<strong>$1</strong>')
    .replace(/\[([^[\]]+)\]\(((?:https?:\/|#|[a-z.]*\/)[^\s()]*)\)/g, '<a href="$2">$1</a>')
  return new Html(escaped)
}
