/** Letters as strokes, for text in images on machines without fonts. Capitals are 6 high, the baseline is at 6. */
const RING = 'M0 4A1.5 2 0 1 1 3 4A1.5 2 0 1 1 0 4'

const letters: Record<string, [width: number, path: string]> = {
  P: [3.6, 'M0 6V0H2.2A1.6 1.6 0 0 1 2.2 3.2H0'],
  a: [3, `M3 2V6${RING}`],
  b: [3, `M0 0V6${RING}`],
  c: [2.7, 'M2.7 2.8A1.5 2 0 1 0 2.7 5.2'],
  d: [3, `M3 0V6${RING}`],
  e: [3, 'M0 4H3A1.5 2 0 1 0 2.6 5.4'],
  g: [3, `M3 2V6.4A1.5 1.6 0 0 1 .2 7.1${RING}`],
  l: [0, 'M0 0V6'],
  n: [3, 'M0 2V6M0 3.5A1.5 1.5 0 0 1 3 3.5V6'],
  o: [3, RING],
  r: [1.8, 'M0 2V6M0 4A2 2 0 0 1 1.8 2.1'],
  t: [2, 'M.8 .6V5A1 1 0 0 0 2 6M0 2H2'],
  u: [3, 'M0 2V4.5A1.5 1.5 0 0 0 3 4.5M3 2V6'],
  '0': [3.2, 'M0 3A1.6 3 0 1 1 3.2 3A1.6 3 0 1 1 0 3'],
  '1': [1.4, 'M0 1.2L1.4 0V6'],
  '2': [3.2, 'M0 1.5A1.6 1.5 0 1 1 2.8 2.5L0 6H3.2'],
  '3': [3.2, 'M0 .8A1.6 1.5 0 1 1 1.6 3A1.6 1.5 0 1 1 0 5.2'],
  '4': [3.2, 'M2.4 6V0L0 4.2H3.2'],
  '5': [3.2, 'M3 0H.4L.2 2.8A1.7 1.7 0 1 1 0 5.2'],
  '6': [3.2, 'M2.8 0A2.8 4.2 0 0 0 0 4.2A1.6 1.8 0 1 0 3.2 4.2A1.6 1.8 0 1 0 0 4.2'],
  '7': [3.2, 'M0 0H3.2L1.2 6'],
  '8': [3.2, 'M1.6 0A1.5 1.45 0 1 0 1.6 2.9A1.5 1.45 0 1 0 1.6 0M1.6 2.9A1.6 1.55 0 1 0 1.6 6A1.6 1.55 0 1 0 1.6 2.9'],
  '9': [3.2, 'M.4 6A2.8 4.2 0 0 0 3.2 1.8A1.6 1.8 0 1 0 0 1.8A1.6 1.8 0 1 0 3.2 1.8'],
}

const SPACE_WIDTH = 2.4
const GAP = 1.2

/** Draws a line of text as SVG paths from the top left corner, and returns its width. Unknown characters are spaces. */
export function strokeText(text: string): { svg: string; width: number } {
  let x = 0
  const paths = [...text].map((letter) => {
    const [width, path] = letters[letter] ?? [SPACE_WIDTH, '']
    const at = x
    x += width + GAP
    return path === '' ? '' : `<path transform="translate(${at.toFixed(1)} 0)" d="${path}"/>`
  })
  return { svg: paths.join(''), width: Math.max(0, x - GAP) }
}
