import { createHash } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'

/** A picture as a PDF holds it (ISO 32000-1, 8.9.5). */
export type PdfPicture = {
  /** Size of the stored picture in pixels. */
  width: number
  height: number
  components: 1 | 3
  bitsPerComponent: number
  filter: 'DCTDecode' | 'FlateDecode'
  data: Uint8Array
  /** Red, green and blue of each colour, of a picture whose pixels are numbers of colours. */
  palette?: Uint8Array
  /** ICC profile of its colours; without one they are sRGB. */
  profile?: Uint8Array
}

/** A page: its picture, how the picture lies (EXIF orientation, 1 to 8), and its pixels per inch. */
export type PicturePage = PdfPicture & { orientation: number; pixelsPerInch: number }

/** Statements about a document that its PDF repeats. */
export type SourceStatements = {
  title?: string
  author?: string
  description?: string
  language?: string
  isRightToLeft?: boolean
}

const POINTS_PER_INCH = 72
/** Longest side of a page that viewers show (ISO 32000-1, annex C), and the shortest. */
const MAX_SIDE_PT = 14_400
const MIN_SIDE_PT = 3

/**
 * Writes a PDF of pictures to a file, page after page and in constant memory. The same pages give the same bytes: the
 * file has no dates.
 */
export class PagesPdf {
  readonly #file: FileHandle
  readonly #hash = createHash('sha256')
  readonly #offsets: number[] = []
  readonly #pages: number[] = []
  readonly #profiles = new Map<string, number>()
  #size = 0

  /** Objects 1 and 2 are the catalogue and the list of pages, written last. */
  #next = 3

  constructor(file: FileHandle) {
    this.#file = file
  }

  /** Bytes written so far. */
  get size(): number {
    return this.#size
  }

  get pageCount(): number {
    return this.#pages.length
  }

  async begin(): Promise<void> {
    await this.#write('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n')
  }

  async addPage(page: PicturePage): Promise<void> {
    const profile = page.profile === undefined ? undefined : await this.#profile(page.profile, page.components)
    const picture = await this.#addStream(pictureEntries(page, profile), page.data)
    const { widthPt, heightPt } = pageSize(page)
    const content = `q ${matrixOf(page.orientation, widthPt, heightPt)} cm /P Do Q`
    const drawing = await this.#addStream('', Buffer.from(content))
    const box = `[0 0 ${widthPt} ${heightPt}]`
    this.#pages.push(
      await this.#add(
        `<</Type/Page/Parent 2 0 R/MediaBox ${box}/Resources<</XObject<</P ${picture} 0 R>>>>/Contents ${drawing} 0 R>>`,
      ),
    )
  }

  /** Adds a page that cannot be read: readers see a placeholder. */
  addUnreadablePage(): void {
    // An object that is not in the file stands for nothing (ISO 32000-1, 7.3.10), which is not a page.
    this.#pages.push(this.#next++)
  }

  /** Completes the file. Returns its size and SHA-256. */
  async finish(statements: SourceStatements): Promise<{ size: number; sha256: string }> {
    const { title, author, description, language, isRightToLeft } = statements
    const info = [
      ['Title', title],
      ['Author', author],
      ['Subject', description],
    ].filter((entry): entry is [string, string] => entry[1] !== undefined)
    const about = await this.#add(`<<${info.map(([name, text]) => `/${name} ${textString(text)}`).join('')}>>`)
    const direction = isRightToLeft === true ? '/ViewerPreferences<</Direction/R2L>>' : ''
    const lang = language === undefined ? '' : `/Lang ${textString(language)}`
    await this.#put(1, `<</Type/Catalog/Pages 2 0 R${lang}${direction}>>`)
    const kids = this.#pages.map((page) => `${page} 0 R`).join(' ')
    await this.#put(2, `<</Type/Pages/Count ${this.#pages.length}/Kids[${kids}]>>`)
    await this.#writeTable(about)
    return { size: this.#size, sha256: this.#hash.digest('hex') }
  }

  async #profile(profile: Uint8Array, components: number): Promise<number> {
    const sum = createHash('sha256').update(profile).digest('hex')
    const known = this.#profiles.get(sum)
    if (known !== undefined) return known
    const added = await this.#addStream(`/N ${components}`, profile)
    this.#profiles.set(sum, added)
    return added
  }

  async #addStream(entries: string, data: Uint8Array): Promise<number> {
    const number = this.#next++
    this.#offsets[number] = this.#size
    await this.#write(`${number} 0 obj\n<<${entries}/Length ${data.length}>>stream\n`)
    await this.#write(data)
    await this.#write('\nendstream\nendobj\n')
    return number
  }

  async #add(body: string): Promise<number> {
    const number = this.#next++
    await this.#put(number, body)
    return number
  }

  async #put(number: number, body: string): Promise<void> {
    this.#offsets[number] = this.#size
    await this.#write(`${number} 0 obj\n${body}\nendobj\n`)
  }

  async #writeTable(info: number): Promise<void> {
    const start = this.#size
    const rows = Array.from({ length: this.#next - 1 }, (_, i) => {
      const offset = this.#offsets[i + 1]
      return offset === undefined ? '0000000000 65535 f \n' : `${String(offset).padStart(10, '0')} 00000 n \n`
    })
    await this.#write(`xref\n0 ${this.#next}\n0000000000 65535 f \n${rows.join('')}`)
    await this.#write(`trailer\n<</Size ${this.#next}/Root 1 0 R/Info ${info} 0 R>>\nstartxref\n${start}\n%%EOF\n`)
  }

  async #write(text: string | Uint8Array): Promise<void> {
    const bytes = typeof text === 'string' ? Buffer.from(text, 'latin1') : text
    this.#hash.update(bytes)
    this.#size += bytes.length
    await this.#file.appendFile(bytes)
  }
}

