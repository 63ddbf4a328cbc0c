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

/** Guides that exist in French as well, in `docs/fr` and below `/docs/fr`: those of organisers and publishers. */
export const FRENCH_GUIDES = {
  events: 'Événements et courses',
  publishing: 'Publier des documents',
  'phone-apps': 'Enregistrer avec une application que vous avez déjà',
} as const satisfies Partial<Record<Guide, string>>

export type FrenchGuide = keyof typeof FRENCH_GUIDES

type Renderer = { parser: { parseInline(tokens: Tokens.Generic[]): string; parse(tokens: Tokens.Generic[]): string } }

/** Writes a guide as an HTML page that needs no script. `text` is Markdown. */
export function guidePage(guide: Guide, text: string, files: PageFiles): string {
  const french = guide in FRENCH_GUIDES && html`<a href="fr/${guide}" lang="fr" hreflang="fr">Français</a>`
  const list = html`${Object.entries(GUIDES).map(([name, title]) => entry(name, title, name === guide))}
<li><a href="../docs">API reference</a></li>`
  const texts = { skip: 'Skip to the content', footer: 'These guides come with this server, and describe its version.' }
  const page = { text, files, list, other: french, texts, title: GUIDES[guide], addressOf: addressOfEnglish }
  return writePage('en', page)
}

/** Writes a guide in French, beside which the others are listed in English. `text` is Markdown. */
export function frenchGuidePage(guide: FrenchGuide, text: string, files: PageFiles): string {
  const english = Object.entries(GUIDES).filter(([name]) => !(name in FRENCH_GUIDES))
  const list = html`${Object.entries(FRENCH_GUIDES).map(([name, title]) => entry(name, title, name === guide))}
${english.map(([name, title]) => html`<li><a href="../${name}" lang="en" hreflang="en">${title}</a></li>\n`)}
<li><a href="../../docs" lang="en" hreflang="en">API reference</a></li>`
  const texts = { skip: 'Aller au contenu', footer: 'Ces guides accompagnent ce serveur et décrivent sa version.' }
  const other = html`<a href="../${guide}" lang="en" hreflang="en">English</a>`
  return writePage('fr', { text, files, list, other, texts, title: FRENCH_GUIDES[guide], addressOf: addressOfFrench })
}

type GuidePage = {
  text: string
  files: PageFiles
  title: string
  list: Html
  /** The link to the guide in the other language. */
  other: Html | false
  texts: { skip: string; footer: string }
  /** Returns the address of what a link in the Markdown leads to; undefined if it is not served. */
  addressOf(href: string): string | undefined
}

function writePage(language: 'en' | 'fr', { text, files, title, list, other, texts, addressOf }: GuidePage): string {
  const renderer = { heading, table, link, html: ({ text: raw }: { text: string }) => escapeHtml(raw) }
  const marked = new Marked({ gfm: true, renderer })
  const body = html`<body>
<a class="skip" href="#content">${texts.skip}</a>
<header class="top"><p class="brand">Trackpress <span>Guides</span></p>${other && html`<p>${other}</p>`}</header>
<nav aria-label="Guides">
<details>
<summary>Guides</summary>
<div class="contents">
<ul>
${list}
</ul>
</div>
</details>
</nav>
<main id="content" tabindex="-1">
${new Html(marked.parse(text, { async: false }))}</main>
<footer><p>${texts.footer}</p></footer>
</body>`
  return htmlDocument(language, documentHead({ title: `${title} · Trackpress`, rest: fileLinks(files) }), body)

  /** Leads to another guide by its address. Files that are not served are named, not linked. */
  function link(this: Renderer, { href, tokens }: Tokens.Link): string {
    const words = this.parser.parseInline(tokens)
    const address = addressOf(href)
    return address === undefined ? words : `<a href="${escapeHtml(address)}">${words}</a>`
  }
}

function entry(name: string, title: string, isCurrent: boolean): Html {
  return html`<li><a href="${name}"${isCurrent && new Html(' aria-current="page"')}>${title}</a></li>\n`
}

/** Gives headings the fragments that the guides link to: `#rate_limit`, `#first-start`. */
function heading(this: Renderer, { tokens, depth, text }: Tokens.Heading): string {
  return `<h${depth} id="${fragmentOf(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`
}

function addressOfEnglish(href: string): string | undefined {
  if (/^(https?:\/\/|#)/.test(href)) return href
  const [, name, fragment = ''] = /^([\w-]+)\.md(#.*)?$/.exec(href) ?? []
  return name !== undefined && name in GUIDES ? `${name}${fragment}` : undefined
}

function addressOfFrench(href: string): string | undefined {
  const english = href.startsWith('../') ? addressOfEnglish(href.slice('../'.length)) : undefined
  return english === undefined ? addressOfEnglish(href) : `../${english}`
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
