import sharp from 'sharp'
import { imageSize, type PageSize } from '../domain/image-size.ts'
import type { ImageForm } from '../domain/page-images.ts'
import { strokeText } from './stroke-letters.ts'

/** Part of the page's width that the words may take. */
const TEXT_PART = 0.7
/** A letter's height on a page of usual shape: a part of the page's width. */
const LETTER_PART = 0.022
/** Of capitals, as `strokeText` has them. */
const LETTER_HEIGHT = 6

/** An image in a page's place: of its shape, saying that it could not be rendered. */
export async function drawPlaceholder(page: number, size: PageSize, form: ImageForm): Promise<Buffer> {
  const { width, height } = imageSize(size, form.width)
  const image = sharp(Buffer.from(placeholderSvg(page, width, height)), { limitInputPixels: false })
  const flat = image.flatten({ background: '#ffffff' })
  return await (form.format === 'jpeg' ? flat.jpeg({ quality: 80 }) : flat.webp({ quality: 80, effort: 2 })).toBuffer()
}

function placeholderSvg(page: number, width: number, height: number): string {
  const { svg, width: textWidth } = strokeText(`Page ${page} could not be rendered`)
  const scale = Math.min((LETTER_PART * width) / LETTER_HEIGHT, (TEXT_PART * width) / textWidth, height / 24)
  const left = (width - textWidth * scale) / 2
  const top = (height - LETTER_HEIGHT * scale) / 2
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
<rect width="100%" height="100%" fill="#f4f4f2"/>
<g transform="translate(${left} ${top}) scale(${scale})" fill="none" stroke="#5c5c58" stroke-width=".7"
stroke-linecap="round" stroke-linejoin="round">${svg}</g></svg>`
}
