import type { ImageForm } from '../domain/image-forms.ts'
import { imageSize, type PageSize } from '../domain/image-size.ts'
import { loadSharp } from '../rendering/pages/load-sharp.ts'
import { strokeText } from './stroke-letters.ts'

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
