import { Marked, type Tokens } from 'marked'
import { escapeHtml, Html, html } from '../server/html.ts'
import { GUIDES, type Guide } from './guides.ts'

/** Writes a guide as an HTML page that needs no script. `text` is Markdown; `style` and `icon` are addresses. */
export function guidePage(guide: Guide, text: string, { style, icon }: { style: string; icon: string }): string {
  const marked = new Marked({ gfm: true, renderer: { heading, link, table, html: ({ text: raw }) => escapeHtml(raw) } })
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${GUIDES[guide]} · Trackpress</title>
<link rel="stylesheet" href="${style}">
<link rel="icon" href="${icon}">
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header class="top"><p class="brand">Trackpress <span>Guides</span></p></header>
<nav aria-label="Guides">
<details>
<summary>Guides</summary>
<div class="contents">
<ul>
${Object.entries(GUIDES).map(
  ([name, title]) =>
    html`<li><a href="${name}"${name === guide && new Html(' aria-current="page"')}>${title}</a></li>\n`,
)}<li><a href="../docs">API reference</a></li>
</ul>
</div>
</details>
</nav>
<main id="content" tabindex="-1">
${new Html(marked.parse(text, { async: false }))}</main>
<footer><p>These guides come with this server, and describe its version.</p></footer>
</body>
</html>
`.text
}

type Renderer = { parser: { parseInline(tokens: Tokens.Generic[]): string; parse(tokens: Tokens.Generic[]): string } }

/** Gives headings the fragments that the guides link to: `#rate_limit`, `#first-start`. */
function heading(this: Renderer, { tokens, depth, text }: Tokens.Heading): string {
  return `<h${depth} id="${fragmentOf(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`
}

/** Leads to another guide by its address. Files that are not served are named, not linked. */
function link(this: Renderer, { href, tokens }: Tokens.Link): string {
  const words = this.parser.parseInline(tokens)
  const address = addressOf(href)
  return address === undefined ? words : `<a href="${escapeHtml(address)}">${words}</a>`
}

function addressOf(href: string): string | undefined {
  if (/^(https?:\/\/|#)/.test(href)) return href
  const [, name, fragment = ''] = /^([\w-]+)\.md(#.*)?$/.exec(href) ?? []
  return name !== undefined && name in GUIDES ? `${name}${fragment}` : undefined
}

/** Wraps tables, so that wide ones scroll on their own. */
function table(this: Renderer, { header, rows }: Tokens.Table): string {
  const row = (cells: readonly Tokens.TableCell[], tag: 'th' | 'td') =>
    `<tr>${cells.map(({ tokens }) => `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`).join('')}</tr>\n`
  const body = rows.map((cells) => row(cells, 'td')).join('')
  return `<div class="scroll" tabindex="0"><table>\n<thead>${row(header, 'th')}</thead>\n<tbody>${body}</tbody>\n</table></div>\n`
}

function fragmentOf(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s+/g, '-')
}
