/** Values that the server passes to a page in `<meta>` elements. */
type PageValues = { nonce: string; mapStyleUrl: string }

const END_OF_HEAD = '</head>'

/**
 * Inserts the values into the head of the built page, as `<meta name="csp-nonce">` and `<meta name="map-style-url">`.
 * @throws Error for a page without a head
 */
export function fillPage(html: string, { nonce, mapStyleUrl }: PageValues): string {
  const at = html.indexOf(END_OF_HEAD)
  if (at < 0) throw new Error('The page of the dashboard has no head')
  return `${html.slice(0, at)}${meta('csp-nonce', nonce)}${meta('map-style-url', mapStyleUrl)}${html.slice(at)}`
}

function meta(name: string, content: string): string {
  return `<meta name="${name}" content="${escapeAttribute(content)}">`
}

function escapeAttribute(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
