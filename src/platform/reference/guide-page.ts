import { Marked, type Tokens } from 'marked'
import { documentHead, escapeHtml, fileLinks, Html, html, htmlDocument, type PageFiles } from '../pages/html.ts'

/** Guides for people, by the name of their file in the folder `docs` and of their address below `/docs`. */
export const GUIDES = {
  'first-requests': 'First requests',
  'app-developers': 'Guide for app developers',
  'phone-apps': 'Record with an app you already have',
  webhooks: 'Webhooks',
  publishing: 'Publishing',
  operating: 'Operating',
  running: 'Running',
  alerts: 'Alerts',
  backup: 'Backups',
  scaling: 'Scaling',
  operators: 'Operators',
  events: 'Events and races',
  'admin-command': 'Admin command',
  configuration: 'Configuration',
  errors: 'Errors',
  glossary: 'Glossary',
} as const

export type Guide = keyof typeof GUIDES

/** Writes a guide as an HTML page that needs no script. `text` is Markdown. */
export function guidePage(guide: Guide, text: string, files: PageFiles): string {
  const marked = new Marked({ gfm: true, renderer: { heading, link, table, html: ({ text: raw }) => escapeHtml(raw) } })
  const body = html`<body>
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
</body>`
  return htmlDocument('en', documentHead({ title: `${GUIDES[guide]} · Trackpress`, rest: fileLinks(files) }), body)
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
