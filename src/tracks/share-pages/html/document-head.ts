import { readFileSync } from 'node:fs'
import { Html, html } from '#platform/http/server/html.ts'

/** Small, so that it is in the page itself: another request would take as long as the page on a slow line. */
const STYLE = new Html(
  readFileSync(new URL('share-page.css', import.meta.url), 'utf8')
    .replaceAll(/\/\*.*?\*\//gs, '')
    .replaceAll(/\s*\n\s*/g, '\n'),
)

/** The program's icon, as in the dashboard. */
const ICON =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'%3E%3Crect width='32' height='32' rx='8' fill='%230b7285'/%3E%3Cpath d='M7 23c3-9 6-2 9-7s4-9 9-7' fill='none' stroke='%23fff' stroke-width='3' stroke-linecap='round'/%3E%3Ccircle cx='25' cy='9' r='3' fill='%23ffd43b'/%3E%3C/svg%3E"

type DocumentHead = {
  title: string
  nonce: string
  /** Values that scripts read. */
  metaValues: Record<string, string>
  /** Title and description for chats and social networks; undefined for pages that tell nothing. */
  preview?: { title: string; description: string; locale: string }
}

/** Writes the head of a spectators' page. */
export function documentHead({ title, nonce, metaValues, preview }: DocumentHead): Html {
  return html`<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<meta name="referrer" content="no-referrer">
<title>${title}</title>
${preview && previewTags(preview)}${Object.entries(metaValues).map(([name, value]) => html`<meta name="${name}" content="${value}">\n`)}<link rel="icon" href="${new Html(ICON)}">
<style nonce="${nonce}">${STYLE}</style>
</head>`
}

/** Writes Open Graph properties (https://ogp.me) and those of Twitter cards. Without an address, which is a secret. */
function previewTags({ title, description, locale }: NonNullable<DocumentHead['preview']>): Html {
  const properties = { type: 'website', site_name: 'Trackpress', title, description, locale }
  return html`<meta name="description" content="${description}">
${Object.entries(properties).map(([name, value]) => html`<meta property="og:${name}" content="${value}">\n`)}<meta name="twitter:card" content="summary">
`
}
