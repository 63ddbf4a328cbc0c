import { Marked, type Tokens } from 'marked'
import { Html, html } from '../../src/platform/pages/html.ts'
import type { Place } from './recorded-route.ts'

/** The texts of a cover, and the shape of its picture: corners as fractions of a square, from its upper left. */
export type Cover = {
  title: string
  subtitle: string
  shape: readonly Place[]
  /** Colours of the background and of the drawing. */
  colours: { ground: string; line: string; echo: string }
}

type Heading = { depth: number; title: string; fragment: string }

/** With more headings than this, the table of contents has the sections alone. */
const MAX_HEADINGS = 30
/** Number of times the shape is drawn on the cover, each time wider and fainter. */
const ECHOES = 9

/** Writes an English text in Markdown as a page to print: a cover, contents, and the text. */
export function documentPage(cover: Cover, markdown: string): string {
  const headings: Heading[] = []
  const text = readMarkdown(markdown, headings)
  const sections = headings.filter(({ depth }) => depth === 2)
  const parts = headings.filter(({ depth }) => depth === 2 || depth === 3)
  return html`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>${cover.title}</title>
<link rel="stylesheet" href="print.css">
<style>@page { @bottom-left { content: "${cover.title}" } }</style>
${new Html(drawCover(cover))}
<nav><h2>Contents</h2><ul>
${(parts.length > MAX_HEADINGS ? sections : parts).map(
  ({ depth, title, fragment }) => html`<li class="depth-${depth}"><a href="#${fragment}">${title}</a></li>\n`,
)}</ul></nav>
<main>${new Html(text)}</main>
</html>`.text
}

/** Turns Markdown into HTML, without pictures and without links to other files. Notes its headings. */
function readMarkdown(markdown: string, headings: Heading[]): string {
  type Renderer = { parser: { parseInline(tokens: Tokens.Generic[]): string } }
  const marked = new Marked({
    renderer: {
      html: () => '',
      image: () => '',
      heading(this: Renderer, { depth, text, tokens }: Tokens.Heading) {
        const title = text.replaceAll('`', '')
        const fragment = title
          .toLowerCase()
          .replace(/[^\p{L}\p{N} -]/gu, '')
          .replaceAll(' ', '-')
        headings.push({ depth, title, fragment })
        return `<h${depth} id="${fragment}">${this.parser.parseInline(tokens)}</h${depth}>`
      },
      link(this: Renderer, { href, tokens }: Tokens.Link) {
        const words = this.parser.parseInline(tokens)
        return /^(https?:|#)/.test(href) ? `<a href="${href}">${words}</a>` : words
      },
    },
  })
  return marked.parse(markdown, { async: false })
}

function drawCover({ title, subtitle, shape, colours }: Cover): string {
  const line = `M${shape.map(({ x, y }) => `${(x * 390).toFixed(1)} ${(y * 390).toFixed(1)}`).join('L')}`
  const echoes = Array.from({ length: ECHOES + 1 }, (_, i) => {
    const echo = ECHOES - i
    const [colour, width, opacity] = echo === 0 ? [colours.line, 2.4, 1] : [colours.echo, 0.7, 0.5 * (1 - echo / 10)]
    const place = `translate(345 265) scale(${1 + echo * 0.07}) translate(-195 -195)`
    return `<path d="${line}" transform="${place}" stroke="${colour}" stroke-width="${width}" opacity="${opacity}"/>`
  })
  return `<header style="background: ${colours.ground}; --line: ${colours.line}">
<svg viewBox="0 0 595 842" aria-hidden="true">${echoes.join('')}</svg>
<h1>${title}</h1><p>${subtitle}</p><p class="series">Trackpress documentation</p>
</header>`
}
