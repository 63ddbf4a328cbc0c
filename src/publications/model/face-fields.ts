/** Form of a colour: six hexadecimal digits, as colour inputs give it. */
const COLOR_PATTERN = /^#[0-9a-f]{6}$/i

/** Grounds of the public pages, light and dark, as in `public-page.css`. */
const LIGHT_GROUND = '#f3f1ec'
const DARK_GROUND = '#171614'

/** Contrast of text that everyone can read (WCAG 2.2, 1.4.3). */
const READABLE = 4.5

/** Refuses a colour in which links on a light page could not be read. */
export function accentProblem(color: string): string | undefined {
  if (!COLOR_PATTERN.test(color)) return 'must be a colour such as #0b6158'
  const contrast = contrastOf(color, LIGHT_GROUND)
  if (contrast >= READABLE) return undefined
  return `must be darker: its contrast with the page is ${rounded(contrast)}:1, and text needs ${READABLE}:1`
}

/** Writes the stylesheet that gives pages an accent colour. A dark page gets a lighter one of the same hue. */
export function accentStyle(color: string): string {
  const dark = lightened(color)
  return `:root {
  ${variables(color, mixed(color, '#000000', 0.25), '#ffffff')}
}

@media (prefers-color-scheme: dark) {
  :root {
    ${variables(dark, mixed(dark, '#ffffff', 0.35), DARK_GROUND)}
  }
}
`
}

function variables(accent: string, hover: string, onAccent: string): string {
  return `--accent: ${accent}; --mark: ${accent}; --accent-hover: ${hover}; --on-accent: ${onAccent};`
}

/** Mixes a colour with white until it can be read on a dark page. */
function lightened(color: string): string {
  let share = 0
  while (contrastOf(mixed(color, '#ffffff', share), DARK_GROUND) < READABLE + 1) share += 0.05
  return mixed(color, '#ffffff', share)
}

/** Mixes two colours in sRGB; `share` counts for the second. */
function mixed(color: string, other: string, share: number): string {
  const others = channelsOf(other)
  const channels = channelsOf(color).map((value, at) => Math.round(value + (others[at] - value) * share))
  return `#${channels.map((value) => value.toString(16).padStart(2, '0')).join('')}`
}

function channelsOf(color: string): number[] {
  return [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16))
}

/** Returns the contrast ratio of two colours, from 1 to 21 (WCAG 2.2, "contrast ratio"). */
export function contrastOf(color: string, other: string): number {
  const [lighter, darker] = [luminanceOf(color), luminanceOf(other)].sort((a, b) => b - a)
  return (lighter + 0.05) / (darker + 0.05)
}

/** Returns the relative luminance of a colour, from 0 to 1 (WCAG 2.2, "relative luminance"). */
function luminanceOf(color: string): number {
  const [red, green, blue] = channelsOf(color).map((value) => {
    const share = value / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** Rounds down, so that a contrast that is too low never looks sufficient. */
function rounded(contrast: number): number {
  return Math.floor(contrast * 10) / 10
}

/** Limits of a host name and of its labels (RFC 1035, 2.3.4). */
const MAX_DOMAIN_LENGTH = 253
const LABEL = /^(?!-)[a-z0-9-]{1,63}(?<!-)$/

/** Characters that end a host name in an address, or that an address spells in another way. */
const NOT_IN_NAMES = /[\s/\\@:?#%[\]]/

/** As long as a name may be before it is written in ASCII; a longer text is not worth parsing. */
const MAX_WRITTEN_LENGTH = 1_000

/**
 * Returns a host name in the form in which it is compared and stored: in lower case, in ASCII (`xn--…`), without the
 * dot of the root; undefined if the text is none, or is an address of numbers or a name without a dot.
 */
export function parseDomain(text: string): string | undefined {
  if (text.length > MAX_WRITTEN_LENGTH || NOT_IN_NAMES.test(text)) return undefined
  const domain = URL.parse(`http://${text}`)?.hostname.replace(/\.$/, '')
  if (domain === undefined || domain.length > MAX_DOMAIN_LENGTH) return undefined
  const labels = domain.split('.')
  if (labels.length < 2 || !labels.every((label) => LABEL.test(label))) return undefined
  // Parsers of addresses read a name whose last label is a number as an IPv4 address.
  return /^\d/.test(labels.at(-1)!) ? undefined : domain
}

/** Refuses a text that is not the host name of a site. */
export function domainProblem(text: string): string | undefined {
  if (parseDomain(text.trim()) !== undefined) return undefined
  return 'must be a host name such as reports.example.org, without https:// and without a path'
}

const MAX_CONTACT_LENGTH = 320
const EMAIL = /^[^\s@<>"?#&:/]{1,64}@[a-z0-9.-]{3,255}$/i

/** Refuses a contact that is neither an e-mail address nor the address of a page. */
export function contactProblem(text: string): string | undefined {
  const contact = text.trim()
  if (contact === '') return undefined
  const isPage = /^https?:$/.test(URL.parse(contact)?.protocol ?? '')
  if (contact.length <= MAX_CONTACT_LENGTH && (EMAIL.test(contact) || isPage)) return undefined
  return `must be an e-mail address or an https address of at most ${MAX_CONTACT_LENGTH} characters`
}
