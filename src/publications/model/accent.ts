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
