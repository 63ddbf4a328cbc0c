/** A page of a generated PDF: its content in PDF operators, and additional entries of its dictionary. */
export type MadePage = { content?: string; entries?: string; annotations?: string[]; mediaBox?: string }

/** Additional parts of a generated PDF, in PDF syntax; `objects` are numbered from `FIRST_OBJECT` on. */
export type MadePdf = {
  pages?: MadePage[]
  catalog?: string
  info?: string
  resources?: string
  objects?: (string | Buffer)[]
  trailer?: string
}

/** Number of the first additional object, for references to it: `10 0 R`. */
export const FIRST_OBJECT = 10

const CATALOG = 1
const PAGES = 2
const FONT = 3
const INFO = 4

/** Object number of the first page, above all other objects. */
const FIRST_PAGE = 1_000

/** Returns the reference to a page (the first is 1), for links and outlines: `1000 0 R`. */
export function pageReference(page: number): string {
  return `${FIRST_PAGE + 2 * (page - 1)} 0 R`
}

/** Draws text in Helvetica at a position, in points from the lower left. */
export function showText(text: string, x = 72, y = 700, size = 24): string {
  return `BT /F1 ${size} Tf ${x} ${y} Td (${text}) Tj ET`
}

/** Returns a stream object: a dictionary and the bytes it describes. */
export function stream(bytes: string | Buffer, entries = ''): Buffer {
  const body = Buffer.from(bytes)
  const head = `<< /Length ${body.length} ${entries} >>\nstream\n`
  return Buffer.concat([Buffer.from(head), body, Buffer.from('\nendstream')])
}

/** Writes a PDF by hand: complete and valid except for the requested defects. */
export function makePdf({
  pages = [{}],
  catalog = '',
  info = '',
  resources = '',
  objects = [],
  trailer = '',
}: MadePdf) {
  const written = new Map<number, string | Buffer>([
    [CATALOG, `<< /Type /Catalog /Pages ${PAGES} 0 R ${catalog} >>`],
    [
      PAGES,
      `<< /Type /Pages /Count ${pages.length} /Kids [${pages.map((_, at) => pageReference(at + 1)).join(' ')}] >>`,
    ],
    [FONT, '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>'],
    [INFO, `<< ${info} >>`],
    ...objects.map((object, at): [number, string | Buffer] => [FIRST_OBJECT + at, object]),
    ...pages.flatMap((page, at) => writePage(page, FIRST_PAGE + 2 * at, resources)),
  ])
  return writeFile(written, `/Root ${CATALOG} 0 R /Info ${INFO} 0 R ${trailer}`)
}

function writePage(page: MadePage, number: number, resources: string): [number, string | Buffer][] {
  const { content = '', entries = '', annotations = [], mediaBox = '[0 0 612 792]' } = page
  const fonts = resources.includes('/Font') ? '' : `/Font << /F1 ${FONT} 0 R >>`
  const shared = `/Resources << ${fonts} ${resources} >> /Annots [${annotations.join(' ')}]`
  const dictionary = `<< /Type /Page /Parent ${PAGES} 0 R /MediaBox ${mediaBox} ${shared} /Contents ${number + 1} 0 R ${entries} >>`
  return [
    [number, dictionary],
    [number + 1, stream(content)],
  ]
}

function writeFile(objects: Map<number, string | Buffer>, trailer: string): Buffer {
  const parts = [Buffer.from('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n', 'latin1')]
  const table: string[] = []
  let position = parts[0].length
  for (const [number, object] of objects) {
    const bytes = Buffer.concat([Buffer.from(`${number} 0 obj\n`), Buffer.from(object), Buffer.from('\nendobj\n')])
    table.push(`${number} 1\n${String(position).padStart(10, '0')} 00000 n \n`)
    parts.push(bytes)
    position += bytes.length
  }
  const size = Math.max(...objects.keys()) + 1
  const end = `xref\n0 1\n0000000000 65535 f \n${table.join('')}trailer\n<< /Size ${size} ${trailer} >>\nstartxref\n${position}\n%%EOF\n`
  return Buffer.concat([...parts, Buffer.from(end)])
}
