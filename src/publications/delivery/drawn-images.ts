import { loadSharp } from '#platform/basics/load-sharp.ts'
import { type WorkClient, WorkQueue, type WorkQueueLimits } from '#platform/jobs/work-queue.ts'
import { type ImageForm, imageSize, type PageSize } from '../model/image-forms.ts'

/** Name of the image of a page for previews of links, beside the names of its forms. */
export const PREVIEW_CARD = 'card.jpg'

/** The size that chats and social networks show without cutting (https://ogp.me). */
export const CARD_SIZE = { width: 1200, height: 630 }

const MARGIN = 30
const QUALITY = 82
/** The ground is darker than the page, whose edge would not be seen otherwise. */
const GROUND_BRIGHTNESS = 0.8
/** The ground is made from so few pixels of the page that only its colours are left. */
const GROUND_PIXELS = { width: 24, height: 12 }

/** A card takes some 30 ms of one core. Clients that ask for many wait for each other. */
const LIMITS: WorkQueueLimits = { running: 1, waiting: 64, waitingPerCaller: 8 }

/** Makes cards from the images of pages. */
export function createPreviewCards() {
  const queue = new WorkQueue<Buffer>(LIMITS)
  return {
    /** Returns a JPEG of `CARD_SIZE` with the whole page in it. Rejects with QueueFullError if too many wait. */
    make: (key: string, page: Buffer, client: WorkClient): Promise<Buffer> =>
      queue.do(key, client, () => drawCard(page)),
    close: () => queue.close(),
  }
}

/** Draws a page as a whole, on a ground in its own colours. */
async function drawCard(page: Buffer): Promise<Buffer> {
  const sharp = await loadSharp()
  const inner = { width: CARD_SIZE.width - 2 * MARGIN, height: CARD_SIZE.height - 2 * MARGIN }
  const tiny = await sharp(page)
    .resize({ ...GROUND_PIXELS, fit: 'cover' })
    .linear(GROUND_BRIGHTNESS)
    .png()
    .toBuffer()
  const whole = await sharp(page)
    .resize({ ...inner, fit: 'inside' })
    .png({ compressionLevel: 1 })
    .toBuffer()
  return await sharp(tiny)
    .resize({ ...CARD_SIZE, fit: 'fill', kernel: 'cubic' })
    .composite([{ input: whole }])
    .jpeg({ quality: QUALITY })
    .toBuffer()
}

/** Largest share of the page's width that the text may take. */
const MAX_TEXT_SHARE = 0.7
/** Height of a letter on a page of common shape, as a share of the page's width. */
const LETTER_SHARE = 0.022
/** Height of capitals in `strokeText`. */
const LETTER_HEIGHT = 6

/** Draws an image of a page's shape which says that the page could not be rendered. */
export async function drawPlaceholder(page: number, size: PageSize, form: ImageForm): Promise<Buffer> {
  const { width, height } = imageSize(size, form.width)
  const sharp = await loadSharp()
  const image = sharp(Buffer.from(placeholderSvg(page, width, height)), { limitInputPixels: false })
  const flat = image.flatten({ background: '#ffffff' })
  return await (form.format === 'jpeg' ? flat.jpeg({ quality: 80 }) : flat.webp({ quality: 80, effort: 2 })).toBuffer()
}

function placeholderSvg(page: number, width: number, height: number): string {
  const { svg, width: textWidth } = strokeText(`Page ${page} could not be rendered`)
  const scale = Math.min((LETTER_SHARE * width) / LETTER_HEIGHT, (MAX_TEXT_SHARE * width) / textWidth, height / 24)
  const left = (width - textWidth * scale) / 2
  const top = (height - LETTER_HEIGHT * scale) / 2
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
<rect width="100%" height="100%" fill="#f4f4f2"/>
<g transform="translate(${left} ${top}) scale(${scale})" fill="none" stroke="#5c5c58" stroke-width=".7"
stroke-linecap="round" stroke-linejoin="round">${svg}</g></svg>`
}

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
function strokeText(text: string): { svg: string; width: number } {
  let x = 0
  const paths = [...text].map((letter) => {
    const [width, path] = letters[letter] ?? [SPACE_WIDTH, '']
    const at = x
    x += width + GAP
    return path === '' ? '' : `<path transform="translate(${at.toFixed(1)} 0)" d="${path}"/>`
  })
  return { svg: paths.join(''), width: Math.max(0, x - GAP) }
}
