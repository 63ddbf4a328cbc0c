import type { Tokens } from 'marked'
import { type KeyOf, languageName } from '../basics/translate.ts'
import { documentHead, escapeHtml, fileLinks, Html, html, htmlDocument, type PageFiles } from '../pages/html.ts'
import { readPageTexts } from '../pages/page-texts.ts'
import type english from './guide-page.en.json'

const TEXTS = readPageTexts<KeyOf<typeof english>>(new URL('guide-page.en.json', import.meta.url))

/** Guides for people, by the name of their file in the folder `docs` and of their address below `/docs`. */
export const GUIDES = [
  'first-requests',
  'app-developers',
  'typescript-client',
  'kotlin-client',
  'swift-client',
  'client-cases',
  'live-frames',
  'phone-apps',
  'webhooks',
  'publishing',
  'operating',
  'running',
  'alerts',
  'backup',
  'scaling',
  'operators',
  'events',
  'admin-command',
  'configuration',
  'errors',
  'glossary',
] as const

export type Guide = (typeof GUIDES)[number]

/** Guides for organisers and publishers, which exist in French as well: in `docs/fr` and below `/docs/fr`. */
export const FRENCH_GUIDES: readonly Guide[] = ['events', 'publishing', 'phone-apps']

/** Guides that lie beside the clients that they describe. */
const CLIENT_GUIDES: Partial<Record<Guide, string>> = {
  'typescript-client': 'clients/typescript/README.md',
  'kotlin-client': 'clients/kotlin/README.md',
  'swift-client': 'clients/swift/README.md',
  'client-cases': 'clients/cases/README.md',
}

/** Files of the clients that are served as they are, to be copied into an app: sources, and cases for tests. */
const CLIENT_FILE = /^clients\/(?:kotlin|swift|cases|frames)\/[\w./-]+\.(?:kt|swift|json)$/

/** Tells whether a file is served below `/docs` as it is. @param path in the folder of the project */
export function isClientFile(path: string): boolean {
  return CLIENT_FILE.test(path) && !/(?:^|\/)[._]/.test(path)
}

/** Returns the file of a guide, in the folder of the project. */
export function guideFile(language: 'en' | 'fr', guide: Guide): string {
  return language === 'fr' ? `docs/fr/${guide}.md` : (CLIENT_GUIDES[guide] ?? `docs/${guide}.md`)
}

/** Addresses below `/docs`, by the files that are served there. */
const ADDRESSES = new Map<string, string>([
  ...GUIDES.map((guide) => [guideFile('en', guide), guide] as const),
  ...FRENCH_GUIDES.map((guide) => [guideFile('fr', guide), `fr/${guide}`] as const),
])

type Renderer = { parser: { parseInline(tokens: Tokens.Generic[]): string; parse(tokens: Tokens.Generic[]): string } }

/**
 * Writes a guide as an HTML page that needs no script. Beside a guide in French, English guides are listed as
 * English.
 * @param text the guide in Markdown
 */
export async function guidePage(language: 'en' | 'fr', guide: Guide, text: string, files: PageFiles): Promise<string> {
  // Few servers are asked for a guide.
  const { Marked } = await import('marked')
  const t = TEXTS.of(language)
  const isFrench = language === 'fr'
  const renderer = { heading, table, link, html: ({ text: raw }: { text: string }) => escapeHtml(raw) }
  const marked = new Marked({ gfm: true, renderer })
  const body = html`<body>
<a class="skip" href="#content">${t('skip')}</a>
<header class="top"><p class="brand">Trackpress <span>${t('guides')}</span></p>${otherLanguage()}</header>
<nav aria-label="${t('guides')}">
<details>
<summary>${t('guides')}</summary>
<div class="contents">
<ul>
${isFrench ? [...FRENCH_GUIDES, ...GUIDES.filter((name) => !FRENCH_GUIDES.includes(name))].map(entry) : GUIDES.map(entry)}
<li>${isFrench ? inEnglish('../../docs', t('reference')) : html`<a href="../docs">${t('reference')}</a>`}</li>
</ul>
</div>
</details>
</nav>
<main id="content" tabindex="-1">
${new Html(marked.parse(text, { async: false }))}</main>
<footer><p>${t('footer')}</p></footer>
</body>`
  const title = `${t(`guide.${guide}`)} · Trackpress`
  return htmlDocument(language, documentHead({ title, rest: fileLinks(files) }), body)

  function otherLanguage(): Html | false {
    if (!FRENCH_GUIDES.includes(guide)) return false
    const [other, address] = isFrench ? ['en', `../${guide}`] : ['fr', `fr/${guide}`]
    return html`<p><a href="${address}" lang="${other}" hreflang="${other}">${languageName(other)}</a></p>`
  }

  function entry(name: Guide): Html {
    const title = t(`guide.${name}`)
    if (isFrench && !FRENCH_GUIDES.includes(name)) return html`<li>${inEnglish(`../${name}`, title)}</li>\n`
    return html`<li><a href="${name}"${name === guide && new Html(' aria-current="page"')}>${title}</a></li>\n`
  }

  function inEnglish(address: string, title: string): Html {
    return html`<a href="${address}" hreflang="en">${t('elsewhere', { title })}</a>`
  }

  /** Leads to another guide by its address. Files that are not served are named, not linked. */
  function link(this: Renderer, { href, tokens }: Tokens.Link): string {
    const words = this.parser.parseInline(tokens)
    const address = addressFrom(guideFile(language, guide), href)
    return address === undefined ? words : `<a href="${escapeHtml(address)}">${words}</a>`
  }
}

/** Gives headings the fragments that the guides link to: `#rate_limit`, `#first-start`. */
function heading(this: Renderer, { tokens, depth, text }: Tokens.Heading): string {
  return `<h${depth} id="${fragmentOf(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`
}

/** Returns where a link in a guide leads on the server; undefined for a file that is not served. */
function addressFrom(file: string, href: string): string | undefined {
  if (/^(https?:\/\/|#)/.test(href)) return href
  const { pathname, hash } = new URL(href, `file:///${file}`)
  const path = pathname.slice(1)
  const address = isClientFile(path) ? path : ADDRESSES.get(path)
  if (address === undefined) return undefined
  if (!file.startsWith('docs/fr/')) return `${address}${hash}`
  return address.startsWith('fr/') ? `${address.slice('fr/'.length)}${hash}` : `../${address}${hash}`
}

/** Wraps tables, so that wide ones scroll on their own. */
function table(this: Renderer, { header, rows }: Tokens.Table): string {
  const cell = ({ tokens }: Tokens.TableCell, tag: string) =>
    `<${tag}>${breakNames(this.parser.parseInline(tokens))}</${tag}>`
  const row = (cells: readonly Tokens.TableCell[], tag: 'th' | 'td') =>
    `<tr>${cells.map((each) => cell(each, tag)).join('')}</tr>\n`
  const body = rows.map((cells) => row(cells, 'td')).join('')
  return `<div class="scroll" tabindex="0"><table>\n<thead>${row(header, 'th')}</thead>\n<tbody>${body}</tbody>\n</table></div>\n`
}

/** Lets the names and addresses of a cell go on in the next line after their parts, and nowhere else. */
function breakNames(cell: string): string {
  return cell.replace(/<code>[^<]*/g, (code) => code.replace(/[_/.](?=\w)|[+]|&amp;/g, '$&<wbr>'))
}

function fragmentOf(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s+/g, '-')
}