function pictureEntries(page: PdfPicture, profile: number | undefined): string {
  const { width, height, components, bitsPerComponent, filter } = page
  const predictor = `/DecodeParms<</Predictor 15/Colors ${components}/BitsPerComponent ${bitsPerComponent}/Columns ${width}>>`
  return [
    `/Type/XObject/Subtype/Image/Width ${width}/Height ${height}/BitsPerComponent ${bitsPerComponent}`,
    `/ColorSpace ${colourSpace(page, profile)}/Filter/${filter}`,
    filter === 'FlateDecode' ? predictor : '',
  ].join('')
}

function colourSpace({ components, palette }: PdfPicture, profile: number | undefined): string {
  const device = components === 3 || palette !== undefined ? '/DeviceRGB' : '/DeviceGray'
  if (palette !== undefined)
    return `[/Indexed${device} ${palette.length / 3 - 1}<${Buffer.from(palette).toString('hex')}>]`
  return profile === undefined ? device : `[/ICCBased ${profile} 0 R]`
}

/** Returns the size of a page in points, within the limits of viewers. */
function pageSize({ width, height, orientation, pixelsPerInch }: PicturePage): { widthPt: number; heightPt: number } {
  const [across, down] = orientation >= 5 ? [height, width] : [width, height]
  const scale = Math.min(POINTS_PER_INCH / pixelsPerInch, MAX_SIDE_PT / Math.max(across, down))
  const points = (pixels: number) => Math.max(MIN_SIDE_PT, Number((pixels * scale).toFixed(3)))
  return { widthPt: points(across), heightPt: points(down) }
}

/** Returns the matrix that lays a picture, which is a unit square, on its page as its EXIF orientation says. */
function matrixOf(orientation: number, w: number, h: number): string {
  const matrices: Record<number, number[]> = {
    2: [-w, 0, 0, h, w, 0],
    3: [-w, 0, 0, -h, w, h],
    4: [w, 0, 0, -h, 0, h],
    5: [0, -h, -w, 0, w, h],
    6: [0, -h, w, 0, 0, h],
    7: [0, h, w, 0, 0, 0],
    8: [0, h, -w, 0, w, 0],
  }
  return (matrices[orientation] ?? [w, 0, 0, h, 0, 0]).join(' ')
}

/** Writes text as UTF-16 in hexadecimal digits, which has no characters with a meaning. */
function textString(text: string): string {
  return `<feff${Buffer.from(text, 'utf16le').swap16().toString('hex')}>`
}
